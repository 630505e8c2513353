"""nccl-tests and rccl-tests results to benchmarks: one row per size, placement and metric, and a sweep's average.

The figure at a size is ``busbw`` or ``algbw`` with statistic ``value`` (``repeat 2`` and so on when a size was run
again); the footer's average is ``busbw`` with statistic ``mean`` at size 0. GB/s are 1e9 bytes a second. A run with any
wrong result is wrong as a whole: no other size of it may pass for clean. ``complete`` needs the footer.

Figures that contradict each other are in conflict and judge nothing: algorithm bandwidth must be size over time, bus
bandwidth algorithm bandwidth times the factor of the collective, and the average the mean of the rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import median

from turnup.formats.benchmarks.checks import agree, half_step
from turnup.formats.benchmarks.measured import (
    UNKNOWN,
    Correctness,
    Figure,
    Placement,
    Run,
    Status,
    to_table,
)
from turnup.formats.model import Fact, Finding, RawTable, Rejected, Request

_COLLECTIVES = (
    "all_reduce", "all_gather", "reduce_scatter", "alltoallv", "alltoall", "broadcast", "reduce", "sendrecv", "scatter",
    "gather", "hypercube",
)  # fmt: skip
_UNIT = "GB/s"
_FACTOR_OF_N = {"all_reduce": 2.0, "reduce_scatter": 1.0, "all_gather": 1.0, "alltoall": 1.0}
_FACTOR_ONE = {"broadcast", "reduce", "sendrecv"}


@dataclass(frozen=True)
class Figures:
    """What one placement of one size measured, as written; ``time`` in microseconds, empty when it is the CPU's."""

    row: int
    size: str
    placement: Placement
    algbw: str
    busbw: str
    correctness: Correctness
    given: str
    time: str = ""


@dataclass
class Sweep:
    """One table of a run: its figures and what is said about it."""

    figures: list[Figures] = field(default_factory=list)
    test: str = UNKNOWN
    hosts: list[str] = field(default_factory=list)
    ranks: int = 0
    sku: str | None = None
    tool: str = "nccl-tests"
    tool_version: str | None = None
    stack: str | None = None
    command: str | None = None
    measured_at: str | None = None
    ended_at: str | None = None
    duration_s: str | None = None
    unit: str = _UNIT
    average: str | None = None
    average_row: int = 0
    average_given: str = "{}"
    average_said: str | None = None
    complete: bool = False
    sealed: bool = False
    why: str = "the footer is missing: the log is cut or the run was stopped; its figures are not complete"
    broken: int | None = None
    bounds_failed: bool = False
    errors: list[tuple[int, str]] = field(default_factory=list)

    @property
    def correctness(self) -> Correctness:
        """Of the sweep as a whole: the worst of its figures."""
        seen = {figure.correctness for figure in self.figures}
        if self.bounds_failed or "wrong" in seen:
            return "wrong"
        return "unverified" if "unverified" in seen or not seen else "clean"

    @property
    def factor(self) -> float:
        """Bus over algorithm bandwidth by the collective and its ranks (nccl-tests, PERFORMANCE.md); 0 if unknown."""
        if self.test in _FACTOR_ONE:
            return 1.0
        return _FACTOR_OF_N.get(self.test, 0.0) * (self.ranks - 1) / max(self.ranks, 1)


def test_name(text: str) -> str:
    """The collective that a text names, such as ``all_reduce`` from ``allreduce_8xA100.log``, or ``unknown``."""
    flat = re.sub(r"[^a-z]", "", text.lower())
    for name in _COLLECTIVES:
        if name.replace("_", "") in flat:
            return name
    return UNKNOWN


def sweeps_to_table(
    request: Request, sweeps: Sequence[Sweep], lines: int, rejected: Sequence[Rejected], findings: Sequence[Finding]
) -> RawTable:
    """The benchmark rows of all sweeps of a file; ``lines`` are its physical lines or records.

    Raises:
        FileRejected: when the source's dataset is another one, or the file holds no run.
    """
    runs = [_run(sweep) for sweep in sweeps]
    facts = [fact for number, sweep in enumerate(sweeps, start=1) for fact in _facts(sweep, number)]
    return to_table(request, "nccl", runs, lines, rejected=rejected, findings=findings, facts=facts)


def _run(sweep: Sweep) -> Run:
    run = Run(
        tool=sweep.tool,
        test=sweep.test,
        metric="busbw",
        unit=sweep.unit,
        hosts=sweep.hosts,
        ranks=sweep.ranks,
        sku=sweep.sku,
        tool_version=sweep.tool_version,
        stack=sweep.stack,
        command=sweep.command,
        started=sweep.measured_at,
        ended=sweep.ended_at,
        duration_s=sweep.duration_s,
        complete=sweep.complete and sweep.broken is None and not sweep.errors and bool(sweep.figures),
        correctness=sweep.correctness,
    )
    run.why = _why(sweep)
    run.findings += [*_findings(sweep)]
    statuses = _conflicts(sweep, run)
    wrong = sweep.correctness == "wrong"
    for figure in sweep.figures:
        for metric, value in (("busbw", figure.busbw), ("algbw", figure.algbw)):
            run.figures.append(
                Figure(
                    figure.row,
                    metric,
                    value,
                    sweep.unit,
                    size=figure.size,
                    placement=figure.placement,
                    correctness="wrong" if wrong else figure.correctness,
                    status=statuses.get((figure.row, figure.placement)),
                    given=figure.given,
                )
            )
    if sweep.average is not None and sweep.figures:
        mean = _mean(sweep, sweep.average, run)
        if mean.status == "conflict" and run.complete:
            # Rows are missing, doubled or changed, and nothing says which.
            run.figures = [replace(figure, status="conflict") for figure in run.figures]
        run.figures.append(mean)
    return run


def _why(sweep: Sweep) -> str:
    if sweep.errors:
        return f"the tool reports an error in line {sweep.errors[0][0]}: {sweep.errors[0][1]}"
    if sweep.broken is not None:
        return f"row {sweep.broken} of its table cannot be read"
    if not sweep.figures:
        return "there is no row of a table: the run gave no result"
    return sweep.why


def _mean(sweep: Sweep, average: str, run: Run) -> Figure:
    mean = sum(float(figure.busbw) for figure in sweep.figures) / len(sweep.figures)
    status: Status | None = "conflict" if sweep.unit != _UNIT else None
    if abs(mean - float(average)) > 0.006 + 1e-5 * mean:
        status = "conflict"
        message = (
            f"the footer's average {average} is not the mean {mean:.4f} of the rows: rows are missing, or were changed"
        )
        run.findings.append(Finding("average_mismatch", "warning", sweep.average_row, "value", average, message))
    return Figure(
        sweep.average_row, "busbw", average, sweep.unit, statistic="mean", status=status, outcome=sweep.average_said,
        given=sweep.average_given,
    )  # fmt: skip


def _findings(sweep: Sweep) -> Iterator[Finding]:
    first = sweep.figures[0].row if sweep.figures else None
    if sweep.figures and sweep.correctness == "wrong":
        rows = [figure.row for figure in sweep.figures if figure.correctness == "wrong"]
        message = f"wrong results (first in row {rows[0] if rows else 'unknown'}): the whole run counts as wrong"
        yield Finding("wrong_results", "error", rows[0] if rows else first, "correctness", None, message)
    elif sweep.figures and sweep.correctness == "unverified":
        message = "results were not checked (run without validation): unverified, which is not clean"
        yield Finding("unverified_results", "warning", first, "correctness", None, message)
    if sweep.test == UNKNOWN:
        message = "neither the log nor its name says which collective was run; name the file so: all_reduce_gpu001.log"
        yield Finding("test_unknown", "warning", first, "test", None, message)


def _conflicts(sweep: Sweep, run: Run) -> dict[tuple[int, Placement], Status]:
    """Figures that do not follow from each other, by row and placement."""
    if sweep.unit != _UNIT and sweep.figures:
        message = f"the table labels bandwidth {sweep.unit}, which the tool does not write: it writes {_UNIT}"
        run.findings.append(Finding("unit_conflict", "warning", sweep.figures[0].row, "unit", sweep.unit, message))
        return {(figure.row, figure.placement): "conflict" for figure in sweep.figures}
    by_time = [figure for figure in sweep.figures if not _follows_from_time(sweep, figure)]
    if by_time:
        figure = by_time[0]
        message = (
            f"algbw {figure.algbw} {sweep.unit} is not {figure.size} bytes in {figure.time} us: the figure or its unit "
            "was changed"
        )
        run.findings.append(Finding("algbw_time", "warning", figure.row, "value", figure.algbw, message))
    by_factor = _off_factor(sweep)
    if by_factor:
        figure = by_factor[-1]
        message = (
            f"busbw {figure.busbw} does not follow from algbw {figure.algbw}: {sweep.test} over {sweep.ranks or '?'} "
            f"ranks gives {float(figure.algbw) * (sweep.factor or _ratio(sweep)):.2f}"
        )
        run.findings.append(Finding("busbw_factor", "warning", figure.row, "value", figure.busbw, message))
    return {(figure.row, figure.placement): "conflict" for figure in (*by_time, *by_factor)}


def _follows_from_time(sweep: Sweep, figure: Figures) -> bool:
    """Whether size over time is the algorithm bandwidth, as far as the printed places tell (GB/s only)."""
    if not figure.time or float(figure.time) <= 0 or float(figure.algbw) < 0.1:
        return True
    expected = int(figure.size) / float(figure.time) / 1000.0
    share = half_step(figure.time) / float(figure.time) + 0.002
    return agree(figure.algbw, expected, 0.006, share)


def _ratio(sweep: Sweep) -> float:
    """The usual quotient of bus and algorithm bandwidth in the table."""
    quotients = [float(figure.busbw) / float(figure.algbw) for figure in sweep.figures if float(figure.algbw) >= 1.0]
    return median(quotients) if quotients else 0.0


def _off_factor(sweep: Sweep) -> list[Figures]:
    factor = sweep.factor or _ratio(sweep)
    if factor <= 0:
        return []
    return [
        figure
        for figure in sweep.figures
        if not agree(figure.busbw, float(figure.algbw) * factor, 0.006 + half_step(figure.algbw) * factor)
    ]


def _facts(sweep: Sweep, number: int) -> Iterator[Fact]:
    prefix = "" if number == 1 else f"table_{number}_"
    largest = max((figure for figure in sweep.figures), key=lambda figure: int(figure.size), default=None)
    yield Fact(f"{prefix}rows", len({figure.row for figure in sweep.figures}))
    if largest is not None:
        yield Fact(f"{prefix}largest_size", largest.size, "B")
        for figure in reversed([each for each in sweep.figures if each.size == largest.size]):
            yield Fact(f"{prefix}busbw_{figure.placement}", figure.busbw, sweep.unit, "at the largest size")
    if sweep.average is not None and sweep.figures:
        yield Fact(f"{prefix}average_busbw", sweep.average, sweep.unit, "mean of all sizes")
    yield Fact(f"{prefix}ranks", sweep.ranks)
    yield Fact(f"{prefix}hosts", len(sweep.hosts))
