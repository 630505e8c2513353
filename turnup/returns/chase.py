"""What to ask of each owner: files that are due and have not come, files that were not read, rows to correct.

Belongs here: when a file is due. Does not: the words of the message (``reports.chase``).

A source's ``expected`` weekday says that something new is due each week by the end of that day in the programme's zone,
or by the cut-off when that is earlier.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Literal
from zoneinfo import ZoneInfo

from turnup.identity import normal_form
from turnup.programme import WEEKDAYS
from turnup.returns.open_rows import send_backs
from turnup.returns.send_back import SendBack
from turnup.week import Calendar

if TYPE_CHECKING:
    import duckdb

    from turnup.programme import Programme, Weekday
    from turnup.week import Week

Reason = Literal["never came", "late", "too old"]


@dataclass(frozen=True)
class Awaited:
    """A file that should be here.

    Attributes:
        source: name of the source in programme.yaml.
        dataset: what its rows become.
        files: pattern of its file names.
        reason: it never came, nothing came this week by the day it was due, or its newest file is too old.
        due: day it was due this week, when the source names one.
        last_file: newest file in force, empty when there is none.
        last_at: when that was received.
        age_days: age of that file at the instant of the question.
        max_age_days: age that is allowed.
    """

    source: str
    dataset: str
    files: str
    reason: Reason
    due: date | None
    last_file: str
    last_at: datetime | None
    age_days: float | None
    max_age_days: float | None


@dataclass(frozen=True)
class Chase:
    """Everything to ask of one owner; ``email`` is empty for an owner who is no recipient of programme.yaml."""

    owner: str
    email: str
    awaited: tuple[Awaited, ...]
    back: SendBack | None


@dataclass(frozen=True)
class WeekOfChases:
    """The questions of a week, and the files that no source takes, which are nobody's."""

    programme: str
    week: str
    at: datetime
    chases: tuple[Chase, ...]
    nobody: tuple[str, ...]
    back: tuple[SendBack, ...]


def chases(con: duckdb.DuckDBPyConnection, programme: Programme, now: datetime) -> WeekOfChases:
    """What to ask for a published week.

    Args:
        con: the published week.
        programme: its configuration.
        now: instant of the question (aware); after the week's cut-off the cut-off counts.
    """
    label, previous = con.sql("SELECT week, previous_week FROM meta.week").fetchall()[0]
    week = Calendar(programme).week(label)
    at = min(now, week.cut_off)
    awaited: dict[str, list[Awaited]] = {}
    for source in _sources(con):
        found = _awaited(source, week, at, ZoneInfo(programme.time_zone), begun=previous is not None)
        if found is not None:
            awaited.setdefault(source["owner"], []).append(found)
    models = send_backs(con)
    back = {item.owner: item for item in models}
    emails = {normal_form(item.name): item.email for item in programme.recipients}
    unclaimed = con.sql("SELECT file FROM meta.file_findings WHERE code = 'unclaimed_file' ORDER BY file").fetchall()
    return WeekOfChases(
        programme.name,
        label,
        at,
        tuple(
            Chase(owner, emails.get(normal_form(owner), ""), tuple(awaited.get(owner, ())), back.get(owner))
            for owner in sorted({*awaited, *back})
        ),
        tuple(file for (file,) in unclaimed),
        models,
    )


def due_day(week: Week, weekday: Weekday) -> date:
    """The day of the week on which a source is due: the last one of that name up to the cut-off."""
    return week.as_of - timedelta(days=(week.as_of.weekday() - WEEKDAYS.index(weekday)) % 7)


def _sources(con: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    result = con.sql(
        "SELECT source, dataset, owner, files, required, expected, max_age_days, file, exported_at, received_at, "
        "tried_at FROM meta.sources ORDER BY source"
    )
    return [dict(zip(result.columns, row, strict=True)) for row in result.fetchall()]


def _awaited(source: dict[str, Any], week: Week, at: datetime, zone: ZoneInfo, *, begun: bool) -> Awaited | None:
    due = due_day(week, source["expected"]) if source["expected"] else None
    tried, exported, received = (_aware(source[name]) for name in ("tried_at", "exported_at", "received_at"))
    age = None if exported is None else round((at - exported) / timedelta(days=1), 1)
    reason = _reason(source, tried, age, begun=begun, passed=due is not None and at >= _end(due, week, zone), week=week)
    if reason is None:
        return None
    return Awaited(
        source["source"], source["dataset"], source["files"], reason, due, source["file"] or "", received, age,
        source["max_age_days"],
    )  # fmt: skip


def _reason(
    source: dict[str, Any], tried: datetime | None, age: float | None, *, begun: bool, passed: bool, week: Week
) -> Reason | None:
    if tried is None:
        wanted = source["required"] or source["expected"] or source["max_age_days"]
        return "never came" if wanted and (passed or begun or not source["expected"]) else None
    if passed and tried < week.start:
        return "late"
    old = age is not None and source["max_age_days"] is not None and age > source["max_age_days"]
    return "too old" if old else None


def _end(day: date, week: Week, zone: ZoneInfo) -> datetime:
    return min(datetime.combine(day + timedelta(days=1), time(), zone).astimezone(UTC), week.cut_off)


def _aware(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment.replace(tzinfo=UTC)
