"""Section 13: one sheet per system with permalink, and evidence pages behind blockers and findings."""

from collections import defaultdict
from dataclasses import replace
from decimal import Decimal

from reports.build.cells import figure, table, words
from reports.build.sections.commitments import commitment_table
from reports.build.sections.delivery import criteria_table
from reports.build.sections.gates import ranked_blockers, without_title
from reports.build.sections.quality import finding_row, ordered_findings, place
from reports.build.warehouse import Record
from reports.build.week import Week, criterion_key
from reports.models.common import Block, Cell, Paragraph, Table
from reports.models.governance import Evidence, SystemSheet
from reports.palette import mark
from reports.text import anchor
from reports.wording import REACHED, day, kind_name, percent, plural, quantity, short_day, unit_name

_EVIDENCE_CAP = 12
_FINDING_CAP = 40
_BLOCKERS_WITH_EVIDENCE = 60


def system_sheets(week: Week) -> tuple[SystemSheet, ...]:
    """Return one sheet per system, in order of system id."""
    means = {r.text("system_id"): r for r in week.rows("mart.metrics") if r.text("metric") == "schedulable_mean_7d"}
    groups = {
        name: _grouped(week, name) for name in ("funnel", "gates", "criteria", "commitments", "blockers", "findings")
    }
    rows = sorted(week.rows("mart.systems"), key=lambda r: r.text("system_id"))
    files = week.file_names
    proofs = _proofs(week)
    return tuple(
        _sheet(row, {name: group[row.text("system_id")] for name, group in groups.items()}, proofs, files, means)
        for row in rows
    )


def _proofs(week: Week) -> dict[str, tuple[int, tuple[Record, ...]]]:
    """Rows behind each system's schedulable figure, its blocks together."""
    found: dict[str, tuple[int, tuple[Record, ...]]] = {}
    for (system, _), (total, rows) in sorted(week.warehouse.evidence("schedulable", _EVIDENCE_CAP).items()):
        before, shown = found.get(system, (0, ()))
        found[system] = (before + total, (*shown, *rows)[:_EVIDENCE_CAP])
    return found


def _grouped(week: Week, name: str) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = defaultdict(list)
    for row in week.rows(f"mart.{name}"):
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
        blocks.append(table(f"{own}-findings", title, heads, rows, cap=_EVIDENCE_CAP))
    total, proof = proofs.get(row.text("system_key"), (0, ()))
    if proof:
        evidence = _rows_table(f"{own}-evidence", "schedulable", total, proof, files)
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


def evidence_pages(week: Week) -> tuple[Evidence, ...]:
    """Return the rows behind each blocker (by rank, capped) and each kind of finding."""
    blockers = [_blocker_evidence(week, row) for row in ranked_blockers(week)[:_BLOCKERS_WITH_EVIDENCE]]
    return (*blockers, *_finding_evidence(week))


def rows_behind(week: Week, row: Record) -> tuple[str, int, tuple[Record, ...]]:
    """Return the metric of a blocker, how many rows are behind it, and the worst of them, the worst first."""
    criterion = week.criteria.get(criterion_key(row), row)
    metric = row.text("metric") or criterion.text("metric")
    found = week.warehouse.evidence(metric, _EVIDENCE_CAP, largest_first=criterion.text("comparison").startswith("<"))
    system, block = row.text("system_key"), row.text("block").casefold()
    total, rows = found.get((system, block)) or found.get((system, "")) or (0, ())
    return metric, total, rows


def _blocker_evidence(week: Week, row: Record) -> Evidence:
    metric, total, rows = rows_behind(week, row)
    title = f"{row.text('system_id')}: {row.text('title') or row.text('criterion')}"
    identity = anchor("EV", row.text("blocker_id"))
    content = _rows_table(f"{identity}-rows", metric, total, rows, week.file_names)
    return Evidence(identity, title, without_title(row), (content,))


def _rows_table(identity: str, metric: str, total: int, rows: tuple[Record, ...], files: dict[str, str]) -> Block:
    if not rows:
        return Paragraph("no data: no row of any delivered file bears on this criterion", "absent")
    heads = ("Unit", ">Value", "Dataset", "File, sheet, row", "Note")
    shown = f"; first {len(rows)} of {plural(total, 'row')}, worst first" if total > len(rows) else ""
    return table(
        identity, plural(total, "row"), heads, (_evidence_row(r, files) for r in rows), note=f"Metric {metric}{shown}."
    )


def _evidence_row(row: Record, files: dict[str, str]) -> tuple[Cell, ...]:
    name = files.get(row.text("_ingest"), row.text("file"))
    sheet = f"sheet {row.text('_sheet')}" if row.text("_sheet") else ""
    line = f"row {row.text('_row')}" if row.text("_row") else ""
    where = ", ".join(part for part in (name, sheet, line) if part)
    value = row.number("value")
    return (
        words(row.text("unit_id")),
        figure(round(value, 3)) if value is not None else words(row.text("value")),
        words(row.text("dataset")),
        words(where),
        words(row.text("note")),
    )


def _finding_evidence(week: Week) -> list[Evidence]:
    by_code: dict[str, list[Record]] = defaultdict(list)
    for row in ordered_findings(week):
        by_code[row.text("code")].append(row)
    heads = ("System", "Subject", "What was found", "Dataset", "File, sheet, row")
    pages = []
    for code in sorted(by_code):
        rows = by_code[code]
        identity = anchor("EVF", code)
        block = table(f"{identity}-rows", plural(len(rows), "row"), heads, map(_finding_cells, rows), cap=_FINDING_CAP)
        pages.append(
            Evidence(identity, f"Finding: {code.replace('_', ' ')}", plural(len(rows), "occurrence"), (block,))
        )
    return pages


def _finding_cells(row: Record) -> tuple[Cell, ...]:
    return (
        words(row.text("system_id")),
        words(row.text("subject")),
        words(row.text("message")),
        words(row.text("dataset")),
        words(place(row)),
    )
