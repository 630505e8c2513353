"""Faults that other schedulers are publicly known for, each with the answer that is right.

Whole working days unless said otherwise; the number is that of the list of faults this follows.
"""

from datetime import date, datetime, timedelta

import pytest

from tests.schedule.projects import MONDAY, OFFICE, activity, days, link, project, workday
from turnup.schedule.model import DAY, HOUR, MS_PROJECT, Options, WorkCalendar
from turnup.schedule.passes import schedule


def floats(found):
    return {
        row["code"]: None if row["total_float_s"] is None else days(row["total_float_s"])
        for row in found.frame().iter_rows(named=True)
    }


def codes(found, column):
    frame = found.frame()
    return set(frame.filter(frame[column])["code"])


def cell(found, code, column):
    frame = found.frame()
    return frame.filter(frame["code"] == code)[column][0]


def test_5_critical_by_float_and_by_longest_path_are_two_rules():
    must = project(
        [activity("A", 5), activity("B", 5), activity("E"), activity("C", 3)],
        [link("A", "B"), link("B", "E"), link("C", "E")],
        must_finish=workday(2),
    )
    found = schedule(must)
    assert floats(found) == {"A": -8, "B": -8, "E": -8, "C": -1}
    assert codes(found, "critical") == {"A", "B", "E", "C"}
    assert codes(found, "longest_path") == {"A", "B", "E"}


def test_6_a_completed_activity_has_no_float_and_is_not_critical():
    done = activity(
        "A", 5, status="completed", remaining_s=0, actual_start=datetime(2025, 12, 29, 8),
        actual_finish=datetime(2026, 1, 2, 17),
    )  # fmt: skip
    found = schedule(project([done, activity("B", 2)], [link("A", "B")]))
    assert floats(found) == {"A": None, "B": 0}
    assert codes(found, "critical") == {"B"}
    assert cell(found, "B", "early_start") == datetime(2026, 1, 5, 8)


def test_7_part_day_exceptions():
    half = ((8 * HOUR, 12 * HOUR),)
    exceptions = {date(2020, 8, 4): (), date(2020, 8, 5): (), date(2020, 8, 6): half, date(2020, 8, 7): half}
    site = WorkCalendar("site", OFFICE.week, exceptions)
    found = schedule(
        project([activity("A", 5)], calendars={"office": site}, data_date=datetime(2020, 8, 3), planned_start=None)
    )
    assert cell(found, "A", "early_finish") == datetime(2020, 8, 12, 17)


@pytest.mark.parametrize(
    ("lag", "starts"),
    [({"lag_s": 7 * DAY, "elapsed": True}, datetime(2025, 1, 31, 8)), ({"lag_days": 7}, datetime(2025, 2, 4, 8))],
)
def test_8_elapsed_and_working_lag(lag, starts):
    # A ends at the end of Thursday 23 January 2025.
    network = project(
        [activity("A", 4), activity("B", 1)],
        [link("A", "B", lag_days=lag.pop("lag_days", 0)) | lag],
        data_date=datetime(2025, 1, 20),
    )
    assert cell(schedule(network), "B", "early_start") == starts


def test_8_fifty_five_elapsed_days_are_fifty_five_days_of_the_clock():
    lag = link("A", "B") | {"lag_s": 55 * DAY, "elapsed": True}
    every_hour = activity("B", 1, calendar="24h elapsed", remaining_s=DAY, duration_s=DAY)
    found = schedule(project([activity("A", 5), every_hour], [lag]))
    assert cell(found, "B", "early_start") == datetime(2026, 1, 9, 17) + timedelta(days=55)


def test_10_a_lag_keeps_the_critical_path():
    network = project([activity("A", 5), activity("B", 4), activity("C", 6)], [link("A", "B", lag_days=3)])
    found = schedule(network)
    assert floats(found) == {"A": 0, "B": 0, "C": 6}
    assert codes(found, "longest_path") == {"A", "B"}
    assert found.finish == (round((workday(12) - datetime(1970, 1, 1)).total_seconds()),)


def test_11_a_negative_lag_carries_through_a_finish_link():
    network = project(
        [activity("1", 10), activity("2", 10), activity("3", 10)],
        [link("1", "2", lag_days=-5), link("2", "3", "FF")],
    )
    found = schedule(network)
    assert [cell(found, code, "early_start") for code in "123"] == [workday(1, 8), workday(6, 8), workday(6, 8)]
    assert [cell(found, code, "early_finish") for code in "123"] == [workday(10), workday(15), workday(15)]


def test_12_the_heavier_of_two_ways_counts():
    network = project(
        [activity("A"), activity("B"), activity("C")],
        [link("A", "B", lag_days=5), link("B", "C", lag_days=10), link("A", "C", lag_days=40)],
    )
    found = schedule(network)
    assert cell(found, "C", "early_finish") == workday(40)
    assert codes(found, "longest_path") == {"A", "C"}


def test_13_as_late_as_possible_is_the_latest_instant_that_keeps_the_gap():
    network = project(
        [
            activity("before", 12),
            activity("F", 3),
            activity("M", constraint="as_late_as_possible"),
        ],
        [link("before", "F"), link("M", "F", lag_days=1)],
    )
    # F starts after 12 days; M stands at the end of day 11.
    assert cell(schedule(network), "M", "early_finish") == workday(11)


def test_14_two_predecessors_of_one_task():
    network = project(
        [activity("C", 5), activity("F", 3), activity("G", 4), activity("H", 1)],
        [link("C", "G"), link("F", "G"), link("G", "H")],
    )
    found = schedule(network)
    assert cell(found, "G", "early_start") == workday(6, 8)
    assert floats(found) == {"C": 0, "F": 2, "G": 0, "H": 0}
    assert cell(found, "H", "early_finish") == workday(10)


def test_15_a_link_from_outside_the_file_is_told_and_its_stored_date_holds():
    held = activity("B", 1, external_early=datetime(2026, 1, 14, 8))
    network = project([held], [link("elsewhere", "B", external=True, pred_project="OTHER")])
    found = schedule(network)
    assert cell(found, "B", "early_start") == datetime(2026, 1, 14, 8)
    assert [(finding.code, finding.value) for finding in found.findings] == [("external_link", "elsewhere")]


def test_15_a_link_to_nowhere_is_a_warning():
    found = schedule(project([activity("A", 1)], [link("A", "gone")]))
    assert [(finding.code, finding.severity, finding.value) for finding in found.findings] == [
        ("dangling_link", "warning", "gone")
    ]


def test_17_a_working_lag_skips_days_off():
    # Four days from Monday end on Thursday; two working days later is Tuesday.
    network = project([activity("A", 4), activity("B", 1)], [link("A", "B", lag_days=2)])
    assert cell(schedule(network), "B", "early_start") == MONDAY + timedelta(days=8, hours=8)


def test_loops_are_spelled_out_and_the_rest_has_dates():
    network = project(
        [activity("A", 1), activity("B", 1), activity("C", 1), activity("D", 1), activity("E", 1)],
        [link("A", "B"), link("B", "C"), link("C", "B"), link("C", "D"), link("A", "E")],
    )
    found = schedule(network)
    assert [finding.message for finding in found.findings] == [
        "activities wait for each other in a loop: B -> C -> B; they and what follows have no dates"
    ]
    assert [cell(found, code, "early_finish") is None for code in "ABCDE"] == [False, True, True, True, False]


def test_ms_project_keeps_a_pinned_start_although_logic_is_later():
    pinned = activity("B", 2, constraint="mandatory_start", constraint_date=workday(3, 8))
    network = project([activity("A", 5), pinned], [link("A", "B")], options=MS_PROJECT, tool="msproject")
    found = schedule(network)
    assert cell(found, "B", "early_start") == workday(3, 8)
    assert floats(found)["A"] == -3


def test_p6_lets_logic_win_over_start_on():
    pinned = activity("B", 2, constraint="start_on", constraint_date=workday(3, 8))
    found = schedule(project([activity("A", 5), pinned], [link("A", "B")], options=Options()))
    assert cell(found, "B", "early_start") == workday(6, 8)
    assert floats(found) == {"A": -3, "B": -3}
