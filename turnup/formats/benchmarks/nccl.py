"""nccl-tests results to benchmarks: one row per size, placement and metric, and the average of a sweep.

The figure at a size is ``busbw`` or ``algbw`` with statistic ``value`` (``repeat 2`` and so on when a size was run
again); the footer's average is ``busbw`` with statistic ``mean`` at size 0. GB/s are 1e9 bytes a second. A run with any
wrong result is wrong as a whole: no other size of it may pass for clean. ``complete`` needs the footer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal

import polars as pl

from turnup.formats.adapted import adapted
from turnup.formats.content import canonical
from turnup.formats.model import FileRejected, Finding, Ledger, RawTable, Rejected, Request

Correctness = Literal["clean", "wrong", "unverified"]
Placement = Literal["out_of_place", "in_place"]
UNKNOWN = "unknown"
_COLLECTIVES = (
    "all_reduce", "all_gather", "reduce_scatter", "alltoall", "broadcast", "reduce", "sendrecv", "scatter", "gather",
    "hypercube",
)  # fmt: skip
_NUMBER = re.compile(r"^\d+(?:\.\d+)?(?:e[+-]?\d{1,2})?$", re.IGNORECASE)
_FACTOR_OF_N = {"all_reduce": 2.0, "reduce_scatter": 1.0, "all_gather": 1.0, "alltoall": 1.0}


@dataclass(frozen=True)
class Figures:
    """What one placement of one size measured; bandwidths as written."""

    row: int
    size: str
    placement: Placement
    algbw: str
    busbw: str
    correctness: Correctness
    given: str


@dataclass
class Sweep:
    """One table of a run: its figures and what is said about it."""

    figures: list[Figures] = field(default_factory=list)
    test: str = UNKNOWN
    hosts: list[str] = field(default_factory=list)
    ranks: int = 0
    sku: str | None = None
    tool_version: str | None = None
    stack: str | None = None
    measured_at: str | None = None
    duration_s: str | None = None
    unit: str = "GB/s"
    average: str | None = None
    average_row: int = 0
    average_given: str = "{}"
    complete: bool = False
    bounds_failed: bool = False

    @property
    def correctness(self) -> Correctness:
        """Of the sweep as a whole: the worst of its figures."""
        seen = {figure.correctness for figure in self.figures}
        if self.bounds_failed or "wrong" in seen:
            return "wrong"
        return "unverified" if "unverified" in seen or not seen else "clean"


def test_name(text: str) -> str:
    """The collective that a text names, such as ``all_reduce`` from ``allreduce_8xA100.log``, or ``unknown``."""
    flat = re.sub(r"[^a-z]", "", text.lower())
    for name in _COLLECTIVES:
        if name.replace("_", "") in flat:
            return name
    return UNKNOWN


def is_number(text: str) -> bool:
    """Whether a text is a plain finite number; ``nan`` and ``inf`` are not."""
    return _NUMBER.match(text) is not None


def run_id(request: Request) -> str:
    """Name of the run: file name and the start of the content's hash, so that equal names stay apart."""
    stem = re.sub(r"\.[^.]*$", "", request.content.name.rpartition("/")[2])
    return f"{stem}-{sha256(request.content.data).hexdigest()[:8]}"


def to_table(
    request: Request, sweeps: Sequence[Sweep], lines: int, rejected: Sequence[Rejected], findings: Sequence[Finding]
) -> RawTable:
    """The benchmark rows of all sweeps of a file; ``lines`` are its physical lines or records.

    Raises:
        FileRejected: ``nccl`` when the source's dataset is another one, or the file holds no figure.
    """
    if request.contract.name != "benchmarks":
        message = f"nccl-tests results feed benchmarks, not {request.contract.name}"
        raise FileRejected("nccl", message, value=request.contract.name, expected="benchmarks")
    rows = [row for number, sweep in enumerate(sweeps, start=1) for row in _rows(request, sweep, number)]
    if not rows and not rejected:
        raise FileRejected("nccl", "no result in this log: the test was not evaluated", expected="rows of nccl-tests")
    found = [*findings, *(finding for sweep in sweeps for finding in _findings(sweep))]
    bearing = len({row["_row"] for row in rows})
    other = max(0, lines - bearing - len(rejected))
    ledger = Ledger(lines=len(rows) + other + len(rejected), data=len(rows), other=other, rejected=len(rejected))
    frame = pl.DataFrame(rows, schema=_SCHEMA)
    table = adapted(request, "nccl", frame, ledger, found)
    named = table.frame.with_columns(pl.col("node").fill_null(UNKNOWN))
    return RawTable("nccl", table.dataset, named, ledger, tuple(rejected), table.findings, table.columns)


_TEXTS = (
    "run", "node", "test", "metric", "statistic", "size_bytes", "placement", "value", "unit", "measured_at",
    "duration_s", "tool", "tool_version", "sku", "stack", "ranks", "correctness", "complete", "_sheet", "_given",
)  # fmt: skip
_SCHEMA: dict[str, pl.DataType] = {name: pl.String() for name in _TEXTS} | {"_row": pl.Int64()}


def _rows(request: Request, sweep: Sweep, number: int) -> Iterator[dict[str, str | int | None]]:
    """The rows of one sweep; a run with wrong results is wrong at every size."""
    common = _common(request, sweep, number)
    wrong = sweep.correctness == "wrong"
    seen: Counter[tuple[str, str]] = Counter()
    for figure in sweep.figures:
        seen[figure.size, figure.placement] += 1
        again = seen[figure.size, figure.placement]
        for metric, value in (("busbw", figure.busbw), ("algbw", figure.algbw)):
            yield common | {
                "metric": metric,
                "statistic": "value" if again == 1 else f"repeat {again}",
                "size_bytes": figure.size,
                "placement": figure.placement,
                "value": value,
                "correctness": "wrong" if wrong else figure.correctness,
                "_row": figure.row,
                "_sheet": f"{figure.placement} {metric}",
                "_given": figure.given,
            }
    if sweep.average is not None:
        yield common | _mean(sweep, sweep.average)


def _common(request: Request, sweep: Sweep, number: int) -> dict[str, str | int | None]:
    return {
        "run": run_id(request) + (f".{number}" if number > 1 else ""),
        "node": ",".join(sweep.hosts) or None,
        "test": sweep.test,
        "unit": sweep.unit,
        "measured_at": sweep.measured_at,
        "duration_s": sweep.duration_s,
        "tool": "nccl-tests",
        "tool_version": sweep.tool_version,
        "sku": sweep.sku,
        "stack": sweep.stack,
        "ranks": str(sweep.ranks) if sweep.ranks else None,
        "complete": "true" if sweep.complete else "false",
    }


def _mean(sweep: Sweep, average: str) -> dict[str, str | int | None]:
    return {
        "metric": "busbw",
        "statistic": "mean",
        "size_bytes": "0",
        "placement": "none",
        "value": average,
        "correctness": sweep.correctness,
        "_row": sweep.average_row,
        "_sheet": "average busbw",
        "_given": sweep.average_given,
    }


def _findings(sweep: Sweep) -> Iterator[Finding]:
    first = sweep.figures[0].row if sweep.figures else None
    if not sweep.complete:
        message = "the footer is missing: the log is cut or the run was stopped; its figures are not complete"
        yield Finding("incomplete", "warning", first, None, None, message)
    if sweep.correctness == "wrong":
        rows = [figure.row for figure in sweep.figures if figure.correctness == "wrong"]
        message = f"wrong results (first in row {rows[0] if rows else 'unknown'}): the whole run counts as wrong"
        yield Finding("wrong_results", "error", rows[0] if rows else first, "correctness", None, message)
    elif sweep.correctness == "unverified":
        message = "results were not checked (run without validation): unverified, which is not clean"
        yield Finding("unverified_results", "warning", first, "correctness", None, message)
    if not sweep.hosts:
        message = f"the log names no host; set defaults: {{node: ...}} in the source, else the node is '{UNKNOWN}'"
        yield Finding("node_unknown", "warning", first, "node", None, message)
    if sweep.test == UNKNOWN:
        message = "neither the log nor its name says which collective was run"
        yield Finding("test_unknown", "warning", first, "test", None, message)
    yield from _plausible(sweep)


def _plausible(sweep: Sweep) -> Iterator[Finding]:
    """Recompute bus bandwidth from algorithm bandwidth: factor 2(n-1)/n or (n-1)/n (nccl-tests, PERFORMANCE.md)."""
    factor = _FACTOR_OF_N.get(sweep.test, 0.0) * (sweep.ranks - 1) / max(sweep.ranks, 1)
    largest = max((int(figure.size) for figure in sweep.figures), default=0)
    for figure in sweep.figures:
        expected = float(figure.algbw) * factor
        off = abs(float(figure.busbw) - expected) > 0.02 + 0.005 * expected
        if int(figure.size) == largest and factor > 0 and off:
            message = (
                f"busbw {figure.busbw} does not follow from algbw {figure.algbw}: {sweep.test} over {sweep.ranks} "
                f"ranks gives {expected:.2f}"
            )
            yield Finding("busbw_factor", "warning", figure.row, "value", figure.busbw, message)
    if sweep.average is not None and sweep.figures:
        mean = sum(float(figure.busbw) for figure in sweep.figures) / len(sweep.figures)
        if abs(mean - float(sweep.average)) > 0.01 + 0.002 * mean:
            message = f"the footer's average {sweep.average} is not the mean {mean:.4f} of the rows; rows win"
            yield Finding("average_mismatch", "warning", sweep.average_row, "value", sweep.average, message)


def given_of(**fields: str | int | None) -> str:
    """A result as delivered, as JSON."""
    return canonical(fields)
