"""Maximum flow and N-1 on networks worked out by hand."""

from __future__ import annotations

import pytest

from tests.network.small import circuit, gbps, network
from turnup.network.capacity import bottlenecks, capacities
from turnup.network.circuits import network_of

# A and B are joined by two circuits of 400 that share the span S1, and through C: 100 to C, 300 from there.
TRIANGLE = (
    ("c1", "A", "B", 400, "S1"),
    ("c2", "A", "B", 400, "S1 S2"),
    ("c3", "A", "C", 100, "S3"),
    ("c4", "C", "B", 300, "S4"),
)
# Two sites in the west, two in the east, one between; the circuits from there to the east are one diversity group.
REGIONS = {"W1": "west", "W2": "west", "M": "mid", "E1": "east", "E2": "east"}
THREE_REGIONS = (
    ("d1", "W1", "M", 400),
    ("d2", "W2", "M", 200),
    ("d3", "M", "E1", 300, None, "g"),
    ("d4", "M", "E2", 300, None, "g"),
    ("d5", "W2", "E2", 100),
)


def of(net, *pair, up=None):
    (found,) = capacities(net, [pair], up)
    return found


def bottleneck(net, pair, up=None, down=None):
    (found,) = bottlenecks(net, [pair], up, [down])
    return found


def told(net, *pair):
    found = of(net, *pair)
    return gbps(found.mbps), gbps(found.n1), str(found.worst)


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        # 400 + 400 + the 100 of the way through C; S1 takes both large circuits.
        (("A", "B"), (900, 100, "span S1")),
        # 100 + 300 of the 800 to B; without S1, without S4 or without site B only the 100 are left.
        (("A", "C"), (400, 100, "span S1")),
        # 300 + 100 through A; without S4 the 100, without S1 or S3 the 300.
        (("B", "C"), (400, 100, "span S4")),
    ],
)
def test_a_span_takes_all_circuits_that_ride_on_it(pair, expected):
    assert told(network(*TRIANGLE), *pair) == expected


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        # 600 through the middle + 100; the group and the middle site take all but the 100.
        (("west", "east"), (700, 100, "diversity group g")),
        # 600 + 100 around the east; W1 and its circuit take 400.
        (("west", "mid"), (700, 300, "span d1")),
        # 600 + 100 around the west (200 to W2, 100 from there).
        (("mid", "east"), (700, 100, "diversity group g")),
    ],
)
def test_regions_of_several_sites_and_a_diversity_group(pair, expected):
    assert told(network(*THREE_REGIONS, regions=REGIONS), *pair) == expected


def test_a_site_between_can_be_the_worst_failure():
    net = network(("a", "A", "M", 100), ("b", "A", "M", 100), ("c", "M", "Z", 100), ("d", "M", "Z", 100))
    assert told(net, "A", "Z") == (200, 0, "site M")


def test_a_site_of_an_end_that_has_others_can_be_the_worst_failure():
    net = network(
        ("a", "A", "Z1", 100), ("b", "A", "Z1", 100), ("c", "A", "Z2", 50), regions={"Z1": "east", "Z2": "east"}
    )
    assert told(net, "A", "east") == (250, 50, "site Z1")


def test_a_site_that_alone_connects_its_region_is_no_failure_of_it():
    rows = (("a", "A", "Z1", 100), ("b", "A", "Z1", 100), ("metro", "Z1", "Z2", 50))
    regions = {"Z1": "east", "Z2": "east"}
    assert told(network(*rows, regions=regions), "A", "east") == (200, 100, "span a")
    # Once Z2 is connected too, by a circuit that is not there yet, the loss of Z1 counts.
    both = network(*rows, ("c", "A", "Z2", 10), regions=regions)
    now = of(both, "A", "east", up=both.mask(["a", "b", "metro"]))
    assert (gbps(now.mbps), gbps(now.n1), str(now.worst)) == (200, 0, "site Z1")
    assert told(both, "A", "east") == (210, 10, "site Z1")


def test_transit_needs_a_circuit_between_the_sites_of_a_region():
    rows = (("a", "A", "M1", 100), ("b", "M2", "Z", 100))
    regions = {"M1": "mid", "M2": "mid"}
    assert told(network(*rows, regions=regions), "A", "Z") == (0, 0, "None")
    joined = network(*rows, ("metro", "M1", "M2", 40), regions=regions)
    assert told(joined, "A", "Z")[:2] == (40, 0)


def test_regions_that_nothing_joins_have_no_capacity_and_nothing_to_lose():
    net = network(("a", "A", "B", 100), ("c", "C", "D", 100))
    found = of(net, "A", "C")
    assert (found.mbps, found.n1, found.worst) == (0, 0, None)


def test_a_circuit_that_returns_to_its_site_joins_nothing():
    net = network(("loop", "A", "A", 100), ("a", "A", "B", 10))
    assert told(net, "A", "B") == (10, 0, "span a")


class TestUnknownSpans:
    """Without spans nothing proves that a circuit is separate from any other."""

    def test_two_circuits_without_spans_may_fail_together(self):
        found = of(network(("a", "A", "B", 400, ""), ("b", "A", "B", 400, "")), "A", "B")
        assert (gbps(found.mbps), gbps(found.least), gbps(found.most)) == (800, 0, 400)
        assert found.n1 is None
        assert str(found.worst) == "circuit a"

    def test_one_beside_a_known_one_may_ride_on_its_span(self):
        found = of(network(("a", "A", "B", 400, "S1"), ("b", "A", "B", 400, "")), "A", "B")
        assert (gbps(found.least), gbps(found.most), found.n1) == (0, 400, None)

    def test_beside_two_known_ones_the_larger_known_one_is_sure(self):
        net = network(("a", "A", "B", 400, "S1"), ("b", "A", "B", 300, "S2"), ("c", "A", "B", 200, ""))
        found = of(net, "A", "B")
        # At worst S1 takes c too: 300 are left. At best S1 takes 400 of 900.
        assert (gbps(found.least), gbps(found.most)) == (300, 500)

    def test_a_diversity_group_is_a_claim_and_no_span(self):
        net = network(("a", "A", "B", 400, "", "north"), ("b", "A", "B", 400, "", "south"))
        assert of(net, "A", "B").n1 is None

    def test_where_it_makes_no_difference_n1_is_known(self):
        net = network(("a", "A", "B", 400, "S1"), ("b", "A", "B", 400, "S2"), ("far", "C", "D", 10, ""))
        assert gbps(of(net, "A", "B").n1) == 400
        alone = network(("a", "A", "B", 400, ""))
        assert alone.mbps.sum() == 400_000
        assert of(alone, "A", "B").n1 == 0


class TestBottleneck:
    """The circuits that bound a flow, with everything up and after a failure."""

    def test_the_least_cut_nearest_to_the_first_region(self):
        net = network(("a", "A", "M", 100), ("b", "M", "Z", 100), ("c", "M", "Z", 100))
        assert bottleneck(net, ("A", "Z")) == ("a",)
        assert bottleneck(net, ("Z", "A")) == ("a",)

    def test_after_the_worst_failure(self):
        net = network(*TRIANGLE)
        worst = of(net, "A", "B").worst
        assert bottleneck(net, ("A", "B")) == ("c1", "c2", "c3")
        assert bottleneck(net, ("A", "B"), down=worst) == ("c3",)

    def test_only_circuits_that_are_there(self):
        net = network(("a", "A", "Z", 100), ("b", "A", "Z", 100))
        up = net.mask(["a"])
        assert bottleneck(net, ("A", "Z"), up) == ("a",)
        assert gbps(of(net, "A", "Z", up=up).mbps) == 100


def test_capacity_counts_exactly_whatever_its_size():
    net = network(("a", "A", "B", "999999999999.999"), ("b", "A", "B", "0.001"))
    assert gbps(of(net, "A", "B").mbps) == 1_000_000_000_000


def test_two_circuits_of_one_name_are_refused():
    with pytest.raises(ValueError, match="two circuits are called 'a'"):
        network(("a", "A", "B", 1), ("a", "A", "C", 1))
    with pytest.raises(ValueError, match="-5 Mbit/s"):
        network_of([circuit("a", "A", "B", "-0.005")])


def test_no_circuit_at_all():
    net = network_of([], also=["A", "B"])
    assert of(net, "A", "B").mbps == 0
