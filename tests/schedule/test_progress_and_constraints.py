"""Progress, constraints, milestones, levels of effort and summaries, with days worked out by hand."""

from datetime import datetime

import pytest

from tests.schedule.projects import EVERY_DAY, MONDAY, OFFICE, WORKDAY, activity, days, link, project, workday
from turnup.schedule.model import HOUR, MS_PROJECT, Options, WorkCalendar
from turnup.schedule.passes import schedule


def table(found):
    return {row["code"]: row for row in found.frame().iter_rows(named=True)}


def begun(code, whole, left, start, **more):
    more = {"status": "in_progress", "remaining_s": round(left * WORKDAY), "actual_start": start} | more
    return activity(code, whole, **more)


def done(code, whole, start, finish):
    return activity(code, whole, status="completed", remaining_s=0, actual_start=start, actual_finish=finish)


def test_remaining_work_starts_at_the_data_date():
    network = project(
        [begun("A", 5, 2, datetime(2026, 1, 5, 8)), activity("B", 1)], [link("A", "B")], data_date=workday(4, 8)
    )
    rows = table(schedule(network))
    assert rows["A"]["early_start"] == workday(4, 8)
    assert rows["A"]["early_finish"] == workday(5)
    assert rows["B"]["early_start"] == workday(6, 8)


@pytest.mark.parametrize(("progress", "starts"), [("retained_logic", 6), ("progress_override", 4)])
def test_out_of_sequence_work_waits_under_retained_logic_only(progress, starts):
    # B began although A is not done: 2 days of A and 3 of B are left on day 4.
    network = project(
        [begun("A", 5, 2, MONDAY), begun("B", 4, 3, workday(2, 8))],
        [link("A", "B")], data_date=workday(4, 8), options=Options(progress=progress),
    )  # fmt: skip
    rows = table(schedule(network))
    assert rows["B"]["early_start"] == workday(starts, 8)
    assert rows["B"]["early_finish"] == workday(starts + 2)
    # Under progress override A holds back nothing: both end on the last day of B or of A.
    assert days(rows["A"]["total_float_s"]) == (0 if progress == "retained_logic" else 1)


@pytest.mark.parametrize(("from_early", "starts"), [(True, 7), (False, 4)])
def test_start_lag_of_a_begun_predecessor(from_early, starts):
    # A began on day 1; three days after its start B may start. Day 4 is today.
    network = project(
        [begun("A", 9, 6, datetime(2026, 1, 5, 8)), activity("B", 1)],
        [link("A", "B", "SS", lag_days=3)],
        data_date=workday(4, 8), options=Options(lag_from_early_start=from_early),
    )  # fmt: skip
    assert table(schedule(network))["B"]["early_start"] == workday(starts, 8)


def test_completed_work_keeps_its_dates_and_holds_back_by_its_lag():
    finished = done("A", 3, datetime(2026, 1, 5, 8), workday(3))
    network = project([finished, activity("B", 1)], [link("A", "B", lag_days=4)], data_date=workday(5, 8))
    rows = table(schedule(network))
    assert (rows["A"]["early_start"], rows["A"]["early_finish"]) == (datetime(2026, 1, 5, 8), workday(3))
    assert rows["B"]["early_start"] == workday(8, 8)
    assert (rows["A"]["total_float_s"], rows["A"]["late_finish"]) == (None, None)


def test_expected_finish_says_how_much_is_left_only_when_it_is_asked():
    planned = begun("A", 5, 2, MONDAY, expected_finish=workday(10))
    for used, ends in ((True, 10), (False, 5)):
        network = project([planned], data_date=workday(4, 8), options=Options(use_expected_finish=used))
        assert table(schedule(network))["A"]["early_finish"] == workday(ends)


@pytest.mark.parametrize(
    ("constraint", "day", "early", "floats"),
    [
        ("start_no_earlier", workday(4, 8), 4, 5),
        ("start_on", workday(4, 8), 4, 0),
        ("finish_no_earlier", workday(6), 5, 4),
        ("finish_on", workday(6), 5, 0),
        ("start_no_later", workday(4, 8), 1, 3),
        ("finish_no_later", workday(6), 1, 4),
        ("mandatory_start", workday(4, 8), 4, 0),
        ("mandatory_finish", workday(6), 5, 0),
    ],
)
def test_constraints_of_an_activity_of_two_days_beside_one_of_ten(constraint, day, early, floats):
    held = activity("A", 2, constraint=constraint, constraint_date=day)
    rows = table(schedule(project([held, activity("B", 10)])))
    assert rows["A"]["early_start"] == workday(early, 8)
    assert days(rows["A"]["total_float_s"]) == floats


def test_two_constraints_hold_both():
    held = activity(
        "A", 2, constraint="start_no_earlier", constraint_date=workday(3, 8), constraint_2="finish_no_later",
        constraint_2_date=workday(5),
    )  # fmt: skip
    rows = table(schedule(project([held, activity("B", 10)])))
    assert rows["A"]["early_start"] == workday(3, 8)
    assert days(rows["A"]["total_float_s"]) == 1


def test_a_mandatory_start_wins_over_logic_and_leaves_negative_float():
    held = activity("B", 2, constraint="mandatory_start", constraint_date=workday(3, 8))
    rows = table(schedule(project([activity("A", 5), held], [link("A", "B")])))
    assert rows["B"]["early_start"] == workday(3, 8)
    assert (days(rows["A"]["total_float_s"]), days(rows["B"]["total_float_s"])) == (-3, 0)


def test_a_deadline_bounds_late_dates_only():
    rows = table(schedule(project([activity("A", 5, deadline=workday(3)), activity("B", 10)])))
    assert rows["A"]["early_finish"] == workday(5)
    assert days(rows["A"]["total_float_s"]) == -2


def test_start_milestones_stand_where_work_starts_and_finish_milestones_where_it_ends():
    start = activity("S", kind="start_milestone")
    network = project(
        [activity("A", 5), start, activity("F"), activity("B", 1)],
        [link("A", "S"), link("A", "F"), link("S", "B"), link("F", "B")],
    )
    rows = table(schedule(network))
    assert rows["S"]["early_start"] == rows["S"]["early_finish"] == workday(6, 8)
    assert rows["F"]["early_start"] == rows["F"]["early_finish"] == workday(5)
    assert {row["total_float_s"] for row in rows.values()} == {0}


def test_a_manual_task_keeps_its_dates_and_holds_back_what_leads_to_it():
    manual = activity("M", 2, manual=True, planned_start=workday(3, 8), planned_finish=workday(4))
    network = project(
        [activity("A", 5), manual, activity("B", 1)], [link("A", "M"), link("M", "B")], options=MS_PROJECT,
        tool="msproject",
    )  # fmt: skip
    rows = table(schedule(network))
    assert (rows["M"]["early_start"], rows["M"]["early_finish"]) == (workday(3, 8), workday(4))
    assert rows["B"]["early_start"] == workday(5, 8)
    assert days(rows["A"]["total_float_s"]) == -3


def test_ms_project_leaves_begun_work_where_it_began():
    network = project(
        [begun("A", 5, 4, datetime(2026, 1, 5, 8))], options=MS_PROJECT, planned_start=MONDAY, data_date=workday(9, 8),
        tool="msproject",
    )  # fmt: skip
    assert table(schedule(network))["A"]["early_finish"] == workday(5)


def test_a_level_of_effort_lasts_from_the_first_to_the_last_that_it_is_tied_to():
    effort = activity("L", 1, kind="level_of_effort")
    network = project(
        [activity("A", 3), activity("B", 4), effort, activity("C", 20)],
        [link("A", "B"), link("A", "L", "SS"), link("B", "L", "FF")],
    )
    rows = table(schedule(network))
    assert (rows["L"]["early_start"], rows["L"]["early_finish"]) == (workday(1, 8), workday(7))
    assert not rows["L"]["critical"]


def test_summaries_span_what_they_hold_at_any_depth():
    rows = table(
        schedule(
            project(
                [
                    activity("S", 1, kind="summary"),
                    activity("T", 1, kind="summary", parent="S"),
                    activity("A", 3, parent="S"),
                    activity("B", 4, parent="T"),
                ],
                [link("A", "B")],
            )
        )
    )
    assert (rows["S"]["early_start"], rows["S"]["early_finish"]) == (workday(1, 8), workday(7))
    assert (rows["T"]["early_start"], rows["T"]["early_finish"]) == (workday(4, 8), workday(7))


def test_what_follows_a_summary_follows_all_it_holds_and_what_starts_with_it_starts_with_its_first():
    rows = table(
        schedule(
            project(
                [
                    activity("first", 2),
                    activity("S", 1, kind="summary"),
                    activity("A", 3, parent="S"),
                    activity("B", 4, parent="S"),
                    activity("after", 1),
                    activity("with", 1),
                ],
                [link("first", "S"), link("A", "B"), link("S", "after"), link("S", "with", "SS", lag_days=1)],
            )
        )
    )
    assert rows["A"]["early_start"] == workday(3, 8)
    assert rows["after"]["early_start"] == workday(10, 8)
    assert rows["with"]["early_start"] == workday(4, 8)


def test_links_between_projects_of_a_file_count_and_each_project_has_its_own_finish():
    one = project([activity("A", 5)], id="ONE")
    two = project([activity("B", 2), activity("C", 1)], [link("A", "B", pred_project="ONE")], id="TWO")
    found = schedule(one, two)
    rows = table(found)
    assert rows["B"]["early_start"] == workday(6, 8)
    assert [days(rows[code]["total_float_s"]) for code in "ABC"] == [0, 0, 6]
    together = Options(float_from_each_project=False)
    one, two = (project(p.activities.to_dicts(), p.links.to_dicts(), id=p.id, options=together) for p in (one, two))
    assert days(table(schedule(one, two))["A"]["total_float_s"]) == 0


def test_open_ends_are_critical_when_the_project_says_so():
    network = [activity("A", 5), activity("B", 2)]
    assert table(schedule(project(network)))["B"]["critical"] is False
    assert table(schedule(project(network, options=Options(open_ends_critical=True))))["B"]["critical"] is True


def test_the_smaller_float_is_taken_when_asked():
    for kind in ("finish", "start", "smallest"):
        rows = table(schedule(project([activity("A", 5), activity("B", 2)], options=Options(float_kind=kind))))
        assert days(rows["B"]["total_float_s"]) == 3


def test_a_calendar_that_never_works_is_told_and_the_projects_own_stands_in():
    idle = WorkCalendar("idle", ((),) * 7)
    network = project([activity("A", 2, calendar="idle")], calendars={"office": OFFICE, "idle": idle})
    found = schedule(network)
    assert table(found)["A"]["early_finish"] == workday(2)
    assert ["never works" in finding.message for finding in found.findings] == [True]


def test_float_is_working_time_of_the_activitys_own_calendar():
    network = project(
        [activity("A", 10), activity("B", 2, calendar="every day")],
        calendars={"office": OFFICE, "every day": EVERY_DAY},
    )
    # B ends on Tuesday; the project on Friday of the second week: ten days of every day later.
    assert table(schedule(network))["B"]["total_float_s"] == 10 * 8 * HOUR


def test_ms_project_lets_a_date_before_the_projects_start_stand():
    early = activity("A", 2, constraint="start_no_earlier", constraint_date=datetime(2025, 12, 29, 8))
    network = project([early, activity("B", 1)], options=MS_PROJECT, planned_start=MONDAY, tool="msproject")
    rows = table(schedule(network))
    assert rows["A"]["early_start"] == datetime(2025, 12, 29, 8)
    assert rows["B"]["early_start"] == workday(1, 8)


def test_begun_work_without_a_data_date_goes_on_from_where_it_began():
    network = project(
        [begun("A", 3, 2, workday(2, 8)), activity("B", 1)], [link("A", "B")], data_date=None, planned_start=MONDAY
    )
    rows = table(schedule(network))
    assert (rows["A"]["early_start"], rows["A"]["early_finish"]) == (workday(2, 8), workday(3))
    assert rows["B"]["early_start"] == workday(4, 8)


def test_a_project_without_any_date_has_dates_all_the_same():
    rows = table(schedule(project([activity("A", 3)], data_date=None)))
    assert rows["A"]["total_float_s"] == 0
