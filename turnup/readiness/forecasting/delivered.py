"""The schedules delivered for a programme, from the staged rows.

Belongs here: which of them take part in the forecast. Does not: reading rows (``turnup.schedule.staged``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

    from turnup.schedule.model import Project

Points = dict[str, tuple[float, float, float]]


def delivered_schedules(con: duckdb.DuckDBPyConnection) -> tuple[tuple[Project, ...], Points]:
    """All projects, and the three points of the activities that have them, by id beside the programme's nodes."""
    return (), {}
