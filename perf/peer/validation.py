"""Benchmark figures checked by pandera and by pointblank on polars: ``python perf/peer/validation.py FOLDER``."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import polars as pl

_STATUS = ["valid", "incomplete", "not_measured", "waived", "skipped", "tool_error", "conflict"]
_CORRECT = ["clean", "wrong", "unverified", "not_applicable"]
_REQUIRED = ["run", "node", "test", "metric", "statistic", "unit", "status"]
_KEY = ["run", "node", "test", "metric", "statistic", "member"]
_NUMBER = r"^[-+]?\d+(\.\d+)?([eE][-+]?\d+)?$"
_MOMENT = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$"


def by_pandera(frame: pl.DataFrame) -> None:
    """All failures at once, as a frame of failing cases."""
    import pandera.polars as pa

    def column(name: str, *checks: pa.Check) -> pa.Column:
        return pa.Column(str, list(checks), nullable=name not in _REQUIRED)

    found = {name: column(name) for name in frame.columns}
    found |= {
        "status": column("status", pa.Check.isin(_STATUS)),
        "correctness": column("correctness", pa.Check.isin(_CORRECT)),
        "complete": column("complete", pa.Check.isin(["true", "false"])),
        "value": column("value", pa.Check.str_matches(_NUMBER)),
        "measured_at": column("measured_at", pa.Check.str_matches(_MOMENT)),
    }  # fmt: skip
    try:
        pa.DataFrameSchema(found, unique=_KEY).validate(frame, lazy=True)
    except pa.errors.SchemaErrors as failures:
        assert failures.failure_cases.height


def by_pointblank(frame: pl.DataFrame) -> None:
    """Counts of passing and failing rows of each step."""
    import pointblank as pb

    (
        pb.Validate(frame).col_vals_not_null(columns=_REQUIRED).col_vals_in_set("status", _STATUS)
        .col_vals_in_set("correctness", _CORRECT).col_vals_in_set("complete", ["true", "false"])
        .col_vals_regex("value", _NUMBER).col_vals_regex("measured_at", _MOMENT).rows_distinct(columns_subset=_KEY)
        .interrogate(get_first_n=1)
    )  # fmt: skip


def main(folder: Path) -> None:
    """Print wall and CPU seconds, the least of three."""
    frame = pl.read_csv(folder / "inbox" / "*" / "benchmarks.csv", infer_schema=False)
    found = {}
    for name, run in (("pandera", by_pandera), ("pointblank", by_pointblank)):
        spent = []
        for _ in range(3):
            wall, used = time.perf_counter(), time.process_time()
            run(frame)
            spent.append((time.perf_counter() - wall, time.process_time() - used))
        found[name] = [round(min(each), 3) for each in zip(*spent, strict=True)]
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
