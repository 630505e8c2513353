"""Separate paths and latencies on networks worked out by hand."""

from __future__ import annotations

from tests.network.small import network
from turnup.network.paths import paths


def of(net, *pair):
    (found,) = paths(net, [pair])
    return found


def circuits_of(path):
    return None if path is None else path.circuits


def test_the_second_path_shares_no_span_with_the_best():
    net = network(
        ("fast", "A", "B", 100, "S1", None, 10),
        ("twin", "A", "B", 100, "S1 S9", None, 11),
        ("north", "A", "C", 100, "S2", None, 8),
        ("south", "C", "B", 100, "S3", None, 9),
    )
    found = of(net, "A", "B")
    assert (found.best.circuits, found.best.latency_us) == (("fast",), 10_000)
    assert (found.second.circuits, found.second.latency_us) == (("north", "south"), 17_000)
    # fast and twin share S1: one path. The other leads through C.
    assert found.separate == 2


def test_a_diversity_group_is_shared_as_a_span_is():
    rows = (("a", "A", "B", 100, None, "g", 10), ("b", "A", "B", 100, None, "g", 11))
    assert circuits_of(of(network(*rows), "A", "B").second) is None
    apart = (rows[0], ("b", "A", "B", 100, None, "h", 11))
    assert circuits_of(of(network(*apart), "A", "B").second) == ("b",)


def test_nothing_is_called_separate_without_spans():
    net = network(("a", "A", "B", 100, "S1", None, 10), ("b", "A", "B", 100, "", None, 11))
    found = of(net, "A", "B")
    assert (circuits_of(found.best), circuits_of(found.second), found.separate) == (("a",), None, 1)
    unknown_best = network(("a", "A", "B", 100, "S1", None, 10), ("b", "A", "B", 100, "", None, 9))
    found = of(unknown_best, "A", "B")
    assert (circuits_of(found.best), circuits_of(found.second), found.separate) == (("b",), None, 1)


def test_spans_bind_circuits_through_one_another():
    chain = network(*((name, "A", "B", 100, spans) for name, spans in (("a", "1 2"), ("b", "2 3"), ("c", "3 4"))))
    assert of(chain, "A", "B").separate == 1


def test_a_path_of_fewer_hops_comes_first_where_latencies_are_equal():
    net = network(
        ("a", "A", "M", 1, None, None, 5), ("b", "M", "Z", 1, None, None, 5), ("direct", "A", "Z", 1, None, None, 10)
    )
    found = of(net, "A", "Z")
    assert (circuits_of(found.best), circuits_of(found.second)) == (("direct",), ("a", "b"))


def test_without_a_latency_there_is_no_timed_path_but_still_a_path():
    found = of(network(("a", "A", "B", 100)), "A", "B")
    assert (found.separate, found.best, found.second) == (1, None, None)


def test_a_circuit_without_capacity_is_no_path():
    assert of(network(("a", "A", "B", 0, None, None, 1)), "A", "B").separate == 0
