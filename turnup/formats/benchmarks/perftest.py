"""perftest (ib_write_bw and its sisters), text and ``--out_json``.

The text labels bandwidth ``MB/sec`` and means 2^20 bytes a second; it is kept as MiB/s, with a finding. JSON says no
unit at all; it follows from the message rate, and where it does not, the figure is in conflict. Server and client print
the same row: it counts once. A peak of 0.00 (duration mode) was not measured. The dashes below the rows end a log.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from turnup.acceptance import units
from turnup.formats.benchmarks.checks import agree, half_step
from turnup.formats.benchmarks.documents import at, documents, mentions, need_documents
from turnup.formats.benchmarks.lines import read_log
from turnup.formats.benchmarks.measured import Figure, Run, Status, given_of, is_number, to_table
from turnup.formats.model import Fact, RawTable, Rejected, Request

if TYPE_CHECKING:
    from turnup.formats.content import Content

_COLUMN = re.compile(
    r"#bytes|#iterations|BW (?:peak|average)\[[^\]]+\]|MsgRate\[Mpps\]|t_\w+\[usec\]|[\d.]+% percentile\[usec\]|"
    r"CPU_Util\[%\]|tps average"
)
_TITLE = re.compile(r"^\s*((?:RDMA_(?:Write|Read)|Send|Atomic|RawEth|WRITE|READ)\w*.*?) (BW|Latency) Test\s*$")
_DEVICE = re.compile(r"\bDevice\s*:\s*(\S+)")
_ADDRESS = re.compile(r"^\s*(local|remote) address:\s*(.*\S)")
_DASHES = re.compile(r"^\s*-{20,}\s*$")
_COMMAND = re.compile(r"\b(?:ib|raw_ethernet)_(?:write|read|send|atomic)_(?:bw|lat)\b")
_UNITS = {"MB/sec": "MiB/s", "MiB/sec": "MiB/s", "Gb/sec": "Gbit/s"}
_PER_MESSAGE = {"MiB/s": 1e6 / 2**20, "Gbit/s": 8e6 / 1e9}
_LATENCIES = {
    "t_min": "min", "t_max": "max", "t_typical": "typical", "t_avg": "mean", "t_stdev": "stdev",
    "t_99_percentile": "p99", "t_99.9_percentile": "p99.9", "99%": "p99", "99.9%": "p99.9",
}  # fmt: skip


@dataclass
class _Block:
    """The output of one side: its title, addresses, and rows by column."""

    title: str = "perftest"
    device: str = "all"
    addresses: dict[str, str] = field(default_factory=dict)
    columns: list[str] = field(default_factory=list)
    rows: list[tuple[int, dict[str, str], str]] = field(default_factory=list)
    closed: bool = False
    broken: bool = False

    @property
    def printed(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(cells.values()) for _, cells, _ in self.rows)


def is_perftest(content: Content) -> bool:
    """Whether a text holds the header of a perftest table."""
    return mentions(content, r"#bytes\s+#iterations\s+(?:BW|t_)")


def is_perftest_json(content: Content) -> bool:
    """Whether a text holds a perftest document."""
    return mentions(content, r'"?test_info"?\s*:', r'"?(?:MsgSize|BW_average|t_avg)"?\s*:')


def parse_perftest(request: Request) -> RawTable:
    """Read the log of a server, of a client, or of both.

    Raises:
        FileRejected: when it is no log of perftest.
    """
    log = read_log(request)
    blocks: list[_Block] = []
    rejected: list[Rejected] = []
    block = _Block()
    for number, line in log.lines:
        if "#bytes" in line and len(columns := _COLUMN.findall(line)) > 2:
            block.columns = columns
            blocks.append(block)
        elif block.columns and _DASHES.match(line):
            block.closed = block.closed or bool(block.rows)
            block = _Block()
        elif block.columns and re.match(r"^\s*\d+\s+\d+", line):
            _row(block, number, line, rejected, cut=number == log.count and not log.ended)
        elif block.columns and block.rows:
            block = _Block()
            _described(block, line)
        else:
            _described(block, line)
    runs, twins = _runs(blocks, log.host)
    for run in runs[:1]:
        run.findings += log.findings
    facts = [*_facts(runs), Fact("rows_printed", sum(len(each.rows) for each in blocks)), Fact("twins", twins)]
    return to_table(request, "perftest", runs, log.count, rejected=rejected, facts=facts)


def _described(block: _Block, line: str) -> None:
    if (title := _TITLE.match(line)) is not None:
        block.title = re.sub(r"\s+", "_", f"{title.group(1).strip()} {title.group(2)}")
    elif (device := _DEVICE.search(line)) is not None:
        block.device = device.group(1)
    elif (address := _ADDRESS.match(line)) is not None:
        block.addresses[address.group(1)] = re.sub(r"\s+", " ", address.group(2))


def _row(block: _Block, number: int, line: str, rejected: list[Rejected], *, cut: bool) -> None:
    cells = line.split()
    if cut or len(cells) != len(block.columns) or not all(is_number(cell) for cell in cells):
        block.broken = True
        message = f"row {number} cannot be read under its {len(block.columns)} columns: cut, or broken by other output"
        rejected.append(Rejected(number, None, None, line[:200], "perftest_row", "", message, given_of(line=line)))
        return
    block.rows.append((number, dict(zip(block.columns, cells, strict=True)), line))


def _runs(blocks: list[_Block], host: str | None) -> tuple[list[Run], int]:
    """Runs of the blocks, without those that are the other side of one before, or its copy."""
    runs: list[Run] = []
    kept: list[_Block] = []
    for block in blocks:
        twin = next((index for index, other in enumerate(kept) if _same(other, block)), None)
        if twin is None:
            kept.append(block)
            runs.append(_run(block, host))
        elif block.closed and not kept[twin].broken:
            runs[twin].complete = True
    return runs, len(blocks) - len(kept)


def _same(one: _Block, other: _Block) -> bool:
    """The same rows, from the two ends of one connection or from one end twice."""
    if one.printed != other.printed or not one.rows:
        return False
    here, there = (one.addresses.get("local"), one.addresses.get("remote")), other.addresses
    return here in ((there.get("remote"), there.get("local")), (there.get("local"), there.get("remote")))


def _run(block: _Block, host: str | None) -> Run:
    latency = any(column.startswith("t_") for column in block.columns)
    metric, unit = ("latency", "us") if latency else ("bandwidth", "MiB/s")
    run = Run("perftest", block.title, metric, unit, hosts=[host] if host else [])
    run.complete = block.closed and not block.broken and bool(block.rows)
    run.why = "no dashes follow its rows: the log is cut, or the run was stopped"
    direction = "both" if "bidirectional" in block.title.lower() else "none"
    for number, cells, line in block.rows:
        run.figures += _figures(run, block, number, cells, line, direction)
    return run


def _figures(run: Run, block: _Block, number: int, cells: dict[str, str], line: str, direction: str) -> list[Figure]:
    size, rate = cells["#bytes"], cells.get("MsgRate[Mpps]", "")
    judged: Status | None = None
    made = []
    for column, value in cells.items():
        name, _, label = column.rstrip("]").partition("[")
        given = given_of(line=line.strip())
        if name.startswith("BW "):
            unit = _UNITS.get(label, label)
            judged = judged or _of_average(run, number, cells, size, rate)
            status = "not_measured" if name.endswith("peak") and float(value) == 0 else judged
            statistic = "mean" if name.endswith("average") else "peak"
            made.append(Figure(number, "bandwidth", value if status != "not_measured" else None, unit, statistic, size,
                               direction=direction, member=block.device, status=status, given=given))  # fmt: skip
            if label == "MB/sec" and not any(finding.code == "unit_relabelled" for finding in run.findings):
                run.note(
                    "unit_relabelled", "perftest writes MB/sec and means 2^20 bytes a second: kept as MiB/s", number
                )
        elif name == "MsgRate":
            made.append(Figure(number, "message_rate", value, "Mpps", "mean", size, direction=direction,
                               member=block.device, given=given))  # fmt: skip
        elif label == "usec":
            statistic = _LATENCIES.get(name.partition(" ")[0], name)
            made.append(Figure(number, "latency", value, "us", statistic, size, direction=direction,
                               member=block.device, given=given))  # fmt: skip
    return made


def _of_average(run: Run, row: int, cells: dict[str, str], size: str, rate: str) -> Status | None:
    """The status of a row's bandwidths: the average must follow from the message rate, as labelled."""
    column = next((name for name in cells if name.startswith("BW average")), None)
    if column is None:
        return None
    value, label = cells[column], column.rstrip("]").partition("[")[2]
    unit = _UNITS.get(label)
    if unit is None:
        run.note("unit_unknown", f"bandwidth is labelled '{label}', which perftest does not write", row, label)
        return "conflict"
    if rate and is_number(rate) and float(rate) > 0 and not _fits(value, unit, size, rate):
        message = f"{value} {unit} does not follow from {rate} million messages of {size} bytes a second"
        run.note("message_rate", message, row, value)
        return "conflict"
    return None


def _fits(value: str, unit: str, size: str, rate: str) -> bool:
    expected = float(rate) * float(size) * _PER_MESSAGE[unit]
    return agree(value, expected, 0.0, half_step(rate) / float(rate) + 0.002)


def parse_perftest_json(request: Request) -> RawTable:
    """Read a document; one that is no JSON (perftest has written such) is kept as text and gives no figure.

    Raises:
        FileRejected: when there is none.
    """
    held = documents(request, key="results")
    need_documents(held, "perftest")
    runs = [_document(found.value) for found in held.found]
    if held.broken is not None:
        run = Run("perftest", "perftest", "bandwidth", "Gbit/s", failed=f"its document is malformed ({held.reason})")
        raw = request.content.head_text[:4000]
        run.figures.append(Figure(held.broken, "bandwidth", None, "Gbit/s", status="tool_error", outcome="malformed",
                                  given=given_of(text=raw)))  # fmt: skip
        run.note("malformed", f"{held.reason}; its text is kept", held.broken)
        runs.append(run)
    return to_table(request, "perftest", runs, held.lines, findings=held.findings, facts=_facts(runs))


def _document(document: Any) -> Run:
    title, device = at(document, "test_info", "test"), at(document, "test_info", "Device")
    run = Run("perftest", str(title or "perftest").replace("_Test", ""), "bandwidth", "Gbit/s")
    results = document.get("results")
    member = str(device or "all")
    for number, row in enumerate(results if isinstance(results, list) else [results], start=1):
        if isinstance(row, dict):
            run.figures += _result(run, number, row, member)
    run.complete = any(figure.value is not None for figure in run.figures)
    run.why = "the document has no figure"
    return run


def _result(run: Run, number: int, row: dict[str, Any], member: str) -> list[Figure]:
    cells = {key: str(value) for key, value in row.items() if is_number(str(value))}
    size, rate = cells.get("MsgSize", "0"), cells.get("MsgRate", "")
    given = given_of(**{key: str(value) for key, value in row.items()})
    made = []
    average = cells.get("BW_average")
    if average is not None:
        unit = _unit_of(average, size, rate)
        status: Status | None = None if unit else "conflict"
        message = "the document names no unit; the message rate says " + (f"{unit}" if unit else "nothing that fits")
        run.note("unit_derived" if unit else "unit_unknown", message, number)
        for key, statistic in (("BW_average", "mean"), ("BW_peak", "peak")):
            value = cells.get(key)
            if statistic == "peak" and value is not None and float(value) == 0:
                made.append(Figure(number, "bandwidth", None, unit or "unknown", statistic, size, member=member,
                                   status="not_measured", given=given))  # fmt: skip
            elif value is not None:
                made.append(Figure(number, "bandwidth", value, unit or "unknown", statistic, size, member=member,
                                   status=status, given=given))  # fmt: skip
    if rate:
        made.append(Figure(number, "message_rate", rate, "Mpps", "mean", size, member=member, given=given))
    made += [
        Figure(number, "latency", cells[key], "us", statistic, size, member=member, given=given)
        for key, statistic in _LATENCIES.items()
        if key in cells
    ]
    return made


def _unit_of(average: str, size: str, rate: str) -> str | None:
    if not rate or float(rate) <= 0:
        return None
    return next((unit for unit in ("Gbit/s", "MiB/s") if _fits(average, unit, size, rate)), None)


def _facts(runs: list[Run]) -> list[Fact]:
    figures = [figure for run in runs for figure in run.figures]
    facts = [Fact("result_rows", len({(id(run), each.row) for run in runs for each in run.figures}))]
    largest = max((int(figure.size) for figure in figures), default=0)
    for figure in figures:
        if int(figure.size) == largest and figure.metric != "message_rate":
            shown = figure.value if figure.value is not None else figure.status or "not measured"
            facts.append(Fact(f"{figure.metric}_{figure.statistic}", shown, figure.unit if figure.value else ""))
            if figure.metric == "bandwidth" and figure.value and units.known(figure.unit):
                rate = units.convert(float(figure.value), figure.unit, "Gbit/s")
                facts.append(Fact(f"{figure.metric}_{figure.statistic}_gbit", f"{rate:.2f}", "Gbit/s"))
    return [*facts, Fact("largest_size", str(largest), "B")]
