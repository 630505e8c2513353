"""The rows of the forecast's tables, from what the runs say.

Belongs here: one row a target, a gate, a week, an input. Does not: the figures (``outcomes``, ``causes``).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from turnup.readiness.forecasting.activity_durations import basis_counts
from turnup.readiness.forecasting.causes import merge_biases
from turnup.readiness.forecasting.nodes import SHIFT, WORK, gate_id
from turnup.readiness.forecasting.outcomes import curve, odds, quantile_day, reached_by, with_confidence
from turnup.readiness.forecasting.tables import tenths
from turnup.schedule.model import DAY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from numpy.typing import NDArray

    from turnup.readiness.forecasting.binding import Contradiction
    from turnup.readiness.forecasting.computed import Bound
    from turnup.readiness.forecasting.made import Forecast
    from turnup.readiness.forecasting.nodes import Node
    from turnup.readiness.forecasting.outcomes import Flow
    from turnup.readiness.forecasting.settings import ForecastSettings as Settings
    from turnup.readiness.forecasting.targets import Target
    from turnup.schedule.simulation.joined import Joined

METHOD = "Monte Carlo of the bound network"
CURVE_PERCENTS = (10, 50, 80, 90)
_CURVE_WEEKS = 53
"""A year of week ends covers the next three quarter ends whatever the data date."""
Row = dict[str, object]


@dataclass(frozen=True)
class _Shared:
    """What all targets of a forecast have in common; ``biases`` in days, by sink."""

    settings: Settings
    runs: str
    biases: Mapping[str, Decimal]


def forecast_rows(made: Forecast, targets: Sequence[Target], settings: Settings) -> list[Row]:
    """One row for every target."""
    members: dict[str, list[Target]] = defaultdict(list)
    for target in targets:
        if target.scope_type == "system":
            members[target.kind].append(target)
    nodes = made.bound.making.draft.nodes.values()
    still_open = sum(node.finished is None and node.role != "target" for node in nodes)
    runs = f"{settings.iterations} runs of {still_open} open gates, deliveries and risks"
    shared = _Shared(settings, runs, merge_biases(made, targets))
    return [_forecast(made, target, members[target.kind], shared) for target in targets]


def _forecast(made: Forecast, target: Target, members: Sequence[Target], shared: _Shared) -> Row:
    base: Row = {
        "scope_type": target.scope_type, "scope": target.scope, "key": target.key, "unit": target.unit,
        "target": target.target, "remaining": target.remaining, "contract_date": target.contract_date,
        "commit_date": target.commit_date, "need_date": target.need_date, "kind": target.kind,
    }  # fmt: skip
    if target.remaining == 0:
        return base | _reached(made.bound, target)
    found = reached_by(made, target, members)
    if isinstance(found, str):
        return base | {"note": f"no forecast: {found}"}
    return base | _drawn(made.bound, target, np.sort(found), shared)


def _reached(bound: Bound, target: Target) -> Row:
    if target.scope_type != "commitment" or target.target == 0:
        # On which day the last block of several lines got there is known of the lines.
        return {"note": "reached"}
    day = target.complete_on or bound.making.facts.as_of
    held = {
        name: None if due is None else Decimal(int(day <= due))
        for name, due in (
            ("confidence", target.contract_date),
            ("commit_confidence", target.commit_date),
            ("need_confidence", target.need_date),
        )
    }
    return {"note": "reached", "complete_on": day, "p50": day, "p80": day, "p95": day, **held}


def _drawn(bound: Bound, target: Target, ordered: NDArray[np.int64], shared: _Shared) -> Row:
    settings, note = shared.settings, shared.runs
    last = bound.making.facts.as_of + timedelta(weeks=settings.horizon_weeks)
    p50, p80, p95 = (quantile_day(ordered, percent, last) for percent in (50, 80, 95))
    if p80 is None:
        note += f"; beyond {settings.horizon_weeks} weeks where no date stands"
    return {
        "method": METHOD, "iterations": settings.iterations, "seed": settings.seed, "p50": p50, "p80": p80, "p95": p95,
        "confidence": odds(ordered, target.contract_date), "commit_confidence": odds(ordered, target.commit_date),
        "need_confidence": odds(ordered, target.need_date), "likely": bound.planned_day(target.sink), "note": note,
        "merge_bias_days": shared.biases.get(target.sink),
    }  # fmt: skip


def curve_rows(flows: Mapping[str, Flow], targets: Sequence[Target], as_of: date) -> list[Row]:
    """Quantity per kind and week end that a given percentage of runs reaches; none where no block has a date."""
    rows: list[Row] = []
    for target in targets:
        if target.scope_type != "kind":
            continue
        members = [one for one in targets if one.scope_type == "system" and one.kind == target.kind and one.remaining]
        if members and not any(flows[member.system or ""].amounts.sum() for member in members):
            continue
        weeks = curve(flows, members, as_of, _CURVE_WEEKS)
        for percent in CURVE_PERCENTS:
            series = {"kind": target.kind, "series": f"p{percent}"}
            rows.append(series | {"week_end": as_of, "quantity": target.present})
            rows += [
                series
                | {"week_end": day, "quantity": target.present + Decimal(with_confidence(gained, percent)) / 1000}
                for day, gained in weeks
            ]
    return rows


def gate_rows(bound: Bound, run: Joined | None, settings: Settings) -> list[Row]:
    """One row for every gate that has not passed."""
    names = bound.making.names
    blocks = {(block.system, block.key): block.name for block in bound.making.facts.blocks}
    last = bound.making.facts.as_of + timedelta(weeks=settings.horizon_weeks)
    rows: list[Row] = []
    for gate in bound.making.facts.gates:
        if gate.passed:
            continue
        exit_id = bound.making.draft.exits[gate_id(gate.system, gate.block, gate.gate)]
        row: Row = {
            "system_key": gate.system, "system_id": names[gate.system], "block": blocks[gate.system, gate.block],
            "gate_no": gate.number, "gate": gate.gate, "title": gate.title, "likely": bound.planned_day(exit_id),
        }  # fmt: skip
        reason = bound.reasons.get(exit_id)
        if reason is not None or run is None:
            rows.append(row | {"note": f"no forecast: {reason}"})
            continue
        ordered = np.sort(run.samples(exit_id))
        dates = {f"p{percent}": quantile_day(ordered, percent, last) for percent in (50, 80, 95)}
        rows.append(row | dates | {"note": ""})
    return rows


def assumption_rows(made: Forecast) -> list[Row]:
    """One row for every open node with work of its own, for each basis of activities, and for what was left out."""
    bound = made.bound
    names = bound.making.names
    rows = [
        _assumption(node, names)
        for node in bound.making.draft.nodes.values()
        if node.finished is None and node.basis.method != "logic"
    ]
    rows += [
        {
            "node": f"activities/{number}", "name": f"{count} open activities of schedule files", "role": "activity",
            "method": basis.method, "of": basis.of, "n": basis.n, "note": basis.note,
        }
        for number, (basis, count) in enumerate(basis_counts(made.bases), start=1)
    ]  # fmt: skip
    left_out = dict.fromkeys(bound.making.draft.left_out)
    return rows + [{"node": f"left out/{n}", "role": "left out", "note": words} for n, words in enumerate(left_out, 1)]


def _assumption(node: Node, names: Mapping[str, str]) -> Row:
    unit = SHIFT if node.calendar == WORK else DAY
    row: Row = {
        "node": node.id, "name": node.name, "role": node.role, "system_id": names.get(node.system),
        "block": node.block or None, "gate": node.gate or None, "method": node.basis.method, "of": node.basis.of,
        "n": node.basis.n, "note": node.unknown or node.basis.note,
        "day_kind": "working" if node.calendar == WORK else "calendar",
    }  # fmt: skip
    if not node.unknown:
        row |= {f"p{percent}_days": tenths(node.duration.quantile(percent / 100) / unit) for percent in (10, 50, 90)}
    return row


def claim_rows(contradictions: Sequence[Contradiction]) -> list[Row]:
    """One row for every activity that is claimed to be done without evidence."""
    return [
        {
            "project": one.project, "task": one.task, "code": one.code, "name": one.name,
            "system_key": one.system, "gate": one.gate, "blocks": ", ".join(one.blocks),
            "claimed_finish": one.claimed_finish, "remaining_days": tenths(one.remaining_days),
        }
        for one in contradictions
    ]  # fmt: skip
