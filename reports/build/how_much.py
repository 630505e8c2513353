"""Answer 1: how much is schedulable against contract, per kind in its own unit; quarter ends; paid for but idle."""

from collections import defaultdict
from datetime import date
from decimal import Decimal

from reports.build.freshness import held_at
from reports.build.warehouse import Record, Warehouse
from reports.models.executive import ClassLine, HowMuch, IdleLine, QuarterFigure, QuarterLine
from reports.text import anchor, shorten
from reports.wording import (
    STAGES,
    day,
    kind_name,
    kind_rank,
    listed,
    money,
    percent,
    plural,
    quantity,
    signed,
    unit_name,
)

QUESTION = "How much can we schedule, against contract?"
_QUARTERS_SHOWN = 3
_IDLE_SHOWN = 3
_NOTES_LIMIT = 300


def build_how_much(warehouse: Warehouse) -> HowMuch:
    """Build answer 1 from `mart.classes`, `mart.quarter_ends`, `mart.commitments` and `mart.funnel`."""
    rows = class_rows(warehouse)
    classes = tuple(_class_line(warehouse, row) for row in rows)
    ends, quarters, note = _quarters(warehouse)
    idle, total = idle_lines(warehouse)
    return HowMuch(
        question=QUESTION,
        answer=_answer(classes),
        classes=classes,
        quarter_ends=ends,
        quarters=quarters,
        quarters_note=note,
        idle=idle[:_IDLE_SHOWN],
        idle_total=total,
        footnotes=_footnotes(rows, classes, _uncounted(warehouse)),
    )


def class_rows(warehouse: Warehouse) -> list[Record]:
    """Return one row per kind, in the fixed order of kinds."""
    return sorted(warehouse.rows("mart.classes"), key=lambda row: kind_rank(row.text("kind")))


def of_due(row: Record) -> str:
    """Return the share of the due quantity that is schedulable: a surplus of one line never fills another's gap."""
    return percent(row.number("pct_of_due"), Decimal(100)) if row.amount("due") else "none due"


def _class_line(warehouse: Warehouse, row: Record) -> ClassLine:
    kind = row.text("kind")
    return ClassLine(
        kind=kind,
        label=kind_name(kind),
        unit=row.text("unit"),
        contracted=row.amount("contracted"),
        due=row.amount("due"),
        schedulable=row.amount("schedulable"),
        of_due=of_due(row),
        delta=row.number("delta"),
        status=row.text("status") or "grey",
        reason=row.text("status_reason"),
        held_at=largest_hold(warehouse, kind),
        stale=held_at(warehouse, kind),
        link=anchor("CLS", kind),
    )


def stages(warehouse: Warehouse) -> tuple[Record, ...]:
    """Return reached and held capacity per kind and stage, apart for systems that have the stage and those without."""
    return warehouse.groups("mart.funnel", ("kind", "stage_no", "stage", "applicable"), ("reached", "held"))


def held_by_stage(warehouse: Warehouse, kind: str) -> dict[str, Decimal]:
    """Return capacity held per stage of one kind, in stage order, zero stages left out."""
    held: dict[tuple[int, str], Decimal] = defaultdict(Decimal)
    for row in stages(warehouse):
        if row.text("kind") == kind and row.amount("held"):
            held[row.count("stage_no"), row.text("stage")] += row.amount("held")
    return {stage: held[number, stage] for number, stage in sorted(held)}


def largest_hold(warehouse: Warehouse, kind: str) -> str:
    """Return the stage that holds most of a kind, in words; empty when nothing is held."""
    held = held_by_stage(warehouse, kind)
    if not held:
        return ""
    stage = max(held, key=lambda name: held[name])
    return f"{quantity(held[stage])} {STAGES.get(stage, stage).lower()}"


def _answer(classes: tuple[ClassLine, ...]) -> str:
    if not classes:
        return "Not rated: no commitment in force."
    lead = classes[0]
    change = (
        "" if lead.delta is None else f", {signed(lead.delta)} this week" if lead.delta else ", unchanged this week"
    )
    unit = unit_name(lead.unit)
    first = f"{quantity(lead.schedulable)} {unit} schedulable{change}; none due yet."
    if not lead.contracted:
        first = f"No {lead.label} contract line is in force."
    if lead.due:
        due = f"{quantity(lead.schedulable)} of {quantity(lead.due)} {unit} due now are schedulable ({lead.of_due})"
        first = f"{due}{change}."
    counts = [
        f"{sum(line.status == status for line in classes)} {word}"
        for status, word in (("red", "red"), ("amber", "amber"), ("grey", "not rated"), ("green", "green"))
        if any(line.status == status for line in classes)
    ]
    return f"{first} Of {plural(len(classes), 'kind')}: {listed(counts)}."


def _quarters(warehouse: Warehouse) -> tuple[tuple[date, ...], tuple[QuarterLine, ...], str]:
    rows = [row for row in warehouse.rows("mart.quarter_ends") if row.day("quarter_end")]
    if not rows:
        return (), (), "No quarter-end figures: the forecast needs weeks of history that are not there yet."
    ends = tuple(sorted({day for row in rows if (day := row.day("quarter_end"))}))[:_QUARTERS_SHOWN]
    by_kind: dict[str, dict[date | None, Record]] = defaultdict(dict)
    for row in rows:
        by_kind[row.text("kind")][row.day("quarter_end")] = row
    lines = tuple(_quarter_line(kind, by_kind[kind], ends) for kind in sorted(by_kind, key=kind_rank))
    unforecast = [line.label for line in lines if all(figure.p50 is None for figure in line.figures)]
    note = f"No forecast for {listed(unforecast)}: answer 2 says why." if unforecast else ""
    return ends, lines, note


def _quarter_line(kind: str, rows: dict[date | None, Record], ends: tuple[date, ...]) -> QuarterLine:
    blank = Record({})
    figures = tuple(
        QuarterFigure(end, row.number("due"), row.number("p50"), row.number("p80"))
        for end in ends
        for row in (rows.get(end, blank),)
    )
    unit = next(iter(rows.values())).text("unit")
    return QuarterLine(kind, kind_name(kind), unit, figures)


def idle_lines(warehouse: Warehouse) -> tuple[tuple[IdleLine, ...], str]:
    """Return contract lines billed but not schedulable, dearest first, and one sentence with the totals."""
    rows = [row for row in warehouse.rows("mart.commitments") if row.amount("idle_quantity") > 0]
    lines = sorted((_idle_line(row) for row in rows), key=lambda i: (-(i.cost or 0), -i.days, i.contract, i.system_id))
    if not rows:
        billed = any(row.day("billing_start") for row in warehouse.rows("mart.commitments"))
        if billed:
            return (), "Paid for but not schedulable: none of the contract lines whose billing has started."
        return (), "Paid for but not schedulable: not rated, no contract line carries a billing start."
    costs: dict[str, Decimal] = defaultdict(Decimal)
    for line in lines:
        if line.cost is not None:
            costs[line.currency] += line.cost
    cost = listed([money(costs[currency], currency) for currency in sorted(costs)]) or "cost unknown"
    since = "" if warehouse.hides("money") else f", {cost} since billing began"
    return tuple(lines), (
        f"Paid for but not schedulable: {plural(len(lines), 'contract line')}{since}; "
        f"longest {max(line.days for line in lines)} d."
    )


def _idle_line(row: Record) -> IdleLine:
    return IdleLine(
        contract=row.line(),
        system_id=row.text("system_id"),
        unit=row.text("unit"),
        quantity=row.amount("idle_quantity"),
        days=row.count("idle_days"),
        cost=row.number("idle_cost"),
        currency=row.text("currency"),
        link=anchor("SYS", row.text("system_id")),
    )


def _uncounted(warehouse: Warehouse) -> tuple[str, ...]:
    """Contract lines that count nowhere, since no register knows their system: said beside what they are missing in."""
    rows = warehouse.rows("mart.findings", code="unknown_reference", dataset="commitments")
    systems = ", ".join(sorted(row.text("subject") for row in rows))
    return (f"Not counted, system in no register: {systems}.",) if rows else ()


def _footnotes(rows: list[Record], classes: tuple[ClassLine, ...], uncounted: tuple[str, ...]) -> tuple[str, ...]:
    waived = [
        f"{quantity(row.amount('waived_quantity'))} {unit_name(row.text('unit'))} on waiver"
        f"{' ' + row.text('waiver_ids') if row.text('waiver_ids') else ''}"
        f" (earliest expiry {day(row.day('earliest_waiver_expiry'))})"
        for row in rows
        if row.amount("waived_quantity") > 0
    ]
    excluded = [
        f"{quantity(row.amount('excluded_quantity'))} {unit_name(row.text('unit'))}"
        f"{': ' + row.text('excluded_note') if row.text('excluded_note') else ''}"
        for row in rows
        if row.amount("excluded_quantity") > 0
    ]
    first = f"On waiver: {'; '.join(waived)}." if waived else "On waiver: none."
    second = f"Excluded for missing evidence: {'; '.join(excluded)}." if excluded else ""
    stale = [f"{line.label}: {line.stale}" for line in classes if line.stale]
    third = (f"Faded, on old evidence: {'; '.join(stale)}.",) if stale else ()
    notes = (first, second or "Excluded for missing evidence: none.", *uncounted, *third)
    return tuple(shorten(note, _NOTES_LIMIT // len(notes)) for note in notes)
