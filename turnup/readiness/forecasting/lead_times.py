"""How long the work of a gate still takes: the playbook's lead time, or the site's own throughput.

Belongs here: the duration of one gate of one block. Does not: what it waits for (``network``).

Where a gate advances unit by unit, a block that is partly there takes the open share of its lead time, and at least a
working day. Otherwise what is open takes the whole lead time.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from turnup.readiness.forecasting.nodes import SHIFT, Basis, working
from turnup.schedule.simulation import Fixed, Throughput, Triangular

if TYPE_CHECKING:
    from turnup.readiness.forecasting.facts import Gate
    from turnup.readiness.forecasting.samples import Sample
    from turnup.schedule.simulation import Distribution

PLAYBOOK = "lead time of the playbook"
OWN_RATE = "own throughput"
Duration = tuple["Distribution", float, Basis]
"""Distribution and most likely value in seconds of working time, and where they come from."""


def gate_duration(gate: Gate, rate: Sample | None) -> Duration | str:
    """The remaining work of a gate that is not passed, or why nothing can be said of it.

    Args:
        gate: not passed.
        rate: pieces that the site does on a working day, where it has done enough of them.
    """
    if gate.is_there:
        return Fixed(0), 0.0, Basis("evidence", note="nothing of it is open")
    if rate is not None and gate.units:
        return at_rate(gate, rate)
    if gate.lead is None:
        return f"gate '{gate.gate}' has no lead_time in its playbook"
    if gate.per_unit and gate.units is None:
        return f"gate '{gate.gate}' has a lead_time per unit, and the number of units of {gate.of} is not known"
    return three_points(*scaled(gate, gate.lead), Basis(PLAYBOOK, gate.gate, None, _open(gate)))


def at_rate(gate: Gate, rate: Sample) -> Duration:
    """The open units of a gate at the site's own rate; the number of units must be known."""
    units = gate.units or 1
    open_units = max(1, math.ceil(units * gate.open_share - 1e-9))
    drawn = Throughput(rate.values, open_units, SHIFT)
    return drawn, drawn.quantile(0.5), Basis(OWN_RATE, rate.of, rate.n, f"{open_units} of {units} units")


def scaled(gate: Gate, lead: tuple[float, float, float]) -> tuple[float, float, float]:
    """Working days of what is open: least, likely and most."""
    factor = gate.open_share * (gate.units or 1 if gate.per_unit else 1)
    least, likely, most = (max(value * factor, min(value, 1.0)) for value in lead)
    return least, likely, most


def _open(gate: Gate) -> str:
    return "" if gate.open_share >= 1 else f"{math.ceil(100 * gate.open_share)} % open"


def three_points(least: float, likely: float, most: float, basis: Basis) -> Duration:
    """A duration of three points in working days."""
    if least == most:
        return Fixed(working(likely)), working(likely), basis
    return Triangular(working(least), working(likely), working(most)), working(likely), basis
