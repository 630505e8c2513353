"""The tables behind the working charts."""

from collections import defaultdict
from decimal import Decimal

from reports.charts.calibration import percent_of
from reports.models.working_charts import Ageing, Behaviour, Calibration, Gantt, SixTwelve, WorkingChart
from reports.wording import DASH, day, days, listed, quantity

Behind = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]


def behind_working(chart: WorkingChart) -> Behind:
    """Return headings and rows of the figures that a working chart draws."""
    if isinstance(chart, Gantt):
        return _gantt(chart)
    if isinstance(chart, Behaviour):
        return _behaviour(chart)
    if isinstance(chart, SixTwelve):
        return _six_twelve(chart)
    return _calibration(chart) if isinstance(chart, Calibration) else _ageing(chart)


def _gantt(chart: Gantt) -> Behind:
    heads = ("Activity", "System and float", "Baseline start", "Baseline finish", "Start", "Finish", "Done",
             "Latest without harm", "Driving")  # fmt: skip
    return heads, tuple(
        (row.label, row.note, day(row.baseline_start), day(row.baseline_end), day(row.start), day(row.end),
         f"{quantity(row.percent)} %", day(row.late), "yes" if row.driving else "no")
        for row in chart.rows
    )  # fmt: skip


def _behaviour(chart: Behaviour) -> Behind:
    rows = tuple(
        (p.label, _number(p.value, chart.unit), p.rules or DASH, "yes" if p.in_baseline else "no") for p in chart.points
    )
    limits = tuple(
        (name, _number(value, chart.unit), DASH, DASH)
        for name, value in (("Upper limit", chart.upper), ("Mean", chart.mean), ("Lower limit", chart.lower))
    )
    return ("Week", chart.unit, "Rule broken", "In baseline"), (*rows, *limits)


def _number(value: Decimal | None, unit: str) -> str:
    if value is None:
        return "not available"
    return f"{quantity(round(value * 100, 1))} %" if unit == "share" else quantity(round(value, 2))


def _six_twelve(chart: SixTwelve) -> Behind:
    rows = tuple(
        (
            f.label,
            _number(f.value, chart.unit),
            _number(f.plan, chart.unit) if f.plan is not None else DASH,
            f.note or DASH,
        )
        for f in (*chart.weeks, *chart.months)
    )
    return ("Week or month", chart.unit, "Plan", "Note"), rows


def _calibration(chart: Calibration) -> Behind:
    rows = tuple(
        (row.label, f"{row.claimed} %", str(row.held), str(row.cases), percent_of(row) if row.cases else DASH)
        for row in chart.rows
    )
    return ("Forecasts", "Promised", "Held", "Cases", "Share held"), rows


def _ageing(chart: Ageing) -> Behind:
    named: dict[int, list[str]] = defaultdict(list)
    for dot in sorted(chart.dots, key=lambda d: (-d.days, d.label)):
        named[dot.gate].append(f"{dot.label} {dot.days} d")
    heads = ("Gate", "Open", "Passed in 13 weeks", "P50", "P85", "Open items, the oldest first")
    return heads, tuple(
        (f"{place + 1} {gate.label}", str(gate.waiting), str(gate.passed), days(gate.p50), days(gate.p85),
         listed(named[place][:12]) + ("" if len(named[place]) <= 12 else f", {len(named[place]) - 12} more") or DASH)
        for place, gate in enumerate(chart.gates)
    )  # fmt: skip
