"""What the three clouds' lists have in common: records that must be objects with a name, tags, and secrets.

Belongs here: taking a list apart and making the table. Does not: what a field of one cloud means. A circuit that a
cloud reports is seen, not planned: its rows are of the ``observed`` view.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

import polars as pl

from turnup.formats.adapted import adapted
from turnup.formats.content import canonical, cell_text
from turnup.formats.exact import figure
from turnup.formats.model import Fact, FileRejected, Finding, Ledger, RawTable, Rejected, Request

Record = Mapping[str, Any]
Row = dict[str, str | int | None]

_SECRETS = frozenset(
    {"authkey", "authorizationkey", "authorizations", "cak", "ckn", "customerrouterconfig", "pairingkey", "secretarn",
     "servicekey", "sharedkey"}
)  # fmt: skip
_SYSTEM_TAGS = ("turnup_system", "system_id", "system")
_FIRST = ("circuit", "view", "system_id", "device", "peer", "observed_at")


@dataclass
class Listing:
    """The records of one list and what is said of them while they are read."""

    form: str
    records: list[tuple[int, Record]]
    rejected: list[Rejected]
    findings: list[Finding] = field(default_factory=list)

    @property
    def lines(self) -> int:
        """All records of the list."""
        return len(self.records) + len(self.rejected)


def listing(request: Request, form: str, dataset: str, held: Sequence[Any], name: str) -> Listing:
    """Take a list apart; a record that is no object, or has no name, is refused in words.

    Args:
        request: the file and what is asked of it.
        form: the format.
        dataset: what the list feeds.
        held: its records.
        name: the field that names a record.

    Raises:
        FileRejected: another dataset is asked for.
    """
    asked = request.contract.name
    if asked != dataset:
        raise FileRejected(form, f"such a list feeds {dataset}, not {asked}", value=asked, expected=dataset)
    found = Listing(form, [], [])
    for number, record in enumerate(held, start=1):
        why = _refusal(record, name)
        if why is None:
            found.records.append((number, record))
        else:
            given = canonical(without_secrets(record))
            found.rejected.append(
                Rejected(
                    number, None, name, None, "cloud_record", f"an object with {name}", f"record {number} {why}", given
                )
            )
    return found


def _refusal(record: Any, name: str) -> str | None:
    if not isinstance(record, dict):
        return f"is not an object: a record of this list has fields, {name} among them"
    return None if text(record.get(name)) else f"has no {name}: nothing says which circuit it is"


def circuits(request: Request, found: Listing, rows: Sequence[Row], facts: Sequence[Fact] = ()) -> RawTable:
    """The table of a list of circuits; records that became no row are counted as other."""
    for row in rows:
        row["view"] = "observed"
    customer = Counter(str(row.get("customer_state") or "none") for row in rows)
    provider = Counter(str(row.get("provider_state") or "none") for row in rows)
    counted = (Fact("circuits", len(rows)), _by("customer_states", customer), _by("provider_states", provider), *facts)
    return table(request, found, rows, counted)


def table(request: Request, found: Listing, rows: Sequence[Row], facts: Sequence[Fact]) -> RawTable:
    """The table of a list, one or several rows a record."""
    names = dict.fromkeys([*_FIRST, *(name for row in rows for name in row if name != "_row")])
    schema = dict.fromkeys((*names, "_sheet", "_given"), pl.String) | {"_row": pl.Int64}
    frame = pl.DataFrame(list(rows), schema=schema)
    unused = len(found.records) - len({row["_row"] for row in rows})
    ledger = Ledger(
        lines=len(rows) + unused + len(found.rejected), data=len(rows), other=unused, rejected=len(found.rejected)
    )
    return adapted(request, found.form, frame, ledger, found.findings, rejected=found.rejected, facts=facts)


def row_of(number: int, record: Record) -> Row:
    """What every row begins with: its place, and the record without its secrets."""
    return {
        "system_id": system_of(record),
        "_row": number,
        "_sheet": None,
        "_given": canonical(without_secrets(record)),
    }


def text(value: Any) -> str | None:
    """A field as text; None for an empty one."""
    return (cell_text(value) or "").strip() or None


def last_part(value: Any) -> str | None:
    """The name at the end of a resource's address."""
    return (text(value) or "").rstrip("/").rpartition("/")[2] or None


def system_of(record: Record) -> str | None:
    """The system that a tag or label names: ``turnup_system``, ``system_id`` or ``system``."""
    held = record.get("tags") or record.get("labels")
    pairs = held.items() if isinstance(held, Mapping) else _listed_tags(held)
    tags = {re.sub(r"[\s:.-]+", "_", str(key).strip().lower()): text(value) for key, value in pairs}
    return next((tags[name] for name in _SYSTEM_TAGS if tags.get(name)), None)


def _listed_tags(held: Any) -> Iterator[tuple[Any, Any]]:
    for tag in held if isinstance(held, list) else ():
        if isinstance(tag, Mapping):
            yield tag.get("key", tag.get("Key")), tag.get("value", tag.get("Value"))


def gbps(number: str | None, factor: str = "1") -> str | None:
    """A rate as Gbit/s, exact; the text itself when it is no number."""
    try:
        rate = Decimal(number) * Decimal(factor) if number else None
    except InvalidOperation:
        return number
    return number if rate is None or not rate.is_finite() else figure(rate)


def without_secrets(value: Any) -> Any:
    """A record whose keys and passwords are taken out: rows as delivered are shown to people."""
    if isinstance(value, list):
        return [without_secrets(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    return {
        key: "(removed)" if str(key).lower() in _SECRETS and held not in (None, "", []) else without_secrets(held)
        for key, held in value.items()
    }


def pages(document: Any, key: str, held: int) -> Iterator[Finding]:
    """A list that goes on elsewhere is not the whole list."""
    names = ("nextToken", "NextToken", "nextLink", "nextPageToken")
    if isinstance(document, Mapping) and any(text(document.get(name)) for name in names):
        message = f"the document holds {held} records of '{key}' and says that more follow: it is one page of a list"
        yield Finding("incomplete_page", "error", None, key, None, message)


def _by(name: str, counts: Counter[str]) -> Fact:
    return Fact(name, tuple(f"{state}: {number}" for state, number in sorted(counts.items())))
