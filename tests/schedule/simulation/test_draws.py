"""Random words: a function of seed, name and iteration alone, and random."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from turnup.schedule.simulation import ActivityNetwork, Uncertainty, Uniform
from turnup.schedule.simulation.draws import WORDS, keys
from turnup.schedule.simulation.plan import plan_of
from turnup.schedule.simulation.sensitivity import durations_of


def word(iteration, first, second):
    """The hash in plain integers."""
    low = 0xFFFFFFFF
    mixed = (iteration * 0x9E3779B9 + first) & low
    mixed ^= mixed >> 17
    mixed = mixed * 0xED5AD4BB & low
    mixed ^= mixed >> 11
    mixed = (mixed + second) * 0xAC4C1B51 & low
    mixed ^= mixed >> 15
    mixed = mixed * 0x31848BAB & low
    mixed ^= mixed >> 14
    return mixed >> 9


def words(names, iterations, seed=3):
    """Words as the kernels use them: of a uniform distribution as wide as there are words, less the half step."""
    network = ActivityNetwork.of(dict.fromkeys(names, 1.0))
    plan = plan_of(network, Uncertainty({name: Uniform(0, WORDS) for name in names}), {}, seed)
    found = durations_of(plan, list(range(len(names))), iterations)
    return found[np.argsort(plan.rows)] - 1


@given(st.text(max_size=8), st.integers(0, 2**40))
def test_words_follow_from_seed_name_and_iteration(name, seed):
    first, second = (int(key) for key in keys(seed, "duration", [name])[0])
    assert words([name], 130, seed)[0].tolist() == [word(k, first, second) for k in range(130)]


def test_names_and_purposes_have_keys_of_their_own():
    found = [
        tuple(keys(seed, what, [name])[0])
        for seed in (1, 11)
        for what in ("duration", "event")
        for name in ("1", "a", "")
    ]
    assert len(set(found)) == len(found)


def test_words_are_uniform_and_independent():
    found = words([f"A{number}" for number in range(60)], 20_000).astype(float)
    for row in found:
        assert stats.chisquare(np.histogram(row, 64, (0, WORDS))[0]).pvalue > 1e-6
        assert abs(np.corrcoef(row[1:], row[:-1])[0, 1]) < 5 / np.sqrt(20_000)
    correlations = np.corrcoef(found)[np.triu_indices(60, 1)]
    assert np.abs(correlations).max() < 5 / np.sqrt(20_000)
    assert correlations.std() < 1.1 / np.sqrt(20_000)
    # Pairs of neighbours, and names that differ in one letter, fill the square evenly.
    for first, second in ((found[0, 1:], found[0, :-1]), (found[0], found[1])):
        assert stats.chisquare(np.histogram2d(first, second, 16)[0].ravel()).pvalue > 1e-6
