"""Numbers that a workbook keeps as numbers, in a source with a decimal comma: 12.345 is never twelve thousand."""

import io
import json

import openpyxl
import pytest

from expectations.contract import load_contracts
from tests.formats.tabular.writers import ods, xls

ORDERS = load_contracts()["purchase_orders"]
ROWS = [
    ["PO No", "Line No", "Part No", "Qty", "Supplier", "Status", "Unit Price"],
    ["1", 1, 12.345, 12.345, "X", "open", "12.345"],
    ["1", 2, "A", "12.345", "X", "open", 12.345],
    ["1", 3, "A", 1.5, "X", "open", "1.234,56"],
    ["1", 4, "A", 1000, "X", "open", -0.125],
    ["1", 5, "A", 12.375, "X", "open", 123.125 + 1e-13],
]
# Per row the part, quantity and price in the source's own marks: the text 12.345 is grouped, the number has decimals.
EXPECTED = [
    ("12.345", "12,345", "12.345"), ("A", "12.345", "12,345"), ("A", "1,5", "1.234,56"), ("A", "1000", "-0,125"),
    ("A", "12,375", "123,125"),
]  # fmt: skip


def xlsx(sheets) -> bytes:
    book = openpyxl.Workbook()
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    del book["Sheet"]
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


@pytest.mark.parametrize(("name", "write"), [("a.xlsx", xlsx), ("a.xls", xls), ("a.ods", ods)])
def test_m26_a_number_of_a_workbook_keeps_its_decimals_in_a_comma_source(read, name, write):
    table = read(write({"Orders": ROWS}), contract=ORDERS, name=name, decimal=",")
    assert table.frame.select("part_number", "quantity", "unit_cost").rows() == EXPECTED
    assert [json.loads(given)["Qty"] for given in table.frame["_given"]] == [row[1] for row in EXPECTED]


def test_m26_other_columns_and_other_sources_are_left_alone(read):
    table = read(xlsx({"Orders": ROWS}), contract=ORDERS, name="a.xlsx", decimal={"unit_cost": ","})
    assert table.frame["quantity"].to_list() == ["12.345", "12.345", "1.5", "1000", "12.375"]
    assert table.frame["unit_cost"].to_list() == [row[2] for row in EXPECTED]
    text = "PO No;Line No;Part No;Qty;Supplier;Status\n1;1;A;12.345;X;open\n"
    assert read(text, contract=ORDERS, decimal=",").frame["quantity"].to_list() == ["12.345"]


def totals(read, text, **settings):
    header = "PO No;Line No;Part No;Qty;Supplier;Status\n"
    found = read(header + text, contract=ORDERS, **settings).findings
    return [(item.row, item.value) for item in found if item.code == "total_mismatch"]


PARTS = "1;1;A;5;X;open\n1;2;A;5;X;open\nSubtotal;;;%s;;\n2;1;A;7;X;open\nSubtotal;;;7;;\nGrand Total;;;%s;;\n"


@pytest.mark.parametrize(
    ("part", "whole", "wrong"), [(10, 17, []), (10, 18, [(7, "18")]), (11, 17, [(4, "11")]), (10, 10, [(7, "10")])]
)
def test_m07_every_total_of_several_is_a_control_total(read, part, whole, wrong):
    assert totals(read, PARTS % (part, whole)) == wrong


def test_m26_totals_with_a_decimal_comma(read):
    rows = "1;1;A;1.002,5;X;open\n1;2;A;1,5;X;open\nTotal;;;%s;;\n"
    assert totals(read, rows % "1.004", decimal=",") == []
    assert totals(read, rows % "1.004,5", decimal=",") == [(4, "1004.5")]
