"""Published and exactly computed examples at 10,000 iterations; tolerances are four standard errors."""

import math

import numpy as np
import pytest

from turnup.schedule.simulation import (
    PROJECT,
    ActivityNetwork,
    BetaPert,
    CorrelationGroup,
    RiskEvent,
    Throughput,
    Triangular,
    Uncertainty,
    Uniform,
    classic_pert,
    merge_bias,
    sensitivities,
    simulate,
    units_within,
)

DAY = 86_400
HULETT = {"design": (20, 30, 60), "build": (30, 40, 65), "test": (18, 25, 50)}


def share(probability, iterations=10_000):
    """Four standard errors of a share of iterations."""
    return 4 * math.sqrt(probability * (1 - probability) / iterations)


def parallel(paths, kind=Triangular):
    """So many copies of Hulett's chain of three tasks, which all have to be done before the end."""
    tasks = {f"{name} {path}": points for path in range(paths) for name, points in HULETT.items()}
    links = [
        (f"{first} {path}", f"{second} {path}")
        for path in range(paths)
        for first, second in (("design", "build"), ("build", "test"))
    ]
    links += [(f"test {path}", "end") for path in range(paths)]
    network = ActivityNetwork.of({name: likely * DAY for name, (_, likely, _) in tasks.items()} | {"end": 0}, links)
    durations = {name: kind(low * DAY, likely * DAY, high * DAY) for name, (low, likely, high) in tasks.items()}
    return network, Uncertainty(durations)


def days(run, target="end"):
    return run.samples(target) / DAY


def percentiles(run, *percents, target="end"):
    return [run.percentile(target, percent) / DAY for percent in percents]


def test_1_pert_of_a_textbook():
    """Taylor, Introduction to Management Science, solved problem: mean 24, variance 5, P(28) by the normal 0.9633."""
    points = {
        "1": (5, 8, 17),
        "2": (7, 10, 13),
        "3": (3, 5, 7),
        "4": (1, 3, 5),
        "5": (4, 6, 8),
        "6": (3, 3, 3),
        "7": (3, 4, 5),
    }
    links = [("1", "3"), ("1", "4"), ("2", "5"), ("3", "5"), ("4", "6"), ("5", "7"), ("6", "7")]
    network = ActivityNetwork.of({name: m * DAY for name, (_, m, _) in points.items()}, links)
    durations = {name: BetaPert(*(value * DAY for value in abm)) for name, abm in points.items()}
    assert {name: (a + 4 * m + b) / 6 for name, (a, m, b) in points.items()} == pytest.approx(
        {name: one.mean() / DAY for name, one in durations.items()}
    )
    run = simulate(network, Uncertainty(durations), ["7"], seed=1)
    bias = merge_bias(run, "7")
    assert bias.path == ("1", "3", "5", "7")
    textbook = classic_pert(durations[name] for name in bias.path)
    assert (textbook.mean / DAY, (textbook.sd / DAY) ** 2) == pytest.approx((24, 5))
    assert textbook.probability(28 * DAY) == pytest.approx(0.96318, abs=5e-6)
    assert textbook.percentile(80) / DAY == pytest.approx(25.88, abs=0.005)
    # The beta distribution with weight 4 has the variance (mean - a)(b - mean) / 7: 41 / 7 along the path, not 5.
    assert bias.path_mean / DAY == pytest.approx(24, abs=4 * math.sqrt(41 / 7 / 10_000))
    # Path 2-5-7 is 20 days long and can be longer than 1-3-5-7 by chance only.
    assert 0 <= bias.mean_bias / DAY < 0.5


@pytest.mark.parametrize(
    ("paths", "at_95", "mean", "sd", "p50", "p80"),
    [
        (1, 0.0863, 112.667, 13.174, 112.07, 123.90),
        (2, 0.00745, 120.13, 11.42, 119.67, 129.77),
        (3, 0.00064, 124.03, None, None, 132.8),
    ],
)
def test_2_merge_bias_of_parallel_chains(paths, at_95, mean, sd, p50, p80):
    network, uncertainty = parallel(paths)
    run = simulate(network, uncertainty, ["end"], seed=2)
    found = days(run)
    assert run.probability("end", 95 * DAY) == pytest.approx(at_95, abs=share(at_95))
    assert found.mean() == pytest.approx(mean, abs=4 * 13.2 / 100)
    assert percentiles(run, 80)[0] == pytest.approx(p80, abs=0.75)
    if sd:
        assert found.std(ddof=1) == pytest.approx(sd, abs=4 * sd / math.sqrt(20_000))
        assert percentiles(run, 50)[0] == pytest.approx(p50, abs=0.75)
    bias = merge_bias(run, "end")
    assert bias.deterministic == 95 * DAY
    assert len(bias.path) == 4
    assert bias.path_mean / DAY == pytest.approx(112.667, abs=4 * 13.2 / 100)
    assert bias.mean_bias / DAY == pytest.approx(mean - 112.667, abs=0.5)
    assert bias.p50_bias / DAY == pytest.approx((p50 or 123.6) - 112.07, abs=0.9)
    assert bias.mean_delay / DAY == pytest.approx(mean - 95, abs=4 * 13.2 / 100)


def test_2_p90_of_the_chain():
    run = simulate(*parallel(1), ["end"], seed=3)
    assert percentiles(run, 50, 80, 90) == pytest.approx([112.07, 123.90, 130.22], abs=0.9)


def test_2_indices_of_the_chain():
    run = simulate(*parallel(1), ["end"], seed=2)
    found = sensitivities(run, "end")
    assert found.driving.tolist() == [1, 1, 1, 1]
    assert run.criticality_index().tolist() == [1, 1, 1, 1]
    expected = [0.6451, 0.5587, 0.5213]
    assert found.ssi[:3] == pytest.approx(expected, abs=0.02)
    assert found.pearson[:3] == pytest.approx(expected, abs=4 / 100)
    assert (found.ssi[:3] ** 2).sum() == pytest.approx(1, abs=0.04)


def test_2_full_rank_correlation():
    network, uncertainty = parallel(1)
    group = CorrelationGroup("all", tuple(uncertainty.durations), 1.0)
    run = simulate(network, Uncertainty(uncertainty.durations, (group,)), ["end"], seed=4)
    assert days(run).std(ddof=1) == pytest.approx(22.72, abs=4 * 22.72 / math.sqrt(20_000))
    assert run.probability("end", 95 * DAY) == pytest.approx(0.2526, abs=share(0.2526))
    assert percentiles(run, 50, 80) == pytest.approx([109.6, 133.6], abs=1.3)


def test_2_beta_pert():
    run = simulate(*parallel(1, BetaPert), ["end"], seed=5)
    assert days(run).mean() == pytest.approx(103.83, abs=4 * 11.2 / 100)
    assert run.probability("end", 95 * DAY) == pytest.approx(0.2236, abs=share(0.2236))
    assert percentiles(run, 50, 80) == pytest.approx([103.30, 113.19], abs=0.75)


def test_4_two_uniform_paths():
    network = ActivityNetwork.of({"a": 500 * DAY, "b": 500 * DAY})
    run = simulate(network, Uncertainty({name: Uniform(0, 1000 * DAY) for name in "ab"}), [PROJECT], seed=6)
    found = days(run, PROJECT) / 1000
    assert found.mean() == pytest.approx(2 / 3, abs=4 * math.sqrt(1 / 18) / 100)
    assert found.var() == pytest.approx(1 / 18, rel=0.05)
    indices = sensitivities(run)
    assert run.criticality_index() == pytest.approx([0.5, 0.5], abs=share(0.5))
    assert indices.ssi == pytest.approx([0.61237] * 2, abs=0.03)
    assert indices.pearson == pytest.approx([0.61237] * 2, abs=0.03)
    assert indices.spearman == pytest.approx([0.599] * 2, abs=0.03)


def test_4_risk_event():
    network = ActivityNetwork.of({"work": 20 * DAY})
    risk = RiskEvent("R1", 0.3, Triangular(5 * DAY, 10 * DAY, 20 * DAY), ("work",))
    run = simulate(network, Uncertainty(risks=(risk,)), ["work"], seed=7)
    assert days(run, "work").mean() == pytest.approx(23.5, abs=4 * 5.612 / 100)
    assert days(run, "work").std() == pytest.approx(5.612, abs=0.2)
    p50, p80, p90 = percentiles(run, 50, 80, 90, target="work")
    assert p50 == 20
    assert p80 == pytest.approx(30.0, abs=0.4)
    assert p90 == pytest.approx(32.93, abs=0.4)


HISTORY = (0, 1, 0, 2, 1, 0, 3, 1, 0, 2)


def test_5_how_long_ten_items_take():
    exact = Throughput(HISTORY, units=10, day=DAY)
    assert [exact.quantile(p) / DAY for p in (0.5, 0.7, 0.85, 0.95)] == [10, 12, 14, 16]
    run = simulate(ActivityNetwork.of({"items": 10 * DAY}), Uncertainty({"items": exact}), ["items"], seed=8)
    assert run.probability("items", 10 * DAY) == pytest.approx(0.54956, abs=share(0.54956))
    assert run.probability("items", 14 * DAY) == pytest.approx(0.88735, abs=share(0.88735))
    assert percentiles(run, 50, 70, 85, 95, target="items") == [10, 12, 14, 16]


def test_5_how_many_items_ten_days_give():
    assert [units_within(HISTORY, 10, percent) for percent in (50, 70, 85, 95)] == [10, 8, 7, 5]


def test_5_drawing_days_one_by_one_gives_the_same_odds():
    drawn = np.random.default_rng(1).choice(HISTORY, size=(20_000, 60)).cumsum(axis=1)
    taken = (drawn >= 10).argmax(axis=1) + 1
    exact = Throughput(HISTORY, units=10, day=1)
    values, shares = exact.outcomes
    for value, at_most in zip(values, shares, strict=True):
        assert (taken <= value).mean() == pytest.approx(at_most, abs=share(max(at_most, 1e-4), 20_000) + 1e-3)
