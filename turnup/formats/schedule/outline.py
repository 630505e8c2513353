"""Which row of an outline holds which: by levels, or by numbers such as 1.2.3.

Belongs here: parents of rows. Does not: what a summary means.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def parents_by_level(rows: Iterable[tuple[str, int]]) -> dict[str, str | None]:
    """The row above each, given ids and levels in order: the nearest one before it of a lower level."""
    parents: dict[str, str | None] = {}
    above: list[tuple[int, str]] = []
    for id_, level in rows:
        while above and above[-1][0] >= level:
            above.pop()
        parents[id_] = above[-1][1] if above else None
        above.append((level, id_))
    return parents


def parents_by_number(numbers: Mapping[str, str]) -> dict[str, str | None]:
    """The row above each, given the number of each id: the one whose number is the longest beginning of its own.

    Where two rows share a number it is no number of a row, and nothing is above anything.
    """
    held = {number: id_ for id_, number in numbers.items()}
    if len(held) < len(numbers):
        return {}
    parents: dict[str, str | None] = {}
    for id_, number in numbers.items():
        above = number
        while "." in above and (above := above.rpartition(".")[0]) not in held:
            continue
        parents[id_] = held.get(above) if above != number else None
    return parents
