"""Answer 4: which decisions are needed, by whom, by when, and what happens otherwise."""

from datetime import date

from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.executive import DecisionLine, Decisions
from reports.text import anchor, shorten
from reports.wording import day, days, plural, quantity

QUESTION = "Which decisions are needed, by whom, by when?"
_SHOWN = 5
_LIMITS = {"title": 76, "options": 40, "decider": 40, "consequence": 56}
_SOON_DAYS = 7
_FAR = date(9999, 12, 31)


def build_decisions(week: Week) -> Decisions:
    """Build answer 4 from `mart.decisions`: open ones by urgency, and what was decided in the window."""
    rows = list(week.rows("mart.decisions"))
    waiting = sorted((row for row in rows if not row.day("closed")), key=_order)
    lines = tuple(decision_line(row, week.as_of) for row in waiting[:_SHOWN])
    return Decisions(
        question=QUESTION,
        answer=_answer(waiting, week.as_of),
        lines=lines,
        more=len(waiting) - len(lines),
        decided=_decided(week, rows),
    )


def _order(row: Record) -> tuple[date, str]:
    return (row.day("needed_by") or _FAR, row.text("id"))


def decision_line(row: Record, as_of: date | None) -> DecisionLine:
    """Return one decision; page 1 carries short text, the governance report the whole."""
    consequence = row.text("consequence") or "consequence not stated"
    return DecisionLine(
        id=row.text("id"),
        question=shorten(row.text("title"), _LIMITS["title"]),
        options=shorten(row.text("options"), _LIMITS["options"]),
        decider=shorten(row.text("decider"), _LIMITS["decider"]) or "no decider named",
        needed_by=row.day("needed_by"),
        urgency=urgency(row.day("needed_by"), as_of),
        consequence=shorten(consequence, _LIMITS["consequence"]),
        impact_days=row.number("impact_days"),
        impact_units=row.number("impact_units"),
        delay_days=row.whole("delay_days"),
        age_days=row.whole("age_days"),
        link=anchor("RAID", row.text("id")),
    )


def urgency(needed_by: date | None, as_of: date | None) -> str:
    """Return `overdue`, `due soon` (7 days) or nothing."""
    if needed_by is None or as_of is None:
        return ""
    left = (needed_by - as_of).days
    return "overdue" if left < 0 else "due soon" if left <= _SOON_DAYS else ""


def _answer(waiting: list[Record], as_of: date | None) -> str:
    if not waiting:
        return "No decision is open."
    late = sum(urgency(row.day("needed_by"), as_of) == "overdue" for row in waiting)
    soon = sum(urgency(row.day("needed_by"), as_of) == "due soon" for row in waiting)
    oldest = max(waiting, key=lambda row: (row.count("age_days"), row.text("id")))
    return (
        f"{plural(len(waiting), 'decision')} open: {late} overdue, {soon} due within {_SOON_DAYS} days. "
        f"Oldest open: {oldest.text('id')}, {days(oldest.whole('age_days'))}."
    )


def _decided(week: Week, rows: list[Record]) -> str:
    closed = [row for row in rows if week.within(row.day("closed"))]
    if not closed:
        return "Decided since last week: none."
    words = [
        f"{r.text('id')} ({shorten(r.text('outcome') or r.text('title'), 60)}), {day(r.day('closed'))}" for r in closed
    ]
    return f"Decided since last week: {'; '.join(words[:3])}{f'; {len(words) - 3} more' if len(words) > 3 else ''}."


def impact(line: DecisionLine) -> str:
    """Return the stated effect of no decision, as far as the register gives it, and what a week of waiting costs."""
    parts = [f"+{quantity(line.impact_days)} d"] if line.impact_days else []
    parts += [f"{quantity(line.impact_units)} units"] if line.impact_units else []
    parts += [f"P80 {line.delay_days:+d} d a week"] if line.delay_days else []
    return ", ".join(parts)
