"""Expectations checked again only where their rows changed; results of before lie in ``meta.checked``.

Belongs here: which results still stand. Does not: checking (``expectations.run``).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import polars as pl

from expectations.run import ExpectationResult, check, plan_expectations
from turnup.warehouse.connection import connect, literal, table_exists
from turnup.warehouse.contents import named
from turnup.warehouse.steps import Steps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date
    from pathlib import Path

    import duckdb

    from expectations.contract import Contract
    from expectations.suites import Expectation

_COLUMNS = {"key": pl.String, "result": pl.String}


def check_again(
    candidate: Path, contracts: Mapping[str, Contract], datasets: Sequence[str], as_of: date
) -> list[ExpectationResult]:
    """Check datasets as ``expectations.run`` does; results whose rows are as before are taken as they were.

    All of them are kept in the candidate for the next time.
    """
    planned = plan_expectations(candidate, contracts, datasets, as_of)
    with connect(candidate, read_only=True) as con:
        keys = _keys(con, planned)
        before = dict(con.sql("SELECT key, result FROM meta.checked").fetchall()) if _has_before(con) else {}
    fresh = [(key, each) for key, each in zip(keys, planned, strict=True) if key not in before]
    results = check(candidate, [each for _, each in fresh])
    known = {key: ExpectationResult(**json.loads(record)) for key, record in before.items()}
    known |= {key: result for (key, _), result in zip(fresh, results, strict=True)}
    with connect(candidate) as con:
        _keep(con, {key: known[key] for key in keys})
    return [known[key] for key in keys]


def _has_before(con: duckdb.DuckDBPyConnection) -> bool:
    return table_exists(con, "meta", "checked")


def _keys(con: duckdb.DuckDBPyConnection, planned: Sequence[Expectation]) -> list[str]:
    """Hash of each expectation with the rows that it reads: of tables of files only those of its own dataset."""
    holdings = Steps(con).holdings
    keys = []
    for each in planned:
        text = repr(each)
        # Messages name the files of rows.
        held = [_of_dataset(con, "_ingest, file", "meta.ingests", each.dataset)]
        for table in sorted({".".join(each.table), *named(text)}):
            own = table in ("meta.sources", "meta.ledger")
            held.append(f"{table} {_of_dataset(con, '*', table, each.dataset) if own else holdings.told(table)}")
        keys.append(hashlib.sha256("\0".join([text, *held]).encode()).hexdigest()[:24])
    return keys


def _of_dataset(con: duckdb.DuckDBPyConnection, columns: str, table: str, dataset: str) -> str:
    query = f"SELECT {columns} FROM {table} WHERE dataset = {literal(dataset)} ORDER BY ALL"
    return repr(con.sql(query).fetchall())


def _keep(con: duckdb.DuckDBPyConnection, results: dict[str, ExpectationResult]) -> None:
    rows = [{"key": key, "result": json.dumps(asdict(result))} for key, result in sorted(results.items())]
    con.register("checked_frame", pl.DataFrame(rows, schema=_COLUMNS))
    con.execute("CREATE OR REPLACE TABLE meta.checked AS SELECT * FROM checked_frame")
    con.unregister("checked_frame")
