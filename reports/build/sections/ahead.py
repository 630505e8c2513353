"""Section 12: what the next fourteen days hold, each with what is ready for it so far."""

from datetime import date, timedelta
from decimal import Decimal

from reports.build.caps import most
from reports.build.cells import system, table, when, words
from reports.build.selection import Within
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph, Section
from reports.wording import kind_name, plural, quantity, short_day, unit_name

_AHEAD_DAYS = 14
_SHOWN = 80


def ahead_section(week: Week) -> Section:
    """Build section 12: gates planned, contract dates, decisions, expiries, arrivals and cut-overs of 14 days."""
    if week.as_of is None:
        note = Paragraph("no data: the week has no data date", "absent")
        return Section("12", "S12", "Next 14 days", note.text, (note,))
    gates = _gates(week)
    events = sorted(
        [*_due_lines(week), *_dated(week), *_arrivals(week), *_shipments(week), *_cut_overs(week)],
        key=lambda event: (event[0], event[1], event[2]),
    )
    until = short_day(week.as_of + timedelta(days=_AHEAD_DAYS))
    message = f"{plural(len(gates), 'gate')} planned and {plural(len(events), 'dated event')} until {until}"
    blocks: list[Block] = [_gate_table(gates) if gates else Paragraph("No gate is likely to be passed within 14 days.")]
    blocks.append(_event_table(events) if events else Paragraph("No dated event falls within 14 days."))
    return Section("12", "S12", "Next 14 days", message, tuple(blocks))


def _event_table(events: list["_Event"]) -> Block:
    heads = ("Date", "What", "Subject", "Ready so far")
    rows = ((when(at), words(what), subject, words(ready)) for at, what, _, subject, ready in events)
    return table("S12-events", "Dated events", heads, rows, cap=_SHOWN, of=len(events))


def _gates(week: Week) -> list[tuple[Record, Record]]:
    """Gates whose likely day falls within the window, each with its board row: what of it is met."""
    if week.as_of is None:
        return []
    soon = Within(week.as_of, week.as_of + timedelta(days=_AHEAD_DAYS))
    rows = sorted(
        week.rows("mart.gate_forecasts", likely=soon),
        key=lambda r: (str(r.day("likely")), r.text("system_id"), r.count("gate_no")),
    )
    keys = tuple(sorted({r.text("system_key") for r in rows[: most(_SHOWN)]}))
    board = {_place(r): r for r in week.rows("mart.gates", system_key=keys)}
    return [(row, board.get(_place(row), Record({}))) for row in rows]


def _place(row: Record) -> tuple[str, str, str]:
    return row.text("system_key"), row.text("block").lower(), row.text("gate")


def _gate_table(gates: list[tuple[Record, Record]]) -> Block:
    heads = ("Likely", "System", "Gate", ">Criteria met", "Not met so far", "Waits for", "P80")
    rows = (
        (
            when(row.day("likely")),
            system(row.text("system_id"), f"block {row.text('block')}" if row.text("block") not in ("", "all") else ""),
            words(row.text("title") or row.text("gate")),
            Cell(f"{at.count('met')}/{at.count('criteria')}" if at.count("criteria") else "none", at.whole("met")),
            words(_open_criteria(at)),
            words(_waits(at)),
            when(row.day("p80")),
        )
        for row, at in gates
    )
    note = "Likely: when everything takes its likely time; a gate may not pass while one criterion is open."
    return table(
        "S12-gates",
        f"{plural(len(gates), 'gate')} planned, by likely day",
        heads,
        rows,
        cap=_SHOWN,
        of=len(gates),
        note=note,
    )


def _open_criteria(row: Record) -> str:
    silent, waived = row.count("no_data"), row.count("waived")
    failing = max(0, row.count("criteria") - row.count("met") - silent - waived)
    parts = [f"{failing} not met"] if failing else []
    parts += [f"{silent} no data"] if silent else []
    parts += [f"{waived} waived"] if waived else []
    return ", ".join(parts)


def _waits(row: Record) -> str:
    if row.text("state") not in ("in progress", "regressed", "not started"):
        return row.text("state")
    own = row.count("criteria") - row.count("met") - row.count("waived")
    return "its own criteria" if own > 0 and row.text("state") != "not started" else "an earlier gate"


_Event = tuple[date, str, str, Cell, str]


def _soon(week: Week, value: date | None) -> bool:
    left = week.days_to(value)
    return left is not None and 0 < left <= _AHEAD_DAYS


def _due_lines(week: Week) -> list[_Event]:
    return [
        (
            due,
            f"{row.line()}: {quantity(row.amount('quantity'))} {unit_name(row.text('unit'))} due",
            row.text("system_id"),
            system(row.text("system_id"), kind_name(row.text("kind"))),
            f"{quantity(row.amount('schedulable'))} schedulable, P50 {row.day('p50') or 'unknown'}",
        )
        for row in week.rows("mart.commitments")
        if (due := row.day("contract_date")) and _soon(week, due)
    ]


def _dated(week: Week) -> list[_Event]:
    found: list[_Event] = []
    for row in week.rows("mart.decisions"):
        at = row.day("needed_by")
        if at and not row.day("closed") and _soon(week, at):
            found.append(
                (at, f"decision {row.text('id')} needed", row.text("id"), words(row.text("title")), row.text("decider"))
            )
    for row in week.rows("mart.waivers"):
        at = row.day("expiry")
        if at and _soon(week, at):
            carried = f"{quantity(row.number('quantity'))} on it"
            found.append(
                (at, f"waiver {row.text('id')} expires", row.text("id"), system(row.text("system_id")), carried)
            )
    return found


def _arrivals(week: Week) -> list[_Event]:
    parts: dict[tuple[date, str], tuple[int, Decimal]] = {}
    for row in week.rows("mart.supply"):
        at = row.day("next_arrival")
        if at and _soon(week, at) and row.amount("short") > 0:
            lines, total = parts.get((at, row.text("system_id")), (0, Decimal(0)))
            parts[at, row.text("system_id")] = (lines + 1, total + row.amount("short"))
    return [
        (at, f"arrival of {plural(lines, 'short part line')}", name, system(name), f"{quantity(total)} parts short")
        for (at, name), (lines, total) in parts.items()
    ]


def _shipments(week: Week) -> list[_Event]:
    """Shipments under way that are expected within the window."""
    found: list[_Event] = []
    for row in week.rows("mart.shipment_etas"):
        at = row.day("eta")
        if at and row.flag("is_under_way") and _soon(week, at):
            pieces = f"{quantity(row.number('quantity'))} pieces from {row.text('vendor') or 'an unnamed vendor'}"
            slip = row.count("slip_days")
            ready = f"{pieces}, {slip} d later than told first" if slip > 0 else pieces
            lane = f"{row.text('origin')} to {row.text('destination')}"
            found.append((at, f"shipment {row.text('shipment')} expected", row.text("shipment"), words(lane), ready))
    return found


def _cut_overs(week: Week) -> list[_Event]:
    """Circuits that their provider delivers within the window: what is cut over to them waits for light and test."""
    found: list[_Event] = []
    for row in week.rows("mart.circuit_orders"):
        at = row.day("firm_date")
        if at and not row.day("in_service") and _soon(week, at):
            subject = system(row.text("system_id"), row.text("provider"))
            waits = row.text("waits_for")
            ready = f"{row.text('step')}, waits for {waits}" if waits else row.text("step")
            found.append((at, f"circuit {row.text('circuit')} to be cut over", row.text("circuit"), subject, ready))
    return found
