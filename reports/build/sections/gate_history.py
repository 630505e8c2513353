"""Parts of section 4: what was lost or carried at gates this week, and which criteria are judged otherwise."""

from reports.build.cells import system, table, when, words
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph
from reports.wording import listed, plural

_SHOWN = ("expired", "regressed", "waived")
_ORDER = {name: place for place, name in enumerate(_SHOWN)}


def lost_and_carried(week: Week) -> list[Block]:
    """Return the table of waivers that ended, gates that fell back and gates that pass on waivers since last week."""
    if not week.warehouse.has("mart.gate_events"):
        return []
    now = week.rows("mart.gate_events", week=week.name)
    rows = [r for r in now if r.text("event") in _SHOWN]
    entered = sum(r.text("event") == "entered" for r in now)
    begun = f"{plural(entered, 'gate')} entered this week."
    if not rows:
        return [Paragraph(f"{begun} No gate regressed and no waiver ended.")]
    rows.sort(key=lambda r: (_ORDER[r.text("event")], r.text("system_id"), r.count("gate_no"), r.text("block")))
    heads = ("Event", "On", "System", "Gate", "Before", "Now", "Cause", "Waiver", "Decision")
    title = f"{plural(len(rows), 'event')}: waivers that ended, gates that fell back, gates that pass on waivers"
    return [table("S4-events", title, heads, (_event(r) for r in rows), cap=60, of=len(rows), note=begun)]


def _event(row: Record) -> tuple[Cell, ...]:
    block = row.text("block")
    return (
        words(row.text("event")),
        when(row.day("occurred_on")),
        system(row.text("system_id"), f"block {block}" if block not in ("", "all") else ""),
        words(row.text("title") or row.text("gate")),
        words(row.text("state_before")),
        words(row.text("state")),
        words(row.text("cause")),
        words(row.text("waiver_id")),
        words(row.text("decision_id")),
    )


def changed_playbooks(week: Week) -> list[Block]:
    """Return which criteria are judged otherwise than a week before; a change without a new version is said so."""
    rows = sorted(
        week.rows("mart.playbook_changes"), key=lambda r: (r.text("playbook"), r.text("gate"), r.text("criterion"))
    )
    if not rows:
        return []
    versions = sorted({_version(r) for r in rows})
    heads = ("Playbook", "Gate and criterion", "Change", "Before", "Now", ">Systems")
    title = f"Definition of gates changed: {listed(versions)}"
    return [table("S4-playbooks", title, heads, (_change(r) for r in rows), cap=40, of=len(rows))]


def _version(row: Record) -> str:
    before, now = row.text("version_before"), row.text("version")
    return f"{row.text('playbook')} {f'{before} to {now}' if before != now else 'without a new version'}"


def _change(row: Record) -> tuple[Cell, ...]:
    return (
        words(row.text("playbook"), note="no new version" if row.flag("is_silent") else ""),
        words(f"{row.text('gate')}.{row.text('criterion')}" if row.text("gate") != "*" else "no criterion"),
        words(row.text("change")),
        words(row.text("rule_before")),
        words(row.text("rule")),
        Cell(str(row.count("systems")), row.count("systems")),
    )
