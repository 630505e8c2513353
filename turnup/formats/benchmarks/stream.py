"""STREAM and BabelStream: the best rate of each kernel.

MB/s are 1e6 bytes a second in both (BabelStream writes other units when it is told to, and names them). STREAM ends
with the validation of its solution; BabelStream has no last line, so its complete set of kernels is its end.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turnup.formats.benchmarks.checks import agree, half_step
from turnup.formats.benchmarks.documents import mentions
from turnup.formats.benchmarks.lines import Log, read_log
from turnup.formats.benchmarks.measured import Figure, Run, Status, given_of, is_number, to_table
from turnup.formats.model import Fact, RawTable, Request

if TYPE_CHECKING:
    from turnup.formats.content import Content

_NUM = r"(\d+(?:\.\d+)?(?:e[+-]?\d+)?)"
_ROW = re.compile(rf"^\s*(Copy|Scale|Add|Triad):\s+{_NUM}\s+{_NUM}\s+{_NUM}\s+{_NUM}\s*$")
_VERSION = re.compile(r"STREAM version \$?Revision:?\s*([\d.]+)")
_ELEMENT = re.compile(r"This system uses (\d+) bytes per")
_ARRAY = re.compile(r"Array size = (\d+)\b")
_THREADS = re.compile(r"Number of Threads (?:counted|requested) = (\d+)")
_VALID = re.compile(r"Solution Validates")
_INVALID = re.compile(r"Failed Validation|validation failed", re.IGNORECASE)
_ARRAYS = {"Copy": 2, "Scale": 2, "Add": 3, "Triad": 3}
_BABEL_START = re.compile(r"^\s*BabelStream\s*$")
_BABEL_HEAD = re.compile(r"^\s*Function\s+((?:[KMGT]i?)?B)ytes/sec\s")
_BABEL_ROW = re.compile(rf"^\s*(Copy|Mul|Add|Triad|Dot|Nstream)\s+{_NUM}\s+{_NUM}\s+{_NUM}\s+{_NUM}\s*$")
_BABEL_CSV = re.compile(r"^\s*function,num_times,n_elements,sizeof,max_((?:[kmgt]i?)?b)ytes_per_sec,", re.IGNORECASE)
_BABEL_CSV_ROW = re.compile(rf"^\s*(Copy|Mul|Add|Triad|Dot|Nstream),\d+,(\d+),(\d+),{_NUM},{_NUM},{_NUM},{_NUM}\s*$")
_BABEL_INVALID = re.compile(r"Validation failed|FAILED validation", re.IGNORECASE)
_BABEL_DEVICE = re.compile(r"^\s*Using \S+ device (.+?)\s*$")
_GPU_HEAD = re.compile(r"^Device (\d+): \"(.*?)\".*=\s*([\d.]+) GB/s PEAK")
_GPU_ROW = re.compile(
    r"^STREAM_(COPY|SCALE|ADD|TRIAD)_(\w+?)_gpu_(\d+)_buffer_(\d+)_block_(\d+)\s+(\d+\.\d+) (\d+\.\d\d)$"
)
_BABEL_ARRAYS = {"Copy": 2, "Mul": 2, "Add": 3, "Triad": 3, "Dot": 2, "Nstream": 4}
_KERNELS = {"Copy", "Mul", "Add", "Triad", "Dot"}


def is_stream(content: Content) -> bool:
    """Whether a text is a log of STREAM."""
    return mentions(content, r"STREAM version|Best Rate MB/s")


def is_babelstream(content: Content) -> bool:
    """Whether a text is a log of BabelStream, as a table or as CSV."""
    return mentions(
        content, r"(?im)^[^\w\n]*BabelStream\b|Bytes/sec\s+Min \(sec\)|^function,num_times,n_elements,sizeof,max_"
    )


def parse_stream(request: Request) -> RawTable:
    """Read a log of STREAM.

    Raises:
        FileRejected: when it holds none.
    """
    log = read_log(request)
    found = [_read_stream(part) for part in log.parts(_VERSION)]
    return to_table(request, "stream", [each[0] for each in found], log.count, facts=found[0][1])


def _read_stream(log: Log) -> tuple[Run, list[Fact]]:
    run = Run("stream", "stream", "bandwidth", "MB/s", hosts=[log.host] if log.host else [], correctness="unverified")
    run.findings += log.findings
    width, length = 8, 0
    for number, line in log.lines:
        if (found := _VERSION.search(line)) is not None:
            run.tool_version = found.group(1)
        elif (found := _ELEMENT.search(line)) is not None:
            width = int(found.group(1))
        elif (found := _ARRAY.search(line)) is not None:
            length = int(found.group(1))
        elif (found := _THREADS.search(line)) is not None:
            run.ranks = int(found.group(1))
        elif _VALID.search(line) or _INVALID.search(line):
            run.complete = True
            run.correctness = "clean" if _VALID.search(line) else "wrong"
        elif (found := _ROW.match(line)) is not None and not (number == log.count and not log.ended):
            run.figures += _kernel(run, number, found, width * length)
    _whole(run, set(_ARRAYS))
    facts = [
        Fact(f"{figure.test}", figure.value or "", "MB/s") for figure in run.figures if figure.metric == "bandwidth"
    ]
    return run, [*facts, Fact("threads", run.ranks)]


def _whole(run: Run, kernels: set[str]) -> None:
    seen = {figure.test.rpartition("_")[2] for figure in run.figures}
    missing = sorted(kernel for kernel in kernels if kernel.lower() not in seen)
    if missing:
        run.complete = False
        run.why = f"there is no row of {', '.join(missing)}"
    if run.correctness == "wrong":
        run.note("wrong_results", "the solution does not validate: the whole run counts as wrong")


def _kernel(run: Run, number: int, found: re.Match[str], array: int) -> list[Figure]:
    """Rate and shortest time of a kernel, which must agree with the size of its arrays."""
    kernel, rate, _, shortest, _ = found.groups()
    given = given_of(line=found.group().strip())
    status: Status | None = None
    if array and float(shortest) > 0:
        expected = _ARRAYS[kernel] * array / float(shortest) / 1e6
        if not agree(rate, expected, 0.1, half_step(shortest) / float(shortest) + 0.002):
            status = "conflict"
            message = f"{kernel} {rate} MB/s does not follow from its arrays and {shortest} s ({expected:.1f})"
            run.note("rate_time", message, number, rate)
    test = f"stream_{kernel.lower()}"
    return [
        Figure(number, "bandwidth", rate, "MB/s", "max", test=test, status=status, given=given),
        Figure(number, "time", shortest, "s", "min", test=test, status=status, given=given),
    ]


def parse_babelstream(request: Request) -> RawTable:
    """Read a log of BabelStream.

    Raises:
        FileRejected: when it holds none.
    """
    log = read_log(request)
    found = [_read_babelstream(part) for part in log.parts(_BABEL_START)]
    return to_table(request, "babelstream", [each[0] for each in found], log.count, facts=found[0][1])


def _read_babelstream(log: Log) -> tuple[Run, list[Fact]]:
    run = Run("babelstream", "babelstream", "bandwidth", "MB/s", hosts=[log.host] if log.host else [])
    run.findings += log.findings
    run.correctness = "clean"
    unit, array = "", 0.0
    for number, line in log.lines:
        if _BABEL_INVALID.search(line):
            run.correctness = "wrong"
        elif (head := _BABEL_HEAD.match(line) or _BABEL_CSV.match(line)) is not None:
            unit = _unit(head.group(1))
        elif (sized := re.match(r"^\s*Array size: (\d+\.\d+) MB\b", line)) is not None:
            array = float(sized.group(1))
        elif (device := _BABEL_DEVICE.match(line)) is not None:
            run.sku = device.group(1)
        elif unit and not (number == log.count and not log.ended):
            run.figures += _babel_row(run, number, line, unit, array)
    only = _only(log)
    run.complete = True
    _whole(run, {only} if only else _KERNELS)
    facts = [Fact(figure.test.removeprefix("babelstream_"), figure.value or "", figure.unit) for figure in run.figures]
    return run, facts


def _unit(label: str) -> str:
    """``MB``, ``MiB`` or ``GB`` as a rate; CSV writes them in lower case."""
    prefix = label[:-1]
    return f"{prefix[:1].upper()}{prefix[1:]}B/s"


def _only(log: Log) -> str | None:
    """The one kernel that was run, when the log says so."""
    text = "\n".join(line for _, line in log.lines)
    found = re.search(r"Running (?:only )?(Triad|Nstream|Copy|Mul|Add|Dot)\b", text, re.IGNORECASE)
    return found.group(1).capitalize() if found else None


def _near(seconds: str) -> float:
    """How far a rate may be from one computed with a time of so many places."""
    return half_step(seconds) / max(float(seconds) - half_step(seconds), 1e-12) + 0.005


def _babel_row(run: Run, number: int, line: str, unit: str, array: float) -> list[Figure]:
    """A row; ``array`` is the size of an array in MB, 0 when the log does not say."""
    table, row = _BABEL_ROW.match(line), _BABEL_CSV_ROW.match(line)
    found = table or row
    if found is None:
        return []
    kernel, rate = found.group(1), found.group(2 if table else 4)
    shortest = found.group(3 if table else 5)
    if row is not None:
        array = int(row.group(2)) * int(row.group(3)) / 1e6
    status: Status | None = None
    if unit == "MB/s" and array and float(shortest) > 0:
        expected = _BABEL_ARRAYS[kernel] * array / float(shortest)
        low, high = expected / (1 + _near(shortest)), expected * (1 + _near(shortest))
        if not low <= float(rate) <= high:
            status = "conflict"
            run.note("rate_time", f"{kernel} {rate} MB/s does not follow from its time ({expected:.1f})", number, rate)
    value = rate if is_number(rate) else None
    return [Figure(number, "bandwidth", value, unit, "max", test=f"babelstream_{kernel.lower()}", status=status,
                   given=given_of(line=line.strip()))]  # fmt: skip


def is_gpu_stream(content: Content) -> bool:
    """Whether a text is a log of SuperBench's stream for GPUs."""
    return mentions(content, r"STREAM_(?:COPY|SCALE|ADD|TRIAD)_\w+_gpu_\d+_buffer_\d+_block_\d+")


def parse_gpu_stream(request: Request) -> RawTable:
    """Read a log; it has no last line, so every GPU must have the same rows. Each states its share of the peak.

    Raises:
        FileRejected: when it holds none.
    """
    log = read_log(request)
    run = Run("gpu-stream", "gpu_stream", "bandwidth", "GB/s", hosts=[log.host] if log.host else [])
    run.findings += log.findings
    peaks: dict[str, str] = {}
    rows: dict[str, set[tuple[str, ...]]] = {}
    for number, line in log.lines:
        if (head := _GPU_HEAD.match(line)) is not None:
            run.sku, peaks[head.group(1)] = run.sku or head.group(2), head.group(3)
        elif (found := _GPU_ROW.match(line)) is not None:
            rows.setdefault(found.group(3), set()).add((found.group(1), found.group(2), found.group(4), found.group(5)))
            run.figures.append(_gpu_row(run, number, found, peaks.get(found.group(3))))
    wanted = set().union(*rows.values()) if rows else set()
    short = sorted(gpu for gpu in peaks.keys() | rows.keys() if rows.get(gpu, set()) != wanted)
    kernels = {row[0] for row in wanted}
    run.complete = bool(rows) and not short and kernels == {"COPY", "SCALE", "ADD", "TRIAD"}
    run.why = f"GPU {', '.join(short)} lacks rows that others have" if short else "not every kernel has a row"
    best = max((figure for figure in run.figures if figure.test.endswith("triad")), key=_rate, default=None)
    facts = [Fact("gpus", len(rows)), Fact("rows", len(run.figures))]
    facts += [Fact("best_triad", best.value or "", "GB/s")] if best else []
    return to_table(request, "gpu-stream", [run], log.count, facts=facts)


def _rate(figure: Figure) -> float:
    return float(figure.value or 0)


def _gpu_row(run: Run, number: int, found: re.Match[str], peak: str | None) -> Figure:
    kernel, kind, gpu, size, block, rate, share = found.groups()
    status: Status | None = None
    if peak is None or abs(float(rate) / float(peak) * 100 - float(share)) > 0.011:
        status = "conflict"
        run.note("rate_peak", f"{rate} GB/s is not {share} % of {peak or 'an unknown peak'}", number, rate)
    return Figure(number, "bandwidth", rate, "GB/s", size=size, test=f"gpu_stream_{kernel.lower()}", status=status,
                  member=f"gpu{gpu} {kind} block {block}", given=given_of(line=found.string.strip()))  # fmt: skip


_CUDA_ROW = re.compile(
    r"^bandwidthTest-(\w+)(?:-(\w+))?, Bandwidth = (\d+\.\d+) ([KMG]B)/s, Time = (\d+\.\d+) s, Size = (\d+) bytes"
)
_CUDA_DIRECTIONS = {"H2D": "host_to_device", "D2H": "device_to_host", "D2D": "device_to_device"}


def is_cuda_bandwidth(content: Content) -> bool:
    """Whether a text is a log of the CUDA sample bandwidthTest."""
    return mentions(content, r"\[CUDA Bandwidth Test\] - Starting|bandwidthTest-[\w-]+, Bandwidth = ")


def parse_cuda_bandwidth(request: Request) -> RawTable:
    """Read a log of bandwidthTest in its CSV form. It ends with ``Result = PASS`` or ``FAIL``.

    Raises:
        FileRejected: when it holds none.
    """
    log = read_log(request)
    run = Run("bandwidthTest", "cuda_bandwidth", "bandwidth", "GB/s", hosts=[log.host] if log.host else [])
    run.findings += log.findings
    run.why = "there is no Result line: the log is cut, or the run was stopped"
    for number, line in log.lines:
        if (found := _CUDA_ROW.match(line)) is not None:
            run.figures.append(_cuda_row(run, number, found))
        elif (device := re.match(r"^\s*Device \d+: (.+?)\s*$", line)) is not None:
            run.sku = device.group(1)
        elif (ended := re.match(r"^Result = (PASS|FAIL)\b", line)) is not None:
            run.complete = bool(run.figures) and ended.group(1) == "PASS"
            run.why = f"the tool says {ended.group(1)}, with {len(run.figures)} rows"
    largest = max((int(figure.size) for figure in run.figures), default=0)
    facts = [Fact(f"bandwidth_{f.direction}", f.value or "", f.unit) for f in run.figures if int(f.size) == largest]
    return to_table(request, "cuda-bandwidth", [run], log.count, facts=[*facts, Fact("rows", len(run.figures))])


def _cuda_row(run: Run, number: int, found: re.Match[str]) -> Figure:
    """A row; its rate must lie within what its time, as printed, allows."""
    way, memory, rate, unit, seconds, size = found.groups()
    status: Status | None = None
    moved = int(size) / {"KB": 1e3, "MB": 1e6, "GB": 1e9}[unit]
    shortest, longest = float(seconds) - half_step(seconds), float(seconds) + half_step(seconds)
    slack = half_step(rate) + 0.01 * float(rate)
    if shortest > 0 and not moved / longest - slack <= float(rate) <= moved / shortest + slack:
        status = "conflict"
        run.note("rate_time", f"{rate} {unit}/s is not {size} bytes in {seconds} s", number, rate)
    return Figure(
        number, "bandwidth", rate, f"{unit}/s".replace("KB", "kB"), size=size, member=(memory or "all").lower(),
        direction=_CUDA_DIRECTIONS.get(way, way.lower()), status=status, given=given_of(line=found.string),
    )  # fmt: skip
