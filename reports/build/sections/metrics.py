"""Section 8: six weeks of each figure, inputs before the output they drive, from the issues as they were published."""

from collections import defaultdict
from dataclasses import dataclass, field
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


@dataclass
class _Kind:
    """Reached capacity of one kind by (stage, week), and the stages that apply to any of its systems."""

    reached: dict[tuple[str, str], Decimal] = field(default_factory=dict)
    applies: set[str] = field(default_factory=set)


def metrics_section(week: Week) -> Section:
    """Build section 8: reached capacity per stage in each of the last six weeks, one table per kind."""
    kinds = _kinds(week)
    earlier = sorted({name for kind in kinds.values() for _, name in kind.reached} - {week.name})
    weeks = [*earlier[-(_WEEKS - 1) :], week.name]
    rows = class_rows(week.warehouse)
    blocks: list[Block] = [t for r in rows if (t := _kind_table(r, kinds.get(r.text("kind"), _Kind()), weeks))]
    if not blocks:
        blocks = [Paragraph("no data: the funnel has not been computed for this week", "absent")]
    message = (
        f"{len(weeks)} weeks, {weeks[0]} to {weeks[-1]}; a week without an issue is left blank, never counted as zero"
        if len(weeks) > 1
        else "first week: no trend yet"
    )
    return Section("8", "S8", "Metrics, six weeks", message, tuple(blocks))


def _kinds(week: Week) -> dict[str, _Kind]:
    kinds: dict[str, _Kind] = defaultdict(_Kind)
    for source, this in ((week.rows("hist.funnel"), ""), (week.rows("mart.funnel"), week.name)):
        for line in source:
            at, stage = this or line.text("week"), line.text("stage")
            if stage not in _STAGES or (not this and at >= week.name):
                continue
            kind = kinds[line.text("kind")]
            kind.reached[stage, at] = kind.reached.get((stage, at), Decimal(0)) + line.amount("reached")
            if line.flag("applicable") or not line.has("applicable"):
                kind.applies.add(stage)
    return kinds


def _kind_table(row: Record, kind: _Kind, weeks: list[str]) -> Table | None:
    stages = [stage for stage in _STAGES if stage in kind.applies]
    if not stages:
        return None
    name = kind_name(row.text("kind"))
    heads = (f"{name} ({row.text('unit')})", *(f">{week[-3:]}" for week in weeks), ">Last week", ">Per week")
    rows = (_stage_row(stage, weeks, kind.reached) for stage in stages)
    return table(anchor("S8", row.text("kind")), f"{name}: capacity past each stage", heads, rows)


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
