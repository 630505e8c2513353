"""Limits learnt from measurements: odd nodes do not shift them, and what was done is on record."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnup.acceptance.expectations import Baseline
from turnup.acceptance.learn import NotEnough, as_baseline, learn
from turnup.acceptance.similarity import most_typical, similarity

HEALTHY = {f"n{number:02d}": [100.0 + 0.1 * (number % 5)] for number in range(20)}


@pytest.mark.parametrize("method", ["robust", "cdf"])
def test_odd_nodes_are_taken_out_and_named(method):
    found = learn(HEALTHY | {"slow": [80.0], "fast": [800.0]}, method)
    assert set(found.removed) == {"slow", "fast"}
    assert found.value == pytest.approx(100.2)  # the middle of 100.0, .1, .2, .3, .4, four times each
    assert len(found.kept) == 20


def test_one_outlier_hides_behind_another_until_the_next_round():
    values = HEALTHY | {"far": [1_000_000.0], "near": [90.0]}
    found = learn(values)
    assert set(found.removed) == {"far", "near"}


def test_one_slow_gpu_takes_its_node_out():
    nodes = {f"n{number:02d}": [100.0, 100.1, 99.9, 100.2] for number in range(10)}
    found = learn(nodes | {"bad": [100.0, 100.1, 99.9, 60.0]})
    assert found.removed == ("bad",)


def test_too_few_nodes_give_no_limit():
    with pytest.raises(NotEnough, match="4 of 4"):
        learn(dict(list(HEALTHY.items())[:4]))
    with pytest.raises(NotEnough):
        learn({f"n{number}": [float(10**number)] for number in range(12)}, "cdf")
    with pytest.raises(NotEnough):
        learn({"n1": [float("nan")]})


def test_the_source_says_from_what():
    like = Baseline(test="all_reduce", unit="GB/s", value=0, source="?")
    made = as_baseline(learn(HEALTHY), like, higher_is_better=True, tolerance=0.05, origin="2026-W44")
    assert made.bounds.low == pytest.approx(100.2 * 0.95)
    assert "20 of 20 nodes, 2026-W44" in made.source


def test_a14_learning_again_takes_the_same_place():
    like = Baseline(test="all_reduce", unit="GB/s", value=390, source="plan")
    made = as_baseline(learn(HEALTHY), like, higher_is_better=True, tolerance=0.05, origin="2026-W44")
    assert made.identity == like.identity


def test_similarity_of_single_figures_is_their_ratio():
    assert similarity(np.array([95.0]), np.array([100.0])) == pytest.approx(0.95)
    assert similarity(np.array([100.0]), np.array([100.0])) == 1


def test_equal_means_are_not_alike_when_one_half_is_slow():
    even = np.array([100.0, 100.0, 100.0, 100.0])
    split = np.array([80.0, 80.0, 120.0, 120.0])
    assert even.mean() == split.mean()
    assert similarity(even, split) == pytest.approx(0.8)
    assert most_typical([even, split, even]) == 0


FIGURES = st.lists(st.floats(1, 1e6), min_size=1, max_size=8).map(np.array)


@given(FIGURES, FIGURES)
def test_similarity_is_symmetric_and_bounded(left, right):
    found = similarity(left, right)
    assert 0 <= found <= 1
    assert found == pytest.approx(similarity(right, left))
    assert similarity(left, left) == 1
