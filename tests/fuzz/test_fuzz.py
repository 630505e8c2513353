"""Whatever is done to a file, it gets a verdict: no crash, no hang, no process over a gibibyte."""

import resource

import pytest

from tests.fuzz.campaign import through_readers, through_the_command

_GIBIBYTE = 1 << 20  # in kilobytes


def largest_child() -> int:
    """Memory of the largest child that this process has ended so far, in kilobytes."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


@pytest.fixture
def small_children():
    """No child of the test grows over a gibibyte; a larger one of an earlier test does not count."""
    before = largest_child()
    yield
    assert largest_child() < _GIBIBYTE or largest_child() == before


def test_damaged_files_get_a_verdict(tmp_path):
    outcome = through_readers(range(200), tmp_path)
    assert outcome.faults == []
    assert sum(outcome.verdicts.values()) == 200


@pytest.mark.slow
def test_ten_thousand_damaged_files_get_a_verdict(tmp_path, small_children):
    outcome = through_readers(range(1_000, 11_000), tmp_path)
    assert outcome.faults == []
    assert sum(outcome.verdicts.values()) == 10_000


@pytest.mark.slow
def test_three_hundred_damaged_files_get_a_verdict_from_the_command(tmp_path, small_children):
    outcome = through_the_command(range(20_000, 20_300), tmp_path)
    assert outcome.faults == []
    assert sum(outcome.verdicts.values()) == 300
