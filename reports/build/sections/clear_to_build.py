"""Clear-to-build in section 6: which blocks can be built, what paces the others, and what a decision could move."""

from collections.abc import Iterable

from reports.build.cells import figure, state, system, table, when, words
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell
from reports.wording import day, plural, quantity, unit_name

_ORDER = ("NO", "UNKNOWN", "YES")
_KINDS = {
    "transfer": "transfer between sites", "reallocation": "goods to come, given to another", "kitted": "kitted pieces",
    "spare": "spares, loans or evaluation units", "installed": "installed pieces",
}  # fmt: skip
_NOT_MOVED = "Nothing here is counted anywhere: each line needs a decision."


def clear_to_build_blocks(week: Week) -> list[Block]:
    """Return the blocks that wait to be built, and the proposals."""
    rows = [r for r in week.rows("mart.clear_to_build") if r.text("state") in _ORDER]
    if not rows:
        return []
    waiting = [r for r in rows if r.text("state") != "YES" or not r.flag("installed")]
    waiting.sort(
        key=lambda r: (
            _ORDER.index(r.text("state")), r.count("priority") if r.has("priority") else 10**6,
            str(r.day("need_date") or "9999"), r.text("system_id"), r.count("block_no"),
        )
    )  # fmt: skip
    clear = sum(r.text("state") == "YES" for r in rows)
    heads = ("Block", "Needed", ">Planned", ">Buildable#buildable", "Lines", "State", "Pacing part", "Kit complete",
             "P80", "Clear to install")  # fmt: skip
    title = f"Clear to build: {clear} of {plural(len(rows), 'block')}"
    note = f"{plural(len(rows) - len(waiting), 'block')} complete and installed left out." if waiting else ""
    return [
        table("S6-clear", title, heads, (_block(r) for r in waiting), cap=60, of=len(waiting), note=note),
        *_proposals(week.rows("mart.transfer_proposals")),
    ]


def _block(row: Record) -> tuple[Cell, ...]:
    unit = unit_name(row.text("unit"))
    buildable = f"{quantity(row.number('buildable'))} {unit}" if row.has("buildable") else ""
    return (
        system(row.text("system_id"), f"block {row.text('block')}"),
        when(row.day("need_date")),
        words(f"{quantity(row.number('planned'))} {unit}"),
        words(buildable, note=_held(row, unit)),
        words(f"{row.count('covered')} of {row.count('lines')}"),
        state(row.text("state")),
        words(row.text("pacing_part"), note=row.text("pacing_note")),
        when(row.day("kit_complete")),
        Cell(day(row.day("kit_complete_p80")), row.day("kit_complete_p80"), note=row.text("p80_basis")),
        state(row.text("clear_to_install"), _open_conditions(row)),
    )


def _held(row: Record, unit: str) -> str:
    """Say how much waits for optics, where and until when."""
    held, until = row.number("held_by_optics"), row.day("held_until")
    if not held:
        return ""
    time = f"until {day(until)}" if until else "and some have no day"
    return f"{quantity(held)} {unit} wait for optics {time}: {row.text('held_devices')}"


def _open_conditions(row: Record) -> str:
    """Name the conditions of an install that are not met or not known, besides the parts."""
    names = {"site_ready": "site ready", "design_released": "design released", "crew_booked": "crew booked"}
    said = (f"{word}: {row.text(name)}" for name, word in names.items() if row.text(name) in ("NO", "UNKNOWN"))
    return ", ".join(said)


def _proposals(rows: Iterable[Record]) -> list[Block]:
    found = list(rows)
    if not found:
        return []
    heads = ("For", "Part", ">Quantity", "What", "From", "There on", "Who goes short by it", "Row")
    title = plural(len(found), "proposal") + " for what is missing"
    return [table("S6-proposals", title, heads, (_proposal(r) for r in found), cap=30, of=len(found), note=_NOT_MOVED)]


def _proposal(row: Record) -> tuple[Cell, ...]:
    alternate = f"alternate for {row.text('needed_part')}" if row.flag("as_alternate") else ""
    holder = " ".join(part for part in (row.text("from_system"), row.text("from_block")) if part)
    return (
        system(row.text("system_id"), f"block {row.text('block')}"),
        words(row.text("part_number"), note=alternate),
        figure(row.number("quantity")),
        words(_KINDS.get(row.text("kind"), row.text("kind")), note=row.text("supply")),
        words(row.text("from_site")),
        when(row.day("available")),
        words(holder if row.flag("leaves_short") else "nobody"),
        words(f"{row.text('file')} row {row.text('row')}" if row.has("row") else ""),
    )
