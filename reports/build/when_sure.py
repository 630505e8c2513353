"""Answer 2: when the rest will be schedulable and how sure we are; our own record of past P80 dates."""

from datetime import date
from decimal import Decimal

from reports.build.how_much import class_rows
from reports.build.warehouse import Record, Warehouse
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
    whole = {r.text("scope"): r for r in warehouse.rows("mart.forecast") if r.text("scope_type") == "kind"}
    before = _previous_confidence(warehouse)
    lines = []
    for row in class_rows(warehouse):
        kind = row.text("kind")
        forecast = whole.get(kind, Record({}))
        lines.append(_line(warehouse, row, forecast, before.get(kind)))
    return tuple(sorted(lines, key=lambda line: kind_rank(line.kind)))


def _line(warehouse: Warehouse, row: Record, forecast: Record, before: Decimal | None) -> ForecastLine:
    kind = row.text("kind")
    remaining = forecast.number("remaining")
    if remaining is None:
        remaining = max(Decimal(0), row.amount("contracted") - row.amount("schedulable"))
    done = remaining <= 0
    note = forecast.text("note") or ("" if forecast.day("p50") else "no forecast: history too short")
    return ForecastLine(
        kind=kind,
        label=kind_name(kind),
        remaining=max(remaining, Decimal(0)),
        contract_date=forecast.day("contract_date") or last_contract_date(warehouse, kind),
        p50=forecast.day("p50"),
        p80=forecast.day("p80"),
        confidence=forecast.number("confidence"),
        confidence_prev=before,
        status=row.text("status") or "grey",
        note="all schedulable" if done else note,
        link=anchor("CLS", kind),
    )


def last_contract_date(warehouse: Warehouse, kind: str) -> date | None:
    """Return the date by which the whole contracted quantity of a kind is owed."""
    dates = [r.day("contract_date") for r in warehouse.rows("mart.commitments") if r.text("kind") == kind]
    return max((value for value in dates if value), default=None)


def _previous_confidence(warehouse: Warehouse) -> dict[str, Decimal | None]:
    previous = next((r.text("previous_week") for r in warehouse.rows("meta.week")), "")
    return {
        row.text("scope"): row.number("confidence")
        for row in warehouse.rows("hist.forecast")
        if row.text("scope_type") == "kind" and previous and row.text("week") == previous
    }


def _answer(lines: tuple[ForecastLine, ...], warehouse: Warehouse) -> str:
    if not lines:
        return "Not rated: no commitment in force."
    line = lines[0]
    contracted = class_rows(warehouse)[0]
    whole = f"{quantity(contracted.amount('contracted'))} {unit_name(contracted.text('unit'))}"
    if not line.remaining:
        return f"All {whole} contracted are schedulable."
    contract = f"contract {day(line.contract_date)}"
    if line.p50 is None:
        return f"All {whole}: no date can be given ({line.note or 'no forecast'}); {contract}."
    chance = f" Chance of meeting it: {share(line.confidence)}" if line.confidence is not None else ""
    if chance:
        chance += f" (last week {share(line.confidence_prev)})." if line.confidence_prev is not None else "."
    return f"All {whole}: P50 {day(line.p50)}, P80 {day(line.p80)}; {contract}.{chance}"


def record_sentence(warehouse: Warehouse) -> str:
    """Return how often our own P80 dates held, with the count; few cases say so."""
    rows = list(warehouse.rows("mart.record"))
    closed = sum(row.count("closed_forecasts") for row in rows)
    held = sum(row.count("held") for row in rows)
    if not closed:
        return "no past P80 date has come due yet, so read P80 as untested."
    rate = percent(Decimal(held), Decimal(closed))
    words = f"{held} of {closed} past P80 dates held ({rate})"
    if closed < _RECORD_MINIMUM:
        return f"{words}; fewer than {_RECORD_MINIMUM} cases, so weak evidence."
    return f"{words}, so read P80 as about P{held * 100 // closed}." if held * 100 < closed * 80 else f"{words}."


def curve_of(warehouse: Warehouse, kind: str, as_of: date | None) -> SCurve | None:
    """Return the S-curve of one kind, or None when it has no actual series or the week has no data date."""
    rows = [row for row in warehouse.rows("mart.s_curve") if row.text("kind") == kind and row.day("week_end")]
    series = {name: _points(rows, name) for name in ("plan", "actual", "p10", "p50", "p80", "p90", "contract")}
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
