"""Capacity against demand of a store: steps and a line, demand only where it is known, the run-out day named."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest

from reports.build.sections.storage_room import room_charts
from reports.build.warehouse import Record
from reports.charts.behind import behind
from reports.charts.draw import NARROW, WIDE, draw
from reports.charts.room import RoomDrawing

START = date(2026, 10, 30)
CAPACITY, MID = (12, 12, 18, 18, 18), (10, 11, 14, 19, None)


def system(name: str, run_out: date | None = None) -> Record:
    covered = START + timedelta(weeks=3)
    return Record({"system_id": name, "run_out_on": run_out, "covered_to": covered, "demand_basis": "demand curve"})


def weeks(mids=MID) -> list[Record]:
    return [
        Record({"unit": "PB", "week_end": START + timedelta(weeks=n), "capacity_p50": Decimal(capacity),
                "capacity_p80": Decimal(min(capacity, 12)), "demand_mid": mid and Decimal(mid),
                "demand_low": mid and Decimal(mid - 1), "demand_high": mid and Decimal(mid + 2)})
        for n, (capacity, mid) in enumerate(zip(CAPACITY, mids, strict=True))
    ]  # fmt: skip


def points(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (part.split() for part in path[1:].split(" L"))]


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_demand_crosses_capacity_where_it_runs_out(width: float) -> None:
    out = START + timedelta(weeks=3)
    (chart,) = room_charts([system("STO", out)], {"STO": weeks()})
    drawn = draw(chart, width)
    assert isinstance(drawn, RoomDrawing)
    demand = points(drawn.demand)
    assert len(demand) == 4  # of the last week nothing is known
    # the scale is linear from zero: 12 PB of a top tick of 25 (the high case of the last known week is 21)
    zero, top = drawn.y_ticks[0], drawn.y_ticks[-1]
    assert (zero.label, top.label) == ("0", "25")
    assert float(drawn.p50.split()[1]) == pytest.approx(zero.at + (top.at - zero.at) * 12 / 25, abs=0.1)
    assert demand[3][1] == pytest.approx(zero.at + (top.at - zero.at) * 19 / 25, abs=0.1)
    assert drawn.out == demand[3][0]
    assert drawn.p50.count("V") == 1  # one step, from 12 to 18 PB
    assert drawn.p80.count("V") == 0
    assert all(0 <= label.x <= width and 0 <= label.y <= drawn.height for label in drawn.labels)
    assert "runs out 20 Nov" in {label.text for label in drawn.labels}
    assert chart.title == "STO runs out in the week to 20 Nov 26 (PB)"


def test_the_figures_behind_it_are_those_of_the_rows() -> None:
    (chart,) = room_charts([system("STO")], {"STO": weeks()})
    heads, rows = behind(chart)
    assert heads == ("Week end", "Capacity P50", "Capacity P80", "Demand low", "Demand", "Demand high")
    assert rows[2] == ("13 Nov 26", "18", "12", "13", "14", "16")
    assert set(rows[4][3:]) == {"–"}
    assert chart.title == "STO has room to 20 Nov 26 (PB)"


def test_systems_without_known_demand_get_no_chart_and_those_that_run_out_come_first() -> None:
    out = START + timedelta(weeks=3)
    systems = [system("A"), system("B", out), system("C"), system("D")]
    told = {"A": weeks(), "B": weeks(), "C": weeks((None,) * 5)}
    assert [chart.id for chart in room_charts(systems, told)] == ["FIG-room-B", "FIG-room-A"]
