"""From files in the inbox to the staged state as of a cut-off, with every line accounted for."""

from datetime import UTC, datetime

import pytest

from expectations.contract import load_contracts
from turnup.ingest import claims, ingest_dataset
from turnup.landing import Landing
from turnup.plan import plan_week
from turnup.programme import Home
from turnup.warehouse.connection import connect
from turnup.warehouse.parts import PartStore
from turnup.warehouse.stage import COMPARED, stage
from turnup.warehouse.told import TOLD

NOW = datetime(2026, 11, 1, tzinfo=UTC)
CONFIGURATION = """name: Aurora
time_zone: UTC
first_week: 2026-W40
sources:
  sites: {dataset: sites, files: "sites*.csv", owner: Ana Ruiz, max_age_days: 8}
  receipts: {dataset: receipts, files: "grn*.csv", mode: events, owner: Dock}
  bill: {dataset: bom, files: "bill*.csv", owner: Design}
"""
SITES = "site_id,name,facility\nABQ,Albuquerque,first_party\n"
RECEIPT = "receipt,line,part_number,site_id,place,qty_good,received\n"


@pytest.fixture
def home(tmp_path):
    home = Home(tmp_path)
    home.playbooks.mkdir()
    home.inbox.mkdir()
    home.configuration.write_text(CONFIGURATION, encoding="utf-8")
    return home


def drop(home, path, text):
    file = home.inbox / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def staged(home, week, query, now=NOW):
    programme, contracts = home.load(), load_contracts()
    landing = Landing(home, programme.time_zone)
    landing.scan(NOW)
    for dataset in ("sites", "receipts", "bom"):
        ingest_dataset(
            PartStore(home.store),
            landing,
            dataset,
            contracts[dataset],
            claims(programme, landing.deliveries(), contracts, landing),
        )
    plan = plan_week(home, programme, contracts, landing, week, now)
    with connect() as con:
        stage(con, home, programme, plan, contracts)
        return con.sql(query).fetchall()


def test_the_newest_snapshot_before_the_cut_off_counts(home):
    drop(home, "2026-10-01/sites.csv", SITES)
    drop(home, "2026-10-08/sites.csv", SITES + "DUB,Dublin,colo\n")
    drop(home, "2026-10-09T1800/sites.csv", SITES + "DUB,Dublin,colo\nORD,Chicago,colo\n")  # at the cut-off: too late
    query = "SELECT count(*) FROM stg.sites"
    assert staged(home, "2026-W40", query) == [(1,)]
    assert staged(home, "2026-W41", query) == [(2,)]
    assert staged(home, "2026-W42", query) == [(3,)]


def test_a_snapshot_sent_again_is_in_force_again(home):
    drop(home, "2026-10-01/sites.csv", SITES)
    drop(home, "2026-10-02T0100/sites.csv", SITES + "DUB,Dublin,colo\n")
    drop(home, "2026-10-02T0200/sites.csv", SITES)
    assert staged(home, "2026-W40", "SELECT count(*) FROM stg.sites") == [(1,)]


def test_events_add_up_and_the_newest_of_a_key_counts_once(home):
    drop(home, "2026-10-01/grn1.csv", RECEIPT + "R1,1,P,ABQ,site,5,2026-09-30\nR2,1,P,ABQ,site,7,2026-09-30\n")
    drop(home, "2026-10-02/grn2.csv", RECEIPT + "r1 ,1,P,ABQ,site,4,2026-10-01\n")  # corrects R1
    drop(home, "2026-10-03/grn1 again.csv", RECEIPT + "R3,1,P,ABQ,site,1,2026-10-02\n")
    query = "SELECT receipt_key, qty_good::INT FROM stg.receipts ORDER BY 1"
    assert staged(home, "2026-W41", query) == [("r1", 4), ("r2", 7), ("r3", 1)]


def test_rows_read_are_rows_accepted_and_rows_quarantined(home):
    drop(home, "2026-10-01/sites.csv", SITES + "DUB,Dublin,barn\n,Nowhere,colo\nORD,Chicago,colo\n")
    query = "SELECT rows_read, accepted, quarantined, balanced FROM meta.ledger"
    assert staged(home, "2026-W40", query) == [(4, 2, 2, True)]
    faults = staged(home, "2026-W40", "SELECT row, column_name, value, rule, owner FROM meta.quarantine ORDER BY row")
    assert faults == [(3, "facility", "barn", "enum", "Ana Ruiz"), (4, "site_id", None, "required", "Ana Ruiz")]


def test_a_refused_file_leaves_the_earlier_one_in_force_and_is_named(home):
    drop(home, "2026-10-01/sites.csv", SITES)
    drop(home, "2026-10-02/sites.csv", SITES.replace("facility", "facilty type code"))
    assert staged(home, "2026-W40", "SELECT count(*) FROM stg.sites") == [(1,)]
    (row,) = staged(home, "2026-W40", "SELECT file, state, newer_rejected FROM meta.sources WHERE source = 'sites'")
    assert row == ("2026-10-01/sites.csv", "fresh", True)
    assert staged(home, "2026-W40", "SELECT count(*) FROM meta.ledger WHERE NOT balanced") == [(0,)]
    codes = staged(home, "2026-W40", "SELECT code FROM meta.file_findings WHERE severity = 'error'")
    assert codes == [("unknown_column",)]


def test_a_source_grows_stale_and_an_unchanged_resend_renews_it(home):
    drop(home, "2026-10-01/sites.csv", SITES)
    query = "SELECT state FROM meta.sources WHERE source = 'sites'"
    assert staged(home, "2026-W40", query) == [("fresh",)]
    assert staged(home, "2026-W41", query) == [("stale",)]
    drop(home, "2026-10-08/sites.csv", SITES)
    assert staged(home, "2026-W41", query) == [("fresh",)]


def test_a_file_no_source_takes_is_a_finding(home):
    drop(home, "2026-10-01/mystery.csv", "a,b\n1,2\n")
    query = "SELECT file, code FROM meta.file_findings"
    assert staged(home, "2026-W40", query) == [("2026-10-01/mystery.csv", "unclaimed_file")]


def test_every_dataset_has_a_typed_table_even_without_files(home):
    query = "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'stg'"
    assert staged(home, "2026-W40", query) == [(len(load_contracts()) + len(COMPARED) + len(TOLD),)]
    kinds = """SELECT typeof(quantity), typeof(contract_date), typeof(line_key)
        FROM (SELECT NULL) LEFT JOIN stg.commitments ON true"""
    assert staged(home, "2026-W40", kinds) == [("DECIMAL(18,3)", "DATE", "VARCHAR")]


def test_a_file_is_read_once_for_all_weeks(home):
    drop(home, "2026-10-01/sites.csv", SITES)
    staged(home, "2026-W40", "SELECT 1")
    parts = sorted((home.store / "parts").rglob("*.parquet"))
    staged(home, "2026-W42", "SELECT 1")
    assert sorted((home.store / "parts").rglob("*.parquet")) == parts


@pytest.mark.parametrize(
    ("now", "data_at", "as_of"),
    [
        (datetime(2026, 10, 7, tzinfo=UTC), datetime(2026, 10, 6, 14, 30), "2026-10-06"),  # open: the newest receipt
        (datetime(2026, 10, 5, tzinfo=UTC), datetime(2026, 10, 6, 14, 30), "2026-10-06"),
        (datetime(2026, 10, 10, tzinfo=UTC), datetime(2026, 10, 9, 18, 0), "2026-10-09"),  # closed: the cut-off
    ],
)
def test_an_open_week_ends_with_its_newest_receipt(home, now, data_at, as_of):
    drop(home, "2026-10-01/sites.csv", SITES)
    drop(home, "2026-10-06T1430/sites.csv", SITES)
    query = "SELECT cut_off, closes_at, as_of::VARCHAR FROM meta.week"
    assert staged(home, "2026-W41", query, now) == [(data_at, datetime(2026, 10, 9, 18, 0), as_of)]


def test_an_open_week_without_receipts_stands_at_its_start(home):
    drop(home, "2026-10-01/sites.csv", SITES)
    query = "SELECT cut_off FROM meta.week"
    assert staged(home, "2026-W41", query, datetime(2026, 10, 5, tzinfo=UTC)) == [(datetime(2026, 10, 2, 18, 0),)]


def test_a_bill_is_compared_with_the_one_before_also_when_it_is_sent_again(home):
    head = "system_id,line,part_number,quantity\n"
    first, second = head + "S,1,P-A,1\n", head + "S,1,P-B,2\n"
    query = "SELECT part_number, _source, _replaced_at FROM stg.bom_before"
    drop(home, "2026-10-01/bill.csv", first)
    assert staged(home, "2026-W40", query) == []
    drop(home, "2026-10-06/bill.csv", second)
    drop(home, "2026-10-13/bill.csv", second)
    replaced = datetime(2026, 10, 6)
    assert staged(home, "2026-W41", query) == [("P-A", "bill", replaced)]
    assert staged(home, "2026-W42", query) == [("P-A", "bill", replaced)]
    drop(home, "2026-10-20/bill.csv", first)
    assert staged(home, "2026-W43", query) == [("P-B", "bill", datetime(2026, 10, 20))]
