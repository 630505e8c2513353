"""Section 8: six weeks of each figure, inputs before the output they drive, from the issues as they were published."""

from decimal import Decimal

from reports.build.cells import table
from reports.build.how_much import class_rows
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph, Section, Table
from reports.text import anchor
from reports.wording import DASH, REACHED, kind_name, quantity, signed

_WEEKS = 6
_STAGES = ("received", "installed", "l1_valid", "accepted", "handed_over", "schedulable")


def metrics_section(week: Week) -> Section:
    """Build section 8: reached capacity per stage in each of the last six weeks, one table per kind."""
    earlier = sorted({r.text("week") for r in week.rows("hist.funnel") if r.text("week") < week.name})
    weeks = [*earlier[-(_WEEKS - 1) :], week.name]
    blocks: list[Block] = [t for row in class_rows(week.warehouse) if (t := _kind_table(week, row, weeks))]
    if not blocks:
        blocks = [Paragraph("no data: the funnel has not been computed for this week", "absent")]
    message = (
        f"{len(weeks)} weeks, {weeks[0]} to {weeks[-1]}; a week without an issue is left blank, never counted as zero"
        if len(weeks) > 1
        else "first week: no trend yet"
    )
    return Section("8", "S8", "Metrics, six weeks", message, tuple(blocks))


def _kind_table(week: Week, row: Record, weeks: list[str]) -> Table | None:
    kind = row.text("kind")
    reached: dict[tuple[str, str], Decimal] = {}
    applies: set[str] = set()
    for source, name in ((week.rows("hist.funnel"), ""), (week.rows("mart.funnel"), week.name)):
        for line in source:
            at = name or line.text("week")
            if line.text("kind") != kind or (not name and at >= week.name):
                continue
            key = (line.text("stage"), at)
            reached[key] = reached.get(key, Decimal(0)) + line.amount("reached")
            applies |= {line.text("stage")} if line.flag("applicable") or not line.has("applicable") else set()
    stages = [stage for stage in _STAGES if stage in applies]
    if not stages:
        return None
    heads = (f"{kind_name(kind)} ({row.text('unit')})", *(f">{name[-3:]}" for name in weeks), ">Last week", ">Per week")
    rows = (_stage_row(stage, weeks, reached) for stage in stages)
    return table(anchor("S8", kind), f"{kind_name(kind)}: capacity past each stage", heads, rows)


def _stage_row(stage: str, weeks: list[str], reached: dict[tuple[str, str], Decimal]) -> tuple[Cell, ...]:
    values = [reached.get((stage, name)) for name in weeks]
    last = values[-1] - values[-2] if len(values) > 1 and values[-1] is not None and values[-2] is not None else None
    known = [value for value in values if value is not None]
    whole = len(known) == len(values) and len(values) > 1
    mean = (known[-1] - known[0]) / (len(known) - 1) if whole else None
    return (
        Cell(REACHED[stage], stage),
        *(Cell(quantity(value), value) for value in values),
        Cell(signed(last), last),
        Cell(signed(round(mean, 1)) if mean is not None else DASH),
    )
