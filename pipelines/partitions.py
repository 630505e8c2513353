"""Weekly partitions: one per reporting week, keyed by the local date of the cut-off that opens it."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from dagster import TimeWindowPartitionsDefinition

from turnup.programme import Programme
from turnup.week import Calendar, Week

_KEY = "%Y-%m-%d"


def weekly_partitions(programme: Programme) -> TimeWindowPartitionsDefinition:
    """The programme's weeks from its first one to the present, still open one."""
    first = Calendar(programme).week(programme.first_week)
    return TimeWindowPartitionsDefinition(
        cron_schedule=programme.week.cron,
        timezone=programme.time_zone,
        start=first.start.astimezone(ZoneInfo(programme.time_zone)).strftime(_KEY),
        fmt=_KEY,
        end_offset=1,
    )


def partition_key(programme: Programme, week: Week) -> str:
    """The partition key of a week."""
    return week.start.astimezone(ZoneInfo(programme.time_zone)).strftime(_KEY)
