"""Runs the expectations on a closed candidate file with Great Expectations, inside DuckDB.

Here: one run over the datasets asked for, read only, and its results as plain data. Not here: which expectations there
are (`suites`), and storing or rendering results. Great Expectations is imported inside the run (seconds of start-up);
it writes no file, shows no progress bar and makes no network call.
"""

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import duckdb

from expectations.contract import Contract, Severity
from expectations.duckdb_dialect import keep_duckdb_connections
from expectations.suites import Expectation, Holdings, expectations_of

_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class ExpectationResult:
    """What one expectation came to.

    `computed` is False when no result came back; such a result never has `success` and always blocks. `observed` is
    what was seen, in words, and `unexpected_count` the number of failing rows (sources, for freshness and quarantine).
    """

    dataset: str
    expectation: str
    column: str | None
    severity: Severity
    computed: bool
    success: bool
    observed: str
    unexpected_count: int
    message: str
    blocking: bool


def run_expectations(
    database: Path, contracts: Mapping[str, Contract], datasets: Sequence[str], as_of: date
) -> list[ExpectationResult]:
    """Check the datasets of a closed DuckDB file with the schemas `stg` and `meta`.

    A dataset without rows and without a source is not evaluated: no data is no pass. The order of the results is that
    of `datasets`, then of the suites. The file may not be open for writing anywhere.
    """
    return check(database, plan_expectations(database, contracts, datasets, as_of))


def plan_expectations(
    database: Path, contracts: Mapping[str, Contract], datasets: Sequence[str], as_of: date
) -> list[Expectation]:
    """The expectations on the datasets of a closed DuckDB file, in the order of `datasets`, then of the suites."""
    with closing(duckdb.connect(database, read_only=True)) as con:
        holdings = _holdings(con)
    return [each for dataset in datasets for each in expectations_of(contracts[dataset], holdings, as_of)]


def check(database: Path, planned: Sequence[Expectation]) -> list[ExpectationResult]:
    """Check planned expectations; a result depends on its expectation and on the rows of the tables that it names.

    Its message may also name the files of rows, by `meta.ingests`.
    """
    if not planned:
        return []
    outcomes = _outcomes(database, planned)
    with closing(duckdb.connect(database, read_only=True)) as con:
        holdings = _holdings(con)
        return [_result(con, each, outcomes.get(number), holdings) for number, each in enumerate(planned)]


def _holdings(con: duckdb.DuckDBPyConnection) -> Holdings:
    tables = con.sql("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'stg' ORDER BY ALL").fetchall()
    rows = {table: con.table(f'stg."{table}"').count("*").fetchall()[0][0] for (table,) in tables}
    sources: dict[str, list[bool]] = defaultdict(list)
    for dataset, required in con.sql("SELECT dataset, required FROM meta.sources ORDER BY ALL").fetchall():
        sources[dataset].append(bool(required))
    return Holdings(rows, {dataset: tuple(flags) for dataset, flags in sources.items()})


def _outcomes(database: Path, planned: Sequence[Expectation]) -> dict[int, Any]:
    """Great Expectations' result of each planned expectation by its place; one that gave none is absent."""
    import great_expectations as gx
    from great_expectations.data_context.types.base import (
        DataContextConfig,
        InMemoryStoreBackendDefaults,
        ProgressBarsConfig,
    )

    keep_duckdb_connections()
    logging.getLogger("great_expectations").setLevel(logging.ERROR)
    config = DataContextConfig(
        store_backend_defaults=InMemoryStoreBackendDefaults(),
        progress_bars=ProgressBarsConfig(globally=False, metric_calculations=False),
    )
    context = gx.get_context(mode="ephemeral", project_config=config)
    source = context.data_sources.add_sql(
        "candidate", connection_string=f"duckdb:///{database}", kwargs={"connect_args": {"read_only": True}}
    )
    try:
        outcomes: dict[int, Any] = {}
        for table, numbers in _by_table(planned).items():
            outcomes |= _validate(source, table, {number: planned[number] for number in numbers})
        return outcomes
    finally:
        _close(source)


def _close(source: Any) -> None:
    """Let go of the file: a writer of the same process must be able to open it next."""
    execution = source.get_execution_engine()
    if execution._connection is not None:
        execution._connection.close()
    execution.engine.dispose()
    source.get_engine().dispose()


def _by_table(planned: Sequence[Expectation]) -> dict[tuple[str, str], list[int]]:
    tables: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, each in enumerate(planned):
        tables[each.table].append(number)
    return tables


def _validate(source: Any, table: tuple[str, str], planned: Mapping[int, Expectation]) -> dict[int, Any]:
    import great_expectations as gx
    from great_expectations import expectations as kinds
    from great_expectations.datasource.fluent.interfaces import TestConnectionError

    suite = gx.ExpectationSuite(
        name=".".join(table),
        expectations=[
            getattr(kinds, each.kind)(**each.arguments, meta={"number": number}) for number, each in planned.items()
        ],
    )
    schema, name = table
    try:
        asset = source.add_table_asset(suite.name, table_name=name, schema_name=schema)
    except TestConnectionError:
        return {}
    batch = asset.add_batch_definition_whole_table(suite.name).get_batch()
    results = batch.validate(suite, result_format="BASIC").results
    return {result.expectation_config.meta["number"]: result for result in results}


def _result(
    con: duckdb.DuckDBPyConnection, planned: Expectation, outcome: Any, holdings: Holdings
) -> ExpectationResult:
    measured = None if outcome is None else _measured(planned, outcome.result, holdings)
    computed = measured is not None
    observed, unexpected = measured or ("", 0)
    success = computed and bool(outcome.success)
    if not computed:
        message = f"Could not be computed: {planned.claim}. {_reason(outcome)}"
    elif success:
        message = f"Holds: {planned.claim}."
    else:
        fail = "fails" if unexpected == 1 else "fail"
        found = f"Found {observed}" if planned.failing_rows is None else f"{observed} {fail}"
        message = f"{found}. Expected: {planned.claim}.{_examples(con, planned)}"
    return ExpectationResult(
        dataset=planned.dataset,
        expectation=planned.rule,
        column=planned.column,
        severity=planned.severity if computed else "error",
        computed=computed,
        success=success,
        observed=observed,
        unexpected_count=unexpected,
        message=message,
        blocking=not computed or (planned.blocking and not success),
    )


def _measured(planned: Expectation, result: Mapping[str, Any], holdings: Holdings) -> tuple[str, int] | None:
    """What was observed in words, and the number of failing rows; None when the result holds no figure."""
    if planned.kind in ("ExpectColumnValuesToBeUnique", "ExpectCompoundColumnsToBeUnique"):
        unexpected, total = result.get("unexpected_count"), result.get("element_count")
        return None if unexpected is None or not total else (f"{unexpected} of {total} rows", unexpected)
    observed = result.get("observed_value")
    if observed is None:
        return None
    if planned.kind == "ExpectTableRowCountToBeBetween":
        return f"{observed} row{'' if observed == 1 else 's'}", 0
    rows = holdings.rows.get(planned.dataset, 0)
    if planned.kind == "ExpectColumnProportionOfNonNullValuesToBeBetween":
        filled = round(observed * rows)
        return f"{rows - filled} of {rows} rows without a value", rows - filled
    if planned.table[0] == "meta":
        return f"{observed} source{'' if observed == 1 else 's'}", observed
    return f"{observed} of {rows} rows", observed


def _reason(outcome: Any) -> str:
    """The first line of the stored exception, which Great Expectations keeps per metric or plainly."""
    if outcome is None:
        return "No result came back."
    info = outcome.exception_info or {}
    plain = [info] if "exception_message" in info else [each for each in info.values() if isinstance(each, dict)]
    lines = [str(each.get("exception_message") or "").strip().splitlines() for each in plain]
    return next((found[0] for found in lines if found), "No figure came back.")


def _examples(con: duckdb.DuckDBPyConnection, planned: Expectation) -> str:
    """Up to three failing values with file and row, for the sentence."""
    if planned.failing_rows is None:
        return ""
    found = con.sql(
        f"SELECT failing.example, ingests.file, failing._row FROM ({planned.failing_rows}) AS failing"
        " LEFT JOIN meta.ingests AS ingests ON ingests._ingest = failing._ingest"
        f" ORDER BY ingests.file NULLS FIRST, failing._row, failing.example LIMIT {_EXAMPLES}"
    ).fetchall()
    shown = [f"{value} ({file} row {row})" if file else f"{value}" for value, file, row in found]
    return f" For example {', '.join(shown)}." if shown else ""
