"""Day first or month first: declared, or proved by the column itself, or refused."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expectations.date_order import evidence_of
from expectations.typing_rules import TypingRules


def dates(judge, texts, rules=None, column="need_date"):
    rows = [{"system_id": "s", "block": str(number), column: text} for number, text in enumerate(texts)]
    return judge("blocks", rows, rules)


def rules_of(rows):
    return [[failure["rule"] for failure in row["_failures"]] for row in rows]


def test_b12_ambiguous_dates_without_a_declaration_are_refused(judge):
    rows = dates(judge, ["10/9/2016", "11/9/2016"])
    assert rules_of(rows) == [["ambiguous_date"], ["ambiguous_date"]]
    assert "write `dates: {need_date: dmy}` or `dates: {need_date: mdy}`" in rows[0]["_failures"][0]["message"]
    assert judge.remarks == []


def test_b12_no_row_swaps_day_and_month(judge):
    """`10/9/2016` then `30/9/2016`: both in September."""
    rows = dates(judge, ["10/9/2016", "30/9/2016"])
    assert [row["need_date"] for row in rows] == [date(2016, 9, 10), date(2016, 9, 30)]


def test_m31_a_day_beyond_twelve_proves_the_order_and_is_reported(judge):
    rows = dates(judge, ["3/4/2026", "15/12/2026", None, "2026-05-06"])
    assert [row["need_date"] for row in rows] == [date(2026, 4, 3), date(2026, 12, 15), None, date(2026, 5, 6)]
    (remark,) = judge.remarks
    assert (remark.code, remark.value) == ("date_order_proved", "15/12/2026")
    assert "`dates: {need_date: dmy}`" in remark.message
    rows = dates(judge, ["3/4/2026", "12/15/2026 10:30"])
    assert [row["need_date"] for row in rows] == [date(2026, 3, 4), date(2026, 12, 15)]


def test_m31_one_unambiguous_date_alone_is_read(judge):
    assert dates(judge, ["15/12/2026"])[0]["need_date"] == date(2026, 12, 15)
    assert dates(judge, ["12/15/2026"])[0]["need_date"] == date(2026, 12, 15)


def test_m31_contradicting_dates_are_refused(judge):
    rows = dates(judge, ["3/4/2026", "15/12/2026", "12/15/2026"])
    assert rules_of(rows) == [["ambiguous_date"]] * 3
    assert "'15/12/2026' as well as '12/15/2026'" in rows[0]["_failures"][0]["message"]


def test_m31_each_file_proves_for_itself(judge):
    cells = {"system_id": "s", "need_date": "3/4/2026"}
    rows = [
        cells | {"block": "1"}, cells | {"block": "2", "need_date": "15/12/2026"},
        cells | {"block": "1", "_ingest": "i2"}, cells | {"block": "2", "need_date": "12/15/2026", "_ingest": "i2"},
        cells | {"block": "1", "_ingest": "i3"},
    ]  # fmt: skip
    found = judge("blocks", rows)
    assert [row["need_date"] for row in found[:4:2]] == [date(2026, 4, 3), date(2026, 3, 4)]
    assert rules_of(found)[4] == ["ambiguous_date"]


def test_m31_a_declared_order_stands_against_the_file(judge):
    rows = dates(judge, ["15/12/2026"], TypingRules(date_order="mdy"))
    assert rules_of(rows) == [["type"]]
    assert rules_of(dates(judge, ["15/12/2026"], TypingRules(date_order="ymd"))) == [["ambiguous_date"]]


def test_m31_an_order_is_declared_per_column(judge):
    rules = TypingRules(date_orders={"requested": "dmy", "acknowledged": "mdy"})
    line = {"po": "1", "line": "1", "part_number": "P", "quantity": "1", "vendor": "V", "status": "open"}
    (row,) = judge("purchase_orders", [line | {"requested": "3/4/2026", "acknowledged": "3/4/2026"}], rules)
    assert (row["requested"], row["acknowledged"]) == (date(2026, 4, 3), date(2026, 3, 4))


def test_m32_two_formats_in_one_column_are_both_read(judge):
    rows = dates(judge, ["2-Jun-06", "6/13/2006", "6/2/2006"])
    assert [row["need_date"] for row in rows] == [date(2006, 6, 2), date(2006, 6, 13), date(2006, 6, 2)]


def test_m32_a_year_of_two_digits_may_stand_first_and_proves_nothing(judge):
    assert rules_of(dates(judge, ["26-08-12", "26-08-13"])) == [["ambiguous_date"]] * 2
    rows = dates(judge, ["8/12/26", "8/31/26"])
    assert [row["need_date"] for row in rows] == [date(2026, 8, 12), date(2026, 8, 31)]


@given(st.lists(st.dates(date(1990, 1, 1), date(2099, 12, 31)), min_size=1), st.sampled_from(["dmy", "mdy"]))
def test_a_proved_order_is_the_right_one(days, order):
    form = "%d/%m/%Y" if order == "dmy" else "%m/%d/%Y"
    evidence = evidence_of(day.strftime(form) for day in days)
    assert evidence.order in (None, order)
    assert (evidence.order is None) == all(day.day <= 12 for day in days)


SERIALS = [
    ("46283", 1900, date(2026, 9, 18)),
    ("44821", 1904, date(2026, 9, 18)),
    ("46283.75", 1900, date(2026, 9, 18)),
    ("36526", 1900, date(2000, 1, 1)),
]


@pytest.mark.parametrize(("text", "epoch", "day"), SERIALS)
def test_m33_a_bare_serial_of_a_workbook_is_a_day(judge, text, epoch, day):
    (row,) = dates(judge, [text], TypingRules(date_epoch=epoch))
    assert (row["need_date"], row["_failures"]) == (day, [])


def test_m33_a_bare_number_elsewhere_is_no_day_unless_declared(judge):
    assert rules_of(dates(judge, ["46283"])) == [["type"]]
    (row,) = dates(judge, ["46283"], TypingRules(date_order="serial"))
    assert row["need_date"] == date(2026, 9, 18)
    (row,) = dates(judge, ["44821"], TypingRules(date_orders={"need_date": "serial_1904"}))
    assert row["need_date"] == date(2026, 9, 18)


@pytest.mark.parametrize("text", ["60", "59", "12", "99999", "100000"])
def test_m33_an_implausible_serial_is_refused(judge, text):
    assert rules_of(dates(judge, [text], TypingRules(date_epoch=1900))) == [["type"]]


@pytest.mark.parametrize("text", ["0", "1/0/1900", "0/1/1900", "1900-01-00", "0000-00-00", "00/00/0000", "0-Jan-00"])
def test_m33_zero_is_no_date(judge, text):
    (row,) = dates(judge, [text], TypingRules(date_epoch=1900))
    assert (row["need_date"], row["_absent"], row["_failures"]) == (None, {"need_date": "no_date"}, [])


def test_m33_the_serial_of_an_instant_keeps_its_time(judge):
    event = {"event_id": "e", "shipment": "s", "type": "departed", "classifier": "planned", "event_at": "46283.75"}
    (row,) = judge("logistics_events", [event], TypingRules(time_zone="UTC", date_epoch=1900))
    assert str(row["event_at"]) == "2026-09-18 18:00:00"


@given(st.dates(date(1990, 1, 1), date(2099, 12, 31)))
def test_every_serial_counts_from_its_epoch(day):
    from expectations.odd_values import serial_day

    assert serial_day((day - date(1899, 12, 30)).days, 1900) == day
    assert serial_day((day - date(1904, 1, 1)).days, 1904) == day


@pytest.mark.parametrize(
    ("texts", "order"),
    [
        (["Mon 11/3/2014"], "mdy"),
        (["Mon 11/3/14"], None),
        (["Tue 11/3/14"], "dmy"),
        (["Mon 11/3/14", "Tue 11/3/14"], None),
        (["Sun 11/3/14"], None),
        (["11/3/14"], None),
        (["Fri 10/17/14", "Mon 11/3/14"], "mdy"),
        (["Friday, 3/4/2026", "4/4/2026"], "dmy"),
    ],
)
def test_a_weekday_proves_the_order(texts, order):
    """3 November 2014 was a Monday, 11 March 2014 a Tuesday; 14 March 2011, the year first, was a Monday too."""
    assert evidence_of(texts).order == order
