"""The row rules of benchmark figures beside one aggregate in SQL, written by hand, that counts what is wrong.

Belongs here: both sides in one process, in turn. Does not: pandera and pointblank, which have an environment of their
own (``perf/peer/validation.py``).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import polars as pl

from expectations.contract import load_contracts
from expectations.judging import judge
from turnup.formats.model import ColumnMapping, Ledger, RawTable
from turnup.ingest import complete_rows
from turnup.programme import Source
from turnup.value_keys import typing_rules
from turnup.warehouse.connection import connect

TIMES = 3
AGGREGATE = """
SELECT count(*) AS rows, count(*) FILTER (run IS NULL) AS no_run, count(*) FILTER (node IS NULL) AS no_node,
    count(*) FILTER (test IS NULL) AS no_test, count(*) FILTER (metric IS NULL) AS no_metric,
    count(*) FILTER (statistic IS NULL) AS no_statistic, count(*) FILTER (unit IS NULL) AS no_unit,
    count(*) FILTER (status NOT IN ('valid', 'incomplete', 'not_measured', 'waived', 'skipped', 'tool_error',
        'conflict') OR status IS NULL) AS status,
    count(*) FILTER (correctness NOT IN ('clean', 'wrong', 'unverified', 'not_applicable')) AS correctness,
    count(*) FILTER (lower(complete) NOT IN ('true', 'false') OR complete IS NULL) AS complete,
    count(*) FILTER (value IS NOT NULL AND try_cast(value AS DOUBLE) IS NULL) AS value,
    count(*) FILTER (measured_at IS NOT NULL AND try_cast(measured_at AS TIMESTAMPTZ) IS NULL) AS measured_at,
    count(*) FILTER (status = 'valid' AND try_cast(value AS DOUBLE) IS NULL) AS valued_when_valid,
    count(*) - count(DISTINCT (lower(run), lower(node), lower(test), lower(metric), statistic, lower(member))) AS again
FROM raw
"""


def compare(folder: Path) -> dict[str, list[float]]:
    """Rows, then wall and CPU seconds (the least of some) of the rules and of the aggregate, over one table of text."""
    with connect() as con:
        pattern = str(folder / "inbox" / "*" / "benchmarks.csv")
        con.execute("CREATE TABLE given AS FROM read_csv($1, all_varchar = true)", [pattern])
        contract = load_contracts()["benchmarks"]
        frame = con.sql("SELECT (row_number() OVER ())::UINTEGER - 1 AS _n, 'f' AS _ingest, "
                        "row_number() OVER () AS _row, NULL::VARCHAR AS _sheet, * FROM given").pl()  # fmt: skip
        whole = complete_rows(frame, contract)
        con.register("whole", whole)
        con.execute("CREATE TABLE raw AS FROM whole")
        found: dict[str, list[float]] = {"rows": [frame.height]}
        for _ in range(TIMES):
            _least(found, "aggregate", *_timed(lambda: con.sql(AGGREGATE).fetchall()))
            _least(found, "rules", *_timed(lambda: _judged(con, frame)))
        found["bad"] = [con.sql("SELECT count(DISTINCT _n) FROM judged_refused").fetchall()[0][0]]
        return found


def _judged(con: duckdb.DuckDBPyConnection, frame: pl.DataFrame) -> None:
    contract, source = load_contracts()["benchmarks"], Source.model_construct(dataset="benchmarks", files="*.csv")
    columns = tuple(ColumnMapping(name, name, "name") for name in frame.columns if not name.startswith("_"))
    table = RawTable("csv", "benchmarks", frame, Ledger(), (), (), columns=columns)
    judge(con, contract, "raw", typing_rules(source, table, "benchmarks.csv"), frame.columns)


def _timed(run: Callable[[], object]) -> tuple[float, float]:
    wall, used = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - wall, time.process_time() - used


def _least(found: dict[str, list[float]], name: str, wall: float, used: float) -> None:
    before = found.get(name, [wall, used])
    found[name] = [round(min(before[0], wall), 3), round(min(before[1], used), 3)]
