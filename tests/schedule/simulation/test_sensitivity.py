"""Indices against their definitions on drawn durations; merge bias and tornado by hand."""

import itertools
from dataclasses import replace
from datetime import datetime

import numpy as np
import pytest
from scipy import stats

from turnup.schedule.model import DAY, HOUR, WorkCalendar
from turnup.schedule.simulation import (
    PROJECT,
    ActivityNetwork,
    Fixed,
    RiskEvent,
    Triangular,
    Uncertainty,
    Uniform,
    merge_bias,
    sensitivities,
    simulate,
    tornado,
)
from turnup.schedule.simulation.plan import plan_of
from turnup.schedule.simulation.sensitivity import durations_of
from turnup.schedule.working_time import ALWAYS, clocks_of, seconds_of


def example():
    links = [("a", "b"), ("c", "d"), ("b", "end"), ("d", "end")]
    network = ActivityNetwork.of({"a": 10 * DAY, "b": 5 * DAY, "c": 8 * DAY, "d": 6 * DAY, "end": 0}, links)
    durations = {
        "a": Triangular(8 * DAY, 10 * DAY, 20 * DAY), "b": Uniform(4 * DAY, 6 * DAY),
        "c": Triangular(7 * DAY, 8 * DAY, 15 * DAY), "d": Fixed(6 * DAY),
    }  # fmt: skip
    return network, Uncertainty(durations, risks=(RiskEvent("strike", 0.2, Uniform(DAY, 5 * DAY), ("b", "d")),))


def drawn(run):
    plan = plan_of(run.network, run.uncertainty, {}, run.seed)
    found = durations_of(plan, list(range(len(plan.rows))), run.iterations)
    return {run.network.ids[row]: found[place].astype(float) for place, row in enumerate(plan.rows)}


def test_indices_are_what_their_definitions_say():
    network, uncertainty = example()
    run = simulate(network, uncertainty, ["end"], iterations=3000, seed=4)
    durations, finish = drawn(run), run.samples("end").astype(float)
    assert (finish == np.maximum(durations["a"] + durations["b"], durations["c"] + durations["d"])).all()
    upper = durations["a"] + durations["b"] >= durations["c"] + durations["d"]
    found = sensitivities(run, "end")
    for row, name in enumerate("abcd"):
        own = durations[name]
        critical = (
            upper.mean()
            if name in "ab"
            else (durations["c"] + durations["d"] >= durations["a"] + durations["b"]).mean()
        )
        assert found.driving[row] == pytest.approx(critical)
        assert found.sd[row] == pytest.approx(own.std(ddof=1))
        assert found.ssi[row] == pytest.approx(critical * own.std(ddof=1) / finish.std(ddof=1))
        assert found.pearson[row] == pytest.approx(np.corrcoef(own, finish)[0, 1])
        assert found.spearman[row] == pytest.approx(stats.spearmanr(own, finish).statistic)
    assert found.sd[4] == found.ssi[4] == 0
    assert np.isnan(found.pearson[4])
    assert np.isnan(found.spearman[4])


def test_variances_along_a_chain_add_up():
    """In a chain SSI is sd over sd: squares sum to one for independent tasks."""
    names = [f"A{number}" for number in range(5)]
    network = ActivityNetwork.of(dict.fromkeys(names, DAY), list(itertools.pairwise(names)))
    durations = {name: Uniform(0, (number + 1) * DAY) for number, name in enumerate(names)}
    found = sensitivities(simulate(network, Uncertainty(durations), [PROJECT], seed=3))
    assert (found.ssi**2).sum() == pytest.approx(1, abs=0.05)
    assert found.ssi == pytest.approx([k / np.sqrt(55) for k in range(1, 6)], abs=0.03)
    assert found.pearson == pytest.approx(found.ssi, abs=0.05)


def test_spreads_are_compared_in_the_same_working_time():
    """A chain of one on office hours has SSI 1, though its finish spreads over nights and weekends as well."""
    office = WorkCalendar("office", (((8 * HOUR, 16 * HOUR),),) * 5 + ((), ()))
    start = seconds_of(datetime(2026, 1, 5))
    network = ActivityNetwork.of({"a": 80 * HOUR}, start=start)
    network = replace(network, clocks=clocks_of((office, ALWAYS), start, start + 90 * DAY))
    run = simulate(network, Uncertainty({"a": Uniform(40 * HOUR, 160 * HOUR)}), ["a"], seed=3)
    assert run.samples("a").std() > 3 * run.samples("a").std() / 4 > 40 * HOUR
    assert sensitivities(run, "a").ssi.tolist() == pytest.approx([1])


def test_nothing_is_told_of_what_never_varies():
    run = simulate(ActivityNetwork.of({"a": DAY}), Uncertainty(), ["a"], iterations=20)
    found = sensitivities(run, "a")
    assert np.isnan([found.ssi[0], found.pearson[0], found.spearman[0]]).all()
    assert tornado(run, "a") == []


def test_finished_activities_have_no_indices():
    network, uncertainty = example()
    network = replace(network, finished=np.where(np.arange(5) == 0, 9 * DAY, network.finished))
    found = sensitivities(simulate(network, uncertainty, ["end"], iterations=50), "end")
    assert np.isnan([found.driving[0], found.sd[0], found.ssi[0], found.pearson[0]]).all()


def test_merge_bias_against_plan_and_path():
    network, uncertainty = example()
    run = simulate(network, uncertainty, ["end"], iterations=3000, seed=4)
    durations = drawn(run)
    bias = merge_bias(run, "end")
    assert bias.path == ("a", "b", "end")
    assert bias.deterministic == 15 * DAY
    assert bias.path_mean == pytest.approx((durations["a"] + durations["b"]).mean())
    assert bias.mean == pytest.approx(run.samples("end").mean())
    assert bias.path_p50 == np.sort(durations["a"] + durations["b"])[1499]
    assert bias.mean_bias > 0
    assert bias.mean_delay == pytest.approx(bias.mean - 15 * DAY)
    assert bias.p50_delay == bias.p50 - 15 * DAY


def test_tornado_holds_one_input_and_draws_the_others_alike():
    network, uncertainty = example()
    run = simulate(network, uncertainty, ["end"], iterations=2000, seed=4)
    bars = {(bar.kind, bar.id): bar for bar in tornado(run, "end")}
    durations = drawn(run)
    a = uncertainty.durations["a"]
    for held, found in zip(
        (a.quantile(0.1), a.quantile(0.9)), (bars["duration", "a"].low, bars["duration", "a"].high), strict=True
    ):
        finish = np.maximum(round(held) + durations["b"], durations["c"] + durations["d"])
        assert found == np.sort(finish)[1599]
    assert bars["duration", "a"].held_high == pytest.approx(a.quantile(0.9))
    assert bars["risk", "strike"].swing > 0
    assert ("duration", "d") not in bars
    swings = [bar.swing for bar in tornado(run, "end")]
    assert swings == sorted(swings, reverse=True)
    assert len(tornado(run, "end", top=2)) == 2
