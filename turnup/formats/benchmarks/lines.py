"""Lines of a log as the tool wrote them: without what launchers, terminals and transports put around them.

Here: byte-order marks, carriage returns, ANSI colours, NUL padding, tags such as ``[1,0]<stdout>:`` or ``0: ``, times
that were stamped on every line, and the environment, whose values are never kept. Not here: what a line means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NoReturn

from turnup.formats.content import Content
from turnup.formats.decoding import decode
from turnup.formats.model import FileRejected, Finding, Request

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]")
_PREFIX = re.compile(
    r"^\s*(?:\[\d+,\d+\]\s*<std(?:out|err)>: ?|\d+:(?: |$)|\[\d+\](?: |$)|"
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]? (?=\s*\S))"
)
_NAMED = re.compile(r"^([A-Za-z][\w.-]*\d[\w.-]*): ?")
_SECRET = re.compile(
    r"\b([A-Z][A-Z0-9_]*(?:TOKEN|SECRET|PASSWORD|PASSWD|KEY|CREDENTIALS?)[A-Z0-9_]*)(\s*[=:]\s*)\S+", re.IGNORECASE
)
_EXIT = re.compile(r"\bexit(?:ed)?\b(?:\s+with)?(?:\s+non-zero)?\s+(?:code|status)\s*[:=]?\s*(-?\d+)", re.IGNORECASE)
_APPLE_DOUBLE = b"\x00\x05\x16\x07"


@dataclass
class Log:
    """The lines of a log, numbered from 1 as delivered.

    ``ended`` is false when the last line has no line end, so that it may be cut. ``host`` is the name that a parallel
    shell put before every line.
    """

    lines: list[tuple[int, str]]
    count: int
    ended: bool
    host: str | None = None
    findings: list[Finding] = field(default_factory=list)

    @property
    def exit_code(self) -> int | None:
        """The exit code that a launcher reported, if any; the last that is not 0."""
        codes = [int(found.group(1)) for _, line in self.lines if (found := _EXIT.search(line))]
        return next((code for code in reversed(codes) if code), codes[-1] if codes else None)

    def parts(self, start: re.Pattern[str]) -> list[Log]:
        """The logs that were joined into this one: each begins at a line that matches, the first with what is before.

        What was noticed of the file stays with the first.
        """
        begins = [index for index, (_, line) in enumerate(self.lines) if start.search(line)][1:]
        edges = [0, *begins, len(self.lines)]
        pieces = pairwise(edges)
        return [
            replace(self, lines=self.lines[left:right], findings=self.findings if left == 0 else [])
            for left, right in pieces
        ]


def read_log(request: Request, *, tagged: bool = True) -> Log:
    """All lines of a log, bare; with ``tagged`` false, what looks like a launcher's tag belongs to the line.

    Raises:
        FileRejected: ``encoding``.
    """
    decoded = decode(request.content.data, request.source.encoding)
    findings = list(decoded.findings)
    text = decoded.text
    if "\x00" in text:
        text = text.replace("\x00", "")
        message = "NUL bytes were taken out: the file was padded or damaged on its way"
        findings.append(Finding("nul_padding", "warning", None, None, None, message))
    raw = text.split("\n")
    ended = raw[-1] == ""
    raw = raw[:-1] if ended else raw
    if not tagged:
        plain = [_ANSI.sub("", line.rstrip("\r")) for line in raw]
        return Log(list(enumerate(plain, start=1)), len(raw), ended, None, findings)
    bare = [bare_line(line) for line in raw]
    host = _common_host(bare)
    if host is not None:
        bare = [bare_line(_NAMED.sub("", line, count=1)) for line in bare]
    return Log(list(enumerate(bare, start=1)), len(raw), ended, host, findings)


def bare_line(raw: str) -> str:
    """A line without colours, carriage return and the tags that launchers put before it."""
    line = _ANSI.sub("", raw.rstrip("\r"))
    while (tag := _PREFIX.match(line)) is not None:
        line = line[tag.end() :]
    return line


def segments(lines: Iterator[tuple[int, str]] | list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Lines cut at carriage returns, for tools that overwrite their progress."""
    for number, line in lines:
        for piece in line.split("\r"):
            yield number, piece


def _common_host(lines: list[str]) -> str | None:
    """The host name that stands before every line, as parallel shells put it."""
    filled = [line for line in lines if line.strip()]
    names = {found.group(1) if (found := _NAMED.match(line)) else None for line in filled}
    return names.pop() if len(names) == 1 and len(filled) > 2 else None


def redacted(line: str) -> str:
    """A line without the values of variables whose names say that they are secret."""
    return _SECRET.sub(r"\1\2[redacted]", line)


def is_debris(content: Content) -> bool:
    """Whether a file holds no data of its own: the twin that macOS writes beside a file, or nothing but zero bytes."""
    name = content.name.rpartition("/")[2]
    return name.startswith("._") or content.head.startswith(_APPLE_DOUBLE) or not content.head.strip(b"\x00")


def refuse_debris(request: Request) -> NoReturn:
    """Refuse such a file.

    Raises:
        FileRejected: ``apple_double`` or ``empty_file``.
    """
    if not request.content.head.strip(b"\x00"):
        raise FileRejected("empty_file", "the file holds nothing but zero bytes: it was not copied", expected="content")
    message = "this is the twin that macOS writes beside a file (its name begins with '._'); send the file itself"
    raise FileRejected("apple_double", message, expected="the file without '._'")
