"""A report of nvidia-smi as rows: GPUs to installs, software to versions, counters to utilization, faults to failures.

The report does not name its host: the file's name or the source's default does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import polars as pl

from turnup.formats.adapted import adapted
from turnup.formats.content import canonical
from turnup.formats.dcim.naming import Origin, origin, time_unknown
from turnup.formats.dcim.nvidia_smi.checks import facts, findings
from turnup.formats.dcim.nvidia_smi.report import COUNTERS, UNITS, Gpu, Report, iso_time
from turnup.formats.dcim.nvidia_smi.variants import is_text, is_xml, read_csv, read_text, read_xml
from turnup.formats.decoding import decode
from turnup.formats.model import FileRejected, Finding, Ledger, RawTable, Rejected, Request

FEEDS = ("installs", "utilization", "failures", "versions")
RETIRED_PAGES_LIMIT = 60
"""Retired pages from which on the maker's diagnosis calls a GPU bad (64 is all that a GPU can hold)."""
_Row = dict[str, str | int | None]


@dataclass(frozen=True)
class _Context:
    report: Report
    place: Origin

    def time(self, gpu: Gpu | None = None) -> str | None:
        own = gpu.said("timestamp") if gpu is not None else None
        stated = self.report.timestamp.text if self.report.timestamp is not None else None
        return iso_time(own or stated) or self.place.observed_at


def parse_nvidia_smi(request: Request) -> RawTable:
    """Read a report for one of the datasets that it feeds.

    Raises:
        FileRejected: ``nvidia_smi`` when another dataset is asked for or the report says nothing about it; ``xml``.
    """
    dataset = request.contract.name
    if dataset not in FEEDS:
        message = f"nvidia-smi feeds {', '.join(FEEDS)}, not {dataset}"
        raise FileRejected("nvidia_smi", message, value=dataset, expected=", ".join(FEEDS))
    report, noticed = _read(request)
    place = origin(request, "parent_asset" if dataset == "installs" else "node")
    context = _Context(report, place)
    rows, rejected = _judged(list(_MAKERS[dataset](context)), dataset)
    if not rows and not rejected and dataset != "failures":
        raise FileRejected("nvidia_smi", f"the report says nothing that {dataset} could hold", expected=dataset)
    bearing = len({row["_row"] for row in rows} | {item.row for item in rejected})
    other = max(0, report.lines - bearing)
    ledger = Ledger(lines=len(rows) + len(rejected) + other, data=len(rows), other=other, rejected=len(rejected))
    found = [*noticed, *place.findings, *findings(report)]
    if dataset != "installs" and any(context.time(gpu) is None for gpu in report.gpus):
        found.append(time_unknown("opened" if dataset == "failures" else "observed_at"))
    frame = pl.DataFrame(rows, schema=_schema(dataset))
    return adapted(request, "nvidia_smi", frame, ledger, found, rejected=rejected, facts=facts(report))


def _read(request: Request) -> tuple[Report, list[Finding]]:
    if is_xml(request.content):
        return read_xml(request.content.data), []
    decoded = decode(request.content.data, request.source.encoding)
    reader = read_text if is_text(request.content) else read_csv
    return reader(decoded.text), list(decoded.findings)


_COLUMNS = {
    "installs": ("asset_id", "manufacturer", "part_number", "serial", "parent_asset", "position", "status"),
    "utilization": ("node", "device", "observed_at", "counter", "value"),
    "failures": ("failure_id", "node", "serial", "kind", "opened"),
    "versions": ("node", "component", "version", "observed_at"),
}


def _schema(dataset: str) -> dict[str, pl.DataType]:
    texts: dict[str, pl.DataType] = {name: pl.String() for name in (*_COLUMNS[dataset], "_sheet", "_given")}
    return texts | {"_row": pl.Int64()}


def _judged(rows: list[_Row], dataset: str) -> tuple[list[_Row], list[Rejected]]:
    """Rows of utilization whose value is no number in the counter's unit are refused, not dropped."""
    if dataset != "utilization":
        return rows, []
    good = [row for row in rows if row["value"] is not None]
    bad = [_refused(row) for row in rows if row["value"] is None]
    return [{name: cell for name, cell in row.items() if name not in ("_text", "_unit")} for row in good], bad


def _refused(row: _Row) -> Rejected:
    text, unit = str(row["_text"]), str(row["_unit"])
    message = f"'{text}' is no number in {unit} ({row['_sheet']}, line {row['_row']})"
    where = (int(row["_row"] or 0), str(row["_sheet"]), str(row["counter"]))
    return Rejected(*where, text, "unit", f"a number in {unit}", message, str(row["_given"]))


def _once(report: Report) -> Iterator[Gpu]:
    """Each GPU once; a table that was sampled again and again names it many times."""
    seen: set[str] = set()
    for gpu in report.gpus:
        if gpu.identity not in seen:
            seen.add(gpu.identity)
            yield gpu


def _given(gpu: Gpu) -> str:
    return canonical({"gpu": gpu.bus, **{path: value.text for path, value in gpu.values.items()}})


def _installs(context: _Context) -> Iterator[_Row]:
    host = context.place.host
    for gpu in _once(context.report):
        product = gpu.said("product")
        if product is None:
            continue
        serial = gpu.said("serial")
        yield {
            # The slot of the host is the record, so that a GPU seen in two hosts stays two records.
            "asset_id": f"{host}/GPU {gpu.bus or gpu.label}" if host else None if serial else gpu.identity,
            "manufacturer": "NVIDIA",
            "part_number": product,
            "serial": serial,
            "parent_asset": host,
            "position": gpu.bus or gpu.label,
            "status": "active",
            "_row": gpu.row,
            "_sheet": f"GPU {gpu.label}",
            "_given": _given(gpu),
        }


def _utilization(context: _Context) -> Iterator[_Row]:
    for gpu in context.report.gpus:
        for counter in COUNTERS:
            value = gpu.get(counter)
            if value is None or not value.known:
                continue
            yield {
                "node": context.place.host,
                "device": gpu.label,
                "observed_at": context.time(gpu),
                "counter": counter,
                "value": value.number(UNITS[counter]),
                "_row": value.row,
                "_sheet": f"GPU {gpu.label} {counter}",
                "_given": canonical({"gpu": gpu.bus, counter: value.text}),
                "_text": value.text,
                "_unit": UNITS[counter],
            }


def _failures(context: _Context) -> Iterator[_Row]:
    for gpu in _once(context.report):
        for kind, said in _faults(gpu):
            day = context.time(gpu)
            yield {
                "failure_id": f"{context.place.host or 'unknown'}/{gpu.identity}/{kind}",
                "node": context.place.host,
                "serial": gpu.said("serial"),
                "kind": kind,
                "opened": day[:10] if day else None,
                "_row": gpu.row,
                "_sheet": f"GPU {gpu.label} {kind}",
                "_given": canonical({"gpu": gpu.bus, "found": said}),
            }


def _faults(gpu: Gpu) -> Iterator[tuple[str, str]]:
    single, double = gpu.count("retired_single_bit"), gpu.count("retired_double_bit")
    pending = gpu.said("retired_pending")
    if (double or 0) > 0 or pending == "Yes" or (single or 0) + (double or 0) >= RETIRED_PAGES_LIMIT:
        yield "page retirement", f"single bit {single}, double bit {double}, pending {pending}"
    if gpu.said("remapped_failure") in ("Yes", "1"):
        yield "row remap failure", f"remapping failed; uncorrectable {gpu.count('remapped_uncorrectable')}"
    elif (gpu.count("remapped_uncorrectable") or 0) > 0 or gpu.said("remapped_pending") in ("Yes", "1"):
        yield (
            "row remap",
            f"uncorrectable {gpu.count('remapped_uncorrectable')}, pending {gpu.said('remapped_pending')}",
        )
    errors = gpu.ecc_uncorrectable()
    if errors:
        yield "ECC uncorrectable", f"{errors} uncorrectable errors since the driver was loaded"
    if gpu.faulty:
        yield "unknown error", f"could not be read: {', '.join(gpu.faulty[:10])}"


def _versions(context: _Context) -> Iterator[_Row]:
    report, first = context.report, next(iter(context.report.gpus), None)
    driver = report.driver or (first.get("driver") if first is not None else None)
    for component, value in (("nvidia-driver", driver), ("cuda", report.cuda)):
        if value is not None and value.known:
            yield _version(context, component, value.text, value.row, canonical({component: value.text}), first)
    for gpu in _once(report):
        for component in ("vbios", "inforom"):
            held = gpu.get(component)
            if held is not None and held.known:
                name = f"{component} {gpu.bus or gpu.label}"
                yield _version(
                    context, name, held.text, held.row, canonical({"gpu": gpu.bus, component: held.text}), gpu
                )


def _version(context: _Context, component: str, version: str, row: int, given: str, gpu: Gpu | None) -> _Row:
    return {
        "node": context.place.host,
        "component": component,
        "version": version,
        "observed_at": context.time(gpu),
        "_row": row,
        "_sheet": component,
        "_given": given,
    }


_MAKERS: dict[str, Callable[[_Context], Iterator[_Row]]] = {
    "installs": _installs,
    "utilization": _utilization,
    "failures": _failures,
    "versions": _versions,
}
