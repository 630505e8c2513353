"""Trends as charts and sentences: six weeks and twelve months, process behaviour, one exception line a series."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.working_charts import Behaviour, BehaviourPoint, PeriodFigure, SixTwelve
from reports.text import anchor
from reports.wording import kind_name, kind_rank, plural, quantity, short_day, signed, unit_name

Key = tuple[str, str]
_RULES = {"1": "beyond a limit", "2": "eight in a row on one side of the mean", "3": "three of four near a limit"}


@dataclass(frozen=True)
class Trend:
    """One series of one scope with its figures and its judged weeks."""

    row: Record
    weeks: tuple[Record, ...]
    months: tuple[Record, ...]
    judged: tuple[Record, ...]

    @property
    def name(self) -> str:
        """What the figure is, with the kind it is of."""
        scope = self.row.text("scope")
        title = self.row.text("title")
        return f"{kind_name(scope)}: {title[0].lower()}{title[1:]}" if scope else title

    @property
    def is_signal(self) -> bool:
        """Whether this week is a signal."""
        return self.row.text("verdict") == "signal"

    @property
    def is_judged(self) -> bool:
        """Whether limits stand that mean something."""
        return self.row.text("verdict") in ("signal", "no signal") and self.row.has("mean")

    @property
    def moved(self) -> bool:
        """Whether any shown week has a figure other than zero."""
        return any(week.amount("value") for week in self.weeks)

    def told(self, value: Decimal | None) -> str:
        """A figure of the series in words."""
        if value is None:
            return "not available"
        if self.row.text("unit") == "share":
            return f"{round(value * 100)} %"
        return f"{quantity(value)} {unit_name(self.row.text('unit'))}"


def trends(week: Week) -> list[Trend]:
    """Return every series, inputs first, kinds in their fixed order within each."""
    figures: dict[tuple[str, str, str], list[Record]] = defaultdict(list)
    for row in week.rows("mart.trend_figures"):
        figures[row.text("series"), row.text("scope"), row.text("grain")].append(row)
    judged: dict[Key, list[Record]] = defaultdict(list)
    for row in week.rows("mart.trend_weeks"):
        judged[row.text("series"), row.text("scope")].append(row)
    rows = sorted(week.rows("mart.trend"), key=lambda r: (r.count("series_no"), kind_rank(r.text("scope"))))
    return [
        Trend(
            row,
            _in_order(figures[(*key, "week")]),
            _in_order(figures[(*key, "month")]),
            tuple(sorted(judged[key], key=lambda r: str(r.day("ends_on")))),
        )
        for row in rows
        for key in [(row.text("series"), row.text("scope"))]
    ]


def _in_order(rows: list[Record]) -> tuple[Record, ...]:
    return tuple(sorted(rows, key=lambda r: r.count("place")))


def verdict_sentence(trend: Trend) -> str:
    """Return the verdict on this week by rule, with the numbers it rests on."""
    row, verdict = trend.row, trend.row.text("verdict")
    now = row.number("value")
    if verdict == "signal":
        side = "above" if row.flag("above") else "below"
        broken = " and ".join(_RULES[rule] for rule in row.text("rules").split("+") if rule in _RULES)
        return f"Signal: {trend.told(now)}, {side} the mean of {_plain(trend, 'mean')} ({broken}; {_limits(trend)})."
    if verdict == "no signal":
        return f"No signal: {trend.told(now)} is within {_limits(trend)}."
    points = sum(week.has("value") for week in trend.judged)
    return {
        "not available": f"Not available this week: {_why_absent(trend)}.",
        "too few": f"No verdict: {plural(points, 'week')} so far, limits need 6.",
        "mostly zero": "No verdict: most weeks of the baseline are zero, so the work comes in lumps without limits.",
    }.get(verdict, "Not judged: a level, not the work of a week.")


def _why_absent(trend: Trend) -> str:
    if trend.weeks and trend.weeks[-1].has("value"):
        return f"{plural(trend.weeks[-1].count('weight'), 'case')} are too few to judge a share"
    if not any(week.has("value") for week in trend.judged):
        return "no two successive issues carry it yet"
    return "a source was stale, or an issue is lacking, at this cut-off or the one before"


def _limits(trend: Trend) -> str:
    return f"natural limits {_plain(trend, 'lower')} to {_plain(trend, 'upper')}"


def _plain(trend: Trend, name: str) -> str:
    value = trend.row.amount(name)
    return f"{round(value * 100)} %" if trend.row.text("unit") == "share" else quantity(round(value, 1))


def six_twelve(trend: Trend, prefix: str = "FIG") -> SixTwelve:
    """Return the chart of six weeks and twelve months; its title is the last week with its change."""
    weeks = tuple(_figure(trend, row) for row in trend.weeks)
    months = tuple(_figure(trend, row) for row in trend.months)
    return SixTwelve(
        id=anchor(prefix, "six-twelve", trend.row.text("series"), trend.row.text("scope")),
        title=_title(trend),
        unit=trend.row.text("unit"),
        weeks=weeks,
        months=months,
        description=(
            f"{trend.row.text('definition')} Six weeks, then twelve months with an axis of their own; blue marks are "
            "the plan, n/a is a week or month that was not watched in full."
        ),
    )


def _title(trend: Trend) -> str:
    last, before = trend.weeks[-1], trend.weeks[-2]
    now, then = last.number("value"), before.number("value")
    head = f"{trend.name}, {last.text('label')[-3:]}: {trend.told(now)}"
    if now is None or then is None:
        return head
    if trend.row.text("unit") == "share":
        return f"{head}, {signed(round((now - then) * 100))} points on the week before"
    return f"{head}, {signed(now - then)} on the week before" if now != then else f"{head}, as the week before"


def _figure(trend: Trend, row: Record) -> PeriodFigure:
    notes = []
    if row.has("weight") and trend.row.text("how") == "ratio":
        notes.append(f"n = {quantity(row.number('weight'))}")
    if row.day("since"):
        notes.append(f"from {short_day(row.day('since'))}")
    if not row.has("value"):
        notes.append(_lacks(row))
    part = ", ".join(notes)
    return PeriodFigure(row.text("label"), row.number("value"), row.number("plan"), part)


def _lacks(row: Record) -> str:
    return f"lacks {plural(row.count('missing'), 'week')}" if row.text("grain") == "month" else "not watched in full"


def behaviour(trend: Trend, prefix: str = "FIG") -> Behaviour | None:
    """Return the XmR chart of a judged series, None where no limits stand."""
    if not trend.is_judged:
        return None
    row = trend.row
    points = tuple(
        BehaviourPoint(_week_label(p.day("ends_on")), p.number("value"), p.text("rules"), p.flag("in_baseline"))
        for p in trend.judged
    )
    state = "locked" if row.flag("locked") else f"provisional on {plural(row.count('points'), 'week')}"
    first, last = short_day(row.day("baseline_from")), short_day(row.day("baseline_to"))
    return Behaviour(
        id=anchor(prefix, "behaviour", row.text("series"), row.text("scope")),
        title=f"{trend.name}: {_short_verdict(trend)}",
        unit=row.text("unit"),
        points=points,
        mean=row.amount("mean"),
        lower=row.amount("lower"),
        upper=row.amount("upper"),
        description=(
            f"Weekly figures with the mean and natural limits (mean ± 2.66 mean moving ranges), {state}: weeks ending "
            f"{first} to {last}, shaded. A ring is a signal; a cross is a week without a figure."
        ),
    )


def _short_verdict(trend: Trend) -> str:
    now = trend.told(trend.row.number("value"))
    if trend.is_signal:
        side = "above" if trend.row.flag("above") else "below"
        return f"signal, {now} is {side} what {_limits(trend)} let expect"
    return f"no signal, {now} is within {_limits(trend)}"


def _week_label(end: date | None) -> str:
    return f"{end:%G-W%V}" if end else ""
