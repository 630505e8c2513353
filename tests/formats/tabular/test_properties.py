"""For any table we write in any supported way: what is read equals what was written, and the ledger adds up.

For any damage: the rows are read right, or named as refused, or the file is refused; never fewer rows in silence. The
quick tests run a few examples of each property, the campaigns thousands.
"""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import dataclass

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.formats.small import PARTS
from tests.formats.tabular.test_workbook import book, table_at
from tests.formats.tabular.writers import ods, xls
from turnup.formats import FileRejected, parse
from turnup.formats.decoding import decode
from turnup.formats.tabular.careful import lines_of
from turnup.formats.tabular.rows import TOTAL_PATTERN
from turnup.programme import Source

COLUMNS = ("part", "qty", "site", "note")
CHECKS = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]
QUICK = settings(max_examples=30, deadline=None, suppress_health_check=CHECKS)
CAMPAIGN = settings(max_examples=3_000, deadline=None, suppress_health_check=CHECKS)
LETTERS = st.characters(codec="cp1252", categories=("L", "N", "P", "S", "Zs"), exclude_characters="\u00ad?\u00a0")
ODD = st.sampled_from(["a\u2028b", "a\x0bb", "a\x1cb", "a\x85b", 'say "x", y', "two\nlines", "*", "^a$", "=1+1", "'"])
WORD = st.text(LETTERS, max_size=12).map(lambda text: re.sub(r"\s+", " ", text).strip())
CELL = WORD | ODD
PART = st.from_regex(r"[A-Z0-9]{1,4}-[0-9E]{1,4}", fullmatch=True)
QUANTITY = st.integers(0, 99).map(str)
ROW = st.tuples(PART, QUANTITY, CELL, CELL)
SHOWN_ROW = st.tuples(PART, QUANTITY, WORD, WORD | st.just("two\nlines"))
SAFE_ROW = st.tuples(PART, QUANTITY, st.sampled_from("XYZ"), st.sampled_from(["", "new", "spare"]))


@dataclass(frozen=True)
class Layout:
    """What stands around a table, and how far it is from the left edge."""

    titles: int
    blanks: int
    left: int
    comment: bool
    total: bool
    footer: bool

    def grid(self, names, rows):
        """All rows of the file."""
        table = [list(names), *map(list, rows)]
        if self.comment:
            table.append(["# checked by Ann"])
        if self.total:
            table.append(["TOTAL", str(sum(int(row[1]) for row in rows))])
        width = self.left + len(names)
        lines = [[f"Weekly list {number}"] for number in range(self.titles)] + [[] for _ in range(self.blanks)]
        lines += [[""] * (self.left if row[0] != "# checked by Ann" else 0) + row for row in table]
        if self.footer:
            lines += [[], ["Note: all parts are new"]]
        return [row + [""] * (width - len(row)) for row in lines]

    def check(self, table, rows):
        """The rows that were read are those that were written, and every other line has its kind."""
        assert table.frame.select(COLUMNS).rows() == [tuple(cell or None for cell in row) for row in rows]
        assert table.rejected == ()
        ledger = table.ledger
        assert ledger.balanced
        counts = (ledger.title, ledger.blank, ledger.header, ledger.data, ledger.comment, ledger.total, ledger.footer)
        blanks = self.blanks + int(self.footer)
        assert counts == (self.titles, blanks, 1, len(rows), int(self.comment), int(self.total), int(self.footer))


LAYOUT = st.builds(
    Layout,
    titles=st.integers(0, 2),
    blanks=st.integers(0, 2),
    left=st.integers(0, 2),
    comment=st.booleans(),
    total=st.booleans(),
    footer=st.booleans(),
)
ENCODING = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])


@dataclass(frozen=True)
class Written:
    """A text file, and how it has to be read."""

    content: bytes
    rows: list[tuple[str, ...]]
    layout: Layout
    encoding: str | None


@st.composite
def texts(draw):
    rows = draw(st.lists(ROW, min_size=1, max_size=12))
    layout, encoding = draw(LAYOUT), draw(ENCODING)
    end = draw(st.sampled_from(["\n", "\r\n"]))
    if encoding == "cp1252":
        rows = [tuple(cell.replace("\u2028", "").replace("\x85", "") for cell in row) for row in rows]
    buffer = io.StringIO(newline="")
    writer = csv.writer(
        buffer,
        delimiter=draw(st.sampled_from([",", ";", "\t", "|"])),
        lineterminator=end,
        quoting=draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])),
    )
    names = [draw(st.sampled_from([name, name.upper(), f" {name} "])) for name in COLUMNS]
    for row in layout.grid(names, rows):
        if any(row):
            writer.writerow(row)
        else:
            buffer.write(end)
    text = buffer.getvalue()
    if draw(st.booleans()) and not layout.footer:
        text = text.removesuffix(end)
    declared = encoding if encoding in ("cp1252", "utf-16-le", "utf-16-be") else None
    return Written(text.encode(encoding), rows, layout, declared)


def read(folder, content, name="list.csv", **how):
    path = folder / "content"
    path.write_bytes(content)
    source = Source.model_construct(dataset="parts", files="*", **how)
    return parse(path, name, source, PARTS)


def text_is_read(tmp_path, written):
    written.layout.check(read(tmp_path, written.content, encoding=written.encoding), written.rows)


def as_numbers(grid, column):
    """The grid with its quantities as numbers and its empty cells as nothing."""
    return [
        [int(cell) if at == column and re.fullmatch("[0-9]+", cell) else cell or None for at, cell in enumerate(row)]
        for row in grid
    ]


WRITERS = {
    "xlsx": lambda grid: book(("A", table_at(0, 0, grid)), strings_to_formulas=False, strings_to_urls=False),
    "ods": lambda grid: ods({"A": grid}),
    "xls": lambda grid: xls({"A": grid}),
}


def book_is_read(tmp_path, rows, layout, form):
    grid = as_numbers(layout.grid(COLUMNS, rows), layout.left + 1)
    layout.check(read(tmp_path, WRITERS[form](grid), name=f"b.{form}"), rows)


def records_are_read(tmp_path, rows, form):
    frame = pl.DataFrame(rows, schema=list(COLUMNS), orient="row")
    buffer = io.BytesIO()
    if form == "parquet":
        frame.with_columns(pl.col("qty").cast(pl.Int64)).write_parquet(buffer)
    else:
        records = [dict(zip(COLUMNS, row, strict=True)) | {"qty": int(row[1])} for row in rows]
        lines = "".join(json.dumps(record) + "\n" for record in records)
        buffer.write((lines if form == "jsonl" else json.dumps({"data": {"rows": records}})).encode())
    table = read(tmp_path, buffer.getvalue(), name=f"p.{form}")
    assert table.format == form
    assert table.frame.select(COLUMNS).rows() == [tuple(cell or None for cell in row) for row in rows]
    assert (table.ledger.lines, table.ledger.data) == (len(rows), len(rows))


@QUICK
@given(written=texts())
def test_what_is_read_is_what_was_written(tmp_path, written):
    text_is_read(tmp_path, written)


@pytest.mark.parametrize("form", sorted(WRITERS))
@settings(QUICK, max_examples=10)
@given(rows=st.lists(SHOWN_ROW, min_size=1, max_size=8), layout=LAYOUT)
def test_what_is_read_from_a_workbook_is_what_was_written(tmp_path, rows, layout, form):
    book_is_read(tmp_path, rows, layout, form)


@pytest.mark.parametrize("form", ["parquet", "json", "jsonl"])
@settings(QUICK, max_examples=10)
@given(rows=st.lists(ROW, min_size=1, max_size=8))
def test_what_is_read_from_records_is_what_was_written(tmp_path, rows, form):
    records_are_read(tmp_path, rows, form)


@pytest.mark.slow
@CAMPAIGN
@given(written=texts())
def test_campaign_of_texts(tmp_path, written):
    text_is_read(tmp_path, written)


@pytest.mark.slow
@pytest.mark.parametrize("form", sorted(WRITERS))
@settings(CAMPAIGN, max_examples=500)
@given(rows=st.lists(SHOWN_ROW, min_size=1, max_size=12), layout=LAYOUT)
def test_campaign_of_workbooks(tmp_path, rows, layout, form):
    book_is_read(tmp_path, rows, layout, form)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["parquet", "json", "jsonl"])
@settings(CAMPAIGN, max_examples=500)
@given(rows=st.lists(ROW, min_size=1, max_size=12))
def test_campaign_of_records(tmp_path, rows, form):
    records_are_read(tmp_path, rows, form)


def plain(rows):
    return "part,qty,site,note\n" + "".join(",".join(row) + "\n" for row in rows)


@QUICK
@given(rows=st.lists(SAFE_ROW, min_size=3, max_size=20, unique=True), data=st.data())
def test_a_cut_file_gives_its_whole_rows_and_names_the_broken_one(tmp_path, rows, data):
    text = plain(rows)
    cut = data.draw(st.integers(len("part,qty,site,note\n"), len(text)))
    table = read(tmp_path, text[:cut].encode())
    lines = text[:cut].split("\n")[1:]
    whole = [tuple(cell or None for cell in line.split(",")) for line in lines if line.count(",") == 3]
    assert table.frame.select(COLUMNS).rows() == whole
    broken = [line for line in lines if line and line.count(",") != 3]
    assert len(table.rejected) == len(broken)
    assert all(refused.row == len(lines) + 1 for refused in table.rejected)
    assert table.ledger.balanced


def damaged_rows_are_named(tmp_path, rows, at, damage):
    lines = plain(rows).splitlines()
    line = lines[at]
    lines[at] = {
        "drop": line.rpartition(",")[0],
        "add": line + ",surplus",
        "quote": line.replace(",", ',"', 1),
        "nul": "\0" + line,
        "duplicate": f"{line}\n{line}",
        "delimiter": line.replace(",", ";"),
        "swap": ",".join(line.split(",")[::-1]),
    }[damage]
    text = "\n".join(lines) + "\n"
    try:
        table = read(tmp_path, text.encode())
    except FileRejected:
        return
    assert table.ledger.data + table.ledger.rejected == text.count("\n") - 1
    assert table.ledger.balanced
    named = {refused.row for refused in table.rejected}
    assert named | set(table.frame["_row"]) == set(range(2, text.count("\n") + 1))
    kept = {row[-1]: row[:-1] for row in table.frame.select(*COLUMNS, "_row").rows()}
    undamaged = set(kept) - {at + 1, at + 2} if damage == "duplicate" else set(kept) - {at + 1}
    shift = 1 if damage == "duplicate" else 0
    for number in undamaged:
        original = rows[number - 2 - (shift if number > at + 1 else 0)]
        assert kept[number] == tuple(cell or None for cell in original)


DAMAGE = st.sampled_from(["drop", "add", "quote", "nul", "duplicate", "delimiter", "swap"])


@QUICK
@given(rows=st.lists(SAFE_ROW, min_size=3, max_size=20), data=st.data(), damage=DAMAGE)
def test_damaged_rows_are_read_or_named_never_lost(tmp_path, rows, data, damage):
    damaged_rows_are_named(tmp_path, rows, data.draw(st.integers(1, len(rows))), damage)


@pytest.mark.slow
@CAMPAIGN
@given(rows=st.lists(SAFE_ROW, min_size=3, max_size=40), data=st.data(), damage=DAMAGE)
def test_campaign_of_damaged_rows(tmp_path, rows, data, damage):
    damaged_rows_are_named(tmp_path, rows, data.draw(st.integers(1, len(rows))), damage)


LONG = [(f"P{number}", str(number % 7), "X", "") for number in range(22_000)]


@pytest.mark.parametrize("at", [1_000, 20_481])
@pytest.mark.parametrize("damage", ["drop", "add", "delimiter", pytest.param("quote", marks=pytest.mark.slow)])
def test_a_damaged_row_deep_in_a_file_is_read_or_named(tmp_path, at, damage):
    damaged_rows_are_named(tmp_path, LONG, at - 1, damage)


@pytest.mark.parametrize(
    ("at", "change"),
    [
        *((at, change) for at in (1_000, 20_481) for change in ("block twice", "cut")),
        *((20_481, change) for change in ("narrower", "wider", "swapped")),
        *(pytest.param(1_000, change, marks=pytest.mark.slow) for change in ("narrower", "wider", "swapped")),
    ],
)
def test_a_change_deep_in_a_file_loses_no_row(tmp_path, at, change):
    lines = plain(LONG).splitlines()
    head, tail = lines[: at - 1], lines[at - 1 :]
    tail = {
        "narrower": [line.rpartition(",")[0] for line in tail],
        "wider": [line + ",more" for line in tail],
        "swapped": [",".join([*line.split(",")[1::-1], *line.split(",")[2:]]) for line in tail],
        "block twice": lines[at - 51 : at - 1] + tail,
        "cut": [tail[0][:2]],
    }[change]
    text = "\n".join(head + tail) + ("" if change == "cut" else "\n")
    table = read(tmp_path, text.encode())
    refused = {row.row for row in table.rejected}
    total = len(head) + len(tail)
    assert set(table.frame["_row"]) | refused == set(range(2, total + 1))
    assert (table.ledger.lines, table.ledger.data + table.ledger.rejected) == (total, total - 1)
    bad = {"narrower": range(at, total + 1), "wider": range(at, total + 1), "cut": [at]}.get(change, [])
    assert refused == set(bad)
    assert table.frame["part"].to_list()[: at - 2] == [row[0] for row in LONG[: at - 2]]


def any_damage_is_counted(tmp_path, rows, edits):
    content = bytearray(plain(rows).encode())
    for place, byte, kind in edits:
        at = place % len(content)
        content[at : at + (kind != "insert")] = b"" if kind == "delete" else bytes([byte])
    try:
        table = read(tmp_path, bytes(content))
    except FileRejected as refusal:
        assert refusal.code
        assert refusal.message
        return
    assert table.ledger.balanced
    assert table.ledger.lines == len(lines_of(decode(bytes(content), None).text))
    assert table.frame.height == table.ledger.data
    assert len({row.row for row in table.rejected}) == table.ledger.rejected


BYTES = st.sampled_from(b',;\t|"\n\r\0#=-\xff\xc3 ') | st.integers(0, 255)
EDITS = st.lists(
    st.tuples(st.integers(0, 10_000), BYTES, st.sampled_from(["insert", "replace", "delete"])), min_size=1, max_size=8
)


@settings(QUICK, max_examples=50)
@given(rows=st.lists(SAFE_ROW, min_size=2, max_size=20), edits=EDITS)
def test_whatever_happens_to_the_bytes_every_line_is_counted(tmp_path, rows, edits):
    any_damage_is_counted(tmp_path, rows, edits)


@pytest.mark.slow
@settings(CAMPAIGN, max_examples=10_000)
@given(rows=st.lists(SAFE_ROW, min_size=2, max_size=40), edits=EDITS)
def test_campaign_of_damaged_bytes(tmp_path, rows, edits):
    any_damage_is_counted(tmp_path, rows, edits)


def test_the_total_pattern_is_not_a_part():
    assert not any(re.match(TOTAL_PATTERN, text) for text in ("TOTAL-1", "Totally", "SUM1", "Grand Prix"))
