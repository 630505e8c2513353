"""Shared pools worked out by hand: who takes them when, and what drives what."""

from dataclasses import replace
from datetime import datetime

import numpy as np
import pytest

from turnup.schedule.model import DAY, HOUR, WorkCalendar
from turnup.schedule.simulation import (
    PROJECT,
    ActivityNetwork,
    Pool,
    PoolUse,
    Uncertainty,
    Uniform,
    merge_bias,
    simulate,
)
from turnup.schedule.working_time import ALWAYS, clocks_of, moment_of, seconds_of

DOCK = Pool("dock", 1)


def finishes(network, uncertainty, names=None):
    """Days since the start at which each activity ends."""
    names = names or network.ids
    run = simulate(network, uncertainty, list(names), iterations=1)
    return {name: run.samples(name)[0] / DAY for name in names}


def using(names, pool="dock", units=1):
    return tuple(PoolUse(name, pool, units) for name in names)


def test_one_after_the_other_by_priority():
    network = ActivityNetwork.of({"a": 2 * DAY, "b": 3 * DAY, "c": DAY})
    uncertainty = Uncertainty(pools=(DOCK,), uses=using("abc"), priorities={"c": 1, "b": 2, "a": 3})
    assert finishes(network, uncertainty) == {"c": 1, "b": 4, "a": 6}


def test_two_places_serve_two_at_once():
    network = ActivityNetwork.of({"a": 2 * DAY, "b": 3 * DAY, "c": DAY})
    uncertainty = Uncertainty(pools=(Pool("dock", 2),), uses=using("abc"), priorities={"a": 1, "b": 2, "c": 3})
    assert finishes(network, uncertainty) == {"a": 2, "b": 3, "c": 3}


def test_equal_priorities_go_by_planned_start_then_by_id():
    network = ActivityNetwork.of({"first": DAY, "z": 2 * DAY, "b": 2 * DAY, "a": 2 * DAY}, [("first", "a")])
    assert finishes(network, Uncertainty(pools=(DOCK,), uses=using("zba"))) == {"first": 1, "b": 2, "z": 4, "a": 6}


def test_lower_priority_fills_a_gap_and_never_delays_higher():
    """The high one waits 5 days for its predecessor; a low one of 5 fits before it, one of 6 does not."""
    links = [("delivery", "high")]
    network = ActivityNetwork.of({"delivery": 5 * DAY, "high": 2 * DAY, "short": 5 * DAY, "long": 6 * DAY}, links)
    uncertainty = Uncertainty(
        pools=(DOCK,), uses=using(("high", "short", "long")), priorities={"high": 1, "short": 2, "long": 3}
    )
    assert finishes(network, uncertainty) == {"delivery": 5, "high": 7, "short": 5, "long": 13}
    without = replace(uncertainty, priorities={"high": 1, "long": 2, "short": 3})
    assert finishes(network, without) == {"delivery": 5, "high": 7, "long": 13, "short": 5}


def test_what_the_important_waits_for_is_as_important():
    """The low priority's predecessor of the high one goes before the middle one."""
    network = ActivityNetwork.of({"before": 2 * DAY, "high": DAY, "middle": 4 * DAY}, [("before", "high")])
    uncertainty = Uncertainty(
        pools=(DOCK,), uses=using(("before", "middle", "high")), priorities={"high": 1, "middle": 2, "before": 9}
    )
    assert finishes(network, uncertainty) == {"before": 2, "high": 3, "middle": 7}


def test_work_under_way_is_not_interrupted():
    network = ActivityNetwork.of({"urgent": DAY, "running": 3 * DAY})
    network = replace(network, started=np.array([False, True]))
    uncertainty = Uncertainty(pools=(DOCK,), uses=using(("urgent", "running")), priorities={"urgent": 1})
    assert finishes(network, uncertainty) == {"running": 3, "urgent": 4}


def test_finished_work_and_milestones_take_nothing():
    network = ActivityNetwork.of({"done": 9 * DAY, "mark": 0, "work": DAY})
    network = replace(network, finished=np.array([7 * DAY, network.finished[1], network.finished[2]]))
    uncertainty = Uncertainty(pools=(DOCK,), uses=using(("done", "mark", "work")), priorities={"done": 1, "mark": 1})
    assert finishes(network, uncertainty) == {"done": 7, "mark": 0, "work": 1}


def test_two_pools_are_taken_together():
    """A crew of 2 and one dock: the second waits for the dock, the third for crew."""
    network = ActivityNetwork.of({"a": 2 * DAY, "b": 3 * DAY, "c": DAY})
    uses = (*using("ab"), PoolUse("a", "crew", 1), PoolUse("b", "crew", 2), PoolUse("c", "crew", 2))
    uncertainty = Uncertainty(pools=(DOCK, Pool("crew", 2)), uses=uses, priorities={"a": 1, "b": 2, "c": 3})
    assert finishes(network, uncertainty) == {"a": 2, "b": 5, "c": 6}


def test_calendars_of_users_are_respected():
    """A night shift has the dock until 06:00; office work of 12 hours begins at 08:00, the next night at 22:00."""
    office = WorkCalendar("office", (((8 * HOUR, 16 * HOUR),),) * 5 + ((), ()))
    night = WorkCalendar("night", (((0, 6 * HOUR), (22 * HOUR, DAY)),) * 7)
    start = seconds_of(datetime(2026, 1, 5))
    network = ActivityNetwork.of({"night 1": 6 * HOUR, "day": 12 * HOUR, "night 2": HOUR}, start=start)
    calendar = np.array([1, 0, 1], dtype=np.int32)
    network = replace(
        network, calendar=calendar, own=calendar, clocks=clocks_of((office, night, ALWAYS), start, start + 9 * DAY)
    )
    uncertainty = Uncertainty(pools=(DOCK,), uses=using(network.ids), priorities={"night 1": 1, "day": 2, "night 2": 3})
    run = simulate(network, uncertainty, list(network.ids), iterations=1)
    # The day's work holds the dock from Monday 08:00 to Tuesday 12:00, the night between included.
    assert [moment_of(int(run.samples(name)[0])) for name in network.ids] == [
        datetime(2026, 1, 5, 6), datetime(2026, 1, 6, 12), datetime(2026, 1, 6, 23),
    ]  # fmt: skip


def test_the_path_leads_through_the_pool():
    """b waits for the dock that a holds: a drives b, and the delivery of b, done long before, does not."""
    network = ActivityNetwork.of({"a": 5 * DAY, "delivery": 2 * DAY, "b": DAY}, [("delivery", "b")])
    uncertainty = Uncertainty(
        {"a": Uniform(4 * DAY, 6 * DAY)}, pools=(DOCK,), uses=using("ab"), priorities={"a": 1, "b": 2}
    )
    run = simulate(network, uncertainty, ["b"], iterations=100)
    assert run.driving_share("b").tolist() == [1, 0, 1]
    assert run.criticality_index().tolist() == [1, 0, 1]
    bias = merge_bias(run, "b")
    assert bias.deterministic == 6 * DAY
    assert bias.path == ("b",)
    assert bias.mean_bias / DAY == pytest.approx(5, abs=0.2)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Pool("dock", 0), "pool dock: capacity must be 1 or more, not 0"),
        (lambda: PoolUse("a", "dock", 0), "a uses pool dock: units must be 1 or more, not 0"),
        (lambda: Uncertainty(uses=using("a")).check(["a"]), "a uses pool 'dock', which is not given"),
        (
            lambda: Uncertainty(pools=(DOCK,), uses=using("a", units=2)).check(["a"]),
            "a uses 2 units of pool dock, which has 1",
        ),
        (lambda: Uncertainty(pools=(DOCK,), uses=using("aa")).check(["a"]), "is given twice"),
        (lambda: Uncertainty(pools=(DOCK, DOCK)).check([]), "pool 'dock' is given twice"),
        (
            lambda: Uncertainty(pools=(DOCK,), uses=using("z")).check(["a"]),
            "pool dock: the network has no activity 'z'",
        ),
        (lambda: Uncertainty(priorities={"z": 1}).check(["a"]), "priority: the network has no activity 'z'"),
    ],
)
def test_pools_that_cannot_be_are_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_the_whole_project_is_a_target_with_pools_too():
    network = ActivityNetwork.of({"a": 2 * DAY, "b": 3 * DAY})
    run = simulate(network, Uncertainty(pools=(DOCK,), uses=using("ab")), iterations=3)
    assert run.samples(PROJECT).tolist() == [5 * DAY] * 3
