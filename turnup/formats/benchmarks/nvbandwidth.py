"""nvbandwidth, text and ``-j``: every cell of every matrix, the tool's own SUM, and the smallest cell of each test.

SUM is the sum of all cells and no figure of a GPU; a verdict looks at the smallest cell. A cell ``N/A`` was not
measured. ``Waived`` tests are rows without a value. Latency tests are in nanoseconds. A text log ends with its note
about the platform; a JSON document ends with itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from turnup.formats.benchmarks.checks import total
from turnup.formats.benchmarks.documents import at, documents, mentions, need_documents
from turnup.formats.benchmarks.lines import Log, read_log
from turnup.formats.benchmarks.measured import Figure, Run, Status, given_of, is_number, to_table
from turnup.formats.model import Fact, RawTable, Rejected, Request

if TYPE_CHECKING:
    from turnup.formats.content import Content

_RUNNING = re.compile(r"^\s*Running (\S+)\.\s*$")
_TITLE = re.compile(r"\b(bandwidth|latency)\b.*\(([^()]+)\)\s*$", re.IGNORECASE)
_UNITS = ("GB/s", "ns")
_HEADER = re.compile(r"^\s*\d+(?:\s+\d+)*\s*$")
_ROW = re.compile(r"^\s*(\d+)((?:\s+(?:\d+\.\d+|N/A))+)\s*$")
_SUM = re.compile(r"^\s*SUM (\S+) (\S+)\s*$")
_WAIVED = re.compile(r"^\s*Waived:\s*(\S*)")
_ERROR = re.compile(r"^\s*(?:\[?ERROR\]?|Error)\b[:\s]\s*(.*)|^(.*CUDA_ERROR\S*.*)$")
_VERSION = re.compile(r"^\s*nvbandwidth Version:\s*(\S+)")
_DRIVER = re.compile(r"^\s*(Driver Version|CUDA Runtime Version):\s*(\S+)")
_DEVICE = re.compile(r"^\s*(?:Process \d+ \(([\w.-]+)\): d|D)evice (\d+): (.+?)\s*\(([0-9A-Fa-f:.]+)\)")
_LISTED = re.compile(r"^(\d+): (.+?) \(([0-9A-Fa-f:.]+)\)(?:: \(([\w.-]+)\))?")
_END = re.compile(r"^\s*NOTE: The reported results may not reflect")


@dataclass
class _Test:
    """A test being read."""

    name: str
    unit: str = "unknown"
    metric: str = "bandwidth"
    columns: list[str] = field(default_factory=list)
    cells: list[Figure] = field(default_factory=list)
    summed: bool = False


def is_nvbandwidth(content: Content) -> bool:
    """Whether a text is a log of nvbandwidth."""
    return mentions(content, r"(?m)nvbandwidth Version:|^\s*SUM \S+_(?:ce|sm) [\d.]+")


def is_nvbandwidth_json(content: Content) -> bool:
    """Whether a text holds a document of nvbandwidth."""
    return mentions(content, r'"nvbandwidth"\s*:\s*\{')


def parse_nvbandwidth(request: Request) -> RawTable:
    """Read a log.

    Raises:
        FileRejected: when it is no log of nvbandwidth.
    """
    log = read_log(request)
    found = [_read_nvbandwidth(part) for part in log.parts(_VERSION)]
    rejected = [row for each in found for row in each[2]]
    return to_table(
        request, "nvbandwidth", [each[0] for each in found], log.count, rejected=rejected, facts=found[0][1]
    )


def _read_nvbandwidth(log: Log) -> tuple[Run, list[Fact], list[Rejected]]:
    run = Run("nvbandwidth", "nvbandwidth", "bandwidth", "GB/s", hosts=[log.host] if log.host else [])
    run.findings += log.findings
    reading = _Text(run)
    for number, line in log.lines:
        cut = number == log.count and not log.ended
        if not cut or _END.search(line):
            reading.take(number, line)
    reading.finish()
    return run, reading.facts(), reading.rejected


class _Text:
    """A log read line by line."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.test: _Test | None = None
        self.waived: list[int] = []
        self.sums: list[tuple[str, str, str]] = []
        self.devices: list[str] = []
        self.unsummed: list[str] = []
        self.rejected: list[Rejected] = []

    def take(self, number: int, line: str) -> None:
        if (running := _RUNNING.match(line)) is not None:
            self._close()
            self.test = _Test(running.group(1))
        elif (waived := _WAIVED.match(line)) is not None:
            self.waived.append(number)
            name = waived.group(1) or (self.test.name if self.test and not self.test.columns else "")
            self.run.figures.append(_waived(number, name, len(self.waived)))
        elif (found := _SUM.match(line)) is not None:
            self._sum(number, found.group(1), found.group(2))
        elif _END.match(line):
            self.run.complete = True
        elif self.test is not None and self._cells(self.test, number, line):
            return
        else:
            self._said(number, line)

    def _cells(self, test: _Test, number: int, line: str) -> bool:
        if (title := _TITLE.search(line)) is not None:
            test.metric, test.unit = title.group(1).lower(), title.group(2)
        elif _HEADER.match(line) and not test.cells:
            test.columns = line.split()
        elif (row := _ROW.match(line)) is not None and test.columns:
            values = row.group(2).split()
            if len(values) != len(test.columns):
                message = f"row {number} of {test.name} has {len(values)} cells under {len(test.columns)} columns"
                given = given_of(line=line)
                self.rejected.append(Rejected(number, None, None, None, "nvbandwidth_row", "", message, given))
                return True
            test.cells += [
                _cell(test, number, f"{row.group(1)}-{column}", value, line)
                for column, value in zip(test.columns, values, strict=True)
            ]
        else:
            return False
        return True

    def _sum(self, number: int, name: str, value: str) -> None:
        test = self.test if self.test is not None and self.test.name == name else _Test(name)
        self.sums.append((name, value, test.unit))
        self.run.figures += _with_sum(self.run, test, number, value)
        test.summed = True

    def _close(self) -> None:
        """Cells of a test whose SUM never came are those of a broken test."""
        if self.test is not None and self.test.cells and not self.test.summed:
            self.unsummed.append(self.test.name)
            self.run.figures += self.test.cells
        self.test = None

    def _said(self, number: int, line: str) -> None:
        if (version := _VERSION.match(line)) is not None:
            self.run.tool_version = version.group(1)
        elif (driver := _DRIVER.match(line)) is not None:
            name = "driver" if driver.group(1).startswith("Driver") else "cuda"
            self.run.stack = ", ".join(filter(None, (self.run.stack, f"{name} {driver.group(2)}")))
        elif (device := _DEVICE.match(line)) is not None:
            self.devices.append(device.group(2))
            self.run.sku = self.run.sku or device.group(3)
            host = device.group(1)
            self.run.hosts += [host] if host and host not in self.run.hosts else []
        elif (error := _ERROR.match(line)) is not None and self.test is not None:
            self.run.note("tool_message", f"line {number}: {line.strip()}", number, error.group(0).strip()[:80])

    def finish(self) -> None:
        self._close()
        if self.unsummed:
            self.run.complete = False
            self.run.why = f"no SUM follows the matrix of {', '.join(self.unsummed)}: the test was cut"
        if self.rejected:
            self.run.complete = False
            self.run.why = self.rejected[0].message
        columns = [figure.member.partition("-")[2] for figure in self.run.figures]
        largest = max((int(column) for column in columns if column.isdigit()), default=0)
        if self.devices and largest >= len(self.devices):
            message = f"matrices have {largest + 1} columns but the log declares {len(self.devices)} devices"
            self.run.note("device_count", message)

    def facts(self) -> list[Fact]:
        latencies = sum(unit == "ns" for _, _, unit in self.sums)
        return [
            Fact("sums", len(self.sums), note="SUM lines; a SUM adds all cells of a test"),
            Fact("latency_tests", latencies),
            Fact("waived", len(self.waived), note="tests that were not run"),
            Fact("devices", len(self.devices)),
            *(Fact(f"sum_{name}", value, unit) for name, value, unit in self.sums),
        ]


def _waived(number: int, name: str, count: int) -> Figure:
    """A waived test; the text log of some versions does not say which."""
    given = given_of(line=f"Waived: {name}".strip())
    return Figure(
        number, "bandwidth", None, "GB/s", test=name or "unnamed", status="waived", outcome="waived",
        member="all" if name else f"waived {count}", given=given,
    )  # fmt: skip


def _cell(test: _Test, number: int, member: str, value: str, line: str) -> Figure:
    measured = value if is_number(value) else None
    return Figure(
        number, test.metric, measured, test.unit, test=test.name, member=member,
        status=None if measured else "not_measured", given=given_of(line=line.strip()),
    )  # fmt: skip


def _with_sum(run: Run, test: _Test, row: int, value: str) -> list[Figure]:
    """The cells of a test, its SUM, and its smallest cell; a SUM that is not the sum of the cells puts all in doubt."""
    measured = [cell for cell in test.cells if cell.value is not None]
    known = [cell.value for cell in measured if cell.value is not None]
    slack = 0.006 * (len(known) + 1)
    mislabelled = test.unit not in _UNITS
    if mislabelled:
        run.note("unit_conflict", f"{test.name} is labelled {test.unit}; the tool writes GB/s or ns", row, test.unit)
    wrong = mislabelled or not known or not is_number(value) or abs(float(total(known)) - float(value)) > slack
    if wrong and not mislabelled:
        run.note("sum_mismatch", f"SUM of {test.name} is {value}, its cells add up to {total(known)}", row, value)
    status: Status | None = "conflict" if wrong else None
    figures = [replace(cell, status=cell.status or status) for cell in test.cells]
    given = given_of(test=test.name, sum=value)
    if is_number(value):
        figures.append(Figure(row, test.metric, value, test.unit, "sum", test=test.name, status=status, given=given))
    if measured:
        least = min(measured, key=lambda cell: float(cell.value or 0))
        worst = least if test.unit != "ns" else max(measured, key=lambda cell: float(cell.value or 0))
        statistic = "max" if test.unit == "ns" else "min"
        figures.append(
            Figure(row, test.metric, worst.value, test.unit, statistic, test=test.name, status=status,
                   given=given_of(cell=worst.member, value=worst.value))
        )  # fmt: skip
    return figures


def parse_nvbandwidth_json(request: Request) -> RawTable:
    """Read a document.

    Raises:
        FileRejected: when there is none.
    """
    held = documents(request, key="nvbandwidth")
    need_documents(held, "nvbandwidth")
    runs = [_document(found.value["nvbandwidth"]) for found in held.found]
    if held.broken is not None:
        runs.append(Run("nvbandwidth", "nvbandwidth", "bandwidth", "GB/s", why=held.reason))
    count = sum(len(found.value["nvbandwidth"].get("testcases") or []) for found in held.found)
    facts = [
        Fact(f"sum_{figure.test}", figure.value, figure.unit)
        for run in runs
        for figure in run.figures
        if figure.statistic == "sum" and figure.value
    ]
    waived = sum(figure.status == "waived" for run in runs for figure in run.figures)
    facts += [Fact("tests", count), Fact("waived", waived)]
    return to_table(request, "nvbandwidth", runs, max(count, 1), findings=held.findings, facts=facts)


def _document(document: Any) -> Run:
    run = Run("nvbandwidth", "nvbandwidth", "bandwidth", "GB/s", complete=True)
    run.tool_version = at(document, "version")
    versions = [f"driver {document['Driver Version']}"] if document.get("Driver Version") else []
    versions += [f"cuda {document['CUDA Runtime Version']}"] if document.get("CUDA Runtime Version") else []
    run.stack = ", ".join(versions) or None
    for device in document.get("GPU Device list") or []:
        if (listed := _LISTED.match(str(device))) is not None:
            run.sku = run.sku or listed.group(2)
            host = listed.group(4)
            run.hosts += [host] if host and host not in run.hosts else []
    tests = document.get("testcases")
    for number, case in enumerate(tests if isinstance(tests, list) else [], start=1):
        if isinstance(case, dict):
            run.figures += _case(run, number, case)
    if document.get("error"):
        run.failed = str(document["error"])
    run.complete = bool(run.figures) and run.failed is None
    run.why = "the document has no test case"
    return run


def _case(run: Run, number: int, case: dict[str, Any]) -> list[Figure]:
    name, status = str(case.get("name") or "unnamed"), str(case.get("status") or "")
    title = _TITLE.search(str(case.get("bandwidth_description") or ""))
    test = _Test(name)
    if title is not None:
        test.metric, test.unit = title.group(1).lower(), title.group(2)
    given = given_of(test=name, status=status)
    if status.lower() != "passed":
        states: dict[str, Status] = {"waived": "waived", "not found": "skipped"}
        state = states.get(status.lower(), "tool_error")
        test.unit = test.unit if title else "GB/s"
        if state == "tool_error":
            run.note("test_failed", f"{name}: status {status or 'missing'}", number, status)
        return [Figure(number, test.metric, None, test.unit, test=name, status=state, outcome=status.lower() or None,
                       given=given)]  # fmt: skip
    for row, cells in enumerate(_matrix(case.get("bandwidth_matrix"))):
        test.cells += [
            _cell(test, number, f"{row}-{column}", str(cell).strip(), given_of(test=name, row=row, cell=str(cell)))
            for column, cell in enumerate(cells)
        ]
    return _with_sum(run, test, number, str(case.get("sum")))


def _matrix(value: Any) -> Sequence[Sequence[Any]]:
    return [row for row in value if isinstance(row, list)] if isinstance(value, list) else []
