"""Which column of the datasets holds which column of a schedule, for those who write the rows and those who read them.

Belongs here: names, and the text of shifts. Does not: making rows (``turnup.formats.schedule.rows``) or projects
(``staged``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turnup.schedule.model import DAY, HOUR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from turnup.schedule.model import Shift

MAIN = "main"
"""The project of rows that name none."""
DATASETS = ("activities", "activity_links", "work_calendars", "schedule_projects")

TIMES: dict[str, str] = {
    "actual_start": "actual_start_at", "actual_finish": "actual_finish_at", "suspend": "suspended_at",
    "resume": "resumed_at", "constraint_date": "constraint_at", "constraint_2_date": "constraint_2_at",
    "deadline": "deadline_at", "expected_finish": "expected_finish_at", "external_early": "external_early_at",
    "external_late": "external_late_at", "planned_start": "planned_start_at", "planned_finish": "planned_finish_at",
    "baseline_start": "baseline_start_at", "baseline_finish": "baseline_finish_at", "early_start": "early_start_at",
    "early_finish": "early_finish_at", "late_start": "late_start_at", "late_finish": "late_finish_at",
}  # fmt: skip
"""Times of an activity, to the second."""

DAYS: dict[str, tuple[str, bool]] = {
    "actual_start": ("actual_start", False), "actual_finish": ("actual_finish", True),
    "planned_start": ("start", False), "planned_finish": ("finish", True),
    "baseline_start": ("baseline_start", False), "baseline_finish": ("baseline_finish", True),
    "deadline": ("deadline", True),
}  # fmt: skip
"""The same as days, where people give days; True for what happens at the end of a day."""

HOURS: dict[str, str] = {
    "duration_s": "duration_h", "remaining_s": "remaining_h", "baseline_duration_s": "baseline_duration_h",
    "total_float_s": "total_float_h", "free_float_s": "free_float_h",
}  # fmt: skip

PLAIN: dict[str, str] = {
    "name": "name", "wbs": "wbs_path", "kind": "activity_kind", "status": "activity_status", "calendar": "calendar",
    "manual": "keeps_dates", "percent": "percent", "constraint": "constraint_type", "constraint_2": "constraint_2",
    "resources": "assignments", "cost": "planned_cost", "owner": "owner", "system": "system_id", "block": "block",
    "gate": "gate", "rolling_wave": "rolling_wave", "critical": "stored_critical",
    "longest_path": "stored_longest_path",
}  # fmt: skip

PROJECT_TIMES: dict[str, tuple[str, str | None, bool]] = {
    "data_date": ("data_date_at", "data_date", False),
    "planned_start": ("planned_start_at", "planned_start", False),
    "must_finish": ("must_finish_at", "must_finish", True),
    "stored_finish": ("stored_finish_at", None, True),
}
"""Times of a project: the column to the second, that of the day, and whether the end of the day is meant."""

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
OFF = "off"
_SHIFT = re.compile(r"(\d{2}):(\d{2})(?::(\d{2}))?-(\d{2}):(\d{2})(?::(\d{2}))?")


def project_qualified(project: str, task: str) -> str:
    """The id of an activity that is unique over all projects: the task alone in the project of plain tables."""
    return task if project == MAIN else f"{project}/{task}"


def shifts_text(shifts: Sequence[Shift]) -> str:
    """Shifts as text: ``08:00-12:00,13:00-17:00``; ``off`` where there are none."""
    return ",".join(f"{_clock(start)}-{_clock(end)}" for start, end in shifts) or OFF


def shifts_of(text: str) -> tuple[Shift, ...]:
    """Shifts of such a text, in order.

    Raises:
        ValueError: it is none, or its shifts overlap or lie outside a day.
    """
    if text.strip().casefold() == OFF:
        return ()
    found = []
    for part in text.split(","):
        match = _SHIFT.fullmatch(part.strip())
        if match is None:
            raise ValueError(f"'{text}' are no working times; write them as 08:00-12:00,13:00-17:00, or off")
        parts = [int(group or 0) for group in match.groups()]
        start, end = (hours * HOUR + minutes * 60 + seconds for hours, minutes, seconds in (parts[:3], parts[3:]))
        found.append((start, end or DAY))
    ordered = sorted(found)
    ends = [0, *(end for _, end in ordered)]
    if any(start < before or end <= start or end > DAY for (start, end), before in zip(ordered, ends, strict=False)):
        raise ValueError(f"'{text}' has working times that overlap or lie outside a day")
    return tuple(ordered)


def _clock(second: int) -> str:
    hours, rest = divmod(second, HOUR)
    minutes, seconds = divmod(rest, 60)
    return f"{hours:02d}:{minutes:02d}" + (f":{seconds:02d}" if seconds else "")
