"""Section 13: one sheet per system with permalink."""

from collections import defaultdict
from dataclasses import replace
from decimal import Decimal

from reports.build.caps import most
from reports.build.cells import figure, table, words
from reports.build.evidence import EVIDENCE_CAP, rows_table
from reports.build.sections.commitments import commitment_table
from reports.build.sections.delivery import criteria_table
from reports.build.sections.quality import finding_row
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph, Table
from reports.models.governance import SystemSheet
from reports.palette import SEVERITY_ORDER, mark
from reports.text import anchor
from reports.wording import REACHED, day, kind_name, percent, plural, quantity, short_day, unit_name

FULL_SHEETS = 24
"""Systems whose tables stand in the report itself; every system has a page of its own beside it."""
_OF_A_SYSTEM = ("funnel", "gates", "criteria", "commitments", "blockers", "findings")


def system_sheets(week: Week) -> tuple[SystemSheet, ...]:
    """Return one entry per system, in order of system id; the worst in full."""
    rows = sorted(week.rows("mart.systems"), key=lambda r: r.text("system_id"))
    ranked = sorted(rows, key=_worst_first)[: most(FULL_SHEETS)]
    names = tuple(r.text("system_id") for r in ranked)
    whole = frozenset(names)
    keys = tuple(r.text("system_key") for r in ranked)
    metrics = week.rows("mart.metrics", metric="schedulable_mean_7d", system_id=names)
    means = {r.text("system_id"): r for r in metrics}
    groups = {name: _grouped(week, name, names) for name in _OF_A_SYSTEM}
    files = week.file_names
    proofs = _proofs(week, keys)
    return tuple(
        _sheet(row, {name: group[row.text("system_id")] for name, group in groups.items()}, proofs, files, means)
        if row.text("system_id") in whole
        else _entry(row)
        for row in rows
    )


def _worst_first(row: Record) -> tuple[int, Decimal, str]:
    """Red before amber, and so on; then by what is due and not there, whatever its unit; ids decide the rest."""
    status = row.text("status") or "grey"
    place = SEVERITY_ORDER.index(status) if status in SEVERITY_ORDER else len(SEVERITY_ORDER)
    due = row.amount("due")
    missing = (row.amount("schedulable") - due) / due if due else Decimal(0)
    return place, min(missing, Decimal(0)), row.text("system_id")


def _entry(row: Record) -> SystemSheet:
    """A system without its tables."""
    identity = row.text("system_id")
    status = row.text("status") or "grey"
    return SystemSheet(anchor("SYS", identity), identity, row.text("name"), status, summary(row), (), ())


def _proofs(week: Week, keys: tuple[str, ...]) -> dict[str, tuple[int, tuple[Record, ...]]]:
    """Rows behind each system's schedulable figure, its blocks together."""
    found: dict[str, tuple[int, tuple[Record, ...]]] = {}
    for (system, _), (total, rows) in sorted(week.warehouse.evidence("schedulable", EVIDENCE_CAP, of=keys).items()):
        before, shown = found.get(system, (0, ()))
        found[system] = (before + total, (*shown, *rows)[:EVIDENCE_CAP])
    return found


def _grouped(week: Week, name: str, systems: tuple[str, ...]) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = defaultdict(list)
    for row in week.rows(f"mart.{name}", system_id=systems):
        found[row.text("system_id")].append(row)
    return found


def _sheet(
    row: Record,
    parts: dict[str, list[Record]],
    proofs: dict[str, tuple[int, tuple[Record, ...]]],
    files: dict[str, str],
    means: dict[str, Record],
) -> SystemSheet:
    identity = row.text("system_id")
    own = anchor("SYS", identity)
    blocks: list[Block] = [funnel_table(own, row, parts["funnel"]), gates_table(own, parts["gates"])]
    unmet = [r for r in parts["criteria"] if r.text("state") not in ("met", "")]
    if unmet:
        unmet.sort(key=lambda r: (r.text("gate"), r.text("criterion"), r.text("block")))
        blocks.append(
            criteria_table(f"{own}-criteria", f"{plural(len(unmet), 'criterion', 'criteria')} not met", unmet, cap=30)
        )
    if parts["commitments"]:
        lines = sorted(
            parts["commitments"], key=lambda r: (str(r.day("contract_date")), r.text("contract"), r.text("line"))
        )
        sheet = commitment_table(lines, f"{own}-lines", "Contract lines")
        blocks.append(replace(sheet, rows=tuple(replace(r, id="") for r in sheet.rows), note=""))
    if parts["findings"]:
        heads = ("Finding", "Severity", "System", "Subject", "What was found", "File, sheet, row", "Since")
        title = plural(len(parts["findings"]), "finding")
        rows = [replace(finding_row(r), id="") for r in parts["findings"]]
        blocks.append(table(f"{own}-findings", title, heads, rows, cap=EVIDENCE_CAP))
    total, proof = proofs.get(row.text("system_key"), (0, ()))
    if proof:
        evidence = rows_table(f"{own}-evidence", "schedulable", total, proof, files)
        title = f"Evidence of schedulable: {plural(total, 'row')}"
        blocks.append(replace(evidence, title=title, folded=True) if isinstance(evidence, Table) else evidence)
    return SystemSheet(
        own,
        identity,
        row.text("name"),
        row.text("status") or "grey",
        summary(row),
        facts(row, means.get(identity, Record({}))),
        tuple(blocks),
    )


def summary(row: Record) -> str:
    """What of a system is schedulable, at which gate it stands and why it has its status."""
    unit = unit_name(row.text("unit"))
    words_ = f"{quantity(row.amount('schedulable'))} of {quantity(row.amount('contracted'))} {unit} schedulable"
    gate = row.text("current_gate")
    reason = row.text("status_reason")
    return f"{words_}{f'; at gate {gate}' if gate else ''}{f'; {reason}' if reason else ''}"


def facts(row: Record, mean: Record) -> tuple[tuple[str, str], ...]:
    """The facts box of a system; `mean` is its seven-day mean of schedulable."""
    claimed, computed = row.text("claimed_status"), row.text("status") or "grey"
    claim = mark(claimed).word if claimed else "none"
    if claimed and claimed != computed and claimed == "green":
        claim = f"{claim}, against the evidence ({mark(computed).word})"
    site = " ".join(part for part in (row.text("site_id"), row.text("site_name"), row.text("region")) if part)
    supply = ", ".join(p.replace("_", " ") for p in (row.text("supply_model"), row.text("facility")) if p)
    found = (
        ("Kind", kind_name(row.text("kind"))),
        ("Site", site),
        ("Supply", supply),
        ("Owner", row.text("owner") or "no owner"),
        ("Playbook", row.text("playbook")),
        ("Due now", f"{quantity(row.number('due'))} {unit_name(row.text('unit'))}"),
        (
            "Schedulable, 7-day mean",
            f"{quantity(round(mean.amount('value'), 1))} {unit_name(row.text('unit'))}" if mean.has("value") else "",
        ),
        ("Next contract date", day(row.day("next_contract_date"))),
        ("Weeks in status", quantity(row.whole("weeks_in_status"))),
        ("Claimed status", claim),
    )
    return tuple((name, value) for name, value in found if value)


def funnel_table(own: str, row: Record, stages: list[Record]) -> Block:
    """The stages of one system, each a subset of the one before."""
    if not stages:
        return Paragraph("no data: the funnel of this system has not been computed", "absent")
    stages = sorted(stages, key=lambda r: r.count("stage_no"))
    unit = row.text("unit")
    heads = ("Stage", f">Reached ({unit})", ">Of contracted", ">Held here", ">Excess")
    whole = row.number("contracted")
    cells = (_stage_row(stage, whole) for stage in stages)
    return table(f"{own}-funnel", "Funnel: each stage a subset of the one before", heads, cells)


def _stage_row(stage: Record, whole: Decimal | None) -> tuple[Cell, ...]:
    name = words(REACHED.get(stage.text("stage"), stage.text("stage")))
    if stage.has("applicable") and not stage.flag("applicable"):
        return (name, words("not applicable"), words(""), words(""), words(""))
    return (
        name,
        figure(stage.number("reached")),
        Cell(percent(stage.number("reached"), whole)),
        figure(stage.number("held")),
        figure(stage.number("excess")),
    )


def gates_table(own: str, gates: list[Record]) -> Block:
    """Blocks against gates in order; each cell: criteria met of all, state, and the day it passed or was entered."""
    if not gates:
        return Paragraph("no data: no playbook applies to this system, so no gate is evaluated", "absent")
    titles = {r.count("gate_no"): r.text("title") or r.text("gate") for r in gates}
    by_block: dict[str, dict[int, Record]] = defaultdict(dict)
    for row in gates:
        by_block[row.text("block")][row.count("gate_no")] = row
    heads = ("Block", *(titles[number] for number in sorted(titles)))
    rows = (
        (words(block), *(_gate_cell(cells.get(number)) for number in sorted(titles)))
        for block, cells in sorted(by_block.items())
    )
    return table(f"{own}-gates", "Gates: criteria met of all, per block", heads, rows, cap=60)


def gates_by_block(own: str, gates: list[Record]) -> Block:
    """The same, gates down and blocks across, where there is little width."""
    wide = gates_table(own, gates)
    if not isinstance(wide, Table):
        return wide
    first, *titles = (column.label for column in wide.columns)
    blocks = tuple(row.cells[0].text for row in wide.rows)
    rows = ((words(title), *(row.cells[n] for row in wide.rows)) for n, title in enumerate(titles, start=1))
    heads = ("Gate", *(f"{first} {block}" if block != "all" else "All blocks" for block in blocks))
    states = sorted({cell.status for row in wide.rows for cell in row.cells if cell.status})
    legend = ", ".join(f"{mark(state).glyph} {mark(state).word}" for state in states)
    return table(f"{own}-gates", wide.title, heads, rows, note=legend)


def _gate_cell(row: Record | None) -> Cell:
    if row is None:
        return words("")
    passed, entered = row.day("passed_on"), row.day("entered_on")
    at = f" {short_day(passed)}" if passed else f" since {short_day(entered)}" if entered else ""
    note = f"{mark(row.text('state')).word}{at}"
    silent = f", {row.count('no_data')} no data" if row.count("no_data") else ""
    return Cell(f"{row.count('met')}/{row.count('criteria')}{silent}", row.count("met"), row.text("state"), note=note)
