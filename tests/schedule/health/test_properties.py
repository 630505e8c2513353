"""What holds for every schedule."""

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.schedule.projects import MONDAY, WORKDAY, activity, link, project, workday
from turnup.schedule.health.assess import assess
from turnup.schedule.health.settings import HealthSettings
from turnup.schedule.model import LINK_TYPES
from turnup.schedule.passes import schedule

KINDS = ("task", "start_milestone", "finish_milestone", "level_of_effort", "resource_dependent")
DAYS = st.integers(1, 40)


@st.composite
def activities(draw, code):
    days = draw(st.integers(0, 60))
    row = activity(code, days, kind=draw(st.sampled_from(KINDS)), baseline_finish=draw(st.none() | DAYS.map(workday)))
    row["constraint"] = draw(st.sampled_from([None, None, "start_on", "finish_no_later", "mandatory_finish"]))
    row["constraint_date"] = row["constraint"] and workday(draw(DAYS))
    row["resources"] = draw(st.sampled_from([None, 0, 1]))
    status = draw(st.sampled_from(["not_started", "in_progress", "completed"]))
    if status != "not_started":
        start = draw(DAYS)
        row |= {"status": status, "actual_start": workday(start, 8), "percent": draw(st.sampled_from([None, 30.0]))}
        row["remaining_s"] = 0 if status == "completed" else draw(st.integers(0, 60)) * WORKDAY
        row["actual_finish"] = workday(start + draw(DAYS)) if status == "completed" else None
    return row


@st.composite
def projects(draw):
    size = draw(st.integers(0, 12))
    rows = [draw(activities(f"{number:02d}")) for number in range(size)]
    links = [
        link(f"{first:02d}", f"{second:02d}", draw(st.sampled_from(LINK_TYPES)), draw(st.integers(-3, 60)))
        for first, second in draw(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=20))
        if first < second < size
    ]
    # Work in progress without a data date has nothing to go on from.
    begun = any(row["status"] == "in_progress" for row in rows)
    return project(
        rows, links, data_date=draw(DAYS.map(workday) if begun else st.none() | DAYS.map(workday)), planned_start=MONDAY
    )


options = st.builds(
    dict,
    preset=st.sampled_from(["dcma", "oracle", "powerproject"]),
    milestones=st.booleans(),
    links=st.fixed_dictionaries({"unit": st.sampled_from(["links", "activities"])}),
    logic=st.fixed_dictionaries({"dangling": st.booleans(), "exempt_ends": st.booleans()}),
    baseline=st.fixed_dictionaries({"execution": st.sampled_from(["pam", "baselined_only", "completed_in_both"])}),
)


@settings(max_examples=20)
@given(projects(), options)
def test_counts_are_sound_and_verdicts_follow_from_them(network, choices):
    health = assess(network, schedule(network), HealthSettings(**choices))
    for check in health.checks:
        if check.verdict == "no data" and check.numerator is None:
            assert check.sentence.startswith("No data: ")
            assert check.offenders.is_empty()
            continue
        assert check.denominator > 0
        if check.id not in ("12", "13", "14"):
            assert 0 <= check.numerator
            assert check.numerator + check.unknown <= check.denominator
            assert check.offenders.height in (check.numerator, check.denominator - check.numerator) or check.id in "23"
        if check.verdict != "no data" and check.id != "12":
            assert (check.verdict == "pass") == check.limit.met_by(check.value)
    assert len(health.checks) == 15
    assert [practice.number for practice in health.practices] == list(range(1, 11))


@settings(max_examples=20)
@given(projects())
def test_the_same_schedule_is_judged_the_same_whatever_the_order_of_its_rows(network):
    turned = project(
        network.activities.reverse().to_dicts(), network.links.reverse().to_dicts(), data_date=network.data_date,
        planned_start=MONDAY,
    )  # fmt: skip
    one, other = assess(network, schedule(network)), assess(turned, schedule(turned))
    assert [check.record() for check in one.checks] == [check.record() for check in other.checks]
    assert [found.record() for found in one.beside] == [found.record() for found in other.beside]


@settings(max_examples=20)
@given(projects())
def test_a_completed_activity_changes_nothing_of_what_is_left(network):
    finished = activity(
        "done", 3, status="completed", remaining_s=0, actual_start=MONDAY - timedelta(days=7, hours=-8),
        actual_finish=MONDAY - timedelta(days=5, hours=-17),
    )  # fmt: skip
    more = project(
        [*network.activities.to_dicts(), finished], network.links.to_dicts(), data_date=network.data_date,
        planned_start=MONDAY,
    )  # fmt: skip
    one, other = assess(network, schedule(network)), assess(more, schedule(more))
    for number in ("1", "2", "3", "4", "5", "6", "7", "8", "9a", "10", "11"):
        assert one.check(number).record() == other.check(number).record()
