"""The five sites and their halls.

Belongs here: places, power and cooling. Does not: what stands in them (``systems``).
"""

from __future__ import annotations

from datetime import date
from typing import Any

from examples.demo.sheet import Dialect, Drop, Table
from examples.demo.weeks import MON, WED, at, day

SITES: tuple[tuple[str, ...], ...] = (
    ("ABL", "Abilene campus, building 1", "us-central", "US", "America/Chicago", "first_party", "Own campus"),
    ("HIL", "Hillsboro data centre 3", "us-west", "US", "America/Los_Angeles", "first_party", "Own campus"),
    ("IAD", "Ashburn colocation, suite 210", "us-east", "US", "America/New_York", "colo", "Piedmont Colocation"),
    ("DUB", "Dublin colocation, Clondalkin", "eu-west", "IE", "Europe/Dublin", "colo", "Liffey Data Centres"),
    ("EUS2", "Azure East US 2", "us-east", "US", "America/New_York", "cloud", "Microsoft Azure"),
)

_PEERINGDB = {"IAD": "9001", "DUB": "9002", "HIL": "9003"}

# site, hall, phase, racks, kW contracted, kW by air, kW by liquid, planned and true day of readiness
_HALLS: tuple[tuple[str, str, str, int, int, int, int, date, date], ...] = (
    ("ABL", "Hall A", "1", 48, 1800, 300, 1500, date(2026, 6, 26), date(2026, 6, 24)),
    ("ABL", "Hall A", "2", 48, 1800, 300, 1500, date(2026, 8, 28), date(2026, 8, 26)),
    ("ABL", "Hall B", "1", 48, 1800, 300, 1500, date(2026, 10, 16), date(2026, 10, 14)),
    ("ABL", "Hall C", "1", 24, 900, 150, 750, date(2026, 12, 11), date(2026, 12, 11)),
    ("HIL", "DH3", "1", 40, 1200, 1200, 0, date(2026, 7, 31), date(2026, 7, 30)),
    ("IAD", "Suite 210", "1", 6, 60, 60, 0, date(2026, 7, 17), date(2026, 7, 15)),
    ("DUB", "Cage 4", "1", 10, 110, 110, 0, date(2026, 9, 11), date(2026, 9, 9)),
)

SOURCES: dict[str, dict[str, Any]] = {
    "sites": {
        "dataset": "sites",
        "files": "*sites_register*.csv",
        "owner": "Dana Whitfield",
        "required": True,
        "max_age_days": 120,
    },
    "facility": {
        "dataset": "facility_capacity",
        "files": "*facility_readiness*.csv",
        "owner": "Luis Ortega",
        "required": True,
        "max_age_days": 40,
    },
}


def drops() -> list[Drop]:
    """Return the site register and the facility readiness reports."""
    sites = Table(
        ["site_id", "name", "region", "country", "time_zone", "facility", "provider", "peeringdb_id"],
        [[*row, _PEERINGDB.get(row[0])] for row in SITES],
    )
    register = Drop(at(33, MON, "09:10"), "sites_register.csv", "sites", sites, Dialect(encoding="utf-8-sig"))
    return [register, *(_report(week) for week in (33, 36, 38, 42))]


def _report(week: int) -> Drop:
    today = day(week, WED)
    columns = ["site_id", "hall", "phase", "racks", "kw_contracted", "kw_energised", "redundancy"]
    rows: list[list[Any]] = []
    for site, hall, phase, racks, power, air, liquid, planned, ready in _HALLS:
        seen = ready if ready <= today else None
        rows.append([site, hall, phase, racks, power, power if seen else 0, "N+1", air, liquid, planned, seen])
    table = Table([*columns, "air_kw", "liquid_kw", "planned_ready", "actual_ready"], rows)
    return Drop(at(week, WED, "17:05"), f"facility_readiness_{today:%Y%m%d}.csv", "facility", table)
