"""Sections 9, 10 and 12: RAID register; decisions and actions; what the next fourteen days bring."""

from reports.build.cells import change, figure, state, system, table, when, words
from reports.build.decisions import urgency
from reports.build.sections.escalations import escalation_blocks, escalation_count
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph, Row, Section
from reports.text import anchor
from reports.wording import DASH, days, plural, quantity


def raid_section(week: Week) -> Section:
    """Build section 9: escalations, then risks, issues and changes.

    An item that was not reviewed for 14 days, or that no person owns, is shown as unowned.
    """
    rows = [r for r in week.rows("mart.raid") if r.text("type") in ("risk", "issue", "change")]
    if not week.warehouse.delivered("raid") and not rows:
        note = Paragraph("no data: raid not delivered", "absent")
        return Section("9", "S9", "RAID", note.text, (*escalation_blocks(week), note))
    rows.sort(key=lambda r: (not r.flag("is_overdue"), not r.flag("is_new"), -r.amount("impact_days"), r.text("id")))
    unowned = sum(r.flag("not_reviewed") for r in rows)
    new = sum(r.flag("is_new") for r in rows)
    overdue = sum(r.flag("is_overdue") for r in rows)
    heads = ("Item", "System", "Severity", ">Probability", ">Impact", ">Exposure", "Owner", ">Age", "Due", "State")
    title = f"{plural(len(rows), 'item')} open or changed"
    blocks = (
        *escalation_blocks(week),
        table("S9-items", title, heads, (raid_row(r) for r in rows), cap=80, of=len(rows)),
    )
    message = f"{len(rows)} open or changed: {new} new, {overdue} overdue, {unowned} not reviewed for 14 days"
    if week.warehouse.has("mart.escalations"):
        message = f"{escalation_count(week)}; {message}"
    return Section("9", "S9", "RAID", message, blocks)


def raid_row(row: Record) -> Row:
    """Return one RAID item with its exposure: probability times impact in days, where both are given."""
    probability, impact = row.number("probability"), row.number("impact_days")
    exposure = probability * impact if probability is not None and impact is not None else None
    units = f"{quantity(row.number('impact_units'))} units" if row.amount("impact_units") else ""
    flags = [name for name, flag in (("new", "is_new"), ("overdue", "is_overdue")) if row.flag(flag)]
    flags += [f"closed {row.day('closed')}"] if row.day("closed") else []
    flags += [missing(row)] if row.has("missing_since") else []
    owner, doubts = row.text("owner") or "no owner", unowned(row)
    cells = (
        words(f"{row.text('id')} {row.text('title')}", note=row.text("text")),
        system(row.text("system_id"), row.text("gate")),
        words(f"{row.text('type')}, {row.text('severity') or 'no severity'}"),
        Cell(f"{round(probability * 100)} %" if probability is not None else DASH, probability),
        Cell(days(impact), impact, note=units),
        Cell(days(round(exposure, 1)) if exposure is not None else DASH, exposure),
        words(f"unowned: {owner}" if doubts else owner, note=", ".join(doubts)),
        figure(row.whole("age_days"), suffix=" d"),
        when(row.day("due")),
        words(", ".join(flags) or "open"),
    )  # fmt: skip
    return Row(cells, anchor("RAID", row.text("id")))


def unowned(row: Record) -> list[str]:
    """Return why an item counts as unowned: nobody reviewed it in time, or its owner is no person."""
    doubts = ["not reviewed for 14 days"] if row.flag("not_reviewed") else []
    return doubts + (
        [f"owner is {row.text('owner_fault')}"] if row.has("owner_fault") and not row.day("closed") else []
    )


def missing(row: Record) -> str:
    """Return since when an item that was never closed is missing from the log."""
    return f"missing from the log since {row.text('missing_since')}"


def actions_section(week: Week) -> Section:
    """Build section 10: decisions with options and consequence, then actions."""
    decisions = sorted(
        week.rows("mart.decisions"),
        key=lambda r: (bool(r.day("closed")), str(r.day("needed_by") or "9999"), r.text("id")),
    )
    actions = [r for r in week.rows("mart.raid") if r.text("type") == "action"]
    actions.sort(key=lambda r: (bool(r.day("closed")), str(r.day("due") or "9999"), r.text("id")))
    waiting = [r for r in decisions if not r.day("closed")]
    late = sum(r.flag("is_overdue") for r in actions)
    heads = (
        "Decision",
        "Options",
        "Recommended",
        "Decider",
        "Needed by",
        "If not decided",
        ">Effect",
        ">A week later",
        ">Age",
        "Outcome",
    )
    title = f"{plural(len(waiting), 'decision')} open, {len(decisions) - len(waiting)} closed"
    blocks: list[Block] = [
        table("S10-decisions", title, heads, (_decision_row(week, r) for r in decisions), cap=60, of=len(decisions))
    ]
    columns = ("Action", "System", "Owner", "Due", ">Age", "State")
    blocks.append(
        table(
            "S10-actions",
            f"{plural(len(actions), 'action')}",
            columns,
            (_action_row(r) for r in actions),
            cap=60,
            of=len(actions),
        )
    )
    message = f"{plural(len(waiting), 'decision')} open; {plural(len(actions), 'action')}, {late} overdue"
    if not decisions and not actions and not week.warehouse.delivered("raid"):
        note = Paragraph("no data: raid not delivered", "absent")
        return Section("10", "S10", "Decisions and actions", note.text, (note,))
    return Section("10", "S10", "Decisions and actions", message, tuple(blocks))


def _decision_row(week: Week, row: Record) -> Row:
    closed = row.day("closed")
    status = "" if closed else urgency(row.day("needed_by"), week.as_of)
    cells = (
        words(f"{row.text('id')} {row.text('title')}"),
        words(row.text("options") or "no options stated"),
        words(row.text("recommended")),
        words(row.text("decider") or "no decider named"),
        when(row.day("needed_by"), status=status),
        words(row.text("consequence") or "consequence not stated"),
        words(stated_effect(row)),
        _later(row),
        figure(row.whole("age_days"), suffix=" d"),
        words(f"{row.text('outcome')} ({closed.isoformat()})" if closed else "open"),
    )
    return Row(cells, anchor("RAID", row.text("id")))


def _later(row: Record) -> Cell:
    """By how much P80 moves when the decision is made a week late, or why that is not known."""
    moved = row.whole("delay_days")
    return words(DASH, note=row.text("delay_note")) if moved is None else change(moved, " d")


def stated_effect(row: Record) -> str:
    """Return the impact of an item in days and units, as far as the register states it."""
    parts = [f"{quantity(row.number('impact_days'))} d"] if row.amount("impact_days") else []
    parts += [f"{quantity(row.number('impact_units'))} units"] if row.amount("impact_units") else []
    return ", ".join(parts)


def _action_row(row: Record) -> Row:
    done = row.day("closed")
    cells = (
        words(f"{row.text('id')} {row.text('title')}", note=row.text("text")),
        system(row.text("system_id")),
        words(row.text("owner") or "no owner", note="" if done else ", ".join(unowned(row))),
        when(row.day("due")),
        Cell(days(row.whole("age_days")), row.whole("age_days"), note=missing(row) if row.has("missing_since") else ""),
        words(f"closed {done.isoformat()}") if done else state("overdue") if row.flag("is_overdue") else words("open"),
    )
    return Row(cells, anchor("RAID", row.text("id")))
