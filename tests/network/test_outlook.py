"""Weeks ahead: planned circuits count from their week, states follow demand, relief names what it relieves."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.network.small import circuit, gbps
from tests.network.test_properties import REGIONS, circuits
from turnup.network.capacity import Capacity
from turnup.network.outlook import Demand, Scheduled, outlook, state_of

PAIR = ("A", "B")


def follow(*rows, demand=None, last_week=6, regions=None):
    """The outlook of rows (week, then a row for ``circuit``)."""
    scheduled = [Scheduled(circuit(*row), week) for week, *row in rows]
    return outlook(scheduled, regions or {}, demand or {}, last_week)


def weekly(found, pair=PAIR):
    return [(gbps(row.capacity.mbps), gbps(row.capacity.n1)) for row in found.weeks if row.pair == pair]


def needs(mid, high=None, low=None):
    return Demand(*(None if case is None else case * 1000 for case in (low, mid, high)))


def test_a_planned_circuit_counts_from_its_week():
    found = follow((0, "a", "A", "B", 100), (2, "b", "A", "B", 40), (None, "c", "A", "B", 7), last_week=3)
    assert weekly(found) == [(100, 0), (100, 0), (140, 40), (140, 40)]


def test_relief_is_what_each_adds_after_those_before_it():
    found = follow(
        (0, "a", "A", "B", 100),
        (3, "x", "A", "B", 100),
        (2, "y", "A", "B", 60),
        (None, "z", "A", "B", 10),
        last_week=1,
    )
    told = [
        (row.circuit, row.week, gbps(row.mbps), gbps(row.n1_mbps), row.bottleneck, row.failure) for row in found.relief
    ]
    assert told == [
        ("y", 2, 60, 60, ("a",), None),
        # With x, N-1 rises from 60 to 160: a or x may fail.
        ("x", 3, 100, 100, ("a", "y"), None),
        ("z", None, 10, 10, ("a", "x", "y"), None),
    ]


def test_a_circuit_may_relieve_only_what_is_left_after_a_failure():
    found = follow(
        (0, "a1", "A", "M1", 100, "s1"),
        (0, "a2", "A", "M2", 100, "s1"),
        (0, "b1", "M1", "B", 100),
        (0, "b2", "M2", "B", 100),
        (4, "c", "A", "M1", 100, "s9"),
    )
    (row,) = [row for row in found.relief if row.pair == PAIR]
    # 200 before and after; without s1 nothing was left, now the way through M1 is.
    assert (row.circuit, row.week, gbps(row.mbps), gbps(row.n1_mbps)) == ("c", 4, 0, 100)
    assert (str(row.failure), row.bottleneck) == ("span s1", ())


def test_two_circuits_in_a_row_relieve_together_and_say_so():
    found = follow((0, "a", "A", "B", 10), (1, "first", "A", "M", 50), (2, "then", "M", "B", 50))
    rows = [row for row in found.relief if row.pair == PAIR]
    assert [(row.circuit, row.week, gbps(row.mbps), row.needs) for row in rows] == [("then", 2, 50, ("first",))]


def test_gains_add_up_to_all_that_is_planned():
    dice = random.Random(8)
    rows = [
        (dice.choice([0, 0, 1, 2, 3, None]), f"c{n}", *dice.sample("ABCD", 2), dice.randrange(1, 9)) for n in range(14)
    ]
    found = follow(*rows)
    everything = follow(*((0, *row) for _, *row in rows))
    for pair in {row.pair for row in found.weeks}:
        now = next(row for row in found.weeks if row.pair == pair)
        at_last = next(row for row in everything.weeks if row.pair == pair)
        gained = [row for row in found.relief if row.pair == pair]
        assert now.capacity.mbps + sum(row.mbps for row in gained) == at_last.capacity.mbps
        assert now.capacity.least + sum(row.n1_mbps for row in gained) == at_last.capacity.least


class TestStates:
    """Against demand: the middle case is what must be carried, the high one what should be."""

    @pytest.mark.parametrize(
        ("mbps", "least", "most", "demand", "expected"),
        [
            (0, 0, 0, (5, 9), "no path"),
            (4, 0, 0, (5, 9), "short"),
            (9, 4, 4, (5, 9), "short at N-1"),
            (9, 4, 5, (5, 9), "N-1 unknown"),
            (9, 5, 5, (5, 9), "covered to mid"),
            (9, 9, 9, (5, 9), "covered"),
            (9, 5, 5, (5, None), "covered"),
            (9, 5, 5, (None, 9), "short at N-1"),
            (9, 9, 9, (None, None), "no demand known"),
            (0, 0, 0, (0, 0), "covered"),
        ],
    )
    def test_state(self, mbps, least, most, demand, expected):
        mid, high = demand
        found = state_of(Capacity(mbps, least, most, None), Demand(None, mid, high))
        assert found == expected

    def test_without_demand_nothing_is_covered(self):
        assert state_of(Capacity(9, 9, 9, None), None) == "no demand known"

    def test_demand_holds_until_the_next_point_and_not_beyond_the_last(self):
        demand = {PAIR: {-3: needs(50), 2: needs(120), 4: needs(200)}}
        found = follow((0, "a", "A", "B", 100), (3, "b", "A", "B", 120), demand=demand, last_week=5)
        assert [row.state for row in found.weeks] == [
            "short at N-1", "short at N-1", "short", "short at N-1", "short at N-1", "no demand known",
        ]  # fmt: skip

    def test_a_pair_with_demand_and_no_circuit_is_there(self):
        found = follow((0, "a", "A", "B", 100), demand={("B", "far"): {0: needs(1)}}, last_week=0)
        assert [(row.pair, row.state) for row in found.weeks] == [
            (("A", "B"), "no demand known"),
            (("B", "far"), "no path"),
        ]

    def test_also_where_its_region_has_sites_and_no_circuit(self):
        demand = {("B", "south"): {0: needs(1)}}
        found = follow((0, "a", "A", "B", 100), demand=demand, last_week=0, regions={"S1": "south"})
        assert [row.state for row in found.weeks if row.pair == ("B", "south")] == ["no path"]


def test_many_regions_are_followed_where_they_have_demand_or_a_circuit():
    rows = [(0, f"c{n:02d}", f"r{n:02d}", f"r{n + 1:02d}", 10) for n in range(50)]
    found = follow(*rows, demand={("r00", "r50"): {0: needs(1)}}, last_week=0)
    assert len(found.weeks) == 51
    assert next(row for row in found.weeks if row.pair == ("r00", "r50")).state == "short at N-1"


def test_no_circuit_and_no_demand():
    assert follow() == outlook([], {}, {}, 0)
    assert follow().weeks == ()


@settings(deadline=None, max_examples=30)
@given(circuits(), st.data())
def test_weeks_never_fall_and_order_never_matters(rows, data):
    weeks = data.draw(st.lists(st.sampled_from([0, 1, 2, None]), min_size=len(rows), max_size=len(rows)))
    scheduled = [Scheduled(row, week) for row, week in zip(rows, weeks, strict=True)]
    found = outlook(scheduled, REGIONS, {}, 2)
    assert outlook(scheduled[::-1], REGIONS, {}, 2) == found
    for pair in {row.pair for row in found.weeks}:
        series = [row for row in found.weeks if row.pair == pair]
        assert [row.week for row in series] == [0, 1, 2]
        assert all(a.capacity.mbps <= b.capacity.mbps for a, b in pairwise(series))
        assert all(a.capacity.least <= b.capacity.least for a, b in pairwise(series))
