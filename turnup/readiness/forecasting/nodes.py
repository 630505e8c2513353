"""The words of the programme's own network: its activities, why each takes as long as it does, and the project of them.

Belongs here: what a node is, ids, and how nodes become a project. Does not: which nodes there are (``network``).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Literal

import polars as pl

from turnup.schedule.model import ACTIVITY, DAY, ELAPSED, HOUR, LINK, Options, Project, WorkCalendar
from turnup.schedule.simulation import Fixed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from turnup.schedule.simulation import Distribution

PROGRAMME = "programme"
"""Id of the project of the programme's own nodes."""
WORK = "Monday to Friday"
"""Key of the calendar on which the work of gates is done."""
SHIFT = 8 * HOUR
"""A working day, in seconds."""
_SHIFTS = ((8 * HOUR, 12 * HOUR), (13 * HOUR, 17 * HOUR))

Role = Literal["gate", "ready", "arrival", "undated", "delay", "target"]


@dataclass(frozen=True)
class Basis:
    """Where a duration comes from: the kind of source, which class of cases, how many, and a sentence where needed."""

    method: str
    of: str = ""
    n: int | None = None
    note: str = ""


MILESTONE = Basis("logic")


@dataclass(frozen=True)
class Node:
    """An activity of the programme's own network.

    Attributes:
        duration: of the remaining work, in seconds of the calendar's time.
        planned: the most likely duration, in the same.
        finished: the day on which evidence says that it was done.
        started: the day on which its work was seen under way.
        group: nodes of one group have durations that move together.
        unknown: why nothing can be said of how long it takes; empty where something can.
    """

    id: str
    name: str
    role: Role
    calendar: str
    duration: Distribution
    planned: float
    basis: Basis
    system: str = ""
    block: str = ""
    gate: str = ""
    owner: str = ""
    finished: date | None = None
    started: date | None = None
    group: str = ""
    unknown: str = ""


def milestone(identity: str, name: str, role: Role, **more: str) -> Node:
    """A node without work: it is reached when everything before it is."""
    return Node(identity, name, role, ELAPSED, Fixed(0), 0, MILESTONE, **more)  # type: ignore[arg-type]


def gate_id(system: str, block: str, gate: str) -> str:
    """The id of a gate of a block."""
    return f"gate/{system}/{block}/{gate}"


def data_instant(as_of: date) -> datetime:
    """When what remains begins: the end of the data date."""
    return datetime.combine(as_of, time()) + timedelta(days=1)


def working_calendar(holidays: Collection[date]) -> WorkCalendar:
    """Monday to Friday, eight hours a day, without the programme's holidays."""
    return WorkCalendar(WORK, (_SHIFTS,) * 5 + ((),) * 2, dict.fromkeys(sorted(holidays), ()))


def project_of(
    nodes: Collection[Node], as_of: date, holidays: Collection[date], links: Iterable[tuple[str, str]]
) -> Project:
    """The project of these nodes; ``links`` are their own and those from activities of other projects."""
    now = data_instant(as_of)
    activities = [_activity(node, row, now) for row, node in enumerate(nodes, start=1)]
    rows = [_link(pred, succ, row) for row, (pred, succ) in enumerate(links, start=1)]
    return Project(
        id=PROGRAMME, name="Programme", tool="table", data_date=now, planned_start=None, must_finish=None,
        stored_finish=None, options=Options(), calendars={WORK: working_calendar(holidays)}, default_calendar=WORK,
        activities=pl.DataFrame(activities, schema=ACTIVITY), links=pl.DataFrame(rows, schema=LINK),
    )  # fmt: skip


def _activity(node: Node, row: int, now: datetime) -> dict[str, object]:
    known: dict[str, object] = dict.fromkeys(ACTIVITY)
    done, under_way = node.finished is not None, node.started is not None
    seconds = round(node.planned)
    return known | {
        "id": node.id,
        "code": node.id,
        "name": node.name,
        "kind": "task",
        "status": "completed" if done else "in_progress" if under_way else "not_started",
        "calendar": node.calendar,
        "manual": False,
        "duration_s": seconds,
        "remaining_s": 0 if done else seconds,
        "actual_start": evening(node.finished) if done else min(evening(node.started), now) if under_way else None,
        "actual_finish": evening(node.finished) if done else None,
        "owner": node.owner,
        "system": node.system or None,
        "block": node.block or None,
        "gate": node.gate or None,
        "row": row,
    }


def evening(day: date | None) -> datetime:
    """The end of a working day."""
    return datetime.combine(day or date.min, time()) + timedelta(seconds=_SHIFTS[-1][1])


def _link(pred: str, succ: str, row: int) -> dict[str, object]:
    return dict.fromkeys(LINK) | {
        "pred": pred, "succ": succ, "type": 0, "lag_s": 0, "elapsed": False, "external": False, "row": row,
    }  # fmt: skip


def days(number: float) -> float:
    """Calendar days in seconds."""
    return number * DAY


def working(number: float) -> float:
    """Working days in seconds of working time."""
    return number * SHIFT


def day_of(instant: datetime) -> date:
    """The day on which something that ends at an instant is done: midnight is the end of the day before."""
    return (instant - timedelta(seconds=1)).date()
