"""The narrative by rule: what changed, why, what is asked. A row makes a sentence; without the row there is none.

Every sentence carries a number and the ids of its rows. Belongs here: the templates. Does not: any figure that no row
of the warehouse holds.
"""

from collections.abc import Iterable, Iterator, Set
from dataclasses import replace

from reports.build.cells import table, words
from reports.build.sections.changes import change_anchor
from reports.build.sections.commitments import commitment_order, line_anchor
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph, Row
from reports.models.narrative import Narrative, Told
from reports.palette import mark
from reports.text import anchor, shorten
from reports.wording import day, days, kind_name, kind_rank, plural, quantity, signed, unit_name

_SHOWN = {"changed": 8, "why": 5, "asked": 5}
_PARTS = {"changed": "What changed", "why": "Why", "asked": "What is asked"}
_SLIP_DAYS = 2
_BLOCKERS = 60
"""Blockers put in words, by rank; all others are counted, each has a system for its evidence."""
_LIMIT = 140


def build_narrative(week: Week) -> Narrative:
    """Return every sentence that the rows of a week support, in the order of what they weigh."""
    unsaid = max(0, len(week.blockers) - _BLOCKERS)
    return Narrative(tuple(_changed(week)), tuple(_why(week)), tuple(_asked(week)), unsaid)


def supported(narrative: Narrative, known: Set[str]) -> Narrative:
    """Keep the evidence that stands in the report, drop sentences that have none, then shorten each part."""
    parts = {name: _live(getattr(narrative, name), known) for name in _PARTS}
    shown = {name: told[: _SHOWN[name]] for name, told in parts.items()}
    more = narrative.more + sum(len(parts[name]) - len(shown[name]) for name in _PARTS)
    return replace(narrative, **shown, more=more)


def _live(sentences: Iterable[Told], known: Set[str]) -> tuple[Told, ...]:
    found = (replace(told, evidence=tuple(link for link in told.evidence if link in known)) for told in sentences)
    return tuple(told for told in found if told.evidence)


def narrative_block(narrative: Narrative) -> Block:
    """The sentences as a table, with their evidence linked."""
    rows = [
        Row((words(label), words(told.text), _evidence(told)), f"S1-told-{name}-{number}")
        for name, label in _PARTS.items()
        for number, told in enumerate(getattr(narrative, name), start=1)
    ]
    if not rows:
        return Paragraph("No row of this week supports a sentence on what changed, why, or what is asked.")
    note = (
        f"{plural(narrative.more, 'further sentence')} of the same kind left to the sections." if narrative.more else ""
    )
    return table(
        "S1-told", f"The week in {plural(len(rows), 'sentence')}", ("Part", "Sentence", "Evidence"), rows, note=note
    )


def _evidence(told: Told) -> Cell:
    first, *others = told.evidence
    return words(first, link=first, note=", ".join(others))


def _changed(week: Week) -> Iterator[Told]:
    due = {row.text("kind"): row for row in week.rows("mart.classes")}
    for row in sorted(week.rows("mart.change"), key=lambda r: kind_rank(r.text("kind"))):
        kind, moved = row.text("kind"), row.amount("closing") - row.amount("opening")
        if moved:
            of = f" of {quantity(due[kind].amount('due'))} due" if kind in due and due[kind].amount("due") else ""
            now = f"{quantity(row.amount('closing'))}{of} {unit_name(row.text('unit'))}"
            text = f"{kind_name(kind)} schedulable {signed(moved)} to {now}."
            yield Told(text, (anchor("CHG", kind), anchor("CLS", kind)))
    yield from _restated(week)
    yield from _flips(week)
    yield from _slips(week)
    passed = week.gates_passed
    if passed:
        systems = len({row.text("system_id") for row in passed})
        yield Told(f"{plural(len(passed), 'gate')} passed at {plural(systems, 'system')}.", ("S4-passed",))


def _restated(week: Week) -> Iterator[Told]:
    for row in sorted(week.rows("mart.restatements"), key=lambda r: (r.text("week"), kind_rank(r.text("kind")))):
        if row.amount("difference"):
            text = (
                f"{row.text('name')} restates {kind_name(row.text('kind'))} of {row.text('week')} by "
                f"{signed(row.amount('difference'))} {unit_name(row.text('unit'))}: {row.text('made_from')}."
            )
            yield Told(shorten(text, _LIMIT), (anchor("CHG", row.text("kind")), "S1-issued"))


def _flips(week: Week) -> Iterator[Told]:
    before = {row.text("system_id"): row.text("status") for row in week.before("systems")}
    for row in sorted(week.rows("mart.systems"), key=lambda r: (-r.amount("contracted"), r.text("system_id"))):
        identity, now = row.text("system_id"), row.text("status")
        if before.get(identity, now) != now:
            size = f"{quantity(row.amount('contracted'))} {unit_name(row.text('unit'))}"
            was = mark(before[identity]).word.lower()
            text = f"{identity} ({size}) went from {was} to {mark(now).word.lower()}: {row.text('status_reason')}."
            yield Told(shorten(text, _LIMIT), (anchor("SYS", identity), "S1-flips"))


def _slips(week: Week) -> Iterator[Told]:
    rows = [row for row in week.rows("mart.commitments") if abs(row.count("slip_week_days")) > _SLIP_DAYS]
    for row in sorted(rows, key=lambda r: (-abs(r.count("slip_week_days")), commitment_order(r))):
        moved = f"P50 of {row.line()} {row.text('system_id')} moved {signed(row.whole('slip_week_days'), ' d')}"
        text = f"{moved} to {day(row.day('p50'))}; contract {day(row.day('contract_date'))}."
        yield Told(text, (line_anchor(row), "S1-slips"))


def _why(week: Week) -> Iterator[Told]:
    rows = [row for row in week.rows("mart.change_rows") if row.amount("quantity") and row.text("cause")]
    for row in sorted(rows, key=lambda r: (kind_rank(r.text("kind")), -abs(r.amount("quantity")), r.text("system_id"))):
        moved = f"{row.text('system_id')} {signed(row.amount('quantity'))} {unit_name(row.text('unit'))}"
        yield Told(shorten(f"{moved}: {row.text('cause')}.", _LIMIT), (change_anchor(row), "S1-rows"))
    for row in week.blockers[:_BLOCKERS]:
        held = f"{quantity(row.amount('capacity_held'))} {unit_name(row.text('unit'))}"
        head = f"{row.text('system_id')}: {held} held for {days(row.whole('age_days'))}"
        text = shorten(f"{head}; not met: {row.text('title') or row.text('criterion')}.", _LIMIT)
        yield Told(text, (anchor("EV", row.text("blocker_id")), anchor("SYS", row.text("system_id"))))


def _asked(week: Week) -> Iterator[Told]:
    waiting = [row for row in week.rows("mart.decisions") if not row.day("closed")]
    for row in sorted(waiting, key=lambda r: (str(r.day("needed_by") or "9999"), r.text("id"))):
        by = f"by {day(row.day('needed_by'))}" if row.day("needed_by") else "with no day named"
        cost = f" (+{quantity(row.number('impact_days'))} d without it)" if row.amount("impact_days") else ""
        head = f"{row.text('decider') or 'Nobody named'} to decide {row.text('id')} {by}{cost}"
        yield Told(shorten(f"{head}: {row.text('title')}.", _LIMIT), (anchor("RAID", row.text("id")), "S10-decisions"))
    late = [r for r in week.rows("mart.raid") if r.text("type") == "action" and r.flag("is_overdue")]
    for row in sorted(late, key=lambda r: (str(r.day("due")), r.text("id"))):
        left = week.days_to(row.day("due"))
        over = f"due {day(row.day('due'))}" + (f", {days(-left)} overdue" if left is not None else "")
        text = f"{row.text('owner') or 'Nobody named'} to close {row.text('id')}, {over}: {row.text('title')}."
        yield Told(shorten(text, _LIMIT), (anchor("RAID", row.text("id")), "S9"))
