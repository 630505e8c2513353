"""Reading logs for benchmarks, in small."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from expectations.contract import load_contracts
from turnup.formats import RawTable
from turnup.formats.benchmarks.results import Results, results_of

BENCHMARKS = load_contracts()["benchmarks"]


class Read:
    """A file that was read: rows as dicts, the codes of its findings, and what it gives to a verdict."""

    def __init__(self, table: RawTable) -> None:
        self.table = table
        self.rows: list[dict[str, Any]] = table.frame.rows(named=True)
        self.codes = [finding.code for finding in table.findings]
        self.facts = {fact.name: fact.value for fact in table.facts}

    @property
    def results(self) -> Results:
        return results_of(self.table)

    def values(self, **where: str) -> list[str | None]:
        """Values of the rows that have these cells."""
        return [row["value"] for row in self.rows if all(row[name] == text for name, text in where.items())]

    def one(self, **where: str) -> dict[str, Any]:
        """The only row with these cells."""
        found = [row for row in self.rows if all(row[name] == text for name, text in where.items())]
        assert len(found) == 1, found
        return found[0]


@pytest.fixture
def log(read) -> Callable[..., Read]:
    """Read a log."""

    def reader(content: bytes | str, name: str = "run.log", **settings: object) -> Read:
        table = read(content, contract=BENCHMARKS, name=name, **settings)
        assert table.ledger.balanced
        assert table.frame.select("_row", "_sheet").is_unique().all()
        assert table.frame.select(list(BENCHMARKS.key)).is_unique().all()
        return Read(table)

    return reader
