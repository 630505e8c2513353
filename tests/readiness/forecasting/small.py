"""Programmes of a few gates, in words: one system of one kind, its blocks, and what a test changes of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import polars as pl

from turnup.readiness.forecasting.binding import bind
from turnup.readiness.forecasting.computed import Bound
from turnup.readiness.forecasting.facts import Block, Facts, Gate, System
from turnup.readiness.forecasting.network import draft_network, risk_delays
from turnup.readiness.forecasting.plan import Making
from turnup.readiness.forecasting.settings import ForecastSettings
from turnup.schedule.model import ACTIVITY, HOUR, LINK, Options, Project, WorkCalendar

FRIDAY = date(2026, 10, 30)
"""The data date of these programmes: work goes on on Monday 2 November."""


def day(number: int) -> date:
    """The evening of the so-manyth working day after the data date: 1 is Monday 2 November."""
    weeks, rest = divmod(number - 1, 5)
    return date(2026, 11, 2) + timedelta(weeks=weeks, days=rest)


def system(key: str = "a", order: int = 1, **changes: Any) -> System:
    """A system of 8 contracted, nothing schedulable, at site X."""
    return replace(
        System(key, key.upper(), "gpu_cluster", "x", "X", order, "Ana Ruiz", Decimal(8), Decimal(0), False, False),
        **changes,
    )


def block(of: str = "a", key: str = "b1", number: int = 1, planned: int = 8, before: int = 0) -> Block:
    """A block of which nothing is schedulable yet."""
    return Block(of, key, key.upper(), number, Decimal(planned), Decimal(before), Decimal(0))


def gate(name: str, lead: Any = None, of: str = "a", block: str = "b1", number: int = 1, **changes: Any) -> Gate:
    """An open gate; ``lead`` is its lead time in working days: one number, or three."""
    three = None if lead is None else (lead, lead, lead) if isinstance(lead, int | float) else lead
    made = Gate(
        system=of, block=block, of=f"{of.upper()} {block.upper()}", number=number, gate=name, title=name.title(),
        owner_role="lead", stage=None,
        pool="none", lead=three, per_unit=False, passed=False, passed_on=None, entered_on=None, satisfied=False,
        begun=False, is_current=False, of_system=False, of_site=False, open_share=1.0, missing_share=1.0, units=None,
    )  # fmt: skip
    return replace(made, **changes)


def facts(*parts: Any, **changes: Any) -> Facts:
    """Facts of systems, blocks and gates; other facts by name, by default none."""
    none: dict[str, Any] = dict.fromkeys(
        ("missing", "coming", "shares", "lateness", "moves", "sites", "circuits", "risks", "needs", "stages"), ()
    )
    kinds = {"systems": System, "blocks": Block, "gates": Gate}
    of = {name: tuple(part for part in parts if isinstance(part, kind)) for name, kind in kinds.items()}
    return Facts(as_of=FRIDAY, **(of | none | changes))


def one_block(*gates: Gate, **changes: Any) -> Facts:
    """System A of one block B1 with these gates, in their order."""
    numbered = [replace(one, number=number) for number, one in enumerate(gates, start=1)]
    return facts(system(), block(), *numbered, **changes)


def bound(given: Facts, projects: tuple[Project, ...] = (), holidays: tuple[date, ...] = (), **settings: Any) -> Bound:
    """The network of some facts, with schedule files bound to them."""
    files = bind(projects, given)
    making = Making(given, ForecastSettings(**settings), holidays, files.coded)
    draft_network(making, risk_delays(given))
    return Bound(making, files.projects, files.unknown)


def days_of(given: Bound) -> dict[str, date | None]:
    """Likely days of open gates by ``block/gate``, of system A."""
    gates = [one for one in given.making.facts.gates if not one.passed]
    return {
        f"{one.block}/{one.gate}" if one.system == "a" else f"{one.system}/{one.block}/{one.gate}": given.planned_day(
            given.making.draft.exits[f"gate/{one.system}/{one.block}/{one.gate}"]
        )
        for one in gates
    }


def project(*activities: dict[str, Any], links: tuple[tuple[Any, ...], ...] = (), **changes: Any) -> Project:
    """A schedule of tasks on Monday to Friday, 8 hours; ``d`` is a duration in days, links are (pred, succ, lag)."""
    rows = []
    for number, given in enumerate(activities, start=1):
        row = dict.fromkeys(ACTIVITY) | {
            "kind": "task", "status": "not_started", "calendar": "5x8", "manual": False, "row": number,
        }  # fmt: skip
        row |= {name: value for name, value in given.items() if name != "d"}
        row["code"], row["name"] = row["code"] or row["id"], row["name"] or row["id"]
        if "d" in given:
            row["duration_s"] = round(given["d"] * 8 * HOUR)
            row["remaining_s"] = row["remaining_s"] if row["remaining_s"] is not None else row["duration_s"]
        rows.append(row)
    ties = [
        dict.fromkeys(LINK) | {"pred": one[0], "succ": one[1], "type": 0, "lag_s": sum(one[2:]) * 8 * HOUR,
                               "elapsed": False, "external": False, "row": number}
        for number, one in enumerate(links, start=1)
    ]  # fmt: skip
    shifts = ((8 * HOUR, 12 * HOUR), (13 * HOUR, 17 * HOUR))
    whole = Project(
        id="P1", name="Plan", tool="table", data_date=datetime(2026, 10, 23), planned_start=None, must_finish=None,
        stored_finish=None, options=Options(), calendars={"5x8": WorkCalendar("5x8", (shifts,) * 5 + ((), ()))},
        default_calendar="5x8", activities=pl.DataFrame(rows, schema=ACTIVITY), links=pl.DataFrame(ties, schema=LINK),
    )  # fmt: skip
    return replace(whole, **changes)
