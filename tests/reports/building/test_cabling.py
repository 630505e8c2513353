"""Section 7a shows cables by class, each check, and jobs as one walks; the workbook says the same."""

from __future__ import annotations

import io
from datetime import datetime

import openpyxl
import pytest

from reports.build.sections.cabling import cabling_blocks
from reports.build.warehouse import Warehouse
from reports.build.week import week_of
from reports.wording import DASH
from reports.workbooks.rework import COLUMNS, Job, rework_table, rework_workbook
from tests.readiness.test_link_check import plan, seen
from tests.readiness.tiny import modelled
from tests.reports.sample_warehouse import build_sample

SYSTEM = {"system_id": "S-1", "name": "S", "kind": "gpu_cluster", "site_id": "X", "supply_model": "owned"}


@pytest.fixture(scope="module")
def con():
    """Four cables: one sound with its bound shown, one dark, one down, one wrong; two share a cage."""
    ends = [(f"g{n}", "eth0", "leaf1", f"E1/{(n + 1) // 2}/{2 - n % 2}") for n in range(1, 5)]
    window = {"rx_min_dbm": -6, "rx_max_dbm": 5}
    links = [
        *(
            dict(plan(*end), system_id="S-1", a_rack="A10", a_position=f"U{n}", b_cage=f"E1/{n // 2}", a_cage="eth0")
            for n, end in enumerate(ends)
        ),
        seen(*ends[0], rx_power_dbm=-2, post_fec_ber=0, bits_counted=3e12, flaps_24h=0, **window),
        seen(*ends[1], rx_power_dbm=-9, post_fec_ber=0, **window),
        seen(*ends[2]) | {"state": "down"},
        seen("g4", "eth0", "leaf1", "E9"),
    ]
    return modelled({"systems": [SYSTEM], "links": links}, "mart.link_rework", "mart.link_health")


@pytest.fixture(scope="module")
def blocks(con):
    return {block.id: block for block in cabling_blocks(week_of(Warehouse(con)))}


def texts(block):
    return [[cell.text for cell in row.cells] for row in block.rows]


def test_classes_and_optics(blocks):
    # Four servers with a cage each, and two cages of two ports at the switch.
    assert texts(blocks["S7a-cables"]) == [["S-1", "4", "3", "1", "0", "0", "0", "0", "0", "6"]]


def test_checks(blocks):
    assert texts(blocks["S7a-links"]) == [
        ["S-1", "3", "1", "0", "0", "1 / 1", "0 / 1 / 2", "1.0e-12", "0 / 2"],
    ]


def test_jobs(blocks):
    assert blocks["S7a-rework"].title == "3 cable jobs in 2 racks"
    assert [row[2:7] for row in texts(blocks["S7a-rework"])] == [
        ["A10", "U1", "g2:eth0", "faulty", "receives -9 dBm, at least -6 needed"],
        ["A10", "U2", "g3:eth0", "down", "down"],
        [DASH, DASH, "leaf1:E1/2/2", "wrong port", "move; found g4:eth0 - leaf1:E9"],
    ]


def test_nothing_is_shown_without_cables():
    assert cabling_blocks(week_of(Warehouse(build_sample()))) == []


def jobs():
    usual = dict.fromkeys(COLUMNS, "") | {"site_id": "DFW1", "fault": "missing", "task": "connect"}
    places = [("1", "A1", "=SUM(1)"), ("2", "A1", "gpu2"), ("3", "A2", "gpu3")]
    found = [Job(**{**usual, "step": step, "rack": rack, "device": device}) for step, rack, device in places]
    return [*found, Job(**{**usual, "step": "4", "site_id": "a/b", "device": "x"})]


def test_the_workbook_has_a_sheet_a_site_text_cells_and_the_same_bytes():
    made = rework_workbook(jobs(), "Cable jobs", datetime(2026, 10, 30))
    assert made == rework_workbook(jobs(), "Cable jobs", datetime(2026, 10, 30))
    book = openpyxl.load_workbook(io.BytesIO(made))
    assert book.sheetnames == ["DFW1", "a b"]
    sheet = book["DFW1"]
    assert [cell.value for cell in sheet["A"]] == ["Step", "1", "2", "3"]
    assert (sheet["G2"].value, sheet["G2"].data_type) == ("=SUM(1)", "s")
    assert [bool(sheet[f"A{row}"].border.top.style) for row in (2, 3, 4)] == [True, False, True]
    assert [cell.value for cell in sheet[1]][-3:] == ["Done", "By", "Remark"]


def test_the_table_has_the_cells_as_they_are():
    lines = rework_table(jobs()).decode().splitlines()
    assert lines[0].startswith("step,site_id,hall,row,rack")
    assert lines[1].startswith("1,DFW1,,,A1,,=SUM(1),")
    assert rework_workbook([], "none", datetime(2026, 10, 30))
