"""What holds for every network: bounds of a flow, what a failure and a further circuit may do, order of rows."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.network.small import circuit
from turnup.network.capacity import capacities
from turnup.network.circuits import network_of
from turnup.network.failures import failures_of
from turnup.network.paths import paths

SITES = "ABCDEF"
REGIONS = {"A": "one", "B": "one", "C": "two"}
PAIRS = [("one", "two"), ("one", "D"), ("two", "D"), ("D", "E"), ("one", "F")]


@st.composite
def circuits(draw, least=0, most=9):
    """Circuits between six sites in five regions, on a few shared spans and groups."""
    made = []
    for number in range(draw(st.integers(least, most))):
        a, z = draw(st.lists(st.sampled_from(SITES), min_size=2, max_size=2))
        spans = draw(st.lists(st.sampled_from(["s1", "s2", "s3", "s4"]), max_size=2, unique=True))
        group = draw(st.sampled_from([None, None, "g", "h"]))
        ms = draw(st.sampled_from([None, 1, 2, 5]))
        made.append(circuit(f"c{number}", a, z, draw(st.integers(0, 9)), " ".join(spans) if spans else None, group, ms))
    unknown = draw(st.sets(st.integers(0, most), max_size=2))
    return [
        circuit(row.key, row.a_site, row.z_site, row.mbps // 1000, "", row.group) if number in unknown else row
        for number, row in enumerate(made)
    ]


def made(rows):
    return network_of(rows, REGIONS, also=SITES)


def as_graph(network, without=(), without_site=None):
    """The same network for networkx: regions as terminals with unlimited arcs to their sites."""
    graph = nx.Graph()
    graph.add_nodes_from(network.sites)
    for number, row in enumerate(network.circuits):
        if number in without or row.a_site == row.z_site or without_site in (row.a_site, row.z_site):
            continue
        before = graph.get_edge_data(row.a_site, row.z_site, {"capacity": 0})["capacity"]
        graph.add_edge(row.a_site, row.z_site, capacity=before + row.mbps)
    for number, site in enumerate(network.sites):
        if site != without_site:
            graph.add_edge(("region", network.regions[network.region[number]]), site)
    return graph


def nx_flow(network, pair, **without):
    """Maximum flow by networkx; another region's terminal joins nothing."""
    graph = as_graph(network, **without)
    others = [node for node in graph if isinstance(node, tuple) and node[1] not in pair]
    graph.remove_nodes_from(others)
    ends = [("region", name) for name in pair]
    if not all(end in graph for end in ends):
        return 0
    return nx.maximum_flow_value(graph, *ends)


def nx_n1(network, pair):
    """The least flow that one failure leaves, by trying each of them."""
    found = [nx_flow(network, pair)]
    region = dict(zip(network.sites, (network.regions[number] for number in network.region), strict=True))
    gateways = {name: set() for name in pair}
    for row in network.circuits:
        for site, other in ((row.a_site, row.z_site), (row.z_site, row.a_site)):
            if region[site] in pair and region[other] != region[site]:
                gateways[region[site]].add(site)
    for item in failures_of(network).items:
        if item.kind != "site":
            found.append(nx_flow(network, pair, without=item.circuits))
        elif [item.key] not in [list(sites) for sites in gateways.values()]:
            found.append(nx_flow(network, pair, without_site=item.key))
    return min(found)


@settings(max_examples=120, deadline=None)
@given(circuits())
def test_flow_and_n1_are_those_of_networkx(rows):
    network = made(rows)
    proved = replace(network, mbps=np.where(network.routed, network.mbps, 0), circuits=tuple(
        replace(row, mbps=row.mbps if row.spans else 0) for row in network.circuits))  # fmt: skip
    for pair, found in zip(PAIRS, capacities(network, PAIRS), strict=True):
        assert found.mbps == nx_flow(network, pair)
        assert found.most == nx_n1(network, pair)
        assert found.least == nx_n1(proved, pair)


@settings(deadline=None)
@given(circuits())
def test_flow_never_exceeds_what_is_around_either_end_and_n1_never_exceeds_flow(rows):
    network = made(rows)
    for pair, found in zip(PAIRS, capacities(network, PAIRS), strict=True):
        for region in pair:
            around = sum(
                row.mbps
                for row in rows
                if (REGIONS.get(row.a_site, row.a_site) == region) != (REGIONS.get(row.z_site, row.z_site) == region)
            )
            assert found.mbps <= around
        assert 0 <= found.least <= found.most <= found.mbps
        assert (found.worst is None) == (found.most == found.mbps)


@settings(deadline=None)
@given(circuits(), circuits(least=1, most=1))
def test_a_further_circuit_never_lowers_anything(rows, further):
    (new,) = further
    new = circuit("zz", new.a_site, new.z_site, new.mbps // 1000, " ".join(s.spelled for s in new.spans), new.group)
    network = made([*rows, new])
    before, after = capacities(network, PAIRS, network.mask(row.key for row in rows)), capacities(network, PAIRS)
    for old, now in zip(before, after, strict=True):
        assert old.mbps <= now.mbps
        assert old.least <= now.least
        assert old.most <= now.most


@settings(deadline=None)
@given(circuits(least=2), st.data())
def test_two_spans_that_turn_out_to_be_one_never_help(rows, data):
    one = [
        circuit(
            row.key, row.a_site, row.z_site, row.mbps // 1000,
            " ".join("s1" if span.spelled == "s2" else span.spelled for span in row.spans), row.group,
        )
        for row in rows
    ]  # fmt: skip
    for apart, together in zip(capacities(made(rows), PAIRS), capacities(made(one), PAIRS), strict=True):
        assert together.mbps == apart.mbps
        assert together.most <= apart.most


@settings(deadline=None)
@given(circuits(), st.randoms(use_true_random=False))
def test_the_order_of_rows_never_matters(rows, dice):
    mixed = list(rows)
    dice.shuffle(mixed)
    assert capacities(made(rows), PAIRS) == capacities(made(mixed), PAIRS)
    assert paths(made(rows), PAIRS) == paths(made(mixed), PAIRS)


@settings(deadline=None)
@given(circuits())
def test_paths_join_the_pair_and_the_second_shares_nothing_with_the_best(rows):
    network = made(rows)
    by_name = {row.label: row for row in rows}
    for pair, found in zip(PAIRS, paths(network, PAIRS), strict=True):
        reach = nx_flow(network, pair) > 0
        assert (found.separate > 0) == reach
        for path in filter(None, (found.best, found.second)):
            assert path.latency_us == sum(by_name[name].latency_us for name in path.circuits)
        if found.second is not None:
            risks = [
                {risk for name in path.circuits for risk in (name, *by_name[name].spans, by_name[name].group or name)}
                for path in (found.best, found.second)
            ]
            assert not risks[0] & risks[1]
            assert found.best.latency_us <= found.second.latency_us
            assert found.separate >= 1
