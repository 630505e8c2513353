"""JSON documents inside a text: one, several in a row, or one behind messages of the tool."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from turnup.formats.benchmarks.lines import bare_line
from turnup.formats.content import Content
from turnup.formats.decoding import decode
from turnup.formats.model import FileRejected, Finding, Request

_STARTS = re.compile(r"^[ \t]*(?=[{\[])", re.MULTILINE)


@dataclass(frozen=True)
class Found:
    """One document: its value (numbers as text), the line it starts in, and keys that stood twice in one object."""

    value: Any
    row: int
    end_row: int
    duplicates: tuple[str, ...]


@dataclass
class Documents:
    """What a text holds: documents in order, the lines outside them, and where one that never ends began."""

    found: list[Found] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    broken: int | None = None
    reason: str = ""
    lines: int = 0
    findings: list[Finding] = field(default_factory=list)


class Pairs(dict[str, Any]):
    """An object that remembers every value of a repeated key, in order."""

    def __init__(self, items: list[tuple[str, Any]]) -> None:
        super().__init__(items)
        self.items_given = items

    def all(self, key: str) -> list[Any]:
        """Every value that stood under a key."""
        return [value for name, value in self.items_given if name == key]


def mentions(content: Content, *patterns: str) -> bool:
    """Whether the head of a file matches every pattern; cheap, for recognising a format."""
    return all(re.search(pattern, content.head_text) for pattern in patterns)


def documents(request: Request, *, key: str | None = None) -> Documents:
    """All documents of a file; with ``key`` only objects that have it, which passes over lists in prose.

    Raises:
        FileRejected: ``encoding``.
    """
    decoded = decode(request.content.data, request.source.encoding)
    text = _bare(decoded.text.replace("\x00", ""))
    result = Documents(lines=text.count("\n") + (not text.endswith("\n")), findings=list(decoded.findings))
    at = 0
    for found, start, end in _scan(text, key, result):
        result.outside += _outside(text[at:start])
        result.found.append(found)
        at = end
    rest = text[at:]
    if result.broken is None:
        result.outside += _outside(rest)
    return result


def _bare(text: str) -> str:
    """The text without the tags of launchers, when most of its lines have one."""
    lines = text.split("\n")
    bare = [bare_line(line) for line in lines]
    tagged = sum(1 for before, after in zip(lines, bare, strict=True) if before.rstrip("\r") != after)
    filled = sum(1 for line in lines if line.strip())
    return "\n".join(bare) if 2 * tagged > filled else text


def _outside(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]


def _scan(text: str, key: str | None, result: Documents) -> Iterator[tuple[Found, int, int]]:
    position = 0
    while (start := _STARTS.search(text, position)) is not None:
        repeated: list[str] = []
        decoder = _decoder(repeated)
        try:
            value, end = decoder.raw_decode(text, start.end())
        except (json.JSONDecodeError, RecursionError) as error:
            position = start.end() + 1
            if text[start.end()] == "{":
                _broken(result, text, start.end(), error)
                if key is None or f'"{key}"' in text[start.end() :]:
                    return
            continue
        position = end
        if key is None or (isinstance(value, dict) and key in value):
            result.broken, result.reason = None, ""
            row, end_row = text.count("\n", 0, start.end()) + 1, text.count("\n", 0, end) + 1
            yield Found(value, row, end_row, tuple(dict.fromkeys(repeated))), start.start(), end


def _broken(result: Documents, text: str, start: int, error: Exception) -> None:
    result.broken = text.count("\n", 0, start) + 1
    detail = f"{error.msg} in line {error.lineno}" if isinstance(error, json.JSONDecodeError) else "nested too deeply"
    result.reason = f"the JSON document that begins in line {result.broken} does not end properly: {detail}"


def _decoder(repeated: list[str]) -> json.JSONDecoder:
    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        merged = Pairs(items)
        if len(merged) < len(items):
            seen: set[str] = set()
            repeated.extend(key for key, _ in items if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        return merged

    return json.JSONDecoder(object_pairs_hook=pairs, parse_int=str, parse_float=str, parse_constant=str)


def at(value: Any, *path: str) -> Any:
    """A value inside nested objects, or None."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def duplicate_finding(found: Found) -> list[Finding]:
    """A warning when keys stood twice."""
    if not found.duplicates:
        return []
    names = ", ".join(found.duplicates[:8])
    message = f"keys stand twice in one object of the document: {names}; what is used of them is said where it matters"
    return [Finding("duplicate_key", "warning", found.row, None, names, message)]


def need_documents(held: Documents, form: str) -> None:
    """Refuse a text without any document, whole or broken.

    Raises:
        FileRejected: ``no_result``.
    """
    if not held.found and held.broken is None:
        raise FileRejected("no_result", f"no document of {form} in this file: nothing was evaluated", expected=form)
