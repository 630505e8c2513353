"""What is doubtful in a bill of material, line by line.

What the warehouse says again of the bill in force is only information about the file.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal

from turnup.formats.bom.lines import Line
from turnup.formats.bom.prices import unexplained
from turnup.formats.exact import figure
from turnup.formats.model import Finding, Severity

_ENDING = re.compile(
    r"(?i)not recommended|nrnd|obsolete|end of life|\beol\b|last time buy|\bltb\b|discontinued|phase.?out"
)
_LIKE_A_NUMBER = re.compile(r"^(?=.*\d)[A-Za-z0-9][A-Za-z0-9.+/-]{5,}$")


def ending(lifecycle: str | None) -> bool:
    """Whether a life cycle says that the part will be gone: not recommended, last time buy, obsolete."""
    return bool(lifecycle and _ENDING.search(lifecycle))


def remarks(
    lines: Sequence[Line], nameless: Collection[int], needed: Sequence[Decimal | None], loops: Collection[int]
) -> Iterator[Finding]:
    """All findings, line by line, then those about several lines."""
    for position, line in enumerate(lines):
        yield from _identity(line, bare=position in nameless)
        if line.places is not None:
            yield from _places(line)
        if line.extended_price is not None:
            yield from _price(line)
        yield from _state(line)
        if line.extended is not None:
            yield from _extended(line, needed[position])
        if position in loops:
            message = f"{line.label} is, over its parent lines, a component of itself; its quantity is not known"
            yield _at(line, "bom_loop", "error", "parent_line", line.cells.get("parent_line"), message)
    yield from _repeated(lines, nameless)


def _at(line: Line, code: str, severity: Severity, column: str, value: str | None, message: str) -> Finding:
    return Finding(code, severity, line.row, column, value, message)


def _identity(line: Line, *, bare: bool) -> Iterator[Finding]:
    if bare and not line.part:  # the row is refused, and says so itself
        return
    if bare:
        stand_in = f"'{line.part}', its name in the design, stands in and cannot be ordered"
        message = f"{line.label} has no manufacturer's part number; {stand_in}"
        yield _at(line, "no_part_number", "warning" if line.fitted else "info", "part_number", line.part, message)
        return
    if line.cells.get("orderable") == "false":
        message = (
            f"{line.label}: {line.part} is a placeholder and cannot be ordered; {figure(line.pieces)} are asked for"
        )
        yield _at(line, "placeholder_part", "info", "part_number", line.part, message)
    if not line.name or line.name == line.part:
        return
    if substituted(line.name, line.part):
        message = (
            f"{line.label}: the design names {line.name}, the part number is {line.part}"
            f"{_made_by(line)}. A substitute needs an approved list: name it under alternates, or correct the line"
        )
        yield _at(line, "substituted_part", "warning", "part_number", line.part, message)
    else:
        message = f"{line.label}: named {line.name} in the design, part number {line.part}"
        yield _at(line, "name_unlike_part_number", "info", "part_number", line.part, message)


def _made_by(line: Line) -> str:
    maker = line.cells.get("manufacturer")
    return f" of {maker}" if maker else ""


def substituted(name: str, part: str) -> bool:
    """Whether a name in the design reads as another part number than the one beside it.

    A name that the number continues (BAT54SW and BAT54SWQ-7-F) is the same part; a name with blanks or underscores is
    a description.
    """
    one, other = name.casefold(), part.casefold()
    return bool(_LIKE_A_NUMBER.match(name)) and not one.startswith(other) and not other.startswith(one)


def _places(line: Line) -> Iterator[Finding]:
    found, cell = line.places, line.cells.get("designators")
    if found is None:
        return
    if found.unclosed:
        message = f"{line.label}: a range of designators opens with [ and never closes; they were not counted"
        yield _at(line, "designator_range", "warning", "designators", cell, message)
    elif found.countable and line.quantity not in (None, len(found.places)):
        message = f"{line.label}: quantity {figure(line.pieces)}, but {len(found.places)} designators ({cell})"
        yield _at(line, "designator_count", "warning", "designators", cell, message)


def _price(line: Line) -> Iterator[Finding]:
    difference = unexplained(line)
    if difference is None or line.unit_price is None or line.extended_price is None:
        return
    product = line.pieces * line.unit_price
    message = (
        f"{line.label}: priced {figure(line.extended_price)}, but {figure(line.pieces)} x {figure(line.unit_price)} is "
        f"{figure(product)} (difference {figure(difference)}): a price break, a minimum order or a mistake"
    )
    yield _at(line, "price_mismatch", "warning", "extended_price", line.cells.get("extended_price"), message)


def _state(line: Line) -> Iterator[Finding]:
    status = line.cells.get("revision_status")
    if status and status.casefold().replace("-", " ") == "out of date":
        message = (
            f"{line.label}: {line.part} is held in revision {line.cells.get('revision') or '?'}, which is out of date"
        )
        yield _at(line, "revision_out_of_date", "info", "revision_status", status, message)
    cycle = line.cells.get("lifecycle")
    if ending(cycle):
        yield _at(line, "part_at_end_of_life", "info", "lifecycle", cycle, f"{line.label}: {line.part} is {cycle}")


def _extended(line: Line, needed: Decimal | None) -> Iterator[Finding]:
    if line.extended is None or needed is None or line.extended == needed:
        return
    message = (
        f"{line.label}: stated {figure(line.extended)} for the whole, but {figure(line.pieces)} per parent multiplied "
        f"through its parents is {figure(needed)}; the multiplied quantity counts"
    )
    yield _at(line, "extended_mismatch", "error", "extended_quantity", figure(line.extended), message)


def _repeated(lines: Sequence[Line], nameless: Collection[int]) -> Iterator[Finding]:
    """One part on several lines: all are kept, and needed together."""
    by_part: dict[str, list[Line]] = defaultdict(list)
    for position, line in enumerate(lines):
        if position not in nameless:
            by_part[line.part.casefold()].append(line)
    for held in by_part.values():
        if len(held) < 2:
            continue
        total = sum((line.pieces for line in held if line.fitted), Decimal(0))
        where = ", ".join(line.label for line in held[:10])
        message = (
            f"{held[0].part} stands on {len(held)} lines ({where}), {figure(total)} together; all are kept and summed"
        )
        yield _at(held[0], "repeated_part", "info", "part_number", held[0].part, message)
