"""The store room count: optics of a finished project lie at Ashburn, where nobody needs them and no receipt has them.

Belongs here: the file, its source, and the contradiction in it. Does not: what the dock booked in (``logistics``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from examples.demo.sheet import Drop, Table
from examples.demo.weeks import THU, at, day, utc

if TYPE_CHECKING:
    from examples.demo.planter import Planter

SOURCES: dict[str, dict[str, Any]] = {
    "stock-count": {
        "dataset": "inventory", "files": "*stock_count_*.csv", "owner": "Luis Ortega",
        "columns": {"Site": "site_id", "Part": "part_number", "Shelf": "lot", "Counted": "counted_at", "Free": "free",
                    "Kitted": "kitted", "Blocked": "quarantine"},
    },
}  # fmt: skip
PART, FREE, WEEK = "MMA4Z00-NS400", 24, 43


def drops() -> list[Drop]:
    """Return the one count of the story."""
    columns = ["Site", "Part", "Shelf", "Counted", "Free", "Kitted", "Blocked"]
    row: list[Any] = ["IAD", PART, "S-07", utc(at(WEEK, THU, "09:10")), FREE, 0, 0]
    name = f"stock_count_IAD_{day(WEEK, THU):%Y%m%d}.csv"
    return [Drop(at(WEEK, THU, "11:00"), name, "stock-count", Table(columns, [row]))]


def count_differs(p: Planter) -> None:
    """Record that the count is not what the movements make."""
    p.contradiction("F30", "count_differs", "inventory", WEEK, None, "24 optics in a store room, no receipt has them",
                    subject=PART)  # fmt: skip
