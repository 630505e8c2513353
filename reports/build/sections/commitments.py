"""Section 2: every contract line with its date, quantities, forecast, slips, status and driver; waterfall per kind."""

from dataclasses import replace
from datetime import date

from reports.build.cells import change, figure, state, system, table, when, words
from reports.build.figures import funnel, waterfall
from reports.build.how_much import class_rows, of_due
from reports.build.sections.scope import scope_blocks
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph, Row, Section, Table
from reports.palette import SEVERITY_ORDER
from reports.text import anchor
from reports.wording import kind_name, kind_rank, listed, plural, quantity, share, signed, unit_name

_STUCK_WEEKS = 4


def commitments_section(week: Week) -> Section:
    """Build section 2."""
    rows = sorted(week.rows("mart.commitments"), key=commitment_order)
    classes = _classes(week)
    blocks: list[Block] = [classes, commitment_table(rows, "S2-lines", "Contract lines, worst first")]
    blocks += _baselines(week)
    for row in class_rows(week.warehouse):
        if week.warehouse.holds("mart.funnel") and row.amount("contracted") > row.amount("schedulable"):
            blocks += [b for b in (waterfall(week.warehouse, row), funnel(week.warehouse, row)) if b is not None]
    if not week.warehouse.holds("mart.funnel"):
        blocks.append(Paragraph("no data: the funnel has not been computed for this week", "absent"))
    blocks += [*_complete(week), *scope_blocks(week)]
    counts = {s: sum(r.text("status") == s for r in rows) for s in SEVERITY_ORDER}
    message = (
        f"{plural(len(rows), 'contract line')}: {counts['red']} red, {counts['amber']} amber, "
        f"{counts['grey']} not rated, {counts['green']} green"
    )
    return Section("2", "S2", "Commitments", message, tuple(blocks))


def _complete(week: Week) -> list[Block]:
    rows = [
        r
        for r in class_rows(week.warehouse)
        if r.amount("contracted") and r.amount("contracted") <= r.amount("schedulable")
    ]
    names = [
        f"{kind_name(r.text('kind'))} ({quantity(r.amount('contracted'))} {unit_name(r.text('unit'))})" for r in rows
    ]
    return (
        [Paragraph(f"All contracted capacity is schedulable, so no waterfall is drawn: {listed(names)}.")]
        if rows
        else []
    )


def commitment_order(row: Record) -> tuple[int, tuple[int, str], str, str, str]:
    """Return the sort key: worst status, then kind, then earliest contract date."""
    status = row.text("status")
    rank = SEVERITY_ORDER.index(status) if status in SEVERITY_ORDER else 2
    return rank, kind_rank(row.text("kind")), str(row.day("contract_date")), row.text("contract"), row.text("line")


def _classes(week: Week) -> Table:
    heads = ("Kind (unit)", ">Contracted#contracted", ">Due now#due", ">Schedulable#schedulable", ">% of due",
             ">Δ week#delta", ">On waiver#waived", ">Excluded", ">Green lines", ">Systems", ">Sites",
             "Status#status")  # fmt: skip
    return table(
        "S2-classes", "By kind; kinds are never added up", heads, (_class_row(r) for r in class_rows(week.warehouse))
    )


def _class_row(row: Record) -> Row:
    kind, due = row.text("kind"), row.amount("due")
    cells = (
        words(f"{kind_name(kind)} ({row.text('unit')})"),
        figure(row.amount("contracted")),
        figure(due),
        figure(row.amount("schedulable")),
        Cell(of_due(row)),
        change(row.number("delta")),
        figure(row.amount("waived_quantity"), link="S4-waivers" if row.amount("waived_quantity") else ""),
        Cell(
            figure(row.amount("excluded_quantity")).text,
            row.amount("excluded_quantity"),
            note=row.text("excluded_note"),
        ),
        Cell(share(row.number("green_share"))),
        figure(row.whole("systems")),
        figure(row.whole("sites")),
        state(row.text("status") or "grey"),
    )
    return Row(cells, anchor("CLS", kind))


def commitment_table(rows: list[Record], identity: str, title: str) -> Table:
    """Return the contract lines with everything section 2 asks for."""
    heads = ("Contract line", "System", "Status#status", "Driver and owner", ">Quantity", "Due",
             ">Schedulable#schedulable", "P50#p50", "P80#p80", ">Chance#confidence",
             ">Margin#margin", ">Slip week#slip")  # fmt: skip
    note = "Margin is contract date less P50 in calendar days. Status is computed, never typed."
    return table(identity, title, heads, (commitment_row(r) for r in rows), cap=200, of=len(rows), note=note)


def line_anchor(row: Record) -> str:
    """Return the permalink of a contract line."""
    return anchor("COM", *(row.text(name) for name in ("contract", "line", "phase", "system_id")))


def _short(row: Record) -> str:
    return f"short {quantity(row.amount('shortfall'))}" if row.amount("shortfall") else ""


def _against(name: str, day: date | None) -> str:
    return "" if day is None else f"{name} {when(day).text}"


def _since_baseline(row: Record) -> str:
    slip = row.whole("slip_baseline_days")
    return "" if slip is None else f"baseline {signed(slip, ' d')}"


def _date_note(row: Record) -> str:
    """What must be known of a contract date: not due yet, moved since the first one, or held against a silent move."""
    notes = [] if row.flag("due_now") else ["not yet"]
    if row.count("moved_days"):
        moved = signed(row.whole("moved_days"), " d")
        notes.append(f"{row.text('baseline_id')}, {moved} since first {row.day('first_contract_date')}")
    if row.flag("dates_held"):
        claimed = (row.day("claimed_contract_date"), row.day("claimed_internal_date"))
        notes.append(f"register says {claimed[0]}, internal {claimed[1] or 'none'}, without a decision")
    return "; ".join(notes)


def _baselines(week: Week) -> list[Block]:
    """Every pair of dates of a line whose dates have moved; the first stays for good, others for 13 weeks."""
    rows = list(week.rows("mart.baselines"))
    moved = {row.line() for row in rows if row.count("baseline_no") > 1}
    shown = sorted((r for r in rows if r.line() in moved), key=lambda r: (r.line(), r.count("baseline_no")))
    if not shown:
        return []
    heads = ("Contract line", "System", "Baseline", "Contract date", "Internal commit", "Seen first", "By", "Replaced")
    cells = (
        (words(r.line()), system(r.text("system_id")), words(f"B{r.count('baseline_no')}"),
         *(when(r.day(name)) for name in ("contract_date", "internal_commit_date", "set_on")),
         words(r.text("set_by")), when(r.day("replaced_on")))
        for r in shown
    )  # fmt: skip
    return [
        table(
            "S2-baselines",
            f"{plural(len(moved), 'contract line')} with dates that moved",
            heads,
            cells,
            cap=60,
            of=len(shown),
        )
    ]


def commitment_row(row: Record) -> Row:
    """Return one contract line."""
    unit = row.text("unit")
    stuck = row.text("status") == "amber" and row.count("weeks_in_status") > _STUCK_WEEKS
    stuck = stuck and not row.count("slip_week_days")
    weeks = plural(row.count("weeks_in_status"), "week") if row.count("weeks_in_status") else ""
    weeks = f"for {weeks}{', stuck' if stuck else ''}" if weeks else ""
    amendment = f"amendment {row.count('amendment')}" if row.count("amendment") else ""
    cells = (
        words(row.line(), note=amendment),
        system(row.text("system_id"), kind_name(row.text("kind"))),
        state(row.text("status") or "grey", "; ".join(filter(None, [row.text("status_reason"), weeks]))),
        words(row.text("driver"), note=row.text("owner") or "no owner"),
        Cell(figure(row.amount("quantity")).text, row.amount("quantity"), note=unit),
        replace(when(row.day("contract_date")), note=_date_note(row)),
        replace(figure(row.number("schedulable"), link=anchor("SYS", row.text("system_id"))), note=_short(row)),
        replace(when(row.day("p50")), note=_against("internal", row.day("internal_commit_date"))),
        replace(when(row.day("p80")), note=_against("need", row.day("need_date"))),
        Cell(share(row.number("confidence"))),
        change(row.whole("margin_days"), " d"),
        replace(change(row.whole("slip_week_days"), " d"), note=_since_baseline(row)),
    )
    return Row(cells, line_anchor(row))
