"""Columns in their plainest form are read by a shorter way, with the same result as among unusual values."""

from expectations.typing_rules import TypingRules

DAYS = ["2026-09-18", "2026-02-30", "1899-12-31", "9999-99-99", None, "2028-02-29"]
NUMBERS = ["5", "007", "-1", "0.0001", "12.5", "99999999999999999999", None, "+3", "1.0005"]
INSTANTS = ["2026-09-18T14:05:00Z", "2026-09-18 14:05:00+02:00", "2026-02-30T00:00:00Z", "1980-01-01T00:00:00Z"]


def same(judge, dataset, base, column, values, odd, rules=None):
    rows = [base | {column: value, "_row": str(number)} for number, value in enumerate(values, start=2)]
    key = {"blocks": "block", "po_schedule": "schedule", "logistics_events": "event_id"}[dataset]
    rows = [row | {key: f"k{number}"} for number, row in enumerate(rows)]
    last = base | {column: odd, key: "last", "_row": "99"}
    short, long = judge(dataset, rows, rules), judge(dataset, [*rows, last], rules)[:-1]
    assert short == long
    return short


def test_days(judge):
    found = same(judge, "blocks", {"system_id": "s"}, "need_date", DAYS, "18 Sep 2026")
    assert [bool(row["_failures"]) for row in found] == [False, True, True, True, False, False]


def test_numbers(judge):
    base = {"po": "1", "line": "1", "promised": "2026-09-18"}
    found = same(judge, "po_schedule", base, "quantity", NUMBERS, "1,200")
    assert [bool(row["_failures"]) for row in found] == [False, False, True, True, False, True, True, False, False]


def test_numbers_with_a_decimal_comma(judge):
    base = {"po": "1", "line": "1", "promised": "2026-09-18"}
    found = same(judge, "po_schedule", base, "quantity", ["5", "007", "-1", None], "1,5", TypingRules(decimal=","))
    assert [bool(row["_failures"]) for row in found] == [False, False, True, True]


def test_instants(judge):
    base = {"shipment": "s", "type": "departed", "classifier": "actual"}
    found = same(judge, "logistics_events", base, "event_at", INSTANTS, "18 Sep 2026 14:05 Z")
    assert [bool(row["_failures"]) for row in found] == [False, False, True, True]
