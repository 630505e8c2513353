"""Indented listings: from the depth of each line to the line it is a component of, and quantities multiplied through.

The depth stands in a column or as dots before the part number. Whether quantities are per parent or multiplied through
already is the source's to declare: nothing in one column of numbers tells them apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise

import polars as pl

from turnup.formats.bom.lines import Line
from turnup.formats.model import Finding

_DOTS = re.compile(r"^((?:[.·]\s*)+)(?=\S)")
_NUMBERED = re.compile(r"^\d+(?:\.\d+)+$")
_DOTTED_SHARE = 3


def depth(cell: str | None) -> int | None:
    """The depth that a cell of a level column says: ``2``, ``..2``, ``..`` or ``1.4.2`` (its number of steps)."""
    if not cell:
        return None
    text = cell.strip()
    if _NUMBERED.match(text):
        return text.count(".") + 1
    digits = text.strip(".·-_ ")
    if digits.isdigit():
        return int(digits)
    return len(text) if text and not text.strip(".·") else None


def dotted(parts: Sequence[str | None]) -> list[int] | None:
    """The depths that dots before part numbers show, or None when the dots are no indentation.

    They are one when at least three lines have them, the first line has the fewest, and no line is two steps deeper
    than the one before.
    """
    depths = [len(re.sub(r"\s", "", found.group(1))) if (found := _DOTS.match(part or "")) else 0 for part in parts]
    if sum(map(bool, depths)) < min(_DOTTED_SHARE, len(depths) - 1) or not any(depths):
        return None
    steps = all(after <= before + 1 for before, after in pairwise(depths))
    return depths if steps and depths[0] == min(depths) else None


def without_dots(part: str | None) -> str | None:
    """A part number without its indentation."""
    return _DOTS.sub("", part) if part else part


def parents(depths: Sequence[int | None]) -> list[int | None]:
    """For each line the position of its parent: the last line before it that is less deep."""
    stack: list[tuple[int, int]] = []
    found: list[int | None] = []
    for position, own in enumerate(depths):
        if own is None:
            found.append(None)
            continue
        while stack and stack[-1][0] >= own:
            stack.pop()
        found.append(stack[-1][1] if stack else None)
        stack.append((own, position))
    return found


def with_parents(frame: pl.DataFrame) -> tuple[pl.DataFrame, list[Finding]]:
    """The frame with ``line`` and ``parent_line`` filled from the depths of its lines, when it has depths."""
    if "part_number" not in frame.columns or not frame.height or _has(frame, "parent_line"):
        return frame, []
    findings: list[Finding] = []
    if _has(frame, "level"):
        depths = [depth(cell) for cell in frame.get_column("level")]
    else:
        by_dots = dotted(frame.get_column("part_number").to_list())
        if by_dots is None:
            return frame, []
        depths = list(by_dots)
        frame = frame.with_columns(
            pl.col("part_number").map_elements(without_dots, return_dtype=pl.String),
            pl.Series("level", [str(each) for each in depths], dtype=pl.String),
        )
        message = "dots before part numbers show the depth of the lines; they were taken as levels"
        findings.append(Finding("levels_by_dots", "info", None, "part_number", None, message))
    above = parents(depths)
    names = _line_names(frame, above)
    parent_names = [None if parent is None else names[parent] for parent in above]
    filled = frame.with_columns(
        pl.Series("line", names, dtype=pl.String), pl.Series("parent_line", parent_names, dtype=pl.String)
    )
    return _with_basis(filled), [*findings, *_level_findings(filled, depths), *_basis_findings(filled)]


def _has(frame: pl.DataFrame, name: str) -> bool:
    return name in frame.columns and frame.get_column(name).null_count() < frame.height


def _line_names(frame: pl.DataFrame, above: Sequence[int | None]) -> list[str]:
    """Names of lines that no two share: their find numbers, these with those of their parents, else their rows."""
    given: list[str | None] = frame.get_column("line").to_list() if "line" in frame.columns else [None] * frame.height
    if None not in given:
        names = [str(name) for name in given]
        if len({name.casefold() for name in names}) == len(names):
            return names
        paths: list[str] = []
        for name, parent in zip(names, above, strict=True):
            paths.append(name if parent is None else f"{paths[parent]}/{name}")
        if len({path.casefold() for path in paths}) == len(paths):
            return paths
    places = frame.select("_sheet", "_row").rows()
    return [f"{sheet} row {row}" if sheet else f"row {row}" for sheet, row in places]


def _with_basis(frame: pl.DataFrame) -> pl.DataFrame:
    """A top line has no parent to count per; without a declared basis both quantities prove theirs to be per parent."""
    both = _has(frame, "extended_quantity") and _has(frame, "quantity")
    if not _has(frame, "quantity_basis"):
        basis = pl.lit("per_parent" if both else "extended")
        frame = frame.with_columns(basis.alias("quantity_basis"))
    top = pl.col("parent_line").is_null() & (pl.col("quantity_basis").str.to_lowercase() == "per_parent")
    return frame.with_columns(
        pl.when(top).then(pl.lit("per_system")).otherwise(pl.col("quantity_basis")).alias("quantity_basis")
    )


def _level_findings(frame: pl.DataFrame, depths: Sequence[int | None]) -> Iterator[Finding]:
    rows = frame.get_column("_row").to_list()
    cells = frame.get_column("level").to_list()
    before: int | None = None
    for row, own, cell in zip(rows, depths, cells, strict=True):
        if own is None:
            message = f"row {row}: the level {cell!r} is no depth, so its parent is not known; write 0, 1, 2 or dots"
            yield Finding("level_unread", "error", row, "level", cell, message)
            continue
        if before is not None and own > before + 1:
            message = f"row {row} is {own - before} levels deeper than the line before it: a line between is missing"
            yield Finding("level_jump", "warning", row, "level", cell, message)
        before = own


def _basis_findings(frame: pl.DataFrame) -> list[Finding]:
    declared = _has(frame, "quantity_basis")
    if declared or _has(frame, "extended_quantity") or not frame.get_column("parent_line").drop_nulls().len():
        return []
    message = (
        "the listing has levels and one quantity, and nothing says whether that is per parent or multiplied through "
        "already; it was taken as it stands. Write defaults: {quantity_basis: per_parent} or "
        "{quantity_basis: extended} in the source of programme.yaml"
    )
    return [Finding("basis_not_declared", "warning", None, "quantity_basis", None, message)]


def multiplied(lines: Sequence[Line]) -> tuple[list[Decimal | None], list[int]]:
    """The quantity of each line for the whole system, and the positions of lines that contain themselves.

    Per parent: times the parent's. Extended, or per system: as it stands, never multiplied again. None where a
    quantity is no number or a line contains itself.
    """
    if not any(line.cells.get("parent_line") for line in lines):
        return [line.quantity for line in lines], []
    at = {str(line.cells.get("line") or "").casefold(): position for position, line in enumerate(lines)}
    needed: dict[int, Decimal | None] = {}
    loops: set[int] = set()
    for start in range(len(lines)):
        path: list[int] = []
        position: int | None = start
        while position is not None and position not in needed and position not in path:
            path.append(position)
            position = _parent_of(lines[position].cells, at)
        if position in path:
            loops.update(path[path.index(position) :])
        for each in reversed(path):
            needed[each] = None if each in loops else _needed(lines[each], _parent_of(lines[each].cells, at), needed)
    return [needed[position] for position in range(len(lines))], sorted(loops)


def _parent_of(cells: Mapping[str, str | None], at: Mapping[str, int]) -> int | None:
    parent = cells.get("parent_line")
    return at.get(parent.strip().casefold()) if parent else None


def _needed(line: Line, parent: int | None, needed: Mapping[int, Decimal | None]) -> Decimal | None:
    per_parent = (line.cells.get("quantity_basis") or "").casefold() == "per_parent"
    if not per_parent or parent is None or line.quantity is None:
        return line.quantity
    above = needed[parent]
    return None if above is None else line.quantity * above
