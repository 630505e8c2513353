"""Verdicts on a fleet: CPU seconds of all judging models, beside the floor of one aggregation over the same figures.

Run ``python -m perf.acceptance``. Growth is the CPU time of twice the figures over that of once.
"""

from __future__ import annotations

import sys
import time
from datetime import date

import duckdb
import numpy as np
import polars as pl

from turnup.acceptance.diagnose import prepare
from turnup.acceptance.expectations import Acceptance, Baseline
from turnup.acceptance.judge import MODELS
from turnup.warehouse.connection import connect
from turnup.warehouse.models import run_models

FIGURES_PER_NODE = 100
GPUS = 8


def fleet(nodes: int) -> pl.DataFrame:
    """Figures of a fleet: per node twelve tests on each of eight GPUs, and four of the node; one in 5,000 is slow."""
    random = np.random.default_rng(20_260_814)
    names = [f"node{number:05d}" for number in range(nodes)]
    tests = [f"gpu_test_{test}" for test in range(12) for _ in range(GPUS)] + [f"node_test_{n}" for n in range(4)]
    members = [f"gpu{gpu}" for _ in range(12) for gpu in range(GPUS)] + ["all"] * 4
    count = nodes * FIGURES_PER_NODE
    values = 100 + random.normal(0, 0.5, count)
    values[random.random(count) < 1 / 5000] *= 0.8
    return pl.DataFrame(
        {
            "node": np.repeat(names, FIGURES_PER_NODE),
            "test": tests * nodes,
            "member": members * nodes,
            "value": values,
        }
    ).with_columns(
        pl.lit("run-1").alias("run"), pl.lit("bandwidth").alias("metric"), pl.lit("value").alias("statistic"),
        pl.lit("none").alias("direction"), pl.lit("none").alias("placement"),
        pl.lit(0, dtype=pl.Int64).alias("size_bytes"), pl.lit("GB/s").alias("unit"), pl.lit("valid").alias("status"),
        pl.lit(None, dtype=pl.String).alias("outcome"), pl.lit(True).alias("complete"),
        pl.lit("not_applicable").alias("correctness"), pl.lit(None, dtype=pl.Datetime("us")).alias("measured_at"),
        pl.int_range(pl.len(), dtype=pl.Int64).alias("_row"),
    )  # fmt: skip


def limits() -> Acceptance:
    """A limit for every test."""
    names = [*(f"gpu_test_{test}" for test in range(12)), *(f"node_test_{test}" for test in range(4))]
    rows = [Baseline(test=name, metric="bandwidth", unit="GB/s", value=95, source="perf") for name in names]
    return Acceptance(baselines=tuple(rows))


def judged(frame: pl.DataFrame) -> tuple[float, int]:
    """CPU seconds of the verdicts, and how many nodes do not pass."""
    with connect() as con:
        prepare(con, frame, limits(), "*", date.max)
        started = time.process_time()
        run_models(con, MODELS)
        spent = time.process_time() - started
        bad = con.sql("SELECT count(*) FROM acceptance.subject_verdicts WHERE verdict <> 'pass'").fetchall()[0][0]
    return spent, int(bad)


def floor(frame: pl.DataFrame) -> float:
    """CPU seconds of the least that any verdict needs: the worst value of each node and test."""
    con = duckdb.connect()
    con.register("given", frame)
    con.execute("CREATE TABLE figures AS SELECT node, test, value FROM given")
    started = time.process_time()
    con.execute("CREATE TABLE worst AS SELECT node, test, min(value) FROM figures GROUP BY ALL")
    return time.process_time() - started


def main(nodes: int = 10_000, runs: int = 3) -> None:
    """Print medians of several runs."""
    for size in (nodes // 2, nodes):
        frame = fleet(size)
        spent = sorted(judged(frame)[0] for _ in range(runs))
        least = sorted(floor(frame) for _ in range(runs))
        bad = judged(frame)[1]
        print(
            f"{frame.height:>9,} figures of {size:>6,} nodes: verdicts {spent[runs // 2]:.2f} s CPU "
            f"(least {spent[0]:.2f}), {spent[runs // 2] / least[runs // 2]:.0f} times one aggregation; "
            f"{bad} nodes do not pass"
        )


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
