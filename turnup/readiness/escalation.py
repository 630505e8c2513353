"""What is escalated, and to whom as it grows older: the key ``escalations`` of ``programme.yaml``.

Belongs here: the rules' switches, levels and addressees, and their table ``core.escalation_levels``. Does not: when a
rule applies (``mart/escalation_causes.sql``).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import polars as pl
from pydantic import Field, model_validator

from turnup.strict import Strict

if TYPE_CHECKING:
    import duckdb

Level = Literal["owner", "programme", "sponsor"]
LEVELS: tuple[Level, ...] = get_args(Level)
RuleName = Literal[
    "p80_past_commit", "old_blocker", "regression", "single_vendor_shortage", "expired_waiver", "overdue_decision"
]
Addressee = Annotated[str, Field(min_length=1, max_length=200)]
AfterDays = dict[Level, Annotated[int, Field(ge=0)]]

_AFTER_DAYS: dict[RuleName, AfterDays] = {
    "p80_past_commit": {"owner": 0, "programme": 7, "sponsor": 28},
    "old_blocker": {"owner": 0, "programme": 14, "sponsor": 42},
    "regression": {"owner": 0, "programme": 7, "sponsor": 28},
    "single_vendor_shortage": {"owner": 0, "programme": 14, "sponsor": 42},
    "expired_waiver": {"programme": 0, "sponsor": 14},
    "overdue_decision": {"owner": 0, "programme": 7, "sponsor": 14},
}
_ADDRESSEES: dict[Level, Addressee] = {"programme": "programme manager", "sponsor": "sponsor"}


class Rule(Strict):
    """One rule of escalation.

    Attributes:
        enabled: whether it raises anything.
        after_days: levels asked, each with the days that the cause must have stood; the rule's own when absent.
        addressees: who is asked at a level, where it is not the programme's own addressee of that level.
    """

    enabled: bool = True
    after_days: AfterDays | None = None
    addressees: dict[Level, Addressee] = {}

    @model_validator(mode="after")
    def _levels_rise_with_age(self) -> Rule:
        if self.after_days is None:
            return self
        given = [self.after_days[level] for level in LEVELS if level in self.after_days]
        if not given or given[0] != 0:
            raise ValueError("the lowest level of after_days must be asked at once: write 0 days for it")
        if any(later <= earlier for earlier, later in pairwise(given)):
            raise ValueError(f"days of after_days must grow from level to level ({', '.join(LEVELS)})")
        return self


class Escalations(Strict):
    """The escalation policy.

    Attributes:
        blocker_days: a blocker older than this is escalated.
        addressees: a person or role for each level; without one for ``owner`` it is whoever owns the subject.
        rules: changes to single rules; every rule is on by itself.
    """

    blocker_days: Annotated[int, Field(ge=1)] = 28
    addressees: dict[Level, Addressee] = {}
    rules: dict[RuleName, Rule] = {}

    def levels(self) -> pl.DataFrame:
        """One row is a level of a rule that is on: rule, level_no, level, after_days, addressee (null: the owner)."""
        rows = []
        for name, own in _AFTER_DAYS.items():
            rule = self.rules.get(name, Rule())
            asked = {**_ADDRESSEES, **self.addressees, **rule.addressees}
            after = (own if rule.after_days is None else rule.after_days) if rule.enabled else {}
            rows += [(name, LEVELS.index(level) + 1, level, days, asked.get(level)) for level, days in after.items()]
        schema = {"rule": pl.String, "level_no": pl.Int32, "level": pl.String, "after_days": pl.Int32,
                  "addressee": pl.String}  # fmt: skip
        return pl.DataFrame(rows, schema=schema, orient="row").sort("rule", "level_no")


def write_escalation_levels(con: duckdb.DuckDBPyConnection, policy: Escalations) -> None:
    """Create ``core.escalation_levels`` (see ``Escalations.levels``) and ``core.escalation_limits`` (one row)."""
    con.register("escalation_levels_frame", policy.levels())
    con.execute("CREATE OR REPLACE TABLE core.escalation_levels AS SELECT * FROM escalation_levels_frame")
    con.unregister("escalation_levels_frame")
    con.execute(
        "CREATE OR REPLACE TABLE core.escalation_limits AS SELECT $1::INTEGER AS blocker_days", [policy.blocker_days]
    )
