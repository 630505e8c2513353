"""Figures of runs, and how they become rows of the benchmarks dataset.

A figure is what the tool printed, in the tool's own unit. Nothing is converted, and nothing is filled in: what was not
measured is a row without a value whose ``status`` says why. A run is complete only when its reader found the mark by
which the tool says that it is done.
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
from turnup.formats.benchmarks.lines import redacted
from turnup.formats.content import canonical
from turnup.formats.model import Fact, FileRejected, Finding, Ledger, RawTable, Rejected, Request

Correctness = Literal["clean", "wrong", "unverified", "not_applicable"]
Placement = Literal["out_of_place", "in_place", "none"]
Status = Literal["valid", "incomplete", "not_measured", "waived", "skipped", "tool_error", "conflict"]
UNKNOWN = "unknown"
_NUMBER = re.compile(r"^\d+(?:\.\d*)?(?:e[+-]?\d{1,3})?$|^\.\d+$", re.IGNORECASE)
_LONGEST = 4000


@dataclass(frozen=True)
class Figure:
    """One figure of a run.

    Attributes:
        row: line or record that shows it.
        value: as printed; None when nothing was measured.
        unit: the unit that the number is in, which is the tool's own.
        size: message or block size in bytes.
        member: the GPU, link, pair or job it belongs to.
        test: when it is not the run's.
        correctness: when it is not the run's.
        status: when it is not what follows from the run.
        outcome: what the tool itself said.
        given: the evidence as delivered, JSON.
    """

    row: int
    metric: str
    value: str | None
    unit: str
    statistic: str = "value"
    size: str = "0"
    placement: Placement = "none"
    direction: str = "none"
    member: str = "all"
    test: str = ""
    correctness: Correctness | None = None
    status: Status | None = None
    outcome: str | None = None
    given: str = "{}"


@dataclass
class Run:
    """One run of a tool.

    Attributes:
        metric: the figure it exists for; recorded without a value when the run gave none.
        why: why it is not complete.
        failed: what went wrong in the tool itself, which says nothing about the hardware.
        correctness: of results that the tool checks; ``not_applicable`` for a tool that computes none.
    """

    tool: str
    test: str
    metric: str
    unit: str
    figures: list[Figure] = field(default_factory=list)
    hosts: list[str] = field(default_factory=list)
    ranks: int = 0
    sku: str | None = None
    tool_version: str | None = None
    stack: str | None = None
    command: str | None = None
    started: str | None = None
    ended: str | None = None
    duration_s: str | None = None
    planned_s: str | None = None
    complete: bool = False
    why: str = "the mark that ends such a log is missing: it is cut, or the run was stopped"
    failed: str | None = None
    correctness: Correctness = "not_applicable"
    findings: list[Finding] = field(default_factory=list)

    def note(self, code: str, message: str, row: int | None = None, value: str | None = None) -> None:
        """Add a warning."""
        self.findings.append(Finding(code, "warning", row, None, value, message))


def is_number(text: str) -> bool:
    """Whether a text is a plain finite number without sign; ``nan`` and ``inf`` are not."""
    return _NUMBER.match(text) is not None


def number_or_none(value: object) -> str | None:
    """A JSON value or word as a figure, or None when it is no number."""
    text = str(value).strip()
    return text if not isinstance(value, bool) and is_number(text) else None


def given_of(**fields: str | int | None) -> str:
    """A result as delivered, as JSON."""
    return canonical(fields)


def run_id(request: Request) -> str:
    """Name of the run: file name and the start of the content's hash, so that equal names stay apart."""
    stem = re.sub(r"\.[^.]*$", "", request.content.name.rpartition("/")[2])
    return f"{stem}-{sha256(request.content.data).hexdigest()[:8]}"


def stamp_of_name(name: str) -> str | None:
    """The day, and time if any, that a file name bears."""
    found = re.search(r"(\d{4})-?(\d\d)-?(\d\d)(?:[T_-]?(\d\d)[:-]?(\d\d)(?:[:-]?(\d\d))?)?(?!\d)", name)
    if found is None or not ("01" <= found.group(2) <= "12" and "01" <= found.group(3) <= "31"):
        return None
    hour, minute, second = (found.group(index) or "00" for index in (4, 5, 6))
    return f"{found.group(1)}-{found.group(2)}-{found.group(3)} {hour}:{minute}:{second}"


def to_table(
    request: Request,
    form: str,
    runs: Sequence[Run],
    lines: int,
    *,
    rejected: Sequence[Rejected] = (),
    findings: Sequence[Finding] = (),
    facts: Sequence[Fact] = (),
) -> RawTable:
    """The benchmark rows of all runs of a file; ``lines`` are its physical lines or records.

    Raises:
        FileRejected: ``other_dataset`` when the source's dataset is another one, ``no_result`` when there is no run.
    """
    require_dataset(request, form, "benchmarks")
    if not runs and not rejected:
        raise FileRejected("no_result", f"no run of {form} in this file: nothing was evaluated", expected=f"{form} log")
    found = [*findings, *_timed(request, runs)]
    rows = [row for number, run in enumerate(runs, start=1) for row in _rows(request, run, number)]
    said = "node" in request.source.defaults
    found += [finding for run in runs for finding in _findings(run, node_said=said)]
    bearing = len({row["_row"] for row in rows} - {0})
    other = max(0, lines - bearing - len(rejected))
    ledger = Ledger(lines=len(rows) + other + len(rejected), data=len(rows), other=other, rejected=len(rejected))
    frame = pl.DataFrame(rows, schema=_SCHEMA)
    table = adapted(request, form, frame, ledger, found, rejected=rejected, facts=[*_facts(runs), *facts])
    named = table.frame.with_columns(pl.col("node").fill_null(UNKNOWN))
    return RawTable(form, table.dataset, named, ledger, table.rejected, table.findings, table.columns, table.facts)


def require_dataset(request: Request, form: str, dataset: str) -> None:
    """Refuse a source that wants another dataset from this format.

    Raises:
        FileRejected: ``other_dataset``.
    """
    if request.contract.name != dataset:
        message = f"{form} feeds {dataset}, not {request.contract.name}; write 'dataset: {dataset}' in the source"
        raise FileRejected("other_dataset", message, value=request.contract.name, expected=dataset)


_TEXTS = (
    "run", "node", "test", "metric", "statistic", "size_bytes", "placement", "direction", "member", "value", "unit",
    "status", "outcome", "measured_at", "ended_at", "duration_s", "planned_s", "tool", "tool_version", "command", "sku",
    "stack", "ranks", "correctness", "complete", "_sheet", "_given",
)  # fmt: skip
_SCHEMA: dict[str, pl.DataType] = {name: pl.String() for name in _TEXTS} | {"_row": pl.Int64()}


def _timed(request: Request, runs: Sequence[Run]) -> Iterator[Finding]:
    """Give runs without a time the one in the file's name, when the source says which zone that is in."""
    stamp = stamp_of_name(request.content.name) if request.source.time_zone else None
    silent = [run for run in runs if run.started is None]
    if stamp is None or not silent:
        return
    for run in silent:
        run.started = stamp
    message = f"the log has no time; {stamp} is taken from its file name"
    yield Finding("time_from_name", "info", None, "measured_at", stamp, message)


def _rows(request: Request, run: Run, number: int) -> Iterator[dict[str, str | int | None]]:
    common = _common(request, run, number)
    figures = run.figures or [
        Figure(0, run.metric, None, run.unit, given=given_of(reason=(run.failed or run.why)[:_LONGEST]))
    ]
    seen: Counter[tuple[str, ...]] = Counter()
    for figure in figures:
        key = (figure.test, figure.metric, figure.statistic, figure.size, figure.placement, figure.direction,
               figure.member)  # fmt: skip
        seen[key] += 1
        yield common | _cells(run, figure, seen[key])


def _common(request: Request, run: Run, number: int) -> dict[str, str | int | None]:
    return {
        "run": run_id(request) + (f".{number}" if number > 1 else ""),
        "node": ",".join(_named(run.hosts)) or None,
        "test": run.test,
        "measured_at": run.started,
        "ended_at": run.ended,
        "duration_s": run.duration_s,
        "planned_s": run.planned_s,
        "tool": run.tool,
        "tool_version": run.tool_version,
        "command": redacted(run.command)[:_LONGEST] if run.command else None,
        "sku": run.sku,
        "stack": run.stack,
        "ranks": str(run.ranks) if run.ranks else None,
        "complete": "true" if run.complete else "false",
    }


def _named(hosts: Sequence[str]) -> list[str]:
    """The hosts that have a name of their own: every machine is ``localhost`` to itself."""
    return [host for host in hosts if host.casefold().partition(".")[0] != "localhost"]


def _cells(run: Run, figure: Figure, again: int) -> dict[str, str | int | None]:
    repeated = f" repeat {again}" if again > 1 else ""
    statistic = f"{figure.statistic}{repeated}" if figure.statistic != "value" else repeated.strip() or "value"
    return {
        **({"test": figure.test} if figure.test else {}),
        "metric": figure.metric,
        "statistic": statistic,
        "size_bytes": figure.size,
        "placement": figure.placement,
        "direction": figure.direction,
        "member": figure.member,
        "value": figure.value,
        "unit": figure.unit,
        "status": figure.status or _status(run, figure),
        "outcome": figure.outcome,
        "correctness": figure.correctness or run.correctness,
        "_row": figure.row,
        "_sheet": _label(figure) + repeated,
        "_given": figure.given,
    }


def _status(run: Run, figure: Figure) -> Status:
    if figure.value is None:
        return "tool_error" if run.failed else "not_measured" if run.complete else "incomplete"
    return "valid" if run.complete else "incomplete"


def _label(figure: Figure) -> str:
    """What tells the figures of one line apart."""
    parts = [figure.test, figure.direction, figure.member, figure.placement, figure.metric, figure.statistic]
    return " ".join(part for part in parts if part not in ("", "none", "all", "value"))


def _findings(run: Run, *, node_said: bool) -> Iterator[Finding]:
    first = min((figure.row for figure in run.figures), default=None)
    yield from run.findings
    if run.failed:
        yield Finding(
            "tool_error", "error", None, None, None, f"{run.tool} failed: {run.failed}; nothing was evaluated"
        )
    elif not run.complete:
        yield Finding("incomplete", "warning", first, None, None, f"{run.tool} {run.test}: {run.why}")
    if not _named(run.hosts) and not node_said:
        message = f"the log names no host; set defaults: {{node: ...}} in the source, else the node is '{UNKNOWN}'"
        yield Finding("node_unknown", "warning", first, "node", None, message)


def _facts(runs: Sequence[Run]) -> list[Fact]:
    return [Fact("runs", len(runs)), Fact("complete_runs", sum(run.complete for run in runs))]
