"""Links of an MSPDI document: types, lags in tenths of a minute, and predecessors that are in another file.

Belongs here: what a ``PredecessorLink`` says. Does not: what a link to a summary means for the tasks below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from turnup.formats.schedule.mspdi.records import is_elapsed, is_percent
from turnup.schedule.model import LINK_TYPES, MOST_PERCENT

if TYPE_CHECKING:
    from turnup.formats.schedule.mspdi.records import Record
    from turnup.formats.schedule.mspdi.tasks import Task
    from turnup.formats.schedule.notes import Notes

TYPES = tuple(LINK_TYPES.index(name) for name in ("FF", "FS", "SF", "SS"))
"""By the number that MSPDI gives a type."""
_FS = "1"


def read_links(tasks: Iterable[Task], inactive: frozenset[str], notes: Notes) -> list[dict[str, Any]]:
    """The links in the order of the tasks that follow.

    Args:
        tasks: all tasks of the schedule.
        inactive: ids of tasks that are switched off; their links are, too.
        notes: gets what cannot be read and what leads out of the file.
    """
    held = {task.id: task for task in tasks}
    found: list[dict[str, Any]] = []
    for task in held.values():
        for link in task.record.records("PredecessorLink"):
            found += _link(link, task, held, inactive, notes)
    return found


def _link(
    link: Record, task: Task, held: dict[str, Task], inactive: frozenset[str], notes: Notes
) -> Iterator[dict[str, Any]]:
    name = task.record.text("Name") or task.id
    pred, written = link.text("PredecessorUID"), link.text("Type") or _FS
    if pred is None or pred in inactive:
        return
    if not written.isdecimal() or int(written) >= len(TYPES):
        message = f"a link to task '{name}' has the type {written}; expected 0 FF, 1 FS, 2 SF or 3 SS; it is left out"
        notes.add("link_type", message, severity="error", row=task.record.row, column="Type", value=written)
        return
    form = link.integer("LagFormat")
    percent = is_percent(form)
    # Tenths of a minute, whatever unit LagFormat shows them in; only percentages are the number itself.
    lag = (link.number("LinkLag", MOST_PERCENT) if percent else link.tenths("LinkLag")) or 0
    outside = _outside(link, pred, held)
    if outside is not None:
        message = f"task '{name}' follows {outside}, which is not in this file; the link is kept and holds nothing back"
        notes.add("external_link", message, row=task.record.row, column="PredecessorLink", value=outside)
    yield {
        "pred": outside or pred,
        "succ": task.id,
        "type": TYPES[int(written)],
        "lag_s": 0 if percent else int(lag),
        "elapsed": is_elapsed(form),
        "lag_percent": lag if percent else None,
        "external": outside is not None,
        "row": task.record.row,
    }


def _outside(link: Record, pred: str, held: dict[str, Task]) -> str | None:
    """What a predecessor that is not in the file is called; None when it is here."""
    if link.flag("CrossProject"):
        # Its UID counts in the other project, unless a task stands here in its place.
        stands_here = pred in held and held[pred].record.flag("ExternalTask")
        return None if stands_here else link.text("CrossProjectName") or f"task {pred} of another project"
    return None if pred in held else pred
