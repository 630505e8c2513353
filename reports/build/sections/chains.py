"""What waits for other systems: the chain of each block that waits, and the things at which chains end."""

from decimal import Decimal

from reports.build.cells import figure, system, table, when, words
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Row
from reports.text import shorten
from reports.wording import plural

_NOTE = (
    "Of several needs the one that comes last leads on. A day is as promised, or P80 of the gate where nobody promised "
    "one or the promise has passed."
)
_ABOVE = "Waiting above: contracted and not schedulable in the systems that need it, by kind; kinds are never added up."


def chain_blocks(week: Week) -> list[Block]:
    """Return the table of chains for the gate board, those that hold most first; nothing where no system waits."""
    above = {r.text("leaf_id"): r for r in week.rows("mart.chain_leaves")}
    rows = sorted(
        (r for r in week.rows("mart.chains") if r.count("rank") == 1),
        key=lambda r: (*_held(above.get(r.text("leaf_id")) or r), r.text("system_id"), r.text("block")),
    )
    if not rows:
        return []
    heads = ("System", "Gate that asks", "Waits for", "Needed system there#p80", "Owner", "Day", "Waiting above")
    systems = len({r.text("system_key") for r in rows})
    title = f"{plural(systems, 'system')} waiting for others, down to the last thing"
    cells = (_chain(r, above.get(r.text("leaf_id"))) for r in rows)
    return [table("S3-chains", title, heads, cells, cap=40, of=len(rows), note=f"{_NOTE} {_ABOVE}")]


def _chain(row: Record, leaf: Record | None) -> tuple[Cell, ...]:
    block = row.text("block")
    return (
        system(row.text("system_id"), f"block {block}" if block not in ("", "all") else ""),
        words(row.text("asked_title"), note="" if row.flag("decides") else "its own work comes later"),
        words(row.text("chain").removeprefix(f"{row.text('system_id')} waits for ")),
        when(row.day("p80")),
        words(row.text("leaf_owner") or "no owner"),
        _day(row, "leaf_date", row.text("leaf_date_kind")),
        words(leaf.text("waiting") if leaf else ""),
    )


def leaf_blocks(week: Week, identity: str, cap: int) -> list[Block]:
    """Return the things that systems wait for in the end, with owner and day, those that hold most first."""
    rows = sorted(week.rows("mart.chain_leaves"), key=lambda r: (*_held(r), r.text("leaf_id")))
    if not rows:
        return []
    heads = ("Waits in the end for", "At", "Owner", "Day", ">Systems above", "Waiting above")
    title = f"What other systems wait for in the end: {plural(len(rows), 'item')}"
    return [table(identity, title, heads, (_leaf(r) for r in rows), cap=cap, of=len(rows), note=_ABOVE)]


def _leaf(row: Record) -> Row:
    return Row(
        (
            words(shorten(row.text("leaf"), 120)),
            system(row.text("system_id")),
            words(row.text("owner") or "no owner"),
            _day(row, "on_date", row.text("date_kind")),
            figure(row.whole("systems_above")),
            words(row.text("waiting"), note=row.text("names_above")),
        )
    )


def _day(row: Record, column: str, kind: str) -> Cell:
    on = row.day(column)
    return Cell(when(on).text, on, note=kind) if on else words("no date")


def _held(row: Record) -> tuple[Decimal, int]:
    return -row.amount("accelerators"), -row.count("systems_above")
