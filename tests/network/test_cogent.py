"""Cogent's backbone of 2010 (Internet Topology Zoo), compared with networkx's own algorithms."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import networkx as nx
import pytest

from turnup.formats.model import FileRejected
from turnup.formats.topology.gml import read_graph
from turnup.network.capacity import capacities
from turnup.network.circuits import Circuit, network_of
from turnup.network.maps import circuits_of
from turnup.network.paths import paths

FILE = Path(__file__).resolve().parents[3] / "shared" / "cases" / "supply" / "topology" / "itz_Cogentco.gml"
real = pytest.mark.skipif(not FILE.exists(), reason="the map is not at hand")


def cogent():
    """Its circuits, each with a capacity and a latency drawn for it."""
    dice = random.Random(20100801)
    drawn = circuits_of(read_graph(FILE.read_text(encoding="utf-8")), otherwise_mbps=1)
    return [
        Circuit(row.key, row.a_site, row.z_site, dice.choice([1, 2, 4, 10]) * 10_000, dice.randrange(200, 9000),
                row.spans, None, row.name)
        for row in drawn
    ]  # fmt: skip


def as_graph(network, without=(), without_site=None):
    graph = nx.Graph()
    graph.add_nodes_from(network.sites)
    for number, row in enumerate(network.circuits):
        if number not in without and without_site not in (row.a_site, row.z_site):
            held = graph.get_edge_data(
                row.a_site, row.z_site, {"capacity": 0, "latency": row.latency_us, "circuits": 0}
            )
            graph.add_edge(
                row.a_site,
                row.z_site,
                capacity=held["capacity"] + row.mbps,
                latency=min(held["latency"], row.latency_us),
                circuits=held["circuits"] + 1,
            )
    return graph


@real
def test_the_map_loads():
    graph = read_graph(FILE.read_text(encoding="utf-8"))
    rows = circuits_of(graph, otherwise_mbps=10_000)
    network = network_of(rows, also=[node.text("id") for node in graph.groups("node")])
    assert (len(network.sites), len(rows)) == (197, 245)
    assert {row.mbps for row in rows} == {10_000}


@real
def test_flows_of_all_pairs_are_those_of_a_gomory_hu_tree():
    network = network_of(cogent())
    tree = nx.gomory_hu_tree(as_graph(network))
    found = capacities(network, network.all_pairs)
    assert len(found) == 197 * 196 // 2
    least = {}
    for source in network.sites:
        # On the tree a flow is the least weight along the only path.
        least[source, source] = float("inf")
        for before, site in nx.bfs_edges(tree, source):
            least[source, site] = min(least[source, before], tree.edges[before, site]["weight"])
    assert [pair.mbps for pair in found] == [least[pair] for pair in combinations(network.sites, 2)]
    assert max(pair.mbps for pair in found) > 100_000


@real
def test_n1_is_the_least_flow_over_every_failed_edge_and_node():
    network = network_of(cogent())
    dice = random.Random(4)
    # Sites that several circuits reach, so that a failure leaves something.
    degree = dict(as_graph(network).degree())
    large = [site for site in network.sites if degree[site] > 2]
    pairs = [tuple(sorted(dice.sample(large, 2))) for _ in range(2)]
    failed = [(as_graph(network, {number}), None) for number in range(len(network.circuits))]
    failed += [(as_graph(network, without_site=site), site) for site in network.sites]
    for pair, found in zip(pairs, capacities(network, pairs), strict=True):
        flows = [nx.maximum_flow_value(graph, *pair) for graph, site in failed if site not in pair]
        assert found.n1 == min(flows)
        assert 0 < found.n1 < found.mbps


@real
def test_paths_are_those_of_networkx():
    network = network_of(cogent())
    graph = as_graph(network)
    dice = random.Random(5)
    pairs = [tuple(sorted(dice.sample(network.sites, 2))) for _ in range(40)]
    for pair, found in zip(pairs, paths(network, pairs), strict=True):
        assert found.best.latency_us == nx.shortest_path_length(graph, *pair, weight="latency")
        assert found.separate == nx.maximum_flow_value(graph, *pair, capacity="circuits")


def test_an_edge_to_an_unknown_node_is_refused_with_its_line():
    graph = read_graph(
        "graph [\n node [ id 0 ]\n node [ id 1 ]\n edge [ source 0 target 1 ]\n edge [ source 0 target 9 ]\n]"
    )
    with pytest.raises(FileRejected, match="line 5: an edge ends at node '9'"):
        circuits_of(graph, otherwise_mbps=1)


def test_the_speed_of_an_edge_counts_where_the_map_gives_it():
    text = 'graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 LinkSpeedRaw {} LinkLabel "OC-48" ] ]'
    for given, mbps in (("2488320000.0", 2488), ("1e10", 10_000), ("fast", 7), ("-1", 7), ("nan", 7)):
        (row,) = circuits_of(read_graph(text.format(given)), otherwise_mbps=7)
        assert (row.mbps, row.name) == (mbps, "OC-48")
