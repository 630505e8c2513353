"""JSON (a list of objects, or an object that holds one) and JSON Lines: one record is one row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import polars as pl

from turnup.formats.content import canonical, cell_text, load_json
from turnup.formats.model import FileRejected, Finding, Ledger, RawTable, Rejected, Request
from turnup.formats.tabular.finish import from_tables, tables_of
from turnup.formats.tabular.header import Header, check_width
from turnup.formats.tabular.header_search import find_header
from turnup.formats.tabular.names import name_key, vocabulary
from turnup.formats.tabular.records import Record
from turnup.formats.tabular.sheet_xml import MAXIMUM_CELLS
from turnup.formats.tabular.tabulate import Block, Table

Numbered = tuple[int, Any]

_PAGES = ("data", "entries", "items", "records", "results", "rows", "value", "values")
"""Names under which interfaces give a list; an empty list of another name is a cell."""


def parse_json(request: Request) -> RawTable:
    """Read a JSON document of records.

    Raises:
        FileRejected: ``json`` or ``json_shape`` when there is no one list of records.
    """
    document = request.content.document
    try:
        records, path, other, findings = record_list(document.value, request.source.sheet)
        tables = _tables(request, records, path)
    except RecursionError as error:
        raise FileRejected("json", "the document is nested too deeply", expected="a list of objects") from error
    if document.duplicates:
        message = f"keys given twice in one object (the last value was kept): {', '.join(document.duplicates[:10])}"
        findings = [*findings, Finding("duplicate_key", "warning", None, document.duplicates[0], None, message)]
    return from_tables(request, "json", tables, findings, other)


def _tables(request: Request, records: Sequence[Any], path: str | None) -> list[Table]:
    """Records with names, or rows of a sheet written as lists, of which one is the header."""
    rows = listed_rows(records)
    if rows is None:
        return [records_table(list(enumerate(records, start=1)), [], 0, path)]
    known = [column.name for column in request.contract.columns]
    header = find_header(rows, vocabulary(request.contract, request.source), request.source.header, known)
    block = Block(header, rows[: header.top], rows[header.index + 1 :], None, fixed=True, sheet=path)
    return tables_of(block, request)


def listed_rows(records: Sequence[Any]) -> list[Record] | None:
    """Rows written as lists, all of one width because empty cells at the end are left out; None when some are not."""
    if not records or not all(isinstance(record, list) for record in records):
        return None
    width = max(len(record) for record in records)
    texts = [[cell_text(cell) for cell in record] + [None] * (width - len(record)) for record in records]
    return [Record(number, tuple(cells)) for number, cells in enumerate(texts, start=1)]


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


def record_list(value: Any, wanted: str | None) -> tuple[list[Any], str | None, Ledger, list[Finding]]:
    """The one list of records in a document, its path, and what is said of it.

    A list is found at any depth of objects (``data.items``); one object without such a list is one record. Records of
    other lists, when ``wanted`` names one, are counted as other lines.

    Raises:
        FileRejected: ``json_shape``.
    """
    if isinstance(value, list):
        return value, None, Ledger(), []
    if not isinstance(value, dict):
        raise FileRejected("json_shape", "the document is neither a list nor an object", expected="a list of objects")
    lists = dict(_lists(value))
    path = _named(lists, wanted) if wanted is not None else None
    if path is not None:
        return _listed(value, lists, path)
    tables = [path for path, (_, held) in lists.items() if held and isinstance(held[0], dict)]
    if not tables:
        tables = [path for path, (_, held) in lists.items() if len(held) > 1 and isinstance(held[0], list)]
    if not tables and wanted is None:
        tables = [path for path, (_, held) in lists.items() if not held and path.rpartition(".")[2] in _PAGES]
    if len(tables) == 1 and wanted is None:
        return _listed(value, lists, tables[0])
    if not tables and wanted is None and _one_record(value):
        return [value], None, Ledger(), []
    names = ", ".join(sorted(tables or lists)) or "none"
    looked = f"'{wanted}' is none of them" if wanted is not None else "name one with 'sheet:' in programme.yaml"
    message = f"expected one list of records, found: {names}; {looked}"
    raise FileRejected("json_shape", message, value=wanted, expected="a list of objects")


def _lists(value: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, tuple[dict[str, Any], list[Any]]]]:
    """Every list in an object and the objects within it, by its path, with the object that holds it."""
    for key, held in value.items():
        if isinstance(held, list):
            yield prefix + key, (value, held)
        elif isinstance(held, dict):
            yield from _lists(held, f"{prefix}{key}.")


def _named(lists: Iterable[str], wanted: str) -> str | None:
    """The path that a source names in full, or by its last part where that is enough."""
    paths = list(lists)
    if wanted in paths:
        return wanted
    ends = [path for path in paths if path.rpartition(".")[2] == wanted]
    return ends[0] if len(ends) == 1 else None


def _listed(
    value: dict[str, Any], lists: dict[str, tuple[dict[str, Any], list[Any]]], path: str
) -> tuple[list[Any], str | None, Ledger, list[Finding]]:
    holder, records = lists[path]
    findings = page_findings(holder, path, len(records))
    if not findings and holder is not value:
        findings = page_findings(value, path, len(records))
    other = Ledger()
    for name, (_, held) in sorted(lists.items()):
        if name != path and held and isinstance(held[0], dict):
            other = other.plus(Ledger(lines=len(held), other=len(held)))
            message = f"the {len(held)} records of '{name}' are another list and were not read"
            findings.append(Finding("sheet_not_read", "info", None, None, name, message))
    return records, path, other, findings


def _one_record(value: dict[str, Any]) -> bool:
    """Whether an object is a record itself, and no book of records under their keys."""
    inner = [held for held in value.values() if isinstance(held, dict)]
    alike = len(inner) > 1 and len({frozenset(held) for held in inner}) == 1
    return bool(value) and not alike


def page_findings(value: dict[str, Any], key: str, held: int) -> list[Finding]:
    """A REST page says how many records there are in all and where the next page is."""
    total = value.get("count")
    if value.get("next") or (isinstance(total, str) and total.isdigit() and int(total) != held):
        message = f"the document holds {held} of {total or 'more'} records of '{key}': it is one page of an export"
        return [Finding("incomplete_page", "error", None, key, str(total), message)]
    return []


def flatten(record: dict[str, Any], prefix: str = "") -> dict[str, str | None]:
    """Nested objects become dotted names.

    Raises:
        FileRejected: ``column_collision`` when a dotted name stands for two values.
    """
    flat: dict[str, str | None] = {}
    for key, value in record.items():
        inner = flatten(value, f"{prefix}{key}.") if isinstance(value, dict) and value else None
        new = inner if inner is not None else {prefix + key: cell_text(value)}
        for name in new.keys() & flat.keys():
            message = f"'{name}' is both a name and a name within an object of one record: rename one"
            raise FileRejected("column_collision", message, column=name, expected="one meaning for each name")
        flat |= new
    return flat


def records_table(
    records: Sequence[Numbered], rejected: Sequence[Rejected], blank: int, path: str | None = None
) -> Table:
    """A table from numbered records; what is not an object is refused."""
    good = [(row, flatten(record)) for row, record in records if isinstance(record, dict)]
    bad = [_not_an_object(row, record, path) for row, record in records if not isinstance(record, dict)]
    names = tuple(dict.fromkeys(name for _, record in good for name in record))
    check_width(len(names))
    if len(names) * len(good) > MAXIMUM_CELLS:
        message = f"{len(good):,} records of {len(names):,} names in all span more than {MAXIMUM_CELLS:,} cells"
        raise FileRejected("too_large", message, expected=f"at most {MAXIMUM_CELLS} cells")
    columns = {f"c{index}": [record.get(name) for _, record in good] for index, name in enumerate(names)}
    # Records may have no name at all: then only these two columns say how many there are.
    own = {"_row": [row for row, _ in good], "_sheet": [path] * len(good)}
    schema = dict.fromkeys(columns, pl.String) | {"_row": pl.Int64, "_sheet": pl.String}
    frame = pl.DataFrame(columns | own, schema=schema)
    refused = sorted([*rejected, *bad], key=lambda row: row.row)
    ledger = Ledger(lines=len(good) + len(refused) + blank, data=len(good), blank=blank, rejected=len(refused))
    header = Header(0, 1, names, tuple(name_key(name) for name in names))
    return Table(header, frame, ledger, tuple(refused))


def _not_an_object(row: int, value: Any, path: str | None) -> Rejected:
    text = canonical(value)
    message = f"record {row} is not an object with named fields"
    return Rejected(row, path, None, text[:200], "record", "an object", message, text)


def dicts(values: Any) -> list[dict[str, Any]]:
    """Those values of a list that are objects; what is no list holds none."""
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []
