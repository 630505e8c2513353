"""The schedules delivered for a programme, from the staged rows.

Belongs here: what the rows are read with, and their three points. Does not: reading rows (``turnup.schedule.staged``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnup.readiness.forecasting.nodes import data_instant
from turnup.schedule.columns import MAIN, project_qualified
from turnup.schedule.staged import Defaults, office_calendar, projects_of

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date

    import duckdb

    from turnup.schedule.model import Project

Points = dict[str, tuple[float, float, float]]

_POINTS = """
SELECT coalesce(project_id, $1), task, optimistic_d::DOUBLE, coalesce(likely_d, duration_d)::DOUBLE,
       pessimistic_d::DOUBLE
FROM stg.activities
WHERE optimistic_d IS NOT NULL AND pessimistic_d IS NOT NULL AND coalesce(likely_d, duration_d) > 0
ORDER BY _ingest, _sheet, _row
"""


def delivered_schedules(
    con: duckdb.DuckDBPyConnection, as_of: date, holidays: Collection[date] = ()
) -> tuple[tuple[Project, ...], Points]:
    """All projects as delivered, and the three points of the activities that have them in order, by id.

    One that tells no data date of its own is taken to be told as of the week's.
    """
    names = ("activities", "activity_links", "work_calendars", "schedule_projects")
    frames = [con.sql(f"SELECT * FROM stg.{name} ORDER BY _ingest, _sheet, _row").pl() for name in names]
    projects = projects_of(*frames, defaults=Defaults(office_calendar(holidays), data_instant(as_of)))
    points: Points = {}
    for project, task, least, likely, most in con.sql(_POINTS, params=[MAIN]).fetchall():
        if least <= likely <= most:
            points.setdefault(project_qualified(project, task), (least, likely, most))
    return projects, points
