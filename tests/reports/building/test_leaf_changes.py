"""The chain of a waiting block, this week against last week: another last thing, another day, begun or over."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from reports.build.sections.leaf_changes import leaf_changes
from reports.build.warehouse import Record
from reports.wording import DASH


@dataclass
class Two:
    """Two weeks' chains in the place of a week of the warehouse."""

    then: list[dict[str, Any]]
    now: list[dict[str, Any]]
    asked: list[str] = field(default_factory=list)

    def before(self, table: str) -> tuple[Record, ...]:
        self.asked.append(table)
        return tuple(map(Record, self.then))

    def rows(self, table: str) -> tuple[Record, ...]:
        self.asked.append(table)
        return tuple(map(Record, self.now))


def chain(block: str, leaf: str, day: int | None, rank: int = 1) -> dict[str, Any]:
    on = None if day is None else date(2026, 12, day)
    return {"system_key": "top", "system_id": "TOP", "block": block, "rank": rank, "leaf_id": leaf.casefold(),
            "leaf": leaf, "leaf_system_id": "LEG", "leaf_owner": "Renata Silva", "leaf_date": on,
            "leaf_date_kind": "promised" if on else None}  # fmt: skip


def shown(week: Two) -> list[list[str]]:
    blocks = leaf_changes(week)  # type: ignore[arg-type]
    assert week.asked == ["chains", "mart.chains"]
    return [[cell.note if place == 0 else cell.text for place, cell in enumerate(row.cells)] for row in blocks[0].rows]  # type: ignore[union-attr]


def test_another_last_thing_another_day_begun_and_over() -> None:
    then = [chain("B1", "XC-1", 4), chain("B2", "XC-1", 4), chain("B3", "XC-1", 4), chain("B4", "XC-1", 4),
            chain("B6", "XC-1", 4), chain("B1", "XC-9", 1, rank=2)]  # fmt: skip
    now = [chain("B1", "XC-2", 18), chain("B2", "XC-1", 11), chain("B3", "XC-1", 6), chain("B5", "XC-3", None),
           chain("B6", "XC-1", None)]  # fmt: skip
    assert shown(Two(then, now)) == [
        ["block B1", "XC-1", "XC-2", "Renata Silva", "18 Dec 26", DASH],
        ["block B2", "XC-1", "XC-1", "Renata Silva", "11 Dec 26", "+7 d"],
        ["block B4", "XC-1", "waits for no other system", DASH, DASH, DASH],
        ["block B5", "waited for no other system", "XC-3", "Renata Silva", "no date", DASH],
        ["block B6", "XC-1", "XC-1", "Renata Silva", "no date", DASH],
    ]


def test_the_same_chain_is_no_line() -> None:
    same = [chain("all", "XC-1", 4)]
    assert leaf_changes(Two(same, same)) == []  # type: ignore[arg-type]
