"""When goods, circuits and halls come: the day that is told, and how late the programme's own history says it will be.

Belongs here: the remaining days of one arrival, and its node. Does not: who waits for it (``goods``, ``network``).

A vendor that already concedes a later day than it promised comes not before that day, nor before the promise plus the
lateness drawn. An arrival that would have been before the data date and has not been comes the drawn lateness after it.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from turnup.readiness.forecasting.nodes import Basis, Node, days
from turnup.readiness.forecasting.samples import site_lateness
from turnup.schedule.model import ELAPSED, HOUR
from turnup.schedule.simulation import Empirical, Fixed

if TYPE_CHECKING:
    from turnup.readiness.forecasting.facts import Circuit, Coming, Facts
    from turnup.readiness.forecasting.samples import Sample

_TOLD = "the day as told"
MORNING, EVENING = 6, 18
"""Hours at which a thing of a day counts as there: goods can be received that day, a hall is used from the next."""
_LATE = "the day as told, and lateness so far"
SOURCES = {
    "shipment": ("shipment", "order"),
    "promise": ("order", "shipment"),
    "order": ("order", "shipment"),
}
"""Which promises of the past speak for which of the present, best first."""
_WORDS = {"shipment": "shipment", "promise": "promise of order line", "order": "rest of order line"}


def remaining_days(expected: date, promised: date | None, sample: Sample | None, as_of: date) -> tuple[int, ...]:
    """Whole days from the data date to the arrival, one per different case of the sample; at least 1."""
    told = (expected - as_of).days
    if sample is None:
        return (max(1, told),)
    slipped = promised is not None and expected > promised
    base = (promised - as_of).days if promised is not None and slipped else told
    found = []
    for late in sample.cases:
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
    told = _Told(coming.expected or facts.as_of, coming.promised, MORNING)
    sample = facts.late.of(SOURCES[coming.source], coming.vendor, category, coming.mode, minimum)
    name = f"{_WORDS[coming.source]} {coming.name} of {coming.vendor}, told for {told.day}"
    group = f"vendor/{coming.vendor.strip().casefold()}"
    return _node(arrival_id(coming), name, told, sample, facts, group, coming.vendor)


def circuit_of(circuit: Circuit, facts: Facts, minimum: int) -> Node | None:
    """The node of a circuit that its provider promised; None where it promised no day. It is there in the evening."""
    if circuit.firm is None:
        return None
    sample = facts.late.of(("circuit",), circuit.provider, circuit.type, None, minimum)
    name = f"circuit {circuit.circuit} of {circuit.provider}, firm for {circuit.firm}"
    identity = f"circuit/{circuit.system}/{circuit.circuit.casefold()}"
    told = _Told(circuit.firm, None, EVENING)
    return _node(identity, name, told, sample, facts, f"vendor/{circuit.provider}", circuit.provider)


def hall_of(site: str, ready_on: date, facts: Facts, minimum: int) -> Node:
    """The node of a site whose power, cooling and racks are planned to cover some blocks on a day, in the evening."""
    sample = site_lateness(facts.lateness, site, minimum)
    name = f"site {site} ready, planned for {ready_on}"
    return _node(f"site/{site}/{ready_on}", name, _Told(ready_on, None, EVENING), sample, facts, f"site/{site}", "")


class _Told(NamedTuple):
    """The day that is told, the day promised before it, and the hour at which a thing of that day counts as there."""

    day: date
    promised: date | None
    hour: int

    def seconds(self, left: int) -> float:
        return days(left - 1) + self.hour * HOUR


def _node(identity: str, name: str, told: _Told, sample: Sample | None, facts: Facts, group: str, owner: str) -> Node:
    known, asked = facts.late.left, (told, id(sample))
    if asked not in known:
        known[asked] = (sample, _drawn(told, sample, facts.as_of))
    return Node(
        identity, name, "arrival", ELAPSED, known[asked][1], told.seconds(max(1, (told.day - facts.as_of).days)),
        Basis(_TOLD, note="no earlier promise has come due") if sample is None else Basis(_LATE, sample.of, sample.n),
        owner=owner, group=group,
    )  # fmt: skip


def _drawn(told: _Told, sample: Sample | None, as_of: date) -> Fixed | Empirical:
    """Time left, with the number of cases of each different value: a class may have many thousands of cases."""
    left = remaining_days(told.day, told.promised, sample, as_of)
    cases: dict[float, int] = {}
    for number, count in zip(left, (1,) if sample is None else sample.cases.values(), strict=True):
        seconds = told.seconds(number)
        cases[seconds] = cases.get(seconds, 0) + count
    values = tuple(sorted(cases))
    return Fixed(values[0]) if len(values) == 1 else Empirical(values, tuple(cases[value] for value in values))
