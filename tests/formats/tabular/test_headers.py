"""Headers of several rows, merged header cells, names that stand twice, and titles that are no header."""

from __future__ import annotations

import io

import pytest
import xlsxwriter

from expectations.contract import load_contracts
from tests.formats.small import contract_of
from tests.formats.tabular.test_workbook import book
from turnup.formats import FileRejected, inspect

ENDS = contract_of(
    ("a_rack", "a_port", "b_rack", "b_port", "note"),
    required=("a_rack", "b_rack"),
    synonyms={
        "a_rack": ("Source Rack",),
        "a_port": ("Source Port",),
        "b_rack": ("Destination Rack",),
        "b_port": ("Destination Port",),
    },
)
COLUMNS = ("a_rack", "a_port", "b_rack", "b_port", "note")
ROWS = [("R1", "1", "R2", "7", "new"), ("R1", "2", "R3", "8", None)]
SHIPPED = contract_of(
    ("part", "planned", "actual"),
    required=("part",),
    synonyms={"planned": ("Delivery Planned",), "actual": ("Delivery Actual",)},
)


def merged_book(merges, rows, start=0):
    """A workbook with merged ranges (row, column, last row, last column, text) and rows below."""

    def fill(sheet, workbook):
        for top, left, bottom, right, text in merges:
            sheet.merge_range(top, left, bottom, right, text)
        for number, cells in enumerate(rows, start=start):
            for column, value in enumerate(cells):
                if value is not None:
                    sheet.write(number, column, value)

    return book(("A", fill))


def test_m10_two_header_rows_in_text_are_joined(read):
    table = read("Source,,Destination,,\nRack,Port,Rack,Port,Note\nR1,1,R2,7,new\nR1,2,R3,8,\n", contract=ENDS)
    assert table.frame.select(COLUMNS).rows() == ROWS
    assert table.frame["_row"].to_list() == [3, 4]
    assert (table.ledger.header, table.ledger.data, table.ledger.title, table.ledger.balanced) == (2, 2, 0, True)
    assert [column.name for column in table.columns][:2] == ["Source Rack", "Source Port"]


def test_m10_merged_header_cells_of_a_workbook_are_joined(read):
    merges = [(0, 0, 0, 1, "Source"), (0, 2, 0, 3, "Destination"), (0, 4, 1, 4, "Note")]
    content = merged_book(merges, [["Rack", "Port", "Rack", "Port"], ["R1", 1, "R2", 7, "new"], ["R1", 2, "R3", 8]], 1)
    table = read(content, contract=ENDS, name="b.xlsx")
    assert table.frame.select(COLUMNS).rows() == ROWS
    assert (table.ledger.header, table.ledger.data) == (2, 2)


def test_m10_cells_of_a_workbook_that_are_not_merged_are_not_spread(read):
    rows = [["Near", None, "Far"], ["Rack", "Port", "Rack", "Port"], ["R1", 1, "R2", 7]]
    contract = contract_of(("near_rack", "near_port", "far_rack", "far_port"))
    table = read(merged_book([], rows), contract=contract, name="b.xlsx", ignore=("*",))
    assert table.frame.columns[:2] == ["near_rack", "far_rack"]
    merged = read(
        merged_book([(0, 0, 0, 1, "Near"), (0, 2, 0, 3, "Far")], rows[1:], 1), contract=contract, name="b.xlsx"
    )
    assert merged.frame.columns[:4] == ["near_rack", "near_port", "far_rack", "far_port"]


def test_m10_parts_below_the_row_that_names_most_belong_to_the_header(read):
    text = "part,Delivery,\n,Planned,Actual\nA,2026-01-02,2026-01-03\n"
    assert read(text, contract=SHIPPED).frame.select("part", "planned", "actual").rows() == [
        ("A", "2026-01-02", "2026-01-03")
    ]
    merges = [(0, 0, 1, 0, "part"), (0, 1, 0, 2, "Delivery")]
    content = merged_book(merges, [[None, "Planned", "Actual"], ["A", "2026-01-02", "2026-01-03"]], 1)
    table = read(content, contract=SHIPPED, name="b.xlsx")
    assert table.frame.select("part", "planned", "actual").rows() == [("A", "2026-01-02", "2026-01-03")]
    assert (table.ledger.header, table.ledger.data) == (2, 1)


def test_m10_five_header_rows_of_a_workbook(read):
    merges = [(0, 0, 0, 3, "Ends"), (1, 0, 1, 1, "Source"), (1, 2, 1, 3, "Destination"), (2, 0, 2, 3, "the")]
    names = contract_of(
        ("a", "b", "c", "d"),
        synonyms={
            "a": ("Ends Source the Rack",),
            "b": ("Ends Source the Port",),
            "c": ("Ends Destination the Rack",),
            "d": ("Ends Destination the Port",),
        },
    )
    rows = [["Rack", "Port", "Rack", "Port", "Note"], ["R1", 1, "R2", 7, "x"]]
    content = merged_book([*merges, (3, 0, 3, 3, "the"), (0, 4, 3, 4, "Free")], rows, 4)
    table = read(content, contract=names, name="b.xlsx", ignore=("*",))
    assert table.frame.select("a", "b", "c", "d").rows() == [("R1", "1", "R2", "7")]
    assert (table.ledger.header, table.ledger.data) == (5, 1)


def test_m06_a_title_over_the_whole_table_is_no_header(read):
    content = merged_book([(0, 0, 0, 4, "Source")], [["Rack", "Port", "Rack", "Port", "Note"], ["R1", 1, "R2", 7]], 1)
    with pytest.raises(FileRejected) as refused:
        read(content, contract=ENDS, name="b.xlsx")
    assert refused.value.code in ("unknown_column", "missing_column")
    plain = merged_book(
        [(0, 0, 0, 2, "Weekly list of parts")], [["part", "planned", "actual"], ["A", "2026-01-02", None]], 1
    )
    table = read(plain, contract=SHIPPED, name="b.xlsx")
    assert (table.ledger.title, table.ledger.header, table.ledger.data) == (1, 1, 1)


def test_m06_titles_of_several_cells_above_a_complete_header_stay_titles(read):
    table = read("Weekly list,,as of\npart,planned,actual\nA,2026-01-02,\n", contract=SHIPPED)
    assert (table.ledger.title, table.ledger.header, table.ledger.data) == (1, 1, 1)


def test_b15_joined_rows_that_give_two_columns_one_name_stop_the_file(read):
    rows = [["Rack", "Port", None, "Rack", "Port"], ["R1", 1, "x", "R2", 7]]
    content = merged_book([(0, 0, 0, 1, "Source"), (0, 3, 0, 4, "Destination")], rows, 1)
    assert read(content, contract=ENDS, name="b.xlsx", ignore=("*",)).ledger.data == 1
    rows[0][2] = "Source Rack"
    content = merged_book([(0, 0, 0, 1, "Source"), (0, 3, 0, 4, "Destination")], rows, 1)
    with pytest.raises(FileRejected, match="same name 'Source Rack'") as refused:
        read(content, contract=ENDS, name="b.xlsx", ignore=("*",))
    assert refused.value.code == "column_collision"
    assert "columns A (Source / Rack) and C (Source Rack)" in refused.value.message


@pytest.mark.parametrize(
    ("first", "second"),
    [("Source", "Destination"), ("StartDevice", "EndDevice"), ("from", "to"), ("Side A Device", "Side B Device")],
)
def test_m11_names_that_stand_twice_take_their_side(read, first, second):
    contract = contract_of(("x", "y"), synonyms={"x": (first,), "y": (second,)})
    table = read(f"{first},Rack,Port,{second},Rack,Port\na,R1,1,b,R2,2\n", contract=contract, ignore=("*",))
    named = [column.name for column in table.columns]
    word = {"StartDevice": "Start", "EndDevice": "End", "Side A Device": "Side a", "Side B Device": "Side b"}
    left, right = word.get(first, first.capitalize()), word.get(second, second.capitalize())
    assert named == [first, f"{left} Rack", f"{left} Port", second, f"{right} Rack", f"{right} Port"]


@pytest.mark.parametrize("spelled", ["Destination Rack", "Rack#2", "Rack [column 4]", "destination rack"])
def test_m11_a_source_may_name_such_a_column_in_every_way(read, spelled):
    contract = contract_of(("source", "rack"))
    table = read(
        "Source,Rack,Destination,Rack\na,R1,b,R2\n", contract=contract, columns={spelled: "rack"}, ignore=("*",)
    )
    assert table.frame.select("source", "rack").rows() == [("a", "R2")]
    assert "declared_column_absent" not in {finding.code for finding in table.findings}


def test_m11_without_sides_the_position_tells_columns_apart(read):
    table = read("part,Rack,Rack,Rack\na,R1,R2,R3\n", contract=contract_of(("part", "x")), ignore=("*",))
    assert [column.name for column in table.columns][1:] == ["Rack [column 2]", "Rack [column 3]", "Rack [column 4]"]


def test_m15_spelling_of_a_header_makes_no_difference_and_an_unknown_name_blocks(read):
    contract = contract_of(("part_number", "need_date"))
    table = read("\ufeff PART\u00a0NUMBER ,Need-Date\nA,x\n", contract=contract)
    assert table.frame.rows()[0][:2] == ("A", "x")
    with pytest.raises(FileRejected) as refused:
        read("part number,need dte\nA,x\n", contract=contract)
    assert refused.value.code == "unknown_column"


def test_b4_a_differently_cased_column_is_mapped_and_an_unknown_one_blocks(read):
    contract = contract_of(("id", "name"))
    table = read("id,Name\n1,a\n", contract=contract)
    assert [(column.name, column.maps_to) for column in table.columns] == [("id", "id"), ("Name", "name")]
    with pytest.raises(FileRejected, match="Nmae"):
        read("id,Nmae\n1,a\n", contract=contract)


def test_m01_b5_a_mark_before_a_quoted_first_name_changes_nothing(read):
    contract = contract_of(("device", "name"))
    for content in (b'\xef\xbb\xbf"device",name\nA,x\n', b'"device",name\nA,x\n', b"\xef\xbb\xbfdevice,name\nA,x\n"):
        table = read(content, contract=contract)
        assert [column.name for column in table.columns] == ["device", "name"]
        assert table.frame["device"].to_list() == ["A"]


def test_m14_a_missing_or_extra_column_is_named_with_its_sheet(read):
    contract = contract_of(("part", "slot"), required=("part", "slot"))

    def sheet_of(*rows):
        def fill(sheet, _):
            for number, cells in enumerate(rows):
                sheet.write_row(number, 0, cells)

        return fill

    whole = ("One", sheet_of(["part", "slot"], ["A", "1"]))
    with pytest.raises(FileRejected, match=r"slot .* is missing \(header in row 1 of the sheet 'Two'\)"):
        read(book(whole, ("Two", sheet_of(["part"], ["B"]))), contract=contract, name="b.xlsx", header=1)
    with pytest.raises(FileRejected, match=r"'Parent' \(header in row 1 of the sheet 'Two'\) is unknown"):
        read(
            book(whole, ("Two", sheet_of(["part", "slot", "Parent"], ["B", "2", "x"]))),
            contract=contract,
            name="b.xlsx",
        )
    with pytest.raises(FileRejected, match="'Three' is not in the workbook; it has: One"):
        read(book(whole), contract=contract, name="b.xlsx", sheet="Three")


def test_m14_a_column_that_one_sheet_lacks_is_said(read):
    contract = contract_of(("part", "slot"), required=("part",))
    buffer = io.BytesIO()
    workbook = xlsxwriter.Workbook(buffer, {"in_memory": True})
    workbook.add_worksheet("One").write_row(0, 0, ["part", "slot"])
    workbook.worksheets()[0].write_row(1, 0, ["A", "1"])
    workbook.add_worksheet("Two").write_row(0, 0, ["part"])
    workbook.worksheets()[1].write_row(1, 0, ["B"])
    workbook.close()
    table = read(buffer.getvalue(), contract=contract, name="b.xlsx", header=1)
    found = [finding for finding in table.findings if finding.code == "column_missing_on_sheet"]
    assert [(finding.column, finding.value) for finding in found] == [("slot", "Two")]


STACKED = [
    (0, 0, 4, 0, "Region"),
    (0, 1, 3, 1, "Contribution"),
    (0, 2, 2, 3, "Impact from"),
    (3, 2, 4, 2, "previous quarter"),
    (3, 3, 4, 3, "baseline"),
]
"""A header of five rows held together by cells merged downwards; the second and third row show nothing."""


def stacked(sheet_rows):
    def fill(sheet, _):
        for top, left, bottom, right, text in STACKED:
            sheet.merge_range(top, left, bottom, right, text)
        sheet.write(4, 1, "(%)")
        for number, cells in enumerate(sheet_rows, start=5):
            sheet.write_row(number, 0, cells)

    return book(("A", fill))


def test_m10_cells_merged_downwards_make_one_header(read):
    contract = contract_of(
        ("region", "share", "quarter", "base"),
        synonyms={
            "share": ("Contribution (%)",),
            "quarter": ("Impact from previous quarter",),
            "base": ("Impact from baseline",),
        },
    )
    table = read(stacked([["A", "B", "C", "D"]]), contract=contract, name="b.xlsx")
    assert table.frame.select("region", "share", "quarter", "base", "_row").rows() == [("A", "B", "C", "D", 6)]
    assert (table.ledger.header, table.ledger.data) == (5, 1)


def test_m10_such_a_header_is_seen_without_knowing_its_names(tmp_path):
    (tmp_path / "b.xlsx").write_bytes(stacked([["A", "B", "C", "D"], ["E", "F", "G", "H"]]))
    found = inspect(tmp_path / "b.xlsx", "b.xlsx", load_contracts())
    assert (found.dataset, found.ledger.header, found.ledger.data) == (None, 5, 2)
    assert [column.name for column in found.columns] == [
        "Region", "Contribution (%)", "Impact from previous quarter", "Impact from baseline"
    ]  # fmt: skip


def test_cells_merged_down_in_the_data_are_no_header(read):
    merges = [(1, 0, 2, 0, "R1")]
    content = merged_book(merges, [["a_rack", "b_rack", "note"], [None, "R2", "x"], [None, "R3", "y"]])
    table = read(content, contract=ENDS, name="b.xlsx")
    assert table.frame.select("a_rack", "b_rack").rows() == [("R1", "R2"), (None, "R3")]
    assert (table.ledger.header, table.ledger.data) == (1, 2)


def test_every_sheet_of_an_unknown_workbook_is_counted_under_its_own_header(tmp_path):
    def sheet_of(*rows):
        return lambda sheet, _: [sheet.write_row(number, 0, cells) for number, cells in enumerate(rows)]

    content = book(
        ("Empty", sheet_of()),
        ("Colours", sheet_of(["colour", "shade"], ["red", "dark"], ["blue", "light"])),
        ("Shapes", sheet_of(["All shapes"], ["form", "edges", "area"], ["square", 4, 1], ["square", 4, 1])),
    )
    (tmp_path / "b.xlsx").write_bytes(content)
    found = inspect(tmp_path / "b.xlsx", "b.xlsx", load_contracts())
    ledger = found.ledger
    assert (found.dataset, ledger.lines, ledger.header, ledger.title, ledger.data) == (None, 7, 2, 1, 4)
    assert {fact.name: fact.value for fact in found.facts} == {
        "rows": 4, "columns": 5, "distinct_rows": 3, "duplicate_rows": 1
    }  # fmt: skip
    (tmp_path / "empty.xlsx").write_bytes(book(("Empty", sheet_of())))
    found = inspect(tmp_path / "empty.xlsx", "empty.xlsx", load_contracts())
    assert [finding.code for finding in found.findings] == ["no_data_rows"]
