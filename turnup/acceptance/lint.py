"""What is wrong with a set of expectations although each row can be read: found before it judges anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date

from turnup.acceptance import units
from turnup.acceptance.expectations import Acceptance, Baseline, in_force

_MEASURES: dict[str, tuple[units.Dimension, ...]] = {
    "busbw": ("byte_rate",),
    "algbw": ("byte_rate",),
    "bandwidth": ("byte_rate", "bit_rate"),
    "bits_per_second": ("bit_rate",),
    "latency": ("time",),
    "iops": ("rate",),
    "return_code": ("count",),
    "flops": ("flops",),
}
"""What the tools that are read measure under a name."""

_BITS = ("ib_bw", "ib_write", "ib_read", "ib_send", "iperf")
_FASTEST_PORT_GBIT = 800
"""No adapter port is faster; a limit of more, once bytes are read as bytes, was written in bits."""


def lint(acceptance: Acceptance) -> list[str]:
    """Sentences about rows that contradict each other, their metric or what exists; empty when all is sound."""
    found = [
        f"{_name(baseline)}: {message}"
        for baseline in acceptance.baselines
        for message in (_wrong_measure(baseline), _bits_as_bytes(baseline), _over_peak(baseline, acceptance))
        if message
    ]
    return found + _twice(acceptance.baselines) + _reversed(acceptance.baselines)


def _name(baseline: Baseline) -> str:
    return f"{baseline.sku} {baseline.test}/{baseline.metric} {baseline.statistic}"


def _wrong_measure(baseline: Baseline) -> str:
    allowed = _MEASURES.get(baseline.metric.casefold())
    dimension = units.unit(baseline.unit).dimension
    if allowed and dimension not in allowed:
        return f"the unit {baseline.unit} measures {dimension}, the metric measures {' or '.join(allowed)}"
    return ""


def _bits_as_bytes(baseline: Baseline) -> str:
    """An adapter test limit in GB/s that no port can reach was meant in Gbit/s."""
    test = baseline.test.casefold()
    if not test.startswith(_BITS) or units.unit(baseline.unit).dimension != "byte_rate":
        return ""
    gbit = units.convert(baseline.value, baseline.unit, "Gbit/s")
    if gbit <= _FASTEST_PORT_GBIT:
        return ""
    return f"{baseline.value:g} {baseline.unit} is {gbit:g} Gbit/s, more than any port: it was meant in Gbit/s"


def _over_peak(baseline: Baseline, acceptance: Acceptance) -> str:
    for peak in acceptance.peaks:
        same = peak.sku.casefold() == baseline.sku.casefold() and peak.test.casefold() in (
            "*",
            baseline.test.casefold(),
        )
        if not same or peak.metric.casefold() != baseline.metric.casefold():
            continue
        try:
            limit = units.convert(peak.value, peak.unit, baseline.unit)
        except units.UnitError as error:
            return str(error)
        if baseline.value > limit and baseline.operator not in ("<=", "<"):
            return f"asks for {baseline.value:g} {baseline.unit}, the peak is {limit:g} ({peak.source})"
    return ""


def _twice(baselines: Sequence[Baseline]) -> list[str]:
    seen = Counter((baseline.identity, baseline.valid_from) for baseline in baselines)
    named = {(baseline.identity, baseline.valid_from): _name(baseline) for baseline in baselines}
    return [f"{named[key]}: stands {count} times; only the last counts" for key, count in seen.items() if count > 1]


def _reversed(baselines: Sequence[Baseline]) -> list[str]:
    """A lower limit above the upper limit of the same figure can never be met, on any day on which both hold."""
    days = sorted({item.valid_from or date.min for item in baselines})
    return list(dict.fromkeys(message for day in days for message in _reversed_on(in_force(baselines, day))))


def _reversed_on(baselines: Sequence[Baseline]) -> list[str]:
    limits: dict[tuple[object, ...], list[Baseline]] = {}
    for baseline in baselines:
        limits.setdefault(baseline.identity[1:-2], []).append(baseline)
    found = []
    for group in limits.values():
        lows = [item.bounds.low for item in group if item.bounds.low is not None and item.operator != "=="]
        highs = [item.bounds.high for item in group if item.bounds.high is not None and item.operator != "=="]
        if lows and highs and max(lows) > min(highs) and len({item.unit for item in group}) == 1:
            found.append(f"{_name(group[0])}: at least {max(lows):g} and at most {min(highs):g} cannot both hold")
    return found
