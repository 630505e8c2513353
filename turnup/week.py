"""Reporting weeks: from one cut-off to the next, in the programme's own zone.

Belongs here: the arithmetic of weeks. Does not: the present time; callers pass it in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from turnup.programme import WEEKDAYS
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from turnup.programme import Programme

_LABEL = re.compile(r"^(\d{4})-W(\d{2})$")


@dataclass(frozen=True, order=True)
class Week:
    """One reporting week.

    Attributes:
        label: ISO week of the cut-off's local date, such as ``2026-W44``.
        start: the previous cut-off, UTC, inclusive.
        cut_off: end of the week, UTC, exclusive.
        as_of: local date of the cut-off.
    """

    label: str
    start: datetime
    cut_off: datetime
    as_of: date


class Calendar:
    """The reporting weeks of one programme."""

    def __init__(self, programme: Programme) -> None:
        """Take cut-off and zone from the programme."""
        self._zone = ZoneInfo(programme.time_zone)
        self._weekday = WEEKDAYS.index(programme.week.weekday)
        self._time = time.fromisoformat(programme.week.time)
        self._first = programme.first_week

    def week(self, label: str) -> Week:
        """Return the week with this label.

        Raises:
            ConfigurationError: the label is not an ISO week such as 2026-W44.
        """
        matched = _LABEL.match(label)
        try:
            year, number = (int(part) for part in matched.groups()) if matched else (0, 0)
            day = date.fromisocalendar(year, number, self._weekday + 1)
        except ValueError:
            raise ConfigurationError(f"week '{label}': expected an ISO week such as 2026-W44") from None
        return self._ending(day)

    def reportable(self, label: str, now: datetime) -> Week:
        """Return the week with this label, when it may have a result at an instant (aware).

        Raises:
            ConfigurationError: no ISO week, earlier than the programme's first week, or not begun.
        """
        week = self.week(label)
        if week.cut_off < self.week(self._first).cut_off:
            raise ConfigurationError(f"week {label}: lies before {self._first}, the first_week of programme.yaml")
        if week.start > now:
            raise ConfigurationError(f"week {label}: has not begun; it begins at {week.start:%Y-%m-%d %H:%M} UTC")
        return week

    def containing(self, moment: datetime) -> Week:
        """Return the week in which an instant (aware) falls; a cut-off belongs to the week that it opens."""
        local = moment.astimezone(self._zone).date()
        day = local + timedelta(days=(self._weekday - local.weekday()) % 7)
        week = self._ending(day)
        return week if moment < week.cut_off else self._ending(day + timedelta(days=7))

    def last_closed(self, moment: datetime) -> Week:
        """Return the newest week whose cut-off has passed at an instant (aware)."""
        return self.before(self.containing(moment))

    def before(self, week: Week) -> Week:
        """Return the week before."""
        return self._ending(week.as_of - timedelta(days=7))

    def after(self, week: Week) -> Week:
        """Return the week after."""
        return self._ending(week.as_of + timedelta(days=7))

    def starting(self, day: date) -> Week:
        """Return the week that a local date's cut-off opens."""
        return self._ending(day + timedelta(days=7))

    def _ending(self, day: date) -> Week:
        year, number, _ = day.isocalendar()
        return Week(f"{year}-W{number:02d}", self._instant(day - timedelta(days=7)), self._instant(day), day)

    def _instant(self, day: date) -> datetime:
        return datetime.combine(day, self._time, self._zone).astimezone(UTC)
