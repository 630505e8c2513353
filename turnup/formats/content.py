"""A stored file under its original name: bytes, head, and its JSON document when it is one, each read once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from turnup.formats.decoding import Decoded, decode
from turnup.formats.model import FileRejected

_HEAD = 65_536
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_DEEPEST = "the document is nested too deeply"

Made = TypeVar("Made")


class Duplicates(list[str]):
    """Keys that stood twice in one object of a document (the last value was kept)."""


@dataclass(frozen=True)
class Document:
    """A JSON document; numbers are kept as the text they were written in."""

    value: Any
    duplicates: tuple[str, ...]


@dataclass(frozen=True)
class Content:
    """A file as landed: ``path`` is the stored copy, ``name`` what its sender called it."""

    path: Path
    name: str

    @property
    def suffix(self) -> str:
        """Last extension of the original name, lower case, with its dot."""
        return Path(self.name).suffix.lower()

    @cached_property
    def data(self) -> bytes:
        """All bytes."""
        return self.path.read_bytes()

    @cached_property
    def head(self) -> bytes:
        """The first 64 kB."""
        with self.path.open("rb") as handle:
            return handle.read(_HEAD)

    @cached_property
    def head_text(self) -> str:
        """The head as text, with marks for what does not decode; good enough to recognise a format."""
        encoding = "utf-16" if self.head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
        return self.head.decode(encoding, errors="replace").removeprefix("\ufeff")

    @cached_property
    def _kept(self) -> dict[str, Any]:
        return {}

    def has(self, key: str) -> bool:
        """Whether something was made by ``once`` under this key."""
        return key in self._kept

    def once(self, key: str, make: Callable[[], Made]) -> Made:
        """What ``make`` makes of this file, made once: looking at a file and reading it need the same things."""
        if key not in self._kept:
            self._kept[key] = make()
        made: Made = self._kept[key]
        return made

    def text(self, encoding: str | None) -> Decoded:
        """The whole text, strictly decoded; ``encoding`` is what the source declares.

        Raises:
            FileRejected: ``encoding``.
        """
        return self.once(f"text {encoding}", lambda: decode(self.data, encoding))

    @cached_property
    def document(self) -> Document:
        """The JSON document.

        Raises:
            FileRejected: ``json`` with the line where the text stops being JSON.
        """
        return load_json(self.text(None).text)

    @cached_property
    def json(self) -> Any:
        """The value of the document, or None when the text is not one JSON document; to recognise a format."""
        if not self.looks_like_json:
            return None
        try:
            return self.document.value
        except FileRejected:
            return None

    @cached_property
    def looks_like_object(self) -> bool:
        """Whether the text starts as a JSON object; a log may start with ``[1,0]<stdout>:``."""
        return self.head_text.lstrip()[:1] == "{"

    @cached_property
    def looks_like_json(self) -> bool:
        """Whether the text starts as a JSON object or list."""
        return self.head_text.lstrip()[:1] in ("{", "[")


def load_json(text: str) -> Document:
    """Parse JSON without loss: numbers stay text, ``NaN`` too, and repeated keys are reported.

    Raises:
        FileRejected: ``json``.
    """
    repeated: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        merged = dict(items)
        if len(merged) < len(items):
            seen: set[str] = set()
            repeated.extend(key for key, _ in items if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        return merged

    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_int=str, parse_float=str, parse_constant=str)
        if _HALF.search(text) is not None:
            value = _writable(value)
    except json.JSONDecodeError as error:
        message = f"not valid JSON: {error.msg} in line {error.lineno}, column {error.colno}; the file may be cut"
        raise FileRejected("json", message, row=error.lineno, expected="a complete JSON document") from error
    except RecursionError as error:
        raise FileRejected("json", _DEEPEST, expected="a flat list of objects") from error
    return Document(value, tuple(dict.fromkeys(repeated)))


def _writable(value: Any) -> Any:
    r"""The value with halves of characters (a lone ``\ud800``) as they were written: no file can hold them."""
    if isinstance(value, str):
        return value.encode("utf-8", errors="backslashreplace").decode("utf-8")
    if isinstance(value, list):
        return [_writable(item) for item in value]
    if isinstance(value, dict):
        return {_writable(key): _writable(item) for key, item in value.items()}
    return value


def cell_text(value: Any) -> str | None:
    """A JSON value as the text of a cell; objects and lists of objects as JSON, lists of plain values with ``;``."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list) and not any(isinstance(item, (list, dict)) for item in value):
        return ";".join(cell_text(item) or "" for item in value)
    return canonical(value)


def canonical(value: Any) -> str:
    """One spelling per JSON value: no blanks, keys in the order given."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
