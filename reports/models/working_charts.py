"""Data of the working charts: Gantt, process behaviour, six weeks and twelve months, calibration, ageing."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal


@dataclass(frozen=True)
class GanttRow:
    """One activity. `late` is the latest finish that harms no contract milestone; `note` names system and float."""

    label: str
    note: str
    start: date
    end: date
    percent: Decimal
    baseline_start: date | None
    baseline_end: date | None
    late: date | None
    driving: bool
    milestone: bool
    link: str = ""


@dataclass(frozen=True)
class Gantt:
    """At most thirty activities in driving order: baseline outline, forecast filled to done, float dotted."""

    id: str
    title: str
    data_date: date
    contract_date: date | None
    rows: tuple[GanttRow, ...]
    description: str
    type: str = field(default="gantt", init=False)


@dataclass(frozen=True)
class BehaviourPoint:
    """One week; no value where it is not available; `rules` are the numbers of the rules that it breaks, `1+2`."""

    label: str
    value: Decimal | None
    rules: str = ""
    in_baseline: bool = False


@dataclass(frozen=True)
class Behaviour:
    """XmR chart: values by week with the mean and the natural limits of a baseline run."""

    id: str
    title: str
    unit: str
    points: tuple[BehaviourPoint, ...]
    mean: Decimal
    lower: Decimal
    upper: Decimal
    description: str
    type: str = field(default="behaviour", init=False)


@dataclass(frozen=True)
class PeriodFigure:
    """One week or month: value and plan, None where not available; `note` says from when a part counts, or why none."""

    label: str
    value: Decimal | None
    plan: Decimal | None = None
    note: str = ""


@dataclass(frozen=True)
class SixTwelve:
    """Six weeks, then twelve months on an axis of their own: a month is not four weeks high on the same scale."""

    id: str
    title: str
    unit: str
    weeks: tuple[PeriodFigure, ...]
    months: tuple[PeriodFigure, ...]
    description: str
    type: str = field(default="six_twelve", init=False)


@dataclass(frozen=True)
class CalibrationRow:
    """Forecasts of one percentile and lead: `held` of `cases` dates held; `claimed` is the percentile, 50 or 80."""

    label: str
    claimed: int
    held: int
    cases: int
    enough: bool


@dataclass(frozen=True)
class Calibration:
    """Share of past dates that held against what their percentile promised."""

    id: str
    title: str
    rows: tuple[CalibrationRow, ...]
    description: str
    type: str = field(default="calibration", init=False)


@dataclass(frozen=True)
class AgeingDot:
    """One open item: its gate (place in `gates`), days in it, and whose it is."""

    gate: int
    days: int
    label: str
    link: str = ""


@dataclass(frozen=True)
class AgeingGate:
    """One gate: open items and passes it is judged by, and the days within which half and 85 % pass."""

    label: str
    waiting: int
    passed: int
    p50: int | None
    p85: int | None


@dataclass(frozen=True)
class Ageing:
    """Open items by gate and days in it, against each gate's own P50 and P85."""

    id: str
    title: str
    gates: tuple[AgeingGate, ...]
    dots: tuple[AgeingDot, ...]
    description: str
    type: str = field(default="ageing", init=False)


WorkingChart = Gantt | Behaviour | SixTwelve | Calibration | Ageing
