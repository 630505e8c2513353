"""Section 2 beyond its lines: what amendments changed, and what idle capacity has cost by kind and week.

Belongs here: tables of amendments and idle capacity. Does not: the lines in force (``commitments``).
"""

from collections import defaultdict

from reports.build.cells import change, figure, system, table, when, words
from reports.build.how_much import idle_lines
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph
from reports.text import anchor
from reports.wording import DASH, kind_name, kind_rank, money, plural, quantity, signed, unit_name

_WEEKS_SHOWN = 8


def scope_blocks(week: Week) -> list[Block]:
    """Return amendments with their scope, then idle lines, then idle capacity by kind and week."""
    heads = ("Contract line", "System", ">Paid for, not schedulable#idle", ">Days", ">Cost so far#idle")
    return [*_amendments(week), *idle_blocks(week, "S2-idle", heads, 60), *_idle_weeks(week)]


def _amendments(week: Week) -> list[Block]:
    rows = [
        r for r in week.rows("mart.amendments") if r.count("amendments") > 1 or r.text("state") not in ("in force",)
    ]
    if not rows:
        return []
    rows.sort(key=lambda r: (r.text("contract"), r.text("line"), r.text("phase"), r.count("amendment")))
    heads = ("Contract line", "System", ">Amendment", "State", ">Quantity", ">Scope#scope", "Contract date", ">Moved",
             "Internal commit", "Need", "Reason", "Decision")  # fmt: skip
    lines = len({r.line() for r in rows})
    title = f"Amendments and options of {plural(lines, 'contract line')}: what each one changed"
    return [table("S2-amendments", title, heads, (_amendment(r) for r in rows), cap=80, of=len(rows))]


def _amendment(row: Record) -> tuple[Cell, ...]:
    before = f"from {quantity(row.number('from_quantity'))}" if row.has("from_quantity") else ""
    since = row.day("from_date")
    return (
        words(row.line()),
        system(row.text("system_id")),
        figure(row.whole("amendment")),
        words(row.text("state")),
        Cell(f"{quantity(row.number('quantity'))} {unit_name(row.text('unit'))}", row.number("quantity"), note=before),
        Cell(signed(row.number("scope")) if row.has("scope") else DASH, row.number("scope")),
        words(
            when(row.day("to_date")).text, note=f"from {when(since).text}" if since and row.count("moved_days") else ""
        ),
        change(row.whole("moved_days"), " d"),
        when(row.day("internal_commit_date")),
        when(row.day("need_date")),
        words(row.text("reason")),
        words(row.text("decision_id"), link=anchor("RAID", row.text("decision_id")) if row.text("decision_id") else ""),
    )


def idle_blocks(week: Week, number: str, heads: tuple[str, ...], cap: int) -> list[Block]:
    """Return the contract lines that are paid for and not schedulable, or the sentence that there are none.

    Args:
        week: the week.
        number: of the table in its report.
        heads: its columns: line, system, quantity, days, and cost last, which is left out where money is hidden.
        cap: so many lines are shown.
    """
    lines, total = idle_lines(week.warehouse)
    if not lines:
        return [Paragraph(total)]
    shown = len(heads) - week.warehouse.hides("money")
    cells = (
        (
            words(line.contract),
            system(line.system_id),
            words(f"{quantity(line.quantity)} {unit_name(line.unit)}"),
            figure(line.days, suffix=" d"),
            Cell(money(line.cost, line.currency) if line.cost is not None else "not known", line.cost),
        )[:shown]
        for line in lines
    )
    return [table(number, total, heads[:shown], cells, cap=cap, of=len(lines))]


def _idle_weeks(week: Week) -> list[Block]:
    by_kind: dict[tuple[str, str], dict[str, Record]] = defaultdict(dict)
    for row in week.rows("mart.idle_weeks"):
        by_kind[row.text("kind"), row.text("currency")][row.text("of_week")] = row
    if not by_kind or week.warehouse.hides("money"):
        return []
    weeks = sorted({label for rows in by_kind.values() for label in rows})[-_WEEKS_SHOWN:]
    heads = ("Kind", *(f">{label}" for label in weeks))
    shown = sorted(by_kind, key=lambda key: (kind_rank(key[0]), key[1]))
    cells = ((words(kind_name(k), note=c), *(_of_week(by_kind[k, c].get(w), c) for w in weeks)) for k, c in shown)
    title = "Cost of capacity paid for and not schedulable, by kind and week, since billing began"
    return [table("S2-idle-weeks", title, heads, cells, cap=40, of=len(shown))]


def _of_week(row: Record | None, currency: str) -> Cell:
    if row is None:
        return Cell(DASH)
    note = f"{quantity(row.number('quantity'))} {unit_name(row.text('unit'))}"
    if row.count("unpriced"):
        note = f"{note}; {plural(row.count('unpriced'), 'line')} without a unit cost"
    cost = row.number("cost")
    return Cell(money(cost, currency) if cost is not None else "not known", cost, note=note)
