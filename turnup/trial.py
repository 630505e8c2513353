"""What a refresh would do with the rows of a file, before anybody has put it into a programme.

Belongs here: typing the rows of an inspected file and telling what would be refused, and what to write about it. Does
not: reading the file (``turnup.formats``) or the rules (``expectations``).
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
from pydantic import ValidationError
from rapidfuzz import fuzz, process

from expectations.judging import Judged, judge
from expectations.row_batch import Remark
from turnup.formats import Finding, Inspection, inspect
from turnup.ingest import complete_rows
from turnup.programme import Source
from turnup.value_keys import typing_rules
from turnup.warehouse.connection import connect, literal

if TYPE_CHECKING:
    import duckdb

    from expectations.contract import Contract
    from turnup.formats.model import RawTable

_LIKELY = 60
_COMMA = re.compile(r"[-+]?(?:\d{1,3}(?:[. ]\d{3})+|\d+),\d+")
_FILE = "file"


def inspect_and_try(content: Path, name: str, contracts: Mapping[str, Contract], dataset: str = "") -> Inspection:
    """Look at a file, and type its rows as the proposed source would; never raises for what is in it."""
    found = inspect(content, name, contracts, dataset)
    table = found.table
    if table is None or found.dataset is None or not table.frame.height:
        return replace(found, table=None)
    contract = contracts[found.dataset]
    source = _proposed(found, table)
    accepted, refused, remarks = _judged(table, contract, source, name)
    theirs = {column.maps_to: column.name for column in table.columns if column.maps_to}
    missing = {finding.column for finding in found.findings if finding.code == "missing_column"}
    told = [
        *(Finding(item.code, "info", None, theirs.get(item.column, item.column), item.value, item.message)
          for item in remarks if item.column not in missing),
        *(_finding(group, theirs) for group in refused if group["column_name"] not in missing),
        *_value_proposals(refused, theirs, contract, missing),
        *_decimal_proposals(refused, theirs),
    ]  # fmt: skip
    proved = _proved_orders(remarks)
    proposed = found.source | ({"dates": proved} if proved and found.source else {})
    return replace(
        found,
        table=None,
        findings=(*found.findings, *told),
        source=proposed,
        accepted=None if missing else accepted,
        quarantined=None if missing else table.ledger.data - accepted + table.ledger.rejected,
    )


def _proposed(found: Inspection, table: RawTable) -> Source:
    """The source whose typing counts: what the reader used, else what is proposed."""
    if table.source is not None:
        return table.source
    try:
        return Source.model_validate(found.source)
    except ValidationError:
        return Source.model_construct(dataset=str(found.dataset), files="*")


def _judged(
    table: RawTable, contract: Contract, source: Source, name: str
) -> tuple[int, list[dict[str, Any]], list[Remark]]:
    """Rows that would be accepted, the refused ones by column and rule, and what was noticed."""
    frame = table.frame.with_columns(pl.lit(_FILE).alias("_ingest")).with_row_index("_n")
    with tempfile.TemporaryDirectory(prefix="turnup-") as folder, connect() as con:
        # Given a frame, DuckDB would import pyarrow and pandas first, which takes longer than all the rest.
        rows = Path(folder) / "rows.parquet"
        complete_rows(frame, contract).write_parquet(rows)
        con.execute(f"CREATE TEMP VIEW raw AS FROM read_parquet({literal(str(rows))})")
        found = judge(con, contract, "raw", typing_rules(source, table, name), frame.columns)
        query = f"SELECT count(*) FROM {found.rows} WHERE _n NOT IN (SELECT _n FROM {found.refused})"
        return int(con.sql(query).fetchall()[0][0]), _groups(con, found), list(found.remarks)


def _groups(con: duckdb.DuckDBPyConnection, found: Judged) -> list[dict[str, Any]]:
    relation = con.sql(
        f"""SELECT column_name, rule, count(DISTINCT _n) AS rows, min(_row) AS first,
            arg_min(value, _n) AS value, arg_min(message, _n) AS message,
            list_sort(list_distinct(list(value) FILTER (rule = 'enum'))) AS words
        FROM {found.refused} GROUP BY column_name, rule ORDER BY first, column_name, rule"""
    )
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def _finding(group: dict[str, Any], theirs: Mapping[str, str]) -> Finding:
    rows = group["rows"]
    others = f"; {rows - 1} more row{'s' if rows > 2 else ''} would be refused for this" if rows > 1 else ""
    column = theirs.get(group["column_name"], group["column_name"])
    return Finding(group["rule"], "warning", group["first"], column, group["value"], group["message"] + others)


def _value_proposals(
    groups: list[dict[str, Any]], theirs: Mapping[str, str], contract: Contract, missing: set[str | None]
) -> list[Finding]:
    """For each unknown word the allowed one that it most looks like; a likeness is never accepted by itself."""
    found = []
    for group in groups:
        name = group["column_name"]
        if group["rule"] != "enum" or name in missing:
            continue
        for word in group["words"][:50]:
            ours = _likely(word, contract.column(name).values)
            message = (
                f"'{word}' may be {ours or 'one of ' + ', '.join(contract.column(name).values)}; if so, write "
                f"values: {{{name}: {{{word}: {ours or '<ours>'}}}}}"
            )
            found.append(Finding("value_proposal", "warning", None, theirs.get(name, name), word, message))
    return found


def _decimal_proposals(groups: list[dict[str, Any]], theirs: Mapping[str, str]) -> list[Finding]:
    """Numbers that read as such with a decimal comma, and not with a point."""
    return [
        Finding(
            "decimal_proposal", "warning", group["first"], theirs.get(group["column_name"], group["column_name"]),
            group["value"], f"'{group['value']}' looks like a number with a decimal comma; if so, write decimal: \",\"",
        )
        for group in groups
        if group["rule"] == "type" and _COMMA.fullmatch(group["value"] or "")
    ]  # fmt: skip


def _likely(word: str, allowed: tuple[str, ...]) -> str:
    """The allowed word with the same letters in order, else the nearest one."""
    key = "".join(letter for letter in word.casefold() if letter.isalnum())
    within = [value for value in allowed if _is_shortened(key, value.replace("_", ""))]
    if len(within) == 1:
        return within[0]
    best = process.extractOne(word.casefold(), [value.replace("_", " ") for value in allowed], scorer=fuzz.ratio)
    return allowed[best[2]] if best is not None and best[1] >= _LIKELY else ""


def _is_shortened(key: str, word: str) -> bool:
    """Whether ``rcvd`` is a shortened ``received``: the same first letter, the others in order."""
    rest = iter(word)
    return len(key) > 1 and word[:1] == key[:1] and all(letter in rest for letter in key)


def _proved_orders(remarks: list[Remark]) -> dict[str, str]:
    """Column to the order that its dates prove, as the message of the remark says it."""
    return {
        item.column: order
        for item in remarks
        if item.code == "date_order_proved"
        for order in ("dmy", "mdy")
        if f": {order}}}" in item.message
    }
