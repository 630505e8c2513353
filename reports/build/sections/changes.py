"""Section 1: what moved since last week, reconciled to the number; status flips, slips over two days, new reds."""

from decimal import Decimal

from reports.build.cells import change, figure, state, system, table, words
from reports.build.sections.leaf_changes import leaf_changes
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph, Row, Section
from reports.models.executive import WhatChanged
from reports.palette import SEVERITY_ORDER, mark
from reports.text import anchor
from reports.wording import kind_name, kind_rank, plural

_COMPONENTS = ("flow_in", "withdrawn", "transfer", "restated", "scope", "definition")
_SLIP_DAYS = 2


def changes_section(week: Week, changed: WhatChanged, said: list[Block]) -> Section:
    """Build section 1; `said` is what the last issue's own JSON says."""
    if not week.previous:
        note = Paragraph("First week of this programme: there is no earlier issue to compare with.")
        return Section("1", "S1", "Since last week", note.text, (note, *said))
    blocks: list[Block] = [_bridge(week), *said, *_rows(week), *_evidence(week)]
    blocks += [*_flips(week), *_slips(week), *leaf_changes(week)]
    if changed.check:
        blocks.append(Paragraph(changed.check, "note" if changed.reconciled else "warning"))
    return Section("1", "S1", f"Since {week.previous}", changed.answer, tuple(blocks))


def _bridge(week: Week) -> Block:
    heads = ("Kind (unit)", ">Opening", ">Became schedulable", ">Withdrawn", ">Moved", ">Restated", ">Scope",
             ">Definition", ">Closing", "Check")  # fmt: skip
    rows = sorted(week.rows("mart.change"), key=lambda r: kind_rank(r.text("kind")))
    return table("S1-bridge", "Opening to closing, per kind in its own unit", heads, (bridge_row(r) for r in rows))


def bridge_row(row: Record) -> Row:
    """Return one kind's bridge with its check: opening plus every component must give closing.

    `withdrawn` may be stored as a positive loss or as a signed change; a loss always lowers the closing figure.
    """
    parts = {name: row.amount(name) for name in _COMPONENTS}
    parts["withdrawn"] = -abs(parts["withdrawn"])
    total = row.amount("opening") + sum(parts.values(), Decimal(0))
    cells = (
        words(f"{kind_name(row.text('kind'))} ({row.text('unit')})"),
        figure(row.amount("opening")),
        *(change(parts[name]) for name in _COMPONENTS),
        figure(row.amount("closing")),
        state("balanced" if total == row.amount("closing") else "unbalanced"),
    )
    return Row(cells, anchor("CHG", row.text("kind")))


def _rows(week: Week) -> list[Block]:
    rows = [r for r in week.rows("mart.change_rows") if r.amount("quantity")]
    rows.sort(key=lambda r: (kind_rank(r.text("kind")), -abs(r.amount("quantity")), r.text("system_id")))
    if not rows:
        return [Paragraph("No system changed its schedulable capacity.")]
    heads = ("System", "Kind", ">Change", "Unit", "Component", "Cause", "Evidence")
    return [
        table("S1-rows", "Every change behind the bridge", heads, (_change_row(r) for r in rows), cap=80, of=len(rows))
    ]


def change_anchor(row: Record) -> str:
    """The permalink of one change behind the bridge."""
    return anchor("CHR", *(row.text(name) for name in ("kind", "system_id", "component")))


def _change_row(row: Record) -> Row:
    cells = (
        system(row.text("system_id")),
        words(kind_name(row.text("kind"))),
        change(row.amount("quantity")),
        words(row.text("unit")),
        words(row.text("component").replace("_", " ")),
        words(row.text("cause") or "no cause recorded"),
        words(row.text("evidence")),
    )
    return Row(cells, change_anchor(row))


def _evidence(week: Week) -> list[Block]:
    rows = [r for r in week.rows("mart.change_evidence") if r.text("file")]
    if not rows:
        return []
    rows.sort(key=lambda r: (kind_rank(r.text("kind")), r.text("system_id"), r.text("component"), r.count("row_no")))
    heads = ("System", "Unit or line", ">Change", "Component", "Cause", "File", ">Row")
    title = f"{plural(len(rows), 'row')} of the files behind these changes"
    return [table("S1-evidence", title, heads, (_evidence_row(r) for r in rows), cap=40, of=len(rows))]


def _evidence_row(row: Record) -> tuple[Cell, ...]:
    return (
        system(row.text("system_id")),
        words(row.text("unit_id")),
        change(row.amount("quantity")),
        words(row.text("component").replace("_", " ")),
        words(row.text("cause"), note=row.text("loss") or row.text("note")),
        words(" / ".join(part for part in (row.text("file"), row.text("sheet")) if part)),
        figure(row.whole("row")),
    )


def _flips(week: Week) -> list[Block]:
    before = {r.text("system_id"): r.text("status") for r in week.before("systems")}
    flips = [
        (before[r.text("system_id")], r)
        for r in week.rows("mart.systems")
        if r.text("system_id") in before and before[r.text("system_id")] != r.text("status")
    ]
    if not flips:
        return [Paragraph("No system changed its status.")]
    flips.sort(key=lambda f: (_rank(f[1].text("status")), f[1].text("system_id")))
    down = sum(_rank(r.text("status")) < _rank(was) for was, r in flips)
    heads = ("System", "Was", "Is", "Why")
    title = f"Status flips: {down} worse, {len(flips) - down} better"
    return [table("S1-flips", title, heads, (_flip_row(was, r) for was, r in flips), cap=40, of=len(flips))]


def _rank(status: str) -> int:
    return SEVERITY_ORDER.index(status) if status in SEVERITY_ORDER else len(SEVERITY_ORDER)


def _flip_row(was: str, row: Record) -> tuple[Cell, ...]:
    reason = words(row.text("status_reason"))
    return (system(row.text("system_id"), row.text("name")), words(mark(was).word), state(row.text("status")), reason)


def _slips(week: Week) -> list[Block]:
    rows = [r for r in week.rows("mart.commitments") if abs(r.count("slip_week_days")) > _SLIP_DAYS]
    if not rows:
        return [Paragraph(f"No commitment moved its P50 by more than {_SLIP_DAYS} days.")]
    rows.sort(key=lambda r: (-r.count("slip_week_days"), r.text("contract"), r.text("line")))
    heads = ("Contract line", "System", ">P50 slip this week", ">Since baseline", "Driver")
    title = f"{plural(len(rows), 'commitment')} moved more than {_SLIP_DAYS} days"
    return [table("S1-slips", title, heads, (_slip_row(r) for r in rows), cap=40, of=len(rows))]


def _slip_row(row: Record) -> tuple[Cell, ...]:
    return (
        words(row.line()),
        system(row.text("system_id")),
        change(row.whole("slip_week_days"), " d"),
        change(row.whole("slip_baseline_days"), " d"),
        words(row.text("driver")),
    )
