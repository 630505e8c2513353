"""Workbooks: exact text of every cell, tables anywhere on any sheet, and cells that cannot be used."""

from __future__ import annotations

import datetime as dt
import io
import re
import zipfile

import fastexcel
import pytest
import xlsxwriter

from tests.formats.small import PARTS, contract_of
from turnup.formats import FileRejected

CELLS = contract_of(("part", "value"), required=("part",), ids=("part",))


def book(*sheets, **options):
    """A workbook as bytes; a sheet is (name, function that fills it)."""
    buffer = io.BytesIO()
    workbook = xlsxwriter.Workbook(buffer, {"in_memory": True, **options})
    for name, fill in sheets:
        fill(workbook.add_worksheet(name), workbook)
    workbook.close()
    return buffer.getvalue()


def table_at(row, column, rows):
    def fill(sheet, _):
        for index, cells in enumerate(rows):
            sheet.write_row(row + index, column, cells)

    return fill


def values(*cells):
    def fill(sheet, workbook):
        sheet.write_row(0, 0, ["part", "value"])
        for row, (method, value, *style) in enumerate(cells, start=1):
            sheet.write_string(row, 0, f"P{row}")
            getattr(sheet, method)(row, 1, value, *(workbook.add_format({"num_format": text}) for text in style))

    return fill


def read_values(read, *cells, **options):
    return read(book(("A", values(*cells)), **options), contract=CELLS, name="b.xlsx").frame["value"].to_list()


def test_numbers_keep_their_digits_and_gain_no_noise(read):
    got = read_values(
        read,
        ("write_number", 12.0),
        ("write_number", 0.1 + 0.2),
        ("write_number", 0.123456789012345),
        ("write_number", 1234567890.12345),
        ("write_number", 123456789012345),
        ("write_number", 1e-7),
        ("write_number", -0.5),
    )
    assert got == ["12", "0.3", "0.123456789012345", "1234567890.12345", "123456789012345", "0.0000001", "-0.5"]


def test_only_numbers_are_written_out_not_what_looks_like_them(read):
    got = read_values(
        read,
        ("write_number", 1 / 3),
        ("write_number", 123456789.1),
        ("write_number", 2.5e-9),
        ("write_number", 1e5),
        ("write_string", "0.33333333333333337"),
        ("write_string", "1.50E-07"),
        ("write_string", "1234567890123456789.5"),
        ("write_datetime", dt.datetime(2026, 3, 4, 7, 0, 1), "yyyy-mm-dd hh:mm:ss"),
    )
    assert got[:4] == ["0.333333333333333", "123456789.1", "0.0000000025", "100000"]
    assert got[4:7] == ["0.33333333333333337", "1.50E-07", "1234567890123456789.5"]
    assert got[7] == "2026-03-04 07:00:01"


def test_text_stays_text(read):
    texts = ["00123", "12E3", "1E05", "8939010102358478435", "0.10", "NA", "TRUE"]
    assert read_values(read, *(("write_string", text) for text in texts)) == texts


def test_late_text_in_a_column_of_numbers_is_read(read):
    cells = [("write_number", index) for index in range(150)] + [("write_string", "SN0099")]
    assert read_values(read, *cells) == [*(str(index) for index in range(150)), "SN0099"]


@pytest.mark.parametrize("epoch_1904", [False, True])
def test_dates_are_iso_in_either_epoch(read, epoch_1904):
    got = read_values(
        read,
        ("write_datetime", dt.datetime(2026, 3, 4), "d-mmm-yy"),
        ("write_datetime", dt.datetime(2026, 3, 4, 13, 45, 10), "yyyy-mm-dd hh:mm"),
        ("write_boolean", True),
        date_1904=epoch_1904,
    )
    assert got == ["2026-03-04", "2026-03-04 13:45:10", "true"]


def test_serial_zero_is_no_date(read):
    table = read(book(("A", values(("write_number", 0, "yyyy-mm-dd")))), contract=CELLS, name="b.xlsx")
    assert table.frame["value"].to_list() == [None]
    assert [finding.code for finding in table.findings] == ["serial_zero"]


def test_a_number_too_long_for_a_sheet_is_refused_in_an_identifier_column_only(read):
    def fill(sheet, _):
        sheet.write_row(0, 0, ["part", "value"])
        sheet.write_number(1, 0, 8939010102358478435)
        sheet.write_number(1, 1, 1)
        sheet.write_string(2, 0, "8939010102358478436")
        sheet.write_number(2, 1, 8939010102358478435)

    table = read(book(("A", fill)), contract=CELLS, name="b.xlsx")
    assert table.frame["part"].to_list() == ["8939010102358478436"]
    refused = table.rejected[0]
    assert (refused.row, refused.sheet, refused.rule) == (2, "A", "long_number")
    assert "cell A2" in refused.message
    assert (table.ledger.data, table.ledger.rejected, table.ledger.balanced) == (1, 1, True)


def test_error_cells_and_formulas_without_a_stored_value_refuse_their_rows(read):
    def fill(sheet, _):
        sheet.write_row(0, 0, ["part", "value"])
        sheet.write_column(1, 0, ["A", "B", "C"])
        sheet.write_formula(1, 1, "=1/0", None, "#DIV/0!")
        sheet.write_formula(2, 1, "=1+1", None, 2)
        sheet.write_formula(3, 1, "=1+1", None, "")

    table = read(without_value(book(("A", fill)), "B4"), contract=CELLS, name="b.xlsx")
    assert table.frame.select("part", "value").rows() == [("B", "2")]
    assert [(refused.row, refused.rule) for refused in table.rejected] == [
        (2, "error_cell"),
        (4, "formula_without_value"),
    ]
    assert "B4" in table.rejected[1].message


def without_value(content: bytes, address: str) -> bytes:
    """The workbook with the stored value of one formula removed, as some programs write it."""

    def change(xml: bytes) -> bytes:
        cell = re.escape(address.encode())
        return re.sub(rb'(<c r="' + cell + rb'")[^>]*>(<f>.*?</f>)<v>.*?</v>', rb"\1>\2", xml)

    return rewritten(content, "xl/worksheets/sheet1.xml", change)


def rewritten(content: bytes, name: str, change) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.namelist():
            data = old.read(entry)
            new.writestr(entry, change(data) if entry == name else data)
    return buffer.getvalue()


def test_tables_anywhere_on_several_sheets(read):
    content = book(
        ("First", table_at(13, 9, [["Part", "Qty"], ["A", 1], ["B", 2]])),
        ("Legend", table_at(0, 0, [["colour", "meaning"], ["red", "late"]])),
        ("Second", table_at(0, 0, [["Weekly list"], [], ["qty", "part"], [3, "C"]])),
    )
    table = read(content, name="b.xlsx")
    assert table.frame.select("part", "qty", "_sheet", "_row").rows() == [
        ("A", "1", "First", 15),
        ("B", "2", "First", 16),
        ("C", "3", "Second", 4),
    ]
    assert ("sheet_not_read", "Legend") in {(finding.code, finding.value) for finding in table.findings}
    assert (table.ledger.lines, table.ledger.other, table.ledger.balanced) == (22, 2, True)


def test_the_declared_sheet(read):
    content = book(
        ("One", table_at(0, 0, [["part", "qty"], ["A", 1]])), ("Two", table_at(0, 0, [["part", "qty"], ["B", 2]]))
    )
    assert read(content, name="b.xlsx", sheet="two").frame["part"].to_list() == ["B"]
    with pytest.raises(FileRejected, match="One, Two"):
        read(content, name="b.xlsx", sheet="Three")


def test_notes_below_and_hidden_rows_and_sheets_are_said(read):
    def fill(sheet, _):
        table_at(0, 0, [["part", "qty", "site"], ["A", 1, "X"], ["B", 2, "Y"], [], ["Please call before delivery"]])(
            sheet, _
        )
        sheet.set_row(2, None, None, {"hidden": True})
        sheet.hide()

    content = book(("Front", table_at(0, 0, [["see the other sheet"]])), ("Parts", fill))
    table = read(content, name="b.xlsx")
    assert table.frame["part"].to_list() == ["A", "B"]
    assert table.ledger.footer == 1
    assert {"hidden_rows", "hidden_sheet", "footer_row"} <= {finding.code for finding in table.findings}


def test_a_workbook_that_the_first_reader_refuses_is_read_by_the_second(read, monkeypatch):
    def refuse(*_):
        raise fastexcel.FastExcelError("no")

    content = book(("A", table_at(0, 0, [["part", "qty"], ["A", 1.5], ["B", "02"]])))
    first = read(content, name="b.xlsx").frame
    monkeypatch.setattr("turnup.formats.tabular.workbook.fastexcel.read_excel", refuse)
    second = read(content, name="b.xlsx")
    assert second.frame.equals(first)
    assert "second_reader" in {finding.code for finding in second.findings}


def bomb(ratio_megabytes: int) -> bytes:
    content = book(("A", table_at(0, 0, [["part", "qty"], ["A", 1]])))
    return rewritten(content, "xl/worksheets/sheet1.xml", lambda xml: xml + b" " * (ratio_megabytes << 20))


def test_a_zip_bomb_is_refused_before_it_is_opened(read):
    with pytest.raises(FileRejected) as refused:
        read(bomb(300), name="b.xlsx")
    assert refused.value.code == "zip_bomb"


def test_a_sheet_with_one_cell_far_away_is_refused(read):
    def fill(sheet, _):
        sheet.write_row(0, 0, ["part", "qty"])
        sheet.write_string(1_048_575, 16_383, "x")

    with pytest.raises(FileRejected) as refused:
        read(book(("A", fill)), name="b.xlsx")
    assert refused.value.code == "too_large"


@pytest.mark.parametrize("keep", [0.2, 0.9, 0.999])
def test_a_cut_workbook_is_refused(read, keep):
    content = book(("A", table_at(0, 0, [["part", "qty"], ["A", 1]])))
    with pytest.raises(FileRejected) as refused:
        read(content[: int(len(content) * keep)], name="b.xlsx")
    assert refused.value.code == "archive"


def test_a_document_type_in_the_workbook_is_refused(read):
    def change(xml: bytes) -> bytes:
        return xml.replace(b"<workbook", b'<!DOCTYPE w [<!ENTITY a "b">]><workbook', 1)

    content = rewritten(book(("A", table_at(0, 0, [["part", "qty"], ["A", 1]]))), "xl/workbook.xml", change)
    with pytest.raises(FileRejected) as refused:
        read(content, name="b.xlsx", contract=PARTS)
    assert refused.value.code == "archive"
