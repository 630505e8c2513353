"""Figures of a report of nvidia-smi, and what it says against itself."""

from __future__ import annotations

from collections.abc import Iterator

from turnup.formats.dcim.nvidia_smi.report import COUNTERS, UNITS, Gpu, Report
from turnup.formats.model import Fact, Finding

_SHOWN = ("product", "serial", "mig", "retired_single_bit", "retired_double_bit", "retired_pending")


def facts(report: Report) -> list[Fact]:
    """Counts of GPUs and, per GPU in the order of the report, what it says of each."""
    found = [Fact("gpus", len({gpu.identity for gpu in report.gpus}))]
    for name, value in (("attached_gpus", report.attached), ("driver", report.driver), ("cuda", report.cuda)):
        if value is not None:
            number = value.number()
            found.append(Fact(name, int(number) if name == "attached_gpus" and number else value.text))
    for name in (*_SHOWN, *COUNTERS):
        texts = tuple(_shown(gpu, name) for gpu in report.gpus)
        if any(gpu.get(name) is not None for gpu in report.gpus):
            found.append(Fact(name, texts, UNITS.get(name, "")))
    errors = [total for gpu in report.gpus if (total := gpu.ecc_errors()) is not None]
    if errors:
        found.append(Fact("ecc_errors", sum(errors)))
    unknown = sum(
        not value.known and not value.faulty for gpu in report.gpus for name in COUNTERS if (value := gpu.get(name))
    )
    return [*found, Fact("counters_unknown", unknown, note="N/A or not supported; unknown, not 0")]


def _shown(gpu: Gpu, name: str) -> str:
    value = gpu.get(name)
    if value is None or not value.known:
        return "unknown"
    return value.number(UNITS.get(name, "")) or value.text


def findings(report: Report) -> Iterator[Finding]:
    """Counts that disagree, values that could not be read, GPUs that name no serial number."""
    seen = len({gpu.identity for gpu in report.gpus})
    attached = report.attached.number() if report.attached is not None else None
    if report.attached is not None and attached is not None and int(attached) != seen:
        message = f"the report says that {attached} GPUs are attached and describes {seen}: it is cut or filtered"
        yield Finding("count_mismatch", "error", report.attached.row, "attached_gpus", attached, message)
    for gpu in report.gpus:
        if gpu.faulty:
            message = (
                f"GPU {gpu.label}: {len(gpu.faulty)} values could not be read because of an error "
                f"({', '.join(gpu.faulty[:5])}): a sign of a fault, not a value"
            )
            yield Finding("value_unreadable", "error", gpu.row, gpu.faulty[0], gpu.values[gpu.faulty[0]].text, message)
    nameless = [gpu for gpu in report.gpus if gpu.get("serial") is not None and gpu.said("serial") is None]
    if nameless:
        message = f"{len(nameless)} GPUs give no serial number: not captured; their UUID stands for it"
        yield Finding("serial_not_captured", "info", nameless[0].row, "serial", None, message)
