"""What decides a forecast: drivers, tornado, merge bias.

Belongs here: which inputs matter for which target, in the words of the tables. Does not: the measures
(``turnup.schedule.simulation``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from turnup.readiness.forecasting.nodes import day_of
from turnup.readiness.forecasting.tables import share, tenths
from turnup.readiness.kinds import UNITS
from turnup.schedule.model import DAY
from turnup.schedule.simulation import Fixed
from turnup.schedule.working_time import moment_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from decimal import Decimal

    from turnup.readiness.forecasting.made import Forecast
    from turnup.readiness.forecasting.targets import Target
    from turnup.schedule.simulation.joined import Drivers
    from turnup.schedule.simulation.tornado import Bar

Row = dict[str, object]
DRIVERS_KEPT = 8
BARS_KEPT = 6
TORNADO_KINDS = 2
"""Kinds with capacity to come that get a tornado, in the fixed order of kinds: each bar is two further runs."""
LEAST_SHARE = 0.05
"""Share of runs below which something on the driving path is not named."""
_SILENT = ("target", "ready")


def merge_biases(made: Forecast, targets: Sequence[Target]) -> dict[str, Decimal]:
    """Calendar days that the mean finish lies behind that of the most critical path alone, by sink."""
    if made.run is None:
        return {}
    dated = [target.sink for target in targets if target.sink in made.run]
    return {sink: tenths(bias / DAY) for sink, bias in made.run.mean_biases(dated).items()}


def driver_rows(made: Forecast, targets: Sequence[Target]) -> list[Row]:
    """For every target with a date, what drives it most often; of what does so about as often, what moves it most."""
    if made.run is None:
        return []
    dated = {target.sink: target for target in targets if target.sink in made.run}
    found = {sink: list(_drivers(made, dated[sink], drivers)) for sink, drivers in made.run.drivers(dated)}
    return [row for sink in dated for row in found[sink]]


def _drivers(made: Forecast, target: Target, drivers: Drivers) -> Iterator[Row]:
    driving, sensitivity = np.nan_to_num(drivers.driving), np.nan_to_num(drivers.ssi)
    some = np.flatnonzero(driving)
    order = some[np.lexsort((some, -sensitivity[some], -np.round(driving[some], 1)))]
    rank = 0
    for place in order.tolist():
        if driving[place] < LEAST_SHARE or rank == DRIVERS_KEPT:
            return
        identity = drivers.ids[place]
        row = _named(made, identity)
        if row is None:
            continue
        rank += 1
        yield row | {
            "scope_type": target.scope_type, "scope": target.scope, "rank": rank, "node": identity,
            "criticality": share(float(driving[place])), "sensitivity": share(float(min(1.0, sensitivity[place]))),
            "likely": made.bound.planned_day(identity),
        }  # fmt: skip


def _named(made: Forecast, identity: str) -> Row | None:
    """A node or activity in words; none for what has no work of its own and only joins others."""
    names = made.bound.making.names
    node = made.bound.node(identity)
    if node is not None:
        if node.role in _SILENT or (node.duration == Fixed(0) and node.role != "delay"):
            return None
        basis = node.basis.method + (f": {node.basis.of}" if node.basis.of else "")
        basis += f", n = {node.basis.n}" if node.basis.n is not None else ""
        return {"name": node.name, "role": node.role, "owner": node.owner, "system_id": names.get(node.system),
                "basis": basis}  # fmt: skip
    row = made.bound.network.activities.row(made.bound.rows[identity], named=True)
    held = made.bases.get(identity)
    return {
        "name": f"{row['code']} {row['name']}", "role": "activity", "owner": row["owner"] or "",
        "system_id": names.get(str(row["system"] or "").strip().casefold()), "basis": held.method if held else "",
    }  # fmt: skip


def tornado_rows(made: Forecast, targets: Sequence[Target]) -> list[Row]:
    """For the first kinds with a date, the inputs that move their P80 most."""
    rows: list[Row] = []
    if made.run is None:
        return rows
    order = list(UNITS)
    kinds = [target for target in targets if target.scope_type == "kind" and target.sink in made.run]
    for target in sorted(kinds, key=lambda one: order.index(one.kind))[:TORNADO_KINDS]:
        bars = [bar for bar in made.run.tornado(target.sink, top=BARS_KEPT, percent=80) if bar.swing > 0]
        rows += [_bar(made, target, rank, bar) for rank, bar in enumerate(bars, start=1)]
    return rows


def _bar(made: Forecast, target: Target, rank: int, bar: Bar) -> Row:
    if bar.kind == "risk":
        name = next(f"risk {delay.id}: {delay.name}" for delay in made.delays if delay.id == bar.id)
    else:
        name = str((_named(made, bar.id) or {"name": bar.id})["name"])
    return {
        "scope_type": target.scope_type, "scope": target.scope, "rank": rank, "node": bar.id, "name": name,
        "p80_low": day_of(moment_of(bar.low)), "p80_high": day_of(moment_of(bar.high)),
        "swing_days": tenths(bar.swing / DAY),
    }  # fmt: skip
