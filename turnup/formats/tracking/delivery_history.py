"""Delivery histories with one shipped line a row: scheduled, delivered and recorded days, charges with words in them.

The layout is that of the public health supply chain's history; its figures are told so that its owner can check them.
A charge is a number, a reason (included, invoiced separately) or a reference to the row that holds it; a sum counts
numbers only, so that no charge counts twice.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from expectations.absent_values import REFERENCE, reason_of
from expectations.typing_rules import TypingRules
from turnup.formats.model import Fact, Finding, RawTable, Severity
from turnup.formats.profiles import Profile
from turnup.formats.tabular.names import name_key

_REFERENCES = dict.fromkeys(("freight_cost", "weight_kg", "insurance"), r"ID#:\s*(\d+)")
_RULES = TypingRules(references=_REFERENCES)
_DAY_FORMATS = ("%d-%b-%y", "%m/%d/%Y", "%Y-%m-%d", "%m/%d/%y")
_ROUNDING = Decimal(1)
_SHOWN = 10

Values = Mapping[str, str | None]


@dataclass(frozen=True)
class _Line:
    """One shipped line: its cells under our names, and those that the dataset does not take under theirs."""

    row: int
    ours: Values
    given: Values

    def day(self, column: str) -> date | None:
        """The day in one of our columns, or None."""
        return _day(self.ours.get(column))

    def number(self, column: str) -> Decimal | None:
        """The number in one of our columns, or None."""
        return _number(self.ours.get(column))


def _day(text: str | None) -> date | None:
    for form in _DAY_FORMATS if text else ():
        try:
            return datetime.strptime(str(text), form).date()  # noqa: DTZ007 - a day has no zone
        except ValueError:
            continue
    return None


def _number(text: str | None) -> Decimal | None:
    try:
        value = Decimal((text or "").replace(",", ""))
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def finish(table: RawTable) -> RawTable:
    """The table with the figures and contradictions of a delivery history."""
    lines = list(_lines(table))
    facts = (*_counts(table, lines), *_charges(lines), *_orders(lines), *_quality(lines))
    findings = (*table.findings, *_found(lines))
    return replace(table, facts=(*table.facts, *facts), findings=findings)


def _lines(table: RawTable) -> Iterator[_Line]:
    for row in table.frame.iter_rows(named=True):
        given = json.loads(row["_given"]) if row["_given"] else {}
        cells = given if isinstance(given, dict) else {}
        yield _Line(row["_row"], row, {name_key(name): value for name, value in cells.items()})


def _counts(table: RawTable, lines: Sequence[_Line]) -> Iterator[Fact]:
    countries = Counter(line.ours.get("destination") for line in lines)
    countries.pop(None, None)
    ranked = sorted(countries.items(), key=lambda item: (-item[1], str(item[0])))
    yield Fact("rows", len(lines), "rows")
    yield Fact("columns", len(table.columns), "columns")
    yield Fact("distinct_lines", len({line.ours.get("line") for line in lines}), "lines")
    yield Fact("countries", len(countries), "countries")
    yield Fact("largest_countries", tuple(f"{name} {count}" for name, count in ranked[:5]))
    late = [(d - s).days for line in lines if (d := line.day("delivered")) and (s := line.day("scheduled"))]
    after = [days for days in late if days > 0]
    yield Fact("on_the_day", sum(days == 0 for days in late), "rows")
    yield Fact("early", sum(days < 0 for days in late), "rows")
    yield Fact("late", len(after), "rows")
    yield Fact("late_share", _rounded(Decimal(100 * len(after)), len(late)), "%")
    yield Fact("mean_days_late", _rounded(Decimal(sum(after)), len(after)), "d", "of the late rows")
    yield Fact("most_days_late", max(late, default=0), "d")
    yield Fact("most_days_early", min(late, default=0), "d")


def _rounded(total: Decimal, count: int) -> str:
    return str((total / count).quantize(Decimal("0.1"), ROUND_HALF_UP)) if count else "0.0"


def _charges(lines: Sequence[_Line]) -> Iterator[Fact]:
    by_name = {line.ours.get("line"): line for line in lines}
    for name, column in (("freight", "freight_cost"), ("weight", "weight_kg"), ("insurance", "insurance")):
        kinds = Counter(_kind(line, column) for line in lines)
        total = sum((value for line in lines if (value := line.number(column)) is not None), Decimal(0))
        yield Fact(f"{name}_numeric", kinds["number"], "rows")
        yield Fact(f"{name}_sum", format(total, "f"), note="numbers only")
        for kind in ("included", "separate", "blank", "other"):
            yield Fact(f"{name}_{kind}", kinds[kind], "rows")
        targets = [(line, by_name.get(_target(line, column))) for line in lines if _target(line, column)]
        ends = Counter(_kind(target, column) for _, target in targets if target is not None)
        yield Fact(f"{name}_references", len(targets), "rows")
        yield Fact(f"{name}_resolved", ends["number"] + ends["included"] + ends["separate"], "rows")
        yield Fact(f"{name}_resolved_to_number", ends["number"], "rows")
        yield Fact(f"{name}_resolved_to_separate", ends["separate"], "rows")


def _kind(line: _Line, column: str) -> str:
    """What a charge's cell is: a number, a reason, a reference, nothing, or something else."""
    text = line.ours.get(column)
    if text is None:
        return "blank"
    if _number(text) is not None:
        return "number"
    reason = reason_of(text, column, _RULES, date=False) or "other"
    return reason.partition(":")[0]


def _target(line: _Line, column: str) -> str | None:
    reason = reason_of(line.ours.get(column) or "", column, _RULES, date=False)
    kind, _, row = (reason or "").partition(":")
    return row if kind == REFERENCE else None


def _orders(lines: Sequence[_Line]) -> Iterator[Fact]:
    words = Counter(_order_day(line) for line in lines)
    ambiguous = sum(_ambiguous(line.ours.get("ordered")) for line in lines)
    yield Fact("order_days", words["day"], "rows", "days on which the order was sent")
    yield Fact("order_days_ambiguous", ambiguous, "rows", "neither day nor month is over 12")
    yield Fact("order_days_not_applicable", words["not_applicable"], "rows")
    yield Fact("order_days_not_captured", words["not_captured"], "rows")
    shipments: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        po, shipment = line.ours.get("po"), line.ours.get("shipment")
        if po and shipment:
            shipments[po].add(shipment)
    split = {po: len(names) for po, names in shipments.items() if len(names) > 1}
    most = min(split, key=lambda po: (-split[po], po), default="")
    yield Fact("split_orders", len(split), "orders", "sent in several shipments")
    yield Fact("most_split_order", f"{most} {split[most]}" if most else "", "shipments")
    yield Fact("incoterms", _counted(line.ours.get("incoterm") for line in lines))


def _order_day(line: _Line) -> str:
    text = line.ours.get("ordered")
    if line.day("ordered") is not None:
        return "day"
    return reason_of(text or "", "ordered", _RULES, date=True) or "other"


def _ambiguous(text: str | None) -> bool:
    found = re.fullmatch(r"(\d{1,2})[/.-](\d{1,2})[/.-]\d{2,4}", text or "")
    return found is not None and int(found[1]) <= 12 and int(found[2]) <= 12


def _counted(values: Iterable[str | None]) -> tuple[str, ...]:
    held = Counter(value or "(blank)" for value in values)
    return tuple(f"{value} {count}" for value, count in sorted(held.items(), key=lambda item: (-item[1], item[0])))


def _quality(lines: Sequence[_Line]) -> Iterator[Fact]:
    for name, column in (("quantity", "quantity"), ("value", "value")):
        total = sum((value for line in lines if (value := line.number(column)) is not None), Decimal(0))
        yield Fact(name, format(total, "f"))
    yield Fact("mode_blank", sum(line.ours.get("mode") is None for line in lines), "rows")
    yield Fact("value_differs", len(_off_value(lines)), "rows", "from quantity x pack price by more than 1")
    yield Fact("unit_price_zero", sum(_number(line.given.get("unit_price")) == 0 for line in lines), "rows")
    yield Fact("value_zero", sum(line.number("value") == 0 for line in lines), "rows")
    yield Fact("recorded_before_delivered", len(_before(lines, "recorded", "delivered")), "rows")
    yield Fact("delivered_before_ordered", len(_before(lines, "delivered", "ordered")), "rows")


def _off_value(lines: Sequence[_Line]) -> list[_Line]:
    return [line for line in lines if (off := _difference(line)) is not None and abs(off) > _ROUNDING]


def _difference(line: _Line) -> Decimal | None:
    """Value less quantity x pack price."""
    parts = (line.number("value"), line.number("quantity"), _number(line.given.get("pack_price")))
    value, quantity, price = parts
    return None if value is None or quantity is None or price is None else value - quantity * price


def _before(lines: Sequence[_Line], first: str, second: str) -> list[_Line]:
    return [line for line in lines if (a := line.day(first)) and (b := line.day(second)) and a < b]


def _found(lines: Sequence[_Line]) -> Iterator[Finding]:
    told = (
        ("value_mismatch", "value", _off_value(lines), "whose value is not quantity x pack price"),
        ("step_order", "recorded", _before(lines, "recorded", "delivered"), "recorded before they were delivered"),
        ("step_order", "ordered", _before(lines, "delivered", "ordered"), "delivered before the order was sent"),
        (
            "unresolved_reference",
            "freight_cost",
            _unresolved(lines),
            "whose charge is said to be in a row that is not there",
        ),
    )
    for code, column, wrong, what in told:
        if wrong:
            rows = ", ".join(str(line.row) for line in wrong[:_SHOWN]) + (", ..." if len(wrong) > _SHOWN else "")
            severity: Severity = "error" if code == "unresolved_reference" else "warning"
            yield Finding(code, severity, wrong[0].row, column, str(len(wrong)), f"{len(wrong)} rows {what}: {rows}")


def _unresolved(lines: Sequence[_Line]) -> list[_Line]:
    names = {line.ours.get("line") for line in lines}
    targets = ((line, _target(line, column)) for line in lines for column in _REFERENCES)
    return list({line.row: line for line, target in targets if target and target not in names}.values())


DELIVERY_HISTORY = Profile(
    name="delivery_history",
    title="a delivery history by line",
    dataset="shipments",
    signature=(
        "po / so #",
        "asn/dn #",
        "scheduled delivery date",
        "delivered to client date",
        "delivery recorded date",
        "freight cost (usd)",
    ),
    columns={
        "id": "line",
        "asn/dn #": "shipment",
        "po / so #": "po",
        "country": "destination",
        "vendor": "vendor",
        "vendor inco term": "incoterm",
        "shipment mode": "mode",
        "po sent to vendor date": "ordered",
        "scheduled delivery date": "scheduled",
        "delivered to client date": "delivered",
        "delivery recorded date": "recorded",
        "item description": "description",
        "line item quantity": "quantity",
        "line item value": "value",
        "weight (kilograms)": "weight_kg",
        "freight cost (usd)": "freight_cost",
        "line item insurance (usd)": "insurance",
    },
    ignore=(
        "project code", "pq #", "managed by", "fulfill via", "pq first sent to client date", "product group",
        "sub classification", "molecule/test type", "brand", "dosage", "dosage form", "unit of measure (per pack)",
        "pack price", "unit price", "manufacturing site", "first line designation",
    ),
    defaults={"status": "delivered", "currency": "USD"},
    typing={"dates": {"ordered": "mdy"}, "references": _REFERENCES},
    finish=finish,
)  # fmt: skip
