"""XLS, ODS and Parquet: the same rows as from any other file, exact text, and what cannot be used is named."""

from __future__ import annotations

import datetime as dt
import io
import math
import zipfile
from decimal import Decimal

import polars as pl
import pytest
import xlwt

from expectations.contract import load_contracts
from tests.formats.small import PARTS, contract_of
from tests.formats.tabular.writers import cell, ods, packed, saved, xls
from turnup.formats import FileRejected
from turnup.isolation.reader import Reader
from turnup.programme import Source

CELLS = contract_of(("part", "value"), required=("part",), ids=("part",))
VALUES = [
    (12.0, "12"),
    (0.1 + 0.2, "0.3"),
    (0.123456789012345, "0.123456789012345"),
    (1234567890.12345, "1234567890.12345"),
    (123456789012345, "123456789012345"),
    (1e-7, "0.0000001"),
    (-0.5, "-0.5"),
    ("00123", "00123"),
    ("12E3", "12E3"),
    ("0.10", "0.10"),
    ("NA", "NA"),
    ("None", "None"),
    (True, "true"),
    (dt.date(2026, 3, 4), "2026-03-04"),
    (dt.time(13, 45, 10), "13:45:10"),
    ("größe", "größe"),
    ("two\nlines", "two\nlines"),
]


def filled(values):
    return {"A": [["part", "value"], *([f"P{number}", value] for number, value in enumerate(values))]}


@pytest.mark.parametrize(("write", "form"), [(xls, "xls"), (ods, "ods")])
def test_m19_m20_m30_every_cell_as_text_whatever_its_type(read, write, form):
    table = read(write(filled([value for value, _ in VALUES])), contract=CELLS, name=f"b.{form}")
    assert table.format == form
    assert table.frame["value"].to_list() == [text for _, text in VALUES]
    assert table.ledger.balanced


@pytest.mark.parametrize("write", [xls, ods])
def test_m21_b10_a_number_too_long_for_a_sheet_is_refused_in_an_identifier_column(read, write):
    rows = [["part", "value"], [8939010102358478435.0, 1], ["8939010102358478436", 8939010102358478435.0]]
    table = read(write({"A": rows}), contract=CELLS, name="b")
    assert table.frame["part"].to_list() == ["8939010102358478436"]
    assert [(refused.row, refused.rule) for refused in table.rejected] == [(2, "long_number")]
    assert "cell A2" in table.rejected[0].message


def test_m38_error_cells_and_empty_formulas_in_xls(read):
    book = xlwt.Workbook()
    sheet = book.add_sheet("A")
    for row, text in enumerate(["part", "A", "B", "C"]):
        sheet.write(row, 0, text)
    sheet.write(0, 1, "value")
    sheet.row(1).set_cell_error(1, 42)
    sheet.write(2, 1, 5)
    sheet.write(3, 1, xlwt.Formula("1+1"))
    table = read(saved(book), contract=CELLS, name="b.xls")
    assert table.frame.select("part", "value").rows() == [("B", "5"), ("C", None)]
    assert [(refused.row, refused.rule) for refused in table.rejected] == [(2, "error_cell")]
    assert ("empty_formula", "1") in {(finding.code, finding.value) for finding in table.findings}
    assert "B2" in table.rejected[0].message
    assert "#N/A" in table.rejected[0].message


def test_m38_error_cells_and_formulas_without_a_value_in_ods(read):
    def row(part, content):
        return f"<table:table-row>{cell(part)}{content}</table:table-row>"

    error = '<table:table-cell table:formula="of:=1/0" office:value-type="string" calcext:value-type="error">'
    body = (
        row("part", cell("value"))
        + row("A", f"{error}<text:p>#DIV/0!</text:p></table:table-cell>")
        + row("B", '<table:table-cell table:formula="of:=1+1"/>')
        + row("C", '<table:table-cell table:formula="of:=[.A1]" office:value-type="float" office:value="2"/>')
        + row(
            "D",
            '<table:table-cell table:formula="of:=1" office:value-type="float" office:value="0"><text:p>Err:502'
            "</text:p></table:table-cell>",
        )
    )
    table = read(ods({"A": body}), contract=CELLS, name="b.ods")
    assert table.frame.select("part", "value").rows() == [("C", "2")]
    assert [(refused.row, refused.rule) for refused in table.rejected] == [
        (2, "error_cell"),
        (3, "formula_without_value"),
        (5, "error_cell"),
    ]


def test_m13_b14_hidden_rows_columns_sheets_and_filters_of_an_xls_are_read_and_said(read):
    book = xlwt.Workbook()
    sheet = book.add_sheet("Parts")
    for row, cells in enumerate([("part", "qty", "site"), ("A", 1, "X"), ("B", 2, "Y")]):
        for column, value in enumerate(cells):
            sheet.write(row, column, value)
    sheet.row(2).hidden = True
    sheet.col(2).hidden = True
    sheet.visibility = 1
    book.add_sheet("Front").write(0, 0, "see the other sheet")
    table = read(saved(book), name="b.xls")
    assert table.frame["site"].to_list() == ["X", "Y"]
    said = {(finding.code, finding.value) for finding in table.findings}
    assert said >= {("hidden_rows", "1"), ("hidden_columns", "1"), ("hidden_sheet", "Parts")}


def test_m13_b14_hidden_rows_columns_and_sheets_of_an_ods_are_read_and_said(read):
    body = (
        '<table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/>'
        f"<table:table-row>{cell('part')}{cell('qty')}{cell('site')}</table:table-row>"
        f'<table:table-row table:visibility="filter">{cell("A")}{cell(1)}{cell("X")}</table:table-row>'
        '<table:table-row table:number-rows-repeated="1048000">'
        '<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
    )
    table = read(ods({"Parts": body, "Old": [["part", "qty"], ["Z", 9]]}, hidden=["Old"]), name="b.ods")
    assert table.frame.select("part", "_sheet").rows() == [("A", "Parts"), ("Z", "Old")]
    said = {(finding.code, finding.value) for finding in table.findings}
    assert said >= {("hidden_rows", "1"), ("hidden_columns", "1"), ("hidden_sheet", "Old")}
    assert table.ledger.lines == 4


def test_repeated_rows_and_cells_of_an_ods_are_written_out_where_something_stands(read):
    body = (
        f"<table:table-row>{cell('part')}{cell('qty')}{cell('site')}</table:table-row>"
        f'<table:table-row table:number-rows-repeated="3">{cell("A")}'
        '<table:table-cell table:number-columns-repeated="2" office:value-type="float" office:value="4"/>'
        "</table:table-row>"
        f'<table:table-row table:number-rows-repeated="2"/><table:table-row>{cell("B")}{cell(5)}</table:table-row>'
    )
    table = read(ods({"A": body}), name="b.ods")
    assert table.frame.select("part", "qty", "site", "_row").rows() == [
        ("A", "4", "4", 2),
        ("A", "4", "4", 3),
        ("A", "4", "4", 4),
        ("B", "5", None, 7),
    ]
    assert table.ledger.blank == 2


def test_m33_the_epoch_is_read_from_the_book(read):
    book = xlwt.Workbook()
    book.dates_1904 = True
    sheet = book.add_sheet("A")
    sheet.write(0, 0, "part")
    sheet.write(1, 0, "P")
    sheet.write(0, 1, "value")
    sheet.write(1, 1, 44621, xlwt.easyxf(num_format_str="yyyy-mm-dd"))
    table = read(saved(book), contract=CELLS, name="b.xls")
    assert (table.frame["value"].to_list(), table.date_epoch) == (["2026-03-02"], 1904)
    rows = [["part", "value"], ["P", 1]]
    assert read(xls({"A": rows}), contract=CELLS, name="b.xls").date_epoch == 1900
    assert read(ods({"A": rows}), contract=CELLS, name="b.ods").date_epoch == 1900


def test_an_ods_that_unfolds_without_end_is_refused(read):
    body = f'<table:table-row table:number-rows-repeated="99999999">{cell("part")}{cell("qty")}</table:table-row>'
    with pytest.raises(FileRejected) as refused:
        read(ods({"A": body}), name="b.ods")
    assert refused.value.code == "too_large"


def test_encrypted_and_damaged_books_are_refused_in_words(read):
    locked = packed("\x00locked", '<manifest><encryption-data xmlns="x"/></manifest>')
    for content, words in [
        (locked, "encrypted"),
        (ods(filled([1]))[:300], "cut or damaged"),
        (packed("<office"), "damaged"),
        (packed('<!DOCTYPE w [<!ENTITY a "b">]><x/>'), "damaged"),
        (xls(filled([1]))[:700], "cut or damaged"),
    ]:
        with pytest.raises(FileRejected, match=words) as refused:
            read(content, name="b")
        assert refused.value.code in ("archive", "workbook")


def test_an_encrypted_workbook_in_an_ole_container_is_refused_in_words(read):
    with pytest.raises(FileRejected, match="encrypted") as refused:
        read(renamed(xls(filled([1])), "Workbook", "EncryptedPackage"), name="b.xlsx")
    assert refused.value.code == "archive"
    with pytest.raises(FileRejected, match="no workbook") as refused:
        read(renamed(xls(filled([1])), "Workbook", "WordDocument"), name="b.doc")
    assert refused.value.code == "unknown_format"


def renamed(container: bytes, old: str, new: str) -> bytes:
    """An OLE container whose one stream has another name."""
    at = container.index(old.encode("utf-16-le"))
    entry = new.encode("utf-16-le").ljust(64, b"\0") + (len(new) * 2 + 2).to_bytes(2, "little")
    return container[:at] + entry + container[at + 66 :]


def test_other_zip_archives_are_refused_in_words(read):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("xl/workbook.bin", b"x")
    with pytest.raises(FileRejected, match=r"\.xlsb"):
        read(buffer.getvalue(), name="b.xlsb")


def parquet(frame: pl.DataFrame, **options) -> bytes:
    buffer = io.BytesIO()
    frame.write_parquet(buffer, **options)
    return buffer.getvalue()


TYPED = [
    (pl.Series([2**63 - 1, -1]), ["9223372036854775807", "-1"]),
    (pl.Series([2**64 - 1, 0], dtype=pl.UInt64), ["18446744073709551615", "0"]),
    (pl.Series([Decimal("1.50"), Decimal("-0.05")], dtype=pl.Decimal(18, 2)), ["1.50", "-0.05"]),
    (pl.Series([0.1 + 0.2, 1e-7]), ["0.30000000000000004", "0.0000001"]),
    (pl.Series([0.1, 5.0], dtype=pl.Float32), ["0.1", "5"]),
    (pl.Series([math.nan, 12.0]), ["NaN", "12"]),
    (pl.Series([True, False]), ["true", "false"]),
    (pl.Series([dt.date(2026, 3, 4), None]), ["2026-03-04", None]),
    (pl.Series([dt.datetime(2026, 3, 4), None]), ["2026-03-04", None]),
    (pl.Series([dt.datetime(2026, 3, 4), dt.datetime(2026, 3, 4, 1, 2, 3, 450_000)]),
     ["2026-03-04 00:00:00", "2026-03-04 01:02:03.450"]),
    (pl.Series([dt.datetime(2026, 1, 4, 12), dt.datetime(2026, 7, 4, 12)]).dt.replace_time_zone("Europe/Paris"),
     ["2026-01-04T12:00:00+01:00", "2026-07-04T12:00:00+02:00"]),
    (pl.Series([dt.time(1, 2, 3), None]), ["01:02:03", None]),
    (pl.Series([["a", "b"], None]), ["a;b", None]),
    (pl.Series([{"x": Decimal("1.50"), "y": [dt.date(2026, 1, 2)]}, {"x": None, "y": []}]),
     ['{"x":"1.50","y":["2026-01-02"]}', '{"x":null,"y":[]}']),
    (pl.Series([b"abc", b"\xff\x00"]), ["abc", "0xff00"]),
    (pl.Series(["00123", "NA"]), ["00123", "NA"]),
    (pl.Series(["00123", "None"], dtype=pl.Categorical), ["00123", "None"]),
    (pl.Series([None, None]), [None, None]),
]  # fmt: skip


@pytest.mark.parametrize(("column", "expected"), TYPED)
def test_typed_columns_of_parquet_become_exact_text(read, column, expected):
    table = read(parquet(pl.DataFrame({"part": ["A", "B"], "value": column})), contract=CELLS, name="p.parquet")
    assert table.frame["value"].to_list() == expected
    assert table.format == "parquet"
    assert (table.ledger.lines, table.ledger.data) == (2, 2)


def test_other_books_are_read_in_the_child_process_too(tmp_path):
    rows = [["from_system", "to_system", "type"], ["a", "b", "power"], ["b", "c", "network"]]
    contents = {
        "xls": xls({"A": rows}),
        "ods": ods({"A": rows}),
        "parquet": parquet(pl.DataFrame(rows[1:], schema=rows[0], orient="row")),
    }
    contract = load_contracts()["dependencies"]
    reader = Reader()
    try:
        for form, content in contents.items():
            (tmp_path / form).write_bytes(content)
            table = reader.parse(tmp_path / form, f"list.{form}", Source(dataset="dependencies", files="*"), contract)
            assert table.format == form
            assert table.frame.select("from_system", "to_system", "type").rows() == [
                ("a", "b", "power"),
                ("b", "c", "network"),
            ]
    finally:
        reader.close()


@pytest.mark.parametrize("compression", ["zstd", "snappy", "gzip", "lz4", "uncompressed"])
def test_parquet_however_compressed(read, compression):
    frame = pl.DataFrame({"part": ["A", "B"], "qty": [1, 2]})
    table = read(parquet(frame, compression=compression), name="p.parquet")
    assert table.frame.select("part", "qty", "_row").rows() == [("A", "1", 1), ("B", "2", 2)]


def test_b10_an_identifier_kept_as_a_float_in_parquet_is_refused(read):
    frame = pl.DataFrame({"part": [8939010102358478435.0, 123.0], "value": [1, 2]})
    table = read(parquet(frame), contract=CELLS, name="p.parquet")
    assert table.frame["part"].to_list() == ["123"]
    assert [(refused.row, refused.rule) for refused in table.rejected] == [(1, "long_number")]
    assert "row 1, column 'part'" in table.rejected[0].message


def test_a_cut_parquet_file_is_refused(read):
    with pytest.raises(FileRejected) as refused:
        read(parquet(pl.DataFrame({"part": ["A"], "qty": [1]}))[:-20], name="p.parquet", contract=PARTS)
    assert refused.value.code == "workbook"
