"""What is asked of speed and memory, beside what was measured: one row a target, each with its own yes or no.

Belongs here: the targets, and when one is met. Does not: measuring. What was not measured is never met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from perf.processes import Measured

Verdict = tuple[str, bool | None]
"""What was measured, in words, and whether that is what was asked for; None: not measured."""
NOT_MEASURED: Verdict = ("not measured", None)
GIB = 1024
_LOADED = "great_expectations"
"""What the measured refresh loads of the fixed cost; it runs without Dagster."""


@dataclass
class Figures:
    """All that one run of ``python -m perf`` measured.

    Attributes:
        wholes: by scale and name (floor, refresh, peer, nothing new, ...).
        rows: rows of the programme and of the changed file, by scale.
        validation: by scale, wall and CPU seconds by name.
        cold: by command.
        fixed: wall and CPU seconds of what an orchestrated refresh loads, by name.
        weeks: closed weeks one after another; it told CPU seconds of each step of each week.
    """

    wholes: dict[int, dict[str, Measured]] = field(default_factory=dict)
    rows: dict[int, tuple[int, int]] = field(default_factory=dict)
    validation: dict[int, Mapping[str, list[float]]] = field(default_factory=dict)
    cold: dict[str, Measured] = field(default_factory=dict)
    fixed: Mapping[str, list[float]] = field(default_factory=dict)
    weeks: Measured | None = None

    @property
    def largest(self) -> dict[str, Measured]:
        """What was measured at the largest scale, without what failed."""
        found = self.wholes[max(self.wholes)] if self.wholes else {}
        return {name: one for name, one in found.items() if not one.failed}


def slope(points: list[tuple[int, float]]) -> float:
    """Slope of log seconds over log scale: 1 is linear, less is better."""
    scales, spent = np.log([scale for scale, _ in points]), np.log([max(value, 0.01) for _, value in points])
    return float(np.polyfit(scales, spent, 1)[0])


def _absent(figures: Figures, *names: str) -> Verdict | None:
    """Words for what has no figure at the largest scale because it failed or was not measured, else None."""
    found = figures.wholes[max(figures.wholes)] if figures.wholes else {}
    if failed := [name for name in names if name in found and found[name].failed]:
        return f"failed: {', '.join(failed)}", None
    return None if set(names) <= found.keys() else NOT_MEASURED


def lines(figures: Figures) -> Iterator[str]:
    """The table of targets."""
    yield from ("| asked for | measured | met |", "| --- | --- | --- |")
    for asked, judge in _TARGETS.items():
        words, met = judge(figures)
        yield f"| {asked} | {words} | {'no figure' if met is None else 'yes' if met else '**no**'} |"


def _floors(figures: Figures) -> Verdict:
    if absent := _absent(figures, "floor", "refresh"):
        return absent
    found = figures.largest
    ratio = found["refresh"].wall / found["floor"].wall
    return f"{ratio:.1f} floors ({found['refresh'].wall:.0f} s, {found['floor'].wall:.0f} s)", ratio <= 4


def _memory(figures: Figures) -> Verdict:
    if absent := _absent(figures, "refresh"):
        return absent
    one = figures.largest["refresh"]
    return f"{one.peak_mb / GIB:.1f} GiB", one.peak_mb < 4 * GIB


def _peer(figures: Figures) -> Verdict:
    if absent := _absent(figures, "peer", "refresh"):
        return absent
    found = figures.largest
    ratio = found["peer"].wall / found["refresh"].wall
    return f"the peer takes {ratio:.2f} of our time ({found['peer'].wall:.0f} s)", ratio >= 5


def _no_op(figures: Figures) -> Verdict:
    if absent := _absent(figures, "nothing new, by command"):
        return absent
    one = figures.largest["nothing new, by command"]
    if not (weeks := one.told.get("weeks")):
        return "the command told nothing", None
    without = not any(week["run_id"] for week in weeks)
    return f"{one.wall:.1f} s, {'no run' if without else 'a run'}", without


def _changed(figures: Figures) -> Verdict:
    if absent := _absent(figures, "changed", "refresh"):
        return absent
    found = figures.largest
    rows, changed = figures.rows[max(figures.wholes)]
    if _LOADED not in figures.fixed:
        return NOT_MEASURED
    loading = figures.fixed[_LOADED][1]
    first, second = (max(found[name].cpu - loading, 0.01) for name in ("refresh", "changed"))
    words = f"{second:.1f} of {first:.1f} s CPU beyond loading, {changed / rows:.1%} of the rows"
    return f"{second / first:.2f}: {words}", second <= 0.1 * first


def _growth(figures: Figures) -> Verdict:
    points = [
        (scale, found["refresh"].cpu)
        for scale, found in sorted(figures.wholes.items())
        if "refresh" in found and not found["refresh"].failed
    ]
    if len(points) < 2:
        return NOT_MEASURED
    found = slope(points[-2:])
    return f"slope {found:.2f} from {points[-2][0]} to {points[-1][0]} (CPU)", found <= 1


def _rules(figures: Figures) -> Verdict:
    ratios = {
        scale: told["rules"][1] / told["aggregate"][1]
        for scale, told in sorted(figures.validation.items())
        if "rules" in told
    }
    if not ratios:
        return NOT_MEASURED
    words = ", ".join(f"{ratio:.1f} at scale {scale}" for scale, ratio in ratios.items())
    return f"{words} (CPU)", ratios[max(ratios)] <= 3


def _within(command: str, limit: float) -> Callable[[Figures], Verdict]:
    def judge(figures: Figures) -> Verdict:
        if (one := figures.cold.get(command)) is None:
            return NOT_MEASURED
        if one.failed:
            return "failed", None
        return f"{one.wall:.2f} s", one.wall <= limit

    return judge


def _fixed(figures: Figures) -> Verdict:
    if not figures.fixed:
        return NOT_MEASURED
    wall = sum(each[0] for each in figures.fixed.values())
    return f"{wall:.1f} s", wall <= 15


_TARGETS: dict[str, Callable[[Figures], Verdict]] = {
    "refresh at the largest scale: at most 4 floors, wall": _floors,
    "most memory of it: below 4 GiB": _memory,
    "at least 5 times faster than the peer": _peer,
    "nothing new: decided by the fingerprint, no run starts": _no_op,
    "1 % of the rows changed: at most a tenth of the first beyond the fixed cost": _changed,
    "growth to the largest scale: at most linear": _growth,
    "row rules: at most 3 of one aggregate": _rules,
    "`turnup --help`: 0.3 s, cold": _within("turnup --help", 0.3),
    "`turnup inspect` of a small file: 1 s, cold": _within("turnup inspect of a small file", 1.0),
    "loading Dagster and Great Expectations: at most 15 s": _fixed,
}
