"""When goods, circuits and halls come: the day that is told, and how late the programme's own history says it will be.

Belongs here: the remaining days of one arrival, and its node. Does not: who waits for it (``goods``, ``network``).

A vendor that already concedes a later day than it promised comes not before that day, nor before the promise plus the
lateness drawn. An arrival that would have been before the data date and has not been comes the drawn lateness after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnup.readiness.forecasting.nodes import Basis, Node, days
from turnup.readiness.forecasting.samples import lateness_of, site_lateness
from turnup.schedule.model import ELAPSED
from turnup.schedule.simulation import Empirical, Fixed

if TYPE_CHECKING:
    from datetime import date

    from turnup.readiness.forecasting.facts import Circuit, Coming, Facts
    from turnup.readiness.forecasting.samples import Sample

_TOLD = "the day as told"
_LATE = "the day as told, and lateness so far"
SOURCES = {"shipment": ("shipment", "order"), "promise": ("order", "shipment")}
"""Which promises of the past speak for which of the present, best first."""


def remaining_days(expected: date, promised: date | None, sample: Sample | None, as_of: date) -> tuple[int, ...]:
    """Whole days from the data date to the arrival, one per case of the sample; at least 1."""
    told = (expected - as_of).days
    if sample is None:
        return (max(1, told),)
    slipped = promised is not None and expected > promised
    base = (promised - as_of).days if promised is not None and slipped else told
    found = []
    for late in sample.values:
        day = max(told, base + int(late)) if slipped else told + int(late)
        found.append(day if day > 0 else max(1, int(late)))
    return tuple(found)


def arrival_id(coming: Coming) -> str:
    """Lines of one shipment that are expected on one day are one arrival."""
    if coming.shipment is None:
        return coming.key
    return f"shipment/{coming.shipment}/{coming.expected}"


def arrival_of(coming: Coming, facts: Facts, category: str | None, minimum: int) -> Node:
    """The node of goods that have a day and have not arrived: they are there on the morning of the day drawn."""
    sources = SOURCES[coming.source]
    sample = lateness_of(facts.lateness, sources, coming.vendor, category, coming.mode, minimum)
    day = coming.expected or facts.as_of
    words = "shipment" if coming.source == "shipment" else "promise of order line"
    return _dated(
        arrival_id(coming), f"{words} {coming.name} of {coming.vendor}, told for {day}",
        remaining_days(day, coming.promised, sample, facts.as_of), sample, max(1, (day - facts.as_of).days), 1,
        group=f"vendor/{coming.vendor.strip().casefold()}", owner=coming.vendor,
    )  # fmt: skip


def circuit_of(circuit: Circuit, facts: Facts, minimum: int) -> Node | None:
    """The node of a circuit that its provider promised; None where it promised no day. It is there in the evening."""
    if circuit.firm is None:
        return None
    sample = lateness_of(facts.lateness, ("circuit",), circuit.provider, circuit.type, None, minimum)
    return _dated(
        f"circuit/{circuit.system}/{circuit.circuit.casefold()}",
        f"circuit {circuit.circuit} of {circuit.provider}, firm for {circuit.firm}",
        remaining_days(circuit.firm, None, sample, facts.as_of), sample, max(1, (circuit.firm - facts.as_of).days), 0,
        group=f"vendor/{circuit.provider}", owner=circuit.provider, system=circuit.system,
    )  # fmt: skip


def hall_of(site: str, ready_on: date, facts: Facts, minimum: int) -> Node:
    """The node of a site whose power, cooling and racks are planned to cover its systems on a day, in the evening."""
    sample = site_lateness(facts.lateness, site, minimum)
    return _dated(
        f"site/{site}", f"site {site} ready, planned for {ready_on}",
        remaining_days(ready_on, None, sample, facts.as_of), sample, max(1, (ready_on - facts.as_of).days), 0,
        group=f"site/{site}",
    )  # fmt: skip


def _dated(
    identity: str, name: str, remaining: tuple[int, ...], sample: Sample | None, told: int, morning: int, group: str,
    owner: str = "", system: str = "",
) -> Node:  # fmt: skip
    """A node from the data date to the day drawn: to its evening, or to its morning (1)."""
    values = tuple(days(day - morning) for day in sorted(remaining))
    return Node(
        identity, name, "arrival", ELAPSED,
        Fixed(values[0]) if len(set(values)) == 1 else Empirical(values), days(told - morning),
        Basis(_TOLD, note="no earlier promise has come due") if sample is None else Basis(_LATE, sample.of, sample.n),
        system, owner=owner, group=group,
    )  # fmt: skip
