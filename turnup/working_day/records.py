"""Rows of a published week as records, for questions that take parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

Record = dict[str, Any]


def records(con: duckdb.DuckDBPyConnection, query: str, *parameters: object) -> list[Record]:
    """The rows of a query by column name."""
    found = con.sql(query, params=list(parameters))
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
