"""The workbook: every table in full with types, an index that leads to each, text that stays text."""

from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from io import BytesIO

import openpyxl
import pytest

from reports.build.cells import figure, table, when, words
from reports.formats.xlsx import governance_xlsx
from reports.models.common import Cell, Section, Table
from reports.models.governance import GovernanceReport


def with_tables(report: GovernanceReport, *tables: Table) -> openpyxl.Workbook:
    section = Section("1", "S1", "Section", "message", tables)
    bare = replace(report, sections=(section,), sheets=(), definitions=(), evidence=())
    return openpyxl.load_workbook(BytesIO(governance_xlsx(bare)))


def test_every_table_of_every_section_is_there(workbook: openpyxl.Workbook, governance: GovernanceReport) -> None:
    titles = [sheet["A1"].value for sheet in workbook]
    wanted = [b.title for s in governance.sections for b in s.blocks if isinstance(b, Table) and b.columns]
    assert len(wanted) > 40
    assert [title for title in wanted if titles.count(title) < wanted.count(title)] == []


def test_rows_of_all_systems_stand_on_one_sheet(workbook: openpyxl.Workbook, governance: GovernanceReport) -> None:
    sheet = next(s for s in workbook if s.title.startswith("13 Systems  Contract line"))
    owners = {row[0] for row in sheet.iter_rows(min_row=5, values_only=True)}
    assert owners == {"BB-LHR1", *(s.system_id for s in governance.sheets)} & owners
    assert sheet.max_row - 4 == 12
    assert sheet["A4"].value == "System"


def test_the_index_leads_to_each_sheet_and_counts_its_rows(workbook: openpyxl.Workbook) -> None:
    index = workbook["Index"]
    links = {row[0].value: row for row in index.iter_rows() if row[0].hyperlink}
    assert set(links) == set(workbook.sheetnames) - {"Index"}
    for name, row in links.items():
        assert row[0].hyperlink.location == f"'{name.replace(chr(39), chr(39) * 2)}'!A1"
        assert row[3].value == len(list(workbook[name].iter_rows(min_row=5)))
    assert "▲ DRAFT" in [cell.value for cell in index["A"]]


def test_headings_are_frozen_and_filtered(workbook: openpyxl.Workbook) -> None:
    for sheet in workbook.worksheets[1:]:
        assert sheet.freeze_panes == "B5"
        assert sheet.auto_filter.ref.startswith("A4:")


def test_numbers_dates_and_shares_have_types(governance: GovernanceReport) -> None:
    cells = (
        words("row"), figure(Decimal("52.500")), when(date(2026, 10, 30)), Cell("89 %"), Cell("3 of 8", 3),
        Cell("−1.5 d", Decimal("-1.5")), Cell("< 1 %", Decimal("0.004")), Cell("", "red", "red"),
        figure(Decimal("12345678901234567890")),
    )  # fmt: skip
    heads = ("Id", ">Amount", "Day", ">Share", "Part", ">Days", ">Odds", "State", ">Long")
    book = with_tables(governance, table("T", "Types", heads, [cells]))
    assert [cell.value for cell in book.worksheets[1][5]] == [
        "row", 52.5, datetime(2026, 10, 30), 0.89, "3 of 8", -1.5, "< 1 %", "■ Red", "12,345,678,901,234,567,890",
    ]  # fmt: skip
    assert book.worksheets[1]["D5"].number_format == "0 %"


@pytest.mark.parametrize(
    "text", ['=HYPERLINK("http://x","y")', "-2+3", "@SUM(1)", "+1", "https://x.example", "{=1}", "007"]
)
def test_text_is_never_a_formula_a_link_or_a_number(governance: GovernanceReport, text: str) -> None:
    sheet = with_tables(governance, table("T", text, (text, "b"), [(words(text), words(text, note=text))])).worksheets[
        1
    ]
    for place in ("A1", "A4", "A5", "B5", "C5"):
        assert sheet[place].value == (f"{text}" if place != "C5" else text)
        assert sheet[place].data_type == "s"
        assert sheet[place].hyperlink is None


def test_a_text_longer_than_a_cell_says_where_the_whole_is(governance: GovernanceReport) -> None:
    book = with_tables(governance, table("T", "Long", ("a",), [(words("x" * 40_000),)]))
    value = book.worksheets[1]["A5"].value
    assert len(value) == 32_767
    assert value.endswith("[40,000 characters, whole in governance.json]")


def test_names_of_sheets_are_safe_and_unique(governance: GovernanceReport) -> None:
    titles = ("a/b*[c]", "a/b*[c]", "Index", "history", "'", "x" * 99, "X" * 99, "👷" * 40, "a" + "👷" * 40)
    names = with_tables(
        governance, *(table(f"T{n}", t, ("a",), [(words("b"),)]) for n, t in enumerate(titles))
    ).sheetnames
    assert len({name.casefold() for name in names}) == len(titles) + 2
    assert all(len(name.encode("utf-16-le")) <= 62 and not set(name) & set("[]:*?/\\") for name in names)


def test_properties_tell_the_data_date(workbook: openpyxl.Workbook) -> None:
    assert workbook.properties.created == datetime(2026, 10, 30, 23, 0)
    assert workbook.properties.title == "Governance report · 2026-W44 · Northstar build-out"
