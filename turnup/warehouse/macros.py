"""SQL macros that models share: how a week label becomes a day, and how a figure reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

_MACROS = """
CREATE OR REPLACE TEMP MACRO monday(label) AS strptime(label || '-1', '%G-W%V-%u')::DATE;
CREATE OR REPLACE TEMP MACRO figure(v) AS
    CASE WHEN v IS NULL THEN NULL
         WHEN contains(printf('%.3f', v::DOUBLE), '.') THEN rtrim(rtrim(printf('%.3f', v::DOUBLE), '0'), '.')
    END
"""


def write_macros(con: duckdb.DuckDBPyConnection) -> None:
    """Make the macros for this connection."""
    con.execute(_MACROS)
