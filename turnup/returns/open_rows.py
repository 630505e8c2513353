"""What goes back to each owner: rows that were refused or are in doubt, and files that were not read.

Belongs here: which rows are open in a published week, and in which words. Does not: the records (``send_back``), nor
how they are laid out (``reports.workbooks``).
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from turnup.returns.headings import is_beyond
from turnup.returns.marker import Original
from turnup.returns.send_back import (
    Cells,
    Fault,
    OpenRow,
    OpenTable,
    RefusedFile,
    SendBack,
    Taken,
    Unsendable,
)
from turnup.warehouse.connection import table_exists

if TYPE_CHECKING:
    import duckdb

_LONGEST_CELL = 32_767
_UNWRITABLE = re.compile("[\ud800-\udfff\ufffe\uffff]")


def send_backs(con: duckdb.DuckDBPyConnection) -> tuple[SendBack, ...]:
    """What goes back for a published week, one entry per owner with anything open, by owner."""
    week = _records(con, "SELECT programme, week, closes_at FROM meta.week")[0]
    tables, unsendable = _open_tables(con)
    refused, taken = _refused_files(con), _taken(con)
    owners = sorted({*tables, *unsendable, *refused, *taken})
    return tuple(
        SendBack(
            week["programme"], week["week"], week["closes_at"], name, tuple(tables.get(name, ())),
            tuple(unsendable.get(name, ())), tuple(refused.get(name, ())), tuple(taken.get(name, ())),
        )
        for name in owners
    )  # fmt: skip


_REFUSED_ROWS = """
SELECT q.owner, q.source, q.dataset, i.file, i.sha256, q._ingest, q.sheet, q."row", q.column_name, q.value, q.rule,
    q.expected, q.message, q.given, 'refused' AS kind, i.corrects <> '' AS of_return
FROM meta.quarantine q
JOIN (SELECT _ingest, sha256, corrects, max(path) AS file FROM meta.deliveries WHERE in_force GROUP BY ALL) i
    ON i._ingest = q._ingest AND i.file = q.file
WHERE q.in_force
"""
_DOUBTFUL_ROWS = """
SELECT s.owner, f.source, f.dataset, i.file, i.sha256, f._ingest, f.sheet, f."row", f.column_name, f.value,
    f.code AS rule, '' AS expected, f.message, f.given, 'doubtful' AS kind, false AS of_return
FROM meta.file_findings f
JOIN meta.sources s USING (source)
JOIN (SELECT _ingest, sha256, max(path) AS file FROM meta.deliveries WHERE in_force AND corrects = '' GROUP BY ALL) i
    ON i._ingest = f._ingest AND i.file = f.file
WHERE f.in_force AND f.severity = 'warning' AND f.given IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM meta.returned_rows r WHERE r.source = f.source AND r.corrects = i.sha256
        AND r.of_sheet IS NOT DISTINCT FROM f.sheet AND r.of_row = f."row" AND r.outcome IN ('corrected', 'withdrawn'))
"""
_ATTEMPTS = """
SELECT r.source, r.corrects, r.of_sheet, r.of_row, r.file, q.column_name, q.rule, q.expected, q.message, q.given
FROM meta.returned_rows r
JOIN meta.quarantine q ON q.source = r.source AND q._ingest = r._ingest AND q.sheet = r.sheet AND q."row" = r."row"
    AND q.file = r.file
WHERE r.outcome IN ('refused', 'repeats') AND q.state = 'attempt'
QUALIFY rank() OVER (PARTITION BY r.source, r.corrects, r.of_sheet, r.of_row
    ORDER BY r.received_at DESC, r.file DESC, r._ingest DESC, r.sheet DESC, r."row" DESC) = 1
ORDER BY ALL
"""
# A refused file is settled by a later readable one: in an event source, in its own week, only by one of its name.
_FILES_REFUSED = """
SELECT l.owner, l.file, l.source, l.received_at, min_by(f.code, f.finding_no) AS code,
    min_by(f.message, f.finding_no) AS message
FROM meta.ledger l
JOIN meta.deliveries d USING (delivery_id, source, corrects)
JOIN meta.file_findings f ON f._ingest = l._ingest AND f.source = l.source AND f.file = l.file AND f.severity = 'error'
WHERE l.status = 'rejected' AND NOT EXISTS (
    SELECT 1 FROM meta.ledger n WHERE n.source = l.source AND n.status <> 'rejected' AND n.received_at > l.received_at
        AND (n.corrects = '' OR l.corrects <> '') AND (d.mode = 'snapshot' OR NOT l.in_window OR n.file = l.file))
GROUP BY l.owner, l.file, l.source, l.received_at
ORDER BY ALL
"""

_TAKEN = """
SELECT DISTINCT l.owner, f.file, coalesce(f.sheet, '') AS sheet, f."row", f.code, coalesce(f.subject, '') AS subject,
    f.message
FROM mart.findings f JOIN meta.ledger l ON l.file = f.file AND l.dataset = f.dataset AND l.status <> 'rejected'
WHERE f.severity = 'error' AND f."row" IS NOT NULL
ORDER BY ALL
"""


@dataclass
class _Draft:
    """A table while its rows are put together."""

    record: dict[str, Any]
    labels: list[str]
    ours: Mapping[str, str]
    given: dict[int, Cells] = field(default_factory=dict)
    faults: dict[int, list[Fault]] = field(default_factory=lambda: defaultdict(list))


def _open_tables(
    con: duckdb.DuckDBPyConnection,
) -> tuple[dict[str, list[OpenTable]], dict[str, list[Unsendable]]]:
    """Per owner the tables with open rows, and the faults of rows that no workbook can hold."""
    columns = _columns(con)
    drafts: dict[tuple[str, str, str, str], _Draft] = {}
    unsendable: dict[str, list[Unsendable]] = defaultdict(list)
    order = 'ORDER BY owner, source, file, sheet, "row", kind DESC, column_name, rule, message'
    for record in _records(con, f"({_REFUSED_ROWS}) UNION ALL BY NAME ({_DOUBTFUL_ROWS}) {order}"):
        labels, ours = columns.get(record["_ingest"], ([], {}))
        cells = _cells(record["given"])
        if record["of_return"] or not labels or cells is None:
            if record["kind"] == "refused":
                unsendable[record["owner"]].append(_unsendable(record))
            continue
        place = (record["owner"], record["source"], record["sha256"], record["sheet"] or "")
        draft = drafts.setdefault(place, _Draft(record, labels, ours))
        draft.given[record["row"]] = cells
        # The same content under two names is one file to correct.
        fault = _fault(record, record["kind"], labels, ours)
        if fault not in draft.faults[record["row"]]:
            draft.faults[record["row"]].append(fault)
    attempts = _attempts(con)
    tables: dict[str, list[OpenTable]] = defaultdict(list)
    for (owner, *_), draft in drafts.items():
        tables[owner].append(_table(draft, attempts))
    return tables, unsendable


def _columns(con: duckdb.DuckDBPyConnection) -> dict[str, tuple[list[str], dict[str, str]]]:
    """Per ingest its labels in order, and ours to theirs; none for a format that has no table to correct."""
    found: dict[str, tuple[list[str], dict[str, str]]] = {}
    fixed = set()
    for item in _records(con, "SELECT DISTINCT _ingest, place, name, maps_to, how FROM meta.columns ORDER BY ALL"):
        labels, ours = found.setdefault(item["_ingest"], ([], {}))
        if item["how"] == "adapter":
            fixed.add(item["_ingest"])
        if item["name"] not in labels:
            labels.append(item["name"])
        if item["maps_to"]:
            ours.setdefault(item["maps_to"], item["name"])
    return {ingest: entry for ingest, entry in found.items() if ingest not in fixed}


def _cells(given: str | None) -> Cells | None:
    """A row as delivered, when it is one and a sheet can hold it."""
    try:
        value = json.loads(given or "")
    except ValueError:
        return None
    if not isinstance(value, dict) or not all(_writable(text) for text in (*value, *value.values())):
        return None
    return {str(label): text for label, text in value.items()}


def _writable(text: object) -> bool:
    return text is None or (isinstance(text, str) and len(text) <= _LONGEST_CELL and not _UNWRITABLE.search(text))


def _fault(
    record: Mapping[str, Any],
    kind: Literal["refused", "doubtful"],
    labels: Sequence[str],
    ours: Mapping[str, str],
) -> Fault:
    named = record["column_name"] or ""
    parts = [named] if named in labels else named.split(", ")
    columns = tuple(ours.get(part, part) for part in parts if part in ours or part in labels)
    return Fault(columns, kind, record["rule"], record["expected"] or "", record["message"])


def _table(draft: _Draft, attempts: Mapping[tuple[str, str, str | None, int], list[dict[str, Any]]]) -> OpenTable:
    record = draft.record
    labels = _ordered(draft.labels, draft.given.values())
    original = Original(record["source"], record["file"], record["sha256"], record["sheet"], tuple(labels))
    rows = []
    for number in sorted(draft.given):
        first, faults = draft.given[number], draft.faults[number]
        tries = attempts.get((original.source, original.sha256, original.sheet, number), [])
        cells = _cells(tries[0]["given"]) if tries else None
        if tries:
            faults = [_fault(item, "refused", labels, draft.ours) for item in tries]
        returned_in = tries[0]["file"] if tries else ""
        rows.append(OpenRow(number, cells or first, tuple(faults), first if tries else None, returned_in))
    return OpenTable(original, record["dataset"], tuple(rows))


def _ordered(labels: Sequence[str], rows: Iterable[Cells]) -> list[str]:
    """The file's labels in its order; those of a longer row, which stand beyond the header, behind them."""
    given = sorted((list(row) for row in rows), key=len, reverse=True)
    longest = [label for label in given[0] if not is_beyond(label)]
    complete = longest if {*longest} >= {*labels} else list(labels)
    beyond = dict.fromkeys(label for row in given for label in row if label not in complete)
    return [*complete, *beyond]


def _attempts(con: duckdb.DuckDBPyConnection) -> dict[tuple[str, str, str | None, int], list[dict[str, Any]]]:
    found: dict[tuple[str, str, str | None, int], list[dict[str, Any]]] = defaultdict(list)
    for item in _records(con, _ATTEMPTS):
        found[item["source"], item["corrects"], item["of_sheet"], item["of_row"]].append(item)
    return found


def _unsendable(record: Mapping[str, Any]) -> Unsendable:
    return Unsendable(
        record["file"], record["sheet"] or "", record["row"], record["column_name"] or "", record["value"] or "",
        record["message"],
    )  # fmt: skip


def _taken(con: duckdb.DuckDBPyConnection) -> dict[str, list[Taken]]:
    found: dict[str, list[Taken]] = defaultdict(list)
    if not table_exists(con, "mart", "findings"):  # a week that is laid and not yet judged
        return found
    for item in _records(con, _TAKEN):
        owner = item.pop("owner")
        found[owner].append(Taken(**item))
    return found


def _refused_files(con: duckdb.DuckDBPyConnection) -> dict[str, list[RefusedFile]]:
    found: dict[str, list[RefusedFile]] = defaultdict(list)
    for item in _records(con, _FILES_REFUSED):
        owner = item.pop("owner")
        found[owner].append(RefusedFile(**item))
    return found


def _records(con: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    result = con.sql(query)
    return [dict(zip(result.columns, row, strict=True)) for row in result.fetchall()]
