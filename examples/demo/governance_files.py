"""Governance files: the RAID log, signed gate decisions and the punch list.

Belongs here: registers as kept by the programme office. Does not: the RAID entries (``raid``).
"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from examples.demo.fleet import Unit, reached
from examples.demo.raid import ENTRIES, Entry
from examples.demo.sheet import Dialect, Drop, Table
from examples.demo.weeks import FRI, THU, WEEKS, at, day, label

_RAID = {
    "ID": "id", "Type": "type", "Title": "title", "System": "system_id", "Gate": "gate", "Criterion": "criterion",
    "Scope": "scope", "Severity": "severity", "P": "probability", "Days": "impact_days", "Units": "impact_units",
    "Options": "options", "Decider": "decider", "Needed by": "needed_by", "Consequence": "consequence",
    "Recommended": "recommended", "Approver": "approver", "Expiry": "expiry",
    "Compensating action": "compensating_action",
    "Owner": "owner", "Opened": "opened", "Reviewed": "reviewed", "Due": "due", "Closed": "closed",
    "Outcome": "outcome",
}  # fmt: skip
_PUNCH = {
    "No": "punch_id",
    "Asset": "asset",
    "System": "system_id",
    "Class": "class",
    "Text": "text",
    "Due": "due",
    "Closed": "closed",
}

SOURCES: dict[str, dict[str, Any]] = {
    "raid-log": {
        "dataset": "raid", "files": "*RAID log*.xlsx", "format": "xlsx", "columns": _RAID, "owner": "Dana Whitfield",
        "required": True, "expected": "friday", "max_age_days": 8,
    },
    "gate-decisions": {
        "dataset": "gate_decisions", "files": "*gate_decisions_*.csv", "owner": "Dana Whitfield", "required": True,
        "max_age_days": 15,
    },
    "punch-list": {
        "dataset": "punch_list", "files": "*punch_list_*.csv", "columns": _PUNCH, "owner": "Ingrid Solberg",
        "max_age_days": 15,
    },
}  # fmt: skip

# number, asset, system, class, text, opened, due, closed
_POINTS: tuple[tuple[str, str, str, str, str, date, date, date | None], ...] = (
    (
        "P-0101",
        "ABL-G1-0003",
        "ABL-GPU-1",
        "B",
        "Label missing on rear door",
        day(33, THU),
        date(2026, 8, 28),
        day(35, THU),
    ),
    ("P-0102", "HIL-G1-0004", "HIL-GPU-1", "C", "Scratched bezel", day(37, THU), date(2026, 10, 30), None),
    (
        "P-0103",
        "HIL-G1-0021",
        "HIL-GPU-1",
        "B",
        "Blanking panel missing",
        day(39, THU),
        date(2026, 9, 30),
        day(40, THU),
    ),
    ("P-0104", "ABL-G2-0005", "ABL-GPU-2", "B", "Fibre bend radius, rail 6", day(42, THU), date(2026, 11, 6), None),
    (
        "P-0105",
        "HIL-G1-0045",
        "HIL-GPU-1",
        "A",
        "Manifold drip at quick connect",
        day(43, THU),
        date(2026, 11, 4),
        None,
    ),
    (
        "P-0106",
        "IAD-PR-0002",
        "IAD-POP-1",
        "C",
        "Spare fan tray not labelled",
        day(36, THU),
        date(2026, 9, 30),
        day(38, THU),
    ),
    (
        "P-0107",
        "ABL-S1-0006",
        "ABL-STO-1",
        "B",
        "PDU B cord not latched",
        day(36, THU),
        date(2026, 9, 16),
        day(37, THU),
    ),
)
# system, block, gate, day decided, outcome, approver: decisions other than plain handovers
_OTHER: tuple[tuple[str, str, str, date, str, str], ...] = (
    ("HIL-GPU-1", "H6", "handoff", day(44, THU), "defer", "Arun Mehta"),
    ("WAN-ABL-IAD", "W", "handoff", day(37, FRI), "approve", "Renata Silva"),
    ("IAD-AZX-1", "X", "handoff", day(38, FRI), "approve", "Renata Silva"),
)
_APPROVER = {
    "ABL": "Arun Mehta",
    "HIL": "Arun Mehta",
    "IAD": "Sofia Marquez",
    "DUB": "Sofia Marquez",
    "EUS2": "Arun Mehta",
}


def drops(units: list[Unit]) -> list[Drop]:
    """Return all governance files of all weeks."""
    found = []
    for week in WEEKS:
        today = day(week, FRI)
        found.append(Drop(at(week, FRI, "11:00"), f"RAID log {label(week)}.xlsx", "raid-log", _raid(today),
                          Dialect("xlsx", tab="RAID")))  # fmt: skip
        found.append(
            Drop(
                at(week, FRI, "10:20"), f"gate_decisions_{today:%Y%m%d}.csv", "gate-decisions", _decisions(units, today)
            )
        )
    for week in WEEKS[::2]:
        today = day(week, FRI)
        found.append(Drop(at(week, FRI, "10:40"), f"punch_list_{today:%Y%m%d}.csv", "punch-list", _punch(today)))
    return found


def _raid(today: date) -> Table:
    rows = [_entry(entry, today) for entry in ENTRIES if entry.opened <= today]
    titles: list[list[Any]] = [["RAID log", None, f"reviewed at the Friday forum, {today:%d %B %Y}"]]
    return Table(list(_RAID), rows, titles)


def _entry(entry: Entry, today: date) -> list[Any]:
    closed = entry.closed if reached(entry.closed, today) else None
    reviewed = closed or today - timedelta(days=7 if entry.id == "R-014" and today < day(41, FRI) else 0)
    if entry.id == "R-014" and today >= day(41, FRI):
        reviewed = day(41, FRI)
    numbers = [Decimal(text) if text else None for text in (entry.probability, entry.days, entry.units)]
    return [
        entry.id, entry.type, entry.title, entry.system or None, entry.gate or None, entry.criterion or None,
        entry.scope or None,
        entry.severity, *numbers, entry.options or None, entry.decider or None, entry.needed_by,
        entry.consequence or None,
        entry.recommended or None, entry.approver or None, entry.expiry, entry.compensating or None, entry.owner,
        entry.opened,
        max(entry.opened, reviewed), entry.due, closed, entry.outcome if closed else None,
    ]  # fmt: skip


def _decisions(units: list[Unit], today: date) -> Table:
    rows: list[list[Any]] = []
    seen: set[tuple[str, str]] = set()
    for unit in units:
        key = unit.system.system_id, unit.block
        if key in seen or not reached(unit.handed, today):
            continue
        seen.add(key)
        rows.append([*key, "handoff", unit.handed, "approve", _APPROVER[unit.system.site], None])
    rows += [[*row, None] for row in _OTHER if row[3] <= today]
    rows = [[*row[:-1], f"HO-{number:03d}.pdf"] for number, row in enumerate(rows, start=1)]
    return Table(["system_id", "block", "gate", "decided", "outcome", "approver", "document"], rows)


def _punch(today: date) -> Table:
    rows: list[list[Any]] = []
    for number, asset, system, grade, text, opened, due, closed in _POINTS:
        if opened <= today:
            rows.append([number, asset, system, grade, text, due, closed if reached(closed, today) else None])
    return Table(list(_PUNCH), rows)
