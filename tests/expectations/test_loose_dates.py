"""Weeks, months, quarters and years stay what they are: the last day counts, the precision is kept."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expectations.loose_dates import Interval, NoInterval, interval_of
from expectations.typing_rules import TypingRules

NONE = TypingRules()
OCTOBER = TypingRules(fiscal_year_start=10)
IN_2026 = TypingRules(year=2026)

INTERVALS = [
    ("2024-W32", NONE, "2024-08-05", "2024-08-11", "week"),
    ("W32/2026", NONE, "2026-08-03", "2026-08-09", "week"),
    ("week 32 2026", NONE, "2026-08-03", "2026-08-09", "week"),
    ("KW 32/2026", NONE, "2026-08-03", "2026-08-09", "week"),
    ("KW 32/26", NONE, "2026-08-03", "2026-08-09", "week"),
    ("2026 wk 32", NONE, "2026-08-03", "2026-08-09", "week"),
    ("wk 53 2026", NONE, "2026-12-28", "2027-01-03", "week"),
    ("ETA wk 32", IN_2026, "2026-08-03", "2026-08-09", "week"),
    ("wk32", IN_2026, "2026-08-03", "2026-08-09", "week"),
    ("w/c 3 Aug 2026", NONE, "2026-08-03", "2026-08-09", "week"),
    ("week of August 3, 2026", NONE, "2026-08-03", "2026-08-09", "week"),
    ("week ending 2026-08-09", NONE, "2026-08-03", "2026-08-09", "week"),
    ("NLT Aug 2026", NONE, "2026-08-01", "2026-08-31", "month"),
    ("2024-W32-3", NONE, "2024-08-07", "2024-08-07", "day"),
    ("Aug 2026", NONE, "2026-08-01", "2026-08-31", "month"),
    ("August, 2026", NONE, "2026-08-01", "2026-08-31", "month"),
    ("2026-08", NONE, "2026-08-01", "2026-08-31", "month"),
    ("08/2026", NONE, "2026-08-01", "2026-08-31", "month"),
    ("2004 December", NONE, "2004-12-01", "2004-12-31", "month"),
    ("rfs 2004 December", NONE, "2004-12-01", "2004-12-31", "month"),
    ("Feb '28", NONE, "2028-02-01", "2028-02-29", "month"),
    ("Q3 2026", NONE, "2026-07-01", "2026-09-30", "quarter"),
    ("2026Q3", NONE, "2026-07-01", "2026-09-30", "quarter"),
    ("3Q26", NONE, "2026-07-01", "2026-09-30", "quarter"),
    ("third quarter of 2026", NONE, "2026-07-01", "2026-09-30", "quarter"),
    ("Q3 FY25", OCTOBER, "2025-04-01", "2025-06-30", "quarter"),
    ("FY25 Q3", OCTOBER, "2025-04-01", "2025-06-30", "quarter"),
    ("FY2025-Q1", OCTOBER, "2024-10-01", "2024-12-31", "quarter"),
    ("Q3 2026", OCTOBER, "2026-07-01", "2026-09-30", "quarter"),
    ("Q3 FY25", TypingRules(fiscal_year_start=1), "2025-07-01", "2025-09-30", "quarter"),
    ("Q1 FY26", TypingRules(fiscal_year_start=2), "2025-02-01", "2025-04-30", "quarter"),
    ("FY25", OCTOBER, "2024-10-01", "2025-09-30", "year"),
    ("H2 2026", NONE, "2026-07-01", "2026-12-31", "half"),
    ("2H26", NONE, "2026-07-01", "2026-12-31", "half"),
    ("H1 FY25", OCTOBER, "2024-10-01", "2025-03-31", "half"),
    ("2023", NONE, "2023-01-01", "2023-12-31", "year"),
    ("mid Aug 2026", NONE, "2026-08-11", "2026-08-20", "part_of_month"),
    ("early Sep 2026", NONE, "2026-09-01", "2026-09-10", "part_of_month"),
    ("end of August 2026", NONE, "2026-08-21", "2026-08-31", "part_of_month"),
    ("late Feb 2026", NONE, "2026-02-21", "2026-02-28", "part_of_month"),
    ("mid-Aug", IN_2026, "2026-08-11", "2026-08-20", "part_of_month"),
    ("end of Q3 2026", NONE, "2026-09-01", "2026-09-30", "month"),
    ("early 2026", NONE, "2026-01-01", "2026-04-30", "part_of_year"),
    ("by end of 2026", NONE, "2026-09-01", "2026-12-31", "part_of_year"),
    ("Q4 FY25", TypingRules(fiscal_year_start=12), "2025-09-01", "2025-11-30", "quarter"),
    ("12 Aug", IN_2026, "2026-08-12", "2026-08-12", "day"),
]


@pytest.mark.parametrize(("text", "rules", "first", "last", "precision"), INTERVALS, ids=lambda value: str(value)[:20])
def test_m34_an_interval_is_read_with_its_precision(text, rules, first, last, precision):
    for spelt in (text, text.upper(), f" {text.lower()} "):
        found = interval_of(spelt, rules)
        assert found == Interval(date.fromisoformat(first), date.fromisoformat(last), precision)


@pytest.mark.parametrize(
    ("text", "rules", "rule", "words"),
    [
        ("wk 32", NONE, "week_without_year", "`year: <year>`"),
        ("Aug", NONE, "week_without_year", "`year: <year>`"),
        ("mid Aug", NONE, "week_without_year", "`year: <year>`"),
        ("Q3", NONE, "week_without_year", "`year: <year>`"),
        ("KW 32/33", NONE, "week_without_year", "weeks 32 to 33"),
        ("Q3 FY25", NONE, "fiscal_year", "`fiscal_year_start: <month 1 to 12>`"),
        ("FY25", NONE, "fiscal_year", "`fiscal_year_start: <month 1 to 12>`"),
        ("Aug-26", NONE, "ambiguous_date", "four digits"),
        ("wk 53 2025", NONE, "type", "2025 has not"),
        ("W60/2026", NONE, "type", "2026 has not"),
        ("Q5 2026", NONE, "type", "no year has"),
        ("H3 2026", NONE, "type", "no year has"),
        ("31 Feb", IN_2026, "type", "has not"),
    ],
)
def test_m34_what_is_uncertain_is_refused_with_what_to_declare(text, rules, rule, words):
    found = interval_of(text, rules)
    assert isinstance(found, NoInterval)
    assert (found.rule, words in found.reason) == (rule, True)


@pytest.mark.parametrize("text", ["TBD", "spring 2026", "soon", "2026-09-18", "46283", "wk 32-34 2026", "13/2026", ""])
def test_what_speaks_of_no_interval_is_none(text):
    assert interval_of(text, NONE) is None


@pytest.mark.parametrize(
    ("text", "near", "last"),
    [
        ("wk 3", date(2026, 12, 10), date(2027, 1, 24)),
        ("wk 50", date(2027, 1, 8), date(2026, 12, 13)),
        ("wk 32", date(2026, 7, 1), date(2026, 8, 9)),
        ("mid Jan", date(2026, 12, 10), date(2027, 1, 20)),
    ],
)
def test_m34_a_dated_file_gives_the_year(text, near, last):
    found = interval_of(text, TypingRules(near=near))
    assert isinstance(found, Interval)
    assert found.last == last


@given(st.dates(date(1991, 1, 1), date(2098, 12, 31)))
def test_every_interval_holds_the_day_it_was_made_from(day):
    year, week, weekday = day.isocalendar()
    quarter = (day.month + 2) // 3
    forms = [
        f"{year}-W{week:02d}", f"wk {week} {year}", f"KW {week}/{year}", f"{day:%b %Y}", f"{day:%B %Y}", f"{day:%Y-%m}",
        f"{day:%m/%Y}", f"Q{quarter} {day.year}", f"{day.year}Q{quarter}", f"H{(quarter + 1) // 2} {day.year}",
        str(day.year),
    ]  # fmt: skip
    for form in forms:
        found = interval_of(form, NONE)
        assert isinstance(found, Interval), form
        assert found.first <= day <= found.last
    exact = interval_of(f"{year}-W{week:02d}-{weekday}", NONE)
    assert exact == Interval(day, day, "day")


@given(st.integers(1991, 2098), st.integers(1, 12))
def test_fiscal_quarters_follow_each_other_and_fill_the_year(year, start):
    rules = TypingRules(fiscal_year_start=start)
    pieces = [interval_of(f"Q{number} FY{year}", rules) for number in range(1, 5)]
    whole = interval_of(f"FY{year}", rules)
    assert [whole.first, *(piece.last + timedelta(days=1) for piece in pieces[:-1])] == [p.first for p in pieces]
    assert (pieces[-1].last, whole.last.year, whole.first.month) == (whole.last, year, start)


def row_of(judge, text, column="need_date", dataset="blocks", rules=NONE):
    cells = {"blocks": {"system_id": "s", "block": "b"}, "shipments": SHIPPED}[dataset]
    (row,) = judge(dataset, [cells | {column: text}], rules)
    return row


SHIPPED = {"shipment": "A", "line": "1", "part_number": "P", "quantity": "1", "po": "1", "status": "shipped"}


def test_m34_the_last_day_counts_and_the_precision_stays_with_the_row(judge):
    row = row_of(judge, "wk 32 2026")
    assert (row["need_date"], row["_failures"]) == (date(2026, 8, 9), [])
    assert (row["_precision"], row["_earliest"]) == ({"need_date": "week"}, {"need_date": date(2026, 8, 3)})
    (remark,) = judge.remarks
    assert (remark.code, remark.column, remark.value) == ("imprecise_dates", "need_date", "week")


def test_m34_a_day_has_no_precision_beside_it(judge):
    for text in ("2026-08-09", "ETA 9 Aug 2026", "due: 2026-08-09", "2026-W32-7"):
        row = row_of(judge, text)
        assert (row["need_date"], row["_precision"], row["_earliest"]) == (date(2026, 8, 9), None, None)


def test_m34_about_a_day_is_no_day(judge):
    row = row_of(judge, "approx. 9 Aug 2026")
    assert [failure["rule"] for failure in row["_failures"]] == ["type"]


def test_m34_an_actual_needs_its_day(judge):
    row = row_of(judge, "Aug 2026", "delivered", "shipments")
    (failure,) = [each for each in row["_failures"] if each["column"] == "delivered"]
    assert failure["rule"] == "imprecise_date"
    assert "'Aug 2026', which is a month, and delivered says when something happened" in failure["message"]
    row = row_of(judge, "Aug 2026", "eta", "shipments")
    assert row["eta"] == date(2026, 8, 31)


def test_m34_a_time_from_a_week_is_its_last_day_in_the_zone_of_the_source(judge):
    event = {"event_id": "e", "shipment": "s", "type": "departed", "classifier": "planned", "event_at": "wk 32 2026"}
    (row,) = judge("logistics_events", [event], TypingRules(time_zone="America/Chicago"))
    assert (str(row["event_at"]), row["_precision"]) == ("2026-08-09 05:00:00", {"event_at": "week"})
    (row,) = judge("logistics_events", [event])
    assert [failure["rule"] for failure in row["_failures"]] == ["time_zone"]


def test_rows_that_differ_in_precision_only_contradict_each_other(judge):
    rows = [{"system_id": "s", "block": "b", "need_date": text} for text in ("2026-08-31", "Aug 2026")]
    assert [[f["rule"] for f in row["_failures"]] for row in judge("blocks", rows)] == [["key_conflict"]] * 2
