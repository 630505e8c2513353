"""UFM's comparison of plan and fabric (JSON): what was discovered, as observed links.

A cable found where another was expected, and one that the plan does not have, were both seen up. One that the plan has
and the fabric has not is absent. The plan itself comes from its own file; the warehouse compares the two, and what the
report does not name is as planned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from turnup.formats.adapted import adapted
from turnup.formats.content import canonical
from turnup.formats.model import Fact, FileRejected, Finding, Ledger, RawTable, Rejected, Request

_ZONE = re.compile(r"(?:Z|[+-]\d\d:?\d\d)$")
_GROUPS = ("miss_wired", "missing_in_ufm", "missing_in_ndt")
_COLUMNS = ("view", "state", "a_device", "a_port", "b_device", "b_port", "observed_at", "only_differences",
            "_sheet", "_given")  # fmt: skip
Row = dict[str, str | int | None]


def is_report(document: Any) -> bool:
    """Whether a document is such a comparison."""
    held = document.get("report") if isinstance(document, dict) else None
    return isinstance(held, dict) and any(name in held for name in _GROUPS)


def parse_report(request: Request) -> RawTable:
    """Read all three lists.

    Raises:
        FileRejected: ``ufm_report`` when another dataset is asked for, or the document is no comparison.
    """
    if request.contract.name != "links":
        raise FileRejected("ufm_report", f"a comparison feeds links, not {request.contract.name}", expected="links")
    document = request.content.document.value
    if not is_report(document):
        raise FileRejected("ufm_report", f"the document has none of {', '.join(_GROUPS)}", expected="a UFM report")
    report: Mapping[str, Any] = document["report"]
    entries = [(group, entry) for group in _GROUPS for entry in report.get(group) or []]
    rows: list[Row] = []
    rejected: list[Rejected] = []
    findings: list[Finding] = []
    for number, (group, entry) in enumerate(entries, start=1):
        text = entry.get("actual") if isinstance(entry, dict) else entry
        ends = ends_of_entry(str(text))
        given = canonical(entry)
        if ends is None:
            message = f"entry {number} of the report ({text!r}) is not 'device/port - device/port'"
            rejected.append(
                Rejected(number, group, None, str(text), "ufm_link", "device/port - device/port", message, given)
            )
            continue
        findings += _miswired(number, entry)
        state = "absent" if group == "missing_in_ufm" else "up"
        rows.append({"view": "observed", "state": state, **ends, "observed_at": document.get("timestamp"),
                     "only_differences": "true",
                     "_row": number, "_sheet": group, "_given": given})  # fmt: skip
    findings += _timestamp(document.get("timestamp"))
    frame = pl.DataFrame(rows, schema=dict.fromkeys(_COLUMNS, pl.String) | {"_row": pl.Int64})
    ledger = Ledger(lines=len(entries), data=len(rows), rejected=len(rejected))
    counts = [Fact(group, len(report.get(group) or [])) for group in _GROUPS]
    facts = [*counts, Fact("timestamp", str(document.get("timestamp") or ""), note="without a time zone")]
    return adapted(request, "ufm_report", frame, ledger, findings, rejected=rejected, facts=facts)


def ends_of_entry(text: str) -> dict[str, str] | None:
    """Both ends, with bare port numbers of switches as the plan writes them (``Port 16``)."""
    one = _end(text.partition(" - ")[0])
    other = _end(text.partition(" - ")[2])
    if one is None or other is None:
        return None
    return {"a_device": one[0], "a_port": one[1], "b_device": other[0], "b_port": other[1]}


def _end(text: str) -> tuple[str, str] | None:
    device, slash, port = text.strip().partition("/")
    if not device.strip() or not slash or not port.strip():
        return None
    bare = port.strip()
    return device.strip(), f"Port {bare}" if bare.isdigit() else bare


def _miswired(number: int, entry: Any) -> Iterator[Finding]:
    if not isinstance(entry, dict) or not entry.get("expected"):
        return
    expected, actual = str(entry["expected"]), str(entry.get("actual"))
    message = f"expected {expected}, found {actual}"
    yield Finding("miswired", "error", number, "b_port", actual, message)


def _timestamp(stated: Any) -> Iterator[Finding]:
    text = str(stated or "")
    if text and not _ZONE.search(text):
        message = f"the report's time {text} has no zone; declare time_zone for the source, or its rows are refused"
        yield Finding("time_without_zone", "warning", None, "observed_at", text, message)
