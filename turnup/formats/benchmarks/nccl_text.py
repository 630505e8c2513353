"""The text log of nccl-tests, in every layout: old and new columns, prefixes of launchers, prose around it.

A row is read by the names of its header and by its fixed structure (size, count, type, operation, root, then the
figures of each placement), never by one token count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from turnup.formats.benchmarks.nccl import (
    UNKNOWN,
    Correctness,
    Figures,
    Placement,
    Sweep,
    given_of,
    is_number,
    test_name,
    to_table,
)
from turnup.formats.decoding import decode
from turnup.formats.model import Finding, RawTable, Rejected, Request

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PREFIX = re.compile(
    r"^\s*(?:\[\d+,\d+\]\s*<std(?:out|err)>:|\d+:(?=\s)|\[\d+\](?=\s)|"
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?(?=\s))"
)
_HEADER = re.compile(r"#\s*size\s+count\s.*\bbusbw\b")
_HEADER_BYTES = re.compile(_HEADER.pattern.encode())
_UNITS = re.compile(r"#\s*\(B\)")
_RANK = re.compile(r"#\s*Rank\s+(\d+)\b.*?\bon\s+(\S+)\s+device\s+\S+\s+\[[^\]]*\]\s*(.*)$")
_AVERAGE = re.compile(r"#\s*Avg bus bandwidth\s*:\s*(\S+)")
_BOUNDS = re.compile(r"#\s*Out of bounds values\s*:\s*(\S+)\s*(\S*)")
_VERSION = re.compile(r"#\s*nccl-tests version\s+(\S+)(?:.*nccl-library=(\d+))?")
_LIBRARY = re.compile(r"\bNCCL version\s+(\d[\w.+-]*)")
_COMMAND = re.compile(r"\b([a-z_]+)_perf\b")
_ROW = re.compile(r"^\s*\d+\s+\d+\s+[a-z]\w*\b")
_PIECE = re.compile(r"^\s*\d+\s+\d+(?:\s|$)")
_TOKEN = re.compile(r"\S+")
_OLD_ERROR = "error"
_PLACES: tuple[Placement, ...] = ("out_of_place", "in_place")


def is_nccl_text(data: bytes) -> bool:
    """Whether a text holds the header of an nccl-tests table, however much debug output stands before it."""
    return b"busbw" in data and _HEADER_BYTES.search(data) is not None


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
    columns: tuple[re.Match[str], ...] = ()

    @property
    def sweep(self) -> Sweep | None:
        return self.sweeps[-1] if self.sweeps else None


def parse_nccl_text(request: Request) -> RawTable:
    """Read a log.

    Raises:
        FileRejected: ``nccl`` when it holds no result at all.
    """
    decoded = decode(request.content.data, request.source.encoding)
    lines = decoded.text.split("\n")
    ended = lines[-1] == ""
    lines = lines[:-1] if ended else lines
    reading = _Reading(findings=list(decoded.findings))
    for number, raw in enumerate(lines, start=1):
        _line(reading, number, _bare(raw), last=number == len(lines) and not ended)
    _complete(reading, request)
    return to_table(request, reading.sweeps, len(lines), reading.rejected, reading.findings)


def _bare(raw: str) -> str:
    """A line without colours, carriage return and the tags that launchers put before it."""
    line = _ANSI.sub("", raw.rstrip("\r"))
    while (tag := _PREFIX.match(line)) is not None:
        line = line[tag.end() :]
    return line


def _line(reading: _Reading, number: int, line: str, *, last: bool) -> None:
    header = _HEADER.search(line)
    if header is not None:
        _start(reading, line)
    elif "#" in line and _comment(reading, number, line[line.index("#") :]):
        return
    elif (command := _COMMAND.search(line)) and test_name(command.group(1)) != UNKNOWN:
        reading.test = test_name(command.group(1))
    elif (library := _LIBRARY.search(line)) is not None:
        reading.stack = f"nccl {library.group(1)}"
    elif reading.sweep is not None and (_ROW.match(line) or _PIECE.match(line)):
        _row(reading, reading.sweep, number, line, last=last)


def _start(reading: _Reading, line: str) -> None:
    reading.columns = tuple(_TOKEN.finditer(line[line.index("#") + 1 :].rjust(len(line))))
    reading.sweeps.append(Sweep(test=reading.test))


def _comment(reading: _Reading, number: int, line: str) -> bool:
    """Take what a ``#`` line says; whether it said anything."""
    sweep = reading.sweep
    if (rank := _RANK.search(line)) is not None:
        reading.ranks.add(int(rank.group(1)))
        reading.hosts += [] if rank.group(2) in reading.hosts else [rank.group(2)]
        reading.sku = reading.sku or rank.group(3).strip() or None
    elif (version := _VERSION.search(line)) is not None:
        reading.tool_version = version.group(1)
        reading.stack = f"nccl {version.group(2)}" if version.group(2) else reading.stack
    elif (command := _COMMAND.search(line)) is not None and test_name(command.group(1)) != UNKNOWN:
        reading.test = test_name(command.group(1))
    elif sweep is not None and _UNITS.match(line):
        units = re.findall(r"\(([KMGT]i?[Bb](?:it)?/s)\)", line)
        sweep.unit = units[0] if units else sweep.unit
    elif sweep is not None and (bounds := _BOUNDS.search(line)) is not None:
        sweep.bounds_failed = bounds.group(1) != "0" or bounds.group(2).upper() not in ("OK", "")
    elif sweep is not None and (average := _AVERAGE.search(line)) is not None:
        _average(sweep, number, average.group(1), line)
    else:
        return False
    return True


def _average(sweep: Sweep, number: int, value: str, line: str) -> None:
    if is_number(value):
        sweep.average, sweep.average_row, sweep.complete = value, number, True
        sweep.average_given = given_of(line=line.strip())


def _row(reading: _Reading, sweep: Sweep, number: int, line: str, *, last: bool) -> None:
    figures = _figures(reading.columns, number, line)
    if figures and not (last and len(figures) < 1):
        sweep.figures += figures
        return
    end = "; the log ends inside it" if last else "; other output may have broken into it"
    message = f"row {number} starts like a result but its figures cannot be read{end}"
    expected = "size, count, type, then time, algbw, busbw and #wrong of each placement"
    reading.rejected.append(
        Rejected(number, None, None, line.strip()[:200], "nccl_row", expected, message, given_of(line=line))
    )


def _figures(columns: Sequence[re.Match[str]], number: int, line: str) -> list[Figures]:
    """The figures of a row, one for each placement; empty when they cannot be told apart."""
    names = [column.group() for column in columns]
    starts = [index for index, name in enumerate(names) if name in ("time", "cputime")]
    if not starts:
        return []
    block = names[starts[0] : starts[1] if len(starts) > 1 else len(names)]
    tokens = list(_TOKEN.finditer(line))
    rest = tokens[_fixed(names, tokens) :]
    whole = [rest[index : index + len(block)] for index in range(0, len(block) * len(starts), len(block))]
    groups = [group for group in whole if len(group) == len(block)]
    if not groups or (len(groups) < len(starts) and len(rest) != len(block)):
        return []
    places: Sequence[Placement] = _PLACES
    if len(groups) == 1 and len(starts) == 2 and groups[0][0].end() > columns[starts[1]].start() - 4:
        places = ("in_place",)
    size = tokens[0].group()
    made = [_figure(number, size, place, block, group, line) for place, group in zip(places, groups, strict=False)]
    return [figure for figure in made if figure is not None] if all(made) else []


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
    return Figures(
        number, size, place, algbw, busbw, _correct(checked, _OLD_ERROR in cells), given_of(line=line.strip())
    )


def _correct(checked: str, old: bool) -> Correctness:
    """``#wrong`` counts wrong values; the old ``error`` column is a difference, judged by the out-of-bounds line."""
    if checked == "N/A":
        return "unverified"
    return "clean" if old or float(checked) == 0 else "wrong"


def _complete(reading: _Reading, request: Request) -> None:
    """Give every sweep what the log says once, and the day in the file name when the log has no time."""
    named = test_name(request.content.name)
    stamp = _stamp(request.content.name) if request.source.time_zone else None
    for sweep in reading.sweeps:
        if sweep.test == UNKNOWN:
            sweep.test = reading.test if reading.test != UNKNOWN else named
        sweep.hosts, sweep.ranks, sweep.sku = list(reading.hosts), len(reading.ranks), reading.sku
        sweep.tool_version, sweep.stack, sweep.measured_at = reading.tool_version, reading.stack, stamp
    if stamp is not None:
        message = f"the log has no time; {stamp} is taken from its file name"
        reading.findings.append(Finding("time_from_name", "info", None, "measured_at", stamp, message))


def _stamp(name: str) -> str | None:
    found = re.search(r"(\d{4})-?(\d\d)-?(\d\d)(?:[T_-]?(\d\d)[:-]?(\d\d)(?:[:-]?(\d\d))?)?(?!\d)", name)
    if found is None or not ("01" <= found.group(2) <= "12" and "01" <= found.group(3) <= "31"):
        return None
    hour, minute, second = (found.group(index) or "00" for index in (4, 5, 6))
    return f"{found.group(1)}-{found.group(2)}-{found.group(3)} {hour}:{minute}:{second}"
