"""``python -m perf --scale 1 10 100``: everything measured in one run, told as ratios, and kept in a file.

At each scale a programme is laid (``perf.programme``); the floor, the refresh and the peer take turns over the same
files, each in a process of its own; then come a refresh of nothing new and one of a changed file, validation, and,
once, cold starts and the schedule. Belongs here: the order and the words. Does not: any measurement itself.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from perf import environment, targets
from perf.processes import Measured, child, measured
from perf.programme import LABEL, NOW, Laid, change, checks, lay
from perf.targets import Figures, slope
from turnup.programme import Home

Found = dict[str, Measured]
_WHOLE = ("floor", "refresh", "peer")
_STEPS = ("land", "ingest", "plan", "stage", "expect", "judge", "commit", "publish", "reports")


def main() -> None:
    """Measure what was asked for and print it; with ``--results`` it is written to a file too."""
    parser = argparse.ArgumentParser(prog="perf", description=__doc__)
    parser.add_argument("--scale", type=int, nargs="*", default=[1, 10], help="1: 20 systems; 100: 2,000 systems")
    parser.add_argument("--results", type=Path, help="write all of it here, such as perf/RESULTS.md")
    parser.add_argument("--date", default=dt.datetime.now(dt.UTC).date().isoformat(), help="date to print")
    parser.add_argument("--folder", type=Path, help="where the programmes are laid and left")
    parser.add_argument("--without", nargs="*", default=(), choices=("peer", "cold", "schedule", "again"))
    options = parser.parse_args()
    head = [f"# Results of `python -m perf`, {options.date}", "", environment.machine(), ""]
    lines: list[str] = []
    figures = Figures()
    peer = None if "peer" in options.without else environment.peer_python()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        for scale in options.scale:
            lines += _told(_at_scale(figures, folder / f"scale-{scale}", scale, peer, "again" not in options.without))
        lines += _told(_growth(figures.wholes))
        if "cold" not in options.without:
            lines += _told(_cold(figures, folder))
        if "schedule" not in options.without:
            lines += _told(_schedule(peer))
    asked = _told(["## What was asked for", "", *targets.lines(figures)])
    lines = [*head, *asked, *lines]
    if options.results:
        options.results.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


def _told(lines: list[str]) -> list[str]:
    print("\n".join(lines), flush=True)
    return [*lines, ""]


def _at_scale(figures: Figures, folder: Path, scale: int, peer: Path | None, again: bool) -> list[str]:
    shutil.rmtree(folder, ignore_errors=True)
    home = Home(folder)
    laid = lay(home, scale)
    (folder / "checks.json").write_text(json.dumps(checks(home)), encoding="utf-8")
    found: Found = {"floor": child("floor", str(folder)), "refresh": child("refresh", str(folder))}
    if peer is not None:
        found["peer"] = measured((str(peer), "perf/peer/pipeline.py", str(folder)))
    figures.wholes[scale] = found
    lines = _whole(laid, scale, found, environment.load())
    if again and not found["refresh"].failed:
        found["nothing new"] = child("refresh", str(folder), "1")
        when = (NOW + dt.timedelta(hours=1)).isoformat()
        asked = ("refresh", "--home", str(folder), "--week", LABEL, "--now", when, "--json")
        found["nothing new, by command"] = measured((sys.executable, "-m", "pipelines", *asked))
        changed = change(home)
        found["changed"] = child("refresh", str(folder), "2")
        figures.rows[scale] = laid.rows, changed
        lines += _again(found, changed, laid.rows)
    return [*lines, *_validation(figures, scale, folder, peer)]


def _whole(laid: Laid, scale: int, found: Found, load: float) -> list[str]:
    lines = [
        f"## Scale {scale}: {laid.systems:,} systems, {laid.rows:,} rows, {laid.figures:,} benchmark figures",
        "", f"{laid.files} files, {laid.bytes / 1e6:.0f} MB, {laid.bad:,} bad rows; load of the machine {load:.1f}.",
        "",
        "| what | wall s | CPU s | peak MiB | wall, floors | CPU, floors |", "| --- | --- | --- | --- | --- | --- |",
    ]  # fmt: skip
    least = found["floor"]
    for name in _WHOLE:
        if (one := found.get(name)) is None:
            lines.append(f"| {name} | not measured | | | | |")
        elif one.failed:
            lines.append(f"| {name} | ended after {one.wall:.0f} s | {one.cpu:.1f} | {one.peak_mb:,} | | |")
        else:
            ratios = f"{one.wall / least.wall:.1f} | {one.cpu / least.cpu:.1f}"
            lines.append(f"| {name} | {one.wall:.1f} | {one.cpu:.1f} | {one.peak_mb:,} | {ratios} |")
    steps = found["refresh"].told
    if steps:
        lines += ["", "| step of the refresh | wall s | CPU s | process so far, MiB |", "| --- | --- | --- | --- |"]
        lines += [f"| {name} | " + " | ".join(f"{n:g}" for n in steps[name]) + " |" for name in _STEPS if name in steps]
    for name, one in found.items():
        if one.failed:
            lines += ["", f"The {name} did not end well: `{' '.join(one.failed.split())[-240:]}`"]
    return lines


def _again(found: Found, changed: int, rows: int) -> list[str]:
    first, none, second = found["refresh"], found["nothing new"], found["changed"]
    command = found["nothing new, by command"]
    return [
        "", f"Nothing new: {none.wall:.1f} s wall, {none.cpu:.1f} s CPU, {none.cpu / first.cpu:.2f} of the first; "
        f"asked for by `turnup refresh` {command.wall:.1f} s, {command.cpu:.1f} s CPU. "
        f"{changed:,} rows ({changed / rows:.1%}) in a new file: {second.wall:.1f} s wall, {second.cpu:.1f} s CPU, "
        f"{second.cpu / first.cpu:.2f} of the first.",
    ]  # fmt: skip


def _validation(figures: Figures, scale: int, folder: Path, peer: Path | None) -> list[str]:
    ours = child("validation", str(folder))
    if ours.failed:
        return ["", f"Validation failed: `{' '.join(ours.failed.split())[-240:]}`"]
    told = dict(ours.told)
    if peer is not None:
        told |= measured((str(peer), "perf/peer/validation.py", str(folder))).told
    figures.validation[scale] = told
    base = told["aggregate"]
    lines = ["", f"Row rules of {told['rows'][0]:,.0f} benchmark figures, {told['bad'][0]:,} refused:", "",
             "| what | wall s | CPU s | CPU, aggregates |", "| --- | --- | --- | --- |"]  # fmt: skip
    lines += [
        f"| {name} | {told[name][0]:g} | {told[name][1]:g} | {told[name][1] / base[1]:.1f} |"
        for name in ("aggregate", "rules", "pandera", "pointblank") if name in told
    ]  # fmt: skip
    return lines


def _growth(wholes: dict[int, Found]) -> list[str]:
    lines = ["## Growth", "", "Slope of log CPU seconds over log scale: 1 is linear, less is better.", ""]
    for name in _WHOLE:
        points = [(scale, found[name]) for scale, found in wholes.items() if name in found and not found[name].failed]
        if len(points) > 1:
            lines.append(f"- {name}: {slope([(scale, one.cpu) for scale, one in points]):.2f}")
    for step in _STEPS:
        steps = [
            (scale, found["refresh"].told[step][1]) for scale, found in wholes.items() if step in found["refresh"].told
        ]
        if len(steps) > 1:
            lines.append(f"- step {step}: {slope(steps):.2f}")
    return lines if len(lines) > 4 else []


def _cold(figures: Figures, folder: Path) -> list[str]:
    """Every command's help, and the inspection of a small file, each in a new process; the least of three."""
    from typer.main import get_command

    from pipelines.cli import app

    folder.mkdir(parents=True, exist_ok=True)
    small = folder / "small.csv"
    small.write_text("system_id,line,part_number,quantity\nSYS-1,1,A-1,3\nSYS-1,2,B-2,4\n", encoding="utf-8")
    base = (sys.executable, "-m", "pipelines")
    runs = {"turnup --help": ("--help",), "turnup inspect of a small file": ("inspect", str(small))}
    commands = sorted(getattr(get_command(app), "commands", {}))
    runs |= {f"turnup {name} --help": (name, "--help") for name in commands}
    lines = ["## Cold starts", "", "The least of three, bytecode compiled.", ""]
    lines += ["| command | wall s | CPU s | peak MiB |", "| --- | --- | --- | --- |"]
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for name, arguments in runs.items():
        tries = [measured((*base, *arguments), env) for _ in range(4)][1:]
        figures.cold[name] = min(tries, key=lambda one: one.wall)
        lines.append(f"| {name} | {min(t.wall for t in tries):.2f} | {min(t.cpu for t in tries):.2f} |"
                     f" {max(t.peak_mb for t in tries)} |")  # fmt: skip
    figures.fixed = child("imports", str(folder)).told
    costs = [f"importing {name} {wall:.1f} s wall, {cpu:.1f} s CPU" for name, (wall, cpu, _) in figures.fixed.items()]
    lines += ["", f"The fixed cost of a refresh run by Dagster: {', '.join(costs)}."]
    return lines


def _schedule(peer: Path | None) -> list[str]:
    lines = ["## Schedules", ""]
    others = ("--peer", str(peer)) if peer else ()
    for command in (("critical_path",), ("monte_carlo", *others)):
        module, *arguments = command
        done = measured((sys.executable, "-m", f"perf.{module}", *arguments))
        lines += [f"`python -m perf.{module}`, {done.wall:.0f} s:", "", "```", *done.said.splitlines(), "```", ""]
    return lines


if __name__ == "__main__":
    main()
