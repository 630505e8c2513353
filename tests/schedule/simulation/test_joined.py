"""A network run part by part is the network run as a whole."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.schedule.simulation.networks import FIRST, networks, uncertainties
from turnup.schedule.model import DAY
from turnup.schedule.simulation import (
    NEVER,
    ActivityNetwork,
    CorrelationGroup,
    Pool,
    PoolUse,
    RiskEvent,
    Uncertainty,
    Uniform,
    simulate,
)
from turnup.schedule.simulation.components import components
from turnup.schedule.simulation.joined import simulate_parts
from turnup.schedule.simulation.merge import mean_biases
from turnup.schedule.simulation.sensitivity import indices
from turnup.schedule.simulation.tornado import tornado

RUNS = {"iterations": 70, "seed": 3}


def beside(parts: list[ActivityNetwork]) -> ActivityNetwork:
    """Networks side by side, the ids of each with its number before them."""
    offsets = np.cumsum([0, *(len(one.ids) for one in parts[:-1])])
    found = {
        one.name: np.concatenate([getattr(part, one.name) for part in parts])
        for one in fields(ActivityNetwork)
        if one.name not in {"ids", "pred", "succ", "clocks"}
    }
    ends = {
        name: np.concatenate([getattr(part, name) + offset for part, offset in zip(parts, offsets, strict=True)])
        for name in ("pred", "succ")
    }
    ids = tuple(f"{number}{name}" for number, part in enumerate(parts) for name in part.ids)
    return ActivityNetwork(ids=ids, clocks=parts[0].clocks, **found, **{k: v.astype(np.int32) for k, v in ends.items()})


@st.composite
def several(draw):
    """Two or three networks beside each other, which share a correlation group and nothing else."""
    parts = [draw(networks(most=5)) for _ in range(draw(st.integers(2, 3)))]
    network = beside(parts)
    # A path that is run alone knows no date but its own.
    network = replace(network, start_from=np.maximum(network.start_from, FIRST))
    pools = draw(st.booleans())
    each = []
    for number in range(len(parts)):
        own = tuple(name for name in network.ids if name.startswith(str(number)))
        each.append(_renamed(draw(uncertainties(own, pools=pools)), number))
    durations = {name: drawn for one in each for name, drawn in one.durations.items()}
    grouped = tuple(name for one in each for name in one.correlations[0].activities)
    joined = Uncertainty(
        durations, (CorrelationGroup("group", grouped, 0.4),), tuple(risk for one in each for risk in one.risks),
        tuple(pool for one in each for pool in one.pools), tuple(use for one in each for use in one.uses),
        {name: rank for one in each for name, rank in one.priorities.items()},
    )  # fmt: skip
    return network, joined


def _renamed(given: Uncertainty, number: int) -> Uncertainty:
    return replace(
        given,
        risks=tuple(replace(one, id=f"{one.id} {number}") for one in given.risks),
        pools=tuple(replace(one, id=f"{one.id} {number}") for one in given.pools),
        uses=tuple(replace(one, pool=f"{one.pool} {number}") for one in given.uses),
    )


@given(several(), st.sampled_from((1, 7, 10_000)))
@settings(max_examples=20, deadline=None)
def test_parts_finish_and_are_driven_as_in_the_whole(case, least):
    network, uncertainty = case
    open_ones = [name for name, at in zip(network.ids, network.finished, strict=True) if at == NEVER]
    if not open_ones:
        return
    targets = {name: (name,) for name in open_ones} | {"last": open_ones}
    whole = simulate(network, uncertainty, targets, **RUNS)
    parts = simulate_parts(network, uncertainty, open_ones, {"last": open_ones}, trace=targets, least=least, **RUNS)
    row = {name: number for number, name in enumerate(network.ids)}
    expected = dict(zip(targets, indices(whole, list(targets)), strict=True))
    biases = mean_biases(whole, list(targets))
    found, drivers = parts.mean_biases(list(targets)), dict(parts.drivers(list(targets)))
    assert set(drivers) == set(found) == set(targets)
    for name in targets:
        assert name in parts
        assert parts.samples(name).tolist() == whole.samples(name).tolist()
        rows = [row[one] for one in drivers[name].ids]
        assert rows == sorted(rows)
        driving, ssi = (np.nan_to_num(one) for one in expected[name])
        assert np.nan_to_num(drivers[name].driving).tolist() == driving[rows].tolist()
        assert driving.sum() == driving[rows].sum()
        assert np.nan_to_num(drivers[name].ssi) == pytest.approx(ssi[rows])
        assert found[name] == pytest.approx(biases[name], abs=1e-3)


@given(several())
@settings(max_examples=15, deadline=None)
def test_an_input_held_moves_what_waits_for_several_parts_as_in_the_whole(case):
    network, uncertainty = case
    open_ones = [name for name, at in zip(network.ids, network.finished, strict=True) if at == NEVER]
    if not open_ones:
        return
    whole = simulate(network, uncertainty, {"last": open_ones}, **RUNS)
    parts = simulate_parts(network, uncertainty, open_ones, {"last": open_ones}, trace=["last"], least=1, **RUNS)
    every = len(network.ids) + len(uncertainty.risks)
    assert parts.tornado("last", top=every) == tornado(whole, "last", top=every)


class TestComponents:
    """Which activities belong together."""

    network = ActivityNetwork.of(dict.fromkeys("abcdefg", DAY), [("a", "b"), ("d", "e"), ("b", "g"), ("e", "g")])

    def parts(self, uncertainty=None, targets="bcef", joins="g", least=1):
        found = components(self.network, uncertainty or Uncertainty(), targets, joins, least)
        return ["".join(self.network.ids[row] for row in part) for part in found]

    def test_are_joined_by_links_but_not_by_what_only_waits(self):
        assert self.parts() == ["ab", "c", "de", "f"]
        assert self.parts(joins="") == ["abdeg", "c", "f"]

    def test_without_a_target_are_left_out(self):
        assert self.parts(targets="eg") == ["de"]
        assert self.parts(targets="g") == []

    def test_are_joined_by_pools_and_events_and_not_by_correlation(self):
        pool = Uncertainty(pools=(Pool("crew", 1),), uses=(PoolUse("a", "crew"), PoolUse("f", "crew")))
        assert self.parts(pool) == ["abf", "c", "de"]
        event = Uncertainty(risks=(RiskEvent("storm", 0.5, Uniform(0, DAY), ("c", "e")),))
        assert self.parts(event) == ["ab", "cde", "f"]
        group = Uncertainty(correlations=(CorrelationGroup("vendor", ("a", "c", "d"), 0.5),))
        assert self.parts(group) == ["ab", "c", "de", "f"]

    def test_that_are_small_are_run_together(self):
        assert self.parts(least=3) == ["abc", "def"]
        assert self.parts(least=99) == ["abcdef"]


def test_the_last_of_two_parts_is_driven_by_the_one_that_is_later():
    network = ActivityNetwork.of({"a": DAY, "b": DAY, "c": 3 * DAY})
    uncertainty = Uncertainty({"a": Uniform(DAY, 2 * DAY), "b": Uniform(0, DAY)})
    found = simulate_parts(
        network, uncertainty, "abc", {"ab": "ab", "abc": "abc"}, trace=["ab", "abc"], least=1, **RUNS
    )
    drivers = dict(found.drivers(["ab", "abc"]))
    assert [list(one.ids) for one in drivers.values()] == [["a"], ["c"]]
    assert [one.driving.tolist() for one in drivers.values()] == [[1.0], [1.0]]
    assert found.samples("abc").tolist() == [3 * DAY] * 70
    assert found.tornado("abc") == []
    # Held at 1.1 and 1.9 days, a is longer than b in every run.
    assert [(bar.id, bar.low, bar.high) for bar in found.tornado("ab")] == [("a", 95_040, 164_160)]
