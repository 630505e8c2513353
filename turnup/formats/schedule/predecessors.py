"""Predecessors as people and scheduling tools write them: ``12FS+3d``, ``7SS+2 wks``, ``5FF-50%``, ``3;5FS+1d``.

Belongs here: one cell to links, each with its type and its lag as written. Does not: which task an id names.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass

from turnup.formats.schedule.durations import SIGNS, Length, Malformed, Mark, Unit, parse_length
from turnup.schedule.model import LINK_TYPES

_TYPES = {name: place for place, name in enumerate(LINK_TYPES)} | {"EA": 0, "AA": 1, "EE": 2, "AE": 3}
"""Types by their English and German names (Ende, Anfang)."""

_SIGN = f"[{re.escape(SIGNS)}]"
_TYPE = "|".join(_TYPES)
_COMMA_IN_LAG = rf"{_SIGN}\s*~?\d+,\d+(?!\d|\s*(?:{_TYPE})\b)"
_PATH = r"(?:(?:[A-Za-z]:\\|\\\\|<>\\)(?:[^;\\:]*[^;\\:,\s]\\)*|[^,;\\:]+\\(?:[^;\\:]*[^;\\:,\s]\\)*)?"
_END = "(?P<end>[,;]|$)"
_BY_SEMICOLON = re.compile(rf"\s*(?P<path>{_PATH})(?P<rest>[^;]*){_END}")
_BY_EITHER = re.compile(rf"\s*(?P<path>{_PATH})(?P<rest>(?:{_COMMA_IN_LAG}|[^,;])*){_END}", re.IGNORECASE)
_BY_COMMA = re.compile(rf"\s*(?P<path>{_PATH})(?P<rest>[^,;]*){_END}")
_P6 = re.compile(rf"(?P<ref>[^:]+):\s*(?P<type>{_TYPE})\s*(?P<lag>{_SIGN}?\s*\d.*)?", re.IGNORECASE)
_UNIT_LESS = re.compile(rf"{_SIGN}?\s*\d+,\d+\??")
_PLAIN_ID = re.compile(r"\d+(?:[.\-/]\d+)*")
_CODE = re.compile(r"[^\W\d_][\w.\-/ ]*")


@dataclass(frozen=True)
class Predecessor:
    """One predecessor of a task.

    Attributes:
        ref: the id as written: a row number, a unique id, a code.
        type: position in ``LINK_TYPES``.
        lag: None is no lag at all.
        project: path of the file of another project that holds it.
    """

    ref: str
    type: int = 0
    lag: Length | None = None
    project: str | None = None

    def __str__(self) -> str:
        """As MS Project shows it, in full."""
        path = f"{self.project}\\" if self.project else ""
        sign = "+" if self.lag is not None and self.lag.amount >= 0 else ""
        return f"{path}{self.ref} {LINK_TYPES[self.type]}" + (f" {sign}{self.lag}" if self.lag is not None else "")


def split_predecessors(text: str, decimal: Mark | None = None) -> list[str]:
    """The links of one cell, each as text; separated by ``;`` or ``,``, whichever the writer's locale uses.

    A comma inside a lag (``3FS+0,5d``) is a decimal mark, and every comma is one where ``decimal`` says that commas
    are and the cell has semicolons.
    """
    if "\\" not in text and "," not in text:
        return [part.strip() for part in text.split(";") if part.strip()]
    element = _BY_EITHER
    if decimal is not None:
        element = _BY_COMMA if decimal == "." else _BY_SEMICOLON if ";" in text else _BY_EITHER
    return [part for part in _elements(element, text) if part]


def _elements(element: re.Pattern[str], text: str) -> Iterator[str]:
    place = 0
    while place <= len(text):
        match = element.match(text, place)
        if match is None:
            yield text[place:].strip()
            return
        yield (match["path"] + match["rest"]).strip()
        place = match.end() if match["end"] else len(text) + 1


def parse_predecessor(
    text: str, known: Container[str] | None = None, decimal: Mark | None = None, unit: Unit | None = None
) -> Predecessor:
    """One link of a cell.

    Args:
        text: one element of ``split_predecessors``.
        known: the ids that exist; they settle whether ``10SS`` is an id or task 10 with a type.
        decimal: the decimal mark of lags, where it is known.
        unit: what a lag without unit counts.

    Raises:
        Malformed: an unknown type, a lag that cannot be read or an id with two readings; never taken for FS.
    """
    path, _, rest = text.strip().rpartition("\\")
    found = _parse(" ".join(rest.split()), None if path else known, decimal, unit, text)
    return Predecessor(found.ref, found.type, found.lag, path or None)


def _parse(body: str, known: Container[str] | None, decimal: Mark | None, unit: Unit | None, text: str) -> Predecessor:
    whole = body in known if known is not None else _is_id(body)
    if body.upper() in _TYPES and (known is None or not whole):
        raise Malformed(f"'{text}' has a type and no task; write the id before it, such as 12{body}")
    problem: Malformed | None = None
    for ref, kind, written in _readings(body):
        if not _typed(ref, body, written, known):
            continue
        if known is not None and whole:
            raise Malformed(f"'{text}' is an id of its own and {ref} with {kind}; write the type too")
        try:
            return Predecessor(ref, _TYPES[kind.upper()], _lag(written, decimal, unit))
        except Malformed as error:
            problem = problem or error
    if whole or (known is not None and _is_id(body)):
        return Predecessor(body)
    if problem is not None:
        raise problem
    raise Malformed(f"'{text}' is no predecessor; write an id, a type FS, SS, FF or SF, and a lag, such as 12FS+3d")


def _readings(body: str) -> Iterator[tuple[str, str, str | None]]:
    """What an element may be with a type in it: id, type and lag, for every place of a type from the right."""
    if (given := _P6.fullmatch(body)) is not None:
        yield given["ref"].strip(), given["type"], given["lag"]
    for place in range(len(body) - 2, 0, -1):
        kind, lag = body[place : place + 2], body[place + 2 :].strip()
        if kind.upper() in _TYPES and (not lag or lag[0] in SIGNS):
            yield body[:place].strip(), kind, lag or None


def _lag(text: str | None, decimal: Mark | None, unit: Unit | None) -> Length | None:
    if not text:
        return None
    if decimal is None and _UNIT_LESS.fullmatch(text.strip()):
        raise Malformed(f"'{text}' is a lag with a decimal comma, or one followed by another task; write its unit")
    return parse_length(text, decimal, unit)


def _typed(ref: str, body: str, lag: str | None, known: Container[str] | None) -> bool:
    """Whether what stands before a type can be an id, so that the type is one and no part of a code."""
    if known is not None and (ref in known or body in known):
        return ref in known
    if lag or ":" in body:
        return _is_id(ref)
    # ROSS is a code, A1010FS a code with a type: a type follows a digit where nobody says which codes there are.
    return ref[-1:].isdigit() and _is_id(ref)


def _is_id(text: str) -> bool:
    return (_PLAIN_ID.fullmatch(text) or _CODE.fullmatch(text)) is not None
