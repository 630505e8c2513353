"""Storage files: what the store says of itself, its benchmark as a whole, and the demand it must meet.

Belongs here: the state, IO500 and the demand curve. Does not: tests of single enclosures (``bringup_files``).
"""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from math import prod
from typing import Any

from examples.demo.sheet import Dialect, Drop, Table
from examples.demo.weeks import FRI, THU, TUE, WED, WEEKS, at, day, utc

SOURCES: dict[str, dict[str, Any]] = {
    "storage-state": {
        "dataset": "storage_state", "files": "*storage_state_*.csv", "mode": "events", "owner": "Wen Zhao",
        "max_age_days": 8,
    },
    "storage-demand": {"dataset": "demand", "files": "*storage_demand*.csv", "owner": "Wen Zhao", "max_age_days": 90},
    "io500": {
        "dataset": "benchmarks", "files": "*io500_*.txt", "format": "io500", "mode": "events", "owner": "Wen Zhao",
        "defaults": {"system_id": "ABL-STO-1", "node": "abl-io-01", "measured_at": "2026-09-03T19:40:00Z"},
    },
}  # fmt: skip


def drops() -> list[Drop]:
    """Return all files about storage."""
    columns = ["system_id", "observed_at", "usable", "used", "degraded", "rebuilding", "client_mounts", "serving",
               "clients_expected"]  # fmt: skip
    found = []
    for week in (week for week in WEEKS if week >= 36):
        rows: list[list[Any]] = []
        for weekday, clock in ((WED, "08:00"), (FRI, "09:30")):
            live = week >= 38
            used = f"{0.4 * (week - 37):.1f}" if live else "0.0"
            mounts = min(32, 8 * (week - 37)) * 2 if live else 0
            rows.append(
                ["ABL-STO-1", utc(at(week, weekday, clock)), "12.0", used, False, week == 41, mounts, live, mounts]
            )
        name = f"storage_state_{day(week, FRI):%Y%m%d}.csv"
        found.append(Drop(at(week, FRI, "09:40"), name, "storage-state", Table(columns, rows)))
    return [*found, _demand(), _io500()]


def _demand() -> Drop:
    """What the training teams ask of the Abilene store: 2 PB in week 38 and 0.45 PB more every week, a year ahead."""
    rows: list[list[Any]] = []
    for step in range(52):
        year, week, _ = (day(38) + timedelta(weeks=step)).isocalendar()
        mid = Decimal("2") + Decimal("0.45") * step
        rows.append(["ABL-STO-1", f"{year}-W{week:02d}", mid * Decimal("0.8"), mid, mid * Decimal("1.3")])
    columns = ["scope", "week", "low", "mid", "high"]
    return Drop(at(36, TUE, "16:20"), "storage_demand.csv", "storage-demand", Table(columns, rows))


# phase, kind of figure, value (GiB/s or kIOPS), seconds
_PHASES: tuple[tuple[str, str, float, float], ...] = (
    ("ior-easy-write", "GiB/s", 218.4, 304.2), ("mdtest-easy-write", "kIOPS", 611.3, 302.8),
    ("ior-hard-write", "GiB/s", 36.7, 309.5), ("mdtest-hard-write", "kIOPS", 244.9, 303.1),
    ("find", "kIOPS", 4120.5, 63.4), ("ior-easy-read", "GiB/s", 301.2, 220.6),
    ("mdtest-easy-stat", "kIOPS", 1405.2, 132.0), ("ior-hard-read", "GiB/s", 92.8, 122.4),
    ("mdtest-hard-stat", "kIOPS", 1190.6, 62.9), ("mdtest-easy-delete", "kIOPS", 402.7, 459.6),
    ("mdtest-hard-read", "kIOPS", 566.4, 131.1), ("mdtest-hard-delete", "kIOPS", 233.8, 317.7),
)  # fmt: skip


def _io500() -> Drop:
    """One run over the whole store from ten clients; the scores are the geometric means that IO500 prints."""
    lines = ["IO500 version io500-sc24 (standard)"]
    lines += [
        f"[RESULT] {name:>20} {value:15.6f} {unit} : time {time:.3f} seconds" for name, unit, value, time in _PHASES
    ]
    rate, speed = (_mean([value for _, unit, value, _ in _PHASES if unit == kind]) for kind in ("GiB/s", "kIOPS"))
    score = (rate * speed) ** 0.5
    lines.append(f"[SCORE ] Bandwidth {rate:.6f} GiB/s : IOPS {speed:.6f} kiops : TOTAL {score:.6f}")
    name = "io500_result_summary_ABL-STO-1_20260903.txt"
    return Drop(at(36, THU, "17:45"), name, "io500", "\n".join(lines) + "\n", Dialect("text"))


def _mean(values: list[float]) -> float:
    mean: float = prod(values) ** (1 / len(values))
    return mean
