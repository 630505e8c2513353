"""What distributions are: means, quantiles, checks; and that drawing follows them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tests.schedule.simulation.networks import distributions
from turnup.schedule.simulation import (
    ActivityNetwork,
    BetaPert,
    CorrelationGroup,
    Empirical,
    Fixed,
    Lognormal,
    Throughput,
    Triangular,
    Uncertainty,
    Uniform,
    days_to_finish,
    simulate,
    units_within,
)
from turnup.schedule.simulation.plan import plan_of
from turnup.schedule.simulation.sensitivity import durations_of

DAY = 86_400


def drawn(*given, iterations=20_000, correlations=()):
    """Durations drawn for activities with these distributions, a row each."""
    names = [f"A{number}" for number in range(len(given))]
    network = ActivityNetwork.of(dict.fromkeys(names, 1.0))
    plan = plan_of(network, Uncertainty(dict(zip(names, given, strict=True)), correlations), {}, seed=11)
    found = durations_of(plan, list(range(len(names))), iterations)
    return found[np.argsort([int(network.ids[row][1:]) for row in plan.rows])]


@pytest.mark.parametrize(
    ("one", "mean", "median"),
    [
        (Fixed(5), 5, 5),
        (Uniform(2, 8), 5, 5),
        (Triangular(0, 0, 12), 4, 12 - math.sqrt(72)),
        (Triangular(0, 12, 12), 8, math.sqrt(72)),
        (Triangular(3, 3, 3), 3, 3),
        (BetaPert(0, 5, 10), 5, 5),
        (BetaPert(2, 2, 2), 2, 2),
        (Lognormal(10, 0.5), 10 * math.exp(0.125), 10),
        (Empirical((4, 1, 1)), 2, 1),
        (Empirical.of_ratios((0.5, 1.0, 2.0), 10), 35 / 3, 10),
    ],
)
def test_mean_and_median(one, mean, median):
    assert one.mean() == pytest.approx(mean)
    assert one.quantile(0.5) == pytest.approx(median)


def test_beta_pert_is_the_beta_of_its_alpha_and_beta():
    one = BetaPert(10, 20, 60)
    same = stats.beta(1 + 4 * 10 / 50, 1 + 4 * 40 / 50, loc=10, scale=50)
    assert one.shape == pytest.approx((1.8, 4.2))
    assert [one.quantile(p) for p in (0.1, 0.5, 0.9)] == pytest.approx(same.ppf([0.1, 0.5, 0.9]))


def test_lognormal_from_what_people_say():
    assert Lognormal.from_median_p90(10, 30).quantile(0.9) == pytest.approx(30)
    assert Lognormal.from_median_p90(10, 30).quantile(0.5) == pytest.approx(10)
    one = Lognormal.from_mean_sd(10, 3)
    assert one.mean() == pytest.approx(10)
    assert one.mean() * math.sqrt(math.expm1(one.sigma**2)) == pytest.approx(3)


def test_an_empirical_quantile_is_one_of_its_values():
    one = Empirical((7.0, 1.0, 3.0, 3.0))
    assert [one.quantile(p) for p in (0.01, 0.25, 0.26, 0.75, 0.76, 0.99)] == [1, 1, 3, 3, 7, 7]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Triangular(5, 4, 9), r"triangular: 0 <= low <= likely <= high is needed, not low 5, likely 4, high 9"),
        (lambda: BetaPert(1, 9, 8), "BetaPERT"),
        (lambda: BetaPert(1, 2, 3, weight=0), "weight of the likely value must be above 0"),
        (lambda: Uniform(3, 2), "uniform: 0 <= low <= high is needed, not low 3, high 2"),
        (lambda: Uniform(-1, 2), "uniform"),
        (lambda: Triangular(1, 2, math.inf), "triangular"),
        (lambda: Triangular(1, math.nan, 3), "triangular"),
        (lambda: Fixed(-1), "0 or more is needed, not -1"),
        (lambda: Lognormal(0, 1), "median must be above 0"),
        (lambda: Lognormal(1, 0), "sigma must be above 0"),
        (lambda: Lognormal.from_median_p90(10, 10), "0 < median 10 < P90 10 is needed"),
        (lambda: Lognormal.from_mean_sd(10, 0), "must be above 0"),
        (lambda: Empirical(()), "at least one value is needed"),
        (lambda: Empirical((1, -2)), "empirical value"),
        (lambda: Throughput((0, 0), 5, DAY), "at least one unit done"),
        (lambda: Throughput((0, 1), -5, DAY), "units still to do"),
        (lambda: Throughput((0, math.nan), 5, DAY), "units of a day"),
        (lambda: CorrelationGroup("g", (), 1.5), "rho must be from 0 to 1"),
    ],
)
def test_what_cannot_be_is_refused_with_its_values(make, words):
    with pytest.raises(ValueError, match=words):
        make()


@given(distributions(), st.integers(0, 100))
@settings(max_examples=40, deadline=None)
def test_draws_follow_the_quantiles(one, seed):
    """At any share, so many draws do not exceed the quantile; a second is the grain."""
    names = [f"activity {seed}"]
    plan = plan_of(ActivityNetwork.of({names[0]: 1}), Uncertainty({names[0]: one}), {}, seed)
    found = durations_of(plan, [0], 4000)[0]
    for p in (0.05, 0.3, 0.5, 0.8, 0.95):
        slack = 4 * math.sqrt(p * (1 - p) / 4000)
        assert (found <= one.quantile(min(p + slack, 0.9999)) + 1).mean() >= p - 1e-9
        assert (found < one.quantile(max(p - slack, 0.0001)) - 1).mean() <= p + 1e-9
    assert found.max() <= one.largest() + 1


def test_many_draws_keep_mean_and_spread():
    given = (
        BetaPert(10 * DAY, 13.3 * DAY, 40 * DAY),
        Lognormal.from_mean_sd(10 * DAY, 3 * DAY),
        Empirical((1, 9, 9, 5)),
    )
    beta, lognormal, empirical = drawn(*given, iterations=200_000)
    assert beta.mean() / given[0].mean() == pytest.approx(1, abs=0.002)
    assert beta.std() == pytest.approx(
        math.sqrt((13.3 * 4 / 6 + 50 / 6 - 10) * (40 - 13.3 * 4 / 6 - 50 / 6) / 7) * DAY, rel=0.01
    )
    assert lognormal.mean() / DAY == pytest.approx(10, abs=0.04)
    assert lognormal.std() / DAY == pytest.approx(3, abs=0.06)
    assert [(empirical == value).mean() for value in (1, 5, 9)] == pytest.approx([0.25, 0.25, 0.5], abs=0.005)


def test_a_long_tail_is_cut_at_34_years():
    assert drawn(Lognormal(1e8, 3.0)).max() <= 1 << 30
    with pytest.raises(ValueError, match="A0: a duration of 2000000000 s is above"):
        drawn(Uniform(0, 2e9))


@pytest.mark.parametrize("rho", [0.0, 0.3, 0.8, 1.0])
def test_a_group_has_the_correlation_of_its_normal_scores(rho):
    given = (Uniform(0, 1e8), Uniform(0, 1e8), Uniform(0, 1e8))
    first, second, alone = drawn(*given, correlations=(CorrelationGroup("g", ("A0", "A1"), rho),))
    scores = stats.norm.ppf((np.stack([first, second, alone]) + 0.5) / (1e8 + 1))
    found = np.corrcoef(scores)
    assert found[0, 1] == pytest.approx(rho, abs=4 / math.sqrt(20_000))
    assert found[0, 2] == pytest.approx(0, abs=4 / math.sqrt(20_000))
    # Each is still uniform.
    assert stats.kstest(first / 1e8, "uniform").pvalue > 1e-4
    if rho == 1:
        assert (first == second).all()


def test_fine_histories_keep_their_mean():
    history = (1.37, 0.0, 2.11, 0.003)
    days, shares = days_to_finish(history, 5000)
    mean = float(days @ np.diff(shares, prepend=0.0))
    # Wald: the sum at the day of finishing is the units and half a day's overshoot.
    overshoot = sum(value**2 for value in history) / (2 * sum(history))
    assert mean == pytest.approx((5000 + overshoot) / (sum(history) / 4), rel=2e-4)


def test_nothing_left_takes_no_day():
    assert Throughput((0, 1), 0, DAY).quantile(0.99) == 0


@given(st.lists(st.integers(0, 4), min_size=1, max_size=6).filter(any), st.integers(1, 12), st.integers(1, 12))
@settings(max_examples=50, deadline=None)
def test_both_directions_of_throughput_agree(history, units, days):
    """So many units within the days, with 80 %, says that these units take at most these days with 80 %."""
    values, shares = days_to_finish(history, units)
    within = float(shares[values <= days].max(initial=0.0))
    assert (units_within(history, days, 80) >= units) == (within >= 0.8 - 1e-9)


def test_a_fixed_duration_is_exact_to_the_second():
    run = simulate(
        ActivityNetwork.of({"a": 1, "b": 1}, [("a", "b")]), Uncertainty({"a": Fixed(123_456_789)}), ["b"], iterations=3
    )
    assert run.samples("b").tolist() == [123_456_790] * 3
