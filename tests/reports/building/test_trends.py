"""Trends in the reports: exceptions first and owned, quiet figures folded; Gantt, ageing, gates planned, logic."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from reports.build.ageing import ageing
from reports.build.reports import build_reports
from reports.build.trends import behaviour, six_twelve, trends, verdict_sentence
from reports.build.warehouse import Warehouse
from reports.build.week import week_of
from reports.models.common import Paragraph, Section, Table
from reports.models.governance import GovernanceReport
from reports.models.working_charts import Behaviour, Gantt, SixTwelve
from tests.reports.sample_programme import AS_OF
from tests.reports.sample_warehouse import Rows, build_sample

Tables = dict[str, Rows]
WEEKS = [AS_OF - timedelta(weeks=back) for back in reversed(range(9))]
_LIMITS = {"mean": 42.5, "moving_range": 4.9, "lower": 29.5, "upper": 55.5, "range_upper": 16.0, "points": 8,
           "locked": True, "baseline_from": WEEKS[0], "baseline_to": WEEKS[7]}  # fmt: skip


def _series(tables: Tables, number: int, series: str, values: list[float | None], verdict: str, **more: Any) -> None:
    head = {"series": series, "scope": "gpu_cluster"}
    row = {
        "title": series.replace("_", " ").capitalize(), "unit": "accelerators", "owner": "Maria Ortega", "how": "sum",
        "series_no": number, "definition": "What it is.", "taken": "total", "twin": "", "value": values[-1],
        "verdict": verdict, "rules": None, "above": None, **_LIMITS,
    }  # fmt: skip
    tables.setdefault("mart.trend", []).append(head | row | more)
    for place, (end, value) in enumerate(zip(WEEKS, values, strict=True)):
        rules = more.get("rules") if end == WEEKS[-1] else None
        week = {"ends_on": end, "value": value, "rules": rules, "in_baseline": place < 8}
        tables.setdefault("mart.trend_weeks", []).append(head | week)
    figures = tables.setdefault("mart.trend_figures", [])
    for place, (end, value) in enumerate(zip(WEEKS[-6:], values[-6:], strict=True)):
        figures.append(head | _figure("week", place, f"{end:%G-W%V}", end, value))
    for place in range(12):
        figures.append(head | _figure("month", place, f"2026-{place + 1:02d}", AS_OF, 100.0 if place == 9 else None))


def _figure(grain: str, place: int, label: str, end: date, value: float | None) -> dict[str, Any]:
    return {
        "grain": grain, "place": place, "label": label, "starts_on": end, "ends_on": end, "value": value,
        "weight": None, "since": date(2026, 10, 9) if label == "2026-10" else None, "missing": 0 if value else 1,
        "plan": 45.0,
    }  # fmt: skip


def told(tables: Tables) -> None:
    steady: list[float | None] = [38.0, 44.0, 41.0, 47.0, 39.0, 43.0, 45.0, 40.0, 46.0]
    _series(tables, 0, "received", [0.0] * 9, "mostly zero")
    _series(tables, 1, "acceptance_yield", [None] * 9, "not available", unit="share", twin="accepted", how="ratio")
    _series(tables, 2, "accepted", [*steady[:8], 90.0], "signal", rules="1", above=True)
    _series(tables, 3, "schedulable", steady, "no signal")


def made(change=told) -> GovernanceReport:
    return build_reports(build_sample(change))[0]


def part(report: GovernanceReport, number: str) -> Section:
    return next(one for one in report.sections if one.number == number)


def blocks(section: Section, kind: type) -> list[Any]:
    return [block for block in section.blocks if isinstance(block, kind)]


@pytest.fixture(scope="module")
def report() -> GovernanceReport:
    return made()


def test_without_trends_the_section_says_so() -> None:
    section = part(made(None), "8")
    assert isinstance(section.blocks[0], Paragraph)
    assert section.blocks[0].text == "no data: no trend has been computed for this week"


def test_a_signal_stands_first_with_its_owner_and_its_guard(report: GovernanceReport) -> None:
    section = part(report, "8")
    first = section.blocks[0]
    assert isinstance(first, Table)
    (row,) = first.rows
    assert [cell.text for cell in row.cells] == [
        "GPU: accepted",
        "Signal: 90 GPUs, above the mean of 42.5 (beyond a limit; natural limits 29.5 to 55.5).",
        "Maria Ortega",
        "acceptance yield not available",
    ]
    assert section.message.startswith("1 signal among 2 judged of 4 series, 2026-W39 to 2026-W44")
    assert [chart.title for chart in blocks(section, Behaviour)] == [
        "GPU: accepted: signal, 90 GPUs is above what natural limits 29.5 to 55.5 let expect"
    ]


def test_six_weeks_and_twelve_months_carry_plan_parts_and_gaps(report: GovernanceReport) -> None:
    charts = {chart.id: chart for chart in blocks(part(report, "8"), SixTwelve)}
    chart = charts["FIG-six-twelve-accepted-gpu_cluster"]
    assert chart.title == "GPU: accepted, W44: 90 GPUs, +50 on the week before"
    assert [figure.label for figure in chart.weeks] == [f"2026-W{n}" for n in range(39, 45)]
    assert all(figure.plan == 45 for figure in chart.weeks)
    assert (chart.months[9].value, chart.months[9].note) == (100, "from 9 Oct")
    assert (chart.months[8].value, chart.months[8].note) == (None, "lacks 1 week")
    assert "FIG-six-twelve-schedulable-gpu_cluster" in charts, "the output is shown though it is no exception"


def test_quiet_figures_are_folded_and_counted(report: GovernanceReport) -> None:
    tables = {table.id: table for table in blocks(part(report, "8"), Table)}
    assert [row.cells[0].text for row in tables["S8-weeks"].rows] == ["GPU: accepted", "GPU: schedulable"]
    assert tables["S8-quiet"].folded
    assert [cell.text for cell in tables["S8-quiet"].rows[1].cells[1:7]] == ["n/a"] * 6


def test_pace_in_section_seven_has_a_verdict_each(report: GovernanceReport) -> None:
    table = next(t for t in blocks(part(report, "7"), Table) if t.id == "S7-throughput")
    assert [row.cells[0].text for row in table.rows] == ["GPU: accepted"]
    assert table.rows[0].cells[3].text.startswith("Signal: 90 GPUs")


def test_verdicts_without_limits_say_why() -> None:
    week = week_of(Warehouse(build_sample(told)))
    sentences = {t.row.text("series"): verdict_sentence(t) for t in trends(week)}
    assert sentences["received"].startswith("No verdict: most weeks of the baseline are zero")
    assert sentences["acceptance_yield"] == "Not available this week: no two successive issues carry it yet."
    assert sentences["schedulable"] == "No signal: 46 GPUs is within natural limits 29.5 to 55.5."
    quiet = next(t for t in trends(week) if t.row.text("series") == "received")
    assert behaviour(quiet) is None
    assert six_twelve(quiet).title == "GPU: received, W44: 0 GPUs, as the week before"


def _activities(tables: Tables) -> None:
    told(tables)
    row = {**tables["meta.ledger"][0], "dataset": "activities", "source": "schedule", "file": "plan.xer"}
    tables["meta.ledger"].append(row)
    tables["mart.activities"] = []
    for number in range(40):
        start = AS_OF + timedelta(days=number)
        tables["mart.activities"].append(
            {
                "project": "P", "task": f"P/{number}", "code": f"A{number:02d}", "name": "Work",
                "system_id": "GPU-DFW2-A", "block": "all", "gate": "install", "kind": "task",
                "status": "not_started", "done": False,
                "percent": 0.0, "early_start": start, "early_finish": start + timedelta(days=5),
                "late_finish": start + timedelta(days=5 + number), "total_float_days": float(number),
                "longest_path": number in (3, 7), "critical": number in (3, 7), "baseline_start": start,
                "baseline_finish": start + timedelta(days=4), "contract_date": AS_OF + timedelta(days=30),
                "contract_float_days": number - 20, "owner": "Tom Becker",
            }
        )  # fmt: skip
    tables["mart.logic_changes"] = [
        {
            "project": "P",
            "what": "link",
            "subject": "A01 → A02 FS",
            "change": "removed",
            "said_before": "no lag",
            "says": None,
        }
    ]


def test_gantt_has_thirty_rows_in_driving_order_with_float_to_the_contract() -> None:
    section = part(made(_activities), "5")
    (chart,) = blocks(section, Gantt)
    assert len(chart.rows) == 30
    assert [row.label for row in chart.rows[:3]] == ["A03 Work", "A07 Work", "A00 Work"]
    assert [row.driving for row in chart.rows[:3]] == [True, True, False]
    assert chart.rows[0].note.startswith("−17 d to 29 Nov")
    assert chart.rows[0].late is None, "no float is left to the contract"
    late = next(row for row in chart.rows if row.label == "A25 Work")
    assert late.late == late.end + timedelta(days=5)
    assert chart.contract_date == AS_OF + timedelta(days=30)
    assert "20 have no float left to the contract date, the least −20 d" in chart.title
    logic = next(t for t in blocks(section, Table) if t.id == "S5-logic")
    assert [cell.text for cell in logic.rows[0].cells] == ["P", "link", "A01 → A02 FS", "removed", "no lag", "–"]


def test_unchanged_logic_is_said() -> None:
    def unchanged(tables: Tables) -> None:
        _activities(tables)
        del tables["mart.logic_changes"]

    assert any("no link, duration or constraint" in p.text for p in blocks(part(made(unchanged), "5"), Paragraph))


def test_ageing_counts_what_is_beyond_its_own_p85() -> None:
    def timed(tables: Tables) -> None:
        gates = {r["gate"] for r in tables["mart.gates"]}
        tables["mart.cycle_times"] = [
            {"gate": gate, "gate_no": n, "title": gate.title(), "passed": 5, "open": 1, "p50_days": 7, "p85_days": 10,
             "window_days": 91}
            for n, gate in enumerate(sorted(gates))
        ]  # fmt: skip

    con = build_sample(timed)
    week = week_of(Warehouse(con))
    waiting = [r for r in week.rows("mart.gates") if r.text("state") in ("in progress", "regressed")]
    chart = ageing(week)
    assert chart is not None
    assert len(chart.dots) == len(waiting)
    beyond = sum(r.count("days_waiting") > 10 for r in waiting)
    assert chart.title.startswith(f"{beyond} of {len(waiting)} open gates beyond their own P85")
    silent = replace(week, warehouse=Warehouse(build_sample()))
    assert ageing(silent) is None


def test_the_next_fourteen_days_name_gates_with_what_is_met() -> None:
    def planned(tables: Tables) -> None:
        board = next(r for r in tables["mart.gates"] if r["state"] == "in progress")
        tables["mart.gate_forecasts"] = [
            {name: board[name] for name in ("system_id", "block", "gate_no", "gate", "title")}
            | {"system_key": board.get("system_key", board["system_id"].lower()),
               "likely": AS_OF + timedelta(days=days), "p80": AS_OF + timedelta(days=20)}
            for days in (0, 5, 15)
        ]  # fmt: skip
        for row in tables["mart.gates"]:
            row.setdefault("system_key", row["system_id"].lower())

    report = made(planned)
    table = next(t for t in blocks(part(report, "12"), Table) if t.id == "S12-gates")
    assert len(table.rows) == 1, "today is past, the fifteenth day is beyond"
    assert table.rows[0].cells[3].text.count("/") == 1
    assert part(report, "12").message.startswith("1 gate planned and ")
