"""Whether the dates of one column of one file prove their own order: day first or month first.

An order is proved when it alone makes every date a day of the calendar, and of the weekday that stands before it.
Where both do, or neither, nothing is proved.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Literal

Order = Literal["dmy", "mdy"]
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NUMERIC = re.compile(
    r"(?:(?P<weekday>mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+)?(\d{1,2})[-/., ]+(\d{1,2})[-/., ]+(\d{4}|\d{2})"
    r"(?:[T ,]+\d{1,2}:.*)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the dates of a column say about their order: `order` when it is proved, and an example for each order."""

    order: Order | None
    day_first: str | None
    month_first: str | None


def evidence_of(texts: Iterable[str]) -> Evidence:
    """The evidence of all dates of a column that are written as three numbers with the year last.

    A year of two digits may also stand first (26-08-12), so that such dates prove nothing unless that is no date.
    """
    possible: list[tuple[str, set[str]]] = []
    for text in sorted(set(texts)):
        match = _NUMERIC.fullmatch(text.strip())
        orders = _orders(*match.groups()) if match else set()
        if orders:
            possible.append((text, orders))
    shared = set.intersection(*(orders for _, orders in possible)) if possible else set()
    day_first = next((text for text, orders in possible if "mdy" not in orders and "dmy" in orders), None)
    month_first = next((text for text, orders in possible if "dmy" not in orders and "mdy" in orders), None)
    if shared == {"dmy"}:
        return Evidence("dmy", day_first, month_first)
    if shared == {"mdy"}:
        return Evidence("mdy", day_first, month_first)
    return Evidence(None, day_first, month_first)


def _orders(weekday: str | None, first: str, second: str, third: str) -> set[str]:
    year = int(third) if len(third) == 4 else 2000 + int(third)
    readings = {"dmy": (year, int(second), int(first)), "mdy": (year, int(first), int(second))}
    if len(third) == 2:
        readings["ymd"] = (2000 + int(first), int(second), int(third))
    wanted = weekday.lower() if weekday else None
    return {order for order, (year, month, day) in readings.items() if _is_day(year, month, day, wanted)}


def _is_day(year: int, month: int, day: int, weekday: str | None) -> bool:
    try:
        found = date(year, month, day)
    except ValueError:
        return False
    return weekday in (None, _WEEKDAYS[found.weekday()])
