"""Which host a dump was taken from, and when: the file's name says it, because the dump does not.

``gpu001.dmidecode.txt``, ``nvidia-smi_gpu001_2026-10-02.xml`` and ``lldp-gpu001-20261002T0600Z.json`` are all of
gpu001. What the source declares under ``defaults:`` wins.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from turnup.formats.model import Finding, Request

_TOOLS = re.compile(
    r"(?i)(?<![a-z0-9])(?:dmidecode|nvidia[-_ ]?smi|nvsmi|lldpcli|lldpctl|lldp|keyvalue|json0|cumulus|"
    r"neighbou?rs?|show[-_]interface[-_]all|output|dump|log)(?![a-z0-9])"
)
_TIME = re.compile(
    r"(?<!\d)(20\d\d)-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])"
    r"(?:[T_ -]?([01]\d|2[0-3])[-:]?([0-5]\d)(?:[-:]?([0-5]\d))?)?(Z?)(?![0-9a-zA-Z])"
)
_EXTENSION = re.compile(r"\.(?:txt|json|xml|csv|log|out|gz|kv)$", re.IGNORECASE)
_EDGES = "-_. "


@dataclass(frozen=True)
class Origin:
    """Host and instant of a dump; None where neither the source nor the file's name tells."""

    host: str | None
    observed_at: str | None
    findings: tuple[Finding, ...] = ()


def origin(request: Request, host_column: str, time_column: str | None = "observed_at") -> Origin:
    """Host and instant from the source's defaults, else from the file's name.

    Args:
        request: the file and its source.
        host_column: the dataset's column that names the host.
        time_column: the dataset's column that names the instant, or None when the dump says it itself.
    """
    stem = _stem(request.content.name)
    defaults = request.source.defaults
    host = defaults.get(host_column) or host_in(stem)
    moment = (defaults.get(time_column) or time_in(stem)) if time_column else None
    findings = []
    if host is None:
        message = (
            "neither the dump nor its name says which host it is of: name the file after the host, such as "
            f"gpu001.dmidecode.txt, or write defaults: {{{host_column}: ...}} in the source of programme.yaml"
        )
        findings.append(Finding("node_unknown", "error", None, host_column, None, message))
    return Origin(host, moment, tuple(findings))


def time_unknown(column: str) -> Finding:
    """The finding that nothing says when a dump was taken."""
    message = (
        "neither the dump nor its name says when it was taken: put the date into the name, such as "
        f"gpu001_2026-10-02.txt, or write defaults: {{{column}: ...}} in the source of programme.yaml"
    )
    return Finding("time_unknown", "warning", None, column, None, message)


def _stem(name: str) -> str:
    stem = name.rpartition("/")[2]
    while _EXTENSION.search(stem):
        stem = _EXTENSION.sub("", stem)
    return stem


def host_in(stem: str) -> str | None:
    """What is left of a file's stem without the tool and the time, or None."""
    rest = _TOOLS.sub("", _TIME.sub("", stem))
    rest = re.sub(r"([-_. ])[-_. ]+", r"\1", rest)
    return rest.strip(_EDGES) or None


def time_in(stem: str) -> str | None:
    """The last date (and time of day) in a file's stem, ISO 8601."""
    found = list(_TIME.finditer(stem))
    if not found:
        return None
    year, month, day, hour, minute, second, zone = found[-1].groups()
    date = f"{year}-{month}-{day}"
    return date if hour is None else f"{date}T{hour}:{minute}:{second or '00'}{zone}"
