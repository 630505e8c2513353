"""Sections 3 and 4: gate board and what waits at each gate; gate decisions of the week and the waiver register."""

# ruff: noqa: RUF001 - typographic dashes and signs are what readers should see

from collections import defaultdict

from reports.build.ageing import ageing
from reports.build.caps import most
from reports.build.cells import figure, missing, state, system, table, when, words
from reports.build.figures import heat_map
from reports.build.sections.chains import chain_blocks
from reports.build.sections.claims import contradicted_claims
from reports.build.sections.gate_history import changed_playbooks, lost_and_carried
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph, Row, Section
from reports.text import anchor
from reports.wording import days, listed, plural, quantity, unit_name

_LOOK_AHEAD_DAYS = 30
_WAITING = 40
"""Gates shown per site."""
_OPEN = ("not met", "no data", "stale")
HOLDS = "Holds: what waits at the gate, and what waits in systems that need this one."


def gate_board_section(week: Week) -> Section:
    """Build section 3: heat map, blockers, then what waits at each gate."""
    heat = heat_map(week.warehouse)
    blocks: list[Block] = [heat] if heat else [Paragraph("no data: no gate has been evaluated", "absent")]
    ages = ageing(week)
    blocks += [ages] if ages else []
    blocks += [*_blockers(week), *chain_blocks(week), *contradicted_claims(week), *_waiting(week)]
    blockers = week.rows("mart.blockers")
    message = heat.title if heat else "no gate has been evaluated"
    if blockers:
        message = f"{plural(len(blockers), 'blocker')}; {message[0].lower()}{message[1:]}"
    return Section("3", "S3", "Gate board", message, tuple(blocks))


def _blockers(week: Week) -> list[Block]:
    rows = week.blockers
    if not rows:
        return []
    heads = (">Rank", "Criterion not met", "System", "Gate", ">Holds", ">Age", ">Capacity-days", "Owner", ">Evidence")
    title = f"{plural(len(rows), 'blocker')}, by capacity held × days"
    return [table("S3-blockers", title, heads, (blocker_row(r) for r in rows), cap=60, of=len(rows), note=HOLDS)]


def without_title(row: Record) -> str:
    """Return a blocker's message without the title that it repeats."""
    return row.text("message").removeprefix(row.text("title")).lstrip(": ")


def blocker_row(row: Record) -> Row:
    """Return one blocker with a link to the rows behind it."""
    identity = row.text("blocker_id")
    held = f"{quantity(row.number('capacity_held'))} {unit_name(row.text('unit'))}"
    owner = row.text("owner") or row.text("owner_role") or "no owner"
    first = row.text("first_seen_week")
    evidence = f"{plural(row.count('evidence_rows'), 'row')}" if row.count("evidence_rows") else "no data"
    cells = (
        figure(row.whole("rank")),
        words(row.text("title") or row.text("criterion"), note=without_title(row)),
        system(row.text("system_id"), f"block {row.text('block')}" if row.text("block") not in ("", "all") else ""),
        words(row.text("gate")),
        Cell(held, row.number("capacity_held")),
        Cell(days(row.whole("age_days")), row.whole("age_days"), note=f"since {first}" if first else ""),
        figure(row.number("capacity_days")),
        words(owner, note=row.text("owner_role") if row.text("owner") else ""),
        Cell(evidence, row.count("evidence_rows"), link=anchor("EV", identity)),
    )
    return Row(cells, anchor("BLK", identity))


def _waiting(week: Week) -> list[Block]:
    waiting = week.rows("mart.gates", state=("in progress", "regressed"))
    if not waiting:
        return [Paragraph("No system is waiting at a gate.")]
    sites = {r.text("system_id"): (r.text("site_id"), r.text("site_name")) for r in week.rows("mart.systems")}
    by_site: dict[tuple[str, str], list[Record]] = defaultdict(list)
    for row in waiting:
        by_site[sites.get(row.text("system_id"), ("", ""))].append(row)
    shown = {name for rows in by_site.values() for name in _shown(rows)}
    unmet = _unmet(week, tuple(sorted(shown)))
    actions = _next_actions(week)
    heads = ("System", "Gate", "State", ">Waiting", ">Criteria met", "Missing criterion", "Owner", "Next action")
    blocks: list[Block] = []
    for (site, name), rows in sorted(by_site.items()):
        title = (
            f"{site} {name}: {plural(len(rows), 'gate')} waiting" if site else f"{plural(len(rows), 'gate')} waiting"
        )
        blocks.append(
            table(
                anchor("SITE", site),
                title,
                heads,
                (_waiting_row(r, unmet, actions) for r in rows),
                cap=_WAITING,
                of=len(rows),
            )
        )
    return blocks


def _shown(rows: list[Record]) -> set[str]:
    rows.sort(key=lambda r: (-r.count("days_waiting"), r.text("system_id"), r.count("gate_no"), r.text("block")))
    return {row.text("system_id") for row in rows[: most(_WAITING)]}


def _unmet(week: Week, systems: tuple[str, ...]) -> dict[tuple[str, str, str], list[Record]]:
    found: dict[tuple[str, str, str], list[Record]] = defaultdict(list)
    for row in week.rows("mart.criteria", state=_OPEN, system_id=systems):
        found[row.text("system_id"), row.text("block"), row.text("gate")].append(row)
    return found


def _next_actions(week: Week) -> dict[tuple[str, str], Record]:
    """The open action with the earliest due date per system and gate."""
    rows = [r for r in week.rows("mart.raid") if r.text("type") == "action" and not r.day("closed")]
    rows.sort(key=lambda r: (str(r.day("due") or "9999"), r.text("id")), reverse=True)
    of_system = {(r.text("system_id"), ""): r for r in rows}
    return {**of_system, **{(r.text("system_id"), r.text("gate")): r for r in rows}}


def _waiting_row(
    row: Record, unmet: dict[tuple[str, str, str], list[Record]], actions: dict[tuple[str, str], Record]
) -> tuple[Cell, ...]:
    identity = row.text("system_id")
    open_criteria = unmet.get((identity, row.text("block"), row.text("gate")), [])
    names = [f"{c.text('criterion')} ({c.text('state')})" for c in open_criteria]
    action = actions.get((identity, row.text("gate"))) or actions.get((identity, ""))
    block = row.text("block")
    return (
        system(identity, f"block {block}" if block not in ("", "all") else ""),
        words(row.text("title") or row.text("gate")),
        state(row.text("state")),
        figure(row.whole("days_waiting"), suffix=" d"),
        Cell(
            f"{row.count('met')}/{row.count('criteria')}",
            note=f"{row.count('no_data')} no data" if row.count("no_data") else "",
        ),
        words(listed(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")),
        words(row.text("owner_role") or "no owner"),
        words(_action_words(action), link=anchor("RAID", action.text("id")) if action else ""),
    )


def _action_words(action: Record | None) -> str:
    if action is None:
        return "none recorded"
    due = action.day("due")
    return f"{action.text('id')} {action.text('owner')}{f', due {due.isoformat()}' if due else ''}"


def gate_decisions_section(week: Week) -> Section:
    """Build section 4."""
    passed = week.gates_passed
    expiring = [r for r in week.rows("mart.waivers") if _expiring(r)]
    lost = lost_and_carried(week)
    blocks = [*_passed(passed), *lost, *_decided(week), *_waivers(week), *changed_playbooks(week)]
    message = (
        f"{plural(len(passed), 'gate')} passed this week; {plural(len(week.rows('mart.waivers')), 'waiver')} open, "
        f"{len(expiring)} expired or expiring within {_LOOK_AHEAD_DAYS} days"
    )
    return Section("4", "S4", "Gate decisions and waivers", message, tuple(blocks))


def _expiring(row: Record) -> bool:
    left = row.whole("days_left")
    return row.flag("expired") or (left is not None and left <= _LOOK_AHEAD_DAYS)


def _passed(rows: tuple[Record, ...]) -> list[Block]:
    if not rows:
        return [Paragraph("No gate passed this week.")]
    ordered = sorted(rows, key=lambda r: (r.text("system_id"), r.count("gate_no"), r.text("block")))
    heads = ("System", "Gate", "State", "Entered", "Passed", ">Criteria met")
    cells = (
        (
            system(r.text("system_id"), f"block {r.text('block')}" if r.text("block") not in ("", "all") else ""),
            words(r.text("title") or r.text("gate")),
            state(r.text("state")),
            when(r.day("entered_on")),
            when(r.day("passed_on")),
            words(f"{r.count('met')}/{r.count('criteria')}"),
        )
        for r in ordered
    )
    return [table("S4-passed", f"{plural(len(rows), 'gate')} passed", heads, cells, cap=40, of=len(rows))]


def _decided(week: Week) -> list[Block]:
    absent_note = missing([("gate_decisions", week.warehouse.delivered("gate_decisions"))])
    judged = week.warehouse.has("core.signed_decisions")
    source = "core.signed_decisions" if judged else "stg.gate_decisions"
    rows = [r for r in week.rows(source) if week.within(r.day("decided"))]
    if absent_note or not rows:
        return [*absent_note] or [Paragraph("No signed gate decision is dated in this week.")]
    rows.sort(key=lambda r: (str(r.day("decided")), r.text("system_id"), r.text("gate"), r.text("block")))
    heads = ("Decided", "System", "Block", "Gate", "Outcome", "Approver", "Dissent", "Document")
    title = f"{plural(len(rows), 'signed decision')}"
    return [table("S4-decided", title, heads, (_decision_row(r) for r in rows), cap=40, of=len(rows))]


def _decision_row(row: Record) -> tuple[Cell, ...]:
    due = row.day("actions_due")
    still = f"{row.text('actions')}{f', by {due.isoformat()}' if due else ''}"
    refused = "may not sign it: does not count" if row.has("entitled") and not row.flag("entitled") else ""
    return (
        when(row.day("decided")),
        system(row.text("system_id")),
        words(row.text("block")),
        words(row.text("gate")),
        words(row.text("outcome").replace("_", " "), note=still),
        words(row.text("approver"), note=refused or row.text("approver_role")),
        words(row.text("dissent")),
        words(row.text("document"), note=row.text("decision_id")),
    )


def _waivers(week: Week) -> list[Block]:
    rows = sorted(week.rows("mart.waivers"), key=lambda r: (str(r.day("expiry")), r.text("id")))
    if not rows:
        return [Paragraph("No waiver is open; no quantity is carried on waivers.")]
    heads = ("Waiver", "System", "Gate and criterion", "Approver", "Expires", ">Left", ">Carries#waived",
             "Compensating action", "State")  # fmt: skip
    title = f"Waiver register: {plural(len(rows), 'waiver')}; an expired waiver is a failed criterion at once"
    return [table("S4-waivers", title, heads, (waiver_row(r, unit_of(week, r)) for r in rows), cap=60, of=len(rows))]


def unit_of(week: Week, row: Record) -> str:
    """Return the unit of the capacity of a row's system, as sentences write it."""
    return unit_name(week.units.get(row.text("system_id"), ""))


def waiver_row(row: Record, unit: str) -> Row:
    """Return one waiver with its state: expired, due soon within 30 days, or nothing."""
    status = "expired" if row.flag("expired") else "due soon" if _expiring(row) else "waived"
    cells = (
        words(row.text("id")),
        system(row.text("system_id")),
        words(f"{row.text('gate')} {row.text('criterion')}".strip()),
        words(row.text("approver") or "no approver", note=_flaw(row)),
        when(row.day("expiry")),
        figure(row.whole("days_left"), suffix=" d"),
        figure(row.number("quantity"), suffix=f" {unit}".rstrip()),
        words(row.text("compensating_action") or "none stated"),
        state(status),
    )
    return Row(cells, anchor("RAID", row.text("id")))


def _flaw(row: Record) -> str:
    """Why a waiver stands for nothing although its day has not come, and who could approve it."""
    flaw = row.text("flaw")
    if flaw in ("", "expired", "no approver"):
        return ""
    return f"{flaw}; {row.text('may_waive')} may" if flaw == "not entitled" else flaw
