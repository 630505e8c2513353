"""A results summary, read by its format and judged by SuperBench's own rules, gives the published diagnosis."""

from __future__ import annotations

import polars as pl
import pytest

from expectations.contract import load_contracts
from turnup.acceptance.diagnose import diagnose
from turnup.acceptance.importers import from_superbench
from turnup.formats import parse
from turnup.programme import Source


def test_the_published_diagnosis_from_the_file(cases):
    folder = cases / "acceptance" / "superbench"
    source = Source.model_construct(dataset="benchmarks", files="*")
    path = folder / "results-summary_3nodes.jsonl"
    table = parse(path, path.name, source, load_contracts()["benchmarks"])
    rows = table.frame.with_columns(
        pl.col("value").cast(pl.Float64), pl.col("size_bytes").cast(pl.Int64), pl.col("complete") == "true",
        pl.lit(None, dtype=pl.Datetime).alias("measured_at"), pl.int_range(pl.len()).alias("_row"),
    )  # fmt: skip
    found = diagnose(rows, from_superbench(folder / "diagnosis-rules.yaml", folder / "baseline.json"))
    by_node = {node.node: node for node in found}
    assert {name: (node.verdict, node.categories) for name, node in by_node.items()} == {
        "sb-validation-01": ("fail", ("KernelLaunch",)),
        "sb-validation-02": ("pass", ()),
        "sb-validation-03": ("fail", ("FailedTest",)),
    }
    first = by_node["sb-validation-01"].violations
    assert [(bad.figure, bad.member, bad.value) for bad in first] == [("kernel-launch/event_overhead", "0", 0.1)]
    assert first[0].variance == pytest.approx(15.7785, abs=0.0001)
    assert len(by_node["sb-validation-03"].missing) == 16
