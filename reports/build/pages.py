"""Pages 2 to 5 of the executive report: contracts and sites, forecast, risk and escalation, trust."""

from dataclasses import replace

from reports.build.cells import figure, state, system, table, when, words
from reports.build.drift import fan, milestones
from reports.build.drivers import driver_tables, tornados
from reports.build.figures import bullets, heat_map, waterfall
from reports.build.how_much import class_rows
from reports.build.sections.chains import leaf_blocks
from reports.build.sections.commitments import commitment_order, line_anchor
from reports.build.sections.escalations import escalation_sentence
from reports.build.sections.gates import HOLDS, unit_of, waiver_row
from reports.build.sections.raid import stated_effect
from reports.build.sections.scope import idle_blocks
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.build.when_sure import curve_of
from reports.models.common import Block, Cell, Paragraph, Row
from reports.models.executive import Page, WhenSure
from reports.text import anchor, shorten
from reports.wording import day, plural, quantity, share, unit_name

_LINES = 14
_ESCALATIONS = 4
_RISKS = 8
_LEAVES = 6


def contracts_page(week: Week) -> Page:
    """Page 2: bullet rows, heat map, contract lines that are not green, idle capacity."""
    rows = sorted(week.rows("mart.commitments"), key=commitment_order)
    open_rows = [r for r in rows if r.text("status") != "green"]
    bullet, heat = bullets(week.warehouse), heat_map(week.warehouse)
    blocks: list[Block] = [b for b in (bullet, heat) if b is not None]
    if not heat:
        blocks.append(Paragraph("no data: no gate has been evaluated", "absent"))
    blocks.append(_lines(open_rows) if open_rows else Paragraph(_without_open_lines(rows), "" if rows else "absent"))
    blocks += _idle(week)
    message = (
        f"{len(open_rows)} of {plural(len(rows), 'contract line')} not green" if rows else _without_open_lines(rows)
    )
    return Page("P2", "Contracts and sites", message, tuple(blocks))


def _without_open_lines(rows: list[Record]) -> str:
    return "Every contract line is green." if rows else "no data: no contract line is in force"


def _lines(rows: list[Record]) -> Block:
    heads = ("Contract line", "System", ">Quantity", "Due", ">Schedulable", "P50", "P80", ">Chance", "Status", "Why")
    cells = (
        (
            words(r.line(), link=line_anchor(r)),
            system(r.text("system_id")),
            words(f"{quantity(r.amount('quantity'))} {unit_name(r.text('unit'))}"),
            when(r.day("contract_date")),
            figure(r.number("schedulable")),
            when(r.day("p50")),
            when(r.day("p80")),
            Cell(share(r.number("confidence"))),
            state(r.text("status") or "grey"),
            words(shorten(r.text("status_reason") or r.text("driver"), 90)),
        )
        for r in rows
    )  # fmt: skip
    return table("P2-lines", "Contract lines that are not green, worst first", heads, cells, cap=_LINES, of=len(rows))


def _idle(week: Week) -> list[Block]:
    heads = ("Contract line", "System", ">Quantity", ">Days since billing began", ">Cost so far#idle")
    return idle_blocks(week, "P2-idle", heads, 10)


def forecast_page(week: Week, answer: WhenSure) -> Page:
    """Page 3: curves, drift fan, milestone trend, waterfalls, what decides the first open kind, and our record."""
    shown = answer.curve.id if answer.curve else ""
    unfinished = [r for r in class_rows(week.warehouse) if _held_back(r)]
    curves = [curve_of(week.warehouse, r.text("kind"), week.as_of) for r in unfinished]
    blocks: list[Block] = [c for c in (fan(week), milestones(week)) if c is not None]
    if not blocks:
        blocks.append(Paragraph("No forecast drift yet: fewer than two issues carry a P50 date.", "absent"))
    blocks += [c for c in curves if c is not None and c.id != shown]
    if week.warehouse.holds("mart.funnel"):
        blocks += [waterfall(week.warehouse, row) for row in unfinished]
    blocks += [*tornados(week, "P3", 1), *driver_tables(week, "P3", 1), *leaf_blocks(week, "P3-leaves", _LEAVES)]
    blocks.append(Paragraph(f"Our record: {answer.record}", link="DEF-p80-record"))
    return Page("P3", "Forecast", answer.answer, tuple(blocks))


def _held_back(row: Record) -> bool:
    return row.amount("contracted") > row.amount("schedulable")


def risk_page(week: Week) -> Page:
    """Page 4: an escalation sheet per worst red commitment, top blockers, risks by exposure, waivers."""
    reds = [r for r in sorted(week.rows("mart.commitments"), key=commitment_order) if r.text("status") == "red"]
    blocks: list[Block] = (
        [_escalations(week, reds)] if reds else [Paragraph("No commitment is red: nothing to escalate.")]
    )
    blocks += [*escalation_sentence(week), *_blockers(week), *_risks(week), *_waivers(week)]
    waivers = week.rows("mart.waivers")
    message = f"{plural(len(reds), 'commitment')} red, {plural(len(waivers), 'waiver')} open"
    return Page("P4", "Risk, escalations and waivers", message, tuple(blocks))


def _escalations(week: Week, reds: list[Record]) -> Block:
    blockers = week.blockers
    heads = ("Commitment", "Problem", "Analysis", "Plan", "Ask")
    title = f"Escalations: {plural(len(reds), 'red commitment')}, one line of problem, analysis, plan and ask each"
    rows = (_escalation(week, row, blockers) for row in reds)
    return table("P4-escalations", title, heads, rows, cap=_ESCALATIONS, of=len(reds))


def _escalation(week: Week, row: Record, blockers: tuple[Record, ...]) -> Row:
    identity, unit = row.text("system_id"), unit_name(row.text("unit"))
    first = next((b for b in blockers if b.text("system_id") == identity), None)
    actions = [r for r in week.rows("mart.raid") if r.text("system_id") == identity and not r.day("closed")]
    plan = next(
        (r for r in sorted(actions, key=lambda r: str(r.day("due") or "9999")) if r.text("type") == "action"), None
    )
    ask = next((r for r in actions if r.text("type") == "decision"), None)
    missing = row.amount("shortfall") or row.amount("quantity") - row.amount("schedulable")
    problem = (
        f"{quantity(missing)} of {quantity(row.amount('quantity'))} {unit} missing; "
        f"contract {day(row.day('contract_date'))}, P50 {day(row.day('p50'))}"
    )
    unmet = row.text("driver") or (f"{first.text('gate')}: {first.text('message')}" if first else "")
    gate, colon, criterion = unmet.partition(": ")
    analysis = f"Not met at gate {gate.replace('_', ' ')}: {criterion}" if colon else unmet or row.text("status_reason")
    cells = (
        words(f"{row.line()} {identity}", link=anchor("SYS", identity), note=row.text("owner")),
        words(problem),
        words(shorten(analysis, 140)),
        words(
            f"{plan.text('id')} {shorten(plan.text('title'), 80)} ({plan.text('owner')}, {day(plan.day('due'))})"
            if plan
            else "no action recorded"
        ),
        words(f"{ask.text('id')} {shorten(ask.text('title'), 80)}" if ask else "none"),
    )
    return Row(cells)


def _blockers(week: Week) -> list[Block]:
    rows = week.blockers
    if not rows:
        return [Paragraph("No blocker holds capacity.")]
    heads = (">Rank", "Criterion not met", "System", ">Holds", ">Age", "Owner", "Evidence")
    cells = (
        (
            figure(r.whole("rank")),
            words(shorten(r.text("title") or r.text("criterion"), 120)),
            system(r.text("system_id")),
            words(f"{quantity(r.number('capacity_held'))} {unit_name(r.text('unit'))}"),
            figure(r.whole("age_days"), suffix=" d"),
            words(r.text("owner") or r.text("owner_role") or "no owner"),
            words(plural(r.count("evidence_rows"), "row"), link=anchor("EV", r.text("blocker_id"))),
        )
        for r in rows
    )
    title = f"Largest of {plural(len(rows), 'blocker')}"
    return [table("P4-blockers", title, heads, cells, cap=_RISKS, of=len(rows), note=HOLDS)]


def _risks(week: Week) -> list[Block]:
    rows = [r for r in week.rows("mart.raid") if r.text("type") in ("risk", "issue") and not r.day("closed")]
    if not rows and not week.warehouse.delivered("raid"):
        return [Paragraph("no data: raid not delivered", "absent")]
    rows.sort(key=lambda r: (-(r.amount("impact_days") * (r.number("probability") or 1)), r.text("id")))
    heads = ("Risk or issue", "System", ">Probability", ">Impact", "Owner", "Due")
    cells = (
        (
            words(shorten(f"{r.text('id')} {r.text('title')}", 120), link=anchor("RAID", r.text("id"))),
            system(r.text("system_id")),
            Cell(share(r.number("probability"))),
            words(stated_effect(r)),
            words(r.text("owner") or "no owner"),
            when(r.day("due"), status="overdue" if r.flag("is_overdue") else ""),
        )
        for r in rows
    )  # fmt: skip
    return [
        table(
            "P4-risks",
            f"{plural(len(rows), 'risk or issue', 'risks and issues')} open, by exposure",
            heads,
            cells,
            cap=_RISKS,
            of=len(rows),
        )
    ]


def _waivers(week: Week) -> list[Block]:
    rows = sorted(week.rows("mart.waivers"), key=lambda r: (str(r.day("expiry")), r.text("id")))
    if not rows:
        return [Paragraph("No waiver is open; no quantity is carried on waivers.")]
    heads = (
        "Waiver",
        "System",
        "Gate and criterion",
        "Approver",
        "Expires",
        ">Left",
        ">Carries",
        "Compensating action",
        "State",
    )
    return [
        table(
            "P4-waivers",
            "Waivers",
            heads,
            (replace(waiver_row(r, unit_of(week, r)), id="") for r in rows),
            cap=_RISKS,
            of=len(rows),
        )
    ]
