"""IO500 summaries and IOR's own output.

Only rows marked ``[RESULT]`` are scored. The bandwidth score is the geometric mean of the four ior phases, the IOPS
score that of the metadata phases, the total the root of their product; ``[SCOREX]`` is the extended score, another one.
IOR prints a bandwidth up to the stonewall beside the one of all data, which the slowest process ends; both are named.
"""

from __future__ import annotations

import re
from dataclasses import replace
from math import prod, sqrt
from typing import TYPE_CHECKING

from turnup.formats.benchmarks.checks import agree
from turnup.formats.benchmarks.documents import mentions
from turnup.formats.benchmarks.hpl import calendar_time
from turnup.formats.benchmarks.lines import Log, read_log
from turnup.formats.benchmarks.measured import Figure, Run, Status, given_of, to_table
from turnup.formats.model import Fact, RawTable, Request

if TYPE_CHECKING:
    from turnup.formats.content import Content

_NUM = r"(\d+(?:\.\d+)?)"
_PHASE = re.compile(
    rf"^\s*\[(RESULT(?:-invalid)?|\s*)\]\s+(?:(?:BW|IOPS)\s+phase\s+\d+\s+)?([A-Za-z][\w-]*)\s+{_NUM}\s+(GiB/s|GB/s|kIOPS)\s*:\s*"
    rf"time\s+{_NUM}\s+seconds(\s*\[INVALID\])?",
    re.IGNORECASE,
)
_SCORE = re.compile(
    rf"^\s*\[(SCOREX?)\s*(?:-invalid)?\]\s*Bandwidth\s+{_NUM}\s+(GiB/s|GB/s)\s*:\s*IOPS\s+{_NUM}\s+kiops\s*:\s*"
    rf"TOTAL\s+{_NUM}(\s*\[INVALID\])?",
    re.IGNORECASE,
)
_VERSION = re.compile(r"IO500 version (\S+)")
_SHORTEST_S = 300.0


def is_io500(content: Content) -> bool:
    """Whether a text is an IO500 summary."""
    return mentions(content, r"(?i)IO500 version|\[RESULT\]\s.*(?:GiB/s|GB/s|kiops)\s*:\s*time|\[SCOREX? ?\]")


def parse_io500(request: Request) -> RawTable:
    """Read a summary.

    Raises:
        FileRejected: when it is none.
    """
    log = read_log(request)
    found = [_read_io500(part) for part in log.parts(_VERSION)]
    return to_table(request, "io500", [each[0] for each in found], log.count, facts=found[0][1])


def _read_io500(log: Log) -> tuple[Run, list[Fact]]:
    run = Run("io500", "io500", "score", "native", hosts=[log.host] if log.host else [])
    run.findings += log.findings
    scored: dict[str, list[float]] = {"bandwidth": [], "iops": []}
    facts: list[Fact] = []
    for number, line in log.lines:
        if number == log.count and not log.ended and "[INVALID]" not in line:
            continue
        if (version := _VERSION.search(line)) is not None:
            run.tool_version = version.group(1)
        elif (phase := _PHASE.match(line)) is not None:
            run.figures += _phase(run, number, phase, scored)
        elif (score := _SCORE.match(line)) is not None and not (number == log.count and _cut(score)):
            _score(run, number, score, scored, facts)
    facts += [Fact("scored_phases", len(scored["bandwidth"]) + len(scored["iops"]))]
    return run, facts


def _phase(run: Run, number: int, found: re.Match[str], scored: dict[str, list[float]]) -> list[Figure]:
    mark, name, value, unit, seconds, invalid = found.groups()
    counts = mark.upper().startswith("RESULT")
    metric = "iops" if unit.lower() == "kiops" else "bandwidth"
    status: Status | None = None
    if invalid or "invalid" in mark.lower():
        status = "incomplete"
        run.note("invalid_phase", f"{name} is marked INVALID", number, value)
    if name.lower().startswith("ior") == (metric == "iops") and name.lower() != "timestamp":
        status = "conflict"
        run.note("unit_conflict", f"{name} is labelled {unit}, which the tool does not write for it", number, unit)
    if counts:
        scored[metric].append(float(value))
        if metric == "bandwidth" and "write" in name and float(seconds) < _SHORTEST_S:
            run.note("short_run", f"{name} ran {seconds} s; a valid phase takes {_SHORTEST_S:.0f} s or more", number)
    test = f"io500_{name.replace('_', '-')}"
    outcome = None if counts else "not scored"
    given = given_of(line=found.string.strip())
    kept = "kIOPS" if metric == "iops" else unit
    return [
        Figure(number, metric, value, kept, test=test, status=status, outcome=outcome, given=given),
        Figure(number, "time", seconds, "s", test=test, status=status, outcome=outcome, given=given),
    ]


def _score(run: Run, number: int, found: re.Match[str], scored: dict[str, list[float]], facts: list[Fact]) -> None:
    mark, bandwidth, unit, iops, total, invalid = found.groups()
    extended = mark.upper() == "SCOREX"
    test = "io500_extended" if extended else "io500"
    status: Status | None = "incomplete" if invalid else None
    if not extended:
        run.complete = True
        status = status or _consistent(run, number, found, scored)
        if invalid:
            run.complete, run.why = False, "the run is marked INVALID"
        facts += [Fact("bandwidth", bandwidth, unit), Fact("iops", iops, "kIOPS"), Fact("score", total)]
    given = given_of(line=found.string.strip())
    run.figures += [
        Figure(number, "bandwidth", bandwidth, unit, "geometric_mean", test=test, status=status, given=given),
        Figure(number, "iops", iops, "kIOPS", "geometric_mean", test=test, status=status, given=given),
        Figure(number, "score", total, "native", test=test, status=status, given=given),
    ]


def _cut(found: re.Match[str]) -> bool:
    """Whether the last number of a score lacks decimals that both before it have: the log was cut within it."""
    _, bandwidth, _, iops, total, _ = found.groups()
    lengths = [len(value.partition(".")[2]) for value in (bandwidth, iops, total)]
    return lengths[0] == lengths[1] > lengths[2]


def _consistent(run: Run, number: int, found: re.Match[str], scored: dict[str, list[float]]) -> Status | None:
    """The score must follow from the phases printed above it, where there are any."""
    _, bandwidth, _, iops, total, _ = found.groups()
    checks = [(total, sqrt(float(bandwidth) * float(iops)))]
    for name, value, phases in (("bandwidth", bandwidth, 4), ("iops", iops, 8)):
        if len(scored[name]) == phases:
            checks.append((value, prod(scored[name]) ** (1 / phases)))
    wrong = [(value, expected) for value, expected in checks if not agree(value, expected, 0.001, 0.002)]
    if wrong:
        run.figures = [replace(figure, status="conflict") for figure in run.figures]
        run.note("score_mismatch", f"{wrong[0][0]} does not follow from its parts ({wrong[0][1]:.6g})", number, total)
    return "conflict" if wrong else None


_IOR_HEAD = re.compile(r"^IOR-(\S+):")
_IOR_MAX = re.compile(rf"^Max (Write|Read):\s+{_NUM} MiB/sec \({_NUM} MB/sec\)")
_IOR_WALL = re.compile(rf"stonewalling pairs accessed.*?min data: {_NUM} (\wiB).*?time:\s*{_NUM}s")
_IOR_WALL_BW = re.compile(rf"^\s*(write|read)\b.*stonewall\D*{_NUM}\s*MiB/s(?:ec)?", re.IGNORECASE)
_IOR_END = re.compile(r"^Finished\s*:\s*(.*\S)")
_IOR_BEGAN = re.compile(r"^Began\s*:\s*(.*\S)")
_IOR_COMMAND = re.compile(r"^Command line\s*:\s*(.*\S)")


def is_ior(content: Content) -> bool:
    """Whether a text is IOR's own output."""
    return mentions(content, r"IOR-\S+: MPI Coordinated|Max (?:Write|Read):\s+[\d.]+ MiB/sec")


def parse_ior(request: Request) -> RawTable:
    """Read the output of IOR.

    Raises:
        FileRejected: when it is none.
    """
    log = read_log(request)
    found = [_read_ior(part) for part in log.parts(_IOR_HEAD)]
    return to_table(request, "ior", [each[0] for each in found], log.count, facts=found[0][1])


def _read_ior(log: Log) -> tuple[Run, list[Fact]]:
    run = Run("ior", "ior", "bandwidth", "MiB/s", hosts=[log.host] if log.host else [])
    run.findings += log.findings
    for number, line in log.lines:
        if (best := _IOR_MAX.match(line)) is not None:
            run.figures.append(_ior_best(run, number, best))
        elif (wall := _IOR_WALL_BW.match(line)) is not None:
            given = given_of(line=line.strip())
            run.figures.append(Figure(number, "bandwidth", wall.group(2), "MiB/s", "stonewall",
                                      direction=wall.group(1).lower(), given=given))  # fmt: skip
        elif _IOR_WALL.search(line):
            run.note("stonewall", "stonewalling: the total includes what was written after the wall", number)
        elif (ended := _IOR_END.match(line)) is not None:
            run.ended, run.complete = calendar_time(ended.group(1)), bool(run.figures)
        elif (began := _IOR_BEGAN.match(line)) is not None:
            run.started = calendar_time(began.group(1))
        elif (command := _IOR_COMMAND.match(line)) is not None:
            run.command = command.group(1)
        elif (head := _IOR_HEAD.match(line)) is not None:
            run.tool_version = head.group(1)
    facts = [Fact(f"{figure.direction}_{figure.statistic}", figure.value or "", figure.unit) for figure in run.figures]
    return run, facts


def _ior_best(run: Run, number: int, best: re.Match[str]) -> Figure:
    direction, value, decimal = best.group(1).lower(), best.group(2), best.group(3)
    status: Status | None = None
    if not agree(decimal, float(value) * 1.048576, 0.006, 0.001):
        status = "conflict"
        run.note("unit_conflict", f"{value} MiB/sec is not {decimal} MB/sec", number, value)
    return Figure(number, "bandwidth", value, "MiB/s", "total", direction=direction, status=status,
                  given=given_of(line=best.string.strip()))  # fmt: skip
