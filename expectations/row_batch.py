"""The rows that are judged together, the names of the tables made of them, and a remark on them.

Here: what the steps of `judging` share. Not here: any step.
"""

from collections.abc import Collection
from dataclasses import dataclass

import duckdb

from expectations.contract import Contract
from expectations.typing_rules import TypingRules


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that the values of a file's column show and its users should know."""

    ingest: str
    code: str
    column: str
    value: str | None
    message: str


@dataclass(frozen=True, slots=True)
class Batch:
    """The rows to judge, and the names of the tables that are made of them."""

    con: duckdb.DuckDBPyConnection
    contract: Contract
    relation: str
    rules: TypingRules
    present: Collection[str] | None
    name: str

    def table(self, kind: str) -> str:
        """The name of one of the tables."""
        return f"{self.name}_{kind}"

    def delivers(self, column: str) -> bool:
        """Whether a column was delivered at all."""
        return self.present is None or column in self.present
