"""The integrated schedule of one cluster, as its planner saves it from Microsoft Project.

Belongs here: tasks, their links and their progress as the planner tells it. Does not: when things happen (``fleet``). A
task's progress is that of the units behind it, so the schedule agrees with the trackers except where
``contradictions`` makes it disagree.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from examples.demo.fleet import Unit, reached
from examples.demo.sheet import Drop, Table
from examples.demo.systems import BY_ID
from examples.demo.weeks import WED, at, day, label

SYSTEM = "ABL-GPU-2"
_COLUMNS = {
    "ID": "task", "Task Name": "name", "Outline Level": "outline_level", "Duration": "duration_d",
    "Actual Start": "actual_start", "Actual Finish": "actual_finish", "% Complete": "percent",
    "Predecessors": "predecessors", "Resource Names": "owner", "Minimum Duration": "optimistic_d",
    "Maximum Duration": "pessimistic_d", "Baseline Finish": "baseline_finish", "System": "system_id", "Pod": "block",
    "Stage Gate": "gate",
}  # fmt: skip
# A table has no name of its own; its rows get one, so that a second schedule can stand beside it.
_NAME = {"main": SYSTEM}
_SOURCE = {
    "files": f"*{SYSTEM} schedule *.csv", "format": "schedule_table", "owner": "Priya Raman", "max_age_days": 15,
}  # fmt: skip
SOURCES: dict[str, dict[str, Any]] = {
    "abl-gpu-2-schedule": {**_SOURCE, "dataset": "activities", "values": {"project_id": _NAME}},
    "abl-gpu-2-schedule-links": {
        **_SOURCE,
        "dataset": "activity_links",
        "values": {"project_id": _NAME, "pred_project_id": _NAME},
    },
}
_WEEKS = (36, 38, 40, 42, 43, 44)

# gate, task, the unit's day that ends it, working days: least, planned, most; who
_STEPS: tuple[tuple[str, str, str, tuple[int, int, int], str], ...] = (
    ("install", "Rack and cable", "racked", (3, 5, 9), "Crew A"),
    ("power_bringup", "Power on and provision", "provisioned", (2, 3, 6), "Bring-up team"),
    ("l1", "Validate rails", "linked", (3, 5, 12), "Network team"),
    ("acceptance", "All-reduce acceptance", "tested", (4, 6, 12), "Acceptance lab"),
    ("handoff", "Production handover", "handed", (1, 2, 4), "Arun Mehta"),
)
HALL, SPINE, SPARES = 1, 2, 3
_FIRST = 10


def drops(units: list[Unit]) -> list[Drop]:
    """Return the schedule of every week in which the planner sent it."""
    own = [unit for unit in units if unit.system.system_id == SYSTEM]
    return [
        Drop(at(week, WED, "15:00"), f"{SYSTEM} schedule {label(week)}.csv", "abl-gpu-2-schedule",
             Table(list(_COLUMNS), _tasks(own, day(week, WED))))
        for week in _WEEKS
    ]  # fmt: skip


def task_number(block: str, gate: str) -> int:
    """Return the number of the task that stands for a gate of a block."""
    place = [name for name, _, _ in BY_ID[SYSTEM].blocks].index(block)
    return _FIRST * (place + 1) + 1 + [step[0] for step in _STEPS].index(gate)


def _tasks(units: list[Unit], today: date) -> list[list[Any]]:
    ready, spine = date(2026, 10, 14), date(2026, 9, 18)
    rows = [
        _single(HALL, "Hall B energised", "0 days", ready, today, "Luis Ortega", None),
        _single(SPINE, "Spine fabric cabled and lit", "8 days", spine, today, "Network team", None),
        _single(SPARES, "Spare optics counted", "2 days", None, today, "Grace Okafor", None),
    ]
    for place, (block, _, need) in enumerate(BY_ID[SYSTEM].blocks):
        rows.append([_FIRST * (place + 1), f"{SYSTEM} {block}", 1, *[None] * (len(_COLUMNS) - 3)])
        own = [unit for unit in units if unit.block == block]
        rows += [_step(block, number, own, today, need) for number in range(len(_STEPS))]
    return rows


def _single(
    number: int, name: str, duration: str, done: date | None, today: date, owner: str, predecessors: str | None
) -> list[Any]:
    finished = done if reached(done, today) else None
    return [number, name, 1, duration, finished, finished, 100 if finished else 0, predecessors, owner,
            *[None] * (len(_COLUMNS) - 9)]  # fmt: skip


def _step(block: str, number: int, units: list[Unit], today: date, need: date) -> list[Any]:
    gate, name, stage, (least, planned, most), owner = _STEPS[number]
    days = sorted(moment for unit in units if reached(moment := getattr(unit, stage), today))
    finished = days[-1] if len(days) == len(units) else None
    started = min(days) - timedelta(days=1) if days else None
    after = sum(step[3][1] for step in _STEPS[number + 1 :])
    return [
        task_number(block, gate), f"{name} {block}", 2, f"{planned} days", started, finished,
        100 * len(days) // len(units), _predecessors(block, number), owner, f"{least} days", f"{most} days",
        _back(need, after), SYSTEM, block, gate,
    ]  # fmt: skip


def _predecessors(block: str, number: int) -> str:
    """The step before; racking follows the hall, and the block before it with a day between crews."""
    gate = _STEPS[number][0]
    if number:
        before = str(task_number(block, _STEPS[number - 1][0]))
        return f"{before};{SPINE}" if gate == "l1" else before
    blocks = [name for name, _, _ in BY_ID[SYSTEM].blocks]
    place = blocks.index(block)
    return str(HALL) if place == 0 else f"{HALL};{task_number(blocks[place - 1], gate)}FS+1 day"


def _back(moment: date, days: int) -> date:
    """Return the day so many working days before another."""
    while days:
        moment -= timedelta(days=1)
        days -= moment.weekday() < 5
    return moment
