"""Section 1 on chains: what waiting systems wait for in the end, where that is not what it was last week.

Belongs here: the comparison of two weeks' chains. Does not: the chains themselves (``chains``).
"""

from reports.build.cells import system, table, when, words
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Row
from reports.text import shorten
from reports.wording import plural, signed

_MOVED_DAYS = 2
"""Days by which the day of the same last thing must move to be a line, as with the dates of commitments."""
_Key = tuple[str, str]


def leaf_changes(week: Week) -> list[Block]:
    """Return the table of blocks whose chain ends elsewhere than last week, or on another day; else nothing."""
    before, now = _first(week.before("chains")), _first(week.rows("mart.chains"))
    rows = []
    for key in sorted(before.keys() | now.keys()):
        was, now_at = before.get(key), now.get(key)
        named = now_at or was
        if named is not None and _changed(was, now_at):
            rows.append(_row(named, was, now_at))
    if not rows:
        return []
    heads = ("System", "Waited in the end for", "Waits now for", "Owner", "Day", ">Moved")
    title = f"{plural(len(rows), 'waiting block')} with another last thing, or another day of it, than last week"
    return [table("S1-leaves", title, heads, rows, cap=40)]


def _first(rows: tuple[Record, ...]) -> dict[_Key, Record]:
    return {(r.text("system_key"), r.text("block")): r for r in rows if r.count("rank") == 1}


def _changed(was: Record | None, now: Record | None) -> bool:
    if was is None or now is None or was.text("leaf_id") != now.text("leaf_id"):
        return True
    days = _moved(was, now)
    return was.has("leaf_date") != now.has("leaf_date") or (days is not None and abs(days) > _MOVED_DAYS)


def _moved(was: Record | None, now: Record | None) -> int | None:
    """Days by which the day of the same last thing moved."""
    if was is None or now is None or was.text("leaf_id") != now.text("leaf_id"):
        return None
    before, after = was.day("leaf_date"), now.day("leaf_date")
    return (after - before).days if before and after else None


def _row(named: Record, was: Record | None, now: Record | None) -> Row:
    block = named.text("block")
    days = _moved(was, now)
    return Row(
        (
            system(named.text("system_id"), f"block {block}" if block not in ("", "all") else ""),
            _leaf(was, "waited for no other system"),
            _leaf(now, "waits for no other system"),
            words((now.text("leaf_owner") or "no owner") if now else ""),
            _day(now),
            Cell(signed(days, " d"), days) if days is not None else words(""),
        )
    )


def _leaf(row: Record | None, otherwise: str) -> Cell:
    if row is None:
        return words(otherwise)
    return words(shorten(row.text("leaf"), 120), note=f"at {row.text('leaf_system_id')}")


def _day(row: Record | None) -> Cell:
    on = row.day("leaf_date") if row else None
    return Cell(when(on).text, on, note=row.text("leaf_date_kind")) if row and on else words("no date" if row else "")
