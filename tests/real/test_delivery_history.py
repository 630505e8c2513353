"""G8: a public history of ten thousand deliveries, from the inbox to the warehouse, with the right answers."""

import shutil
from decimal import Decimal

import pytest

from tests.turnup import small_programme
from turnup.refresh import refresh
from turnup.warehouse.connection import connect

WEEK = "2026-W40"
SOURCE = '  deliveries: {dataset: shipments, files: "SCMS*.csv", owner: Logistics}\n'


@pytest.fixture(scope="module")
def warehouse(cases, tmp_path_factory):
    home = small_programme.made(tmp_path_factory.mktemp("history") / "home")
    with home.configuration.open("a", encoding="utf-8") as file:
        file.write(SOURCE)
    shutil.copy(cases / "supply/logistics/SCMS_Delivery_History_Dataset.csv", home.inbox / "2026-09-28")
    return refresh(home, WEEK, small_programme.CLOSED[WEEK]).database


@pytest.fixture
def ask(warehouse):
    def query(sql):
        with connect(warehouse, read_only=True) as con:
            return con.sql(sql).fetchall()

    return query


def test_g8_every_row_is_accepted(ask):
    assert ask("SELECT rows_read, accepted, quarantined, balanced FROM meta.ledger WHERE dataset = 'shipments'") == [
        (10_324, 10_324, 0, True)
    ]
    assert ask("SELECT format FROM meta.ledger WHERE dataset = 'shipments'") == [("delivery_history",)]
    totals = "SELECT sum(quantity)::BIGINT, sum(value), count(DISTINCT destination) FROM stg.shipments"
    assert ask(totals) == [(189_265_090, Decimal("1627584457.29"), 43)]
    assert ask("SELECT count(*) FROM stg.shipments WHERE destination = 'Côte d''Ivoire'") == [(1_083,)]


def test_g8_lateness(ask):
    query = """SELECT count(*) FILTER (days_late = 0), count(*) FILTER (days_late < 0), count(*) FILTER (days_late > 0),
        round(avg(days_late) FILTER (days_late > 0), 1), max(days_late), min(days_late) FROM core.shipment_lines"""
    assert ask(query) == [(6_324, 2_814, 1_186, 21.4, 192, -372)]


def test_g8_m27_charges_are_numbers_or_reasons(ask):
    query = """SELECT numbers, total, included, separate, "references", references_to_numbers, unresolved, blank
        FROM core.charge_totals WHERE charge = '{}'"""
    assert ask(query.format("freight_cost")) == [(6_198, Decimal("68817849.410"), 1_442, 239, 2_445, 2_340, 0, 0)]
    assert ask(query.format("weight_kg"))[0][0] == 6_372
    assert ask(query.format("weight_kg"))[0][3:5] == (1_507, 2_445)
    assert ask(query.format("insurance"))[0][7] == 287


def test_g8_m28_every_reference_is_resolved_once(ask):
    query = """SELECT resolved, count(*) FROM core.shipment_charges
        WHERE charge = 'freight_cost' AND reason = 'reference' GROUP BY 1 ORDER BY 1"""
    assert ask(query) == [("number", 2_340), ("separate", 105)]
    own = "SELECT sum(freight_cost) FROM stg.shipments"
    assert ask(own) == [(Decimal("68817849.41"),)]  # the shared figure stands in one row only


def test_g8_order_days_keep_their_reasons(ask):
    query = "SELECT _absent['ordered'] AS reason, count(*), count(ordered) FROM stg.shipments GROUP BY 1 ORDER BY 1"
    assert ask(query) == [("not_applicable", 5_404, 0), ("not_captured", 328, 0), (None, 4_592, 4_592)]
    assert ask("SELECT count(*) FROM stg.shipments WHERE mode IS NULL") == [(360,)]


def test_g8_m48_orders_split_over_shipments(ask):
    query = """SELECT po, count(DISTINCT shipment_key) AS n FROM stg.shipments GROUP BY po HAVING n > 1
        ORDER BY n DESC, po"""
    found = ask(query)
    assert (len(found), found[0]) == (389, ("SCMS-162440", 20))


def test_g8_m61_steps_out_of_order_are_left_out_of_lead_times(ask):
    query = "SELECT step_fault, count(*), count(lead_days) FROM core.shipment_lines GROUP BY 1 ORDER BY 1"
    assert ask(query) == [
        ("delivered before it was ordered", 5, 0),
        ("recorded before it was delivered", 3, 0),
        (None, 10_316, 4_592 - 5 - 3),
    ]
    assert ask("SELECT count(*) FROM mart.findings WHERE code = 'step_order'")[0][0] >= 1


def test_g8_m64_terms(ask):
    query = "SELECT incoterm_now, count(*) FROM core.shipment_lines WHERE incoterm = 'DDU' GROUP BY 1"
    assert ask(query) == [("DAP", 15)]
    message = "SELECT message FROM mart.findings WHERE code = 'obsolete_incoterm'"
    assert ask(message) == [("DDU on 15 lines is no term of Incoterms 2020; read as DAP",)]
