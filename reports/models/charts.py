"""Data of charts, before geometry: what is drawn and the sentence it supports. One unit per chart."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from reports.models.working_charts import WorkingChart


@dataclass(frozen=True)
class Point:
    """A cumulative quantity at a week end."""

    day: date
    value: Decimal


@dataclass(frozen=True)
class SCurve:
    """Plan, actual, forecast P50 with P10-P90 band, contract steps. Actual ends at the data date."""

    id: str
    title: str
    unit: str
    data_date: date
    plan: tuple[Point, ...]
    actual: tuple[Point, ...]
    p10: tuple[Point, ...]
    p50: tuple[Point, ...]
    p80: tuple[Point, ...]
    p90: tuple[Point, ...]
    contract: tuple[Point, ...]
    description: str
    type: str = field(default="s_curve", init=False)


@dataclass(frozen=True)
class Step:
    """A falling bar of the waterfall: capacity whose first unmet stage is this one."""

    stage: str
    label: str
    held: Decimal


@dataclass(frozen=True)
class Waterfall:
    """Contracted down to schedulable; `waived` is the part of schedulable that rests on an open waiver."""

    id: str
    title: str
    unit: str
    contracted: Decimal
    steps: tuple[Step, ...]
    schedulable: Decimal
    waived: Decimal
    description: str
    type: str = field(default="waterfall", init=False)


@dataclass(frozen=True)
class BulletRow:
    """One class: bar = schedulable, thick mark = due now, end of the pale range = contracted; own unit."""

    label: str
    unit: str
    schedulable: Decimal
    due: Decimal
    contracted: Decimal
    of_due: str
    status: str
    link: str = ""


@dataclass(frozen=True)
class Bullets:
    """Bullet rows; every row has its own scale in percent of contracted, since kinds have no common unit."""

    id: str
    title: str
    rows: tuple[BulletRow, ...]
    description: str
    type: str = field(default="bullets", init=False)


@dataclass(frozen=True)
class HeatCell:
    """Systems past the gate of all that meet it, and the worst status of those waiting at it (grey: no evidence)."""

    passed: int
    total: int
    worst: str
    blocked: str


@dataclass(frozen=True)
class HeatRow:
    """One site; cells in gate order."""

    site_id: str
    site_name: str
    cells: tuple[HeatCell, ...]
    link: str = ""


@dataclass(frozen=True)
class HeatMap:
    """Sites by blocked capacity (most first) against gates in order."""

    id: str
    title: str
    gates: tuple[str, ...]
    rows: tuple[HeatRow, ...]
    description: str
    type: str = field(default="heat_map", init=False)


@dataclass(frozen=True)
class FunnelRow:
    """Capacity that reached a stage; not applicable stages are left out by the builder, not drawn as zero."""

    stage: str
    label: str
    reached: Decimal


@dataclass(frozen=True)
class Funnel:
    """Stages of one kind to one scale."""

    id: str
    title: str
    unit: str
    rows: tuple[FunnelRow, ...]
    description: str
    type: str = field(default="funnel", init=False)


@dataclass(frozen=True)
class DriftPoint:
    """P50 and P80 as issued in a report week, in days against the contract date (positive is late)."""

    week: str
    p50: int
    p80: int | None


@dataclass(frozen=True)
class Fan:
    """Forecast drift of one commitment over report weeks; `breaks` are weeks in which its contract date changed."""

    id: str
    title: str
    contract_date: date
    points: tuple[DriftPoint, ...]
    breaks: tuple[str, ...]
    description: str
    type: str = field(default="fan", init=False)


@dataclass(frozen=True)
class MilestoneLine:
    """Forecast dates of a commitment as issued, one per report date; `baseline` is its first contract date.

    `causes` are the slips: report date, days, and what drove the date then.
    """

    label: str
    points: tuple[tuple[date, date], ...]
    status: str
    slip_days: int
    baseline: date | None = None
    causes: tuple[tuple[date, int, str], ...] = ()


@dataclass(frozen=True)
class Milestones:
    """Milestone trend: report date against forecast date, step lines, the diagonal is today."""

    id: str
    title: str
    lines: tuple[MilestoneLine, ...]
    description: str
    type: str = field(default="milestones", init=False)


@dataclass(frozen=True)
class TornadoBar:
    """P80 of the whole with one input at its own P10 and at its own P90, everything else drawn."""

    label: str
    low: date
    high: date
    swing_days: Decimal


@dataclass(frozen=True)
class Tornado:
    """Inputs by how far they move the P80, widest first; `base` is the P80 as forecast."""

    id: str
    title: str
    base: date
    contract_date: date | None
    bars: tuple[TornadoBar, ...]
    description: str
    type: str = field(default="tornado", init=False)


@dataclass(frozen=True)
class RoomPoint:
    """Capacity and demand at a week end; the three cases of demand are None where nothing is known of it."""

    day: date
    p50: Decimal
    p80: Decimal
    low: Decimal | None
    mid: Decimal | None
    high: Decimal | None


@dataclass(frozen=True)
class Room:
    """Capacity of a store against its demand by week; `run_out` is the week end by which half of the runs ran out."""

    id: str
    title: str
    unit: str
    points: tuple[RoomPoint, ...]
    run_out: date | None
    description: str
    type: str = field(default="room", init=False)


Chart = SCurve | Waterfall | Bullets | HeatMap | Funnel | Fan | Milestones | Tornado | Room | WorkingChart
