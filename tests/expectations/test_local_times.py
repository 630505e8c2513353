"""Times of the place: what its clock shows, without zone; a day is its midnight."""

from dataclasses import replace
from datetime import datetime

import pytest

from expectations.contract import load_contracts
from expectations.typing_rules import TypingRules


def told(judge, text, rules=None):
    (row,) = judge("activities", [{"task": "A1", "name": "x", "planned_start_at": text}], rules)
    return row["planned_start_at"], [(failure["rule"], failure["column"]) for failure in row["_failures"]]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2026-09-07T08:00:00", datetime(2026, 9, 7, 8)),
        ("2026-09-07 08:00", datetime(2026, 9, 7, 8)),
        ("2026-09-07T08:00:59", datetime(2026, 9, 7, 8, 0, 59)),
        ("2026-09-07", datetime(2026, 9, 7)),
        ("7-Sep-2026 5:00 PM", datetime(2026, 9, 7, 17)),
        ("Mon 9/28/26 5:00 PM", datetime(2026, 9, 28, 17)),
    ],
)
def test_read(judge, text, value):
    assert told(judge, text) == (value, [])


@pytest.mark.parametrize("zone", [None, "America/Chicago"])
def test_the_zone_of_the_source_moves_nothing(judge, zone):
    """The night on which clocks go forward has the hour that no zone has."""
    rules = replace(TypingRules(), time_zone=zone)
    assert told(judge, "2026-03-08T02:30:00", rules) == (datetime(2026, 3, 8, 2, 30), [])


@pytest.mark.parametrize("text", ["2026-09-07T08:00:00Z", "2026-09-07 08:00 +02:00"])
def test_a_stated_zone_is_refused(judge, text):
    assert told(judge, text) == (None, [("time_zone", "planned_start_at")])


@pytest.mark.parametrize("text", ["soon", "2026-13-07T08:00", "2026-09-07T25:00:00", "1826-09-07T08:00:00"])
def test_refused(judge, text):
    assert told(judge, text)[1]


def test_columns_that_only_readers_fill_are_marked():
    columns = load_contracts()["activities"].columns
    assert {column.name for column in columns if column.type == "local"} <= {c.name for c in columns if c.machine}
    assert not any(column.machine for column in columns if column.required)
