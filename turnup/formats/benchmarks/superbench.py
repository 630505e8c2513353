"""SuperBench ``results-summary.jsonl``: one line a node, one key a figure.

A key is ``benchmark/metric:rank``; a benchmark may carry an annotation (``gpu-burn:long/``). The file names no units:
those that SuperBench's own documentation gives are used, and every other figure has the unit ``unknown``. A return code
that is not 0 means that the benchmark failed; what it lacks beside the other nodes is named, not filled in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from turnup.formats.benchmarks.lines import bare_line, read_log
from turnup.formats.benchmarks.measured import Figure, Run, given_of, is_number, to_table
from turnup.formats.content import load_json
from turnup.formats.model import Fact, FileRejected, RawTable, Rejected, Request

if TYPE_CHECKING:
    from turnup.formats.content import Content

_KEY = re.compile(r"^(?P<test>[^/]+(?:/[^/]+)*)/(?P<metric>[^/:]+)(?::(?P<rank>\d+))?$")
_UNITS = (
    (r"return_code$", "count"),
    (r"^kernel-launch/.*overhead", "ms"),
    (r"^(?:nccl|rccl)-bw.*_(?:busbw|algbw)", "GB/s"),
    (r"^(?:nccl|rccl)-bw.*_time", "us"),
    (r"^ib-loopback/IB_.*_Avg_", "MiB/s"),
    (r"^mem-bw/|^gpu-copy-bw|^gpu-sm-copy-bw/|^gpu-stream", "GB/s"),
    (r"^gemm-flops/(?:INT|.*_IOPS)", "Gop/s"),
    (r"^gemm-flops/", "GFLOPS"),
    (r"/steptime_", "ms"),
    (r"/throughput_", "samples/s"),
    (r"^(?:pytorch-)?(?:matmul|sharding-matmul|computation-communication-overlap)/", "ms"),
    (r"^pytorch-(?:matmul|sharding-matmul|computation-communication-overlap)/", "ms"),
)


def is_superbench(content: Content) -> bool:
    """Whether a text is a results summary of SuperBench: objects with a node and many keys of two parts."""
    first = bare_line(content.head_text.split("\n", 1)[0])
    if not first.lstrip().startswith("{") or '"node"' not in first:
        return False
    return len(re.findall(r'"[\w.:-]+(?:/[\w.-]+)+(?::\d+)?"\s*:', first)) >= 3


def parse_superbench(request: Request) -> RawTable:
    """Read a summary.

    Raises:
        FileRejected: when it has no node.
    """
    log = read_log(request)
    runs: list[Run] = []
    rejected: list[Rejected] = []
    keys: dict[str, set[str]] = {}
    for number, line in log.lines:
        if not line.strip():
            continue
        document = _document(line)
        if document is None:
            message = f"line {number} is no object of a node: cut, or broken by other output"
            given = given_of(line=line[:1000])
            rejected.append(Rejected(number, None, None, line[:100], "superbench_line", "JSON", message, given))
            continue
        run = _node(number, document)
        runs.append(run)
        keys[run.hosts[0]] = set(document)
    _missing(runs, keys)
    facts = [
        Fact("nodes", tuple(keys)),
        *(Fact(f"keys_{node}", len(seen)) for node, seen in sorted(keys.items())),
        Fact("figures", sum(len(run.figures) for run in runs)),
    ]
    return to_table(request, "superbench", runs, log.count, rejected=rejected, findings=log.findings, facts=facts)


def _document(line: str) -> dict[str, Any] | None:
    try:
        value = load_json(line).value
    except FileRejected:
        return None
    return value if isinstance(value, dict) and value.get("node") else None


def _node(number: int, document: dict[str, Any]) -> Run:
    run = Run("superbench", "superbench", "return_code", "count", hosts=[str(document["node"])], complete=True)
    for key, value in document.items():
        if (found := _KEY.match(key)) is not None:
            run.figures.append(_figure(number, key, found, value))
    run.why = "its line has no figure"
    run.complete = bool(run.figures)
    failed = [
        figure.test
        for figure in run.figures
        if figure.metric == "return_code" and (figure.value is None or float(figure.value) != 0)
    ]
    for test in failed:
        run.note("failed_benchmark", f"{document['node']}: {test} ended with a return code other than 0", number, test)
    unknown = sorted({figure.test for figure in run.figures if figure.unit == "unknown"})
    if unknown:
        run.note("unit_unknown", f"no unit is known for the figures of {', '.join(unknown[:6])}", number)
    return run


def _figure(number: int, key: str, found: re.Match[str], value: Any) -> Figure:
    test, metric, rank = found.group("test"), found.group("metric"), found.group("rank")
    unit = next((unit for pattern, unit in _UNITS if re.search(pattern, key)), "unknown")
    text = str(value)
    measured = text if is_number(text.removeprefix("-")) and not isinstance(value, bool) else None
    if measured is not None and metric != "return_code" and measured.startswith("-"):
        measured = None
    return Figure(
        number, metric, measured, unit, test=test, member=rank if rank is not None else "all",
        status=None if measured is not None else "not_measured", given=given_of(key=key, value=text),
    )  # fmt: skip


def _missing(runs: Sequence[Run], keys: dict[str, set[str]]) -> None:
    """Name the keys that a node lacks and another one has."""
    everything = set().union(*keys.values()) if keys else set()
    for run in runs:
        lacking = sorted(everything - keys[run.hosts[0]])
        if lacking:
            tests = sorted({key.split("/")[0] for key in lacking})
            message = f"{run.hosts[0]} lacks {len(lacking)} metrics that other nodes have ({', '.join(tests)})"
            run.note("missing_metrics", message, run.figures[0].row if run.figures else None, str(len(lacking)))
