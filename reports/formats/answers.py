"""The four answers of page 1 as sections of tables, sentences and a chart, for formats that lay them out one by one."""

from collections.abc import Sequence

from reports.build.cells import change, columns, figure, state, when, words
from reports.build.decisions import impact
from reports.models.common import Block, Cell, Paragraph, Row, Section, Table
from reports.models.executive import (
    ClassLine,
    DecisionLine,
    Decisions,
    ExecutiveReport,
    ForecastLine,
    HowMuch,
    WhatChanged,
    WhenSure,
)
from reports.palette import mark
from reports.wording import DASH, day, days, money, plural, quantity, share, unit_name


def answers(report: ExecutiveReport) -> tuple[Section, ...]:
    """Return answers 1 to 4 in order; the message of each is its one-sentence answer."""
    return (
        Section("1", "Q1", report.how_much.question, report.how_much.answer, _how_much(report.how_much)),
        Section("2", "Q2", report.when_sure.question, report.when_sure.answer, _when_sure(report.when_sure)),
        Section("3", "Q3", report.what_changed.question, report.what_changed.answer, _changed(report.what_changed)),
        Section("4", "Q4", report.decisions.question, report.decisions.answer, _decisions(report.decisions)),
    )


def _table(identity: str, title: str, heads: tuple[str, ...], rows: Sequence[tuple[Cell, ...]]) -> Table:
    return Table(identity, title, columns(*heads), tuple(Row(cells) for cells in rows), len(rows))


def _notes(*texts: str) -> tuple[Block, ...]:
    return tuple(Paragraph(text) for text in texts if text)


def _how_much(answer: HowMuch) -> tuple[Block, ...]:
    heads = ("Kind", ">Contracted", ">Due now", ">Schedulable", ">of due", ">Δ week", "Status")
    kinds = _table("Q1-kinds", "Schedulable against contract", heads, [_kind(line) for line in answer.classes])
    quarters = (_quarters(answer),) if answer.quarters else ()
    idle = (_idle(answer),) if answer.idle else ()
    return (kinds, *_notes(*answer.footnotes), *quarters, *_notes(answer.quarters_note, answer.idle_total), *idle)


def _kind(line: ClassLine) -> tuple[Cell, ...]:
    return (
        words(f"{line.label} ({line.unit})"), figure(line.contracted), figure(line.due),
        figure(line.schedulable, faded=bool(line.stale)), Cell(line.of_due), change(line.delta), state(line.status),
    )  # fmt: skip


def _quarters(answer: HowMuch) -> Table:
    ends = [day(end) for end in answer.quarter_ends]
    heads = ("By quarter end", *(f">{end} {what}" for end in ends for what in ("due", "P50", "P80")))
    rows = [
        (words(line.label), *(figure(value) for f in line.figures for value in (f.due, f.p50, f.p80)))
        for line in answer.quarters
    ]
    return _table("Q1-quarters", _quarters_title(answer), heads, rows)


def _quarters_title(answer: HowMuch) -> str:
    """What the first kind comes to at the next quarter end."""
    line = answer.quarters[0]
    first = line.figures[0]
    kind = f"{quantity(first.due)} {unit_name(line.unit)} due by {day(first.quarter_end)}"
    return f"{line.label}: {quantity(first.p50)} (P50) and {quantity(first.p80)} (P80) of {kind}"


def _idle(answer: HowMuch) -> Table:
    heads = ("Contract line", "System", ">Quantity", ">Days", ">Cost so far")
    rows = [
        (words(i.contract), words(i.system_id), figure(i.quantity, suffix=f" {unit_name(i.unit)}"),
         Cell(days(i.days), i.days), Cell(money(i.cost, i.currency), i.cost))
        for i in answer.idle
    ]  # fmt: skip
    return _table("Q1-idle", answer.idle_total or "Paid for but not schedulable", heads, rows)


def _when_sure(answer: WhenSure) -> tuple[Block, ...]:
    curve: tuple[Block, ...] = (answer.curve,) if answer.curve else (Paragraph(answer.curve_absent, "absent"),)
    heads = ("Kind", ">To go", "Contract", "P50", "P80", ">Chance", ">Last week")
    dated = sum(line.p50 is not None for line in answer.lines)
    left = sum(bool(line.remaining) for line in answer.lines)
    title = f"{plural(left, 'kind')} still to go, {dated} with a forecast date"
    dates = _table("Q2-dates", title, heads, [_dates(line) for line in answer.lines])
    return (*curve, dates, *_notes(f"Our record: {answer.record}"))


def _dates(line: ForecastLine) -> tuple[Cell, ...]:
    chances = (Cell(share(line.confidence), line.confidence), Cell(share(line.confidence_prev), line.confidence_prev))
    p50 = when(line.p50) if line.p50 else Cell(DASH, None, note=line.note)
    return (words(line.label), figure(line.remaining), when(line.contract_date), p50, when(line.p80), *chances)


def _changed(answer: WhatChanged) -> tuple[Block, ...]:
    heads = ("Change", ">Quantity", ">P80", "Cause and evidence")
    rows = [
        (words(line.what), Cell(line.quantity_text, line.quantity), change(line.p80_days, " d"),
         words(f"{line.cause} [{line.evidence}]" if line.evidence else line.cause))
        for line in answer.lines
    ]  # fmt: skip
    check = (Paragraph(answer.check, "note" if answer.reconciled else "warning"),) if answer.check else ()
    return (_table("Q3-changes", "Changes", heads, rows), *check)


def _decisions(answer: Decisions) -> tuple[Block, ...]:
    heads = ("No.", "Decision asked", "Decider", "By", "If not decided")
    asked = (_table("Q4-asked", "Decisions asked", heads, [_asked(line) for line in answer.lines]),)
    more = f"{answer.more} more in section 10 of the governance report." if answer.more else ""
    return (*(asked if answer.lines else ()), *_notes(f"{more} {answer.decided}".strip()))


def _asked(line: DecisionLine) -> tuple[Cell, ...]:
    question = f"{line.question} ({line.options})" if line.options else line.question
    effect = impact(line)
    by = Cell(day(line.needed_by), line.needed_by, line.urgency, note=mark(line.urgency).word if line.urgency else "")
    return (words(line.id), words(question), words(line.decider), by, words(line.consequence, note=effect))
