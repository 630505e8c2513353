"""Cycle times of gates: days from entry to pass, with those still open counted as not yet passed.

Formula: Kaplan and Meier's estimate; a median of passed items alone would forget the slow ones that are still open.
Belongs here: the estimate and ``mart.cycle_times``. Does not: when a gate is entered or passed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb

WINDOW_DAYS = 91
_HALF, _MOST = Fraction(1, 2), Fraction(85, 100)
_SCHEMA = {
    "gate": pl.String(), "gate_no": pl.Int32(), "title": pl.String(), "passed": pl.Int32(), "open": pl.Int32(),
    "p50_days": pl.Int32(), "p85_days": pl.Int32(), "window_days": pl.Int32(),
}  # fmt: skip


def quantile(passed: Sequence[int], still_open: Sequence[int], share: Fraction) -> int | None:
    """Return the days within which a share (0 to 1) of items passes; None when too many are still open to tell.

    Args:
        passed: days that items took.
        still_open: days that items have been open so far; at equal days a pass comes before these leave.
        share: such as one half for the median.
    """
    ends, leaves = Counter(passed), Counter(still_open)
    at_risk, survive = len(passed) + len(still_open), Fraction(1)
    for days in sorted(ends | leaves):
        if ends[days]:
            survive *= 1 - Fraction(ends[days], at_risk)
            if survive <= 1 - share:
                return days
        at_risk -= ends[days] + leaves[days]
    return None


def write_cycle_times(con: duckdb.DuckDBPyConnection) -> None:
    """Write ``mart.cycle_times``, one row a gate: passes of the last 13 weeks and what is open at it now."""
    rows = con.sql(
        "SELECT g.gate, g.gate_no, coalesce(g.title, g.gate), g.passed_on IS NOT NULL, "
        "coalesce(g.passed_on, p.as_of) - g.entered_on "
        "FROM mart.gates g, core.settings p WHERE g.entered_on IS NOT NULL AND g.entered_on <= p.as_of AND ("
        "(g.state = 'passed' AND g.passed_on BETWEEN greatest(g.entered_on, p.as_of - $1) AND p.as_of) "
        "OR g.state IN ('in progress', 'regressed')) ORDER BY ALL",
        params=[WINDOW_DAYS],
    ).fetchall()
    numbers: dict[str, tuple[int, str]] = {}
    found: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for gate, number, title, is_passed, days in rows:
        numbers[gate] = max(numbers.get(gate, (number, title)), (number, title))
        found[gate][0 if is_passed else 1].append(days)
    made = [
        {
            "gate": gate, "gate_no": numbers[gate][0], "title": numbers[gate][1], "passed": len(passed),
            "open": len(waiting), "p50_days": quantile(passed, waiting, _HALF),
            "p85_days": quantile(passed, waiting, _MOST), "window_days": WINDOW_DAYS,
        }
        for gate, (passed, waiting) in found.items()
    ]  # fmt: skip
    con.register("cycle_frame", pl.DataFrame(made, schema=_SCHEMA))
    con.execute("CREATE OR REPLACE TABLE mart.cycle_times AS SELECT * FROM cycle_frame ORDER BY gate_no, gate")
    con.unregister("cycle_frame")
