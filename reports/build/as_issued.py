"""What the last issue said, from its own JSON, beside that week's figures of now.

They agree, or the number of a restatement says why not.

Belongs here: reading an earlier issue's figures and comparing them. Does not: the change itself, whose figures come
from ``mart.change``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from reports.build.cells import change, state, table, words
from reports.build.standing import Issued
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph
from reports.palette import mark
from reports.text import anchor, clean
from reports.wording import DASH, day, kind_name, kind_rank, plural, quantity

_FIGURES = {"contracted": "Contracted", "due": "Due", "schedulable": "Schedulable"}
_DATES = {"p50": "P50", "p80": "P80"}


@dataclass(frozen=True)
class Said:
    """One figure of the last issue: as issued, as its week stands now, and why the two differ where they do."""

    kind: str
    figure: str
    issued: str
    stands: str
    difference: Decimal | int | None
    agrees: bool
    why: str = ""


def said_last(week: Week, last: Issued | None) -> tuple[Said, ...]:
    """Compare the last issue's figures with the warehouse; none where there is no last issue of the week before."""
    if last is None or clean(last["header"]["week"]) != week.previous:
        return ()
    return tuple(_with_reason(week, said) for said in (*_quantities(week, last), *_dates(week, last)))


def _quantities(week: Week, last: Issued) -> Iterator[Said]:
    stands = {row.text("kind"): row for row in week.before("classes")}
    opening = {row.text("kind"): row for row in week.rows("mart.change")}
    for line in sorted(last["how_much"]["classes"], key=lambda line: kind_rank(clean(line["kind"]))):
        kind = clean(line["kind"])
        for name, label in _FIGURES.items():
            issued = Decimal(line[name])
            now = stands[kind].number(name) if kind in stands else None
            if name == "schedulable" and kind in opening and opening[kind].number("opening") != issued:
                # The bridge opens with the figure as issued: where it does not, the bridge itself is wrong.
                opened = opening[kind].amount("opening")
                yield Said(kind, f"{label}, opening", quantity(issued), quantity(opened), opened - issued, agrees=False)
            if now is not None:
                yield Said(kind, label, quantity(issued), quantity(now), now - issued, now == issued)
        if kind in stands:
            before, now_ = clean(line["status"]), stands[kind].text("status") or "grey"
            yield Said(kind, "Status", mark(before).word, mark(now_).word, None, before == now_)


def _dates(week: Week, last: Issued) -> Iterator[Said]:
    rows = [row for row in week.before("forecast") if row.text("scope_type") == "kind"]
    stands = {row.text("scope"): row for row in rows}
    for line in last["when_sure"]["lines"]:
        kind = clean(line["kind"])
        for name, label in _DATES.items():
            if kind in stands and Decimal(line["remaining"]):
                issued, now = _day(line[name]), stands[kind].day(name)
                moved = (now - issued).days if now and issued else None
                yield Said(kind, label, day(issued), day(now), moved, issued == now)


def _day(text: Any) -> date | None:
    return date.fromisoformat(text) if text else None


def _with_reason(week: Week, said: Said) -> Said:
    """A figure that differs is a restatement where the week before was restated, and its number is the reason."""
    if said.agrees or said.figure.endswith("opening"):
        return said
    again = next((r for r in week.rows("mart.restatements") if r.text("week") == week.previous), None)
    return said if again is None else Said(**{**vars(said), "agrees": True, "why": restated(again)})


def restated(row: Record) -> str:
    """The number of a restatement and what it was made again from."""
    cause = row.text("reason") or row.text("made_from")
    return f"restated as {row.text('name')}{f': {cause}' if cause else ''}"


def doubts(said: tuple[Said, ...]) -> tuple[str, ...]:
    """Sentences on figures of the last issue that no longer stand and that no restatement explains."""
    return tuple(
        f"{kind_name(s.kind)} {s.figure.lower()} of the last issue was {s.issued}, its week now has {s.stands}, "
        "and no restatement says why"
        for s in said
        if not s.agrees
    )


def said_blocks(week: Week, last: Issued | None, said: tuple[Said, ...]) -> list[Block]:
    """The table of what the last issue said, with this week's figures beside it."""
    if not week.previous:
        return []
    if last is None or not said:
        return [Paragraph(f"no data: the files of {week.previous} as issued are not on record", "absent")]
    number = int(last["header"]["restatement"])
    differ = [s for s in said if s.issued != s.stands]
    agree = f"{plural(len(said) - len(differ), 'figure')} of {len(said)} stand as issued"
    title = f"What {week.previous} (issue {number}) said: {agree}"
    heads = ("Kind", "Figure", f">Said in {week.previous}", ">That week now", ">Difference", ">This week", "Agreement")
    classes = {row.text("kind"): row for row in week.rows("mart.classes")}
    dates = {row.text("scope"): row for row in week.rows("mart.forecast") if row.text("scope_type") == "kind"}
    rows = (_row(s, (dates if s.figure in _DATES.values() else classes).get(s.kind)) for s in said)
    head = last["header"]
    note = f"From the JSON of that {clean(head['issue_state'])} issue, inputs {clean(head['fingerprint'])[:12]}."
    return [table("S1-issued", title, heads, rows, note=note)]


def _row(said: Said, now: Record | None) -> tuple[Cell, ...]:
    same = said.issued == said.stands
    verdict = "as issued" if same else "restated" if said.agrees else "unexplained"
    suffix = " d" if said.figure in _DATES.values() else ""
    return (
        words(kind_name(said.kind), link=anchor("CLS", said.kind)),
        words(said.figure),
        Cell(said.issued, said.issued),
        Cell(said.stands, said.stands),
        change(said.difference, suffix) if not same else Cell(DASH),
        Cell(_this_week(said, now)),
        state(verdict, said.why),
    )


def _this_week(said: Said, now: Record | None) -> str:
    name = next((n for n, label in {**_FIGURES, **_DATES, "status": "Status"}.items() if label == said.figure), "")
    if now is None or not name:
        return DASH
    if name == "status":
        return mark(now.text("status") or "grey").word
    return day(now.day(name)) if name in _DATES else quantity(now.number(name))


def this_week_said(week: Week, earlier: Issued | None) -> list[Block]:
    """Every figure in which a restatement differs from the issue before it of the same week."""
    if earlier is None or clean(earlier["header"]["week"]) != week.name:
        return []
    before, row = earlier["header"], next(iter(week.rows("meta.week")), Record({}))
    number = row.count("ordinal")
    now = {r.text("kind"): r for r in week.rows("mart.classes")}
    lines = {clean(line["kind"]): line for line in earlier["how_much"]["classes"]}
    rows = [
        (
            words(kind_name(kind), link=anchor("CLS", kind)),
            words(label),
            Cell(quantity(Decimal(lines[kind][name])), Decimal(lines[kind][name])),
            Cell(quantity(now[kind].number(name)), now[kind].number(name)),
            change(now[kind].amount(name) - Decimal(lines[kind][name])),
        )
        for kind in sorted(set(lines) & set(now), key=kind_rank)
        for name, label in _FIGURES.items()
        if now[kind].amount(name) != Decimal(lines[kind][name])
    ]
    title = (
        f"Issue {number} of {week.name} restates issue {int(before['restatement'])} "
        f"({clean(before['issue_state'])}, inputs {clean(before['fingerprint'])[:12]}): "
        f"{plural(len(rows), 'figure')} {'differs' if len(rows) == 1 else 'differ'}"
    )
    if not rows:
        return [Paragraph(f"{title}.")]
    heads = ("Kind", "Figure", f">Issue {int(before['restatement'])}", f">Issue {number}", ">Difference")
    return [table("S1-restated", title, heads, rows)]
