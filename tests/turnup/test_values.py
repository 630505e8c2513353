"""From a file in the inbox to the staged values: precision, reasons and proofs reach the week's tables."""

import io
from datetime import UTC, date, datetime

import pytest
import xlsxwriter

from expectations.contract import load_contracts
from turnup.ingest import claims, ingest_dataset
from turnup.landing import Landing
from turnup.plan import plan_week
from turnup.programme import Home
from turnup.warehouse.connection import connect
from turnup.warehouse.parts import PartStore
from turnup.warehouse.stage import stage

NOW = datetime(2026, 11, 1, tzinfo=UTC)


def staged(folder, files, query, keys="", programme=""):
    """The answer to a query over the staged week of shipment files, read under the given source keys."""
    home = Home(folder)
    home.playbooks.mkdir(exist_ok=True)
    home.configuration.write_text(
        f"name: Aurora\ntime_zone: UTC\nfirst_week: 2026-W40\n{programme}sources:\n  asn:\n    dataset: shipments\n"
        f'    files: "asn*"\n    owner: Dock\n    mode: events\n{keys}',
        encoding="utf-8",
    )
    for name, content in files.items():
        file = home.inbox / "2026-10-01" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    configuration, contracts = home.load(), load_contracts()
    landing = Landing(home, "UTC")
    landing.scan(NOW)
    claimed = claims(configuration, landing.deliveries(), contracts, landing)
    ingest_dataset(PartStore(home.store), landing, "shipments", contracts["shipments"], claimed)
    plan = plan_week(home, configuration, contracts, landing, "2026-W40", NOW)
    with connect() as con:
        stage(con, home, configuration, plan, contracts)
        return con.sql(query).fetchall()


HEAD = "shipment,line,part_number,quantity,po,eta,value\n"
NOTES = "SELECT line, eta, _precision, _earliest, _absent FROM stg.shipments ORDER BY line"


def test_m34_precision_and_reasons_reach_the_staged_table(tmp_path):
    text = HEAD + "A,1,P,4,9,2026-09-18,10\nA,2,P,4,9,wk 41 2026,TBD\nA,3,P,4,9,N/A,See ASN-93 (ID#:1281)\n"
    rows = staged(tmp_path, {"asn.csv": text}, NOTES, "    references: {value: 'ID#:(\\d+)'}\n")
    assert rows == [
        ("1", date(2026, 9, 18), None, None, None),
        ("2", date(2026, 10, 11), {"eta": "week"}, {"eta": date(2026, 10, 5)}, {"value": "unknown"}),
        ("3", None, None, None, {"eta": "not_applicable", "value": "reference:1281"}),
    ]


def test_m28_a_reference_is_resolved_in_sql(tmp_path):
    text = HEAD + "A,1281,P,4,9,,10\nA,1282,P,4,9,,See ASN-93 (ID#:1281)\n"
    query = """SELECT s.line, t.value::INT FROM stg.shipments AS s JOIN stg.shipments AS t
        ON s._absent['value'] = 'reference:' || t.line"""
    assert staged(tmp_path, {"asn.csv": text}, query, "    references: {value: 'ID#:(\\d+)'}\n") == [("1282", 10)]


def test_m31_a_proved_order_is_told_of_its_file(tmp_path):
    text = HEAD + "A,1,P,4,9,3/4/2026,\nA,2,P,4,9,15/12/2026,\n"
    query = "SELECT file, column_name, value FROM meta.file_findings WHERE code = 'date_order_proved'"
    assert staged(tmp_path, {"asn.csv": text}, query) == [("2026-10-01/asn.csv", "eta", "15/12/2026")]
    assert staged(tmp_path, {}, "SELECT eta FROM stg.shipments ORDER BY line") == [
        (date(2026, 4, 3),), (date(2026, 12, 15),),
    ]  # fmt: skip


def test_m34_the_fiscal_year_is_the_programmes_or_the_sources(tmp_path):
    text = HEAD + "A,1,P,4,9,Q3 FY27,\n"
    query = "SELECT eta FROM stg.shipments"
    refused = "SELECT rule FROM meta.quarantine"
    assert staged(tmp_path, {"asn.csv": text}, refused) == [("fiscal_year",)]
    assert staged(tmp_path, {}, query, programme="fiscal_year_start: 10\n") == [(date(2027, 6, 30),)]
    own = "    fiscal_year_start: 2\n"
    assert staged(tmp_path, {}, query, own, programme="fiscal_year_start: 10\n") == [(date(2026, 10, 31),)]


def test_m34_a_dated_file_name_gives_the_year_of_a_week(tmp_path):
    text = HEAD + "A,1,P,4,9,wk 3,\n"
    assert staged(tmp_path, {"asn-2026-12-10.csv": text}, "SELECT rule FROM meta.quarantine") == [
        ("week_without_year",)
    ]
    keys = "    exported_at: file_name\n"
    assert staged(tmp_path, {}, "SELECT eta FROM stg.shipments", keys) == [(date(2027, 1, 24),)]


def test_the_ledger_still_balances(tmp_path):
    text = HEAD + "A,1,P,TBD,9,soon,\nA,2,P,4,9,wk 41 2026,\nA,2,P,4,9,wk 41 2026,\nA,3,P,4,9,2026-09-18,x\n"
    query = "SELECT rows_read, accepted, quarantined, balanced FROM meta.ledger"
    assert staged(tmp_path, {"asn.csv": text}, query) == [(4, 1, 3, True)]
    faults = staged(tmp_path, {}, "SELECT row, column_name, rule FROM meta.quarantine ORDER BY ALL")
    assert faults == [
        (2, "eta", "type"), (2, "quantity", "required"), (4, "shipment, line", "duplicate_row"), (5, "value", "type"),
    ]  # fmt: skip


@pytest.mark.parametrize(("text", "rows"), [("", 0), ("A,1,P,4,9,wk 41 2026,\n", 1)])
def test_a_file_with_no_row_or_only_unusual_rows(tmp_path, text, rows):
    assert staged(tmp_path, {"asn.csv": HEAD + text}, "SELECT count(*) FROM stg.shipments") == [(rows,)]


def book(cells, settings=None):
    """A workbook of one sheet; bare numbers stay bare."""
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True, **(settings or {})}) as made:
        sheet = made.add_worksheet("ASN")
        for row, values in enumerate(cells):
            sheet.write_row(row, 0, values)
    return stream.getvalue()


@pytest.mark.parametrize(("settings", "serial"), [({}, 46283), ({"date_1904": True}, 44821)])
def test_m33_the_epoch_is_the_workbooks_own(tmp_path, settings, serial):
    names = HEAD.strip().split(",")
    content = book([names, ["A", 1, "P", 4, 9, serial, ""], ["A", 2, "P", 4, 9, 0, ""]], settings)
    rows = staged(tmp_path, {"asn.xlsx": content}, "SELECT eta, _absent FROM stg.shipments ORDER BY line")
    assert rows == [(date(2026, 9, 18), None), (None, {"eta": "no_date"})]


def test_m33_a_bare_number_in_text_is_no_day(tmp_path):
    text = HEAD + "A,1,P,4,9,46283,\n"
    assert staged(tmp_path, {"asn.csv": text}, "SELECT column_name, rule FROM meta.quarantine") == [("eta", "type")]
    rows = staged(tmp_path, {}, "SELECT eta FROM stg.shipments", "    dates: {eta: serial}\n")
    assert rows == [(date(2026, 9, 18),)]
