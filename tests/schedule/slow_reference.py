"""A plain, slow critical path: hours in lists, dates relaxed until nothing moves. For tests only.

Durations and lags are whole hours. Links hold between instants: what ends, ends at the end of its last worked hour;
what starts, starts with the next one.
"""

from bisect import bisect_left
from datetime import datetime, timedelta

from turnup.schedule.model import HOUR

FIRST = datetime(2025, 6, 2)
HOURS = 24 * 900
ONE = timedelta(hours=1)


class Hours:
    """The worked hours of a calendar as a list of their starts."""

    def __init__(self, calendar):
        every = (FIRST + n * ONE for n in range(HOURS))
        self.starts = [moment for moment in every if self.worked(calendar, moment)]

    @staticmethod
    def worked(calendar, moment):
        shifts = calendar.exceptions.get(moment.date(), calendar.week[moment.weekday()])
        return any(first <= moment.hour * HOUR < last for first, last in shifts)

    def count(self, moment):
        return bisect_left(self.starts, moment)

    def start(self, count):
        return self.starts[count]

    def end(self, count):
        return self.starts[count - 1] + ONE


_LISTS = {}


def hours_of(name, calendar):
    """Hours of a calendar, listed once."""
    if _LISTS.get(name, (None,))[0] is not calendar:
        _LISTS[name] = (calendar, Hours(calendar))
    return _LISTS[name][1]


class Slow:
    """Early and late coordinates of activities given as dicts: hours, calendar, floor, limit."""

    def __init__(self, calendars, activities, links, origin):
        self.hours = {name: hours_of(name, calendar) for name, calendar in calendars.items()}
        self.activities, self.links, self.origin = activities, links, origin

    def of(self, code):
        return self.hours[self.activities[code]["calendar"]]

    def shifted(self, moment, link, sign):
        """A moment with the link's lag added or taken, on the lag's calendar; ends stay ends, starts starts."""
        instant, at_end = moment
        if link["lag"] == 0:
            return instant
        hours = self.hours[link["lag_calendar"]]
        count = hours.count(instant) + sign * link["lag"]
        return hours.end(count) if at_end else hours.start(count)

    def early(self):
        start = {c: max(self.of(c).count(self.origin), a.get("floor", 0)) for c, a in self.activities.items()}
        moved = True
        while moved:
            moved = False
            for link in self.links:
                pred, succ, kind = link["pred"], link["succ"], link["kind"]
                finish = start[pred] + self.activities[pred]["hours"]
                leaving = (
                    (self.of(pred).end(finish), True) if kind[0] == "F" else (self.of(pred).start(start[pred]), False)
                )
                value = self.of(succ).count(self.shifted(leaving, link, 1))
                if kind[1] == "F":
                    value -= self.activities[succ]["hours"]
                if value > start[succ]:
                    start[succ], moved = value, True
        return start

    def late(self, start):
        last = max(self.of(c).end(start[c] + a["hours"]) for c, a in self.activities.items())
        finish = {c: min(self.of(c).count(last), a.get("limit", 10**9)) for c, a in self.activities.items()}
        moved = True
        while moved:
            moved = False
            for link in self.links:
                pred, succ, kind = link["pred"], link["succ"], link["kind"]
                late_start = finish[succ] - self.activities[succ]["hours"]
                next_work = self.of(succ).start(late_start if kind[1] == "S" else finish[succ]), False
                value = self.of(pred).count(self.shifted(next_work, link, -1))
                if kind[1] == "F":
                    end = self.of(pred).count(self.shifted((self.of(succ).end(finish[succ]), True), link, -1))
                    early = start[pred] + (self.activities[pred]["hours"] if kind[0] == "F" else 0)
                    value = end if end >= early else value
                if kind[0] == "S":
                    value += self.activities[pred]["hours"]
                if value < finish[pred]:
                    finish[pred], moved = value, True
        return finish, last
