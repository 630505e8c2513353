"""What a threshold can mean: comparisons that always hold, that never can, and units in which it makes no sense.

Belongs here: the range of a metric by its unit. Does not: reading playbooks, or judging figures.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turnup.readiness.registry import Metric

_WHOLE = frozenset({"count", "points", "pieces", "lines", "links", "devices", "locations"})
ABOVE_ONE = frozenset({"wan_n1_demand_share"})
"""Shares of something wanted, which may be exceeded."""
SIGNED = frozenset({"capacity_moved_net", "promise_push_days"})
"""Figures that may be negative."""


def threshold_fault(metric: Metric, comparison: str, threshold: Decimal | str, unit: str) -> str:
    """Why a comparison of a metric with a threshold decides nothing; empty when it does.

    ``unit`` is that of the capacity of the playbook's kind, such as accelerators; a threshold ``planned`` is in it.
    """
    if not isinstance(threshold, Decimal):
        if metric.unit in ("capacity", unit):
            return ""
        return f"'planned' is a capacity in {unit or 'the unit of the kind'}; {metric.name} is in {metric.unit}"
    if metric.name in SIGNED:
        return ""
    top = Decimal(1) if metric.unit == "share" and metric.name not in ABOVE_ONE else None
    found = f"{metric.name} {comparison} {threshold:f}"
    if _always(comparison, threshold, top):
        return f"{found} always holds: {_range(metric, top)}; leave the criterion out, or ask for more"
    if _never(comparison, threshold, top, whole=metric.unit in _WHOLE):
        return f"{found} can never hold: {_range(metric, top)}"
    return ""


def _range(metric: Metric, top: Decimal | None) -> str:
    if top is not None:
        return f"{metric.name} is a share from 0 to 1"
    whole = " and whole" if metric.unit in _WHOLE else ""
    return f"{metric.name} is never negative{whole} ({metric.unit})"


def _always(comparison: str, threshold: Decimal, top: Decimal | None) -> bool:
    over = top is not None and threshold > top
    at_top = top is not None and threshold >= top
    return {
        ">=": threshold <= 0,
        ">": threshold < 0,
        "<=": at_top,
        "<": over,
        "!=": threshold < 0 or over,
        "==": False,
    }[comparison]


def _never(comparison: str, threshold: Decimal, top: Decimal | None, *, whole: bool) -> bool:
    over = top is not None and threshold > top
    at_top = top is not None and threshold >= top
    return {
        ">=": over,
        ">": at_top,
        "<=": threshold < 0,
        "<": threshold <= 0,
        "==": threshold < 0 or over or (whole and threshold != threshold.to_integral_value()),
        "!=": False,
    }[comparison]
