"""PeeringDB: facilities and networks from its API, or as fixtures of a local copy. Described and checked.

Reference data is checked like any other: a facility must lie where its address is, a number must stand once. Facilities
become rows of ``facilities``; networks describe the world, not this programme, and become none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from turnup.formats.adapted import adapted
from turnup.formats.content import Content, canonical, cell_text
from turnup.formats.model import Fact, FileRejected, Finding, Ledger, Look, RawTable, Request, Severity
from turnup.formats.tabular.json_records import dicts, page_findings
from turnup.formats.topology.geography import judge

_MODELS = "django_peeringdb."
_PROOFS = {
    "facility": {"city", "country", "latitude", "longitude", "org_id"},
    "network": {"asn", "irr_as_set", "org_id"},
}
_FIELDS = {
    "facility_id": "id", "name": "name", "operator": "org_name", "city": "city", "state": "state", "country": "country",
    "latitude": "latitude", "longitude": "longitude",
}  # fmt: skip
_UNIQUE = {"network": ("asn", "name", "name_long", "irr_as_set"), "facility": ("name", "name_long")}


def records_of(document: Any) -> list[tuple[str, dict[str, Any]]] | None:
    """Kind and fields of each record, or None when the document is not PeeringDB's."""
    held = document.get("data") if isinstance(document, dict) else document
    if not isinstance(held, list) or not held or not all(isinstance(item, dict) for item in held):
        return None
    found = []
    for item in held:
        kind, fields = _record(item)
        if kind is None:
            return None
        found.append((kind, fields))
    return found


def _record(item: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    model, fields = item.get("model"), item.get("fields")
    if isinstance(model, str) and model.startswith(_MODELS) and isinstance(fields, dict):
        return model.removeprefix(_MODELS), {"id": item.get("pk"), **fields}
    kind = next((kind for kind, proof in _PROOFS.items() if proof <= item.keys()), None)
    return kind, item


def is_peeringdb(content: Content) -> bool:
    """Whether a document is PeeringDB's."""
    return records_of(content.json) is not None


def parse_peeringdb(request: Request) -> RawTable:
    """Read facilities; records of other kinds are counted in the ledger.

    Raises:
        FileRejected: ``peeringdb`` for another dataset, or when no record is a facility.
    """
    document = request.content.json
    records = list(enumerate(records_of(document) or [], start=1))
    rows = [(number, fields) for number, (kind, fields) in records if kind == "facility"]
    asked = request.contract.name
    if asked != "facilities" or not rows:
        message = (
            "PeeringDB's records describe the world, not this programme: only facilities feed a dataset, facilities"
        )
        what = f", not {asked}" if asked != "facilities" else ", and this file has none; use turnup inspect"
        raise FileRejected("peeringdb", message + what, value=asked, expected="facilities for the dataset facilities")
    findings = [*_pages(document), *_repeated("facility", rows)]
    schema = dict.fromkeys((*_FIELDS, "_sheet", "_given"), pl.String) | {"_row": pl.Int64}
    frame = pl.DataFrame([_facility(number, fields) for number, fields in rows], schema=schema)
    ledger = Ledger(lines=len(records), data=len(rows), other=len(records) - len(rows))
    return adapted(request, "peeringdb", frame, ledger, findings, facts=[Fact("facility_records", len(rows))])


def _facility(row: int, fields: dict[str, Any]) -> dict[str, str | int | None]:
    told = {name: _text(fields, theirs) for name, theirs in _FIELDS.items()}
    return {**told, "_row": row, "_sheet": None, "_given": canonical(fields)}


def _pages(document: Any) -> Iterator[Finding]:
    if isinstance(document, dict):
        yield from page_findings(document, "data", len(dicts(document["data"])))


def look_at_peeringdb(content: Content) -> Look:
    """Describe facilities and networks, and check them."""
    records = records_of(content.json) or []
    kinds = Counter(kind for kind, _ in records)
    facts = [Fact(f"{kind}_records", number) for kind, number in sorted(kinds.items())]
    findings: list[Finding] = []
    findings += _pages(content.json)
    for kind in sorted(kinds):
        rows = [(row, fields) for row, (held, fields) in enumerate(records, start=1) if held == kind]
        facts += _places(rows) if kind == "facility" else _numbers(rows) if kind == "network" else []
        findings += _wrong_places(rows) if kind == "facility" else []
        findings += _repeated(kind, rows)
    return Look(Ledger(lines=len(records), other=len(records)), tuple(facts), tuple(findings))


Rows = list[tuple[int, dict[str, Any]]]


def _text(fields: Mapping[str, Any], name: str) -> str | None:
    return cell_text(fields.get(name)) or None


def _numbers(rows: Rows) -> list[Fact]:
    return [
        Fact("network_ids", tuple(_text(fields, "id") or "" for _, fields in rows)),
        Fact("asns", tuple(_text(fields, "asn") or "" for _, fields in rows)),
    ]


def _places(rows: Rows) -> list[Fact]:
    def where(fields: Mapping[str, Any]) -> str:
        return ", ".join(text for name in ("city", "state", "country") if (text := _text(fields, name)))

    verdicts = [_judged(fields) for _, fields in rows]
    return [
        Fact("places", tuple(sorted({where(fields) for _, fields in rows}))),
        Fact("coordinates", tuple(f"{_text(f, 'latitude')}, {_text(f, 'longitude')}" for _, f in rows)),
        Fact("places_wrong", sum(right is False for right, _ in verdicts)),
        Fact(
            "places_not_judged", sum(right is None for right, _ in verdicts), note="no coordinates, or country unknown"
        ),
    ]


def _judged(fields: Mapping[str, Any]) -> tuple[bool | None, str]:
    verdict = judge(*(_text(fields, name) for name in ("country", "state", "latitude", "longitude")))
    return verdict.right, verdict.why


def _wrong_places(rows: Rows) -> Iterator[Finding]:
    for row, fields in rows:
        right, why = _judged(fields)
        if right is False:
            where = ", ".join(text for name in ("city", "state", "country") if (text := _text(fields, name)))
            message = f"record {row}: {_text(fields, 'name')} is in {where}, but {why}"
            value = f"{_text(fields, 'latitude')}, {_text(fields, 'longitude')}"
            yield Finding("wrong_place", "error", row, "latitude", value, message)


def _repeated(kind: str, rows: Rows) -> Iterator[Finding]:
    """Values that should name one record and name several; a number or an id that does is an error."""
    for name in ("id", *_UNIQUE.get(kind, ())):
        seen: dict[str, list[int]] = {}
        for row, fields in rows:
            text = _text(fields, name)
            if text is not None:
                seen.setdefault(text.casefold(), []).append(row)
        for value, at in seen.items():
            if len(at) > 1:
                message = f"{name} {value} stands on {len(at)} records ({', '.join(map(str, at[:10]))})"
                severity: Severity = "error" if name in ("id", "asn") else "warning"
                yield Finding("duplicate_value", severity, at[1], name, value, message)
