"""Escalations of section 9 and of page 4: what was raised, to whom, for how long, and why."""

from collections import Counter, defaultdict

from reports.build.cells import figure, system, table, words
from reports.build.sections.commitments import line_anchor
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph, Row
from reports.text import anchor
from reports.wording import DASH, listed, plural, quantity, unit_name

RULES = {
    "p80_past_commit": "P80 past commit date",
    "old_blocker": "Old blocker",
    "regression": "Gate regressed",
    "single_vendor_shortage": "Shortage at a single vendor",
    "expired_waiver": "Waiver expired",
    "overdue_decision": "Decision overdue",
}
_LEVELS = ("sponsor", "programme", "owner")
_CHANGES = {"raised": "new", "reopened": "reopened", "level": "level raised"}


def escalation_count(week: Week) -> str:
    """Return one sentence: how many are open at which level, how many are new and how many were closed."""
    rows = week.escalations
    closed = len(week.rows("mart.escalations", change="closed"))
    if not rows:
        return f"no escalation open, {closed} closed this week"
    by_level = Counter(r.text("level") for r in rows)
    told = listed([f"{by_level[level]} at the {level}" for level in _LEVELS if by_level[level]])
    new = sum(r.text("change") in ("raised", "reopened") for r in rows)
    return f"{plural(len(rows), 'escalation')} open{f' ({told})' if told else ''}: {new} new, {closed} closed this week"


def escalation_blocks(week: Week) -> list[Block]:
    """Build the escalations of section 9: open ones, then those closed this week."""
    if not week.warehouse.has("mart.escalations"):
        return []
    gone = week.rows("mart.escalations", change="closed")
    rows = [*week.escalations, *sorted(gone, key=lambda r: r.text("escalation_id"))]
    if not rows:
        return [Paragraph("No rule raised an escalation.")]
    steps = _steps(week)
    heads = ("Escalation", "System", "Level", "Asked", ">Open", ">Holds", ">Late", "Cause", "Steps")
    note = "Rules, levels and addressees are those of programme.yaml. One whose cause is gone is closed."
    cells = (_row(week, r, steps[r.text("escalation_id")]) for r in rows)
    return [table("S9-escalations", escalation_count(week), heads, cells, cap=80, of=len(rows), note=note)]


def _steps(week: Week) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = defaultdict(list)
    for row in week.rows("mart.escalation_steps"):
        found[row.text("escalation_id")].append(row)
    for rows in found.values():
        rows.sort(key=lambda r: r.count("step_no"))
    return found


def _row(week: Week, row: Record, steps: list[Record]) -> Row:
    closed = row.day("closed_on")
    held = f"{quantity(row.number('capacity'))} {unit_name(row.text('unit'))}" if row.amount("capacity") else ""
    change = f"closed: {row.text('closed_because')}" if closed else _CHANGES.get(row.text("change"), "")
    cells = (
        words(RULES.get(row.text("rule"), row.text("rule")), note=row.text("subject")),
        system(row.text("system_id")),
        words(row.text("level"), note=change),
        words(row.text("addressee")),
        Cell(plural(row.count("weeks_open"), "week"), row.count("weeks_open"), note=f"since {row.day('open_since')}"),
        Cell(held or DASH, row.number("capacity")),
        figure(row.whole("days"), suffix=" d"),
        words(row.text("cause"), link=_evidence(week, row)),
        words("; ".join(f"{s.text('step')} {s.text('in_week')} ({s.text('level')})" for s in steps)),
    )
    return Row(cells, anchor("ESC", row.text("escalation_id")))


def _evidence(week: Week, row: Record) -> str:
    """The anchor of the rows behind a cause: a blocker's evidence, an entry of the register, a contract line."""
    rule, first = row.text("rule"), row.text("evidence").split(", ")[0]
    if rule in ("old_blocker", "regression"):
        return anchor("EV", first)
    if rule in ("expired_waiver", "overdue_decision"):
        return anchor("RAID", first)
    if rule == "p80_past_commit":
        line = week.lines.get(row.text("evidence"))
        return line_anchor(line) if line else ""
    return anchor("SYS", row.text("system_id"))


def escalation_sentence(week: Week) -> list[Block]:
    """Return the count for page 4, with a link to the register of escalations."""
    if not week.warehouse.has("mart.escalations"):
        return []
    told = escalation_count(week)
    return [Paragraph(f"{told[0].upper()}{told[1:]}.", link="S9-escalations")]
