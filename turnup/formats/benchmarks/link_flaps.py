"""Link flaps in a system log, to failures: each loss of a link is one, closed when the link is said to be up again.

A classic syslog time has no year; it comes from the name of the file, and without it the rows have no day and are
refused by the dataset. Five flaps of a link within 24 hours are named, as in Azure's node health checks.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

import polars as pl

from turnup.formats.adapted import adapted
from turnup.formats.benchmarks.lines import Log, read_log
from turnup.formats.benchmarks.measured import given_of, require_dataset
from turnup.formats.model import Fact, FileRejected, Finding, Ledger, RawTable, Rejected, Request

if TYPE_CHECKING:
    from turnup.formats.content import Content

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_CLASSIC = r"(?P<month>[A-Z][a-z]{2}) +(?P<day>\d{1,2})\s+(?P<clock>\d\d:\d\d:\d\d)"
_MODERN = r"(?P<date>\d{4}-\d\d-\d\d)[T ](?P<time>\d\d:\d\d:\d\d)\S*"
_LINE = re.compile(rf"^(?:<\d+>\d?\s*)?(?:{_CLASSIC}|{_MODERN}) +(?P<host>[\w.:-]+) +(?P<rest>.*)$")
_WHAT = (
    r"(?P<what>Lost carrier|Gained carrier|(?:NIC )?[Ll]ink (?:is )?(?:[Dd]own|DOWN|[Uu]p|UP)|link becomes ready|"
    r"(?:port )?changed state to (?:down|up))"
)
_NAME = r"(?P<link>[A-Za-z][\w./-]*\d[\w./-]*)"
_EVENTS = (
    re.compile(rf"\b{_NAME}\s*:\s*{_WHAT}"),
    re.compile(rf"\b(?:Interface|Port|port|interface)\s+{_NAME}\b.{{0,20}}?{_WHAT}"),
)
_DOWN = re.compile(r"lost carrier|down", re.IGNORECASE)
_MANY, _WINDOW = 5, timedelta(hours=24)


def _event(text: str) -> re.Match[str] | None:
    """The first thing that a line says of a link."""
    return next((found for pattern in _EVENTS if (found := pattern.search(text)) is not None), None)


@dataclass(frozen=True)
class _Flap:
    """A line that says that a link went down, or came up."""

    row: int
    host: str
    link: str
    moment: datetime | None
    clock: str
    line: str


def is_link_log(content: Content) -> bool:
    """Whether a text is a system log that tells of links going down."""
    if "\t" in content.head_text[:4096]:
        return False
    lines = [line.rstrip("\r") for line in content.head_text.split("\n")[:400] if line.strip()]
    entries = [found for line in lines if (found := _LINE.match(line)) is not None]
    return 5 * len(entries) > 4 * len(lines) and any(_event(found.group("rest")) for found in entries)


def parse_link_log(request: Request) -> RawTable:
    """Read a system log.

    Raises:
        FileRejected: when the source's dataset is not failures, or no link went down.
    """
    require_dataset(request, "link-flaps", "failures")
    log = read_log(request, tagged=False)
    year = found.group(0) if (found := re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", request.content.name)) else None
    flaps: list[_Flap] = []
    ups: list[_Flap] = []
    for number, line in log.lines:
        entry = _LINE.match(line)
        event = _event(entry.group("rest")) if entry else None
        if entry is None or event is None:
            continue
        moment, clock = _when(entry, year)
        told = flaps if _DOWN.search(event.group("what")) else ups
        told.append(_Flap(number, entry.group("host"), event.group("link"), moment, clock, line))
    if not flaps:
        raise FileRejected("no_result", "no link goes down in this log", expected="a log with lost links")
    return _table(request, log, flaps, ups)


def _when(entry: re.Match[str], year: str | None) -> tuple[datetime | None, str]:
    if entry.group("date"):
        clock = f"{entry.group('date')} {entry.group('time')}"
    elif year is not None and entry.group("month") in _MONTHS:
        month = _MONTHS.index(entry.group("month")) + 1
        clock = f"{year}-{month:02d}-{int(entry.group('day')):02d} {entry.group('clock')}"
    else:
        return None, f"{entry.group('month')} {entry.group('day')} {entry.group('clock')}"
    try:
        return datetime.fromisoformat(clock), clock
    except ValueError:
        return None, clock


def _table(request: Request, log: Log, flaps: list[_Flap], ups: list[_Flap]) -> RawTable:
    by_link: dict[tuple[str, str], list[_Flap]] = defaultdict(list)
    for flap in flaps:
        by_link[flap.host, flap.link].append(flap)
    findings = list(log.findings)
    dated = [flap for flap in flaps if flap.moment is not None]
    if len(dated) < len(flaps):
        message = (
            f"{len(flaps) - len(dated)} entries have no year, and the name of the file has none: put it there, as in "
            "messages-2026.log"
        )
        findings.append(Finding("year_missing", "error", flaps[0].row, "opened", flaps[0].clock, message))
    for (host, link), group in sorted(by_link.items()):
        most = _most_in_window(group)
        if most >= _MANY:
            message = f"{link} of {host} went down {most} times within 24 hours"
            findings.append(Finding("flapping", "warning", group[0].row, "kind", str(most), message))
    again: dict[tuple[str, str], list[_Flap]] = defaultdict(list)
    for up in ups:
        again[up.host, up.link].append(up)
    rows = [_row(flap, again[flap.host, flap.link]) for flap in dated]
    rejected = [_undated(flap) for flap in flaps if flap.moment is None]
    facts = [
        Fact("flaps", len(flaps)), Fact("links", len(by_link)), Fact("came_up", len(ups)),
        Fact("most_in_24_h", max(_most_in_window(group) for group in by_link.values())),
    ]  # fmt: skip
    frame = pl.DataFrame(rows, schema=_SCHEMA)
    ledger = Ledger(
        lines=log.count, data=len(rows), rejected=len(rejected), other=log.count - len(rows) - len(rejected)
    )
    return adapted(request, "link-flaps", frame, ledger, findings, rejected=rejected, facts=facts)


def _most_in_window(group: list[_Flap]) -> int:
    """The most flaps of a link within 24 hours; of undated ones, all."""
    moments = sorted(flap.moment for flap in group if flap.moment is not None)
    if not moments:
        return len(group)
    return max(sum(first <= moment <= first + _WINDOW for moment in moments) for first in moments)


_COLUMNS = ("failure_id", "node", "kind", "opened", "opened_at", "closed", "_sheet", "_given")
_SCHEMA: dict[str, pl.DataType] = {name: pl.String() for name in _COLUMNS} | {"_row": pl.Int64()}


def _row(flap: _Flap, ups: list[_Flap]) -> dict[str, str | int | None]:
    """A loss, closed on the day on which the link is next said to be up; open while the log does not say so."""
    up = next((one for one in ups if one.row > flap.row and one.moment is not None), None)
    mark = sha256(f"{flap.host} {flap.link} {flap.clock} {flap.row}".encode()).hexdigest()[:12]
    return {
        "failure_id": f"flap-{mark}",
        "node": flap.host,
        "kind": f"link flap {flap.link}",
        "opened": flap.clock[:10],
        "opened_at": flap.clock,
        "closed": up.clock[:10] if up is not None else None,
        "_sheet": None,
        "_given": given_of(line=flap.line),
        "_row": flap.row,
    }


def _undated(flap: _Flap) -> Rejected:
    message = f"row {flap.row}: '{flap.clock}' has no year; put the year into the name of the file"
    given = given_of(line=flap.line)
    return Rejected(flap.row, None, "opened", flap.clock, "year_missing", "a time with its year", message, given)
