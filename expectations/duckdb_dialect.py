"""The cure that lets Great Expectations compute in DuckDB, and nothing else.

Great Expectations gives a connection back before it fetches the rows, except for the dialects it lists as keeping
theirs. DuckDB drops a pending result with its connection, so out of the box nearly every expectation ends in `list
index out of range`, which is stored in the result and not raised. Counting DuckDB among the listed dialects cures it
(GX #11579; its native DuckDB engine is GX PR #12084). `tests/expectations/test_duckdb_dialect.py` fails on the day
this is not needed.
"""

from enum import StrEnum


class _Dialect(StrEnum):
    DUCKDB = "duckdb"


def keep_duckdb_connections() -> None:
    """Make Great Expectations keep its DuckDB connections; a second call changes nothing."""
    from great_expectations.execution_engine import sqlalchemy_execution_engine as engine

    if _Dialect.DUCKDB not in engine._PERSISTED_CONNECTION_DIALECTS:
        engine._PERSISTED_CONNECTION_DIALECTS = (*engine._PERSISTED_CONNECTION_DIALECTS, _Dialect.DUCKDB)
