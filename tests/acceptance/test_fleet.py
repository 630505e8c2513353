"""Figures over several nodes and over time: scaling, regression against the last stack, a fleet that is slow."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from tests.readiness.cluster import BASELINES, cluster
from tests.readiness.tiny import built, rows


def run(name, nodes, value, day=(9, 12), **changes):
    row = {
        "run": name, "node": ",".join(f"TRAIN-1-n{number}" for number in range(nodes)), "test": "all_reduce",
        "metric": "busbw", "statistic": "value", "size_bytes": 8 << 30, "placement": "out_of_place", "value": value,
        "unit": "GB/s", "measured_at": datetime(2026, *day), "correctness": "clean", "complete": True,
        "status": "valid", "direction": "none", "member": "all",
    }  # fmt: skip
    return row | changes


def test_bus_bandwidth_should_stay_over_more_nodes():
    data = cluster(4)
    data["benchmarks"] += [run("two", 2, 465.0), run("four", 4, 400.0)]
    found = rows(
        built(data, acceptance=BASELINES), "SELECT nodes, efficiency, verdict FROM mart.acceptance_scaling ORDER BY 1"
    )
    assert [(row["nodes"], row["verdict"]) for row in found] == [(1, "base"), (2, "pass"), (4, "fail")]
    assert found[1]["efficiency"] == pytest.approx(465 / 470)
    assert found[2]["efficiency"] == pytest.approx(400 / 470)


def test_worse_on_the_present_stack_than_before():
    data = cluster(2)
    data["benchmarks"] = [
        run("a", 1, 480.0, (9, 21), stack="nccl 2.19"), run("b", 1, 462.0, (9, 25), stack="nccl 2.21"),
        run("c", 1, 440.0, (9, 22), stack="nccl 2.20") | {"node": "TRAIN-1-n1"},
        run("d", 1, 470.0, (9, 25), stack="nccl 2.21") | {"node": "TRAIN-1-n1"},
    ]  # fmt: skip
    settings = BASELINES | {"regression_tolerance": 0.03}
    found = rows(built(data, acceptance=settings), "SELECT * FROM mart.acceptance_regressions")
    assert [(row["stack"], row["stack_before"], row["units"]) for row in found] == [("nccl 2.21", "nccl 2.19", 1)]
    assert found[0]["worst_change"] == pytest.approx(462 / 480 - 1)


def test_a_cluster_that_is_slow_as_a_whole_is_named_so():
    data = cluster(6)
    for number, row in enumerate(data["benchmarks"]):
        row["value"] = 432.4 + 0.1 * number  # 8 % under 470
    con = built(data, acceptance=BASELINES)
    assert rows(con, "SELECT failed, outliers FROM mart.acceptance") == [{"failed": 6, "outliers": 0}]
    found = rows(con, "SELECT units, failed, median, gap, decides FROM mart.acceptance_common")[0]
    assert (found["units"], found["failed"], found["decides"]) == (6, 6, True)
    assert found["gap"] == pytest.approx(432.65 / 460 - 1)
    assert rows(con, "SELECT count(*) AS n FROM core.evidence_accepted WHERE has")[0]["n"] == 0


def test_a_warning_is_accepted_only_with_a_waiver():
    data = cluster(2)
    limits = {"baselines": [BASELINES["baselines"][0] | {"warn": 0.05}]}  # 470 is within 5 % of 460
    con = built(data, acceptance=limits)
    assert rows(con, "SELECT warned FROM mart.acceptance") == [{"warned": 2}]
    found = rows(con, "SELECT has, note FROM core.evidence_accepted ORDER BY unit_key")
    assert [row["has"] for row in found] == [False, False]
    assert "a warning needs a waiver" in found[0]["note"]


def test_an_advisory_limit_is_told_and_decides_nothing():
    data = cluster(6)
    limits = {"baselines": [*BASELINES["baselines"], BASELINES["baselines"][0] | {"value": 500, "decides": False}]}
    con = built(data, acceptance=limits)
    assert rows(con, "SELECT passed, failed FROM mart.acceptance") == [{"passed": 6, "failed": 0}]
    assert [row["decides"] for row in rows(con, "SELECT decides FROM mart.acceptance_common")] == [False]


def test_a_swapped_gpu_makes_the_results_of_its_node_stale():
    data = cluster(2)
    data["failures"] = [{"failure_id": "RMA-1", "node": "TRAIN-1-n0", "serial": "GPU-OLD", "replaced_serial": "GPU-NEW",
                         "kind": "gpu", "opened": date(2026, 9, 28), "closed": date(2026, 10, 2)}]  # fmt: skip
    con = built(data, acceptance=BASELINES)
    assert rows(con, "SELECT passed, stale FROM mart.acceptance") == [{"passed": 1, "stale": 1}]
    data["benchmarks"].append(run("again", 1, 471.0, (10, 3)))
    con = built(data, acceptance=BASELINES)
    assert rows(con, "SELECT passed, stale FROM mart.acceptance") == [{"passed": 2, "stale": 0}]


def test_coverage_counts_what_every_unit_has_and_names_the_holes():
    data = cluster(3)
    data["benchmarks"] = data["benchmarks"][:2]
    con = built(data, acceptance=BASELINES)
    found = rows(con, "SELECT units, covered, missing, first_holes FROM mart.acceptance_coverage")
    assert found == [{"units": 3, "covered": 2, "missing": 1, "first_holes": ["TRAIN-1-n2"]}]


def test_a_unit_without_a_pass_comes_with_its_row():
    data = cluster(2)
    data["benchmarks"][1]["value"] = 300.0
    found = rows(built(data, acceptance=BASELINES), "SELECT unit_id, verdict, _ingest, _row FROM mart.acceptance_units")
    assert found == [{"unit_id": "TRAIN-1-n1", "verdict": "fail", "_ingest": "i-benchmarks", "_row": 3}]
