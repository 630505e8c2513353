"""Several tables on one sheet or in one text: each is read, or counted and named; none is taken for rows of another."""

from __future__ import annotations

import pytest

from tests.formats.small import contract_of
from tests.formats.tabular.test_workbook import book, table_at
from turnup.formats.tabular import delimited

PARTS = contract_of(("part", "qty", "site", "note"), required=("part", "qty"), ids=("part",))
MAIN = [["part", "qty", "site"], *([f"P{number}", number, "X"] for number in range(1, 9))]


def as_text(rows):
    return "".join(",".join("" if cell is None else str(cell) for cell in row) + "\n" for row in rows)


def as_book(rows):
    return book(("A", table_at(0, 0, rows)))


def beside(rows, side, gap=1, at=0):
    """The rows with a side table pasted to the right of them."""
    width = len(rows[0])
    wide = [[*row, *[None] * (width - len(row))] for row in rows]
    wide += [[None] * width for _ in range(at + len(side) - len(wide))]
    return [
        [*row, *[None] * gap, *(side[number - at] if at <= number < at + len(side) else [None] * len(side[0]))]
        for number, row in enumerate(wide)
    ]


def codes(table):
    return [finding.code for finding in table.findings]


@pytest.mark.parametrize("write", [as_text, as_book])
@pytest.mark.parametrize("at", [1, 2])
def test_m12_a_side_table_is_named_and_not_read(read, write, at):
    rows = beside(MAIN, [["colour", "meaning"], ["red", "late"], ["green", "on time"]], at=at)
    table = read(write(rows), contract=PARTS, name="b.csv" if write is as_text else "b.xlsx")
    assert table.frame.select("part", "qty", "site").rows() == [(f"P{n}", str(n), "X") for n in range(1, 9)]
    found = next(finding for finding in table.findings if finding.code == "side_table")
    assert (found.row, found.column, found.value) == (at + 1, "E to F", "colour | meaning")
    assert f"rows {at + 1} to {at + 3} (3 rows)" in found.message
    assert '"unnamed [column 5]":"red"' in table.frame["_given"][at]
    assert (table.ledger.lines, table.ledger.data, table.ledger.balanced) == (9, 8, True)


def test_m12_a_side_table_beyond_the_fields_of_the_header(read):
    lines = as_text(MAIN).splitlines()
    lines[1] += ",,colour,meaning"
    lines[2] += ",,red,late"
    table = read("\n".join(lines) + "\n", contract=PARTS)
    assert (table.ledger.data, table.ledger.rejected, codes(table)) == (8, 0, ["side_table"])
    lines[1] = MAIN[1][0] + ",1,X,colour,meaning"
    assert read("\n".join(lines) + "\n", contract=PARTS).ledger.rejected == 2


@pytest.mark.parametrize("write", [as_text, as_book])
def test_m12_a_side_table_longer_than_the_main_one(read, write):
    rows = beside(MAIN[:3], [[f"k{number}", f"v{number}"] for number in range(5)], at=1)
    table = read(write(rows), contract=PARTS, name="b.csv" if write is as_text else "b.xlsx")
    assert table.frame["part"].to_list() == ["P1", "P2"]
    assert (table.ledger.lines, table.ledger.data, table.ledger.other, table.ledger.balanced) == (6, 2, 3, True)
    assert codes(table) == ["side_table"]


def test_m12_unnamed_values_in_every_row_are_no_side_table(read):
    from turnup.formats import FileRejected

    rows = [[*row, None, f"v{number}" if number else None] for number, row in enumerate(MAIN)]
    with pytest.raises(FileRejected, match=r"unnamed \[column 5\]"):
        read(as_text(rows), contract=PARTS)


def test_a_row_of_nothing_but_an_unnamed_column_is_named(read):
    table = read("part,qty,\nA,1,x\nB,2,y\n,,z\n", contract=PARTS, ignore=("*",))
    assert (table.ledger.data, table.ledger.other) == (2, 1)
    found = next(finding for finding in table.findings if finding.code == "side_table")
    assert "4" in found.message


@pytest.mark.parametrize("write", [as_text, as_book])
def test_two_tables_of_the_dataset_below_each_other_are_both_read(read, write):
    rows = [*MAIN[:3], [None] * 3, ["Second lot", None, None], ["site", "part", "qty"], ["Y", "Q1", 5], ["Y", "Q2", 6]]
    table = read(write(rows), contract=PARTS, name="b.csv" if write is as_text else "b.xlsx")
    assert table.frame.select("part", "qty", "site", "_row").rows() == [
        ("P1", "1", "X", 2),
        ("P2", "2", "X", 3),
        ("Q1", "5", "Y", 7),
        ("Q2", "6", "Y", 8),
    ]
    ledger = table.ledger
    assert (ledger.lines, ledger.data, ledger.header, ledger.title, ledger.blank) == (8, 4, 2, 1, 1)


def test_a_second_table_may_be_wider_or_stand_without_a_blank_row(read):
    table = read("part,qty\nA,1\npart,site,note,qty\nB,X,new,2\n", contract=PARTS)
    assert table.frame.select("part", "qty", "site", "note").rows() == [("A", "1", None, None), ("B", "2", "X", "new")]
    assert (table.ledger.header, table.ledger.balanced) == (2, True)


@pytest.mark.parametrize("write", [as_text, as_book])
@pytest.mark.parametrize(
    "other",
    [
        [["Site", "Racks", "Contact"], ["AUS", 4, "Ann"], ["DAL", 5, "Bob"]],
        [[None, "Contact", "Phone"], [None, "Ann", 12345], [None, "Bob", 12346]],
    ],
)
def test_a_table_of_something_else_below_is_counted_and_named(read, write, other):
    rows = [*MAIN[:4], [None] * 3, ["Sites", None, None], *other]
    table = read(write(rows), contract=PARTS, name="b.csv" if write is as_text else "b.xlsx")
    assert table.frame["part"].to_list() == ["P1", "P2", "P3"]
    assert (table.ledger.lines, table.ledger.data, table.ledger.other, table.ledger.balanced) == (9, 3, 4, True)
    found = next(finding for finding in table.findings if finding.code == "other_table")
    assert found.row == 6
    assert "rows 6 to 9" in found.message


def test_a_narrower_table_of_something_else_in_text_is_counted_and_named(read):
    table = read(as_text(MAIN[:3]) + "\nRevision,Author\nA,Ann\nB,Bob\n", contract=PARTS)
    assert (table.ledger.data, table.ledger.other, table.ledger.rejected) == (2, 3, 0)
    assert codes(table) == ["other_table"]


@pytest.mark.parametrize("write", [as_text, as_book])
def test_m17_blank_rows_inside_a_table_end_nothing(read, write):
    rows = [MAIN[0], MAIN[1], [None] * 3, MAIN[2], [None] * 3, ["TBD-kit", "TBD", None], MAIN[3]]
    table = read(write(rows), contract=PARTS, name="b.csv" if write is as_text else "b.xlsx")
    assert table.frame.select("part", "_row").rows() == [("P1", 2), ("P2", 4), ("TBD-kit", 6), ("P3", 7)]
    assert (table.ledger.blank, table.ledger.balanced) == (2, True)


def test_regions_in_bulk(read, monkeypatch):
    lines = [f"P{number},{number},X" for number in range(500)]
    text = "part,qty,site\n" + "\n".join(lines) + "\n\nsite,part,qty,note\nY,Q1,5,new\n\nRevision,Author\nA,Ann\n"
    monkeypatch.setattr(delimited, "BULK_FROM", 10)
    bulk = read(text, contract=PARTS)
    monkeypatch.setattr(delimited, "BULK_FROM", 10**9)
    careful = read(text, contract=PARTS)
    assert bulk.frame.equals(careful.frame)
    assert bulk.ledger == careful.ledger
    assert bulk.findings == careful.findings
    assert (bulk.ledger.data, bulk.ledger.other, bulk.ledger.header) == (501, 2, 2)
