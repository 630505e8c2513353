"""MLPerf Storage (its report, and DLIO's summary of one run) and MLPerf training logs.

Storage: a run counts only with accelerator utilisation at its limit, which DLIO judges itself (``success``); figures of
hosts that were not collected are zeros. Training: time from ``run_start`` to ``run_stop``, with status success. Several
runs may stand in one log, and each is a run of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import fmean
from typing import TYPE_CHECKING, Any

from turnup.formats.benchmarks.documents import Documents, Found, at, documents, mentions, need_documents
from turnup.formats.benchmarks.lines import read_log
from turnup.formats.benchmarks.measured import Figure, Run, Status, given_of, number_or_none, to_table
from turnup.formats.model import Fact, RawTable, Rejected, Request

if TYPE_CHECKING:
    from turnup.formats.content import Content

_MARK = re.compile(r":::MLLOG\s*(\{.*\})\s*$")
_ANY_MARK = re.compile(r":::MLLOG\b")


def is_storage_report(content: Content) -> bool:
    """Whether a text holds a report of MLPerf Storage."""
    return mentions(content, r'"train_throughput_mean_MB_per_second"\s*:', r'"overall"\s*:')


def is_dlio_summary(content: Content) -> bool:
    """Whether a text holds DLIO's summary of one run."""
    return mentions(content, r'"train_au_(?:mean_)?percentage"\s*:')


def parse_storage_report(request: Request) -> RawTable:
    """Read a report.

    Raises:
        FileRejected: when there is none.
    """
    held = documents(request, key="overall")
    need_documents(held, "mlperf-storage")
    facts: list[Fact] = []
    runs = [_report(found, facts) for found in held.found]
    return _storage_table(request, held, runs, facts)


def _storage_table(request: Request, held: Documents, runs: list[Run], facts: list[Fact]) -> RawTable:
    if held.broken is not None:
        runs.append(Run("mlperf-storage", "mlperf_storage", "throughput", "MB/s", why=held.reason))
    return to_table(request, "mlperf-storage", runs, held.lines, findings=held.findings, facts=facts)


def _report(found: Found, facts: list[Fact]) -> Run:
    overall = found.value.get("overall")
    overall = overall if isinstance(overall, dict) else {}
    model = str(overall.get("model") or "unknown")
    run = Run("mlperf-storage", f"mlperf_storage_{model}", "throughput", "MB/s", complete=True)
    run.sku = str(overall["accelerator"]) if overall.get("accelerator") else None
    accelerators = str(overall.get("train_num_accelerators") or "")
    run.ranks = int(accelerators) if accelerators.isdigit() else 0
    listed = found.value.get("runs")
    each = listed if isinstance(listed, dict) else {}
    for name, row in sorted(each.items()):
        given = given_of(run=name)
        for key, metric, unit in _THROUGHPUTS:
            value = number_or_none(at(row, key))
            run.figures.append(Figure(found.row, metric, value, unit, member=name, given=given,
                                      status=None if value else "not_measured"))  # fmt: skip
    for key, metric, unit, part in _MEANS:
        _mean(run, found, metric, unit, str(overall.get(key)), [at(row, part) for row in each.values()])
    count = str(overall.get("num_benchmark_runs") or "")
    if count.isdigit() and int(count) != len(each):
        run.complete, run.why = False, f"{len(each)} of {count} runs are in the report"
    facts += [
        Fact("accelerators", accelerators), Fact("report_runs", len(each)), Fact("model", model),
        *(
            Fact(f"mean_{metric}", f"{float(figure.value):.2f}", figure.unit)
            for figure in run.figures
            for metric in [figure.metric]
            if figure.statistic == "mean" and figure.value is not None
        ),
    ]  # fmt: skip
    return run


_THROUGHPUTS = (
    ("train_throughput_MB_per_second", "throughput", "MB/s"),
    ("train_throughput_samples_per_second", "sample_rate", "samples/s"),
)
_MEANS = (
    ("train_throughput_mean_MB_per_second", "throughput", "MB/s", "train_throughput_MB_per_second"),
    ("train_throughput_mean_samples_per_second", "sample_rate", "samples/s", "train_throughput_samples_per_second"),
)


def _mean(run: Run, found: Found, metric: str, unit: str, mean: str, parts: Sequence[Any]) -> None:
    """A mean that the document states; it must be the mean of the parts it also states."""
    value = number_or_none(mean)
    values = [float(text) for part in parts if (text := number_or_none(part)) is not None]
    status: Status | None = None if value is not None else "not_measured"
    if value is not None and values and abs(fmean(values) - float(value)) > 0.001 * float(value):
        status = "conflict"
        run.note(
            "mean_mismatch", f"the mean of {metric} is {value}, of its parts {fmean(values):.6g}", found.row, value
        )
    run.figures.append(Figure(found.row, metric, value, unit, "mean", status=status, given=given_of(mean=mean)))


def parse_dlio_summary(request: Request) -> RawTable:
    """Read the summary of a run.

    Raises:
        FileRejected: when there is none.
    """
    held = documents(request, key="metric")
    need_documents(held, "mlperf-storage")
    facts: list[Fact] = []
    runs = [_summary(found, facts, request.content.name) for found in held.found]
    return _storage_table(request, held, runs, facts)


def _summary(found: Found, facts: list[Fact], name: str) -> Run:
    document = found.value
    metric = document.get("metric") if isinstance(document.get("metric"), dict) else {}
    model = next((word for word in ("unet3d", "resnet50", "cosmoflow") if word in name.lower()), "")
    run = Run("dlio", f"mlperf_storage_{model}".rstrip("_"), "throughput", "MB/s")
    run.hosts = [str(document["hostname"])] if document.get("hostname") else []
    run.started, run.ended = _text(document, "start"), _text(document, "end")
    run.ranks = int(str(document.get("num_accelerators") or 0))
    run.complete = run.ended is not None
    run.why = "the summary has no end"
    said = str(metric.get("train_au_meet_expectation") or "")
    outcome = {"success": "pass", "fail": "fail"}.get(said, said or None)
    for key, ours, unit, parts in (
        ("train_au_mean_percentage", "accelerator_utilization", "%", "train_au_percentage"),
        ("train_throughput_mean_samples_per_second", "sample_rate", "samples/s", "train_throughput_samples_per_second"),
        ("train_io_mean_MB_per_second", "throughput", "MB/s", ""),
    ):
        listed = metric.get(parts)
        _mean(run, found, ours, unit, str(metric.get(key)), listed if isinstance(listed, list) else [])
    run.figures = [Figure(**{**figure.__dict__, "outcome": outcome}) for figure in run.figures]
    _collected(run, document, facts)
    facts += [Fact(f"{f.metric}", f"{float(f.value):.3f}", f.unit) for f in run.figures if f.value is not None]
    facts += [Fact("expectation", said)]
    return run


def _text(document: dict[str, Any], key: str) -> str | None:
    return str(document[key]) if document.get(key) else None


def _collected(run: Run, document: dict[str, Any], facts: list[Fact]) -> None:
    counts = document.get("host_cpu_count")
    hosts = int(str(document.get("num_hosts") or 0))
    zeros = sum(str(count) == "0" for count in counts) if isinstance(counts, list) else 0
    facts += [Fact("hosts", hosts), Fact("hosts_not_collected", zeros)]
    if zeros:
        run.note("hosts_not_collected", f"{zeros} of {hosts} hosts have 0 CPUs: their data were not collected")
    caching = document.get("potential_caching")
    cached = sum(str(flag) not in ("0", "false") for flag in caching) if isinstance(caching, list) else 0
    if cached:
        run.note("potential_caching", f"{cached} of {hosts} hosts had memory enough to cache the data set")


def is_training_log(content: Content) -> bool:
    """Whether a text is an MLPerf training log."""
    return mentions(content, r":::MLLOG\b")


@dataclass
class _Training:
    run: Run
    started: int | None = None


def parse_training_log(request: Request) -> RawTable:
    """Read a log with one or several runs.

    Raises:
        FileRejected: when it has none.
    """
    log = read_log(request)
    found: list[_Training] = []
    said: dict[str, str] = {}
    rejected: list[Rejected] = []
    for number, line in log.lines:
        if not _ANY_MARK.search(line):
            continue
        event = _event(line)
        if event is None:
            message = f"line {number} begins as an MLPerf event and is none: cut, or broken by other output"
            given = given_of(line=line)
            rejected.append(Rejected(number, None, None, line[:200], "mlperf_line", "JSON", message, given))
        else:
            _take(found, said, number, event)
    runs = [each.run for each in found] or [Run("mlperf-training", "mlperf_training", "time_to_train", "s")]
    for run in runs:
        run.hosts = [log.host] if log.host else []
        run.test = f"mlperf_training_{said.get('submission_benchmark', '')}".rstrip("_")
        run.sku = said.get("submission_platform")
    complete = [figure.value or "" for run in runs for figure in run.figures if figure.metric == "time_to_train"]
    facts = [Fact("training_runs", len(found)), Fact("times_to_train", tuple(complete), "s")]
    return to_table(request, "mlperf-training", runs, log.count, rejected=rejected, findings=log.findings, facts=facts)


def _event(line: str) -> dict[str, Any] | None:
    mark = _MARK.search(line)
    try:
        value = json.loads(mark.group(1), parse_int=str, parse_float=str) if mark else None
    except (json.JSONDecodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _take(found: list[_Training], said: dict[str, str], number: int, event: dict[str, Any]) -> None:
    key, stamp = str(event.get("key")), str(event.get("time_ms"))
    if key.startswith("submission_"):
        said[key] = str(event.get("value"))
    elif key == "run_start" and stamp.isdigit():
        run = Run("mlperf-training", "mlperf_training", "time_to_train", "s", correctness="unverified")
        run.started = _instant(stamp)
        run.why = "there is no run_stop after its run_start: the run was stopped, or the log is cut"
        found.append(_Training(run, int(stamp)))
    elif key == "run_stop" and stamp.isdigit():
        _stop(found, number, int(stamp), str(at(event, "metadata", "status") or ""))
    elif key == "eval_accuracy" and found and (value := number_or_none(event.get("value"))) is not None:
        epoch = str(at(event, "metadata", "epoch_num") or at(event, "metadata", "samples_count") or number)
        found[-1].run.figures.append(
            Figure(number, "eval_accuracy", value, "native", member=f"epoch {epoch}", given=given_of(value=value))
        )


def _stop(found: list[_Training], number: int, stamp: int, status: str) -> None:
    if not found or found[-1].run.complete or found[-1].started is None:
        return
    training, run = found[-1], found[-1].run
    span = stamp - (training.started or 0)
    good = status == "success"
    run.ended = _instant(str(stamp))
    run.duration_s = f"{span / 1000:g}"
    run.complete = span >= 0
    run.correctness = "clean" if good else "wrong"
    if not good:
        run.note("run_status", f"run_stop has status '{status or 'none'}': the run did not reach its target", number)
    value = f"{span / 1000:.3f}" if span >= 0 else None
    run.figures.append(
        Figure(number, "time_to_train", value, "s", outcome="pass" if good else "fail",
               status=None if value else "conflict", given=given_of(run_start=training.started, run_stop=stamp))
    )  # fmt: skip


def _instant(milliseconds: str) -> str:
    moment = datetime.fromtimestamp(int(milliseconds) / 1000, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
