"""Faults that tables really have, one test for each kind, on small files of our own."""

from __future__ import annotations

import csv
import io
import re
import zipfile

import openpyxl
import polars as pl
import pytest

from tests.formats.small import PARTS, contract_of
from tests.formats.tabular.test_workbook import book, rewritten, table_at
from tests.formats.tabular.writers import ods, xls
from turnup.formats import FileRejected

LINES = [f"P{number},{number},X" for number in range(30_000)]


def codes(table):
    return [finding.code for finding in table.findings]


def found(table, code):
    return next(finding for finding in table.findings if finding.code == code)


def long_file(changes):
    lines = list(LINES)
    for row, line in changes.items():
        lines[row - 2] = line
    return "part,qty,site\n" + "\n".join(lines) + "\n"


def test_m02_text_saved_from_a_spreadsheet_as_unicode(read):
    text = "part\tqty\tsite\r\nA\t1\tCôte d'Ivoire\r\nB\t2\t東京\r\n"
    for content in (
        b"\xff\xfe" + text.encode("utf-16-le"),
        text.encode("utf-16-le"),
        b"\xfe\xff" + text.encode("utf-16-be"),
    ):
        table = read(content)
        assert table.frame.select("part", "qty", "site").rows() == [("A", "1", "Côte d'Ivoire"), ("B", "2", "東京")]


def test_m03_letters_lost_on_the_way_are_counted(read):
    table = read("part,qty,site\nA,1,C\ufffdte d\ufffd\nB,2,Espa?a\nC,3,M?nchen\nD,4,really?\nE,5,http://x/y?z=1\n")
    lost, doubtful = [finding for finding in table.findings if finding.code == "lost_letters"]
    assert (lost.severity, lost.row, lost.value) == ("warning", 2, "2")
    assert (doubtful.severity, doubtful.row, doubtful.value) == ("info", 3, "2")


@pytest.mark.parametrize(
    ("line", "said"),
    [("{}^{}^{}", "^"), ("{}~{}~{}", "~"), ("{}:{}:{}", ":"), ("{}    {}    {}", "blanks only")],
)
def test_m04_a_wide_file_that_is_read_as_one_column_is_refused(read, line, said):
    text = "".join(line.format(*cells) + "\n" for cells in [("part", "qty", "site"), ("A", 1, "X"), ("B", 2, "Y")])
    with pytest.raises(FileRejected) as refused:
        read(text)
    assert refused.value.code == "delimiter"
    assert said in refused.value.message
    if len(said) == 1:
        assert read(text, delimiter=said).frame["site"].to_list() == ["X", "Y"]


def test_m04_a_declared_delimiter_that_splits_nothing_is_refused(read):
    with pytest.raises(FileRejected, match='delimiter: ";"'):
        read("part;qty\nA;1\nB;2\n", delimiter=",")
    names = contract_of(("name",))
    assert read("name\nSmith, Ann\nJones, Bob\n", contract=names, delimiter=";").ledger.data == 2


@pytest.mark.parametrize(
    "line", ["Total rows: 3", "Record count,3", "(3 rows)", "3 records exported", "Number of lines = 3"]
)
def test_m05_a_line_that_counts_the_rows_is_a_control_total(read, line):
    rows = "part,qty,site\nA,1,X\nB,2,Y\nC,3,Z\n"
    table = read(rows + line + "\n")
    assert (table.ledger.data, table.ledger.total, table.ledger.rejected, codes(table)) == (3, 1, 0, ["total_row"])
    cut = read(rows.replace("B,2,Y\n", "") + line + "\n")
    assert (cut.ledger.data, cut.ledger.total) == (2, 1)
    assert "3 rows, the table has 2" in found(cut, "count_mismatch").message
    above = read(line + "\n" + rows.replace("B,2,Y\n", ""))
    assert (above.ledger.data, above.ledger.title, found(above, "count_mismatch").row) == (2, 1, 1)


def test_m05_a_row_of_data_is_no_control_total_by_its_words_alone(read):
    table = read("part,qty\nA,1\nrows,7\n")
    assert table.frame["part"].to_list() == ["A", "rows"]


@pytest.mark.parametrize("cut", ["C,3", "C", 'C,3,"Z'])
def test_m05_a_file_cut_inside_a_row_names_it(read, cut):
    table = read("part,qty,site\nA,1,X\nB,2,Y\n" + cut)
    assert table.frame["part"].to_list() == ["A", "B"]
    assert [refused.row for refused in table.rejected] == [4]
    assert table.ledger.balanced


def test_m07_m08_totals_and_comments_are_no_data(read):
    table = read("part,qty,site\nA,1,X\n# suppressed,0,\nB,2,Y\nTotal,4,\n")
    assert (table.ledger.data, table.ledger.comment, table.ledger.total) == (2, 1, 1)
    assert found(table, "total_mismatch").message.endswith("add up to 3")


def test_m09_a_table_anywhere_on_every_sheet(read):
    rows = [["Part", "Qty"], ["A", 1]]
    content = book(("One", table_at(13, 9, rows)), ("Two", table_at(3, 2, rows)))
    assert read(content, name="b.xlsx").frame.select("_sheet", "_row").rows() == [("One", 15), ("Two", 5)]


def test_m13_b14_hidden_rows_columns_sheets_and_filters_are_read_and_said(read):
    def fill(sheet, _):
        sheet.write_row(0, 0, ["part", "qty", "site"])
        sheet.write_row(1, 0, ["A", 1, "X"])
        sheet.write_row(2, 0, ["B", 2, "Y"])
        sheet.autofilter("A1:C3")
        sheet.filter_column(0, "x == A")
        sheet.set_row(2, None, None, {"hidden": True})
        sheet.set_column("C:C", None, None, {"hidden": True})

    def other(sheet, _):
        sheet.write_row(0, 0, ["part", "qty"])
        sheet.write_row(1, 0, ["C", 3])
        sheet.hide()

    table = read(book(("Parts", fill), ("More", other)), name="b.xlsx")
    assert table.frame.select("part", "site").rows() == [("A", "X"), ("B", "Y"), ("C", None)]
    said = {(finding.code, finding.value) for finding in table.findings}
    assert said >= {
        ("hidden_rows", "1"),
        ("hidden_columns", "1"),
        ("hidden_sheet", "More"),
        ("filtered_sheet", "A1:C3"),
    }


@pytest.mark.parametrize("at", [2, 1_000, 20_481, 30_001])
@pytest.mark.parametrize(("line", "fields"), [("P,1", 2), ("P,1,X,surplus", 4)])
def test_m16_a_ragged_row_is_named_with_both_widths(read, at, line, fields):
    table = read(long_file({at: line}))
    assert [(refused.row, refused.rule) for refused in table.rejected] == [(at, "width")]
    assert f"row {at} has {fields} fields, the header (row 1) has 3" in table.rejected[0].message
    assert (table.ledger.data, table.ledger.balanced) == (29_999, True)


def test_b1_a_change_of_dialect_loses_neither_rows_nor_the_header(read):
    contract = contract_of(("c0", "c1"))
    table = read("c0\nv0\na;b\n", contract=contract)
    assert table.frame["c0"].to_list() == ["v0", "a;b"]
    assert (table.ledger.lines, table.ledger.header, table.ledger.data) == (3, 1, 2)


@pytest.mark.parametrize("rows", [3_000, 30_000])
def test_b1_a_field_more_from_row_1000_on_names_every_row(read, rows):
    lines = [f"P{number},{number}" + (",x" if number >= 999 else "") for number in range(rows)]
    table = read("part,qty\n" + "\n".join(lines) + "\n")
    assert (table.ledger.lines, table.ledger.data, table.ledger.rejected) == (rows + 1, 999, rows - 999)
    assert (table.rejected[0].row, table.rejected[-1].row) == (1_001, rows + 1)
    assert table.frame["part"].to_list()[-1] == "P998"


def test_b3_a_delimiter_at_the_end_of_every_row_shifts_nothing(read):
    table = read("part,qty,site\nA,1,X,\nB,2,Y,\n")
    assert table.frame.select("part", "qty", "site").rows() == [("A", "1", "X"), ("B", "2", "Y")]
    assert codes(table) == ["surplus_empty_fields"]
    assert [refused.row for refused in read("part,qty,site\nA,1,X,\nB,2,Y,z\n").rejected] == [3]


@pytest.mark.parametrize("rows", [20_470, 20_480, 25_000])
def test_b13_a_leading_zero_after_thousands_of_plain_numbers(read, rows):
    lines = [f"{number},1" for number in range(rows)] + ["00123,1", "12E3,1"]
    assert read("part,qty\n" + "\n".join(lines) + "\n").frame["part"].to_list()[-2:] == ["00123", "12E3"]


def test_b2_late_text_in_a_column_of_numbers_of_a_workbook(read):
    rows = [["part", "qty"], *([number, 1] for number in range(150)), ["SN0099", 1]]
    for content in (book(("A", table_at(0, 0, rows))), xls({"A": rows}), ods({"A": rows})):
        assert read(content, name="b").frame["part"].to_list()[-2:] == ["149", "SN0099"]


def test_m18_a_workbook_that_one_reader_cannot_open_gives_the_same_rows(read):
    rows = [["part", "qty", "site"], *([f"P{number}", number / 8, "X"] for number in range(50))]
    content = book(("A", table_at(0, 0, rows)))
    broken = rewritten(
        content,
        "xl/styles.xml",
        lambda xml: xml.replace(b'<fill><patternFill patternType="gray125"/></fill>', b"<fill/>"),
    )
    with pytest.raises(TypeError):
        openpyxl.load_workbook(io.BytesIO(broken))
    whole, same = read(content, name="b.xlsx"), read(broken, name="b.xlsx")
    assert same.frame.equals(whole.frame)
    assert same.ledger == whole.ledger


def renamed(content, change):
    """The archive with its parts under other names."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            entry = zipfile.ZipInfo(name)
            entry.filename = change(name)
            new.writestr(entry, old.read(name))
    return buffer.getvalue()


def test_m18_parts_of_a_workbook_under_other_names(read):
    rows = [["part", "qty"], ["A", 1.5], ["B", 2]]
    content = book(("A", table_at(0, 0, rows)))
    whole = read(content, name="b.xlsx")
    at_root = rewritten(content, "_rels/.rels", lambda xml: xml.replace(b"xl/workbook.xml", b"workbook.xml"))
    for other in (
        renamed(content, lambda name: name.replace("/", "\\") if name.startswith("xl/") else name),
        renamed(at_root, lambda name: name.removeprefix("xl/")),
    ):
        assert read(other, name="b.xlsx").frame.equals(whole.frame)


def test_m18_cells_without_addresses(read):
    rows = [["part", "qty", "site"], ["A", 1.5, "X"], ["B", 0.123456789012345, "Y"]]
    content = book(("A", table_at(0, 0, rows)))

    def without(xml):
        return re.sub(rb' r="[A-Z]*[0-9]+"', b"", xml)

    plain = rewritten(content, "xl/worksheets/sheet1.xml", without)
    assert read(plain, name="b.xlsx").frame.equals(read(content, name="b.xlsx").frame)
    unstyled = rewritten(
        plain, "xl/styles.xml", lambda xml: xml.replace(b"<fill><patternFill", b"<fill/><fill><patternFill")
    )
    with pytest.raises(TypeError):
        openpyxl.load_workbook(io.BytesIO(unstyled))
    table = read(unstyled, name="b.xlsx")
    assert table.frame.equals(read(content, name="b.xlsx").frame)
    assert "first reader alone" in found(table, "second_reader").message


def test_m30_text_that_looks_like_nothing_is_text(read):
    words = ["NA", "None", "nan", "null", "NULL", "N/A", "#N/A", "-", "NaT", "nil"]
    rows = [["part", "qty", "note"], *([f"P{number}", 1, word] for number, word in enumerate(words))]
    buffer = io.StringIO()
    csv.writer(buffer).writerows(rows)
    frame = pl.DataFrame(rows[1:], schema=rows[0], orient="row")
    parquet = io.BytesIO()
    frame.write_parquet(parquet)
    for content in (buffer.getvalue(), book(("A", table_at(0, 0, rows))), ods({"A": rows}), xls({"A": rows}),
                    frame.write_json(), frame.write_ndjson(), parquet.getvalue()):  # fmt: skip
        name = "p.jsonl" if isinstance(content, str) and content.startswith("{") else "p.csv"
        assert read(content, name=name).frame["note"].to_list() == words


def test_m38_an_error_in_a_mapped_column_names_its_cell(read):
    def fill(sheet, _):
        sheet.write_row(0, 0, ["part", "qty", "site"])
        for row, error in enumerate(["#REF!", "#N/A", "#NAME?", "#DIV/0!"], start=1):
            sheet.write_row(row, 0, [f"P{row}", 1])
            sheet.write_formula(row, 2, "=1/0", None, error)
        sheet.write_row(5, 0, ["P5", 1])
        sheet.write_formula(5, 2, "=A1", None, "empty")

    def emptied(xml):
        assert b"<v>empty</v>" in xml
        return xml.replace(b"<v>empty</v>", b"<v></v>")

    table = read(rewritten(book(("A", fill)), "xl/worksheets/sheet1.xml", emptied), name="b.xlsx")
    assert table.frame.select("part", "site").rows() == [("P5", None)]
    assert [(refused.row, refused.column, refused.value) for refused in table.rejected] == [
        (2, "site", "#REF!"),
        (3, "site", "#N/A"),
        (4, "site", "#NAME?"),
        (5, "site", "#DIV/0!"),
    ]
    assert all(f"C{refused.row}" in refused.message for refused in table.rejected)


COUNTS = contract_of(("cause", "count", "share"), required=("cause",), synonyms={"share": ("% of all",)})


@pytest.mark.parametrize("total", ["", "Total,100,100.0\n"])
def test_m39_a_share_that_contradicts_its_count_is_said_with_both(read, total):
    table = read(
        "cause,count,% of all\nGPU,35,30.1%\nmemory,17,17.0%\nnetwork,8,8.0%\nother,40,40.0%\n" + total, contract=COUNTS
    )
    said = [finding for finding in table.findings if finding.code == "share_mismatch"]
    assert [(finding.row, finding.column, finding.value) for finding in said] == [(2, "% of all", "30.1%")]
    assert "35.0 %" in said[0].message


@pytest.mark.parametrize(
    "shares",
    [
        ("35", "17", "8", "40"),
        ("0.35", "0.17", "0.08", "0.40"),
        ("80", "3", "99", "100"),
        ("x", "1", "2", "3"),
        ("0.3", "0.2", "0.1", "0.4"),
    ],
)
def test_m39_shares_that_agree_or_are_of_something_else_are_not(read, shares):
    rows = zip(("GPU", "memory", "network", "other"), (35, 17, 8, 40), shares, strict=True)
    text = "cause,count,share\n" + "".join(f"{cause},{count},{share}\n" for cause, count, share in rows)
    assert "share_mismatch" not in codes(read(text, contract=COUNTS))


def test_figures_of_a_table(read):
    table = read("part,qty,site\nA,1,X\nB,2,Y\nA,1,X\nA,1,X\n", contract=PARTS)
    assert {fact.name: fact.value for fact in table.facts} == {
        "rows": 4, "columns": 3, "distinct_rows": 2, "duplicate_rows": 2
    }  # fmt: skip
