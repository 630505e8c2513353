"""One exact pass with given durations: planned starts, and how far a run may reach.

Belongs here: the pass. Does not: what is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from turnup.schedule.compiled import kernel
from turnup.schedule.kernels import FF, FS, SS, Links, ahead, standing
from turnup.schedule.simulation.inputs import NEVER
from turnup.schedule.simulation.layout import first_instant
from turnup.schedule.working_time import finish_instant, start_instant, work_at

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from turnup.schedule.simulation.inputs import ActivityNetwork
    from turnup.schedule.simulation.order import Arranged
    from turnup.schedule.working_time import Clocks, Ints, Small


def reached(
    network: ActivityNetwork, clocks: Clocks, order: Arranged, work: tuple[Ints, Ints], uses: tuple[Small, Small]
) -> tuple[Ints, Ints]:
    """Return starts and finishes of positions as instants.

    Args:
        network: what is scheduled.
        clocks: its calendars.
        order: its activities in order.
        work: least and greatest duration of each position. What has to finish late starts latest when it is short.
        uses: pools of position k at ``uses[1][uses[0][k]]`` and on. Each user of a pool waits for all before it, so no
            schedule that shares the pool better finishes later.
    """
    rows = order.rows
    links = Links(
        network.calendar[rows], network.own[rows], network.side[rows], order.pred_ptr, order.pred,
        network.link_type[order.link], network.lag[order.link], network.lag_calendar[order.link],
        order.succ_ptr, order.succ, np.empty(0, dtype=np.int32),
    )  # fmt: skip
    earliest = first_instant(network)
    start_from = np.maximum(network.start_from[rows], earliest)
    pools = int(uses[1].max(initial=-1)) + 1
    return _pass(clocks, links, start_from, network.finish_from[rows], *work, *uses, np.full(pools, earliest))


@kernel()
def _pass(
    clocks: Clocks, links: Links, start_from: Ints, finish_from: Ints, least: Ints, work: Ints,
    use_ptr: Small, pool: Small, busy: NDArray[np.int64],
) -> tuple[Ints, Ints]:  # fmt: skip
    # Arrays are taken out of their tuple once: taking them out costs more than a link does.
    calendars, side, pred_ptr, pred, kinds = links.calendar, links.side, links.pred_ptr, links.pred, links.pred_type
    lags, lag_calendar, count = links.pred_lag, links.pred_lag_calendar, work.size
    start, finish = np.empty(count, np.int64), np.empty(count, np.int64)
    starts, finishes = np.empty(count, np.int64), np.empty(count, np.int64)
    for k in range(count):
        calendar = calendars[k]
        earliest = work_at(clocks, calendar, start_from[k])
        if finish_from[k] != NEVER:
            earliest = max(earliest, work_at(clocks, calendar, finish_from[k]) - least[k])
        for link in range(pred_ptr[k], pred_ptr[k + 1]):
            before, kind = pred[link], kinds[link]
            value = finish[before] if kind == FS or kind == FF else start[before]
            same = calendars[before] == calendar and (lags[link] == 0 or lag_calendar[link] == calendar)
            value = value + lags[link] if same else ahead(clocks, links, link, k, value)
            earliest = max(earliest, value if kind <= SS else value - least[k])
        for use in range(use_ptr[k], use_ptr[k + 1]):
            earliest = max(earliest, work_at(clocks, calendar, busy[pool[use]]))
        if side[k] != 0:
            earliest = standing(clocks, links, k, earliest, False)
        start[k], finish[k] = earliest, earliest + work[k]
        starts[k] = start_instant(clocks, calendar, start[k])
        finishes[k] = finish_instant(clocks, calendar, finish[k])
        for use in range(use_ptr[k], use_ptr[k + 1]):
            busy[pool[use]] = max(busy[pool[use]], finishes[k])
    return starts, finishes
