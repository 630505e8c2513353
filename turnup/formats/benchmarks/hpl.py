"""HPL, alone and inside HPCC, and HPCG.

HPL's result is its WR line together with the residual below it; progress lines are not. HPCC's is its summary section.
HPCG's is ``final`` (the official GFLOP/s rate), not the totals of its kernels; an official run takes 1800 seconds.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

from turnup.formats.benchmarks.checks import agree, half_step
from turnup.formats.benchmarks.documents import mentions
from turnup.formats.benchmarks.lines import Log, read_log
from turnup.formats.benchmarks.measured import Figure, Run, Status, given_of, is_number, to_table
from turnup.formats.model import Fact, RawTable, Request

if TYPE_CHECKING:
    from turnup.formats.content import Content

_RESULT = re.compile(
    r"^(W\S+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+\.\d+)\s+(\d+\.\d+e[+-]\d+)(?:\s*\(.*\))?\s*$", re.IGNORECASE
)
_RESIDUAL = re.compile(r"^\|\|Ax-b\|\|.*=\s*(\S+)\s+\.+\s*(PASSED|FAILED)")
_VERSION = re.compile(r"HPLinpack (\d\S*)")
_STARTED = re.compile(r"HPL_pdgesv\(\) start time\s+(.*\S)")
_ENDED = re.compile(r"HPL_pdgesv\(\) end time\s+(.*\S)")
_FINISHED = re.compile(r"^\s*(?:Finished\s+(\d+) tests|(\d+) tests completed and (passed|failed))")
_END = re.compile(r"^\s*End of Tests\.")
_OFFICIAL_S = 1800.0


def is_hpl(content: Content) -> bool:
    """Whether a text is a log of HPL."""
    return mentions(content, r"HPLinpack \d|T/V\s+N\s+NB\s+P\s+Q\s+Time\s+Gflops")


def parse_hpl(request: Request) -> RawTable:
    """Read a log of HPL.

    Raises:
        FileRejected: when it holds none.
    """
    log = read_log(request)
    found = [_read_hpl(part) for part in log.parts(_VERSION)]
    return to_table(request, "hpl", [each[0] for each in found], log.count, facts=found[0][1])


def _read_hpl(log: Log) -> tuple[Run, list[Fact]]:
    run = Run("hpl", "hpl", "performance", "GFLOPS", hosts=[log.host] if log.host else [], correctness="unverified")
    run.findings += log.findings
    facts = read_hpl(run, log)
    return run, facts


def read_hpl(run: Run, log: Log) -> list[Fact]:
    """Take the results of HPL out of a log; what they say as facts."""
    facts: list[Fact] = []
    verdicts: list[str] = []
    results: list[re.Match[str]] = []
    for number, line in log.lines:
        if (found := _RESULT.match(line)) is not None:
            results.append(found)
            run.figures += _result(run, number, found)
            facts += _result_facts(found)
        elif (residual := _RESIDUAL.match(line)) is not None:
            verdicts.append(residual.group(2))
            facts.append(Fact("residual", residual.group(1), note=residual.group(2)))
        elif _END.match(line):
            run.complete = bool(results)
        else:
            _said(run, line, facts)
    if not results:
        run.why = "there is no WR line: the run gave no result"
    _correct(run, len(results), verdicts)
    return facts


def _said(run: Run, line: str, facts: list[Fact]) -> None:
    if (version := _VERSION.search(line)) is not None:
        run.tool_version = version.group(1)
    elif (started := _STARTED.search(line)) is not None:
        run.started = run.started or calendar_time(started.group(1))
    elif (ended := _ENDED.search(line)) is not None:
        run.ended = calendar_time(ended.group(1))
    elif (finished := _FINISHED.match(line)) is not None:
        name = f"tests_{finished.group(3)}" if finished.group(3) else "tests"
        facts.append(Fact(name, int(finished.group(1) or finished.group(2))))


def calendar_time(text: str) -> str | None:
    """``Fri Feb  3 16:33:45 2023`` as an ISO time; None when it is none."""
    try:
        return datetime.strptime(re.sub(r"\s+", " ", text), "%a %b %d %H:%M:%S %Y").isoformat(sep=" ")  # noqa: DTZ007
    except ValueError:
        return None


def _result(run: Run, number: int, found: re.Match[str]) -> list[Figure]:
    """Rate and time of a WR line; the rate must be (2/3 N^3 + 3/2 N^2) / time (HPL_pdtest.c)."""
    _, order, block, rows, columns, seconds, rate = found.groups()
    size = int(order)
    run.ranks = max(run.ranks, int(rows) * int(columns))
    run.duration_s = seconds
    expected = (2 / 3 * size**3 + 3 / 2 * size**2) / max(float(seconds), 1e-9) / 1e9
    status: Status | None = None
    if not agree(rate, expected, 0.0, half_step(seconds) / max(float(seconds), 1e-9) + 0.005):
        status = "conflict"
        run.note(
            "rate_time", f"{rate} GFLOPS does not follow from N {order} in {seconds} s ({expected:.4g})", number, rate
        )
    member = "all" if not run.figures else f"N={order} NB={block} P={rows} Q={columns}"
    given = given_of(line=found.group().strip())
    return [
        Figure(number, "performance", rate, "GFLOPS", member=member, status=status, given=given),
        Figure(number, "time", seconds, "s", member=member, status=status, given=given),
    ]


def _result_facts(found: re.Match[str]) -> list[Fact]:
    _, order, block, rows, columns, seconds, rate = found.groups()
    return [
        Fact("N", order), Fact("NB", block), Fact("P", rows), Fact("Q", columns), Fact("time", seconds, "s"),
        Fact("performance", rate, "GFLOPS"),
    ]  # fmt: skip


def _correct(run: Run, results: int, verdicts: list[str]) -> None:
    if "FAILED" in verdicts:
        run.correctness = "wrong"
        run.note("wrong_results", "a residual check failed: the whole run counts as wrong")
    elif results and len(verdicts) >= results:
        run.correctness = "clean"
    elif results:
        run.note("unverified_results", "a result has no residual check below it: unverified, which is not clean")


_HPCC_START = re.compile(r"HPC Challenge Benchmark version")
_SUMMARY = re.compile(r"^\s*(\w+)=(\S+)\s*$")
_HPCC_UNITS = (
    ("_Tflops", "TFLOPS"), ("_Gflops", "GFLOPS"), ("_GBs", "GB/s"), ("_GUPs", "GUP/s"), ("Latency_usec", "us"),
    ("Bandwidth_GBytes", "GB/s"), ("STREAM_Copy", "GB/s"), ("STREAM_Scale", "GB/s"), ("STREAM_Add", "GB/s"),
    ("STREAM_Triad", "GB/s"),
)  # fmt: skip


def is_hpcc(content: Content) -> bool:
    """Whether a text is the output of the HPC Challenge."""
    return mentions(content, r"HPC Challenge Benchmark")


def parse_hpcc(request: Request) -> RawTable:
    """Read the output of the HPC Challenge.

    Raises:
        FileRejected: when it holds none.
    """
    log = read_log(request)
    found = [_read_hpcc(part) for part in log.parts(_HPCC_START)]
    return to_table(request, "hpcc", [each[0] for each in found], log.count, facts=found[0][1])


def _read_hpcc(log: Log) -> tuple[Run, list[Fact]]:
    run = Run("hpcc", "hpcc", "HPL_Tflops", "TFLOPS", hosts=[log.host] if log.host else [], correctness="unverified")
    run.findings += log.findings
    summary: dict[str, tuple[int, str]] = {}
    inside = ended = False
    for number, line in log.lines:
        if "Begin of Summary section" in line:
            inside = True
        elif "End of Summary section" in line:
            inside, ended = False, True
        elif inside and (pair := _SUMMARY.match(line)) is not None:
            summary[pair.group(1)] = (number, pair.group(2))
        elif (version := re.search(r"HPC Challenge Benchmark version (\S+)", line)) is not None:
            run.tool_version = version.group(1)
        elif (host := re.match(r"\s*Hostname: '([^']+)'", line)) is not None:
            run.hosts = run.hosts or [host.group(1)]
        elif "End of HPC Challenge tests" in line:
            run.complete = ended
    _summarised(run, summary)
    shown = ("Success", "HPL_Tflops", "HPL_N", "StarSTREAM_Triad", "CommWorldProcs")
    facts = [Fact(name, summary[name][1]) for name in shown if name in summary]
    return run, facts


def _summarised(run: Run, summary: dict[str, tuple[int, str]]) -> None:
    for name, (number, value) in summary.items():
        unit = next((unit for ending, unit in _HPCC_UNITS if name.endswith(ending)), None)
        if unit is not None:
            measured = value if is_number(value) else None
            run.figures.append(Figure(number, name, measured, unit, given=given_of(line=f"{name}={value}"),
                                      status=None if measured else "not_measured"))  # fmt: skip
    procs = summary.get("CommWorldProcs", (0, ""))[1]
    run.ranks = int(procs) if procs.isdigit() else 0
    success = summary.get("Success")
    if success is not None:
        run.correctness = "clean" if success[1] == "1" else "wrong"
        if success[1] != "1":
            run.note("wrong_results", "Success is not 1: a check of the suite failed", success[0], success[1])


_HPCG_START = re.compile(r"^start of application|^HPCG-Benchmark\s*$")
_FINAL = re.compile(r"^\s*final\s*=\s*(\d[\d.]*) GF\b.*?(\d[\d.]*) GF_per\b")
_RATE = re.compile(r"Final Summary::HPCG result is (VALID|INVALID)\s*(?:with a GFLOP/s rate of[:=]\s*(\S+))?")
_TIME = re.compile(r"(?:^\s*Total Time:\s*|Benchmark Time Summary::Total[:=]\s*)(\d\S*)")
_GRID = re.compile(r"^\s*(\d+)x(\d+)x(\d+) process grid")
_STAMP = re.compile(r"^\s*(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.\d+)?\s*$")
_PARTS = re.compile(r"^\s*(SpMV|SymGS|total|final)\s*=\s*(\d[\d.]*) GF\b")


def is_hpcg(content: Content) -> bool:
    """Whether a text is a log of HPCG, NVIDIA's or the reference."""
    return mentions(content, r"HPCG result is|Final Summary::|Reference SpMV\+MG|HPCG-Benchmark")


def parse_hpcg(request: Request) -> RawTable:
    """Read a log of HPCG.

    Raises:
        FileRejected: when it holds none.
    """
    log = read_log(request)
    found = [_read_hpcg(part) for part in log.parts(_HPCG_START)]
    return to_table(request, "hpcg", [each[0] for each in found], log.count, facts=found[0][1])


def _read_hpcg(log: Log) -> tuple[Run, list[Fact]]:
    run = Run("hpcg", "hpcg", "performance", "GFLOPS", hosts=[log.host] if log.host else [], correctness="unverified")
    run.findings += log.findings
    facts: list[Fact] = []
    for number, line in log.lines:
        if number == log.count and not log.ended and not line.startswith("end of application"):
            continue
        _hpcg_line(run, number, line, facts)
    if run.duration_s is not None and float(run.duration_s) < _OFFICIAL_S:
        message = f"it ran {float(run.duration_s):.1f} s; an official run takes {_OFFICIAL_S:.0f} s or more"
        run.note("short_run", message, None, run.duration_s)
    facts += [Fact("ranks", run.ranks)]
    return run, facts


def _hpcg_line(run: Run, number: int, line: str, facts: list[Fact]) -> None:
    if (stamp := _STAMP.match(line)) is not None:
        run.started = run.started or stamp.group(1)
        run.ended = stamp.group(1)
    elif (grid := _GRID.match(line)) is not None:
        run.ranks = int(grid.group(1)) * int(grid.group(2)) * int(grid.group(3))
    elif (time := _TIME.search(line)) is not None and is_number(time.group(1)):
        run.duration_s = time.group(1)
        facts.append(Fact("total_time", f"{float(time.group(1)):.2f}", "s"))
    elif (parts := _PARTS.match(line)) is not None:
        facts.append(Fact(parts.group(1), parts.group(2), "GFLOPS"))
        if (final := _FINAL.match(line)) is not None:
            _hpcg_final(run, number, final)
    elif (rate := _RATE.search(line)) is not None:
        _hpcg_rated(run, number, rate, facts)
    elif line.startswith("end of application"):
        run.complete = bool(run.figures)
        run.correctness = "clean" if run.figures else run.correctness


def _hpcg_final(run: Run, number: int, final: re.Match[str]) -> None:
    value, per = final.group(1), final.group(2)
    status: Status | None = None
    if run.ranks and not agree(value, float(per) * run.ranks, half_step(per) * run.ranks, 0.002):
        status = "conflict"
        run.note("rate_ranks", f"final {value} GF is not {run.ranks} x {per} GF", number, value)
    run.figures.append(Figure(number, "performance", value, "GFLOPS", "final", status=status,
                              given=given_of(line=final.string.strip())))  # fmt: skip


def _hpcg_rated(run: Run, number: int, rate: re.Match[str], facts: list[Fact]) -> None:
    value = rate.group(2) if rate.group(2) and is_number(rate.group(2)) else None
    run.correctness = "clean" if rate.group(1) == "VALID" else "wrong"
    run.complete = value is not None
    run.figures.append(Figure(number, "performance", value, "GFLOPS", "final", outcome=rate.group(1).lower(),
                              given=given_of(line=rate.string.strip())))  # fmt: skip
    facts.append(Fact("final", value or "none", "GFLOPS"))
