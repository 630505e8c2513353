"""What a week of waiting for a decision costs, by hand."""

from datetime import date

import pytest

from tests.readiness.forecasting.forecasts import ground, line
from tests.readiness.forecasting.small import FRIDAY, gate, one_block, project
from turnup.readiness.forecasting.decisions import Decision, decision_rows


def serve(lead=3, **changes):
    return gate("serve", lead, stage="schedulable", **changes)


def cost(given, gate_="serve", needed_by=date(2026, 11, 2), block=None, system="a"):
    (row,) = decision_rows(given, [Decision("D-1", system, gate_, block, needed_by)])
    return row.get("delay_days"), row.get("note")


def test_work_begins_the_day_after_it():
    # decided on Monday 2 November, done on Thursday 5; a week later the same
    given = ground(one_block(serve()), line(8))
    assert cost(given) == (7, "")
    (row,) = decision_rows(given, [Decision("D-1", "a", "serve", None, date(2026, 11, 2))])
    assert (row["needed_on"], row["p80"], row["p80_later"]) == (
        date(2026, 11, 2), date(2026, 11, 5), date(2026, 11, 12),
    )  # fmt: skip


@pytest.mark.parametrize("needed_by", [date(2026, 9, 1), None])
def test_what_is_overdue_is_made_now_or_a_week_from_now(needed_by):
    # on Friday 30 October, done on Wednesday 4 November; on Friday 6, done on Wednesday 11
    (row,) = decision_rows(ground(one_block(serve()), line(8)), [Decision("D-1", "a", "serve", None, needed_by)])
    assert (row["needed_on"], row["p80"], row["p80_later"]) == (FRIDAY, date(2026, 11, 4), date(2026, 11, 11))


def test_part_of_it_costs_what_is_left_when_other_things_are_done():
    # goods take until Tuesday 3 November: in time they decide, a week later the decision does
    given = ground(one_block(gate("deliver", 2), serve()), line(8))
    assert cost(given, needed_by=FRIDAY) == (5, "")


def test_it_costs_nothing_where_other_things_take_longer():
    assert cost(ground(one_block(gate("deliver", 20), serve()), line(8))) == (0, "")


def test_activities_that_stand_for_the_gate_wait_too():
    tasks = project({"id": "1", "d": 3, "system": "a", "block": "b1", "gate": "serve"})
    given = ground(one_block(serve(40)), line(8), projects=[tasks])
    assert cost(given) == (7, "")


def test_what_has_begun_waits_with_what_is_left_of_it():
    tasks = project({"id": "1", "d": 5, "remaining_s": 3 * 8 * 3600, "status": "in_progress", "system": "a",
                     "block": "b1", "gate": "serve", "actual_start": None})  # fmt: skip
    given = ground(one_block(serve(40)), line(8), projects=[tasks])
    assert cost(given) == (7, "")


@pytest.mark.parametrize(
    ("changes", "note"),
    [
        ({"gate_": None}, "the entry names no gate of a system that is forecast"),
        ({"system": "z"}, "the entry names no gate of a system that is forecast"),
        ({"system": None}, "the entry names no gate of a system that is forecast"),
        ({"gate_": "start"}, "its gate has passed"),
        ({"block": "b9"}, "its gate has passed"),
    ],
)
def test_where_nothing_waits_it_says_why(changes, note):
    given = ground(one_block(gate("start", 1, passed=True, passed_on=FRIDAY), serve()), line(8))
    assert cost(given, **changes) == (None, note)


def test_a_system_that_is_complete_waits_for_nothing():
    assert cost(ground(one_block(serve()), line(8, present=8))) == (None, "the system is complete")


def test_without_a_forecast_there_is_no_cost():
    delay, note = cost(ground(one_block(gate("deliver"), serve()), line(8)))
    assert delay is None
    assert note.startswith("no forecast: gate 'deliver' has no lead_time")
