"""Section 7 on pace: what passed this week against what its own weeks let expect, and which faults happen most."""

from decimal import Decimal

from reports.build.cells import figure, table, words
from reports.build.trends import behaviour, trends, verdict_sentence
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph
from reports.wording import DASH, kind_name, kind_rank, percent, plural

_PACE = ("installed", "l1_valid", "accepted", "handed_over")
_YIELD = ("bring_up_yield", "acceptance_yield")
_CHARTS = 4


def throughput_blocks(week: Week) -> list[Block]:
    """Throughput and yield with their verdicts, charts of those that have limits, then the faults by kind."""
    found = [t for t in trends(week) if t.row.text("series") in (*_PACE, *_YIELD) and (t.moved or t.is_signal)]
    if not found:
        return [Paragraph("No throughput to judge: nothing moved in six weeks, or no two successive issues are there.")]
    heads = ("Throughput or yield", ">Last week", ">This week", "Verdict")
    cells = (
        (
            words(t.name),
            Cell(t.told(t.weeks[-2].number("value")), t.weeks[-2].number("value")),
            Cell(t.told(t.weeks[-1].number("value")), t.weeks[-1].number("value")),
            words(verdict_sentence(t)),
        )
        for t in found
    )
    loud = sum(t.is_signal for t in found)
    title = f"Throughput: {plural(loud, 'signal')} in {plural(len(found), 'figure')} that moved"
    charts = [chart for t in found if not t.is_signal and (chart := behaviour(t, "S7")) is not None]
    return [table("S7-throughput", title, heads, cells, cap=40, of=len(found)), *charts[:_CHARTS]]


def pareto_blocks(week: Week) -> list[Block]:
    """Faults of 13 weeks by kind, most frequent first, with their cumulative share."""
    rows = sorted(
        week.rows("mart.failure_pareto"), key=lambda r: (kind_rank(r.text("kind")), -r.count("faults"), r.text("fault"))
    )
    if not rows:
        return []
    totals: dict[str, int] = {}
    for row in rows:
        totals[row.text("kind")] = totals.get(row.text("kind"), 0) + row.count("faults")
    heads = ("Kind of system", "Fault", ">Faults", ">Cumulative", ">Still open", ">Units", ">Systems", ">Median age",
             "Example")  # fmt: skip
    title = f"Faults of 13 weeks by kind: {plural(sum(totals.values()), 'fault')}, most frequent first"
    return [table("S7-pareto", title, heads, _pareto_rows(rows, totals), cap=40)]


def _pareto_rows(rows: list[Record], totals: dict[str, int]) -> list[tuple[Cell, ...]]:
    made: list[tuple[Cell, ...]] = []
    running = dict.fromkeys(totals, 0)
    for row in rows:
        kind = row.text("kind")
        running[kind] += row.count("faults")
        made.append(
            (
                words(kind_name(kind)),
                words(row.text("fault")),
                figure(row.whole("faults")),
                Cell(percent(Decimal(running[kind]), Decimal(totals[kind]))),
                figure(row.whole("open_faults")),
                figure(row.whole("units")),
                figure(row.whole("systems")),
                figure(row.whole("median_days"), suffix=" d") if row.has("median_days") else Cell(DASH),
                words(row.text("example")),
            )
        )
    return made
