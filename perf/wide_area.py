"""N-1 of a wide area network of 500 spans, beside scipy's maximum flow without any failure.

Run ``python -m perf.wide_area``. The network is drawn from a seed: sites, a tree so that all are joined, further
circuits at random, each on a span of its own, a tenth of them on their neighbour's as well.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from turnup.network.capacity import Pair, capacities
from turnup.network.circuits import Circuit, Network, network_of
from turnup.network.failures import failures_of
from turnup.network.outlook import Scheduled, outlook
from turnup.network.paths import paths
from turnup.network.spans import Span

SITES, SPANS, REGIONS, TIMES = 200, 500, 30, 3


def drawn(seed: int = 7) -> tuple[list[Circuit], dict[str, str]]:
    """Circuits on 500 spans between 200 sites, and a region for every site."""
    dice = random.Random(seed)
    ends = [(dice.randrange(site), site) for site in range(1, SITES)]
    ends += [(a, z) for a, z in (dice.sample(range(SITES), 2) for _ in range(SPANS - len(ends)))]
    spans = [Span(f"span {number:03d}", f"span {number:03d}") for number in range(SPANS)]
    circuits = [
        Circuit(
            f"c{number:03d}", f"s{a:03d}", f"s{z:03d}", dice.choice([100, 400, 800]) * 1000,
            dice.randrange(500, 30_000), tuple(sorted({spans[number], spans[number - (number % 10 == 0)]})),
        )
        for number, (a, z) in enumerate(ends)
    ]  # fmt: skip
    return circuits, {f"s{site:03d}": f"region {site % REGIONS:02d}" for site in range(SITES)}


def floor(network: Network, pairs: Sequence[Pair]) -> list[int]:
    """Maximum flows by scipy, nothing failing; each site of the network is a region of its own."""
    a, z = network.head[1::2], network.head[0::2]
    ends, rates = (np.concatenate((a, z)), np.concatenate((z, a))), np.concatenate((network.mbps, network.mbps))
    matrix = csr_array((rates.astype(np.int32), ends), shape=(len(network.sites),) * 2)
    return [int(maximum_flow(matrix, source, sink).flow_value) for source, sink in network.numbers(pairs)]


def told(name: str, run: Callable[[], Any]) -> None:
    """Print the least and the median time of some runs, and the least computing time."""
    wall, computing = [], []
    for _ in range(TIMES):
        began, used = time.perf_counter(), time.process_time()
        run()
        wall.append(time.perf_counter() - began)
        computing.append(time.process_time() - used)
    print(f"{name}: least {min(wall):.3f} s, median {sorted(wall)[TIMES // 2]:.3f} s, computing {min(computing):.3f} s")


def main() -> None:
    """Measure one pair, all pairs of regions, all pairs of sites, and an outlook of a year."""
    circuits, regions = drawn()
    by_region, by_site = network_of(circuits, regions), network_of(circuits)
    failing = failures_of(by_region)
    print(f"{len(circuits)} circuits, {SPANS} spans, {SITES} sites, {len(failing.items)} failures")
    capacities(by_region, by_region.all_pairs[:1])  # compiled or loaded
    few = by_site.all_pairs[: len(by_region.all_pairs)]
    assert floor(by_site, few) == [found.mbps for found in capacities(by_site, few)]
    told("N-1 of one pair of regions", lambda: capacities(by_region, by_region.all_pairs[:1]))
    told(f"N-1 of all {len(by_region.all_pairs)} pairs of regions", lambda: capacities(by_region, by_region.all_pairs))
    told("paths of all pairs of regions", lambda: paths(by_region, by_region.all_pairs))
    told(f"N-1 of all {len(by_site.all_pairs)} pairs of sites", lambda: capacities(by_site, by_site.all_pairs))
    told(f"flows alone of {len(few)} pairs of sites, by scipy", lambda: floor(by_site, few))
    dice = random.Random(1)
    weeks = [0 if dice.random() < 0.9 else dice.randrange(1, 52) for _ in circuits]
    scheduled = [Scheduled(circuit, week) for circuit, week in zip(circuits, weeks, strict=True)]
    told(f"a year ahead with {sum(map(bool, weeks))} planned circuits", lambda: outlook(scheduled, regions, {}, 52))


if __name__ == "__main__":
    main()
