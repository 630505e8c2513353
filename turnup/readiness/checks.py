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


def check_netting_closes(con: duckdb.DuckDBPyConnection) -> None:
    """Check that no lot gives more than it has, and that what covers a line and what it lacks make what it needs.

    Raises:
        ClosingError: for the first lot, bill line or demand line that does not close.
    """
    broken = con.sql(
        """(SELECT l.part_key || ' of ' || l.name || ': ' || l.quantity || ' gave ' || n.quantity
            FROM core.supply_lots l
            JOIN (SELECT lot_no, sum(quantity) AS quantity FROM core.netted GROUP BY lot_no) n
                ON n.lot_no = l.lot_no AND n.quantity > l.quantity
            ORDER BY 1 LIMIT 1)
        UNION ALL
        (SELECT 'line ' || i.line_key || ' of ' || i.system_key || ' needs ' || i.needed || ', its blocks ' || d.needed
            FROM core.bill_items i
            JOIN (SELECT item_no, sum(needed) AS needed FROM core.supply_demand GROUP BY item_no) d
                ON d.item_no = i.item_no AND d.needed <> i.needed
            WHERE i.fitted ORDER BY 1 LIMIT 1)
        UNION ALL
        (SELECT 'line ' || line_key || ' of ' || system_key || ' in ' || block_key || ' needs ' || needed
                || ', covered and missing are ' || (on_site + coming + undated + unsourced)
            FROM core.supply_lines
            WHERE fitted AND NOT made
              AND (on_site + coming + undated + unsourced <> needed OR least(on_site, coming, undated, unsourced) < 0)
            ORDER BY 1 LIMIT 1)"""
    ).fetchall()
    if broken:
        raise ClosingError(f"netting: {broken[0][0]}")


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
