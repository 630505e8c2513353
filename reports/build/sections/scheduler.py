"""Section 7 on the scheduler: what it offers by cluster, who came and went, the week's hours, and what it withholds.

Belongs here: tables of scheduler evidence. Does not: what a state means (SQL models, readers).
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta

from reports.build.cells import figure, system, table, when, words
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell
from reports.wording import DASH, plural, share

_WITHHELD = ("maintenance", "fault", "withdrawn", "power_saving", "unknown")
_WEEK = timedelta(days=7)
_NO_DATA = "Instants are UTC. A snapshot older than its limit says nothing of the present."
_HOURS = (
    "A snapshot speaks until the next one, at most as long as its limit; gaps are no data, and no part of the share."
)


def scheduler_blocks(week: Week) -> list[Block]:
    """The tables; none where no scheduler has told of its nodes."""
    return [*_capacity(week), *_availability(week), *_churn(week), *_withheld(week)]


def _at(row: Record) -> datetime:
    """The instant of a snapshot, UTC."""
    return row.instant("observed_at") or datetime(1, 1, 1)  # noqa: DTZ001 - instants are stored in UTC without a zone


def _capacity(week: Week) -> list[Block]:
    by_cluster: dict[str, list[Record]] = defaultdict(list)
    for row in week.rows("mart.scheduler_capacity"):
        by_cluster[row.text("cluster")].append(row)
    if not by_cluster:
        return []
    heads = ("Cluster", "Systems", "Snapshot", ">Nodes", ">Offered", ">Accelerators offered", ">Installed",
             ">Week before", ">Maintenance", ">Fault", ">Withdrawn", ">Power saving",
             ">Unknown", ">GPUs short", ">In / out")  # fmt: skip
    cells = []
    for name, rows in sorted(by_cluster.items()):
        newest = max(rows, key=_at)
        if not newest.flag("counts"):
            at = f"no data: last {_at(newest):%d %b %H:%M}"
            cells.append((words(name), words(newest.text("systems")), words(at), *[words(DASH)] * 12))
            continue
        cells.append(_cluster(name, newest, rows))
    return [table("S7-scheduler", "What the schedulers offer", heads, cells, cap=40, note=_NO_DATA)]


def _cluster(name: str, newest: Record, rows: Sequence[Record]) -> tuple[Cell, ...]:
    at = _at(newest)
    before = [r for r in rows if _at(r) <= at - _WEEK]
    then = max(before, key=_at, default=None)
    lately = [r for r in rows if _at(r) > at - _WEEK]
    moved = f"{sum(r.count('entered') for r in lately)} / {sum(r.count('departed') for r in lately)}"
    return (
        words(name),
        words(newest.text("systems")),
        words(f"{at:%d %b %H:%M}"),
        figure(newest.whole("nodes")),
        figure(newest.whole("offered_nodes")),
        figure(newest.number("offered")),
        figure(newest.number("installed")),
        figure(then.number("offered")) if then else words(DASH),
        *(figure(newest.whole(column)) for column in _WITHHELD),
        figure(newest.whole("short_nodes")),
        words(moved),
    )


def _availability(week: Week) -> list[Block]:
    rows = sorted(week.rows("mart.scheduler_availability"), key=lambda r: r.text("cluster"))
    if not rows:
        return []
    heads = ("Cluster", ">Nodes", ">Offered, of known hours", ">Known, of the week", ">Maintenance, h", ">Fault, h",
             ">Withdrawn, h", ">Power saving, h", ">Unknown, h", "Worst node")  # fmt: skip
    cells = (
        (
            words(r.text("cluster")),
            figure(r.whole("nodes")),
            Cell(share(r.number("share"))),
            Cell(share(r.amount("known_hours") / (r.amount("known_hours") + r.amount("no_data_hours")))),
            *(figure(round(r.amount(f"{column}_hours"), 1)) for column in _WITHHELD),
            words(f"{r.text('worst_node')} {share(r.number('worst_share'))}"),
        )
        for r in rows
    )
    return [
        table(
            "S7-availability",
            "Node-hours of the week by what the scheduler did",
            heads,
            cells,
            cap=40,
            of=len(rows),
            note=_HOURS,
        )
    ]


def _churn(week: Week) -> list[Block]:
    rows = sorted(week.rows("mart.scheduler_churn"), key=lambda r: (r.text("cluster"), _at(r), r.text("node")))
    if not rows:
        return []
    grouped: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for r in rows:
        at = f"{_at(r):%d %b %H:%M}"
        grouped[r.text("cluster"), at, r.text("change")].append(r.text("node"))
    heads = ("Cluster", "Snapshot", "Change", ">Nodes", "Which")
    cells = (
        (words(name), words(at), words(change), figure(len(nodes)), words(_first(nodes)))
        for (name, at, change), nodes in grouped.items()
    )
    title = f"{plural(len(rows), 'node')} in or out between snapshots of the week"
    return [table("S7-churn", title, heads, cells, cap=40)]


def _first(nodes: Sequence[str], most: int = 8) -> str:
    more = f" and {len(nodes) - most} more" if len(nodes) > most else ""
    return ", ".join(nodes[:most]) + more


def _withheld(week: Week) -> list[Block]:
    rows = sorted(
        week.rows("mart.not_offered"), key=lambda r: (r.text("system_id"), r.text("standing"), r.text("unit_id"))
    )
    if not rows:
        return []
    heads = ("System", "Unit", ">Withheld", "Unit of capacity", "Why", "State", "Reason", "By", "Since", "File and row")
    cells = (
        (
            system(r.text("system_id")),
            words(r.text("unit_id")),
            figure(r.number("withheld")),
            words(r.text("unit")),
            words(r.text("standing")),
            words(r.text("state"), note=r.text("flags")),
            words(r.text("reason")),
            words(r.text("reason_by")),
            when(r.day("since")),
            words(f"{r.text('file')} row {r.text('row')}" if r.text("file") else ""),
        )
        for r in rows
    )
    title = f"{plural(len(rows), 'unit')} accepted and not offered in full"
    return [table("S7-not-offered", title, heads, cells, cap=80, of=len(rows))]
