"""The text log of nccl-tests, in every layout: old and new columns, prefixes of launchers, prose around it.

A row is read by the names of its header and by its fixed structure (size, count, type, operation, root, then the
figures of each placement), never by one token count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from turnup.formats.benchmarks.lines import read_log
from turnup.formats.benchmarks.measured import (
    UNKNOWN,
    Correctness,
    Placement,
    given_of,
    is_number,
)
from turnup.formats.benchmarks.nccl import Figures, Sweep, sweeps_to_table, test_name
from turnup.formats.model import Finding, RawTable, Rejected, Request

if TYPE_CHECKING:
    from turnup.formats.content import Content

_HEADER = re.compile(r"#\s*size\s+count\s.*\bbusbw\b")
_HEADER_BYTES = re.compile(_HEADER.pattern.encode())
_BEGUN = re.compile(r"#\s*(?:nccl-tests version \S|Collective test starting: \w|nThread \d+ nGpus \d)")
_UNITS = re.compile(r"#\s*\(B\)")
_RANK = re.compile(r"#\s*Rank\s+(\d+)\b.*?\bon\s+(\S+)\s+device\s+\S+\s+\[[^\]]*\]\s*(.*)$")
_AVERAGE = re.compile(r"#\s*Avg bus bandwidth\s*:\s*(\S+)(?:\s+(OK|FAILED)\b)?")
_BOUNDS = re.compile(r"#\s*Out of bounds values\s*:\s*(\S+)\s*(\S*)")
_VERSION = re.compile(r"#\s*nccl-tests version\s+(\S+)(?:.*nccl-library=(\d+))?")
_RCCL_TESTS = re.compile(r"^\s*rccl-tests:\s*Version\s+(\S+)")
_LIBRARY = re.compile(r"\b(NCCL|RCCL) version\s*:?\s+(\d[\w.+/:-]*)")
_PLATFORM = re.compile(r"^\s*(HIP|ROCm) version\s*:\s*(\S+)")
_HOST = re.compile(r"^\s*Hostname\s*:\s*(\S+)")
_THREADS = re.compile(r"#\s*nThread\s+(\d+)\s+nGpus\s+(\d+)")
_ERROR = re.compile(
    r"#\s*error\s*:\s*(\S.*)|Test (?:NCCL|CUDA|HIP) failure\s*(.*)|(\S+: Test failure .*)", re.IGNORECASE
)
_COMMAND = re.compile(r"\b([a-z_]+)_perf\b")
_ROW = re.compile(r"^\s*\d+\s+\d+\s+[a-z]\w*\b")
_PIECE = re.compile(r"^\s*\d+\s+\d+(?:\s|$)")
_TOKEN = re.compile(r"\S+")
_OLD_ERROR = "error"
_CLAIM = re.compile(r"\b(\d+\.\d+)(?:\s*(?:and|/|,)\s*(\d+\.\d+))?\s*GB/s")
_STAMP = re.compile(r"^\d\d:\d\d:\d\d$|^\d{4}-\d\d-\d\d$")
_PLACE = re.compile(r"(out-of-place|in-place)")


def is_nccl_text(content: Content) -> bool:
    """Whether a text holds the header of a table, however much debug output stands before it, or the first words."""
    if content.looks_like_object:
        return False
    data = content.data
    return (b"busbw" in data and _HEADER_BYTES.search(data) is not None) or _BEGUN.search(content.head_text) is not None


@dataclass
class _Reading:
    """The state while a log is read line by line."""

    sweeps: list[Sweep] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    hosts: list[str] = field(default_factory=list)
    ranks: set[int] = field(default_factory=set)
    sku: str | None = None
    tool_version: str | None = None
    stack: str | None = None
    test: str = UNKNOWN
    tool: str = "nccl-tests"
    begun: bool = False
    threads: tuple[int, int] = (1, 1)
    command: str | None = None
    claims: list[tuple[int, str]] = field(default_factory=list)
    columns: tuple[re.Match[str], ...] = ()
    places: tuple[Placement, ...] = ("out_of_place", "in_place")

    @property
    def sweep(self) -> Sweep | None:
        return self.sweeps[-1] if self.sweeps else None


def parse_nccl_text(request: Request) -> RawTable:
    """Read a log.

    Raises:
        FileRejected: ``no_result`` when it holds no table at all.
    """
    log = read_log(request)
    reading = _Reading(findings=list(log.findings), hosts=[log.host] if log.host else [])
    for number, line in log.lines:
        _line(reading, number, line, last=number == log.count and not log.ended)
    if reading.begun:
        reading.sweeps.append(Sweep())
    _complete(reading, request)
    return sweeps_to_table(request, reading.sweeps, log.count, reading.rejected, reading.findings)


def _line(reading: _Reading, number: int, line: str, *, last: bool) -> None:
    if last and _AVERAGE.search(line) is not None:
        return  # its number may be cut
    if _HEADER.search(line) is not None:
        _start(reading, line)
    elif "#" in line and _comment(reading, number, line[line.index("#") :]):
        return
    elif _said(reading, number, line):
        return
    elif reading.sweep is not None and (_ROW.match(line) or _PIECE.match(line)):
        _row(reading, reading.sweep, number, line, last=last)
    elif (claim := _CLAIM.search(line)) is not None and "NCCL" not in line:
        reading.claims += [(number, text) for text in claim.groups() if text]


def _said(reading: _Reading, number: int, line: str) -> bool:
    """Take what a line outside the table and its comments says; whether it said anything."""
    if (command := _COMMAND.search(line)) and test_name(command.group(1)) != UNKNOWN:
        reading.test = test_name(command.group(1))
        reading.command = reading.command or _command_line(line, command.start())
    elif (library := _LIBRARY.search(line)) is not None:
        reading.stack = f"{library.group(1).lower()} {library.group(2)}"
        reading.tool = "rccl-tests" if library.group(1) == "RCCL" else reading.tool
    elif (tests := _RCCL_TESTS.search(line)) is not None:
        reading.tool, reading.tool_version = "rccl-tests", tests.group(1)
    elif (platform := _PLATFORM.search(line)) is not None:
        reading.stack = f"{reading.stack}, {platform.group(1)} {platform.group(2)}" if reading.stack else None
    elif (host := _HOST.search(line)) is not None:
        reading.hosts += [] if host.group(1) in reading.hosts else [host.group(1)]
    elif (error := _ERROR.search(line)) is not None and reading.sweep is not None:
        reading.sweep.errors.append((number, next(part for part in (*error.groups(), line) if part).strip()))
    else:
        return False
    return True


def _command_line(line: str, start: int) -> str | None:
    """The command from the program's name on, when options follow it."""
    rest = line[start:].strip()
    return rest if re.match(r"\S+\s+-", rest) else None


def _start(reading: _Reading, line: str) -> None:
    reading.columns = tuple(_TOKEN.finditer(line[line.index("#") + 1 :].rjust(len(line))))
    reading.sweeps.append(Sweep(test=reading.test))
    reading.begun = False


def _seal(reading: _Reading) -> None:
    """The beginning of another log: what was said so far belongs to the tables so far."""
    if any(not sweep.sealed for sweep in reading.sweeps):
        _describe(reading)
        reading.hosts, reading.ranks, reading.sku, reading.stack = [], set(), None, None
        reading.test, reading.command, reading.tool_version = UNKNOWN, None, None


def _comment(reading: _Reading, number: int, line: str) -> bool:
    """Take what a ``#`` line says; whether it said anything."""
    if _BEGUN.search(line):
        _seal(reading)
        reading.begun = True
    sweep = reading.sweep
    if (rank := _RANK.search(line)) is not None:
        reading.ranks.add(int(rank.group(1)))
        reading.hosts += [] if rank.group(2) in reading.hosts else [rank.group(2)]
        reading.sku = reading.sku or rank.group(3).strip() or None
    elif (threads := _THREADS.search(line)) is not None:
        reading.threads = (int(threads.group(1)), int(threads.group(2)))
    elif (named := _PLACE.findall(line)) and "size" not in line:
        reading.places = tuple("out_of_place" if name == "out-of-place" else "in_place" for name in named[:2])
    elif (version := _VERSION.search(line)) is not None:
        reading.tool_version = version.group(1)
        reading.stack = f"nccl {version.group(2)}" if version.group(2) else reading.stack
    elif (command := _COMMAND.search(line)) is not None and test_name(command.group(1)) != UNKNOWN:
        reading.test = test_name(command.group(1))
    else:
        return sweep is not None and _footer(sweep, number, line)
    return True


def _footer(sweep: Sweep, number: int, line: str) -> bool:
    """Take a ``#`` line that belongs to a table: its units or its end; whether it said anything."""
    if _UNITS.match(line):
        units = sorted(set(re.findall(r"\(([^()\s]*/s(?:ec)?)\)", line)))
        sweep.unit = " and ".join(units) or "unknown"
    elif (error := _ERROR.search(line)) is not None:
        sweep.errors.append((number, next(part for part in error.groups() if part).strip()))
    elif (bounds := _BOUNDS.search(line)) is not None:
        sweep.bounds_failed = bounds.group(1) != "0" or bounds.group(2).upper() not in ("OK", "")
    elif (average := _AVERAGE.search(line)) is not None:
        _average(sweep, number, average, line)
    else:
        return False
    return True


def _average(sweep: Sweep, number: int, found: re.Match[str], line: str) -> None:
    if is_number(found.group(1)):
        sweep.average, sweep.average_row, sweep.complete = found.group(1), number, True
        sweep.average_given = given_of(line=line.strip())
        sweep.average_said = {"OK": "pass", "FAILED": "fail"}.get(found.group(2) or "")


def _row(reading: _Reading, sweep: Sweep, number: int, line: str, *, last: bool) -> None:
    figures = _figures(reading, number, line)
    if figures and not sweep.complete:
        sweep.figures += figures
        return
    end = "; the log ends inside it" if last else "; other output may have broken into it"
    if sweep.complete:
        end = "; it stands behind the footer of its table"
    else:
        sweep.broken = sweep.broken or number
    message = f"row {number} starts like a result but its figures cannot be read{end}"
    expected = "size, count, type, then time, algbw, busbw and #wrong of each placement"
    reading.rejected.append(
        Rejected(number, None, None, line.strip()[:200], "nccl_row", expected, message, given_of(line=line))
    )


def _block(names: Sequence[str]) -> tuple[list[str], list[int]]:
    """The names of one placement's figures, and where each placement begins in the header."""
    starts = [index for index, name in enumerate(names) if name in ("time", "cputime")]
    if not starts:
        return [], []
    block = list(names[starts[0] : starts[1] if len(starts) > 1 else len(names)])
    known = [index for index, name in enumerate(block) if name in ("#wrong", _OLD_ERROR) or name.startswith("i_")]
    return block[: known[-1] + 1] if known else block, starts


def _figures(reading: _Reading, number: int, line: str) -> list[Figures]:
    """The figures of a row, one for each placement; empty when they cannot be told apart."""
    names = [column.group() for column in reading.columns]
    block, starts = _block(names)
    if not starts:
        return []
    tokens = list(_TOKEN.finditer(line))
    rest = _without_stamp(tokens[_fixed(names, tokens) :])
    whole = [rest[index : index + len(block)] for index in range(0, len(block) * len(starts), len(block))]
    groups = [group for group in whole if len(group) == len(block)]
    if not groups or (len(groups) < len(starts) and len(rest) != len(block)):
        return []
    places = reading.places
    if len(groups) == 1 and len(starts) == 2 and groups[0][0].end() > reading.columns[starts[1]].start() - 4:
        places = places[1:]
    size = tokens[0].group()
    made = [_figure(number, size, place, block, group, line) for place, group in zip(places, groups, strict=False)]
    return [figure for figure in made if figure is not None] if all(made) else []


def _without_stamp(tokens: list[re.Match[str]]) -> list[re.Match[str]]:
    """The figures of a row without the day and time that ``-S`` writes behind them."""
    while tokens and _STAMP.match(tokens[-1].group()):
        tokens = tokens[:-1]
    return tokens


def _fixed(names: Sequence[str], tokens: Sequence[re.Match[str]]) -> int:
    """Tokens before the figures: size, count, type, an operation when written, a root when the header has one."""
    index = 3
    if index < len(tokens) and re.match(r"^[a-z]", tokens[index].group()):
        index += 1
    if "root" in names and index < len(tokens) and re.match(r"^-?\d+$", tokens[index].group()):
        index += 1
    return index


def _figure(
    number: int, size: str, place: Placement, block: Sequence[str], group: Sequence[re.Match[str]], line: str
) -> Figures | None:
    cells = dict(zip(block, (token.group() for token in group), strict=True))
    algbw, busbw = cells.get("algbw", ""), cells.get("busbw", "")
    checked = cells.get("#wrong", cells.get(_OLD_ERROR, "N/A"))
    if not (is_number(algbw) and is_number(busbw) and (is_number(checked) or checked == "N/A")):
        return None
    time = cells.get("time", "")
    return Figures(
        number, size, place, algbw, busbw, _correct(checked, _OLD_ERROR in cells), given_of(line=line.strip()),
        time if is_number(time) else "",
    )  # fmt: skip


def _correct(checked: str, old: bool) -> Correctness:
    """``#wrong`` counts wrong values; the old ``error`` column is a difference, judged by the out-of-bounds line."""
    if checked == "N/A":
        return "unverified"
    return "clean" if old or float(checked) == 0 else "wrong"


def _describe(reading: _Reading) -> None:
    """Give every table of a log what it says once."""
    product = reading.threads[0] * reading.threads[1]
    ranks = max(len(reading.ranks), product if product > 1 else 0)
    for sweep in reading.sweeps:
        if sweep.sealed:
            continue
        sweep.test = reading.test if sweep.test == UNKNOWN else sweep.test
        sweep.hosts, sweep.ranks, sweep.sku = list(reading.hosts), ranks, reading.sku
        sweep.tool, sweep.tool_version, sweep.stack = reading.tool, reading.tool_version, reading.stack
        sweep.command, sweep.sealed = reading.command, True


def _complete(reading: _Reading, request: Request) -> None:
    """Close the last log of a file; its name may tell the test, and text around it may claim other figures."""
    _describe(reading)
    named = test_name(request.content.name)
    for sweep in reading.sweeps:
        sweep.test = named if sweep.test == UNKNOWN else sweep.test
    printed = {text for sweep in reading.sweeps for figure in sweep.figures for text in (figure.algbw, figure.busbw)}
    printed |= {sweep.average for sweep in reading.sweeps if sweep.average}
    for number, claim in reading.claims if reading.sweeps else []:
        if claim not in printed:
            message = f"the text claims {claim} GB/s, which no row of the log shows; the rows count"
            reading.findings.append(Finding("prose_contradicts", "warning", number, None, claim, message))
