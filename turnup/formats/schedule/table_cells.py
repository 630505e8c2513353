"""The cells of a schedule that is a table: read by the readers of tables, dates typed by the rules of all datasets.

Belongs here: which rows there are, and what their cells hold. Does not: what they mean for a schedule (``tables``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import polars as pl

from expectations.contract import load_contracts
from expectations.date_order import evidence_of
from turnup.formats import tabular
from turnup.formats.model import FileRejected, Format, RawTable, Rejected, Request
from turnup.formats.samples import samples
from turnup.formats.schedule.durations import Malformed, Mark, number
from turnup.formats.schedule.table_columns import DATE_CELLS, DATES, DURATIONS, LINE, TABLE, is_list_of_tasks
from turnup.formats.tabular.header_search import search
from turnup.formats.tabular.names import vocabulary
from turnup.value_keys import typing_rules

if TYPE_CHECKING:
    from expectations.typing_rules import TypingRules
    from turnup.formats.content import Content
    from turnup.programme import Source

_LOGIC_WORDS = re.compile(
    r"redecessor|uccessor|orgänger|achfolger|epends on|ependencies|pred_list|succ_list", re.IGNORECASE
)
_MARKED = re.compile(r"\s+A$|\s*\*$")
_NO_DATE = ("NA", "N/A", "NV", "None", "-")
_DECIMAL = re.compile(r"\d+,\d+(?=\s*[^\W\d])")
_REPEATS = 20


@dataclass(frozen=True)
class Line:
    """One row of the table.

    Attributes:
        row: its number in the file.
        texts: cells by column; an empty one is not there.
        times: dates by column, as the clock of the place shows them; midnight where a cell has no time of day.
        clocked: the dates of which the cell has a time of day.
        marked: the dates that Primavera marks as actual.
        given: the row as delivered, as JSON.
    """

    row: int
    texts: Mapping[str, str]
    times: Mapping[str, datetime]
    clocked: frozenset[str]
    marked: frozenset[str]
    given: str | None = None


@dataclass
class TableCells:
    """The rows of a table with what was read of it, and the cells that could not be."""

    table: RawTable
    lines: list[Line]
    decimal: Mark | None
    labels: Mapping[str, str]
    rejected: list[Rejected] = field(default_factory=list)

    def refuse(self, line: Line, column: str, rule: str, message: str, expected: str = "") -> None:
        """Note a cell that cannot be used."""
        label, value = self.labels.get(column, column), line.texts.get(column)
        told = f"row {line.row}, {label}: {message}"
        self.rejected.append(Rejected(line.row, None, label, value, rule, expected, told, line.given))


_OF_OUR_OWN = 3
"""So many column names of our own, which no tool writes, tell our template."""


def is_schedule_table(content: Content) -> bool:
    """Whether a file is a table of tasks that names what comes before or after each of them."""
    form = _form(content)
    if form is None or (form.name in ("csv", "json", "jsonl") and not _LOGIC_WORDS.search(content.head_text)):
        return False
    try:
        looked = samples(content, form.name)
    except FileRejected:
        return False
    names = vocabulary(TABLE)
    for records in looked.tables:
        header, _ = search(records, names)
        if header is not None and is_list_of_tasks(names.targets(header.names, header.bases)):
            return not _is_our_own(header.names)
    return False


def _is_our_own(labels: Iterable[str]) -> bool:
    """Whether labels are those of our own template, whose rows are the dataset's as they stand."""
    own = {column.name for column in load_contracts()["activities"].columns if "_" in column.name}
    return len(own & set(labels)) >= _OF_OUR_OWN


def _form(content: Content) -> Format | None:
    return next((form for form in tabular.FORMATS if form.claims(content)), None)


def read_cells(content: Content, source: Source) -> TableCells:
    """Read the table.

    Raises:
        FileRejected: no table, or none whose columns are known.
    """
    form = _form(content)
    if form is None:
        raise FileRejected("schedule", f"{content.name} is no schedule that is known", expected="XER, XML or a table")
    table = _parsed(form, content, _for_table(source))
    labels = {item.maps_to: item.name for item in table.columns if item.maps_to is not None}
    frame = table.frame
    cells = TableCells(table, [], _mark(frame, source), labels)
    marks = {name: frame[name].str.contains(r"\sA$").fill_null(value=False) for name in DATES if name in frame.columns}
    plain = frame.with_columns(
        pl.col(name).str.replace(_MARKED.pattern, "").str.strip_chars().replace("", None) for name in marks
    )
    rules = _rules(plain, source, table, content.name)
    dates, refused = _typed(plain, rules)
    cells.lines = list(_lines(frame, plain, dates, marks))
    by_row = {line.row: line for line in cells.lines}
    for row, column, rule, expected, message in refused:
        cells.refuse(by_row[row], column, rule, message, expected)
    return cells


def _for_table(source: Source) -> Source:
    """The source with what it says of columns that such a table has; other columns are left out."""
    known = {column.name for column in TABLE.columns}
    return source.model_copy(
        update={
            "dataset": TABLE.name,
            "columns": {theirs: ours for theirs, ours in source.columns.items() if ours in known},
            "values": {ours: table for ours, table in source.values.items() if ours in known},
            "defaults": {ours: value for ours, value in source.defaults.items() if ours in known},
            "ignore": (*source.ignore, "*"),
        }
    )


def _parsed(form: Format, content: Content, source: Source) -> RawTable:
    """The rows as text. Of two columns that mean the same, the second is left out."""
    ignored: list[str] = []
    while True:
        wanted = source.model_copy(update={"ignore": (*source.ignore, *ignored)})
        try:
            return form.parse(Request(content, wanted, TABLE))
        except FileRejected as refusal:
            again = refusal.code in ("column_collision", "duplicate_column") and refusal.column is not None
            if not again or len(ignored) >= _REPEATS:
                raise
            ignored.append(str(refusal.column))


def _mark(frame: pl.DataFrame, source: Source) -> Mark | None:
    """The decimal mark: as declared, else a comma where a duration proves it; a list of tasks has commas of its own."""
    if "decimal" in source.model_fields_set and isinstance(source.decimal, str):
        return source.decimal
    for name in DURATIONS:
        for text in frame[name].drop_nulls() if name in frame.columns else ():
            if any(_proves_comma(found) for found in _DECIMAL.findall(text)):
                return ","
    return None


def _proves_comma(text: str) -> bool:
    """Whether the comma of a number can be no thousands mark."""
    try:
        return number(text) is not None
    except Malformed:
        return False


def _rules(frame: pl.DataFrame, source: Source, table: RawTable, file: str) -> TypingRules:
    """How the dates are written. One file has one order of day and month: any of its columns may prove it."""
    rules = typing_rules(source, table, file)
    rules = replace(rules, null_tokens=(*rules.null_tokens, *_NO_DATE), decimals={}, units={}, reasons={})
    if rules.date_order is None and not rules.date_orders:
        texts = [text for name in DATES if name in frame.columns for text in frame[name].drop_nulls()]
        rules = replace(rules, date_order=evidence_of(texts).order)
    return rules


def _typed(frame: pl.DataFrame, rules: TypingRules) -> tuple[pl.DataFrame, list[tuple[Any, ...]]]:
    """The dates of each row, and the cells that are none."""
    held = [name for name in DATES if name in frame.columns]
    if not held or not frame.height:
        return frame.select("_row"), []
    # The database takes a while to load, and most files are no tables of tasks.
    from expectations.judging import judge
    from turnup.warehouse.connection import connect

    line = pl.col("_row").cast(pl.String).alias(LINE)
    delivered = frame.select(line, *held, "_row", "_sheet", pl.lit("file").alias("_ingest")).with_row_index("_n")
    absent = [pl.lit(None, pl.String).alias(name) for name in DATES if name not in held]
    with connect() as con:
        con.register("raw", delivered.with_columns(absent))
        judged = judge(con, DATE_CELLS, "raw", rules, delivered.columns)
        names = ", ".join(f'"{name}"' for name in held)
        dates = con.sql(f"SELECT _row, {names} FROM {judged.rows} ORDER BY _n").pl()
        query = f"SELECT _row, column_name, rule, expected, message FROM {judged.refused} ORDER BY ALL"
        return dates, con.sql(query).fetchall()


def _lines(
    frame: pl.DataFrame, plain: pl.DataFrame, dates: pl.DataFrame, marks: Mapping[str, pl.Series]
) -> Iterator[Line]:
    names = [name for name in frame.columns if not name.startswith("_")]
    actual = {name: marked.to_list() for name, marked in marks.items()}
    rows = zip(frame.iter_rows(named=True), plain.iter_rows(named=True), dates.iter_rows(named=True), strict=True)
    for place, (given, texts, times) in enumerate(rows):
        yield Line(
            row=given["_row"],
            texts={name: given[name] for name in names if given[name] is not None},
            times={name: times[name] for name in DATES if times.get(name) is not None},
            clocked=frozenset(name for name in marks if ":" in (texts[name] or "")),
            marked=frozenset(name for name, marked in actual.items() if marked[place]),
            given=given["_given"],
        )
