"""What a measurement file gives to a verdict: its figures, whether they can be judged, and if not, why.

A file is ready for a verdict when every run in it ended by its own mark, the tool did not fail, the results it computes
were checked, and at least one figure was measured without contradiction.
"""

from __future__ import annotations

from typing import Any

from turnup.formats.inspected import Results
from turnup.formats.model import RawTable

_BARS = ("tool_error", "nothing_judged")
"""Findings that leave nothing to judge."""


def results_of(table: RawTable) -> Results:
    """The results of a file that was read for benchmarks."""
    rows = table.frame.rows(named=True)
    reasons = tuple(_reasons(table, rows))
    incomplete = _incomplete(table, rows)
    return Results(tuple(_figure(row) for row in rows), not reasons and incomplete is None, incomplete, reasons)


def no_results(reason: str) -> Results:
    """The results of a measurement file that was refused."""
    return Results((), False, None, (reason,))


def _figure(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "test": row["test"],
        "metric": row["metric"],
        "statistic": row["statistic"],
        "size": int(row["size_bytes"]),
        "direction": row["direction"],
        "placement": row["placement"],
        "member": row["member"],
        "value": None if row["value"] is None else float(row["value"]),
        "unit": row["unit"],
        "status": row["status"],
        "outcome": row["outcome"],
        "correctness": row["correctness"],
        "complete": row["complete"] == "true",
        "node": row["node"],
        "run": row["run"],
        "tool": row["tool"],
        "tool_version": row["tool_version"],
        "started": row["measured_at"],
        "ended": row["ended_at"],
        "line": row["_row"],
    }


def _incomplete(table: RawTable, rows: list[dict[str, Any]]) -> str | None:
    cut = next((row for row in rows if row["complete"] != "true" and row["status"] != "tool_error"), None)
    if cut is None:
        return None
    said = next((finding.message for finding in table.findings if finding.code == "incomplete"), None)
    return said or f"{cut['tool']} {cut['test']} did not come to its end"


def _reasons(table: RawTable, rows: list[dict[str, Any]]) -> list[str]:
    found = []
    if not any(row["status"] == "valid" for row in rows):
        found.append("no figure was measured without contradiction")
    if any(row["correctness"] == "unverified" for row in rows):
        found.append("results were not checked")
    found += [finding.message for finding in table.findings if finding.code in _BARS]
    conflicts = sum(row["status"] == "conflict" for row in rows)
    if conflicts:
        found.append(f"{conflicts} figures are in conflict with others of the same file")
    if table.rejected:
        found.append(f"{len(table.rejected)} rows could not be read")
    return found
