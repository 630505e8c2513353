"""A plain slow simulation: one iteration after the other, in Python, on drawn durations that it is given.

Milestones, links and calendars follow the words of ``turnup.schedule.kernels``; pools are searched by trying every
instant at which one becomes free.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from turnup.schedule.simulation import NEVER, ActivityNetwork, Uncertainty
from turnup.schedule.simulation.inputs import FF, FS, SF, SS
from turnup.schedule.working_time import (
    ALWAYS,
    carry_finish,
    carry_start,
    clocks_of,
    finish_instant,
    start_instant,
    work_at,
)

LAST = 1 << 62


@dataclass
class Iteration:
    """What one iteration gives, by activity id; instants, and coordinates of the own calendar."""

    finish: dict[str, int] = field(default_factory=dict)
    critical: set[str] = field(default_factory=set)
    drivers: dict[str, set[str]] = field(default_factory=dict)

    def driving(self, members: tuple[str, ...]) -> set[str]:
        """Activities on a driving path to the last of some."""
        live = [name for name in members if name in self.drivers]
        latest = max(self.finish[name] for name in members)
        found: set[str] = set()
        ahead = [name for name in live if self.finish[name] == latest]
        while ahead:
            name = ahead.pop()
            if name not in found:
                found.add(name)
                ahead += self.drivers[name]
        return found


class Reference:
    """A network and its uncertainty, ready to be run on durations."""

    def __init__(self, network: ActivityNetwork, uncertainty: Uncertainty) -> None:
        self.network, self.uncertainty = network, uncertainty
        dates = [int(date) for date in (*network.start_from, *network.finish_from) if date != NEVER]
        self.first = min(dates, default=0)
        self.clocks = network.clocks or clocks_of((ALWAYS,), 0, 0)
        self.elapsed = next(k for k, always in enumerate(self.clocks.always) if always)
        self.live = [row for row in range(len(network.ids)) if network.finished[row] == NEVER]
        links = range(len(network.pred))
        self.into = {
            row: [k for k in links if network.succ[k] == row and network.pred[k] in self.live] for row in self.live
        }
        self.out = {
            row: [k for k in links if network.pred[k] == row and network.succ[k] in self.live] for row in self.live
        }
        planned = self._forward(
            {row: int(network.remaining[row]) for row in self.live}, self._topological(), pools=False
        )
        self.order = self._by_priority(planned[0]) if uncertainty.pools else self._topological()

    def _topological(self) -> list[int]:
        order: list[int] = []
        while len(order) < len(self.live):
            order.append(
                next(
                    r for r in self.live if r not in order and all(self.network.pred[k] in order for k in self.into[r])
                )
            )
        return order

    def _by_priority(self, planned: dict[int, int]) -> list[int]:
        network = self.network

        def rank(row: int) -> int:
            own = -LAST if network.started[row] else self.uncertainty.priorities.get(network.ids[row], LAST)
            return min([own, *(rank(int(network.succ[k])) for k in self.out[row])])

        key = {
            r: (rank(r), start_instant(self.clocks, network.calendar[r], planned[r]), network.ids[r], r)
            for r in self.live
        }
        order: list[int] = []
        ready = [key[row] for row in self.live if not self.into[row]]
        heapq.heapify(ready)
        while ready:
            row = heapq.heappop(ready)[-1]
            order.append(row)
            for after in sorted({int(network.succ[k]) for k in self.out[row]}):
                if all(network.pred[k] in order for k in self.into[after]):
                    heapq.heappush(ready, key[after])
        return order

    def _carry(self, first: int, second: int, work: int, ends: bool) -> int:
        return (carry_finish if ends else carry_start)(self.clocks, int(first), int(second), int(work))

    def _moved(self, first: int, lag: int, lag_calendar: int, second: int, work: int, ends: bool) -> int:
        if lag:
            work, first = self._carry(first, lag_calendar, work, ends) + lag, lag_calendar
        return self._carry(first, second, work, ends)

    def _allowed(self, link: int, work: int, start, finish):
        n = self.network
        before, after, kind = int(n.pred[link]), int(n.succ[link]), int(n.link_type[link])
        at = finish[before] if kind in (FS, FF) else start[before]
        at = self._moved(
            n.calendar[before], int(n.lag[link]), n.lag_calendar[link], n.calendar[after], at, kind in (FS, FF)
        )
        return at - work if kind in (FF, SF) else at

    def _stand(self, row: int, instant_work: int, late: bool) -> int:
        side, own, calendar = self.network.side[row], int(self.network.own[row]), int(self.network.calendar[row])
        if side == 0:
            return instant_work
        instant = finish_instant(self.clocks, calendar, instant_work)
        work = work_at(self.clocks, own, instant)
        begins, ends = start_instant(self.clocks, own, work), finish_instant(self.clocks, own, work)
        if side == 1:
            stands = instant if late else begins
        else:
            stands = ends if late or ends == instant else begins
        return work_at(self.clocks, calendar, stands)

    def _forward(
        self, work: dict[int, int], order: list[int], *, pools: bool
    ) -> tuple[dict[int, int], dict[int, int], dict[int, set[int]]]:
        n, start, finish, drivers = self.network, {}, {}, {}
        taken: dict[str, list[tuple[int, int, int, int]]] = {pool.id: [] for pool in self.uncertainty.pools}
        for row in order:
            calendar = int(n.calendar[row])
            ready = work_at(self.clocks, calendar, max(int(n.start_from[row]), self.first))
            if n.finish_from[row] != NEVER:
                ready = max(ready, work_at(self.clocks, calendar, int(n.finish_from[row])) - work[row])
            allowed = {link: self._allowed(link, work[row], start, finish) for link in self.into[row]}
            ready = self._stand(row, max([ready, *allowed.values()]), late=False)
            start[row] = self._placed(row, ready, work[row], taken) if pools else ready
            finish[row] = start[row] + work[row]
            if start[row] > ready:
                drivers[row] = self._freed(row, start[row], taken)
            else:
                drivers[row] = {
                    int(n.pred[k]) for k, at in allowed.items() if self._same(row, at) >= self._same(row, ready)
                }
            if pools and work[row]:
                for use in self._uses(row):
                    taken[use.pool].append((*self._span(row, start[row], work[row]), use.units, row))
        return start, finish, drivers

    def _same(self, row: int, at: int) -> int:
        n = self.network
        return at if n.side[row] == 0 else self._carry(n.calendar[row], n.own[row], at, ends=False)

    def _uses(self, row: int) -> list:
        return [use for use in self.uncertainty.uses if use.activity == self.network.ids[row]]

    def _span(self, row: int, start: int, work: int) -> tuple[int, int]:
        calendar = int(self.network.calendar[row])
        return start_instant(self.clocks, calendar, start), finish_instant(self.clocks, calendar, start + work)

    def _placed(self, row: int, ready: int, work: int, taken: dict[str, list[tuple[int, int, int, int]]]) -> int:
        uses = self._uses(row)
        if not uses or not work:
            return ready
        calendar = int(self.network.calendar[row])
        ends = {work_at(self.clocks, calendar, end) for use in uses for _, end, _, _ in taken[use.pool]}
        return next(
            start
            for start in sorted({ready, *(end for end in ends if end > ready)})
            if all(self._fits(use, self._span(row, start, work), taken[use.pool]) for use in uses)
        )

    def _fits(self, use, span: tuple[int, int], taken: list[tuple[int, int, int, int]]) -> bool:
        capacity = next(pool.capacity for pool in self.uncertainty.pools if pool.id == use.pool)
        moments = [span[0], *(begin for begin, _, _, _ in taken if span[0] < begin < span[1])]
        return all(
            sum(units for begin, end, units, _ in taken if begin <= moment < end) + use.units <= capacity
            for moment in moments
        )

    def _freed(self, row: int, start: int, taken: dict[str, list[tuple[int, int, int, int]]]) -> set[int]:
        calendar = int(self.network.calendar[row])
        return {
            user
            for use in self._uses(row)
            for _, end, _, user in taken[use.pool]
            if work_at(self.clocks, calendar, end) == start
        }

    def run(self, durations: dict[str, int]) -> Iteration:
        """Schedule one iteration."""
        n, found = self.network, Iteration()
        work = {row: durations[n.ids[row]] for row in self.live}
        _, finish, drivers = self._forward(work, self.order, pools=bool(self.uncertainty.pools))
        for row in range(len(n.ids)):
            done = n.finished[row] != NEVER
            found.finish[n.ids[row]] = (
                int(n.finished[row]) if done else finish_instant(self.clocks, int(n.calendar[row]), finish[row])
            )
        found.drivers = {n.ids[row]: {n.ids[k] for k in rows} for row, rows in drivers.items()}
        if not self.uncertainty.pools:
            found.critical = self._critical(
                work, finish, max((found.finish[n.ids[row]] for row in self.live), default=0)
            )
        return found

    def _critical(self, work: dict[int, int], finish: dict[int, int], last: int) -> set[str]:
        n, late, critical = self.network, {}, set()
        for row in reversed(self.order):
            latest = work_at(self.clocks, int(n.calendar[row]), last)
            for link in self.out[row]:
                after, kind = int(n.succ[link]), int(n.link_type[link])
                if not n.binds[link]:
                    continue
                at = late[after] if kind in (FF, SF) else late[after] - work[after]
                at = self._moved(
                    n.calendar[after], -int(n.lag[link]), n.lag_calendar[link], n.calendar[row], at, kind in (FF, SF)
                )
                latest = min(latest, at + work[row] if kind in (SS, SF) else at)
            late[row] = self._stand(row, latest, late=True)
            if self._same(row, late[row]) <= self._same(row, finish[row]):
                critical.add(n.ids[row])
        return critical
