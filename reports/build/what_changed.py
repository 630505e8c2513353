"""Answer 3: changes whose quantities add up to the deltas of answer 1 and whose days add up to the P80 change."""

from collections import defaultdict
from datetime import date
from decimal import Decimal

from reports.build.how_much import class_rows
from reports.build.warehouse import Record, Warehouse
from reports.build.week import week_of
from reports.build.when_sure import forecast_lines, whole_kind_before
from reports.models.executive import ChangeLine, WhatChanged
from reports.text import anchor, shorten
from reports.wording import kind_name, kind_rank, listed, plural, short_day, signed, unit_name

_SHOWN = 4
_CAUSE_LIMIT = 72
_BOOKKEEPING = {"restated": "restatements", "scope": "scope", "definition": "definitions"}
_VERBS = {"flow_in": "became schedulable", "flow": "became schedulable", "withdrawn": "withdrawn", "transfer": "moved"}


def build_what_changed(warehouse: Warehouse, previous_week: str) -> WhatChanged:
    """Build answer 3. Every quantity of `mart.change_rows` is in some line; a gap to Δ is a line of its own."""
    rows = _sorted_rows(warehouse)
    deltas = {r.text("kind"): r.number("delta") for r in class_rows(warehouse)}
    flows = [row for row in rows if row.text("component") not in _BOOKKEEPING]
    paper = [row for row in rows if row.text("component") in _BOOKKEEPING]
    gaps = _gaps(rows, deltas)
    forecast = _forecast_line(warehouse)
    room = _SHOWN - bool(forecast) - bool(gaps)
    shown = flows if len(flows) <= room + 1 else flows[:room]
    passed = _gates_passed(warehouse)
    lines = [_change_line(row, passed) for row in shown]
    lines += [_rest_line(flows[len(shown) :])] if len(flows) > len(shown) else []
    lines += [forecast] if forecast else []
    lines += [_gap_line(gaps)] if gaps else []
    lines.append(_paper_line(paper))
    first = not previous_week
    return WhatChanged(
        question=f"What changed since {previous_week}?" if previous_week else "What changed?",
        answer=_answer(deltas, warehouse, first),
        lines=tuple(lines),
        check=_check(deltas, forecast, gaps, first),
        reconciled=not gaps,
    )


def _sorted_rows(warehouse: Warehouse) -> list[Record]:
    rows = [row for row in warehouse.rows("mart.change_rows") if row.amount("quantity")]
    return sorted(rows, key=lambda r: (kind_rank(r.text("kind")), -abs(r.amount("quantity")), r.text("system_id")))


def _gaps(rows: list[Record], deltas: dict[str, Decimal | None]) -> dict[str, Decimal]:
    sums: dict[str, Decimal] = defaultdict(Decimal)
    for row in rows:
        sums[row.text("kind")] += row.amount("quantity")
    known = {kind: delta for kind, delta in deltas.items() if delta is not None}
    return {kind: gap for kind in sorted(known, key=kind_rank) if (gap := known[kind] - sums[kind])}


def _change_line(row: Record, passed: dict[str, str]) -> ChangeLine:
    kind, unit = row.text("kind"), row.text("unit")
    component = row.text("component")
    return ChangeLine(
        what=f"{row.text('system_id')} {_VERBS.get(component, component)}",
        kind=kind,
        unit=unit,
        quantity=row.number("quantity"),
        quantity_text=f"{signed(row.number('quantity'))} {unit_name(unit)}",
        p80_days=None,
        cause=shorten(_cause(row, passed), _CAUSE_LIMIT),
        evidence=shorten(row.text("evidence"), 40),
        link=anchor("SYS", row.text("system_id")),
    )


def _cause(row: Record, passed: dict[str, str]) -> str:
    """The recorded cause; where it only repeats what happened, the gates that the system passed this week."""
    cause, repeated = row.text("cause"), set(_VERBS.values())
    if cause and cause not in repeated:
        return cause
    gates = passed.get(row.text("system_key") or row.text("system_id").casefold(), "")
    if gates and row.amount("quantity") > 0:
        return gates
    return "units of a block still under way" if cause and row.amount("quantity") > 0 else cause or "no cause recorded"


def _gates_passed(warehouse: Warehouse) -> dict[str, str]:
    """Per system the last gate that each of its blocks passed in the window, in words."""
    week = week_of(warehouse)
    last: dict[str, dict[str, Record]] = defaultdict(dict)
    for row in sorted(week.gates_passed, key=lambda r: r.count("gate_no")):
        last[row.text("system_key")][row.text("block")] = row
    return {
        key: "; ".join(
            f"{'' if block in ('', 'all') else f'block {block} '}passed {row.text('title') or row.text('gate')}"
            for block, row in sorted(blocks.items())
        )
        for key, blocks in last.items()
    }


def _per_kind(sums: dict[str, Decimal]) -> str:
    return "; ".join(f"{kind_name(kind)} {signed(sums[kind])}" for kind in sorted(sums, key=kind_rank))


def _sums(rows: list[Record]) -> dict[str, Decimal]:
    sums: dict[str, Decimal] = defaultdict(Decimal)
    for row in rows:
        sums[row.text("kind")] += row.amount("quantity")
    return sums


def _summary(what: str, text: str, cause: str, link: str, days: int | None = None) -> ChangeLine:
    return ChangeLine(what, "", "", None, text, days, cause, "", link)


def _rest_line(rows: list[Record]) -> ChangeLine:
    systems = sorted({row.text("system_id") for row in rows})
    return _summary(
        f"{plural(len(rows), 'other change')}", _per_kind(_sums(rows)), shorten(listed(systems), _CAUSE_LIMIT), "S1"
    )


def _gap_line(gaps: dict[str, Decimal]) -> ChangeLine:
    return _summary("Not explained by rows", _per_kind(gaps), "Δ of answer 1 less the rows behind it", "S1")


def _paper_line(rows: list[Record]) -> ChangeLine:
    if not rows:
        return _summary("Baseline, scope, definitions, restatements", "0", "None.", "S1")
    parts = defaultdict(list)
    for row in rows:
        parts[row.text("component")].append(row)
    words = [f"{_BOOKKEEPING[name]}: {_causes(parts[name])}" for name in _BOOKKEEPING if name in parts]
    text = _per_kind(_sums(rows))
    return _summary("Baseline, scope, definitions, restatements", text, shorten("; ".join(words), 120), "S1")


def _causes(rows: list[Record]) -> str:
    return "; ".join(sorted({row.text("cause") or "no cause recorded" for row in rows}))


def _forecast_line(warehouse: Warehouse) -> ChangeLine | None:
    move = p80_move(warehouse)
    if move is None:
        return None
    kind, before, now = move
    days = (now - before).days
    driver = _driver(warehouse, kind)
    words = f"P80 of all {kind_name(kind)}: {short_day(before)} → {short_day(now)}" if days else "P80 date unchanged"
    return _summary("Forecast re-run", "0", f"{words}{'; ' + driver if driver and days else ''}", "S2", days)


def p80_move(warehouse: Warehouse) -> tuple[str, date, date] | None:
    """Return (kind, P80 as issued, P80 now) of the kind that answer 2 leads with, None where either is missing."""
    lines = forecast_lines(warehouse)
    if not lines or lines[0].p80 is None:
        return None
    before = whole_kind_before(warehouse, lines[0].kind).p80
    return (lines[0].kind, before, lines[0].p80) if before else None


def _driver(warehouse: Warehouse, kind: str) -> str:
    rows = [r for r in warehouse.rows("mart.commitments") if r.text("kind") == kind and r.text("driver")]
    rows.sort(key=lambda r: (-r.amount("shortfall"), str(r.day("contract_date"))))
    return f"driver: {shorten(rows[0].text('driver'), 70)}" if rows else ""


def _answer(deltas: dict[str, Decimal | None], warehouse: Warehouse, first: bool) -> str:
    if first:
        return "First week of this programme: there is nothing to compare with."
    units = {r.text("kind"): r.text("unit") for r in class_rows(warehouse)}
    moved = [f"{kind_name(k)} {signed(d)} {unit_name(units[k])}" for k, d in deltas.items() if d]
    still = sum(not delta for delta in deltas.values())
    if not moved:
        return f"Schedulable capacity did not change in any of {plural(len(deltas), 'kind')}."
    return f"Schedulable: {listed(moved)}; {plural(still, 'kind')} unchanged." if still else f"{listed(moved)}."


def _check(
    deltas: dict[str, Decimal | None], forecast: ChangeLine | None, gaps: dict[str, Decimal], first: bool
) -> str:
    if first:
        return ""
    if gaps:
        return f"Rows do not add up to Δ: {_per_kind(gaps)} unexplained, so this issue is a DRAFT."
    sums = {kind: delta for kind, delta in deltas.items() if delta}
    quantities = _per_kind(sums) if sums else "0 in every kind"
    days = f", days to {signed(forecast.p80_days, ' d')} of P80" if forecast and forecast.p80_days is not None else ""
    return f"Rows add up to Δ: {quantities}{days}."
