"""Dates and instants: the declared forms, the forms that need no declaration, and nothing guessed."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from expectations.typing_rules import TypingRules

NONE, DMY, MDY = TypingRules(), TypingRules(date_order="dmy"), TypingRules(date_order="mdy")
CHICAGO = TypingRules(time_zone="America/Chicago")
YMD = TypingRules(date_order="ymd")
DECLARED = {"none": NONE, "ymd": YMD, "dmy": DMY, "mdy": MDY, "chicago": CHICAGO}


def block(text: str | None, number: int = 1) -> dict[str, str | None]:
    return {"system_id": "s", "block": f"SU{number}", "need_date": text}


def event(text: str, number: int = 1) -> dict[str, str]:
    return {"event_id": f"e{number}", "shipment": "s", "type": "departed", "classifier": "actual", "event_at": text}


def rules_of(row) -> list[tuple[str, str]]:
    return [(failure["rule"], failure["column"]) for failure in row["_failures"]]


DAYS = [
    ("2026-09-18", NONE, date(2026, 9, 18)),
    ("2026/9/8", NONE, date(2026, 9, 8)),
    ("2026.09.18", NONE, date(2026, 9, 18)),
    ("20260918", NONE, date(2026, 9, 18)),
    ("2-Jun-06", NONE, date(2006, 6, 2)),
    ("02-JUN-2006", NONE, date(2006, 6, 2)),
    ("2 June 2006", NONE, date(2006, 6, 2)),
    ("2.Jun.2006", NONE, date(2006, 6, 2)),
    ("02Jun2006", NONE, date(2006, 6, 2)),
    ("3-Sept-26", NONE, date(2026, 9, 3)),
    ("June 2, 2006", NONE, date(2006, 6, 2)),
    ("Jun 2nd 2006", NONE, date(2006, 6, 2)),
    ("Sun, 05-Jan-2020", NONE, date(2020, 1, 5)),
    ("2-Jun-68", NONE, date(2068, 6, 2)),
    ("10/9/2016", DMY, date(2016, 9, 10)),
    ("10/9/2016", MDY, date(2016, 10, 9)),
    ("10.09.16", DMY, date(2016, 9, 10)),
    ("10-9-2016", MDY, date(2016, 10, 9)),
    ("2016-09-10", DMY, date(2016, 9, 10)),
    ("Fri 10/17/14", MDY, date(2014, 10, 17)),
    ("2026-02-28", NONE, date(2026, 2, 28)),
    ("2028-02-29", NONE, date(2028, 2, 29)),
    ("２０２６-０９-１８", NONE, date(2026, 9, 18)),
    ("2026-09-18 00:00:00", NONE, date(2026, 9, 18)),
    ("2026-09-18T14:05:11", NONE, date(2026, 9, 18)),
    ("9/18/2026 2:05 PM", MDY, date(2026, 9, 18)),
    ("2026-09-18T00:00:00Z", CHICAGO, date(2026, 9, 18)),
    ("2026-09-18T03:30:00Z", CHICAGO, date(2026, 9, 17)),
    ("2026-09-18T03:30:00Z", NONE, date(2026, 9, 18)),
]


@pytest.mark.parametrize("rules", DECLARED, ids=str)
def test_a_day_is_read(judge, rules) -> None:
    cases = [(text, day) for text, declared, day in DAYS if declared == DECLARED[rules]]
    rows = judge("blocks", [block(text, number) for number, (text, _) in enumerate(cases)], DECLARED[rules])
    found = [(text, row["need_date"], rules_of(row)) for (text, _), row in zip(cases, rows, strict=True)]
    assert found == [(text, day, []) for text, day in cases]


NO_DAYS = [
    ("10/9/2016", NONE, "ambiguous_date"),
    ("25.12.16", YMD, "ambiguous_date"),
    ("31/02/2026", DMY, "type"),
    ("9/31/2026", MDY, "type"),
    ("30/9/2016", MDY, "type"),
    ("2026-02-30", NONE, "type"),
    ("2026-02-29", NONE, "type"),
    ("2026-13-01", NONE, "type"),
    ("00000000", NONE, "type"),
    ("31-Feb-26", NONE, "type"),
    ("ETA wk 32", NONE, "week_without_year"),
    ("2026-W54", NONE, "type"),
    ("Q3 FY25", NONE, "fiscal_year"),
    ("Aug-26", NONE, "ambiguous_date"),
    ("spring 2026", NONE, "type"),
    ("46283", NONE, "type"),
    ("yesterday", NONE, "type"),
    ("2026-09-18 25:00", NONE, "type"),
    ("18 Brumaire 2026", NONE, "type"),
    ("#VALUE!", NONE, "spreadsheet_error"),
    ("1899-12-30", NONE, "range"),
    ("2-Jun-69", NONE, "range"),
    ("9999-12-31", NONE, "range"),
]


@pytest.mark.parametrize("rules", DECLARED, ids=str)
def test_what_is_no_certain_day_is_refused(judge, rules) -> None:
    cases = [(text, rule) for text, declared, rule in NO_DAYS if declared == DECLARED[rules]]
    rows = judge("blocks", [block(text, number) for number, (text, _) in enumerate(cases)], DECLARED[rules])
    found = [(text, rules_of(row)) for (text, _), row in zip(cases, rows, strict=True)]
    assert found == [(text, [(rule, "need_date")]) for text, rule in cases]
    assert all(row["need_date"] is None for (_, rule), row in zip(cases, rows, strict=True) if rule != "range")


def test_the_sentence_on_an_ambiguous_date_says_what_to_declare(judge) -> None:
    (row,) = judge("blocks", [block("10/9/2016")])
    told = "in the source of programme.yaml write `dates: {need_date: dmy}` or `dates: {need_date: mdy}`"
    assert told in row["_failures"][0]["message"]


INSTANTS = [
    ("2026-08-22T14:05:00Z", NONE, datetime(2026, 8, 22, 14, 5)),
    ("2026-08-22T14:05:00+01:00", NONE, datetime(2026, 8, 22, 13, 5)),
    ("2026-08-22 14:05:00.250-05:30", NONE, datetime(2026, 8, 22, 19, 35, 0, 250000)),
    ("2026-08-22T14:05+0830", NONE, datetime(2026, 8, 22, 5, 35)),
    ("2026-08-22T14:05:00 UTC", NONE, datetime(2026, 8, 22, 14, 5)),
    ("22-Aug-26 2:05 PM +02", NONE, datetime(2026, 8, 22, 12, 5)),
    ("22/08/2026 14:05 GMT", DMY, datetime(2026, 8, 22, 14, 5)),
    ("2026-08-22 12:30 AM Z", NONE, datetime(2026, 8, 22, 0, 30)),
    ("2026-08-22 12:30 pm Z", NONE, datetime(2026, 8, 22, 12, 30)),
    ("2026-08-22T14:05:00,5Z", NONE, datetime(2026, 8, 22, 14, 5, 0, 500000)),
    ("2026-08-22 14:05", CHICAGO, datetime(2026, 8, 22, 19, 5)),
    ("2026-01-22 14:05", CHICAGO, datetime(2026, 1, 22, 20, 5)),
    ("2026-08-22 14:05Z", CHICAGO, datetime(2026, 8, 22, 14, 5)),
    ("2026-08-22", CHICAGO, datetime(2026, 8, 22, 5, 0)),
    ("2026-08-22T24:00:00Z", NONE, datetime(2026, 8, 23)),
]


@pytest.mark.parametrize("rules", DECLARED, ids=str)
def test_an_instant_is_kept_in_utc(judge, rules) -> None:
    cases = [(text, instant) for text, declared, instant in INSTANTS if declared == DECLARED[rules]]
    rows = judge("logistics_events", [event(text, number) for number, (text, _) in enumerate(cases)], DECLARED[rules])
    found = [(text, row["event_at"], rules_of(row)) for (text, _), row in zip(cases, rows, strict=True)]
    assert found == [(text, instant, []) for text, instant in cases]


NO_INSTANTS = [
    ("2026-08-22 14:05", NONE, "time_zone"),
    ("2026-08-22", NONE, "time_zone"),
    ("22-Aug-2026", NONE, "time_zone"),
    ("2026-08-22 14:05 CST", NONE, "type"),
    ("2026-08-22 14:05 CST", CHICAGO, "type"),
    ("2026-08-22T14:61:00Z", NONE, "type"),
    ("2026-08-22T25:00:00Z", NONE, "type"),
    ("2026-08-22 13:05 PM Z", NONE, "type"),
    ("2026-08-22T14:05:00+99:00", NONE, "type"),
    ("2026-02-30T14:05:00Z", NONE, "type"),
    ("10/9/2016 14:05Z", NONE, "ambiguous_date"),
    ("1767225600", NONE, "type"),
    ("2021 01 01 14:12:56", NONE, "time_zone"),
    ("2019/11/12 07:41:00 noon", NONE, "type"),
    ("1980-01-01T00:00:00Z", NONE, "range"),
]


@pytest.mark.parametrize("rules", DECLARED, ids=str)
def test_what_is_no_certain_instant_is_refused(judge, rules) -> None:
    cases = [(text, rule) for text, declared, rule in NO_INSTANTS if declared == DECLARED[rules]]
    rows = judge("logistics_events", [event(text, number) for number, (text, _) in enumerate(cases)], DECLARED[rules])
    found = [(text, rules_of(row)) for (text, _), row in zip(cases, rows, strict=True)]
    assert found == [(text, [(rule, "event_at")]) for text, rule in cases]


def test_the_sentence_on_a_missing_zone_says_so(judge) -> None:
    rows = judge("logistics_events", [event("2026-08-22 14:05"), event("2026-08-22") | {"event_id": "f"}])
    first, second = (row["_failures"][0]["message"] for row in rows)
    assert "has no time zone, and the source declares none" in first
    assert "is a day and needs time and zone" in second


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dates(date(1990, 1, 1), date(2068, 12, 31)))
def test_any_day_comes_back_in_every_form(judge, day: date) -> None:
    forms = [day.isoformat(), f"{day:%d-%b-%y}", f"{day:%d %B %Y}", f"{day:%b %d, %Y}", f"{day:%Y%m%d}"]
    rows = judge("blocks", [block(form) | {"block": str(i)} for i, form in enumerate(forms)])
    rows += judge("blocks", [block(f"{day:%d/%m/%Y}"), block(f"{day:%d.%m.%Y} 10:15") | {"block": "x"}], DMY)
    rows += judge("blocks", [block(f"{day:%m/%d/%Y}")], MDY)
    if day.year >= 2000:
        rows += judge("blocks", [block(f"{day:%d-%m-%y}")], DMY)
    assert {row["need_date"] for row in rows} == {day}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.datetimes(datetime(1991, 1, 1), datetime(2099, 1, 1)), st.integers(-14 * 60, 14 * 60))
def test_any_instant_comes_back_from_any_offset(judge, moment: datetime, minutes: int) -> None:
    there = moment.replace(tzinfo=UTC).astimezone(timezone(timedelta(minutes=minutes)))
    forms = [there.isoformat(), f"{there:%d-%b-%Y %I:%M:%S.%f %p %z}"]
    rows = judge("logistics_events", [event(form) | {"event_id": str(i)} for i, form in enumerate(forms)])
    assert [row["event_at"] for row in rows] == [moment, moment]


def test_a_day_number_outside_a_workbook_says_which_day_it_would_be(judge) -> None:
    line = {"po": "1", "line": "1", "part_number": "P", "quantity": "1", "vendor": "V", "status": "open"}
    (row,) = judge("purchase_orders", [line | {"ordered": "46283"}])
    (failure,) = row["_failures"]
    assert failure["rule"] == "type"
    assert "day number, 2026-09-18, write `dates: {ordered: serial}` in the source" in failure["message"]
