"""Figures of a bill of material that its owner can check at a glance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from decimal import Decimal

from turnup.formats.bom.lines import Line
from turnup.formats.bom.prices import unexplained
from turnup.formats.exact import figure
from turnup.formats.model import Fact
from turnup.formats.tabular.names import name_key

_STATES = ("revision_status", "lifecycle")
_SHORT = 40


def figures(lines: Sequence[Line], nameless: Collection[int], needed: Sequence[Decimal | None]) -> Iterator[Fact]:
    """All figures; ``nameless`` are the positions without a part number, ``needed`` the multiplied quantities."""
    out = [line for line in lines if not line.fitted]
    yield Fact("lines", len(lines))
    yield _pieces("pieces", (line.pieces for line in lines))
    yield Fact("not_fitted_lines", len(out))
    yield _pieces("not_fitted_pieces", (line.pieces for line in out))
    yield _pieces("pieces_to_buy", (line.pieces for line in lines if line.fitted))
    yield Fact("lines_without_part_number", len(nameless))
    yield from _tree(lines, needed)
    yield from _parts(lines, nameless)
    yield from _states(lines)
    yield from _prices(lines)
    yield from _places(lines)
    yield from _sections(lines)
    yield Fact("lines_not_orderable", sum(_unorderable(line) for line in lines))


def _unorderable(line: Line) -> bool:
    return line.cells.get("orderable") == "false"


def _pieces(name: str, quantities: Iterable[Decimal], note: str = "") -> Fact:
    total = sum(quantities, Decimal(0))
    whole = total == total.to_integral_value()
    return Fact(name, int(total) if whole else figure(total), "pieces", note)


def _tree(lines: Sequence[Line], needed: Sequence[Decimal | None]) -> Iterator[Fact]:
    children = sum(bool(line.cells.get("parent_line")) for line in lines)
    if not children:
        return
    yield Fact("component_lines", children, note="lines that are part of another line")
    yield _pieces("pieces_multiplied", (number for number in needed if number is not None), "through all levels")
    if any(line.extended is not None for line in lines):
        yield _pieces("pieces_extended", (line.extended or Decimal(0) for line in lines), "as the source states them")


def _parts(lines: Sequence[Line], nameless: Collection[int]) -> Iterator[Fact]:
    known = [line for position, line in enumerate(lines) if position not in nameless]
    counts = Counter(line.part.casefold() for line in known)
    yield Fact("part_numbers", len(counts))
    yield Fact("repeated_part_numbers", sum(count > 1 for count in counts.values()), note="on several lines; summed")
    if any(line.name for line in lines):
        differ = sum(bool(line.name) and line.name != line.part for line in known)
        yield Fact("names_unlike_part_number", differ, note="lines that have both")
    if any(line.cells.get("description") for line in lines):
        texts = sum((line.cells.get("description") or "").casefold() == "none" for line in lines)
        yield Fact("descriptions_that_read_none", texts, note="the word, which is text")


def _states(lines: Sequence[Line]) -> Iterator[Fact]:
    for column in _STATES:
        given = Counter(line.cells.get(column) or "blank" for line in lines)
        if set(given) == {"blank"} or not lines:
            continue
        for state, count in sorted(given.items()):
            yield Fact(f"{column}_{name_key(state)}", count, "lines")


def _prices(lines: Sequence[Line]) -> Iterator[Fact]:
    priced = [line for line in lines if line.extended_price is not None]
    if not priced:
        return
    total = sum((line.extended_price or Decimal(0) for line in priced), Decimal(0))
    currency = next((line.cells["currency"] for line in priced if line.cells.get("currency")), None) or ""
    yield Fact("priced_lines", len(priced))
    rounded = f"; {round(total, 3)} rounded" if total != round(total, 3) else ""
    yield Fact("price_total", figure(total), currency, f"sum over priced lines, exact{rounded}")
    yield Fact("prices_unlike_quantity_times_unit", sum(unexplained(line) is not None for line in lines))


def _places(lines: Sequence[Line]) -> Iterator[Fact]:
    named = [(line, line.places) for line in lines if line.places is not None]
    if not named:
        return
    counted = [(line, found) for line, found in named if found.countable]
    yield Fact("designators", sum(len(found.places) for _, found in counted))
    yield Fact("lines_with_ranges", tuple(line.label for line, found in named if found.ranges))
    yield Fact("lines_with_unclosed_range", tuple(line.label for line, found in named if found.unclosed))
    differ = tuple(line.label for line, found in counted if line.quantity not in (None, len(found.places)))
    yield Fact("lines_with_other_count", differ, note="designators are not as many as the quantity")


def _sections(lines: Sequence[Line]) -> Iterator[Fact]:
    names = dict.fromkeys(line.cells.get("bill_section") for line in lines)
    for name in names:
        if not name:
            continue
        held = [line for line in lines if line.cells.get("bill_section") == name]
        parts = tuple(f"{line.part}{_kind(line)}: {figure(line.pieces)}" for line in held)
        yield _pieces(f"pieces_{name_key(name)}", (line.pieces for line in held))
        yield Fact(f"parts_{name_key(name)}", parts)


def _kind(line: Line) -> str:
    described = line.cells.get("description") or ""
    return f" ({described})" if described and len(described) <= _SHORT else ""
