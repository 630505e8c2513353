"""One-page sheets: what both kinds share, and the sheet of a system. Sheets of sites are in ``site_sheets``."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from reports.build.annex import facts, funnel_table, gates_by_block, summary
from reports.build.cells import change, figure, state, system, table, when, words
from reports.build.comments import comment_blocks
from reports.build.evidence import Behind
from reports.build.made_later import Later
from reports.build.sections.commitments import commitment_order, line_anchor
from reports.build.sections.gates import without_title
from reports.build.sections.raid import stated_effect
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph, Row, Table
from reports.models.sheets import BOXES, Box, Sheet
from reports.text import anchor, file_stems, shorten
from reports.wording import DASH, plural, quantity, share, unit_name

_LINES, _BLOCKERS, _GATES, _ENTRIES = 8, 6, 5, 6
"""Rows shown per box, so that a sheet stays one page; what is left is counted."""
_CLAUSE = 90
PLACES = 1
"""Rows read per blocker: a sheet says where the worst one stands."""


def build_system_sheets(week: Week) -> list[Later]:
    """Return one sheet per system, in order of system id, each made when it is asked for."""
    rows = sorted(week.rows("mart.systems"), key=lambda r: r.text("system_id"))
    stems = file_stems([row.text("system_id") for row in rows])
    parts = by_system(week, PARTS)
    means = {r.text("system_id"): r for r in week.rows("mart.metrics", metric="schedulable_mean_7d")}
    behind = Behind(week, PLACES)
    heads = [
        _head(row, stem, means.get(row.text("system_id"), Record({}))) for row, stem in zip(rows, stems, strict=True)
    ]
    return [
        (head, partial(_system_sheet, week, row, head, parts, behind)) for row, head in zip(rows, heads, strict=True)
    ]


def _head(row: Record, stem: str, mean: Record) -> Sheet:
    identity = row.text("system_id")
    return Sheet(
        kind="system",
        id=anchor("SYS", identity),
        subject=identity,
        file=stem,
        name=row.text("name"),
        status=row.text("status") or "grey",
        summary=summary(row),
        facts=facts(row, mean),
        boxes=(),
    )


_OF_A_GATE = ("system_id", "block", "gate_no", "gate", "title", "state", "entered_on", "passed_on", "criteria", "met",
              "no_data")  # fmt: skip
PARTS = ("commitments", "funnel", "gates", "blockers", "gate_forecasts", "raid", "waivers", "watermelons")
Parts = Mapping[str, Mapping[str, list[Record]]]
"""Rows per result table and system id."""


def by_system(week: Week, names: Iterable[str]) -> Parts:
    """Return the rows of result tables by the system they name."""
    found: dict[str, dict[str, list[Record]]] = {name: defaultdict(list) for name in names}
    for name, groups in found.items():
        for row in _rows(week, name):
            groups[row.text("system_id")].append(row)
    return found


def _rows(week: Week, name: str) -> tuple[Record, ...]:
    """Rows of a result table; of the gates, which are many, what a sheet prints."""
    if name == "gates":
        return week.warehouse.narrow("mart.gates", _OF_A_GATE)
    return week.blockers if name == "blockers" else week.rows(f"mart.{name}")


def boxes(own: str, content: Mapping[str, Sequence[Block]]) -> tuple[Box, ...]:
    """Return every box in its order; `own` begins their ids."""
    return tuple(Box(f"{own}-{name}", title, tuple(content[name])) for name, title in BOXES)


def _system_sheet(week: Week, row: Record, head: Sheet, parts: Parts, behind: Behind) -> Sheet:
    identity = row.text("system_id")
    mine = {name: groups.get(identity, []) for name, groups in parts.items()}
    content: dict[str, Sequence[Block]] = {
        "commitments": commitment_blocks(mine["commitments"]),
        "funnel": (funnel_table("funnel", row, mine["funnel"]),),
        "gates": (gates_by_block("gates", mine["gates"]),),
        "blockers": blocker_blocks(week, mine["blockers"], behind),
        "forecast": forecast_blocks(mine["commitments"], mine["gate_forecasts"]),
        "raid": raid_blocks(mine["raid"], mine["waivers"]),
        "comment": comment_blocks(week, [row], mine),
    }
    return replace(head, boxes=boxes("BOX", {name: _of_one_system(blocks) for name, blocks in content.items()}))


def _of_one_system(blocks: Sequence[Block]) -> list[Block]:
    """Tables without the column that says which system, since all rows are of one."""
    return [_without(block, "System") if isinstance(block, Table) else block for block in blocks]


def _without(block: Table, label: str) -> Table:
    kept = [number for number, column in enumerate(block.columns) if column.label != label]
    if len(kept) == len(block.columns):
        return block
    rows = tuple(replace(row, cells=tuple(row.cells[number] for number in kept)) for row in block.rows)
    return replace(block, columns=tuple(block.columns[number] for number in kept), rows=rows)


def commitment_blocks(rows: list[Record]) -> list[Block]:
    """Contract lines: the first contract date beside the one in force, what is due and what is there."""
    if not rows:
        return [Paragraph("no data: no contract line names it", "absent")]
    heads = ("Contract line", "System", ">Quantity", "Baseline", "Contract date", ">Moved", ">Schedulable",
             ">Shortfall", "Status")  # fmt: skip
    cells = (
        (
            words(r.line(), link=line_anchor(r)),
            system(r.text("system_id")),
            words(f"{quantity(r.amount('quantity'))} {unit_name(r.text('unit'))}"),
            when(r.day("first_contract_date") or r.day("contract_date"), status=""),
            when(r.day("contract_date")),
            change(r.whole("moved_days"), " d"),
            figure(r.number("schedulable")),
            figure(r.number("shortfall")),
            state(r.text("status") or "grey", shorten(r.text("status_reason"), _CLAUSE)),
        )
        for r in sorted(rows, key=commitment_order)
    )
    return [table("lines", plural(len(rows), "contract line"), heads, cells, cap=_LINES)]


def blocker_blocks(week: Week, rows: list[Record], behind: Behind) -> list[Block]:
    """Blockers by rank, each with the number of rows behind it and where the worst of them stands."""
    if not rows:
        return [Paragraph("No blocker holds capacity.")]
    files = week.file_names
    heads = ("Criterion not met", "System", "Gate", ">Holds", ">Age", "Owner", "Evidence")
    cells = ((*_blocker(row), _evidence(row, files, behind)) for row in rows)
    return [table("blockers", plural(len(rows), "blocker"), heads, cells, cap=_BLOCKERS, of=len(rows))]


def _blocker(row: Record) -> tuple[Cell, ...]:
    return (
        words(shorten(row.text("title") or row.text("criterion"), _CLAUSE), note=shorten(without_title(row), _CLAUSE)),
        system(row.text("system_id"), row.text("block") if row.text("block") != "all" else ""),
        words(row.text("gate_title") or row.text("gate")),
        words(f"{quantity(row.number('capacity_held'))} {unit_name(row.text('unit'))}"),
        figure(row.whole("age_days"), suffix=" d"),
        words(row.text("owner") or row.text("owner_role") or "no owner"),
    )


def _evidence(row: Record, files: Mapping[str, str], behind: Behind) -> Cell:
    _, _, rows = behind.rows(row)
    first = next(iter(rows), Record({}))
    line = f"row {first.text('_row')}" if first.text("_row") else ""
    at = ", ".join(part for part in (files.get(first.text("_ingest"), ""), first.text("_sheet"), line) if part)
    count = plural(row.count("evidence_rows"), "row") if row.count("evidence_rows") else "no data"
    return words(count, link=anchor("EV", row.text("blocker_id")), note=shorten(at, _CLAUSE))


def forecast_blocks(lines: list[Record], gates: list[Record]) -> list[Block]:
    """When each open contract line will be met, and when each gate that is still to pass."""
    waiting = [r for r in sorted(lines, key=commitment_order) if r.amount("schedulable") < r.amount("quantity")]
    blocks: list[Block] = []
    if waiting:
        heads = ("Contract line", "System", "Contract", "P50", "P80", ">Chance", ">Last week", ">Slip week",
                 ">Since baseline", "What decides it")  # fmt: skip
        blocks.append(
            table("dates", "Dates of what is to come", heads, map(_dates, waiting), cap=_LINES, of=len(waiting))
        )
    elif lines:
        blocks.append(Paragraph("All contracted capacity is schedulable: nothing is left to forecast."))
    ahead = sorted(
        (r for r in gates if r.day("p50")),
        key=lambda r: (str(r.day("p50")), r.text("system_id"), r.text("block"), r.count("gate_no")),
    )
    if ahead:
        columns = ("Gate", "System", "P50", "P80")
        cells = map(_gate_dates, ahead)
        blocks.append(
            table("gate-dates", f"{plural(len(ahead), 'gate')} to come", columns, cells, cap=_GATES, of=len(ahead))
        )
    return blocks or [Paragraph("no data: no forecast has been made", "absent")]


def _gate_dates(row: Record) -> tuple[Cell, ...]:
    name, where = words(row.text("title"), note=_block(row)), system(row.text("system_id"))
    return (name, where, when(row.day("p50")), when(row.day("p80")))


def _block(row: Record) -> str:
    return f"block {row.text('block')}" if row.text("block") not in ("", "all") else ""


def _dates(row: Record) -> tuple[Cell, ...]:
    note = row.text("forecast_note")
    return (
        words(row.line(), link=line_anchor(row)),
        system(row.text("system_id")),
        when(row.day("contract_date")),
        when(row.day("p50")),
        when(row.day("p80")),
        Cell(share(row.number("confidence"))),
        Cell(share(row.number("confidence_prev"))),
        change(row.whole("slip_week_days"), " d"),
        change(row.whole("slip_baseline_days"), " d"),
        words(shorten(row.text("driver") or note, _CLAUSE)),
    )


def raid_blocks(rows: list[Record], waivers: list[Record]) -> list[Block]:
    """Entries of the RAID log that are open, waivers with them, the next due first."""
    waived = {r.text("id") for r in waivers}
    found = [r for r in rows if not r.day("closed") and r.text("id") not in waived]
    found.sort(key=lambda r: (str(r.day("due") or r.day("needed_by") or "9999"), r.text("id")))
    if not found and not waivers:
        return [Paragraph("No entry of the RAID log is open and no waiver is in force.")]
    heads = ("Entry", "System", "Type", ">Effect", "Owner", "Due", "State")
    cells = [*map(_entry, found), *map(_waiver, waivers)]
    title = f"{plural(len(found), 'open entry', 'open entries')}, {plural(len(waivers), 'waiver')}"
    return [table("entries", title, heads, cells, cap=_ENTRIES)]


def _entry(row: Record) -> Row:
    due = row.day("due") or row.day("needed_by")
    cells = (
        words(f"{row.text('id')} {shorten(row.text('title'), _CLAUSE)}", link=anchor("RAID", row.text("id"))),
        system(row.text("system_id")),
        words(row.text("type")),
        words(stated_effect(row)),
        words(row.text("owner") or row.text("decider") or "no owner"),
        when(due),
        state("overdue") if row.flag("is_overdue") else words("open"),
    )
    return Row(cells)


def _waiver(row: Record) -> Row:
    left = row.whole("days_left")
    cells = (
        words(f"{row.text('id')} {row.text('gate')} {row.text('criterion')}", link=anchor("RAID", row.text("id"))),
        system(row.text("system_id")),
        words("waiver"),
        words(f"carries {quantity(row.number('quantity'))}" if row.has("quantity") else DASH),
        words(row.text("approver") or "no approver"),
        when(row.day("expiry")),
        state("expired") if row.flag("expired") else words(f"{left} d left" if left is not None else "no expiry"),
    )
    return Row(cells)
