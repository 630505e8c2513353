"""JSON (a list of objects, or an object that holds one) and JSON Lines: one record is one row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from turnup.formats.content import canonical, cell_text, load_json
from turnup.formats.model import FileRejected, Finding, Ledger, RawTable, Rejected, Request
from turnup.formats.tabular.finish import from_tables
from turnup.formats.tabular.header import Header
from turnup.formats.tabular.names import name_key
from turnup.formats.tabular.tabulate import Table

Numbered = tuple[int, Any]


def parse_json(request: Request) -> RawTable:
    """Read a JSON document of records.

    Raises:
        FileRejected: ``json`` or ``json_shape`` when there is no one list of records.
    """
    document = request.content.document
    records, findings = record_list(document.value, request.source.sheet)
    if document.duplicates:
        message = f"keys given twice in one object (the last value was kept): {', '.join(document.duplicates[:10])}"
        findings = [*findings, Finding("duplicate_key", "warning", None, document.duplicates[0], None, message)]
    table = records_table(list(enumerate(records, start=1)), [], 0)
    return from_tables(request, "json", [table], findings)


def parse_jsonl(request: Request) -> RawTable:
    """Read JSON Lines; a line that is no object is refused with its number."""
    decoded = request.content.text(request.source.encoding)
    records: list[Numbered] = []
    rejected: list[Rejected] = []
    blank = 0
    for row, line in enumerate(decoded.text.removesuffix("\n").split("\n"), start=1):
        if not line.strip():
            blank += 1
            continue
        try:
            records.append((row, load_json(line).value))
        except FileRejected as refusal:
            message = f"line {row} is not one JSON object: {refusal.message}"
            rejected.append(Rejected(row, None, None, line[:200], "json", "one JSON object a line", message, line))
    table = records_table(records, rejected, blank)
    return from_tables(request, "jsonl", [table], decoded.findings)


def record_list(value: Any, wanted: str | None) -> tuple[list[Any], list[Finding]]:
    """The one list of records in a document, and a finding when the document says that it is only a page.

    Raises:
        FileRejected: ``json_shape``.
    """
    if isinstance(value, list):
        return value, []
    if not isinstance(value, dict):
        raise FileRejected("json_shape", "the document is neither a list nor an object", expected="a list of objects")
    lists = {key: held for key, held in value.items() if isinstance(held, list)}
    if wanted is not None and wanted in lists:
        return lists[wanted], []
    tables = {key: held for key, held in lists.items() if held and isinstance(held[0], dict)} or lists
    if len(tables) != 1:
        names = ", ".join(sorted(tables)) or "none"
        message = f"expected one list of records, found: {names}; name one with 'sheet:' in programme.yaml"
        raise FileRejected("json_shape", message, expected="a list of objects")
    key, records = next(iter(tables.items()))
    return records, page_findings(value, key, len(records))


def page_findings(value: dict[str, Any], key: str, held: int) -> list[Finding]:
    """A REST page says how many records there are in all and where the next page is."""
    total = value.get("count")
    if value.get("next") or (isinstance(total, str) and total.isdigit() and int(total) != held):
        message = f"the document holds {held} of {total or 'more'} records of '{key}': it is one page of an export"
        return [Finding("incomplete_page", "error", None, key, str(total), message)]
    return []


def flatten(record: dict[str, Any], prefix: str = "") -> dict[str, str | None]:
    """Nested objects become dotted names."""
    flat: dict[str, str | None] = {}
    for key, value in record.items():
        if isinstance(value, dict) and value:
            flat |= flatten(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = cell_text(value)
    return flat


def records_table(records: Sequence[Numbered], rejected: Sequence[Rejected], blank: int) -> Table:
    """A table from numbered records; what is not an object is refused."""
    good = [(row, flatten(record)) for row, record in records if isinstance(record, dict)]
    bad = [_not_an_object(row, record) for row, record in records if not isinstance(record, dict)]
    names = tuple(dict.fromkeys(name for _, record in good for name in record))
    columns = {f"c{index}": [record.get(name) for _, record in good] for index, name in enumerate(names)}
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)).with_columns(
        pl.Series("_row", [row for row, _ in good], dtype=pl.Int64),
        pl.Series("_sheet", [None] * len(good), dtype=pl.String),
    )
    refused = sorted([*rejected, *bad], key=lambda row: row.row)
    ledger = Ledger(lines=len(good) + len(refused) + blank, data=len(good), blank=blank, rejected=len(refused))
    header = Header(0, 1, names, tuple(name_key(name) for name in names))
    return Table(header, frame, ledger, tuple(refused))


def _not_an_object(row: int, value: Any) -> Rejected:
    text = canonical(value)
    message = f"record {row} is not an object with named fields"
    return Rejected(row, None, None, text[:200], "record", "an object", message, text)


def dicts(values: Iterable[Any]) -> list[dict[str, Any]]:
    """Those values that are objects."""
    return [value for value in values if isinstance(value, dict)]
