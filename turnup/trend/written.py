"""Trends as tables: ``mart.trend``, ``mart.trend_figures`` and ``mart.trend_weeks``.

Belongs here: reading totals of this and earlier weeks, and writing what follows. Does not: the arithmetic.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import date, timedelta
from typing import TYPE_CHECKING

import polars as pl

from turnup.trend.series import load_series
from turnup.trend.told import SHOWN, Total, trend

if TYPE_CHECKING:
    from collections.abc import Iterable
    from decimal import Decimal
    from fractions import Fraction

    import duckdb

    from turnup.trend.series import Series
    from turnup.trend.six_twelve import Figure
    from turnup.trend.told import Trend

Row = dict[str, object]
_TEXT, _WHOLE, _DAY, _NUMBER = pl.String(), pl.Int32(), pl.Date(), pl.Float64()
_TREND = {
    **dict.fromkeys(("series", "scope", "title", "unit", "definition", "taken", "how", "twin", "owner"), _TEXT),
    "series_no": _WHOLE,
    **dict.fromkeys(("value", "mean", "moving_range", "lower", "upper", "range_upper"), _NUMBER),
    **dict.fromkeys(("baseline_from", "baseline_to"), _DAY),
    "points": _WHOLE,
    "locked": pl.Boolean(),
    **dict.fromkeys(("verdict", "rules"), _TEXT),
    "above": pl.Boolean(),
}
_FIGURES = {
    "series": _TEXT, "scope": _TEXT, "grain": _TEXT, "place": _WHOLE, "label": _TEXT, "starts_on": _DAY,
    "ends_on": _DAY, "value": _NUMBER, "weight": _NUMBER, "since": _DAY, "missing": _WHOLE, "plan": _NUMBER,
}  # fmt: skip
_WEEKS = {
    "series": _TEXT,
    "scope": _TEXT,
    "ends_on": _DAY,
    "value": _NUMBER,
    "rules": _TEXT,
    "in_baseline": pl.Boolean(),
}
_ROUND = 6


def write_trends(con: duckdb.DuckDBPyConnection, week_end: date) -> None:
    """Write the trends of the week that ends on a local date, from ``mart.trend_totals`` and ``past_trend_totals``."""
    told, figures, weeks = [], [], []
    owners, units, plans = _owners(con), _units(con), _plans(con)
    least = con.sql("SELECT judged_from FROM core.settings").fetchall()[0][0]
    totals = _totals(con, week_end)
    for number, series in enumerate(load_series().values()):
        for scope in sorted(scope for name, scope in totals if name == series.name):
            found = trend(series, totals[series.name, scope], week_end, least)
            unit = units.get(scope, "") if series.unit == "capacity" else series.unit
            head: Row = {"series": series.name, "scope": scope}
            named = {"unit": unit, "owner": owners.get(scope), "series_no": number}
            told.append(head | named | _described(series) | _judged(found))
            plan = plans.get(scope, {}) if series.plan else {}
            figures += [head | row for row in _figures(found, plan)]
            weeks += [head | row for row in _weeks(found)]
    _write(con, "mart.trend", told, _TREND)
    _write(con, "mart.trend_figures", figures, _FIGURES)
    _write(con, "mart.trend_weeks", weeks, _WEEKS)


def _totals(con: duckdb.DuckDBPyConnection, week_end: date) -> dict[tuple[str, str], dict[date, Total]]:
    """Totals per series and scope by week end; an open week has no total yet: its days are not over."""
    rows = con.sql(
        "SELECT t.series, t.scope, (monday(p.week) - monday(t.week))::INTEGER, t.total, t.weight, t.watched "
        "FROM (SELECT week, series, scope, total, weight, watched FROM past_trend_totals UNION ALL "
        "SELECT p.week, t.series, t.scope, t.total, t.weight, t.watched AND p.as_of >= $1 "
        "FROM mart.trend_totals t, core.settings p) t, core.settings p ORDER BY ALL",
        params=[week_end],
    ).fetchall()
    found: dict[tuple[str, str], dict[date, Total]] = defaultdict(dict)
    for series, scope, back, total, weight, watched in rows:
        found[series, scope][week_end - timedelta(days=back)] = Total(total, weight, bool(watched))
    return found


def _owners(con: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Who answers for a kind: the owner of most of its contracted capacity; for the programme: its director."""
    rows = con.sql(
        "SELECT s.kind, s.owner FROM core.systems s JOIN core.contracted c USING (system_key) "
        "WHERE s.owner IS NOT NULL GROUP BY s.kind, s.owner "
        "QUALIFY row_number() OVER (PARTITION BY s.kind ORDER BY sum(c.contracted) DESC, s.owner) = 1"
    ).fetchall()
    directors = con.sql("SELECT person FROM core.roles WHERE role = 'programme director' ORDER BY person").fetchall()
    return dict(rows) | dict([("", name) for (name,) in directors][:1])


def _units(con: duckdb.DuckDBPyConnection) -> dict[str, str]:
    return dict(con.sql("SELECT kind, unit FROM mart.classes").fetchall())


def _plans(con: duckdb.DuckDBPyConnection) -> dict[str, dict[date, Decimal]]:
    found: dict[str, dict[date, Decimal]] = defaultdict(dict)
    rows = con.sql("SELECT kind, week_end, quantity FROM mart.s_curve WHERE series = 'plan' ORDER BY ALL").fetchall()
    for kind, day, quantity in rows:
        found[kind][day] = quantity
    return found


def _described(series: Series) -> Row:
    names = ("title", "definition", "taken", "how", "twin")
    return {name: getattr(series, name) for name in names}


def _judged(found: Trend) -> Row:
    last = len(found.judged) - 1
    now = [signal for signal in found.signals if signal.place == last]
    row: Row = {
        "value": _number(found.weeks[-1].value),
        "verdict": found.verdict,
        "rules": "+".join(str(rule) for rule in sorted({signal.rule for signal in now})) or None,
        "above": now[0].above if now else None,
    }
    of = found.of
    if of is None:
        return row
    numbers = ("mean", "moving_range", "lower", "upper", "range_upper")
    return (
        row
        | {name: _number(getattr(of, name)) for name in numbers}
        | {
            "baseline_from": found.judged[of.first][0],
            "baseline_to": found.judged[of.last][0],
            "points": of.points,
            "locked": of.locked,
        }
    )


def _figures(found: Trend, plan: dict[date, Decimal]) -> Iterable[Row]:
    for grain, periods in (("week", found.weeks), ("month", found.months)):
        for place, figure in enumerate(periods):
            yield {
                "grain": grain, "place": place, "label": figure.period.label, "starts_on": figure.period.start,
                "ends_on": figure.period.end, "value": _number(figure.value), "weight": _number(figure.weight),
                "since": figure.since, "missing": figure.missing, "plan": _number(_planned(plan, figure)),
            }  # fmt: skip


def _planned(plan: dict[date, Decimal], figure: Figure) -> Decimal | None:
    """What the plan grows by in a period, None where the plan does not reach over it."""
    start = max((day for day in plan if day < figure.period.start), default=None)
    end = max((day for day in plan if day <= figure.period.end), default=None)
    return None if start is None or end is None else plan[end] - plan[start]


def _weeks(found: Trend) -> Iterable[Row]:
    of = found.of
    shown = range(len(found.judged))
    for place in shown[-SHOWN:]:
        day, value = found.judged[place]
        rules = sorted({signal.rule for signal in found.signals if signal.place == place})
        yield {
            "ends_on": day, "value": _number(value), "rules": "+".join(map(str, rules)) or None,
            "in_baseline": of is not None and of.first <= place <= of.last,
        }  # fmt: skip


def _number(value: Decimal | Fraction | None) -> float | None:
    return None if value is None else round(float(value), _ROUND)


def _write(con: duckdb.DuckDBPyConnection, table: str, rows: list[Row], schema: dict[str, pl.DataType]) -> None:
    con.register("trend_frame", pl.DataFrame(rows, schema=schema))
    con.execute(f"CREATE OR REPLACE TABLE {table} AS SELECT * FROM trend_frame ORDER BY ALL")
    con.unregister("trend_frame")
