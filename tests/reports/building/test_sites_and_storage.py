"""Sections 2, 7b and 7c on scope, idle capacity, storage and halls, from databases worked by hand elsewhere."""

from datetime import date

import pytest

from reports.build.sections.halls import hall_blocks
from reports.build.sections.scope import scope_blocks
from reports.build.sections.storage import storage_blocks
from reports.build.warehouse import Warehouse
from reports.build.week import week_of
from reports.models.common import Paragraph
from reports.wording import DASH
from tests.readiness.cluster import BASELINES, cluster, line
from tests.readiness.test_halls import block, hall, later, system
from tests.readiness.tiny import built
from tests.reports.sample_warehouse import build_sample


def texts(found):
    return [[cell.text for cell in row.cells] for row in found.rows]


@pytest.fixture(scope="module")
def week():
    """A cluster with an amended line and an option, a store, and a hall that runs out for two weeks."""
    data = cluster(4)
    money = {"unit_cost": 1000, "currency": "USD", "billing_start": date(2026, 10, 1)}
    data["commitments"] = [
        line("TRAIN-1", "1", 24, date(2026, 10, 1), **money),
        line("TRAIN-1", "1", 48, date(2026, 10, 20), amendment=1, reason="more", decision_id="D-9", **money),
        line("TRAIN-1", "2", 8, date(2027, 1, 1), is_option=True),
    ]
    data["facility_capacity"] += [
        hall("A", kw=300), hall("A", "2", kw=200, **later(date(2026, 12, 11))),
    ]  # fmt: skip
    for row in data["facility_capacity"]:
        row["site_id"] = "DFW1"
    data["systems"][0]["hall"] = "H1"
    data["systems"].append(system("G", 390, racks=3, site_id="DFW1", hall="A"))
    data["systems"].append(system("STO", None, racks=None, site_id="DFW1", hall="H1", kind="storage", priority=9))
    data["blocks"] = [
        block("G", "B1", order=1, install_date=date(2026, 10, 1)),
        block("G", "B2", order=2, install_date=date(2026, 11, 11)),
        block("G", "B3", order=3, install_date=date(2026, 11, 25)),
    ]
    con = built(data, acceptance=BASELINES)
    con.execute("INSERT INTO meta.ledger (dataset, rows_read) VALUES ('facility_capacity', 3)")
    return week_of(Warehouse(con))


def test_headroom_by_week_and_what_is_not_known(week):
    blocks = {one.id: one for one in hall_blocks(week)}
    found = {(row[0], row[1]): row[2:] for row in texts(blocks["S7c-headroom"])}
    # 130 kW a block: 30 October, then the ends of weeks 1, 2, 3, 4, 6, 8, 10, 13 and 26
    assert found["DFW1 A", "power"] == ["300", "170", "170", "40", "40", "−90", "110", "110", "110", "110", "110"]
    assert found["DFW1 H1", "power"] == ["200", *["not known"] * 10]
    assert texts(blocks["S7c-runouts"])[0][:8] == [
        "DFW1 A", "power", "27 Nov 26", "300", "390", "90", "G B3", "11 Dec 26",
    ]  # fmt: skip


def test_amendments_show_as_scope(week):
    blocks = {one.id: one for one in scope_blocks(week)}
    assert [[*row[:1], *row[2:8], *row[10:]] for row in texts(blocks["S2-amendments"])] == [
        ["C-1/1/1", "0", "superseded", "24 GPUs", DASH, "1 Oct 26", DASH, DASH, DASH],
        ["C-1/1/1", "1", "in force", "48 GPUs", "+24", "20 Oct 26", "+19 d", "more", "D-9"],
        ["C-1/2/1", "0", "option not exercised", "8 GPUs", DASH, "1 Jan 27", DASH, DASH, DASH],
    ]


def test_idle_capacity_by_line_and_by_kind_and_week(week):
    blocks = {one.id: one for one in scope_blocks(week)}
    # 16 of 48 x 1000 x 12 / 365 x 29 days
    (row,) = texts(blocks["S2-idle"])
    assert row[2:4] == ["16 GPUs", "29 d"]
    assert row[4] == "USD 15k"
    (kind,) = texts(blocks["S2-idle-weeks"])
    assert kind[1] == row[4]


def test_a_store_nobody_has_seen_says_so(week):
    found = storage_blocks(week)
    (row,) = texts(found[0])
    assert (row[1], row[4], row[8]) == (DASH, "no data", "no data: no demand is known")
    assert any(isinstance(one, Paragraph) and "no demand is known of STO" in one.text for one in found)


def test_nothing_is_said_of_what_a_programme_does_not_have():
    week = week_of(Warehouse(build_sample()))
    assert storage_blocks(week) == []
    assert [one.text for one in hall_blocks(week) if isinstance(one, Paragraph)] == [
        "no data: facility_capacity not delivered"
    ]
