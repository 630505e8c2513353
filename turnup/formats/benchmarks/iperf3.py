"""iperf3 ``-J``: what the receiver got, per direction; for UDP also loss and jitter.

The sender's figure can exceed the receiver's by a third and says nothing about loss, so it is kept as another metric.
``--bidir`` has two directions; old versions repeat the same keys in one object for them. A document with ``error``, or
with an empty ``end``, is no measurement, whatever the exit code was.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from turnup.formats.benchmarks.documents import (
    Found,
    Pairs,
    at,
    documents,
    duplicate_finding,
    mentions,
    need_documents,
)
from turnup.formats.benchmarks.measured import Figure, Run, Status, given_of, is_number, number_or_none, to_table
from turnup.formats.model import Fact, RawTable, Request

if TYPE_CHECKING:
    from turnup.formats.content import Content

_SUMS = ("sum_received", "sum_sent", "sum")
_REVERSE = "_bidir_reverse"


def is_iperf3(content: Content) -> bool:
    """Whether a text holds a document of iperf3."""
    return mentions(
        content, r'"version"\s*:\s*"iperf 3|"intervals"\s*:\s*\[[\s\S]*"(?:end|error)"\s*:|"sum_received"\s*:'
    )


def parse_iperf3(request: Request) -> RawTable:
    """Read all documents of a file.

    Raises:
        FileRejected: when there is none.
    """
    held = documents(request, key="end")
    if not held.found and held.broken is None:
        held = documents(request, key="error")
    need_documents(held, "iperf3")
    facts: list[Fact] = []
    runs = [_run(found, facts) for found in held.found]
    if held.broken is not None:
        run = Run("iperf3", "iperf3", "throughput", "bit/s", failed=f"its document is malformed ({held.reason})")
        run.note("malformed", held.reason, held.broken)
        runs.append(run)
    findings = [*held.findings, *(each for found in held.found for each in duplicate_finding(found))]
    return to_table(request, "iperf3", runs, held.lines, findings=findings, facts=facts)


def _run(found: Found, facts: list[Fact]) -> Run:
    document = found.value
    run = Run("iperf3", "iperf3", "throughput", "bit/s")
    _described(run, document)
    end = document.get("end")
    if document.get("error"):
        run.failed = str(document["error"])
    elif not isinstance(end, dict) or not end:
        run.failed = "its 'end' is empty and no error is named"
    else:
        run.figures += _figures(run, found, document, end)
        run.complete = any(figure.value is not None for figure in run.figures)
        run.why = "the document has no sum"
        _covered(run, end)
    protocol = at(document, "start", "test_start", "protocol")
    facts.append(Fact("streams", int(str(at(document, "start", "test_start", "num_streams") or 0))))
    facts += [Fact("protocol", str(protocol))] if protocol else []
    for figure in run.figures:
        if figure.metric in ("throughput", "throughput_sent", "loss") and figure.value is not None:
            facts.append(Fact(f"{figure.metric}_{figure.direction}", figure.value, figure.unit))
    return run


def _described(run: Run, document: Any) -> None:
    version = str(at(document, "start", "version") or "")
    run.tool_version = version.removeprefix("iperf ") or None
    words = str(at(document, "start", "system_info") or "").split()
    run.hosts = [words[1]] if len(words) > 1 else []
    seconds = str(at(document, "start", "timestamp", "timesecs") or "")
    if seconds.isdigit():
        run.started = datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    planned = str(at(document, "start", "test_start", "duration") or "")
    run.planned_s = planned if is_number(planned) and float(planned) > 0 else None
    run.test = f"iperf3_{str(at(document, 'start', 'test_start', 'protocol') or 'tcp').lower()}"


def _covered(run: Run, end: dict[str, Any]) -> None:
    spans = [str(at(end, name, "seconds") or at(end, name, "end") or "") for name in _SUMS]
    seconds = max((float(span) for span in spans if is_number(span)), default=0.0)
    run.duration_s = f"{seconds:g}" if seconds else None
    if run.planned_s and seconds < 0.95 * float(run.planned_s):
        run.complete = False
        run.why = f"it ran {seconds:g} s of {run.planned_s} s"


def _figures(run: Run, found: Found, document: Any, end: dict[str, Any]) -> Iterator[Figure]:
    reverse = str(at(document, "start", "test_start", "reverse") or "0") == "1"
    udp = str(at(document, "start", "test_start", "protocol") or "").upper() == "UDP" or "lost_percent" in str(
        end.get("sum")
    )
    member = _member(document)
    for name, values in _sums(end).items():
        for number, part in enumerate(values):
            backward = number == 1 or name.endswith(_REVERSE)
            direction = "reverse" if backward != reverse else "forward"
            base = name.removesuffix(_REVERSE)
            if base == "sum" and (udp or "sum_received" not in end):
                yield from _udp(run, found, part, direction, member, received=_received(end, udp=udp))
            elif base in ("sum_received", "sum_sent"):
                yield from _tcp(run, found, base, part, direction, member, udp=udp)


def _received(end: dict[str, Any], *, udp: bool) -> bool:
    """Whether the receiver's own sum says something; the client of some versions is not told and prints 0 for UDP."""
    value = number_or_none(at(end, "sum_received", "bits_per_second"))
    return "sum_received" in end and not (udp and value is not None and float(value) == 0)


def _sums(end: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The sums by key, all values of a repeated one; the second of two is the other direction."""
    given = end.items_given if isinstance(end, Pairs) else list(end.items())
    found: dict[str, list[dict[str, Any]]] = {}
    for key, value in given:
        if key.removesuffix(_REVERSE) in _SUMS and isinstance(value, dict):
            found.setdefault(key, []).append(value)
    return found


def _member(document: Any) -> str:
    connected = at(document, "start", "connected")
    first = connected[0] if isinstance(connected, list) and connected and isinstance(connected[0], dict) else {}
    ends = [str(first[key]) for key in ("local_host", "remote_host") if first.get(key)]
    return "-".join(ends) or "all"


def _tcp(
    run: Run, found: Found, base: str, part: dict[str, Any], direction: str, member: str, *, udp: bool
) -> Iterator[Figure]:
    metric = "throughput" if base == "sum_received" else "throughput_sent"
    value = number_or_none(part.get("bits_per_second"))
    given = given_of(**{key: str(part[key]) for key in ("bytes", "seconds", "bits_per_second") if key in part})
    if udp and base == "sum_received" and value is not None and float(value) == 0:
        return  # the client of some versions is not told what the server got
    status = _agrees(run, part, value)
    yield Figure(found.row, metric, value, "bit/s", direction=direction, member=member, status=status, given=given)
    retransmits = number_or_none(part.get("retransmits"))
    if retransmits is not None:
        yield Figure(found.row, "retransmits", retransmits, "count", direction=direction, member=member, given=given)


def _agrees(run: Run, part: dict[str, Any], value: str | None) -> Status | None:
    """Rate against bytes over seconds."""
    if value is None:
        run.note("not_a_number", f"bits_per_second is {part.get('bits_per_second')}", None)
        return "conflict"
    moved, seconds = number_or_none(part.get("bytes")), number_or_none(part.get("seconds"))
    if moved is None or seconds is None or float(seconds) == 0:
        return None
    expected = float(moved) * 8 / float(seconds)
    if abs(float(value) - expected) > 0.01 * expected + 1:
        run.note("rate_bytes", f"{value} bit/s is not {moved} bytes in {seconds} s ({expected:.0f})", None, value)
        return "conflict"
    return None


def _udp(
    run: Run, found: Found, part: dict[str, Any], direction: str, member: str, *, received: bool
) -> Iterator[Figure]:
    """Loss, jitter and what arrived: the rate of the sum less its lost packets."""
    keys = ("bits_per_second", "bytes", "lost_packets", "packets", "lost_percent", "jitter_ms")
    given = given_of(**{key: str(part[key]) for key in keys if key in part})
    common: dict[str, Any] = {"direction": direction, "member": member, "given": given}
    rate, lost, packets = (number_or_none(part.get(key)) for key in ("bits_per_second", "lost_packets", "packets"))
    status = _agrees(run, part, rate)
    if not received and rate is not None and lost is not None and packets is not None and float(packets) > 0:
        arrived = float(rate) * (float(packets) - float(lost)) / float(packets)
        shown = rate if float(lost) == 0 else f"{arrived:.3f}"
        yield Figure(found.row, "throughput", shown, "bit/s", status=status, **common)
        yield Figure(found.row, "throughput_sent", rate, "bit/s", status=status, **common)
    elif not received:
        yield Figure(found.row, "throughput", rate, "bit/s", status=status, **common)
    for key, metric, unit in (("lost_percent", "loss", "%"), ("jitter_ms", "jitter", "ms")):
        if (value := number_or_none(part.get(key))) is not None:
            yield Figure(found.row, metric, value, unit, **common)
