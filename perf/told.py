"""What ``python -m perf`` measured, as lines of a page.

Belongs here: words and tables. Does not: measuring (``perf.__main__``), nor what is asked for (``perf.targets``).
"""

from __future__ import annotations

from collections.abc import Mapping

from perf.checks import Rows
from perf.processes import Measured
from perf.programme import Laid
from perf.targets import Figures, slope

Found = dict[str, Measured]
_WHOLE = ("floor", "refresh", "peer")
_STEPS = ("land", "ingest", "plan", "stage", "expect", "judge", "commit", "publish", "reports")
_AGAIN = ("nothing new", "nothing new, by command", "changed")


def whole(laid: Laid, scale: int, found: Found, load: float) -> list[str]:
    """The floor, the refresh with its steps, and the peer, over the same files."""
    lines = [
        f"## Scale {scale}: {laid.systems:,} systems, {laid.rows:,} rows, {laid.figures:,} benchmark figures",
        "", f"{laid.files} files, {laid.bytes / 1e6:.0f} MB, {laid.bad:,} bad rows; load of the machine {load:.1f}.",
        "",
        "| what | wall s | CPU s | peak MiB | wall, floors | CPU, floors |", "| --- | --- | --- | --- | --- | --- |",
    ]  # fmt: skip
    for name in _WHOLE:
        if (one := found.get(name)) is None:
            lines.append(f"| {name} | not measured | | | | |")
        elif one.failed:
            lines.append(f"| {name} | failed after {one.wall:.0f} s | {one.cpu:.1f} | {one.peak_mb:,} | | |")
        else:
            ratios = f"{one.wall / found['floor'].wall:.1f} | {one.cpu / found['floor'].cpu:.1f}"
            lines.append(f"| {name} | {one.wall:.1f} | {one.cpu:.1f} | {one.peak_mb:,} | {ratios} |")
    if steps := found["refresh"].told:
        lines += ["", "| step of the refresh | wall s | CPU s | process so far, MiB |", "| --- | --- | --- | --- |"]
        lines += [f"| {name} | " + " | ".join(f"{n:g}" for n in steps[name]) + " |" for name in _STEPS if name in steps]
    return lines + failures(found)


def failures(found: Found) -> list[str]:
    """A sentence for each measurement that failed, with the end of what it said."""
    return [
        line
        for name, one in found.items()
        if one.failed
        for line in ("", f"Failed: {name}: `{' '.join(one.failed.split())[-240:]}`")
    ]


def bad_rows(laid: Laid, ours: Rows, peer: Rows | None) -> list[str]:
    """How many bad rows each found, and whether they are the same."""
    told = f"Bad rows laid {laid.bad:,}; in quarantine here {len(ours):,}"
    if peer is None:
        return ["", f"{told}; the peer was not measured."]
    same = "the same rows" if ours == peer else f"{len(ours ^ peer):,} rows found by one of both only"
    return ["", f"{told}, at the peer {len(peer):,}: {same}."]


def again(found: Found, changed: int, rows: int) -> list[str]:
    """A refresh of nothing new, in three ways, and one of a changed file."""
    first = found["refresh"]
    lines = ["", "| refresh again | wall s | CPU s | of the first's CPU |", "| --- | --- | --- | --- |"]
    for name in _AGAIN:
        what = name if name != "changed" else f"{changed:,} rows ({changed / rows:.1%}) in a new file"
        one = found[name]
        figures = "failed | | " if one.failed else f"{one.wall:.1f} | {one.cpu:.1f} | {one.cpu / first.cpu:.2f}"
        lines.append(f"| {what} | {figures} |")
    watched = found["sensor"]
    if not watched.failed:
        none, touched = watched.told["runs"]
        wall, cpu, _ = watched.told["nothing new"]
        tick = f"The sensor that watches the inbox: {wall:.2f} s, {cpu:.2f} s CPU a tick"
        asked = f"when nothing is new {none:.0f}, when a file was touched and holds what it held {touched:.0f}"
        lines += ["", f"{tick}; runs asked for: {asked}."]
    return lines + failures({name: one for name, one in found.items() if name in (*_AGAIN, "sensor")})


def validation(told: Mapping[str, list[float]]) -> list[str]:
    """Row rules beside the aggregate and the libraries."""
    base = told["aggregate"]
    lines = ["", f"Row rules of {told['rows'][0]:,.0f} benchmark figures, {told['bad'][0]:,} refused:", "",
             "| what | wall s | CPU s | CPU, aggregates |", "| --- | --- | --- | --- |"]  # fmt: skip
    for name in ("aggregate", "rules", "pandera", "pointblank"):
        wall, cpu = told.get(name, (0.0, 0.0))[:2]
        figures = f"{wall:g} | {cpu:g} | {cpu / base[1]:.1f}" if name in told else "not measured | | "
        lines.append(f"| {name} | {figures} |")
    return lines


def growth(figures: Figures) -> list[str]:
    """Slopes over all scales, and between the two largest."""
    points: dict[str, list[tuple[int, float]]] = {}
    for scale, found in sorted(figures.wholes.items()):
        done = {name: found[name].cpu for name in _WHOLE if name in found and not found[name].failed}
        told = found["refresh"].told
        done |= {f"step {step}": told[step][1] for step in _STEPS if step in told}
        for name, cpu in done.items():
            points.setdefault(name, []).append((scale, cpu))
    rows = [
        f"| {name} | {slope(found):.2f} | {slope(found[-2:]):.2f} ({found[-2][0]} to {found[-1][0]}) |"
        for name, found in points.items() if len(found) > 1
    ]  # fmt: skip
    if not rows:
        return []
    return ["## Growth", "", "Slope of log CPU seconds over log scale: 1 is linear, less is better.", "",
            "| what | all scales | the two largest |", "| --- | --- | --- |", *rows]  # fmt: skip


def quoted(title: str, ran: dict[str, Measured]) -> list[str]:
    """What other modules printed, under a title."""
    lines = [f"## {title}", ""]
    for command, one in ran.items():
        lines += [f"`python -m perf.{command}`, {one.wall:.0f} s:", "", "```", *one.said.splitlines(), "```", ""]
    return [*lines, *failures(ran)] if any(one.failed for one in ran.values()) else lines[:-1]
