"""Templates of all datasets: empty they hold no row, filled exactly the rows that were typed, without any mapping."""

import datetime as dt
import io
from pathlib import Path

import openpyxl
import pytest
from typer.testing import CliRunner

from expectations.contract import load_contracts
from pipelines.cli import app
from reports.workbooks.template import EXPLAINED, asked, heading, must_be_given, template
from turnup.formats import parse
from turnup.ingest import claims, ingest_dataset
from turnup.landing import Landing
from turnup.programme import Home, Source
from turnup.warehouse.connection import connect
from turnup.warehouse.parts import PartStore

CONTRACTS = {name: asked(contract) for name, contract in load_contracts().items()}
LONG_SERIAL = "8939010102358478435"


def book(contract):
    return openpyxl.load_workbook(io.BytesIO(template(contract)))


def typed(column, number):
    """A value as a person types it into the template; keys differ from row to row."""
    match column.type:
        case "date":
            return dt.date(2026, 9, number)
        case "ts":
            return f"2026-09-{number:02d}T16:00:00Z"
        case "id":
            return f"00{number}"
        case "enum":
            return column.example or column.values[0]
        case "text" | "bool" | "local":
            return column.example
    return float(column.example) if "." in (column.example or "") else int(column.example or 1)


def fill(contract, path, rows):
    filled = book(contract)
    sheet = filled.worksheets[0]
    for number in rows:
        for place, column in enumerate(contract.columns, start=1):
            cell = sheet.cell(row=2 + number, column=place)
            cell.value = typed(column, number)
    filled.save(path)


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """Every template filled with two rows and put into an inbox whose sources say dataset and files only."""
    home = Home(tmp_path_factory.mktemp("templates"))
    folder = home.inbox / "2026-10-01"
    folder.mkdir(parents=True)
    sources = "".join(f'  {name}: {{dataset: {name}, files: "{name}.xlsx"}}\n' for name in CONTRACTS)
    home.configuration.write_text(f"name: T\ntime_zone: UTC\nfirst_week: 2026-W40\nsources:\n{sources}", "utf-8")
    for name, contract in CONTRACTS.items():
        fill(contract, folder / f"{name}.xlsx", (1, 2))
    programme, landing = home.load(), Landing(home, "UTC")
    landing.scan(dt.datetime(2026, 11, 1, tzinfo=dt.UTC))
    claimed = claims(programme, landing.deliveries(), CONTRACTS, landing)
    return home, {
        name: ingest_dataset(PartStore(home.store), landing, name, CONTRACTS[name], claimed) for name in CONTRACTS
    }


@pytest.mark.parametrize("dataset", CONTRACTS)
def test_an_untouched_template_has_no_row(dataset, tmp_path):
    file = tmp_path / f"{dataset}.xlsx"
    file.write_bytes(template(CONTRACTS[dataset]))
    table = parse(file, file.name, Source(dataset=dataset, files="*.xlsx"), CONTRACTS[dataset])
    assert (table.ledger.data, table.ledger.rejected, table.ledger.header, table.ledger.comment) == (0, 0, 1, 1)
    assert table.ledger.balanced


@pytest.mark.parametrize("dataset", CONTRACTS)
def test_a_filled_template_has_exactly_its_rows(dataset, read):
    home, summaries = read
    summary = summaries[dataset]
    assert (summary.files, summary.accepted, summary.quarantined) == (1, 2, 0)
    contract = CONTRACTS[dataset]
    with connect() as con:
        rows = con.sql(f"FROM {PartStore(home.store).scan(con, dataset, [dataset])} ORDER BY _row").pl().to_dicts()
    assert [row["_row"] for row in rows] == [3, 4]
    for number, row in enumerate(rows, start=1):
        for column in contract.columns:
            if column.type in ("id", "date"):
                assert row[column.name] == typed(column, number), column.name


def test_the_example_row_may_be_overwritten(tmp_path):
    contract = CONTRACTS["sites"]
    filled = book(contract)
    sheet = filled.worksheets[0]
    for place, column in enumerate(contract.columns, start=1):
        sheet.cell(row=2, column=place).value = typed(column, 7)
    filled.save(tmp_path / "sites.xlsx")
    table = parse(tmp_path / "sites.xlsx", "sites.xlsx", Source(dataset="sites", files="*"), contract)
    assert (table.ledger.data, table.frame.get_column("site_id").to_list()) == (1, ["007"])


def test_long_serials_stay_text(tmp_path):
    contract = CONTRACTS["installs"]
    filled = book(contract)
    place = [column.name for column in contract.columns].index("serial") + 1
    for row, serial in ((3, LONG_SERIAL), (4, "12E3")):
        for at, column in enumerate(contract.columns, start=1):
            filled.worksheets[0].cell(row=row, column=at).value = typed(column, row)
        filled.worksheets[0].cell(row=row, column=place).value = serial
    filled.save(tmp_path / "installs.xlsx")
    table = parse(tmp_path / "installs.xlsx", "installs.xlsx", Source(dataset="installs", files="*"), contract)
    assert table.frame.get_column("serial").to_list() == [LONG_SERIAL, "12E3"]


def test_headings_lists_checks_and_comments_come_from_the_contract():
    contract = CONTRACTS["systems"]
    filled = book(contract)
    data, explained = filled.worksheets
    assert [cell.value for cell in data[1]] == [heading(column) for column in contract.columns]
    assert data["A2"].value.startswith("# ")
    assert data.freeze_panes == "A2"
    assert explained.title == EXPLAINED
    by_column = {str(rule.sqref).split(":")[0][:-1]: rule for rule in data.data_validations.dataValidation}
    assert len(by_column) == len(contract.columns)
    for place, column in enumerate(contract.columns, start=1):
        cell = data.cell(row=1, column=place)
        assert column.description in cell.comment.text
        rule = by_column[cell.column_letter]
        assert rule.error
        if column.type in ("id", "text"):
            assert data.column_dimensions[cell.column_letter].number_format == "@"
        if column.type == "enum":
            row = next(line for line in explained.iter_rows() if line[0].value == heading(column))
            assert tuple(cell.value for cell in row[5:] if cell.value) == column.values
            assert f"$F${row[0].row}:" in rule.formula1
    assert any(must_be_given(column) and heading(column).endswith(" *") for column in contract.columns)


def test_a_template_has_the_same_bytes_every_time():
    assert template(CONTRACTS["bom"]) == template(CONTRACTS["bom"])


def test_the_command_writes_a_file_once(tmp_path):
    file = tmp_path / "bom.xlsx"
    made = CliRunner().invoke(app, ["template", "bom", "--file", str(file), "--json"])
    assert made.exit_code == 0
    assert Path(file).read_bytes() == template(CONTRACTS["bom"])
    again = CliRunner().invoke(app, ["template", "bom", "--file", str(file)])
    assert "exists already" in str(again.exception)
    unknown = CliRunner().invoke(app, ["template", "boms"])
    assert "did you mean bom?" in str(unknown.exception)
