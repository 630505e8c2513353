"""Whatever is done to a file, it gets a verdict: no crash, no hang, no process over a gibibyte."""

import resource
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from tests.fuzz.campaign import through_readers, through_the_command

_GIBIBYTE = 1 << 20  # in kilobytes


def measured(campaign, numbers, folder):
    """The outcome of a campaign, and the memory of the largest process that it started, in kilobytes."""
    outcome = campaign(numbers, folder)
    return outcome, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


def on_its_own(campaign, numbers, folder):
    """Run in a process that has no other children: here, those of other tests would count as well."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(measured, campaign, numbers, folder).result()


def test_damaged_files_get_a_verdict(tmp_path):
    outcome = through_readers(range(200), tmp_path)
    assert outcome.faults == []
    assert sum(outcome.verdicts.values()) == 200


@pytest.mark.slow
def test_ten_thousand_damaged_files_get_a_verdict(tmp_path):
    outcome, largest = on_its_own(through_readers, range(1_000, 11_000), tmp_path)
    assert outcome.faults == []
    assert sum(outcome.verdicts.values()) == 10_000
    assert largest < _GIBIBYTE


@pytest.mark.slow
def test_three_hundred_damaged_files_get_a_verdict_from_the_command(tmp_path):
    outcome, largest = on_its_own(through_the_command, range(20_000, 20_300), tmp_path)
    assert outcome.faults == []
    assert sum(outcome.verdicts.values()) == 300
    assert largest < _GIBIBYTE
