"""Check 1: who lacks a predecessor or a successor, in every reading."""

import itertools

import pytest

from tests.schedule.health.judging import begun, check, codes, counts, done, seen
from tests.schedule.projects import activity, link, project, workday
from turnup.schedule.health.assess import assess
from turnup.schedule.passes import schedule


def chain(length, **more):
    """Activities 01 to length, one after the other."""
    names = [f"{number:02d}" for number in range(1, length + 1)]
    return project(
        [activity(name, 1) for name in names],
        [link(before, after) for before, after in itertools.pairwise(names)],
        **more,
    )


def test_a_long_chain_passes():
    # Its first and its last activity are 2 of 40: 5 %, and no more.
    found = check(chain(40), "1")
    assert counts(found) == ("pass", 2, 40)
    assert codes(found) == ["01", "40"]
    assert found.offenders["why"].to_list() == ["no predecessor", "no successor"]
    assert (
        found.sentence
        == "2 of 40 incomplete activities lack a predecessor or a successor (5.0 %); at most 5 % is good."
    )


def test_a_short_chain_fails_unless_its_ends_are_exempt():
    assert counts(check(chain(39), "1")) == ("fail", 2, 39)
    assert counts(check(chain(39), "1", logic={"exempt_ends": True})) == ("pass", 0, 39)


def test_only_one_start_and_one_finish_are_exempt():
    two = project([activity("A", 1), activity("B", 3), activity("C", 1)], [link("A", "C")])
    # A is first, before C in time; B, alone, is the last to finish: each still lacks the other end.
    assert codes(check(two, "1", logic={"exempt_ends": True})) == ["B", "C"]


def test_an_activity_without_links_counts_once():
    found = check(project([activity("A", 1)]), "1")
    assert counts(found) == ("fail", 1, 1)
    assert found.offenders["why"].to_list() == ["no predecessor, no successor"]


def test_nothing_left_to_do_is_no_data():
    finished = project([done("A", 1, 2)], data_date=workday(5))
    assert counts(check(finished, "1")) == ("no data", None, None)
    assert check(finished, "1").sentence == "No data: there are no incomplete activities."


def test_completed_activities_summaries_and_efforts_are_not_judged():
    network = project(
        [
            done("A", 1, 2), activity("B", 1), activity("S", kind="summary"),
            activity("L", 3, kind="level_of_effort"), activity("M", kind="start_milestone"),
        ],
        data_date=workday(3, 8),
    )  # fmt: skip
    assert codes(check(network, "1")) == ["B", "M"]
    assert codes(check(network, "1", milestones=False)) == ["B"]
    assert codes(check(network, "1", logic={"level_of_effort": True})) == ["B", "L", "M"]
    assert check(network, "1", logic={"level_of_effort": True}).denominator == 3


def test_p6_asks_no_predecessor_of_what_started_or_starts():
    network = project(
        [begun("A", 5, 1, 3), activity("M", kind="start_milestone"), activity("B", 1), activity("Z")],
        [link("A", "Z"), link("M", "Z"), link("B", "Z")],
        data_date=workday(3, 8),
    )
    assert codes(check(network, "1")) == ["A", "B", "M", "Z"]
    assert codes(check(network, "1", logic={"started_need_predecessors": False})) == ["B", "M", "Z"]
    assert codes(check(network, "1", logic={"start_milestones_need_predecessors": False})) == ["A", "B", "Z"]
    assert codes(check(network, "1", preset="oracle")) == ["B", "Z"]


@pytest.fixture
def dangling():
    """B finishes with A and starts with C: nothing says when B may start, and its finish moves nothing."""
    return project(
        [activity("A", 3), activity("B", 2), activity("C", 1), activity("D", 1)],
        [link("A", "B", "FF"), link("B", "C", "SS"), link("A", "C"), link("C", "D")],
    )


def test_dangling_ends_count_only_on_demand(dangling):
    assert codes(check(dangling, "1")) == ["A", "D"]
    found = check(dangling, "1", logic={"dangling": True})
    assert codes(found) == ["A", "B", "D"]
    assert found.offenders["why"][1] == "no link drives its start, its finish drives no link"


def test_dangling_ends_are_listed_beside(dangling):
    assert seen(dangling, "dangling_starts") == (1, ["B"])
    assert seen(dangling, "dangling_finishes") == (1, ["B"])


def test_a_milestone_has_only_one_end():
    network = project([activity("A", 1), activity("M")], [link("A", "M", "FF")])
    assert seen(network, "dangling_starts") == (0, [])


def test_external_links_are_logic_unless_they_shall_not_be():
    network = project(
        [activity("A", 1), activity("B", 1)], [link("elsewhere", "A", external=True, pred_project="Q"), link("A", "B")]
    )
    assert codes(check(network, "1")) == ["B"]
    assert codes(check(network, "1", logic={"external": False})) == ["A", "B"]
    assert seen(network, "external_links") == (1, [("elsewhere", "A")])


def test_a_link_into_another_project_of_the_file_is_a_successor():
    first = project([activity("A", 1)], id="P")
    second = project([activity("B", 1)], [link("A", "B", pred_project="P")], id="Q")
    both = schedule(first, second)
    assert assess(first, both).check("1").offenders["why"].to_list() == ["no predecessor"]
    assert assess(second, both).check("1").offenders["why"].to_list() == ["no successor"]
    assert assess(first, schedule(first)).check("1").offenders["why"].to_list() == ["no predecessor, no successor"]


def test_two_projects_of_one_name_are_told_apart():
    first, second = project([activity("A", 1)]), project([activity("B", 1), activity("C", 2)])
    both = schedule(first, second)
    assert codes(assess(first, both).check("1")) == ["A"]
    assert codes(assess(second, both).check("1")) == ["B", "C"]
    assert assess(second, both).check("12").verdict == "pass"


def test_a_link_to_itself_is_no_logic():
    network = project([activity("A", 1)], [link("A", "A")])
    assert assess(network, None).check("1").offenders["why"].to_list() == ["no predecessor, no successor"]


def test_a_schedule_of_another_project_is_refused():
    with pytest.raises(ValueError, match="project 'P' was not scheduled; scheduled: Q"):
        assess(project([activity("A", 1)]), schedule(project([activity("B", 1)], id="Q")))
