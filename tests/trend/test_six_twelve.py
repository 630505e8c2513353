"""Six weeks and twelve months: week 53, days that nobody watched, ratios of sums, and the form's own scenarios."""

from __future__ import annotations

import csv
import math
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from turnup.trend.periods import fiscal_months, last_weeks, month_of, trailing_months, week_ending
from turnup.trend.six_twelve import Figure, Observations, box, figures, of_month, of_week, prior_year

CASES = Path(__file__).parents[3] / "shared" / "cases" / "reports"
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")


def _daily(start: date, days: int, value: int = 1) -> dict[date, Decimal]:
    return {start + timedelta(days=n): Decimal(value) for n in range(days)}


def test_week_53_is_named_by_iso() -> None:
    assert week_ending(date(2021, 1, 2)).label == "2020-W53"
    labels = [week.label for week in last_weeks(date(2021, 1, 9))]
    assert labels == ["2020-W49", "2020-W50", "2020-W51", "2020-W52", "2020-W53", "2021-W01"]


@given(st.dates(date(1990, 1, 1), date(2100, 1, 1)))
def test_weeks_follow_each_other_and_are_named_once(day: date) -> None:
    weeks = last_weeks(day, 60)
    assert all(a.end + timedelta(days=1) == b.start for a, b in pairwise(weeks))
    assert len({week.label for week in weeks}) == 60
    assert all(week.days == 7 and week.label == f"{week.end:%G-W%V}" for week in weeks)


@given(st.dates(date(1990, 1, 1), date(2100, 1, 1)), st.integers(1, 12))
def test_months_are_whole_over_and_in_order(day: date, last_month: int) -> None:
    months = trailing_months(day)
    assert months[-1].end <= day < month_of(months[-1].end + timedelta(days=1)).end
    for found in (months, fiscal_months(day, last_month)):
        assert len(found) == 12
        assert all(a.end + timedelta(days=1) == b.start for a, b in pairwise(found))
    fiscal = fiscal_months(day, last_month)
    assert fiscal[0].start <= day <= fiscal[-1].end
    assert fiscal[-1].end.month == last_month


@given(st.integers(0, 6))
def test_a_week_with_a_day_missing_is_not_available(gone: int) -> None:
    values = _daily(date(2026, 9, 1), 60)
    week = week_ending(date(2026, 10, 2))
    assert of_week(Observations(values), week, "sum").value == 7
    del values[week.start + timedelta(days=gone)]
    assert of_week(Observations(values), week, "sum") == Figure(week, None, missing=1)
    month = month_of(week.start + timedelta(days=gone))
    assert of_month(Observations(values), month, "sum").value is None


def test_the_month_in_which_a_series_begins_counts_from_its_first_day() -> None:
    observed = Observations(_daily(date(2026, 8, 14), 60))
    august, september = month_of(date(2026, 8, 1)), month_of(date(2026, 9, 1))
    assert of_month(observed, august, "sum") == Figure(august, Decimal(18), since=date(2026, 8, 14))
    assert of_month(observed, september, "sum") == Figure(september, Decimal(30))
    assert of_month(observed, month_of(date(2026, 7, 1)), "sum").value is None


def test_weekly_figures_belong_to_the_month_in_which_their_week_ends() -> None:
    fridays = {date(2026, 8, 7) + timedelta(weeks=n): Decimal(n) for n in range(9)}
    observed = Observations(fridays, step=7)
    assert of_week(observed, week_ending(date(2026, 8, 21)), "sum").value == 2
    assert of_month(observed, month_of(date(2026, 8, 1)), "sum").value == 0 + 1 + 2 + 3
    assert of_month(observed, month_of(date(2026, 9, 1)), "last").value == 7
    gap = {day: value for day, value in fridays.items() if day != date(2026, 9, 11)}
    assert of_month(Observations(gap, step=7), month_of(date(2026, 9, 1)), "sum").value is None


def test_a_ratio_is_the_ratio_of_sums() -> None:
    day = date(2026, 9, 21)
    passed = {day + timedelta(days=n): Decimal(v) for n, v in enumerate((1, 9, 0, 0, 0, 0, 0))}
    tried = {day + timedelta(days=n): Decimal(v) for n, v in enumerate((10, 10, 0, 0, 0, 0, 0))}
    week = week_ending(date(2026, 9, 27))
    assert of_week(Observations(passed, tried), week, "ratio") == Figure(week, Decimal("0.5"), Decimal(20))
    nothing = dict.fromkeys(tried, Decimal(0))
    assert of_week(Observations(nothing, nothing), week, "ratio").value is None


@given(st.dictionaries(st.dates(date(2026, 1, 1), date(2026, 12, 31)), st.integers(0, 99).map(Decimal), min_size=1))
def test_a_figure_is_the_sum_of_all_its_days_or_nothing(values: dict[date, Decimal]) -> None:
    for week in last_weeks(max(values), 30):
        found = of_week(Observations(values), week, "sum")
        days = [week.start + timedelta(days=n) for n in range(7)]
        known = [values[day] for day in days if day in values]
        assert found.value == (sum(known) if len(known) == 7 else None)
        assert found.missing == 7 - len(known)


@pytest.mark.parametrize("scenario", ["wbr_s1", "wbr_s2"])
def test_published_scenarios(scenario: str) -> None:
    expected_file = CASES / f"{scenario}_expected.yml"
    if not expected_file.exists():
        pytest.skip("the shared cases are not here")
    with (CASES / f"{scenario}_original.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = [(row["Date"], row["PageViews"].replace(",", "")) for row in csv.DictReader(stream)]
    observed = Observations({datetime.strptime(d, "%a, %d-%b-%Y").date(): Decimal(v) for d, v in rows if v})
    for entry in yaml.safe_load(expected_file.read_text())["tests"]:
        _check_scenario(observed, entry["test"])


def _check_scenario(observed: Observations, told: dict[str, object]) -> None:
    day = datetime.strptime(str(told["week_ending"]), "%d-%b-%Y").date()
    last_month = _MONTHS.index(str(told["fiscal_year_end_month"])) + 1
    fiscal = told["x_axis_monthly_display"] == "fiscal_year"
    months = fiscal_months(day, last_month) if fiscal else trailing_months(day)
    weeks = last_weeks(day)
    now, before = figures(observed, weeks, months, "sum"), prior_year(observed, weeks, months, "sum")
    for name, found in zip(("cy_6_weeks", "cy_monthly", "py_6_weeks", "py_monthly"), (*now, *before), strict=True):
        assert [None if f.value is None else int(f.value) for f in found] == _numbers(told[name]), name
    boxed = box(observed, day, "sum", last_month)
    wanted = told["box_totals"]
    assert isinstance(wanted, list)
    assert [float(v) for v in vars(boxed).values()] == pytest.approx(wanted, rel=1e-3)
    assert [month.start.strftime("%b") for month in months] == told["x_axis"][6:]  # type: ignore[index]


def _numbers(values: object) -> list[int | None]:
    assert isinstance(values, list)
    return [None if math.isnan(value) else round(value) for value in values]
