"""Each target says what was measured and whether that is enough; what was not measured is never met."""

import pytest

from perf.processes import Measured
from perf.targets import Figures, lines, slope


def table(figures):
    rows = [line.strip("| ").split(" | ") for line in lines(figures)][2:]
    return {asked: (measured, met) for asked, measured, met in rows}


def test_nothing_measured_is_nothing_met():
    assert {met for _, met in table(Figures()).values()} == {"no figure"}
    failed = Figures(wholes={1: {name: Measured(1, 1, 1, failed="x") for name in ("floor", "refresh", "peer")}})
    found = table(failed)
    assert {met for _, met in found.values()} == {"no figure"}
    assert found["at least 5 times faster than the peer"][0] == "failed: peer, refresh"


@pytest.mark.parametrize(
    ("refresh", "peer", "floors", "faster"),
    [
        (Measured(39.0, 70, 4095), Measured(195.0, 9, 9), ("3.9 floors (39 s, 10 s)", "yes"), "yes"),
        (Measured(41.0, 70, 4096), Measured(204.0, 9, 9), ("4.1 floors (41 s, 10 s)", "**no**"), "**no**"),
    ],
)
def test_the_largest_scale_counts(refresh, peer, floors, faster):
    small = {name: Measured(1, 1, 1) for name in ("floor", "refresh", "peer")}
    found = table(Figures(wholes={1: small, 100: {"floor": Measured(10.0, 9, 9), "refresh": refresh, "peer": peer}}))
    assert found["refresh at the largest scale: at most 4 floors, wall"] == floors
    assert found["at least 5 times faster than the peer"][1] == faster
    assert found["most memory of it: below 4 GiB"][1] == ("yes" if refresh.peak_mb < 4096 else "**no**")


def test_a_run_for_nothing_new_is_no():
    def verdict(run_id):
        told = {"weeks": [{"run_id": run_id}]}
        return table(Figures(wholes={1: {"nothing new, by command": Measured(2.0, 1, 1, told)}}))[
            "nothing new: decided by the fingerprint, no run starts"
        ]

    assert verdict("") == ("2.0 s, no run", "yes")
    assert verdict("4f") == ("2.0 s, a run", "**no**")


def test_growth_is_told_between_the_two_largest_scales():
    assert slope([(10, 5.0), (100, 50.0)]) == pytest.approx(1)
    assert slope([(10, 5.0), (100, 500.0)]) == pytest.approx(2)
    wholes = {scale: {"refresh": Measured(1, cpu, 1)} for scale, cpu in ((1, 40.0), (10, 50.0), (100, 5_000.0))}
    assert table(Figures(wholes=wholes))["growth to the largest scale: at most linear"] == (
        "slope 2.00 from 10 to 100 (CPU)", "**no**",
    )  # fmt: skip


def test_a_change_is_judged_beyond_what_is_loaded_anyway():
    def verdict(cpu):
        wholes = {1: {"refresh": Measured(9, 42.0, 9), "changed": Measured(9, cpu, 9)}}
        fixed = {"dagster": [3.0, 3.0, 9], "great_expectations": [2.0, 2.0, 9]}
        return table(Figures(wholes=wholes, rows={1: (1000, 10)}, fixed=fixed))[
            "1 % of the rows changed: at most a tenth of the first beyond the fixed cost"
        ]

    assert verdict(6.0) == ("0.10: 4.0 of 40.0 s CPU beyond loading, 1.0% of the rows", "yes")
    assert verdict(6.4) == ("0.11: 4.4 of 40.0 s CPU beyond loading, 1.0% of the rows", "**no**")


def test_a_command_that_failed_is_told_so():
    found = table(Figures(cold={"turnup --help": Measured(0.1, 0.1, 9, failed="no module")}))
    assert found["`turnup --help`: 0.3 s, cold"] == ("failed", "no figure")
