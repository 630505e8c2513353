"""Units: exact factors, no guessing between bits and bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnup.acceptance.units import UnitError, all_units, convert, factor, unit

KNOWN = [
    ("24056.72", "MiB/s", "Gbit/s", 201.80),  # a write test labelled MB/sec: 24056.72 x 2^20 x 8 / 1e9
    ("24056.72", "MB/s", "Gbit/s", 192.45),
    ("340570", "KiB/s", "MB/s", 348.74),
    ("1", "GB/s", "Gbit/s", 8),
    ("400", "Gb/s", "GB/s", 50),
    ("1", "GiB/s", "GB/s", 1.073741824),
    ("8.1261e+03", "GFLOPS", "TFLOPS", 8.1261),
    ("772.58", "ns", "us", 0.77258),
    ("85", "kIOPS", "op/s", 85000),
]


@pytest.mark.parametrize(("value", "of", "to", "right"), KNOWN)
def test_known_conversions(value, of, to, right):
    assert convert(float(value), of, to) == pytest.approx(right, rel=2e-5)


@pytest.mark.parametrize("name", ["", "gb/s", "GByte", "widgets", "Gb/s/s"])
def test_a_word_that_is_no_unit(name):
    with pytest.raises(UnitError):
        unit(name)


def test_bits_and_bytes_are_told_apart_by_their_letter():
    assert factor("GB/s", "Gb/s") == 8
    assert unit("GB/s").dimension != unit("Gb/s").dimension


def test_different_things_do_not_convert():
    with pytest.raises(UnitError, match="measures"):
        factor("GB/s", "us")


@given(st.sampled_from(sorted(all_units())), st.sampled_from(sorted(all_units())))
def test_there_and_back_is_exact(left, right):
    try:
        there = factor(left, right)
    except UnitError:
        return
    assert there * factor(right, left) == 1
