"""Answer 2: when the rest will be schedulable and how sure we are; our own record of past P80 dates."""

from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise

from reports.build.calibration import calibration_sentence
from reports.build.how_much import class_rows
from reports.build.warehouse import Record, Warehouse
from reports.build.whole_kind import NOTHING, Whole, whole_forecast
from reports.models.charts import Point, SCurve
from reports.models.executive import ForecastLine, WhenSure
from reports.text import anchor
from reports.wording import day, kind_name, kind_rank, percent, quantity, share, unit_name

QUESTION = "When will the rest be schedulable, and how sure are we?"
_RECORD_MINIMUM = 10


def build_when_sure(warehouse: Warehouse, as_of: date | None) -> WhenSure:
    """Build answer 2; the curve is that of the first kind in the fixed order that has any history."""
    lines = forecast_lines(warehouse)
    curve = next((c for c in (curve_of(warehouse, line.kind, as_of) for line in lines) if c), None)
    record = record_sentence(warehouse)
    return WhenSure(
        question=QUESTION,
        answer=_answer(lines, warehouse),
        curve=curve,
        curve_absent="" if curve else "No curve: the warehouse holds no weekly history of schedulable capacity yet.",
        lines=lines,
        record=record,
    )


def forecast_lines(warehouse: Warehouse) -> tuple[ForecastLine, ...]:
    """Return one line per kind: its whole remaining contract, judged by the last contract date."""
    now, before = _views(warehouse)
    lines = [_line(warehouse, row, now[row.text("kind")], before) for row in class_rows(warehouse)]
    return tuple(sorted(lines, key=lambda line: kind_rank(line.kind)))


def _views(warehouse: Warehouse) -> tuple[dict[str, Whole], dict[str, Whole]]:
    """Whole-kind forecasts as of now and as issued last week."""
    kinds = [row.text("kind") for row in class_rows(warehouse)]
    previous = next((r.text("previous_week") for r in warehouse.rows("meta.week")), "")
    issued = warehouse.rows("hist.forecast", week=previous) if previous else ()
    now = {kind: whole_forecast(kind, warehouse.rows("mart.forecast")) for kind in kinds}
    return now, {kind: whole_forecast(kind, issued) for kind in kinds}


def whole_kind_before(warehouse: Warehouse, kind: str) -> Whole:
    """Return the forecast of a whole kind as issued last week."""
    return _views(warehouse)[1].get(kind, NOTHING)


def _line(warehouse: Warehouse, row: Record, whole: Whole, before: dict[str, Whole]) -> ForecastLine:
    kind = row.text("kind")
    remaining = max(Decimal(0), row.amount("contracted") - row.amount("schedulable"))
    return ForecastLine(
        kind=kind,
        label=kind_name(kind),
        remaining=remaining,
        contract_date=whole.contract_date or last_contract_date(warehouse, kind),
        p50=whole.p50 if remaining else None,
        p80=whole.p80 if remaining else None,
        confidence=whole.confidence,
        confidence_prev=before[kind].confidence,
        status=row.text("status") or "grey",
        note=(whole.note or "no forecast has been made") if remaining else _done(row),
        link=anchor("CLS", kind),
    )


def _done(row: Record) -> str:
    return "all schedulable" if row.amount("contracted") else "nothing contracted"


def last_contract_date(warehouse: Warehouse, kind: str) -> date | None:
    """Return the date by which the whole contracted quantity of a kind is owed."""
    dates = [r.day("contract_date") for r in warehouse.rows("mart.commitments") if r.text("kind") == kind]
    return max((value for value in dates if value), default=None)


def _answer(lines: tuple[ForecastLine, ...], warehouse: Warehouse) -> str:
    if not lines:
        return "Not rated: no commitment in force."
    line = lines[0]
    contracted = class_rows(warehouse)[0]
    whole = f"{quantity(contracted.amount('contracted'))} {unit_name(contracted.text('unit'))}"
    if not line.remaining and not contracted.amount("contracted"):
        return f"Not rated: no {line.label} contract line is in force."
    if not line.remaining:
        return f"All {whole} contracted are schedulable."
    contract = f"contract {day(line.contract_date)}"
    if line.p50 is None:
        reason = line.note.removeprefix("no forecast: ") or "no forecast"
        return f"All {whole}: no date can be given: {reason}; {contract}."
    chance = f" Chance of meeting it: {share(line.confidence)}" if line.confidence is not None else ""
    if chance:
        chance += f" (last week {share(line.confidence_prev)})." if line.confidence_prev is not None else "."
    return f"All {whole}: P50 {day(line.p50)}, P80 {day(line.p80)}; {contract}.{chance}"


def record_sentence(warehouse: Warehouse) -> str:
    """Return how often our own dates held, of contract lines and of gates, with the counts; few cases say so."""
    return f"{_lines_sentence(warehouse)} Gates: {calibration_sentence(warehouse)}."


def _lines_sentence(warehouse: Warehouse) -> str:
    rows = list(warehouse.rows("mart.record"))
    closed = sum(row.count("closed_forecasts") for row in rows)
    held = sum(row.count("held") for row in rows)
    if not closed:
        return "no past P80 date of a contract line has come due yet."
    rate = percent(Decimal(held), Decimal(closed))
    words = f"{held} of {closed} past P80 dates held ({rate})"
    if closed < _RECORD_MINIMUM:
        return f"{words}; fewer than {_RECORD_MINIMUM} cases, so weak evidence."
    return f"{words}, so read P80 as about P{held * 100 // closed}." if held * 100 < closed * 80 else f"{words}."


def curve_of(warehouse: Warehouse, kind: str, as_of: date | None) -> SCurve | None:
    """Return the S-curve of one kind, or None when it has no actual series or the week has no data date."""
    rows = [row for row in warehouse.rows("mart.s_curve") if row.text("kind") == kind and row.day("week_end")]
    series = _trimmed(
        {name: _points(rows, name) for name in ("plan", "actual", "p10", "p50", "p80", "p90", "contract")}
    )
    if not series["actual"] or as_of is None:
        return None
    actual = tuple(point for point in series["actual"] if point.day <= as_of)
    unit = next((r.text("unit") for r in warehouse.rows("mart.classes") if r.text("kind") == kind), "")
    return SCurve(
        id=anchor("FIG", "s-curve", kind),
        title=_curve_title(kind, unit, actual, series, as_of),
        unit=unit,
        data_date=as_of,
        description=_curve_description(kind, unit, actual, series),
        **{**series, "actual": actual},
    )


def _points(rows: list[Record], series: str) -> tuple[Point, ...]:
    found = [(row.day("week_end"), row.number("quantity")) for row in rows if row.text("series") == series]
    return tuple(sorted((Point(d, q) for d, q in found if d and q is not None), key=lambda point: point.day))


def _trimmed(series: dict[str, tuple[Point, ...]]) -> dict[str, tuple[Point, ...]]:
    """Leave out the weeks after everything has happened, but four: a flat year would squeeze the curve."""
    changes = [b.day for points in series.values() for a, b in pairwise(points) if a.value != b.value]
    changes += [points[0].day for points in series.values() if points]
    changes += [point.day for point in series["actual"][-1:]]
    last = max(changes, default=None)
    if last is None:
        return series
    end = last + timedelta(weeks=4)
    return {name: tuple(point for point in points if point.day <= end) for name, points in series.items()}


def _curve_title(
    kind: str, unit: str, actual: tuple[Point, ...], series: dict[str, tuple[Point, ...]], as_of: date
) -> str:
    now = actual[-1].value if actual else Decimal(0)
    due = max((p.value for p in series["contract"] if p.day <= as_of), default=None)
    name = f"{kind_name(kind)}: {quantity(now)} {unit_name(unit)} schedulable"
    if due is None:
        return name
    if due > now:
        return f"{name}, {quantity(due - now)} short of the {quantity(due)} due"
    return f"{name}, all {quantity(due)} due are met" if due else f"{name}, none due yet"


def _curve_description(kind: str, unit: str, actual: tuple[Point, ...], series: dict[str, tuple[Point, ...]]) -> str:
    last = actual[-1]
    words = f"Cumulative schedulable {unit} of {kind_name(kind)} by week; {quantity(last.value)} on {day(last.day)}"
    end = series["contract"][-1] if series["contract"] else None
    return f"{words}; contract {quantity(end.value)} by {day(end.day)}." if end else f"{words}."
