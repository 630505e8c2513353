"""Native charts of a presentation: the figures of a chart's model as series that a reader can select and edit.

Kinds that no native chart draws well are returned as None; the deck then shows the drawing of the pages.
"""

from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from pptx.chart import data as chart_data
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION, XL_TICK_LABEL_POSITION
from pptx.enum.dml import MSO_LINE
from pptx.oxml.ns import qn
from pptx.util import Pt

from reports.formats.slides.page import BOTTOM, LEFT, ROOM, TOP, colour
from reports.models.charts import Bullets, Chart, Fan, Funnel, Point, SCurve, Waterfall
from reports.wording import quantity, unit_name

_data: Any = chart_data  # its constructors carry no types
_EPOCH = date(1899, 12, 30).toordinal()
_NUMBERS = "#,##0.###;\u2212#,##0.###;0"
_SERIES = ("contract", "plan", "actual", "p10", "p50", "p90")
_HIDE_ZERO = "#,##0.###;\u2212#,##0.###;;"


def native(chart: Chart) -> Callable[[Any], Any] | None:
    """Return what adds a chart to a slide and gives back its frame, None when it has no native form."""
    adders: dict[type, Callable[[Any, Any], Any]] = {
        SCurve: _s_curve, Waterfall: _waterfall, Bullets: _bullets, Funnel: _funnel, Fan: _fan,
    }  # fmt: skip
    add = adders.get(type(chart))
    return None if add is None else lambda slide: add(slide, chart)


def _s_curve(slide: Any, chart: SCurve) -> Any:
    data: Any = _data.XyChartData(number_format=_NUMBERS)
    drawn = [
        ("Contract", _steps(chart.contract, chart), "ink", 1.0, None),
        ("Plan", _steps(chart.plan, chart), "muted", 1.5, MSO_LINE.ROUND_DOT),
        ("P90", chart.p90, "forecast", 0.75, MSO_LINE.SQUARE_DOT),
        ("P50", chart.p50, "forecast", 2.0, MSO_LINE.DASH),
        ("P10", chart.p10, "forecast", 0.75, MSO_LINE.SQUARE_DOT),
        ("Actual", chart.actual, "ink", 3.0, None),
    ]
    # Longest first: LibreOffice leaves out a series that a longer one follows.
    drawn = sorted((series for series in drawn if series[1]), key=lambda series: -len(series[1]))
    for name, points, *_ in drawn:
        series = data.add_series(f"{name} ({chart.unit})")
        for point in points:
            series.add_data_point(point.day.toordinal() - _EPOCH, float(point.value))
    made = _added(slide, XL_CHART_TYPE.XY_SCATTER_LINES_NO_MARKERS, data)
    for series, (_, _, hue, width, dash) in zip(made.chart.plots[0].series, drawn, strict=True):
        _line(series, hue, width, dash)
    dates = [point.day.toordinal() - _EPOCH for _, points, *_ in drawn for point in points]
    across = made.chart.category_axis
    across.minimum_scale, across.maximum_scale = min(dates), max(dates) + 1
    across.tick_labels.number_format, across.tick_labels.number_format_is_linked = "d mmm yy", False
    across.has_major_gridlines = False
    return made


def _steps(points: Sequence[Point], chart: SCurve) -> tuple[Point, ...]:
    """A contract or a plan changes on its date, not between dates; it begins at nothing and runs to the right edge."""
    if not points:
        return ()
    every = [point.day for name in _SERIES for point in getattr(chart, name)]
    stepped = [Point(min(every), Decimal(0))]
    for point in points:
        stepped += [Point(point.day, stepped[-1].value), point]
    return (*stepped, Point(max(every), stepped[-1].value))


def _waterfall(slide: Any, chart: Waterfall) -> Any:
    level, under, held = chart.contracted, [Decimal(0)], [Decimal(0)]
    for step in chart.steps:
        level -= step.held
        under.append(level)
        held.append(step.held)
    steps = len(chart.steps)
    free = chart.schedulable - chart.waived
    parts: list[tuple[str, list[Decimal], str]] = [
        ("Left", [*under, Decimal(0)], ""),
        ("Total", [chart.contracted, *[Decimal(0)] * steps, free], "bar"),
        ("Schedulable on waiver", [*[Decimal(0)] * (steps + 1), chart.waived], "waived"),
        ("Held back", [*held, Decimal(0)], "drop"),
    ]
    categories = ["Contracted", *(step.label for step in chart.steps), "Schedulable"]
    made = _bars(slide, XL_CHART_TYPE.COLUMN_STACKED, categories, parts, _HIDE_ZERO)
    made.chart.plots[0].gap_width, made.chart.plots[0].overlap = 40, 100
    for series in made.chart.plots[0].series:
        if series.name in ("Total", "Schedulable on waiver"):
            series.data_labels.font.color.rgb = colour("page")  # inside its dark bar
    _leave_out_of_legend(made.chart, 0)
    return made


def _leave_out_of_legend(chart: Any, place: int) -> None:
    """The bars that only lift others are seen by nobody."""
    entry = chart.legend._element.makeelement(qn("c:legendEntry"), {})
    for name, value in (("c:idx", place), ("c:delete", 1)):
        entry.append(entry.makeelement(qn(name), {"val": str(value)}))
    chart.legend._element.find(qn("c:legendPos")).addnext(entry)


def _bullets(slide: Any, chart: Bullets) -> Any:
    labels = [
        f"{row.label}: {quantity(row.schedulable)} of {quantity(row.due)} due, "
        f"{quantity(row.contracted)} {unit_name(row.unit)} contracted"
        for row in chart.rows
    ]
    tops = [max(row.contracted, row.due, row.schedulable) or Decimal(1) for row in chart.rows]
    parts = [
        (name, [round(getattr(row, field) / top * 100, 1) for row, top in zip(chart.rows, tops, strict=True)], hue)
        for name, field, hue in (
            ("Contracted, %", "contracted", "range-1"), ("Due now, %", "due", "forecast"),
            ("Schedulable, %", "schedulable", "bar"),
        )
    ]  # fmt: skip
    return _bars(slide, XL_CHART_TYPE.BAR_CLUSTERED, labels, parts, '0" %"', upside_down=True)


def _funnel(slide: Any, chart: Funnel) -> Any:
    reached = [(f"Reached ({chart.unit})", [row.reached for row in chart.rows], "bar")]
    labels = [row.label for row in chart.rows]
    return _bars(slide, XL_CHART_TYPE.BAR_CLUSTERED, labels, reached, _NUMBERS, upside_down=True)


def _fan(slide: Any, chart: Fan) -> Any:
    data: Any = _data.CategoryChartData(number_format=_NUMBERS)
    data.categories = [point.week for point in chart.points]
    data.add_series("P50 less contract date, days", [point.p50 for point in chart.points])
    data.add_series("P80 less contract date, days", [point.p80 for point in chart.points])
    made = _added(slide, XL_CHART_TYPE.LINE, data)
    for series, dash in zip(made.chart.plots[0].series, (None, MSO_LINE.DASH), strict=True):
        _line(series, "forecast", 2.25, dash)
        series.smooth = False
    made.chart.category_axis.tick_label_position = XL_TICK_LABEL_POSITION.LOW
    return made


def _bars(
    slide: Any, kind: Any, categories: list[str], parts: list[tuple[str, list[Decimal], str]], form: str, *,
    upside_down: bool = False,
) -> Any:  # fmt: skip
    data: Any = _data.CategoryChartData(number_format=form)
    data.categories = categories
    for name, values, _ in parts:
        data.add_series(name, [float(value) for value in values])
    made = _added(slide, kind, data)
    for series, (_, _, hue) in zip(made.chart.plots[0].series, parts, strict=True):
        _paint(series, hue, form)
    made.chart.category_axis.reverse_order = upside_down
    made.chart.value_axis.visible = not upside_down
    made.chart.plots[0].gap_width = 60
    return made


def _paint(series: Any, hue: str, form: str) -> None:
    if not hue:
        series.format.fill.background()
        return
    series.format.fill.solid()
    series.format.fill.fore_color.rgb = colour(hue)
    labels = series.data_labels
    labels.show_value, labels.number_format, labels.number_format_is_linked = True, form, False
    labels.font.size = Pt(10)
    labels.font.bold = hue == "bar"


def _line(series: Any, hue: str, width: float, dash: Any) -> None:
    series.format.line.color.rgb = colour(hue)
    series.format.line.width = Pt(width)
    series.smooth = False
    if dash is not None:
        series.format.line.dash_style = dash


def _added(slide: Any, kind: Any, data: Any) -> Any:
    made = slide.shapes.add_chart(kind, Pt(LEFT), Pt(TOP), Pt(ROOM), Pt(BOTTOM - TOP), data)
    chart = made.chart
    chart.has_title = False
    chart.font.size, chart.font.name = Pt(11), "Arial"
    chart.has_legend = len(chart.plots[0].series) > 1
    if chart.has_legend:
        chart.legend.position, chart.legend.include_in_layout = XL_LEGEND_POSITION.BOTTOM, False
    chart.value_axis.major_gridlines.format.line.color.rgb = colour("line")
    chart.value_axis.tick_labels.number_format, chart.value_axis.tick_labels.number_format_is_linked = "#,##0.##", False
    return made
