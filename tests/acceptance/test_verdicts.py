"""Verdicts on small fleets, each worked out by hand: only a pass opens a gate."""

from __future__ import annotations

from datetime import datetime

import polars as pl
import pytest

from turnup.acceptance.diagnose import diagnose
from turnup.acceptance.expectations import Acceptance, Baseline, Peak, Rule, Term

COLUMNS = {
    "node": "n1", "run": "r1", "test": "all_reduce", "metric": "busbw", "statistic": "value", "direction": "none",
    "placement": "out_of_place", "member": "all", "size_bytes": 8 << 30, "value": 470.0, "unit": "GB/s",
    "status": "valid", "outcome": None, "complete": True, "correctness": "clean",
    "measured_at": datetime(2026, 9, 10),
}  # fmt: skip
SCHEMA = {"value": pl.Float64, "size_bytes": pl.Int64, "measured_at": pl.Datetime("us"), "complete": pl.Boolean}


def figures(*changes):
    rows = [COLUMNS | change | {"_row": number} for number, change in enumerate(changes, start=2)]
    schema = {name: SCHEMA.get(name, pl.String) for name in COLUMNS} | {"_row": pl.Int64}
    return pl.DataFrame(rows, schema=schema)


def limit(**changes):
    row = {"test": "all_reduce", "metric": "busbw", "unit": "GB/s", "value": 460, "source": "plan"}
    return Baseline.model_validate(row | changes)


def verdicts(rows, *limits, **settings):
    return {node.node: node for node in diagnose(rows, Acceptance(baselines=limits or (limit(),), **settings))}


def verdict(*changes, limits=(), **settings):
    return verdicts(figures(*changes), *limits, **settings)["n1"].verdict


SINGLE = [
    ({}, "pass"),
    ({"value": 460.0}, "pass"),
    ({"value": 459.999}, "fail"),
    ({"value": None, "status": "waived"}, "not_evaluated"),
    ({"value": None, "status": "skipped"}, "not_evaluated"),
    ({"value": None, "status": "not_measured"}, "not_evaluated"),
    ({"value": float("nan")}, "not_evaluated"),
    ({"value": float("inf")}, "not_evaluated"),
    ({"value": -1.0}, "conflict"),
    ({"status": "tool_error", "value": None, "outcome": "exit 226 = -30"}, "tool_error"),
    ({"status": "conflict"}, "conflict"),
    ({"complete": False}, "not_evaluated"),
    ({"status": "incomplete"}, "not_evaluated"),
    ({"correctness": "unverified"}, "not_evaluated"),
    ({"correctness": "wrong"}, "fail"),
    ({"unit": "us"}, "conflict"),
    ({"unit": "widgets"}, "conflict"),
    ({"unit": "GiB/s", "value": 430.0}, "pass"),  # 430 x 1.073741824 = 461.7 GB/s
    ({"unit": "GiB/s", "value": 428.0}, "fail"),  # 459.6 GB/s
    ({"unit": "Gbit/s", "value": 3760.0}, "pass"),  # 470 GB/s
    ({"statistic": "mean"}, "not_evaluated"),
    ({"placement": "in_place"}, "not_evaluated"),
    ({"test": "all_gather"}, "not_evaluated"),
]


@pytest.mark.parametrize(("change", "expected"), SINGLE)
def test_one_figure(change, expected):
    assert verdict(change) == expected


def test_a3_a_figure_is_never_rounded_up_to_its_limit():
    assert verdict({"value": 99.6}, limits=(limit(value=100),)) == "fail"
    assert verdict({"value": 99.9999999}, limits=(limit(value=100),)) == "fail"


def test_a8_a_wrong_row_fails_the_node_whatever_its_bandwidth():
    assert verdict({"value": 480.0, "correctness": "wrong"}) == "fail"


def test_an_average_limit_is_not_compared_with_the_largest_size():
    found = verdicts(figures({"statistic": "mean", "value": 123.3}))["n1"]
    assert found.verdict == "not_evaluated"
    assert "only other statistics or conditions: mean" in found.note


def test_accept_b11_no_expectation_for_the_sku_is_no_failure():
    rows = figures({"value": 1.0})
    found = diagnose(rows, Acceptance(baselines=(limit(sku="H100"),)), sku="H200")
    assert [(node.verdict, node.note) for node in found] == [("not_evaluated", "no expectation for this SKU")]


def test_unverified_results_of_a_tool_that_cannot_verify_count_where_the_limit_says_so():
    assert verdict({"correctness": "unverified"}, limits=(limit(verified=False),)) == "pass"
    assert verdict({"correctness": "not_applicable"}) == "pass"
    assert verdict({"correctness": "unverified", "value": 400.0}) == "fail"


def test_a_warning_band():
    assert verdict({"value": 470.0}, limits=(limit(warn=0.05),)) == "warn"
    assert verdict({"value": 484.0}, limits=(limit(warn=0.05),)) == "pass"
    (near,) = diagnose(figures({"value": 470.0}), Acceptance(baselines=(limit(warn=0.05),)))
    assert near.note.endswith("470 against at least 460 GB/s, within the warning band")


def test_the_worst_of_1024_gpus_fails_its_node_though_the_mean_passes():
    rows = figures(
        *({"node": f"n{gpu // 8}", "member": f"gpu{gpu % 8}", "value": 400.0 if gpu == 517 else 475.0}
          for gpu in range(1024))
    )  # fmt: skip
    found = verdicts(rows)
    assert [name for name, node in found.items() if node.verdict != "pass"] == ["n64"]
    assert "400 against at least 460 GB/s (worst of 8: gpu5)" in found["n64"].note
    assert rows["value"].mean() > 474


def test_a_gpu_without_a_figure_is_a_hole():
    rows = figures(
        *({"node": f"n{gpu // 8}", "member": f"gpu{gpu % 8}"} for gpu in range(32) if gpu != 13)
    )  # fmt: skip
    found = verdicts(rows)
    assert {name: node.verdict for name, node in found.items()} == {
        "n0": "pass", "n1": "not_evaluated", "n2": "pass", "n3": "pass",
    }  # fmt: skip
    assert found["n1"].missing == ("all_reduce/busbw:gpu5",)


def test_a_fleet_that_is_slow_as_a_whole_fails_the_limit_and_has_no_outlier():
    slow = figures(*({"node": f"n{number}", "value": 432.4 + 0.1 * number} for number in range(8)))  # 8 % under 470
    found = verdicts(slow)
    assert {node.verdict for node in found.values()} == {"fail"}
    loose = verdicts(slow, limit(value=400))
    assert {node.verdict for node in loose.values()} == {"pass"}


def test_an_outlier_among_its_peers_is_a_warning():
    rows = figures(
        *({"node": f"n{number}", "value": 470.0 + 0.1 * number} for number in range(8)), {"node": "odd", "value": 430.0}
    )
    found = verdicts(rows, limit(value=400))
    assert {name for name, node in found.items() if node.verdict == "warn"} == {"odd"}
    assert "worse than the median of 9 nodes" in found["odd"].note
    few = figures(*({"node": f"n{number}"} for number in range(3)), {"node": "odd", "value": 430.0})
    assert verdicts(few, limit(value=400))["odd"].verdict == "pass"


def test_the_last_complete_run_counts_and_attempts_are_told():
    runs = [
        {"run": "r1", "value": 400.0, "measured_at": datetime(2026, 9, 1)},
        {"run": "r2", "value": 470.0, "measured_at": datetime(2026, 9, 2)},
        {"run": "r3", "value": 300.0, "measured_at": datetime(2026, 9, 3), "complete": False},
    ]
    found = verdicts(figures(*runs))["n1"]
    assert found.verdict == "pass"
    assert "3 attempts" in found.note
    assert verdict(*reversed(runs)) == "pass"
    assert verdict(runs[1], runs[0] | {"measured_at": datetime(2026, 9, 9)}) == "fail"


def test_a8_the_largest_size_counts_and_not_the_last_that_can_be_read():
    assert verdict({"size_bytes": 8 << 30, "value": 470.0}, {"size_bytes": 16 << 30, "value": 24.09}) == "fail"
    named = limit(size="16G")
    assert verdict({"size_bytes": 8 << 30, "value": 470.0}, limits=(named,)) == "not_evaluated"


PEAKED = {"peaks": (Peak(sku="*", metric="busbw", unit="GB/s", value=500, source="sheet"),)}


@pytest.mark.parametrize(
    ("value", "expected"),
    [(499.0, "pass"), (501.0, "warn"), (625.0, "warn"), (626.0, "conflict"), (3760.0, "conflict")],
)
def test_more_than_the_peak_is_reviewed_and_never_a_good_result(value, expected):
    assert verdict({"value": value}, **PEAKED) == expected


def test_below_the_peak_nothing_is_repaired():
    assert verdict({"value": 430.0}, **PEAKED) == "fail"  # 430 GiB/s would be 461.7 GB/s: the label says GB/s


def test_counts_are_exact_and_times_have_an_upper_limit():
    count = limit(test="gpu_count", metric="count", unit="count", operator="==", value=8)
    row = {"test": "gpu_count", "metric": "count", "unit": "count", "placement": "none"}
    assert verdict(row | {"value": 8.0}, limits=(count,)) == "pass"
    assert verdict(row | {"value": 7.0}, limits=(count,)) == "fail"
    time = limit(test="lat", metric="latency", unit="us", operator="<=", value=10)
    row = {"test": "lat", "metric": "latency", "unit": "ns", "placement": "none"}
    assert verdict(row | {"value": 10_000.0}, limits=(time,)) == "pass"
    assert verdict(row | {"value": 10_001.0}, limits=(time,)) == "fail"


def test_order_of_the_rows_does_not_matter():
    rows = figures(
        *({"node": f"n{number % 7}", "member": f"g{number}", "value": 455.0 + number} for number in range(40))
    )
    forward = diagnose(rows, Acceptance(baselines=(limit(),)))
    backward = diagnose(rows.reverse(), Acceptance(baselines=(limit(),)))
    assert forward == backward


def adapters(*values, **changes):
    """One run a member, each later than the one before."""
    return [
        {"run": f"r{n}", "member": f"mlx5_{n}", "value": value, "measured_at": datetime(2026, 9, 1 + n)} | changes
        for n, value in enumerate(values)
    ]


def test_members_measured_in_runs_of_their_own_count_together_and_the_worst_decides():
    found = verdicts(figures(*adapters(400.0, 470.0, 480.0)))["n1"]
    assert found.verdict == "fail"
    assert "worst of 3: mlx5_0" in found.note
    assert verdict(*adapters(462.0, 470.0, 480.0)) == "pass"


def test_a_rerun_of_a_member_or_of_the_whole_replaces_what_was_measured_before():
    again = {"run": "again", "measured_at": datetime(2026, 9, 9)}
    assert verdict(*adapters(400.0, 470.0), again | {"member": "mlx5_0"}) == "pass"
    assert verdict(*adapters(400.0, 470.0), again | {"member": "all"}) == "pass"
    assert verdict(*adapters(400.0, 470.0), again | {"member": "mlx5_1"}) == "fail"
    assert verdict({"value": 400.0}, *adapters(470.0, measured_at=datetime(2026, 9, 20))) == "fail"


def test_of_runs_whose_order_is_unknown_the_worst_decides():
    for first, second in (("r1", "r2"), ("r2", "r1")):
        runs = [{"run": first, "value": 400.0}, {"run": second, "value": 470.0}]
        assert verdict(*runs) == "fail"  # of the same instant
        assert verdict(*(run | {"measured_at": None} for run in runs)) == "fail"


def test_the_same_run_under_two_names_is_not_summed_twice():
    rows = [{"run": run, "member": f"gpu{n}", "value": 100.0} for run in ("r1", "r1 (copy)") for n in range(4)]
    total = Rule(id="total", left=Term(take="sum", of=("all_reduce/busbw",)), violated="<", limit=500, source="plan")
    assert verdict(*rows, limits=(limit(value=90),), rules=(total,)) == "fail"


@pytest.mark.parametrize(
    ("figure", "expected"),
    [
        ({"value": 490.0}, "pass"), ({"value": 470.0}, "warn"), ({"value": 400.0}, "fail"),
        ({"unit": "us"}, "conflict"), ({"complete": False}, "pass"),
        ({"status": "not_measured", "value": None}, "pass"),
    ],
)  # fmt: skip
def test_a_figure_that_need_not_be_there_is_judged_where_it_is(figure, expected):
    limits = (limit(required=False, warn=0.05), limit(test="all_gather"))
    assert verdict(figure, {"test": "all_gather"}, limits=limits) == expected


def test_limits_that_need_no_figure_accept_nobody():
    assert verdict({}, limits=(limit(required=False),)) == "not_evaluated"


def test_a_rerun_of_some_members_leaves_the_others_to_be_measured():
    first = [{"run": "r1", "member": f"gpu{gpu}", "measured_at": datetime(2026, 9, 1)} for gpu in range(4)]
    again = [{"run": "r2", "member": f"gpu{gpu}", "measured_at": datetime(2026, 9, 2)} for gpu in range(3)]
    found = verdicts(figures(*first, *again))["n1"]
    assert (found.verdict, found.missing) == ("not_evaluated", ("all_reduce/busbw:gpu3",))
    assert verdicts(figures(*first, *again, again[0] | {"member": "gpu3"}))["n1"].verdict == "pass"
