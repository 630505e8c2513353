"""Sums that must close, checked after the tables are made.

Belongs here: identities between figures. Does not: the figures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb


class ClosingError(Exception):
    """Figures that must add up do not; the message names the first system or kind and the amounts."""


def check_funnel_closes(con: duckdb.DuckDBPyConnection) -> None:
    """Check that contracted = capacity held at each stage + schedulable, and no stage exceeds the one before.

    Raises:
        ClosingError: for the first system that does not close.
    """
    broken = con.sql(
        """SELECT system_key, any_value(contracted) AS contracted, sum(held) AS held,
                  any_value(reached) FILTER (stage = 'schedulable') AS schedulable, min(held) AS least_held
        FROM core.funnel GROUP BY system_key
        HAVING sum(held) + any_value(reached) FILTER (stage = 'schedulable') <> any_value(contracted) OR min(held) < 0
        ORDER BY system_key LIMIT 1"""
    ).fetchall()
    if broken:
        system, contracted, held, schedulable, least = broken[0]
        amounts = f"held {held} + schedulable {schedulable} is not contracted {contracted} (least held {least})"
        raise ClosingError(f"funnel of {system}: {amounts}")


def check_change_closes(con: duckdb.DuckDBPyConnection) -> None:
    """Check for every kind: opening + flow in - withdrawn + restated + scope + definition = closing, to the row.

    Transfers between systems of the kind must net to zero.

    Raises:
        ClosingError: for the first kind that does not close.
    """
    broken = con.sql(
        """SELECT c.kind, c.opening, c.closing, coalesce(r.quantity, 0) AS rows
        FROM mart.change c
        LEFT JOIN (SELECT kind, sum(quantity) AS quantity FROM mart.change_evidence GROUP BY kind) r ON r.kind = c.kind
        WHERE c.opening + c.flow_in - c.withdrawn + c.restated + c.scope + c.definition <> c.closing
           OR c.transfer <> 0
           OR c.opening + coalesce(r.quantity, 0) <> c.closing
        ORDER BY c.kind LIMIT 1"""
    ).fetchall()
    if broken:
        kind, opening, closing, rows = broken[0]
        raise ClosingError(f"change of {kind}: opening {opening} and rows of {rows} do not give closing {closing}")
