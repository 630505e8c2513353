"""The table behind each chart: the same figures as text, for readers who cannot see or do not trust the drawing."""

# ruff: noqa: RUF001 - typographic dashes and signs are what readers should see

from datetime import date
from decimal import Decimal

from reports.charts.behind_working import behind_working
from reports.models.charts import Bullets, Chart, Fan, Funnel, Milestones, Point, Room, SCurve, Tornado, Waterfall
from reports.models.working_charts import WorkingChart
from reports.palette import mark
from reports.wording import day, quantity, signed

Behind = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]


def behind(chart: Chart) -> Behind:
    """Return headings and rows of the figures that a chart draws. A heat map is a table already: no rows."""
    if isinstance(chart, SCurve):
        return _s_curve(chart)
    if isinstance(chart, Waterfall):
        return _waterfall(chart)
    if isinstance(chart, Bullets):
        return _bullets(chart)
    if isinstance(chart, Funnel):
        rows = tuple((row.label, quantity(row.reached)) for row in chart.rows)
        return ("Stage", f"Reached ({chart.unit})"), rows
    if isinstance(chart, Fan):
        return _fan(chart)
    if isinstance(chart, Room):
        return _room(chart)
    if isinstance(chart, Tornado):
        bars = tuple((bar.label, day(bar.low), day(bar.high), f"{round(bar.swing_days)} d") for bar in chart.bars)
        return ("Input", "P80 at its P10", "P80 at its P90", "Swing"), bars
    if isinstance(chart, Milestones):
        return _milestones(chart)
    return behind_working(chart) if isinstance(chart, WorkingChart) else ((), ())


def _s_curve(chart: SCurve) -> Behind:
    series = ("contract", "plan", "actual", "p10", "p50", "p80", "p90")
    tables: list[dict[date, Decimal]] = [_by_day(getattr(chart, name)) for name in series]
    days = sorted({at for table in tables for at in table})
    heads = ("Week end", "Contract", "Plan", "Actual", "P10", "P50", "P80", "P90")
    return heads, tuple((day(at), *(quantity(table.get(at)) for table in tables)) for at in days)


def _by_day(points: tuple[Point, ...]) -> dict[date, Decimal]:
    return {point.day: point.value for point in points}


def _waterfall(chart: Waterfall) -> Behind:
    held = tuple((step.label, signed(-step.held)) for step in chart.steps)
    rows = (("Contracted", quantity(chart.contracted)), *held, ("Schedulable", quantity(chart.schedulable)))
    return ("Step", chart.unit), (*rows, ("of which on waiver", quantity(chart.waived)))


def _bullets(chart: Bullets) -> Behind:
    heads = ("Kind", "Unit", "Schedulable", "Due now", "Contracted", "Status")
    return heads, tuple(
        (r.label, r.unit, quantity(r.schedulable), quantity(r.due), quantity(r.contracted), mark(r.status).word)
        for r in chart.rows
    )


def _fan(chart: Fan) -> Behind:
    rows = tuple((p.week, signed(p.p50, " d"), signed(p.p80, " d")) for p in chart.points)
    return ("Issued", "P50 − contract", "P80 − contract"), rows


def _room(chart: Room) -> Behind:
    heads = ("Week end", "Capacity P50", "Capacity P80", "Demand low", "Demand", "Demand high")
    return heads, tuple(
        (day(p.day), *(quantity(value) for value in (p.p50, p.p80, p.low, p.mid, p.high))) for p in chart.points
    )


def _milestones(chart: Milestones) -> Behind:
    heads = ("Commitment", "First contract date", "First issued", "Now", "Slip", "Moved in the report of")
    return heads, tuple(
        (line.label, day(line.baseline), day(line.points[0][1]), day(line.points[-1][1]), signed(line.slip_days, " d"),
         "; ".join(_moved(*cause) for cause in line.causes) or "–")
        for line in chart.lines
    )  # fmt: skip


def _moved(at: date, days: int, cause: str) -> str:
    return f"{day(at)} {signed(days, ' d')}{f' ({cause})' if cause else ''}"
