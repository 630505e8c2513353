"""Trees written as nested sets: a line contains every line whose numbers lie between its left and right."""

from __future__ import annotations

from collections.abc import Sequence

Bounds = Sequence[tuple[str | None, str | None]]


def nested_set(bounds: Bounds) -> list[int] | None:
    """The depth of each line, from 0, or None when the numbers are missing, repeated or cross each other."""
    pairs = []
    for left, right in bounds:
        if not (left or "").isdigit() or not (right or "").isdigit():
            return None
        pairs.append((int(left or 0), int(right or 0)))
    ends = [number for pair in pairs for number in pair]
    if len(set(ends)) != len(ends) or any(start > end for start, end in pairs):
        return None
    depths = [0] * len(pairs)
    stack: list[int] = []
    for (start, end), position in sorted((pair, position) for position, pair in enumerate(pairs)):
        while stack and stack[-1] < start:
            stack.pop()
        if stack and stack[-1] < end:
            return None
        depths[position] = len(stack)
        stack.append(end)
    return depths
