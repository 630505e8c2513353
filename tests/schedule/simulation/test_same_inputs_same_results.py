"""Results depend on the inputs alone: not on threads, blocks, order or which kernel computes them."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.schedule.simulation.networks import networks, uncertainties
from turnup.schedule.simulation import (
    PROJECT,
    ActivityNetwork,
    CorrelationGroup,
    Fixed,
    Pool,
    RiskEvent,
    Triangular,
    Uncertainty,
    Uniform,
    sensitivities,
    simulate,
)
from turnup.schedule.simulation.restrict import part

DAY = 86_400


def example(names="abcdef"):
    """Two chains and a milestone, correlated and at risk."""
    links = [("a", "b"), ("b", "c"), ("d", "e"), ("e", "f"), ("c", "end"), ("f", "end")]
    network = ActivityNetwork.of(dict.fromkeys(names, 10 * DAY) | {"end": 0}, links)
    durations = {name: Triangular(8 * DAY, 10 * DAY, 20 * DAY) for name in names}
    group = CorrelationGroup("crew", ("a", "d"), 0.6)
    risk = RiskEvent("storm", 0.25, Uniform(DAY, 9 * DAY), ("b", "e"))
    return network, Uncertainty(durations, (group,), (risk,))


def same(first, second):
    """Every array of two runs is the same, byte by byte."""
    for name in ("finishes", "project_finish", "critical", "driving"):
        assert getattr(first, name).tobytes() == getattr(second, name).tobytes(), name


@pytest.mark.parametrize("pools", [False, True])
def test_neither_threads_nor_blocks_change_a_byte(pools):
    network, uncertainty = example()
    if pools:
        uncertainty = replace(uncertainty, pools=(Pool("dock", 2),))
    runs = [
        simulate(network, uncertainty, ["end", "c"], iterations=1001, seed=5, threads=threads, block=block)
        for threads, block in ((1, 64), (2, 64), (5, 7), (3, 1), (1, 2000))
    ]
    for run in runs[1:]:
        same(runs[0], run)
    found = sensitivities(runs[0], "end"), sensitivities(runs[2], "end")
    assert all(
        np.array_equal(getattr(found[0], k), getattr(found[1], k), equal_nan=True) for k in ("sd", "pearson", "ssi")
    )


def test_the_order_of_activities_changes_nothing():
    network, uncertainty = example()
    rows = np.array([6, 2, 4, 0, 1, 5, 3])
    shuffled = part(network, uncertainty, rows)[0]
    first, second = (simulate(one, uncertainty, ["end"], iterations=500) for one in (network, shuffled))
    assert first.finishes.tobytes() == second.finishes.tobytes()
    assert first.critical[rows].tolist() == second.critical.tolist()
    assert first.driving[:, rows].tolist() == second.driving.tolist()


def test_a_changed_input_leaves_all_other_draws_as_they_were():
    """Common random numbers: with one duration 5 days longer each iteration is later by 0 to 5 days."""
    network, uncertainty = example()
    longer = replace(uncertainty, durations=uncertainty.durations | {"a": Triangular(13 * DAY, 15 * DAY, 25 * DAY)})
    before, after = (simulate(network, one, ["end"], seed=9).samples("end") for one in (uncertainty, longer))
    assert ((after - before >= 0) & (after - before <= 5 * DAY + 1)).all()
    fewer = simulate(network, replace(uncertainty, risks=()), ["end"], seed=9).samples("end")
    assert (fewer <= before).all()
    assert 0.25 < (fewer == before).mean() < 0.8


def test_another_seed_is_another_run():
    network, uncertainty = example()
    first, second = (simulate(network, uncertainty, ["end"], seed=seed).samples("end") for seed in (1, 2))
    assert (first == second).mean() < 0.01
    assert np.corrcoef(first, second)[0, 1] == pytest.approx(0, abs=0.05)


@given(st.data(), st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_both_kernels_agree_where_pools_do_not_matter(data, seed):
    """A pool that nobody uses leads to the serial kernel; draws are shared, so every finish is the same."""
    network = data.draw(networks())
    uncertainty = data.draw(uncertainties(network.ids, pools=False))
    blocked = simulate(network, uncertainty, {PROJECT: network.ids}, iterations=70, seed=seed)
    serial = simulate(
        network, replace(uncertainty, pools=(Pool("idle", 1),)), {PROJECT: network.ids}, iterations=70, seed=seed
    )
    assert blocked.finishes.tolist() == serial.finishes.tolist()
    assert blocked.driving.tolist() == serial.driving.tolist()
    assert blocked.project_finish.tolist() == serial.project_finish.tolist() == blocked.samples().tolist()


@pytest.mark.parametrize("iterations", [1, 63, 64, 65, 100])
def test_no_iteration_too_many_is_counted(iterations):
    network, uncertainty = example()
    run = simulate(network, uncertainty, ["end", PROJECT], iterations=iterations)
    assert run.critical.max() == run.driving.max() == iterations
    assert run.samples("end").shape == run.project_finish.shape == (iterations,)
    assert run.criticality_index().max() == 1.0
    # One of the two chains is critical in each iteration.
    assert (run.critical[[0, 3]].sum() >= iterations) and (run.critical[[0, 3]] <= iterations).all()


def test_targets_can_be_groups():
    network, uncertainty = example()
    run = simulate(network, uncertainty, {"chains": ("a", "b", "c", "f"), "first": ("a", "b")}, iterations=300)
    single = simulate(network, uncertainty, list(network.ids), iterations=300)
    latest = np.maximum(single.samples("c"), single.samples("f"))
    assert run.samples("chains").tolist() == latest.tolist()
    assert run.samples("first").tolist() == single.samples("b").tolist()
    assert run.driving_share("first").tolist() == single.driving_share("b").tolist()
    with pytest.raises(ValueError, match="'end' is not among the targets"):
        run.samples("end")


def test_without_tracing_only_finishes_are_kept():
    network, uncertainty = example()
    traced, plain = (simulate(network, uncertainty, ["end"], iterations=200, trace=trace) for trace in (True, False))
    assert traced.finishes.tobytes() == plain.finishes.tobytes()
    assert traced.driving.any()
    assert not plain.driving.any()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"durations": {"z": Fixed(1)}}, "duration: the network has no activity 'z'"),
        ({"risks": (RiskEvent("R", 0.5, Fixed(1), ("z",)),)}, "risk event R: the network has no activity 'z'"),
        ({"correlations": (CorrelationGroup("g", ("z",), 0.5),)}, "correlation group g: the network has no"),
        (
            {"correlations": (CorrelationGroup("g", ("a",), 0.5), CorrelationGroup("h", ("a",), 0.5))},
            "'a' is given twice",
        ),
        ({"risks": (RiskEvent("R", 0.5, Fixed(1), ("a",)),) * 2}, "risk event 'R' is given twice"),
    ],
)
def test_names_that_do_not_fit_are_refused(changes, words):
    network, _ = example()
    with pytest.raises(ValueError, match=words):
        simulate(network, Uncertainty(**changes))


def test_loops_are_spelled_out():
    network = ActivityNetwork.of({"a": 1, "b": 1, "c": 1}, [("a", "b"), ("b", "c"), ("c", "b")])
    with pytest.raises(ValueError, match="activities wait for themselves: b→c→b"):
        simulate(network, Uncertainty())


def test_unknown_targets_are_refused():
    network, uncertainty = example()
    with pytest.raises(ValueError, match="target 'x': the network has no activity 'x'"):
        simulate(network, uncertainty, ["x"])
    with pytest.raises(ValueError, match="target 'none' has no activities"):
        simulate(network, uncertainty, {"none": ()})
    with pytest.raises(ValueError, match="at least one iteration"):
        simulate(network, uncertainty, iterations=0)


def test_a_run_that_never_ends_is_kept_at_34_years():
    names = [f"A{number}" for number in range(60)]
    network = ActivityNetwork.of(dict.fromkeys(names, 1), list(itertools.pairwise(names)))
    run = simulate(network, Uncertainty({name: Fixed(365 * DAY) for name in names}), [names[-1]], iterations=10)
    assert set(run.samples(names[-1]).tolist()) == {(12_427 - 28) * DAY}
