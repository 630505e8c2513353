"""What the runs say: when a quantity is reached, and how much is reached by a day.

Belongs here: order statistics over the blocks of a system, quantiles, odds. Does not: drawing (``runs``), tables.

A block counts with all of its capacity on the day of its last gate, and until then with what is schedulable now. Of
blocks that finish in another order than planned, the first to finish serve the first lines. No quantile lies between
two runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from turnup.readiness.forecasting.nodes import data_instant, day_of
from turnup.readiness.forecasting.targets import last_gate, open_blocks
from turnup.schedule.simulation import inverse_ecdf
from turnup.schedule.working_time import moment_of, seconds_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from turnup.readiness.forecasting.computed import Bound
    from turnup.readiness.forecasting.made import Forecast
    from turnup.readiness.forecasting.targets import Target
    from turnup.schedule.simulation.joined import Joined


@dataclass(frozen=True)
class Flow:
    """Capacity to come of one system, block by block.

    Attributes:
        amounts: in thousandths of a unit, one per block that has a date.
        finishes: instants, blocks x iterations.
        lost: in thousandths, of blocks without a date; ``reason`` is that of the first.
    """

    amounts: NDArray[np.int64]
    finishes: NDArray[np.int64]
    lost: int
    reason: str

    def reached(self, remaining: Decimal) -> NDArray[np.int64] | str:
        """Instants at which so much more is there, by iteration; or why that cannot be said."""
        wanted = _thousandths(remaining)
        held = int(self.amounts.sum())
        if held < wanted:
            return self.reason if held + self.lost >= wanted else ""
        order = np.argsort(self.finishes, axis=0, kind="stable")
        ordered = np.take_along_axis(self.finishes, order, axis=0)
        enough = np.cumsum(self.amounts[order], axis=0) >= wanted
        found: NDArray[np.int64] = np.take_along_axis(ordered, enough.argmax(axis=0)[None, :], axis=0)[0]
        return found

    def gained(self, instant: int, at_most: Decimal) -> NDArray[np.int64]:
        """Capacity that came by an instant, in thousandths, by iteration."""
        come = (self.finishes <= instant).astype(np.int64)
        gained: NDArray[np.int64] = np.minimum(self.amounts @ come, _thousandths(at_most))
        return gained


def flow_of(bound: Bound, run: Joined, system: str) -> Flow:
    """The capacity to come of a system."""
    amounts, finishes, lost, reason = [], [], 0, ""
    for block in open_blocks(bound.making, system):
        open_quantity = _thousandths(block.planned - block.reached)
        last = last_gate(bound.making, block)
        why = f"every gate of block {block.name} has passed" if last is None else bound.reasons.get(last, "")
        if last is None or why:
            lost += open_quantity
            reason = reason or why
            continue
        amounts.append(open_quantity)
        finishes.append(run.samples(last))
    shape = (0, run.iterations)
    return Flow(
        np.array(amounts, dtype=np.int64),
        np.array(finishes, dtype=np.int64) if finishes else np.empty(shape, dtype=np.int64),
        lost,
        reason,
    )


def reached_by(made: Forecast, target: Target, members: Sequence[Target]) -> NDArray[np.int64] | str:
    """Instants at which a target is reached, by iteration, or why nothing can be said.

    Args:
        made: the forecast with its runs.
        target: not yet reached.
        members: the systems of a kind, as targets; a kind is reached when the last of them is.
    """
    if target.system is not None:
        return _of_system(made, target, target.system)
    latest: NDArray[np.int64] | None = None
    for member in members:
        if member.remaining == 0:
            continue
        found = reached_by(made, member, ())
        if isinstance(found, str):
            return f"{member.scope}: {found}"
        latest = found if latest is None else np.maximum(latest, found)
    return "no system of it is open" if latest is None else latest


def _of_system(made: Forecast, target: Target, system: str) -> NDArray[np.int64] | str:
    flow = made.flows.get(system)
    if flow is None:
        return made.bound.reasons.get(target.sink, "") or "nothing that is open has a date"
    found = flow.reached(target.remaining)
    return found or _short(target, flow) if isinstance(found, str) else found


def _short(target: Target, flow: Flow) -> str:
    known = target.present + Decimal(int(flow.amounts.sum()) + flow.lost) / 1000
    return f"its blocks bear {_plain(known)} of {_plain(target.target)} {target.unit}"


def quantile_day(ordered: NDArray[np.int64], percent: float, last: date) -> date | None:
    """The day that a share of runs does not exceed; None beyond the last day."""
    day = day_of(moment_of(inverse_ecdf(ordered, percent)))
    return day if day <= last else None


def odds(ordered: NDArray[np.int64], day: date | None) -> Decimal | None:
    """The share of runs that are done on or before a day."""
    if day is None:
        return None
    held = int(np.searchsorted(ordered, seconds_of(data_instant(day)), side="right"))
    return (Decimal(held) / Decimal(len(ordered))).quantize(Decimal("0.0001"))


def curve(
    flows: Mapping[str, Flow], members: Sequence[Target], as_of: date, weeks: int
) -> list[tuple[date, NDArray[np.int64]]]:
    """Capacity that all systems of a kind gain by each week end, in thousandths, sorted upwards over the runs."""
    found = []
    for week in range(1, weeks + 1):
        day = as_of + timedelta(weeks=week)
        instant = seconds_of(data_instant(day))
        gained = [flows[member.system or ""].gained(instant, member.remaining) for member in members]
        found.append((day, np.sort(np.sum(gained, axis=0, dtype=np.int64)) if gained else np.zeros(1, dtype=np.int64)))
    return found


def with_confidence(ordered: NDArray[np.int64], percent: int) -> int:
    """The largest value that at least this percentage of runs reaches."""
    return int(ordered[len(ordered) - max(1, -(-percent * len(ordered) // 100))])


def _thousandths(quantity: Decimal) -> int:
    return int(quantity * 1000)


def _plain(value: Decimal) -> str:
    return f"{value.normalize():f}"
