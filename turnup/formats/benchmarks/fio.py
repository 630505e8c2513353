"""fio JSON and json+, from 2.x on: bandwidth, IOPS and latency of every job, and the total of jobs that ran together.

``bw`` is KiB/s always, ``bw_bytes`` B/s; where both stand they must agree by 1024. Completion latency is ``clat_ns``,
``lat_ns`` where that is off, and ``clat`` in microseconds in 2.x. A job with an error measured nothing, although it
prints zeros. With ``--status-interval`` a file holds many documents, of which the last of each run is the result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from turnup.formats.benchmarks.checks import total
from turnup.formats.benchmarks.documents import Found, at, documents, duplicate_finding, mentions, need_documents
from turnup.formats.benchmarks.measured import Figure, Run, Status, given_of, is_number, number_or_none, to_table
from turnup.formats.model import Fact, Finding, RawTable, Request

if TYPE_CHECKING:
    from turnup.formats.content import Content

_DIRECTIONS = ("read", "write", "trim")
_LATENCIES = (("clat_ns", "clat", "ns"), ("lat_ns", "lat", "ns"), ("clat", "clat", "us"), ("lat", "lat", "us"))
_PERCENTILES = {"50.000000": "p50", "95.000000": "p95", "99.000000": "p99", "99.900000": "p99.9", "99.990000": "p99.99"}
_SIZES = {"": 1, "k": 1024, "m": 1024**2, "g": 1024**3, "t": 1024**4}
_TIMES = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "ms": 1e-3, "us": 1e-6}


@dataclass(frozen=True)
class _Job:
    """One entry of ``jobs``: its place, its name and group, its options with the global ones below them."""

    number: int
    raw: dict[str, Any]
    options: dict[str, Any]

    @property
    def name(self) -> str:
        return str(self.raw.get("jobname") or "job")

    @property
    def group(self) -> tuple[str, str]:
        return str(self.raw.get("groupid", "0")), self.name

    @property
    def error(self) -> str | None:
        text = str(self.raw.get("error", "0"))
        return text if text != "0" else None

    @property
    def size(self) -> str:
        found = re.match(r"^(\d+)([kmgt]?)(?:i?b)?\b", str(self.options.get("bs", "")).lower())
        return str(int(found.group(1)) * _SIZES[found.group(2)]) if found else "0"

    @property
    def planned_s(self) -> float | None:
        """The run time asked for, when the job was to last that long whatever it had done."""
        found = re.match(r"^([\d.]+)([a-z]*)$", str(self.options.get("runtime", "")).lower())
        based = str(self.options.get("time_based", "0")).lower() not in ("0", "false")
        if found is None or found.group(2) not in _TIMES or not ("time_based" in self.options and based):
            return None
        return float(found.group(1)) * _TIMES[found.group(2)]


def is_fio(content: Content) -> bool:
    """Whether a text holds a document of fio."""
    return mentions(content, r'"fio version"\s*:')


def parse_fio(request: Request) -> RawTable:
    """Read all documents of a file.

    Raises:
        FileRejected: when there is none.
    """
    held = documents(request, key="fio version")
    need_documents(held, "fio")
    findings = [*held.findings, *(each for found in held.found for each in duplicate_finding(found))]
    if held.outside:
        message = f"{len(held.outside)} lines of text stand beside the document: {held.outside[0][:120]}"
        findings.append(Finding("text_around_json", "info", None, None, None, message))
    finals = _finals(held.found)
    facts = [Fact("documents", len(held.found)), Fact("superseded_documents", len(held.found) - len(finals))]
    runs = [_run(found, facts if number == 0 else []) for number, found in enumerate(finals)]
    if held.broken is not None:
        _broken(runs, held.reason)
    return to_table(request, "fio", runs, held.lines, findings=findings, facts=facts)


def _broken(runs: list[Run], reason: str) -> None:
    """A document that never ends: what came before it is the state on the way, not the result."""
    if not runs:
        runs.append(Run("fio", "fio", "bandwidth", "B/s"))
    runs[-1].complete = False
    runs[-1].why = f"{reason}; what was printed on the way is no result"


def _finals(found: Sequence[Found]) -> list[Found]:
    """The last document of each run: a later state of the same run supersedes the one before."""
    finals: list[Found] = []
    for each in found:
        if finals and (each.value == finals[-1].value or _later_state(finals[-1].value, each.value)):
            finals[-1] = each
        else:
            finals.append(each)
    return finals


def _later_state(before: Any, after: Any) -> bool:
    """Whether two documents are states of one run: the same jobs, gone on by as much as the clock did."""
    old, new = _progress(before), _progress(after)
    if old is None or new is None or old[0] != new[0]:
        return False
    elapsed, clock = new[1] - old[1], new[2] - old[2]
    return elapsed >= 100 and new[3] >= old[3] and abs(clock - elapsed) <= 1500


def _progress(document: Any) -> tuple[list[Any], int, int, int] | None:
    """Jobs, run time in ms, clock in ms and bytes moved."""
    jobs = [job for job in document.get("jobs") or [] if isinstance(job, dict)]
    stamp = str(document.get("timestamp_ms") or f"{document.get('timestamp', '')}000")
    if not jobs or not stamp.isdigit():
        return None
    parts = [job[way] for job in jobs for way in _DIRECTIONS if isinstance(job.get(way), dict)]
    runtime = max((_whole(part.get("runtime")) for part in parts), default=0)
    moved = sum(_whole(part.get("io_bytes")) for part in parts)
    return [(job.get("jobname"), job.get("job options")) for job in jobs], runtime, int(stamp), moved


def _whole(value: Any) -> int:
    return int(str(value)) if str(value).isdigit() else 0


def _run(found: Found, facts: list[Fact]) -> Run:
    document = found.value
    run = Run("fio", "fio", "bandwidth", "B/s", complete=True)
    run.tool_version = str(document.get("fio version") or "").removeprefix("fio-") or None
    run.ended = _stamp(document)
    shared = document.get("global options")
    listed = document.get("jobs") or document.get("client_stats") or []
    jobs = [
        _Job(number, raw, {**(shared if isinstance(shared, dict) else {}), **(raw.get("job options") or {})})
        for number, raw in enumerate(listed, start=1)
        if isinstance(raw, dict) and raw.get("jobname") != "All clients"
    ]
    run.hosts = list(dict.fromkeys(str(job.raw["hostname"]) for job in jobs if job.raw.get("hostname")))
    facts.append(Fact("job_entries", len(jobs)))
    groups: dict[tuple[str, str], list[_Job]] = {}
    for job in jobs:
        groups.setdefault(job.group, []).append(job)
    for members in groups.values():
        run.figures += _group(run, found, members, facts)
    _ended(run, jobs)
    return run


def _stamp(document: Any) -> str | None:
    """The instant at which the document was written, in UTC."""
    seconds = str(document.get("timestamp") or "")
    if not seconds.isdigit():
        return None
    from datetime import UTC, datetime

    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _ended(run: Run, jobs: Sequence[_Job]) -> None:
    failed = [job for job in jobs if job.error]
    for job in failed:
        run.note("job_error", f"job {job.name} failed with error {job.error}: it measured nothing", None, job.error)
    if not jobs:
        run.complete, run.why = False, "the document has no job"
    elif len(failed) == len(jobs):
        run.failed, run.complete = f"job {failed[0].name} ended with error {failed[0].error}", False
    short = [job for job in jobs if job.planned_s and _longest_ms(job) < job.planned_s * 980]
    planned = [job.planned_s for job in jobs if job.planned_s]
    run.planned_s = f"{max(planned):g}" if planned else None
    if jobs:
        run.duration_s = f"{max(_longest_ms(job) for job in jobs) / 1000:g}"
    if short and not run.failed:
        run.complete = False
        run.why = f"job {short[0].name} ran {_longest_ms(short[0]) / 1000:g} s of {short[0].planned_s:g} s"


def _longest_ms(job: _Job) -> int:
    return max(
        (_whole(job.raw[way].get("runtime")) for way in _DIRECTIONS if isinstance(job.raw.get(way), dict)), default=0
    )


def _group(run: Run, found: Found, members: Sequence[_Job], facts: list[Fact]) -> Iterator[Figure]:
    """Figures of the jobs of one name that ran together: each job, and the total where there are several."""
    failed = any(job.error for job in members)
    for way in _DIRECTIONS:
        parts = [(job, job.raw[way]) for job in members if isinstance(job.raw.get(way), dict)]
        active = [(job, part) for job, part in parts if _moved(part)]
        if failed:
            wanted = _asked(members[0], way)
            if wanted or active:
                yield _lost(found, members, way)
            continue
        for job, part in active:
            member = f"job {job.number}" if len(members) > 1 else "all"
            yield from _figures(run, found, job, part, way, member)
        if active:
            yield from _total(found, active, way, facts, summed=len(members) > 1)


def _asked(job: _Job, way: str) -> bool:
    mode = str(job.options.get("rw") or job.options.get("readwrite") or "")
    return way in mode or (mode in ("randrw", "rw", "readwrite") and way != "trim")


def _moved(part: dict[str, Any]) -> bool:
    return any(_whole(part.get(key)) > 0 for key in ("io_bytes", "total_ios", "runtime")) or _whole(part.get("bw")) > 0


def _lost(found: Found, members: Sequence[_Job], way: str) -> Figure:
    errors = ", ".join(sorted({job.error for job in members if job.error}))
    return Figure(found.row, "bandwidth", None, "B/s", size=members[0].size, direction=way, test=members[0].name,
                  status="tool_error", outcome=f"error {errors}",
                  given=given_of(job=members[0].name, error=errors))  # fmt: skip


def _figures(run: Run, found: Found, job: _Job, part: dict[str, Any], way: str, member: str) -> Iterator[Figure]:
    value, unit, status = _bandwidth(run, job, part, way)
    given = given_of(job=job.name, direction=way, bw=_text(part, "bw"), bw_bytes=_text(part, "bw_bytes"),
                     runtime=_text(part, "runtime"))  # fmt: skip
    common: dict[str, Any] = {"size": job.size, "direction": way, "member": member, "test": job.name, "given": given}
    yield Figure(found.row, "bandwidth", value, unit, status=status, **common)
    iops = number_or_none(part.get("iops"))
    yield Figure(found.row, "iops", iops, "1/s", status=_iops_status(run, job, part, iops), **common)
    yield from _latency(found, part, common)


def _text(part: dict[str, Any], key: str) -> str | None:
    return str(part[key]) if key in part else None


def _bandwidth(run: Run, job: _Job, part: dict[str, Any], way: str) -> tuple[str | None, str, Status | None]:
    """Bandwidth in the most exact unit given; a pair must agree by 1024, and with bytes over time."""
    kibi, exact = number_or_none(part.get("bw")), number_or_none(part.get("bw_bytes"))
    value, unit = (exact, "B/s") if exact is not None else (kibi, "KiB/s")
    if value is None:
        return None, unit, "conflict" if "bw" in part or "bw_bytes" in part else "not_measured"
    if (kibi is None and "bw" in part) or (exact is None and "bw_bytes" in part):
        run.note(
            "bandwidth_pair", f"{job.name} {way}: bw {part.get('bw')}, bw_bytes {part.get('bw_bytes')}", None, value
        )
        return value, unit, "conflict"
    if kibi is not None and exact is not None and abs(float(kibi) * 1024 - float(exact)) > 1024 + 0.001 * float(exact):
        run.note("bandwidth_pair", f"{job.name} {way}: bw {kibi} KiB/s is not bw_bytes {exact} B/s", None, exact)
        return value, unit, "conflict"
    moved, milliseconds = number_or_none(part.get("io_bytes")), number_or_none(part.get("runtime"))
    if moved is not None and milliseconds is not None and float(milliseconds) > 0:
        factor = 1.0 if exact is not None or "io_kbytes" in part else 1024.0
        expected = float(moved) * factor * 1000 / float(milliseconds)
        said = float(value) * (1 if unit == "B/s" else 1024)
        if abs(said - expected) > 2048 + 0.02 * expected + expected / float(milliseconds):
            message = f"{job.name} {way}: {value} {unit} is not {moved} in {milliseconds} ms ({expected:.0f} B/s)"
            run.note("bandwidth_time", message, None, value)
            return value, unit, "conflict"
    return value, unit, None


def _iops_status(run: Run, job: _Job, part: dict[str, Any], iops: str | None) -> Status | None:
    if iops is None:
        return "conflict" if "iops" in part else "not_measured"
    ios, milliseconds = number_or_none(part.get("total_ios")), number_or_none(part.get("runtime"))
    if ios is None or milliseconds is None or float(milliseconds) == 0:
        return None
    expected = float(ios) * 1000 / float(milliseconds)
    if abs(float(iops) - expected) > 2 + 0.02 * expected + expected / float(milliseconds):
        run.note("iops_time", f"{job.name}: {iops} IOPS is not {ios} in {milliseconds} ms ({expected:.1f})", None, iops)
        return "conflict"
    return None


def _latency(found: Found, part: dict[str, Any], common: dict[str, Any]) -> Iterator[Figure]:
    """Mean, maximum and percentiles of the completion latency, or of the total where completion is off."""
    for key, metric, unit in _LATENCIES:
        held = part.get(key)
        if not isinstance(held, dict) or not any(_positive(held.get(name)) for name in ("mean", "max")):
            continue
        most = number_or_none(held.get("max"))
        for name in ("mean", "max"):
            value = number_or_none(held.get(name))
            yield Figure(found.row, metric, value, unit, name, **common, status=_below(value, most))
        percentiles = held.get("percentile")
        for theirs, ours in _PERCENTILES.items() if isinstance(percentiles, dict) else ():
            if (value := number_or_none(at(percentiles, theirs))) is not None:
                yield Figure(found.row, metric, value, unit, ours, **common, status=_below(value, most))
        if isinstance(percentiles, dict) or key.startswith("lat"):
            return


def _below(value: str | None, most: str | None) -> Status | None:
    """No mean or percentile is more than the maximum; a percentile is the end of its bin, 1.6 % wide at most."""
    if value is None:
        return "not_measured"
    return "conflict" if most is not None and float(value) > float(most) * 1.02 + 1 else None


def _positive(value: Any) -> bool:
    text = str(value)
    return is_number(text) and float(text) > 0


def _total(
    found: Found, active: Sequence[tuple[_Job, dict[str, Any]]], way: str, facts: list[Fact], *, summed: bool
) -> Iterator[Figure]:
    """The sum over jobs that ran together, which is what the storage delivered."""
    job = active[0][0]
    name = f"{job.name}_{way}"
    exact = [text for _, part in active if (text := number_or_none(part.get("bw_bytes"))) is not None]
    kibi = [text for _, part in active if (text := number_or_none(part.get("bw"))) is not None]
    values, unit = (exact, "B/s") if len(exact) == len(active) else (kibi, "KiB/s")
    if len(values) != len(active):
        return
    bandwidth = total(values)
    iops = [text for _, part in active if (text := number_or_none(part.get("iops"))) is not None]
    facts.append(Fact(f"{name}_bw_bytes" if unit == "B/s" else f"{name}_bw", bandwidth, unit))
    facts.append(Fact(f"{name}_iops", _short(total(iops)), "1/s"))
    if not summed:
        return
    given = given_of(jobs=len(active), sum=" + ".join(values))
    common: dict[str, Any] = {"size": job.size, "direction": way, "member": "all", "test": job.name, "given": given}
    yield Figure(found.row, "bandwidth", bandwidth, unit, "sum", **common)
    yield Figure(found.row, "iops", total(iops), "1/s", "sum", **common)


def _short(value: str) -> str:
    """A count per second to two places, without zeros that say nothing."""
    text = f"{Decimal(value):.2f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
