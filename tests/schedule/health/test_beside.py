"""What is told beside the checks."""

from datetime import datetime
from fractions import Fraction

import pytest

from tests.schedule.health.judging import begun, done, judge, seen
from tests.schedule.projects import OFFICE, activity, link, project, workday
from turnup.schedule.health.assess import assess
from turnup.schedule.model import MS_PROJECT, WorkCalendar


def star(arms):
    """So many activities before M and after it."""
    names = [f"{number}" for number in range(arms)]
    rows = [activity(f"{side}{name}", 1) for side in "ab" for name in names]
    links = [link(f"a{name}", "M") for name in names] + [link("M", f"b{name}") for name in names]
    return project([*rows, activity("M")], links)


def test_links_per_activity_and_density():
    network = project([activity(code, 1) for code in "ABCD"], [link("A", "B"), link("B", "C"), link("C", "D")])
    found = judge(network)
    assert found.observation("links_per_activity").value == Fraction(3, 4)
    assert found.observation("logic_density").value == Fraction(6, 4)
    assert "too few links" in found.observation("logic_density").sentence
    empty = judge(project([]))
    assert empty.observation("links_per_activity").value is None
    assert empty.observation("logic_density").value is None


def test_hot_spots():
    assert seen(star(5), "merge_hot_spots") == (0, [])
    assert seen(star(6), "merge_hot_spots") == (1, ["M"])
    assert seen(star(6), "divergence_hot_spots") == (1, ["M"])
    wider = {"beside": {"merge_above": 6, "diverge_above": 2}}
    assert seen(star(6), "merge_hot_spots", **wider) == (0, [])
    assert seen(star(3), "divergence_hot_spots", **wider) == (1, ["M"])


def test_a_link_past_a_chain_is_redundant():
    links = [link("A", "B"), link("B", "C"), link("C", "D"), link("A", "D"), link("A", "C"), link("X", "D")]
    network = project([activity(code, 1) for code in "ABCDX"], links)
    assert seen(network, "redundant_links") == (2, [("A", "C"), ("A", "D")])


@pytest.mark.parametrize(
    "links",
    [
        [link("A", "B"), link("B", "C"), link("A", "C", lag_days=1)],  # it says more
        [link("A", "B", lag_days=-1), link("B", "C"), link("A", "C")],  # the chain says less
        [link("A", "B", "SS"), link("B", "C"), link("A", "C")],
        [link("A", "B"), link("B", "C"), link("A", "C", "SS")],
        [link("A", "C"), link("B", "C")],
    ],
)
def test_links_that_say_something_are_not_redundant(links):
    network = project([activity(code, 1) for code in "ABC"], links)
    assert seen(network, "redundant_links") == (0, [])


def test_the_same_link_twice_is_redundant_once():
    network = project([activity(code, 1) for code in "AB"], [link("A", "B"), link("A", "B")])
    assert seen(network, "redundant_links") == (1, [("A", "B")])


def test_a_search_that_stops_says_so():
    links = [link("A", "B"), link("B", "C"), link("A", "C")]
    found = judge(project([activity(c, 1) for c in "ABC"], links), beside={"redundant_steps": 0})
    told = found.observation("redundant_links")
    assert told.value == 0
    assert told.sentence.endswith("Activities not searched because the search would take too long: 1.")


def test_progress_out_of_sequence():
    rows = [
        begun("A", 5, 1, 2), begun("B", 5, 3, 4), activity("C", 2), done("D", 2, 4), done("E", 2, 3), activity("F", 1),
    ]  # fmt: skip
    links = [
        link("A", "B"), link("C", "B", "SS"), link("D", "E", "FF"), link("D", "E"), link("B", "F"),
        link("A", "D", lag_days=-3), link("A", "E", "SS"),
    ]  # fmt: skip
    network = project(rows, links, data_date=workday(5))
    # A lead allows D to begin before A ends; E began after A did.
    assert seen(network, "out_of_sequence") == (4, [("A", "B"), ("C", "B"), ("D", "E"), ("D", "E")])
    told = judge(network).observation("out_of_sequence").listed["why"].to_list()
    assert told[0] == "went on 2026-01-07 08:00 before the finish of the predecessor"


def test_activities_that_ride_the_data_date():
    rows = [done("A", 1, 2), activity("rides", 2), activity("alone", 1), activity("waits", 1), begun("runs", 5, 2, 3)]
    late = activity("held", 1, constraint="start_no_earlier", constraint_date=workday(9, 8))
    links = [link("A", "rides"), link("rides", "waits")]
    # 00:00 of the data date, and 08:00 of the same day, are the same working instant.
    network = project([*rows, late], links, data_date=datetime(2026, 1, 12))
    assert seen(network, "riding_data_date") == (2, ["alone", "rides"])
    assert assess(network, None).observation("riding_data_date").value is None


def test_dates_that_override_logic():
    pinned = activity("B", 2, constraint="mandatory_start", constraint_date=workday(3, 8))
    network = project([activity("A", 5), pinned], [link("A", "B")], options=MS_PROJECT, tool="msproject")
    assert seen(network, "dates_over_logic") == (1, [("A", "B")])
    kept = project([activity("A", 5), pinned | {"constraint_date": workday(8, 8)}], [link("A", "B")])
    assert seen(kept, "dates_over_logic") == (0, [])


def test_the_end_of_a_shift_is_the_start_of_the_next():
    # A ends on Friday at 17:00; M stands there, or on Monday at 08:00: both keep the logic.
    held = {"constraint": "start_no_earlier", "constraint_date": workday(5)}
    for kind in ("start_milestone", "finish_milestone"):
        network = project([activity("A", 5), activity("M", kind=kind, **held)], [link("A", "M")])
        assert seen(network, "dates_over_logic") == (0, [])


def test_calendars_without_work():
    never = WorkCalendar("never", ((),) * 7)
    rows = [activity("A", 1, calendar="n"), activity("B", 1, calendar="gone"), activity("C", 1)]
    network = project(rows, calendars={"office": OFFICE, "n": never})
    found = judge(network)
    assert found.observation("calendars_without_work").value == 1
    assert found.observation("calendars_without_work").listed["code"].to_list() == ["A", "B"]
    assert found.observation("calendars_without_work").sentence == (
        "Calendars that never work: 1 (never). Activities without one that does: 2."
    )
    # What stands in for them has days of its own: everything else can still be judged.
    assert found.check("6").verdict == found.check("8").verdict == "pass"


def test_records_are_plain_and_can_be_cut():
    found = judge(star(6))
    record = found.check("1").record(listed=2)
    assert (len(record["offenders"]), record["offender_count"], record["verdict"]) == (2, 12, "fail")
    assert record["value"] == round(12 / 13, 6)
    assert record["offenders"][0] == {"id": "a0", "code": "a0", "name": "a0", "why": "no predecessor"}
    assert found.observation("merge_hot_spots").record()["value"] == 1.0
    assert found.check("13").record()["value"] is None
