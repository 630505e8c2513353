"""What is told of measurements: ratios, slopes, and what failed or was not measured."""

import pytest

from perf.processes import Measured
from perf.programme import Laid
from perf.targets import Figures
from perf.told import again, bad_rows, growth, quoted, validation, whole

LAID = Laid(systems=20, rows=1000, bad=3, figures=200, bytes=2_000_000, files=4)


def test_a_failed_peer_is_told_with_its_words_and_no_ratio():
    found = {
        "floor": Measured(2.0, 1.0, 100),
        "refresh": Measured(8.0, 3.0, 200, {"land": [0.5, 0.25, 90]}),
        "peer": Measured(1.0, 0.5, 50, failed="dbt:\n  no such table"),
    }
    lines = whole(LAID, 1, found, 0.5)
    assert "| refresh | 8.0 | 3.0 | 200 | 4.0 | 3.0 |" in lines
    assert "| peer | failed after 1 s | 0.5 | 50 | | |" in lines
    assert "| land | 0.5 | 0.25 | 90 |" in lines
    assert lines[-1] == "Failed: peer: `dbt: no such table`"


def test_a_peer_that_was_not_measured_is_told_so():
    lines = whole(LAID, 1, {"floor": Measured(2.0, 1.0, 100), "refresh": Measured(8.0, 3.0, 200)}, 0.5)
    assert "| peer | not measured | | | | |" in lines


@pytest.mark.parametrize(
    ("peer", "told"),
    [
        ({("a.csv", 2), ("a.csv", 3), ("b.csv", 2)}, "at the peer 3: the same rows."),
        ({("a.csv", 2), ("a.csv", 4), ("b.csv", 2)}, "at the peer 3: 2 rows found by one of both only."),
        (None, "the peer was not measured."),
    ],
)
def test_bad_rows_are_compared_row_by_row(peer, told):
    assert bad_rows(LAID, {("a.csv", 2), ("a.csv", 3), ("b.csv", 2)}, peer)[-1].endswith(told)


def test_growth_is_told_over_all_scales_and_between_the_two_largest():
    def at(cpu, stage):
        return {"refresh": Measured(9, cpu, 9, {"stage": [9, stage, 9]}), "peer": Measured(9, 9, 9, failed="x")}

    lines = growth(Figures(wholes={1: at(10, 1), 10: at(100, 1), 100: at(10_000, 10)}))
    assert lines[-2:] == ["| refresh | 1.50 | 2.00 (10 to 100) |", "| step stage | 0.50 | 1.00 (10 to 100) |"]
    assert growth(Figures(wholes={1: at(10, 1)})) == []


def test_refreshes_again_are_shares_of_the_first_and_name_the_runs_of_the_sensor():
    found = {
        "refresh": Measured(50, 40.0, 9),
        "nothing new": Measured(2, 1.0, 9),
        "nothing new, by command": Measured(1, 1.0, 9, failed="no home"),
        "changed": Measured(9, 10.0, 9),
        "sensor": Measured(2, 2, 9, {"nothing new": [0.5, 0.25, 90], "runs": [0.0, 1.0]}),
    }
    text = "\n".join(again(found, 10, 1000))
    assert "| nothing new | 2.0 | 1.0 | 0.03 |" in text
    assert "| nothing new, by command | failed | |  |" in text
    assert "| 10 rows (1.0%) in a new file | 9.0 | 10.0 | 0.25 |" in text
    assert "when nothing is new 0, when a file was touched and holds what it held 1." in text
    assert text.endswith("Failed: nothing new, by command: `no home`")


def test_libraries_that_were_not_measured_are_told_so():
    lines = validation({"rows": [100], "bad": [2], "aggregate": [0.02, 0.01], "rules": [0.05, 0.04]})
    assert "| rules | 0.05 | 0.04 | 4.0 |" in lines
    assert "| pandera | not measured | |  |" in lines


def test_what_a_module_printed_is_quoted_and_its_failure_told():
    lines = quoted(
        "Schedules", {"critical_path": Measured(3, 1, 1, said="a\nb"), "x": Measured(1, 1, 1, failed="gone")}
    )
    assert lines[2:7] == ["`python -m perf.critical_path`, 3 s:", "", "```", "a", "b"]
    assert lines[-1] == "Failed: x: `gone`"
