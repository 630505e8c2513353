"""nccl-tests ``-J`` documents (version 3) and JSON lines of rccl-tests. The environment in them is never kept.

``okay`` is the text ``"true"`` or ``"false"``; ``nwrong`` is null when results were not checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from turnup.formats.benchmarks.nccl import (
    Correctness,
    Figures,
    Placement,
    Sweep,
    given_of,
    is_number,
    test_name,
    to_table,
)
from turnup.formats.model import FileRejected, RawTable, Rejected, Request

_PLACES: tuple[Placement, ...] = ("out_of_place", "in_place")


def is_nccl_json(document: Any) -> bool:
    """Whether a document is a result of nccl-tests."""
    if not isinstance(document, dict) or not isinstance(document.get("results"), list):
        return False
    return "average_bus_bandwidth" in document or any(
        isinstance(row, dict) and ("out_of_place" in row or "in_place" in row) for row in document["results"][:1]
    )


def parse_nccl_json(request: Request) -> RawTable:
    """Read one document.

    Raises:
        FileRejected: ``nccl`` when it holds no result.
    """
    document = request.content.document.value
    if not is_nccl_json(document):
        raise FileRejected("nccl", "this document is no result of nccl-tests", expected="nccl-tests -J output")
    results = [row for row in document["results"] if isinstance(row, dict)]
    sweep = _described(document, results, request.content.name)
    rejected: list[Rejected] = []
    for number, row in enumerate(results, start=1):
        for place in _PLACES:
            cell = row.get(place)
            if isinstance(cell, Mapping):
                _take(sweep, rejected, number, row, place, cell)
    average = document.get("average_bus_bandwidth")
    if isinstance(average, Mapping) and is_number(str(average.get("bandwidth"))):
        sweep.average = str(average["bandwidth"])
        sweep.average_row = len(results) + 1
        sweep.average_given = given_of(bandwidth=sweep.average, okay=str(average.get("okay")))
    sweep.complete = document.get("end_time") is not None and sweep.average is not None
    return to_table(request, [sweep], len(results) + (sweep.average is not None), rejected, [])


def _take(
    sweep: Sweep,
    rejected: list[Rejected],
    number: int,
    row: Mapping[str, Any],
    place: Placement,
    cell: Mapping[str, Any],
) -> None:
    """One placement of a result; figures that are no numbers (``"nan"``, null) refuse it."""
    figures = _figures(number, row, place, cell)
    if figures.size.isdigit() and is_number(figures.algbw) and is_number(figures.busbw):
        sweep.figures.append(figures)
        return
    message = (
        f"result {number}, {place}: size {figures.size}, alg_bw {figures.algbw}, bus_bw {figures.busbw}: no figures"
    )
    expected = "a size and two numbers"
    rejected.append(Rejected(number, place, None, figures.busbw, "nccl_row", expected, message, figures.given))


def _described(document: Mapping[str, Any], results: list[dict[str, Any]], name: str) -> Sweep:
    config = document.get("config")
    devices = config.get("devices", []) if isinstance(config, Mapping) else []
    devices = [device for device in devices if isinstance(device, Mapping)]
    bounds = document.get("out_of_bounds")
    args = document.get("args")
    said = [str(row.get("experiment_name") or "") for row in results[:1]] + [str(args[0]) if args else "", name]
    return Sweep(
        test=next((found for text in said if (found := test_name(text)) != "unknown"), "unknown"),
        hosts=list(dict.fromkeys(str(device.get("hostname")) for device in devices if device.get("hostname"))),
        ranks=_ranks(config, devices),
        sku=next((str(device["device_info"]) for device in devices if device.get("device_info")), None),
        stack=_nccl_version(document.get("nccl_version")),
        measured_at=document.get("start_time"),
        duration_s=_seconds(document.get("start_time"), document.get("end_time")),
        bounds_failed=isinstance(bounds, Mapping) and str(bounds.get("okay")).lower() == "false",
    )


def _ranks(config: Any, devices: list[Mapping[str, Any]]) -> int:
    """Ranks of the run: the listed devices, unless the list is shorter than threads x GPUs say."""
    product = 1
    for key in ("nthreads", "ngpus"):
        value = str(config.get(key, 1)) if isinstance(config, Mapping) else "1"
        product *= int(value) if value.isdigit() else 1
    return max(product, len(devices)) if devices or product > 1 else 0


def _figures(number: int, row: Mapping[str, Any], place: Placement, cell: Mapping[str, Any]) -> Figures:
    kept = ("time", "cpu_time", "alg_bw", "bus_bw", "nwrong")
    fields = {key: str(cell[key]) for key in kept if cell.get(key) is not None}
    given = given_of(size=str(row.get("size")), type=str(row.get("type")), placement=place, **fields)
    algbw, busbw = str(cell.get("alg_bw")), str(cell.get("bus_bw"))
    return Figures(number, str(row.get("size")), place, algbw, busbw, _correct(cell.get("nwrong")), given)


def _correct(wrong: Any) -> Correctness:
    if wrong is None or str(wrong).strip().upper() in ("N/A", "NAN", ""):
        return "unverified"
    try:
        return "clean" if float(wrong) == 0 else "wrong"
    except ValueError:
        return "unverified"


def _nccl_version(code: Any) -> str | None:
    """22907 is NCCL 2.29.7 (NCCL_VERSION_CODE since 2.9: major x 10000 + minor x 100 + patch)."""
    text = str(code or "")
    if not text.isdigit() or len(text) < 5:
        return f"nccl {text}" if text else None
    number = int(text)
    return f"nccl {number // 10_000}.{number // 100 % 100}.{number % 100}"


def _seconds(start: Any, end: Any) -> str | None:
    try:
        span = datetime.fromisoformat(str(end)) - datetime.fromisoformat(str(start))
    except ValueError:
        return None
    return f"{span.total_seconds():g}"
