"""Rules and results of another tool, judged here: the same nodes are defective for the same reasons."""

from __future__ import annotations

import json

import polars as pl
import pytest

from turnup.acceptance.diagnose import diagnose
from turnup.acceptance.importers import RuleError, from_superbench

RULES = r"""
version: v0.6
superbench:
  rules:
    slow:
      function: variance
      criteria: lambda x:x>0.05
      categories: KernelLaunch
      metrics: ['kernel-launch/event_overhead:\d+']
    copies:
      categories: Mem
      store: True
      metrics: ['mem-bw/H2D:\d+', 'mem-bw/D2H:\d+']
    uneven:
      function: multi_rules
      criteria: '{criteria}'
      categories: Mem
    failed:
      function: value
      criteria: lambda x:x>0
      categories: FailedTest
      metrics: ['mem-bw/return_code']
"""
RATIO = 'lambda label: min(label["copies"].values())/max(label["copies"].values())<0.95'


def rows(nodes: dict[str, dict[str, float | None]]) -> pl.DataFrame:
    """Results-summary lines as rows of the benchmarks dataset."""
    found = []
    for node, figures in nodes.items():
        for name, value in figures.items():
            test, _, metric = name.rpartition("/")
            metric, _, member = metric.partition(":")
            found.append((node, "r1", test, metric, member or "all", value))
    frame = pl.DataFrame(found, schema=["node", "run", "test", "metric", "member", "value"], orient="row", strict=False)
    return frame.with_columns(
        pl.col("value").cast(pl.Float64),
        pl.lit("value").alias("statistic"), pl.lit("none").alias("direction"), pl.lit("none").alias("placement"),
        pl.lit(0).cast(pl.Int64).alias("size_bytes"), pl.lit("count").alias("unit"), pl.lit("valid").alias("status"),
        pl.lit(None, dtype=pl.String).alias("outcome"), pl.lit(True).alias("complete"),
        pl.lit("not_applicable").alias("correctness"), pl.lit(None, dtype=pl.Datetime).alias("measured_at"),
        pl.int_range(pl.len()).alias("_row"),
    )  # fmt: skip


def good(**changes: float | None) -> dict[str, float | None]:
    figures = {f"kernel-launch/event_overhead:{n}": 0.006 for n in range(2)}
    figures |= {f"mem-bw/H2D:{n}": 25.0 for n in range(2)} | {f"mem-bw/D2H:{n}": 24.5 for n in range(2)}
    return {name: value for name, value in (figures | {"mem-bw/return_code": 0.0} | changes).items() if value != "gone"}


def judged(tmp_path, nodes, criteria=RATIO):
    rules, baseline = tmp_path / "rules.yaml", tmp_path / "baseline.json"
    rules.write_text(RULES.replace("{criteria}", criteria))
    baseline.write_text(json.dumps({"kernel-launch/event_overhead": 0.006}))
    found = diagnose(rows(nodes), from_superbench(rules, baseline))
    return {node.node: node for node in found}


def test_the_published_diagnosis(cases):
    folder = cases / "acceptance" / "superbench"
    lines = (folder / "results-summary_3nodes.jsonl").read_text().splitlines()
    nodes = {}
    for line in lines:
        record = json.loads(line)
        nodes[record.pop("node")] = record
    found = diagnose(rows(nodes), from_superbench(folder / "diagnosis-rules.yaml", folder / "baseline.json"))
    by_node = {node.node: node for node in found}
    assert {name: (node.verdict, node.categories) for name, node in by_node.items()} == {
        "sb-validation-01": ("fail", ("KernelLaunch",)),
        "sb-validation-02": ("pass", ()),
        "sb-validation-03": ("fail", ("FailedTest",)),
    }
    first = by_node["sb-validation-01"]
    assert [(bad.figure, bad.member, bad.value) for bad in first.violations] == [
        ("kernel-launch/event_overhead", "0", 0.1)
    ]
    assert first.violations[0].variance == pytest.approx(15.7785, abs=0.0001)
    third = by_node["sb-validation-03"]
    assert third.missing == tuple(sorted(f"mem-bw/{way}_mem_bw:{n}" for way in ("h2d", "d2h") for n in range(8)))
    assert [(bad.figure, bad.value) for bad in third.violations] == [("mem-bw/return_code", 1.0)]


def test_a15_one_slow_link_violates_the_spread(tmp_path):
    nodes = {"n1": good(), "n2": good(**{"mem-bw/H2D:1": 5.0}), "n3": good()}
    for criteria in (RATIO, RATIO.replace("min(", "bool(min(", 1) + ")"):
        found = judged(tmp_path, nodes, criteria)
        assert {name: node.verdict for name, node in found.items()} == {"n1": "pass", "n2": "fail", "n3": "pass"}
        assert found["n2"].categories == ("Mem",)


def test_a15_missing_values_are_never_accepted(tmp_path):
    gone = {f"mem-bw/{way}:{n}": "gone" for way in ("H2D", "D2H") for n in range(2)}
    found = judged(tmp_path, {"n1": good(), "n2": good(**gone), "n3": good()})
    assert found["n2"].verdict == "not_evaluated"
    found = judged(tmp_path, {"n1": good(), "n2": good(**{"mem-bw/H2D:0": None}), "n3": good()})
    assert found["n2"].verdict == "not_evaluated"
    found = judged(tmp_path, {"n1": good(), "n2": good(**{"mem-bw/H2D:0": float("nan")}), "n3": good()})
    assert found["n2"].verdict == "not_evaluated"


@pytest.mark.parametrize(
    "criteria",
    [
        'lambda label: __import__("os").system("true")==0',
        'lambda label: min(label["other"].values())<1',
        'lambda label: min(label["copies"].values())<0.95 and True',
        'lambda label: len(label["copies"])<2',
        'lambda label: label["copies"]>1',
        "not python at all",
    ],
)
def test_a15_a_criterion_that_is_not_understood_is_an_error(tmp_path, criteria):
    with pytest.raises(RuleError, match="rule 'uneven'"):
        judged(tmp_path, {"n1": good()}, criteria)


def test_stored_counts_of_violations_add_up(tmp_path):
    nodes = {
        "n1": good(),
        "n2": good(**{"kernel-launch/event_overhead:0": 0.007}),
        "n3": good(**{"kernel-launch/event_overhead:0": 0.007, "kernel-launch/event_overhead:1": 0.007}),
    }
    found = judged(tmp_path, nodes, 'lambda label: True if label["slow"]>=2 else False')
    assert {name: "Mem" in node.categories for name, node in found.items()} == {"n1": False, "n2": False, "n3": True}


def test_at_the_limit_is_no_violation(tmp_path):
    found = judged(tmp_path, {"n1": good(**{"kernel-launch/event_overhead:0": 0.0063})})
    assert found["n1"].verdict == "pass"
