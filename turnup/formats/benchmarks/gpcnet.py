"""GPCNeT: the tables of its network and congestion tests.

A table has a name, average, 99th percentile and unit; the key results compare congested with isolated runs as ``1.2X``.
A log whose only content is an error is a failure of the tool. A column of one constant is a placeholder, no result.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turnup.formats.benchmarks.documents import mentions
from turnup.formats.benchmarks.lines import Log, read_log
from turnup.formats.benchmarks.measured import Figure, Run, Status, given_of, is_number, to_table
from turnup.formats.model import Fact, RawTable, Request

if TYPE_CHECKING:
    from turnup.formats.content import Content

_TITLE = re.compile(r"\b((?:NetworkLoad|Network) Tests) v(\S+)")
_SIZE = re.compile(r"Test with (\d+) MPI ranks \((\d+) nodes\)")
_ERROR = re.compile(r"^\s*ERROR:\s*(this application must be run on .*|.*)$")
_SECTION = re.compile(
    r"^\|\s+(Isolated Network Tests|Isolated Congestion Tests|Network Tests running with .*?)\s+\|\s*$"
)
_CELLS = re.compile(r"^\|(.+)\|\s*$")
_BAR = re.compile(r"^\s*\+[-=]+\+?[-+=]*\s*$")
_BYTES = re.compile(r"\((?:\s*)(\d+) B\)")
_LAST = ("multiple_allreduce", "multiple_alltoall")
"""The tests that end a table, by version."""
_UNITS = {"usec": "us"}
_TIMED = re.compile(r"lat\b|multiple allreduce", re.IGNORECASE)
"""Tests that are measured in microseconds; all others in MiB/s of a rank."""
_STATISTICS = {"min": "min", "max": "max", "avg": "mean", "avg(worst)": "mean_worst", "99%": "p99", "99.9%": "p99.9"}


def is_gpcnet(content: Content) -> bool:
    """Whether a text is a log of GPCNeT, or of its refusal to run."""
    return mentions(
        content,
        r"(?m)Network(?:Load)? Tests v\d|^[^\w\n]*ERROR: this application must be run on|\| +Isolated Network Tests",
    )


def parse_gpcnet(request: Request) -> RawTable:
    """Read a log.

    Raises:
        FileRejected: when it is no log of GPCNeT.
    """
    log = read_log(request)
    found = [_read_gpcnet(part) for part in log.parts(_TITLE)]
    return to_table(request, "gpcnet", [each[0] for each in found], log.count, facts=found[0][1])


def _read_gpcnet(log: Log) -> tuple[Run, list[Fact]]:
    run = Run("gpcnet", "gpcnet", "latency", "us", hosts=[log.host] if log.host else [])
    run.findings += log.findings
    reading = _Tables(run)
    for number, line in log.lines:
        if number < log.count or log.ended or _BAR.match(line):
            reading.take(number, line)
    reading.finish(log)
    facts = [Fact("tables", reading.tables), Fact("nodes", reading.nodes), Fact("exit_code", log.exit_code or 0)]
    return run, facts


class _Tables:
    """The tables of a log."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.section = ""
        self.columns: list[str] = []
        self.tables = 0
        self.nodes = 0
        self.load = False
        self.keyed = False
        self.open = False

    def take(self, number: int, line: str) -> None:
        if (title := _TITLE.search(line)) is not None:
            self.load, self.run.tool_version = title.group(1) == "NetworkLoad Tests", title.group(2)
        elif (size := _SIZE.search(line)) is not None:
            self.run.ranks, self.nodes = int(size.group(1)), int(size.group(2))
        elif (error := _ERROR.match(line)) is not None:
            self.run.failed = error.group(1).strip()
        elif (section := _SECTION.match(line)) is not None:
            self.section, self.columns = re.sub(r"\s+", " ", section.group(1)), []
            self.tables += 1
            self.keyed = self.keyed or "Key Results" in self.section
        elif _BAR.match(line):
            self.open = False
        elif (cells := _CELLS.match(line)) is not None:
            self.open = True
            self._row(number, [cell.strip() for cell in cells.group(1).split("|")], line)

    def _row(self, number: int, cells: list[str], line: str) -> None:
        if cells[0].lower() in ("name", ""):
            self.columns = [cell.lower().replace(" ", "") for cell in cells]
            return
        if not self.columns or len(cells) != len(self.columns):
            return
        unit = cells[-1] if self.columns[-1] == "units" else "ratio"
        size = found.group(1) if (found := _BYTES.search(cells[0])) else "0"
        name = re.sub(r"\s*\([^)]*\)\s*$", "", cells[0])
        metric = "slowdown" if unit == "ratio" else "latency" if unit == "usec" else "bandwidth"
        status: Status | None = None
        if unit != "ratio" and unit != ("usec" if _TIMED.search(name) else "MiB/s/rank"):
            status = "conflict"
            self.run.note(
                "unit_conflict", f"{name} is labelled {unit}, which the tool does not write for it", number, unit
            )
        for column, cell in zip(self.columns[1:], cells[1:], strict=True):
            if column == "units":
                continue
            value = cell.rstrip("X")
            measured = value if is_number(value) else None
            self.run.figures.append(
                Figure(number, metric, measured, _UNITS.get(unit, unit), _STATISTICS.get(column, column), size,
                       test=_test_name(name), member=self.section or "all", given=given_of(line=line.strip()),
                       status=status if measured else "not_measured")
            )  # fmt: skip

    def finish(self, log: Log) -> None:
        measured = [figure for figure in self.run.figures if figure.value is not None]
        last = self.run.figures[-1].test if self.run.figures else ""
        ends = last in _LAST and not self.open
        self.run.complete = bool(measured) and ends and (self.keyed or not self.load)
        if not ends:
            self.run.why = f"the table ends with {last or 'nothing'}, not with the tests that end it: the log is cut"
        if self.load and not self.keyed:
            self.run.why = "the table of key results is missing: the log is cut, or the run was stopped"
        if self.run.failed is None and not measured and log.exit_code:
            self.run.failed = f"no table, and exit code {log.exit_code}"
        absolute = [figure for figure in measured if figure.metric != "slowdown"]
        if len(absolute) >= 4 and len({figure.value for figure in absolute}) == 1:
            message = f"all {len(absolute)} figures are {absolute[0].value}: placeholders, no measurement"
            self.run.note("placeholder", message)
            self.run.figures = [Figure(**{**figure.__dict__, "status": "conflict"}) for figure in self.run.figures]


def _test_name(name: str) -> str:
    return re.sub(r"\W+", "_", name.lower()).strip("_")
