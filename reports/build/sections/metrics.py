"""Section 8: six weeks and twelve months, inputs before the output they drive, one line on each exception."""

from collections.abc import Iterable
from dataclasses import replace

from reports.build.cells import table, words
from reports.build.trends import Trend, behaviour, six_twelve, trends, verdict_sentence
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph, Row, Section
from reports.text import anchor
from reports.wording import DASH, plural, quantity

_CHARTS = 8
_OUTPUT = "schedulable"


def metrics_section(week: Week) -> Section:
    """Build section 8: exceptions with their charts first, then the outputs, then all series, quiet ones folded."""
    found = trends(week)
    if not found:
        absent = Paragraph("no data: no trend has been computed for this week", "absent")
        return Section("8", "S8", "Metrics", "no trend has been computed", (absent,))
    loud = [t for t in found if t.is_signal]
    blocks: list[Block] = [*_exceptions(loud, found), *_loud_charts(loud), *_output_charts(found, loud)]
    blocks += _tables(found)
    weeks = [w.text("label") for w in found[0].weeks]
    judged = sum(t.is_judged for t in found)
    message = (
        f"{plural(len(loud), 'signal')} among {judged} judged of {plural(len(found), 'series', 'series')}, "
        f"{weeks[0]} to {weeks[-1]}; a week that was not watched in full is not available, never counted as low"
    )
    return Section("8", "S8", "Metrics, six weeks and twelve months", message, tuple(blocks))


def _exceptions(loud: list[Trend], found: list[Trend]) -> list[Block]:
    if not loud:
        return [Paragraph("No signal: no judged series left what its own weeks before let expect.")]
    heads = ("Figure", "What happened", "To be explained by", "Guarded by")
    cells = (
        (
            words(t.name, link=anchor("FIG", "behaviour", t.row.text("series"), t.row.text("scope"))),
            words(verdict_sentence(t)),
            words(t.row.text("owner") or "no owner", note="by the next issue"),
            words(_guards(t, found)),
        )
        for t in loud
    )
    title = f"{plural(len(loud), 'figure')} to explain: a signal each"
    return [table("S8-exceptions", title, heads, cells)]


def _guards(trend: Trend, found: list[Trend]) -> str:
    """What guards the quality of a quantity, with its figure of this week."""
    series, scope = trend.row.text("series"), trend.row.text("scope")
    guards = [t for t in found if t.row.text("twin") == series and t.row.text("scope") == scope]
    return "; ".join(f"{t.row.text('title').lower()} {t.told(t.weeks[-1].number('value'))}" for t in guards)


def _twins(trend: Trend) -> str:
    return trend.row.text("twin").replace("_", " ")


def _loud_charts(loud: list[Trend]) -> list[Block]:
    made: list[Block] = []
    for trend in loud[:_CHARTS]:
        made += [chart for chart in (behaviour(trend), six_twelve(trend)) if chart is not None]
    if len(loud) > _CHARTS:
        made.append(Paragraph(f"{len(loud) - _CHARTS} more signals stand in the table above without a chart."))
    return made


def _output_charts(found: list[Trend], loud: list[Trend]) -> list[Block]:
    """The output of each kind that moved in the weeks shown: the figure that all inputs are for."""
    outputs = [t for t in found if t.row.text("series") == _OUTPUT and t.moved and t not in loud]
    return [six_twelve(t) for t in outputs[:_CHARTS]]


def _tables(found: list[Trend]) -> list[Block]:
    moved = [t for t in found if t.moved or t.is_signal]
    quiet = [t for t in found if not (t.moved or t.is_signal)]
    blocks: list[Block] = []
    if moved:
        blocks.append(
            table("S8-weeks", "Every figure that moved in six weeks, inputs first", *_rows(moved), note=_NOTE)
        )
    if quiet:
        title = f"{plural(len(quiet), 'figure')} without movement in six weeks"
        blocks.append(replace(table("S8-quiet", title, *_rows(quiet)), folded=True))
    return blocks


_NOTE = (
    "A week's figure is what was newly known between two cut-offs, so it is never changed by late news; n/a: an issue "
    "is lacking or a source was stale. Limits: mean and 2.66 mean moving ranges of the first eight weeks."
)


def _rows(found: list[Trend]) -> tuple[tuple[str, ...], Iterable[Row]]:
    heads = (
        "Figure",
        *(f">{w.text('label')[-3:]}" for w in found[0].weeks),
        ">Mean",
        ">Limits#natural-limits",
        "Verdict",
        "Guards",
        "Owner",
    )
    return heads, (_row(t) for t in found)


def _row(trend: Trend) -> Row:
    row = trend.row
    limits = f"{_short(trend, 'lower')} to {_short(trend, 'upper')}" if trend.is_judged else DASH
    cells = (
        words(
            trend.name,
            link=anchor("DEF", f"trend-{row.text('series')}"),
            note=row.text("unit") if row.text("unit") != "share" else "",
        ),
        *(_week_cell(trend, place) for place in range(len(trend.weeks))),
        Cell(_short(trend, "mean") if trend.is_judged else DASH),
        Cell(limits),
        words(row.text("verdict")),
        words(_twins(trend)),
        words(row.text("owner") or "no owner"),
    )
    return Row(cells, anchor("TRD", row.text("series"), row.text("scope")))


def _week_cell(trend: Trend, place: int) -> Cell:
    week = trend.weeks[place]
    value = week.number("value")
    if value is None:
        return Cell("n/a", None, faded=True)
    if trend.row.text("unit") == "share":
        return Cell(f"{round(value * 100)} %", value, note=f"n {quantity(week.number('weight'))}")
    return Cell(quantity(value), value)


def _short(trend: Trend, name: str) -> str:
    value = trend.row.amount(name)
    return f"{round(value * 100)} %" if trend.row.text("unit") == "share" else quantity(round(value, 1))
