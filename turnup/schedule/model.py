"""A schedule as its tool holds it: one project with calendars, activities and links, before anything is computed.

Belongs here: the shared words of readers, engine, health and forecast. Does not: reading or computing.

Instants are naive local times of the project, as its tool stores them. Durations, lags and floats are whole seconds:
of working time on the named calendar, or of the clock where the calendar is ELAPSED.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from turnup.formats.model import Finding

Shift = tuple[int, int]
"""Start and end of working time within a day, in seconds from midnight; 86400 is the end of the day."""

DAY = 86_400
HOUR = 3_600
LONGEST = 876_600 * HOUR
"""A hundred years: a longer duration, lag or float is a slip, and sums of such numbers leave the calendar."""
MOST_PERCENT = 10_000
"""No lag is a larger share of the duration of the task before, for the same reason."""
ELAPSED = "24h elapsed"
"""Key of the calendar that every project has: all hours of all days."""

Tool = Literal["p6", "msproject", "table"]
Kind = Literal["task", "resource_dependent", "start_milestone", "finish_milestone", "level_of_effort", "summary"]
Status = Literal["not_started", "in_progress", "completed"]
Constraint = Literal[
    "start_on", "start_no_earlier", "start_no_later", "finish_on", "finish_no_earlier", "finish_no_later",
    "mandatory_start", "mandatory_finish", "as_late_as_possible",
]  # fmt: skip
LagCalendar = Literal["predecessor", "successor", "project", "elapsed"]
Progress = Literal["retained_logic", "progress_override", "actual_dates"]
FloatKind = Literal["finish", "start", "smallest"]
CriticalRule = Literal["total_float", "longest_path"]
Precedence = Literal["logic", "dates"]
Remaining = Literal["data_date", "as_started"]
LINK_TYPES = ("FS", "SS", "FF", "SF")
"""A link's type by number: the position here."""


@dataclass(frozen=True)
class WorkCalendar:
    """Working time of a week, and the days that differ from it.

    Attributes:
        name: as its tool shows it.
        week: shifts of Monday to Sunday, in order, not overlapping; an empty day does not work.
        exceptions: shifts of single days; empty means the day does not work.
        hours_per_day, hours_per_week, hours_per_month: how its tool turns days, weeks and months into hours.
    """

    name: str
    week: tuple[tuple[Shift, ...], ...]
    exceptions: Mapping[date, tuple[Shift, ...]] = field(default_factory=dict)
    hours_per_day: float = 8.0
    hours_per_week: float = 40.0
    hours_per_month: float = 160.0


@dataclass(frozen=True)
class Options:
    """How the tool that owns the schedule computes it; the defaults are those of P6.

    Attributes:
        lag_calendar: whose working time a lag counts.
        progress: what holds back the remaining work of an activity that began out of sequence.
        float_kind: total float as late finish - early finish, late start - early start, or the smaller.
        critical_rule: critical by float (at most ``critical_float``) or by the longest path.
        critical_float: seconds.
        use_expected_finish: whether an expected finish replaces the remaining duration.
        float_from_each_project: late dates are bounded by the finish of the activity's own project, else by the latest
            finish of all projects of the file. A must-finish date of the project always takes its place.
        open_ends_critical: whether an activity without successor takes its own early finish as late finish.
        lag_from_early_start: SS lag of a started predecessor counts from its early start, not its actual start.
        precedence: what wins where a constraint and a link disagree; mandatory constraints always win.
        remaining: whether the remaining work of a started activity is scheduled from the data date on, or stays where
            its actual start and its duration put it.
    """

    lag_calendar: LagCalendar = "predecessor"
    progress: Progress = "retained_logic"
    float_kind: FloatKind = "finish"
    critical_rule: CriticalRule = "total_float"
    critical_float: int = 0
    use_expected_finish: bool = True
    float_from_each_project: bool = True
    open_ends_critical: bool = False
    lag_from_early_start: bool = True
    precedence: Precedence = "logic"
    remaining: Remaining = "data_date"


MS_PROJECT = Options(lag_calendar="successor", use_expected_finish=False, precedence="dates", remaining="as_started")
"""How Microsoft Project computes."""


@dataclass(frozen=True)
class Project:
    """One project of a schedule file.

    Attributes:
        id: the tool's short name of the project.
        data_date: status date; remaining work is not scheduled before it. None: the schedule has none.
        planned_start: no activity without actuals starts before it.
        must_finish: latest date of the project, when its owner gave one.
        stored_finish: project finish that the tool computed.
        calendars: by the key used in ``activities.calendar``; ELAPSED is implied.
        default_calendar: key of the project's calendar.
        activities: columns ACTIVITY, sorted as in the file.
        links: columns LINK, sorted as in the file.
        findings: what its reader saw.
    """

    id: str
    name: str
    tool: Tool
    data_date: datetime | None
    planned_start: datetime | None
    must_finish: datetime | None
    stored_finish: datetime | None
    options: Options
    calendars: Mapping[str, WorkCalendar]
    default_calendar: str
    activities: pl.DataFrame
    links: pl.DataFrame
    findings: tuple[Finding, ...] = ()


_TIME = pl.Datetime("us")

ACTIVITY: dict[str, pl.DataType] = {
    "id": pl.String(),  # unique in the file: what links refer to
    "code": pl.String(),  # what people call it: task_code, or the row number of MS Project
    "name": pl.String(),
    "wbs": pl.String(),  # path of short names, or outline number
    "parent": pl.String(),  # id of the summary activity that holds it, where summaries are activities
    "kind": pl.String(),  # Kind
    "status": pl.String(),  # Status
    "calendar": pl.String(),  # key of Project.calendars, or ELAPSED
    "manual": pl.Boolean(),  # dates are kept as stored, never computed
    "duration_s": pl.Int64(),  # planned (original) duration; null: the file has none
    "remaining_s": pl.Int64(),  # remaining duration
    "actual_start": _TIME,
    "actual_finish": _TIME,
    "suspend": _TIME,
    "resume": _TIME,
    "percent": pl.Float64(),  # 0 to 100, of the kind that its owner chose
    "constraint": pl.String(),  # Constraint, or null
    "constraint_date": _TIME,
    "constraint_2": pl.String(),
    "constraint_2_date": _TIME,
    "deadline": _TIME,  # bounds late dates, never early ones (MS Project)
    "expected_finish": _TIME,
    "external_early": _TIME,  # earliest start given by a project outside the file
    "external_late": _TIME,  # latest finish given by a project outside the file
    "planned_start": _TIME,
    "planned_finish": _TIME,
    "baseline_start": _TIME,
    "baseline_finish": _TIME,
    "baseline_duration_s": pl.Int64(),
    "resources": pl.Int64(),  # assignments; null: the file tells nothing of resources
    "cost": pl.Float64(),
    "owner": pl.String(),
    "system": pl.String(),  # codes that bind the activity to evidence; null where the schedule carries none
    "block": pl.String(),
    "gate": pl.String(),
    "rolling_wave": pl.Boolean(),  # planning package, exempt from the duration check
    "critical": pl.Boolean(),  # as stored
    "longest_path": pl.Boolean(),  # as stored (driving path)
    "early_start": _TIME,  # this and the following: as the tool computed and stored them; null: never scheduled
    "early_finish": _TIME,
    "late_start": _TIME,
    "late_finish": _TIME,
    "total_float_s": pl.Int64(),
    "free_float_s": pl.Int64(),
    "row": pl.Int64(),  # line or record in the file
}

LINK: dict[str, pl.DataType] = {
    "pred": pl.String(),  # activity id; of another project of the file where ``pred_project`` says so
    "succ": pl.String(),
    "type": pl.Int8(),  # position in LINK_TYPES
    "lag_s": pl.Int64(),  # seconds of working time, or of the clock when ``elapsed``; 0 where ``lag_percent`` is given
    "elapsed": pl.Boolean(),
    "lag_percent": pl.Float64(),  # percent of the predecessor's duration, or null
    "pred_project": pl.String(),  # project id when it is another one; null: this project
    "external": pl.Boolean(),  # the predecessor, or the successor, is not in the file at all
    "row": pl.Int64(),
}
