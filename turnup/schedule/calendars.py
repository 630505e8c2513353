"""The calendars of some projects, numbered; and which number a key of a project means.

Belongs here: what stands in for a calendar that is missing or cannot be used. Does not: working time itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from turnup.formats.model import Finding
from turnup.schedule.model import ELAPSED
from turnup.schedule.working_time import ALWAYS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from turnup.schedule.model import Project, WorkCalendar


@dataclass(frozen=True)
class Numbered:
    """Calendars by number; elapsed time is the last one.

    Attributes:
        calendars: all that can be used.
        defaults: the number of each project's own calendar.
        keys: by project, the number of every key that its activities use.
        findings: calendars without working time, and keys that name none.
    """

    calendars: tuple[WorkCalendar, ...]
    defaults: tuple[int, ...]
    keys: tuple[dict[str, int], ...]
    findings: tuple[Finding, ...]

    @property
    def elapsed(self) -> int:
        """The number of elapsed time."""
        return len(self.calendars) - 1

    def of(self, project: int, keys: pl.Expr) -> pl.Expr:
        """Numbers of keys of a project; none is the project's own."""
        return keys.replace_strict(self.keys[project], default=self.defaults[project], return_dtype=pl.Int32)


def numbered(projects: Sequence[Project]) -> Numbered:
    """Number the calendars of projects; where one is missing or never works, the project's own stands in for it."""
    calendars: list[WorkCalendar] = []
    keys: list[dict[str, int]] = []
    findings: list[Finding] = []
    for project in projects:
        own: dict[str, int] = {}
        for key, calendar in sorted(project.calendars.items()):
            if any(calendar.week):
                own[key] = len(calendars)
                calendars.append(calendar)
            else:
                findings.append(_finding(project, f"calendar '{calendar.name}' never works; the project's own is used"))
        keys.append(own)
    defaults = []
    for project, own in zip(projects, keys, strict=True):
        own[ELAPSED] = len(calendars)
        used = project.activities["calendar"].unique().drop_nulls().sort().to_list()
        findings += [
            _finding(project, f"calendar '{key}' is not in the file; the project's own is used")
            for key in used
            if key not in own and key not in project.calendars
        ]
        if project.default_calendar not in own:
            findings.append(_finding(project, "the project's own calendar cannot be used; all hours of all days count"))
        defaults.append(own.get(project.default_calendar, len(calendars)))
    return Numbered((*calendars, ALWAYS), tuple(defaults), tuple(keys), tuple(findings))


def _finding(project: Project, message: str) -> Finding:
    return Finding("calendar", "warning", None, "calendar", project.id, f"project {project.id}: {message}")
