"""nccl-tests ``-J`` documents (version 3) and JSON lines of rccl-tests. The environment in them is never kept.

``okay`` is the text ``"true"`` or ``"false"``; ``nwrong`` is null when results were not checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from turnup.formats.benchmarks.documents import documents, mentions
from turnup.formats.benchmarks.measured import UNKNOWN, Correctness, Placement, given_of, is_number
from turnup.formats.benchmarks.nccl import Figures, Sweep, sweeps_to_table, test_name
from turnup.formats.model import RawTable, Rejected, Request

if TYPE_CHECKING:
    from turnup.formats.content import Content

_PLACES: tuple[Placement, ...] = ("out_of_place", "in_place")


def is_nccl_json(content: Content) -> bool:
    """Whether a text holds a result document of nccl-tests."""
    return mentions(content, r'"average_bus_bandwidth"|"(?:out_of|in)_place"\s*:', r'"bus_bw"|"results"')


def parse_nccl_json(request: Request) -> RawTable:
    """Read one document; of a killed run, whose document never ends, nothing but that is kept.

    Raises:
        FileRejected: when it holds no result.
    """
    held = documents(request, key="results")
    rejected: list[Rejected] = []
    sweeps = [_sweep(found.value, request.content.name, rejected) for found in held.found]
    findings = list(held.findings)
    if held.broken is not None:
        cut = Sweep(test=test_name(request.content.name))
        cut.errors.append((held.broken, held.reason))
        sweeps.append(cut)
    count = sum(len(found.value["results"]) + 1 for found in held.found)
    return sweeps_to_table(request, sweeps, max(count, 1), rejected, findings)


def _sweep(document: Mapping[str, Any], name: str, rejected: list[Rejected]) -> Sweep:
    listed = document["results"] if isinstance(document["results"], list) else []
    results = [row for row in listed if isinstance(row, dict)]
    sweep = _described(document, results, name)
    for number, row in enumerate(results, start=1):
        for place in _PLACES:
            cell = row.get(place)
            if isinstance(cell, Mapping):
                _take(sweep, rejected, number, row, place, cell)
    _close(sweep, document, len(results))
    return sweep


def _close(sweep: Sweep, document: Mapping[str, Any], results: int) -> None:
    average = document.get("average_bus_bandwidth")
    if isinstance(average, Mapping) and is_number(str(average.get("bandwidth"))):
        said = str(average.get("okay")).lower()
        sweep.average = str(average["bandwidth"])
        sweep.average_row = results + 1
        sweep.average_given = given_of(bandwidth=sweep.average, okay=said)
        sweep.average_said = {"true": "pass", "false": "fail"}.get(said)
    sweep.complete = document.get("end_time") is not None and sweep.average is not None
    sweep.ended_at = str(document["end_time"]) if document.get("end_time") else None
    sweep.errors += [(results + 1, str(error)) for error in document.get("errors") or []]


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
    sweep.broken = sweep.broken or number
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
    named = [str(row.get("experiment_name") or "") for row in results[:1]] + [
        str(args[0]) if isinstance(args, list) and args else "",
        name,
    ]
    return Sweep(
        test=next((found for text in named if (found := test_name(text)) != UNKNOWN), UNKNOWN),
        hosts=list(dict.fromkeys(str(device.get("hostname")) for device in devices if device.get("hostname"))),
        ranks=_ranks(config, devices),
        sku=next((str(device["device_info"]) for device in devices if device.get("device_info")), None),
        command=" ".join(str(arg) for arg in args) if isinstance(args, list) else None,
        stack=_nccl_version(document.get("nccl_version")),
        measured_at=str(document["start_time"]) if document.get("start_time") else None,
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
    time = str(cell.get("time") or "")
    return Figures(
        number, str(row.get("size")), place, algbw, busbw, _correct(cell.get("nwrong")), given,
        time if is_number(time) else "",
    )  # fmt: skip


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


def is_rccl_lines(content: Content) -> bool:
    """Whether a text is what rccl-tests writes with ``-x``: an object, or a row of CSV, for each figure."""
    return mentions(content, r'"busBw"\s*:\s*[\d"]', r'"inPlace"\s*:')


def parse_rccl_lines(request: Request) -> RawTable:
    """Read the objects of a file, one a line or one list. Lines bear no footer: nothing says that the run ended.

    Raises:
        FileRejected: when there is none.
    """
    held = documents(request)
    rows = [
        (found.row, row)
        for found in held.found
        for row in (found.value if isinstance(found.value, list) else [found.value])
        if isinstance(row, dict) and "busBw" in row
    ]
    sweeps: dict[tuple[str, str], Sweep] = {}
    rejected: list[Rejected] = []
    for number, (line, row) in enumerate(rows, start=1):
        key = str(row.get("name") or ""), str(row.get("redop") or "")
        sweep = sweeps.setdefault(key, Sweep(test=test_name(key[0]), tool="rccl-tests"))
        gpus = str(row.get("gpus") or row.get("ranks") or row.get("nranks") or "0")
        sweep.ranks = int(gpus) if gpus.isdigit() else 0
        _take_line(sweep, rejected, line if len(held.found) > 1 else number, row)
    for sweep in sweeps.values():
        listed = len(held.found) == 1 and isinstance(held.found[0].value, list)
        sweep.complete = listed and held.broken is None
        sweep.why = "JSON lines bear no footer: nothing says that the sweep went on to its end; keep its text log"
        if held.broken is not None:
            sweep.errors.append((held.broken, held.reason))
    return sweeps_to_table(request, list(sweeps.values()), max(held.lines, len(rows)), rejected, held.findings)


def _take_line(sweep: Sweep, rejected: list[Rejected], number: int, row: Mapping[str, Any]) -> None:
    place: Placement = "in_place" if str(row.get("inPlace")) == "1" else "out_of_place"
    cell = {
        "alg_bw": row.get("algBw"),
        "bus_bw": row.get("busBw"),
        "time": row.get("time"),
        "nwrong": row.get("#wrong"),
    }
    _take(sweep, rejected, number, row, place, cell)
