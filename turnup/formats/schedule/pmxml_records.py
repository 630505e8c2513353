"""The records of a PMXML document, one after the other: each a project, a calendar, an activity and so on.

Belongs here: XML to fields of text, with little memory. Does not: what a field means.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element, iterparse

from defusedxml import ElementTree

from turnup.formats.model import FileRejected
from turnup.formats.xml_parts import BROKEN, DEEPEST

PROJECTS = ("Project", "BaselineProject")
_CALENDAR, _ACTIVITY = "Calendar", "Activity"
_KINDS = (
    _CALENDAR, _ACTIVITY, "WBS", "Relationship", "ResourceAssignment", "ActivityExpense", "ScheduleOptions", "Resource",
    "ActivityCodeType", "ActivityCode", "UDFType",
)  # fmt: skip


@dataclass
class Record:
    """One element: its fields (empty ones left out), the project around it by position, and its number among its kind.

    ``nested`` are the codes and user-defined fields of an activity, by element; ``element`` is kept only for calendars,
    whose fields nest deeper.
    """

    number: int
    project: int | None
    fields: dict[str, str] = field(default_factory=dict)
    nested: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    element: Element | None = None


class _Names(dict[str, str]):
    """Names of elements without their namespace, by the name with it: there are few, and each comes often."""

    def __missing__(self, tag: str) -> str:
        self[tag] = tag.rpartition("}")[2]
        return self[tag]


_NAMES = _Names()


def local(element: Element) -> str:
    """The name of an element without its namespace."""
    return element.tag.rpartition("}")[2]


def records(data: bytes, name: str) -> dict[str, list[Record]]:
    """All records of a document by kind; projects stand in the order of their positions.

    Raises:
        FileRejected: ``not_pmxml``: damaged, with a document type, or another document.
    """
    found: dict[str, list[Record]] = {kind: [] for kind in ("Project", *_KINDS)}
    try:
        _check_prolog(data, name)
        for kind, place, element in _elements(data, name, found["Project"]):
            if kind in PROJECTS and place is not None:
                found["Project"][place].fields |= _fields(element)
            elif kind in found:
                found[kind].append(_record(kind, len(found[kind]) + 1, place, element))
            if len(element) and kind != _CALENDAR:
                # What was read is let go, so that a large document needs little memory.
                element.clear()
    except BROKEN as error:
        raise FileRejected("not_pmxml", f"{name} is no XML that can be read ({error}): it may be cut") from error
    return found


def _check_prolog(data: bytes, name: str) -> None:
    """Refuse document types: they can only stand before the first element."""
    for _, root in ElementTree.iterparse(io.BytesIO(data), events=("start",), forbid_dtd=True):
        if not local(root).endswith("BusinessObjects"):
            message = f"{name} is no PMXML: its document is <{local(root)}>"
            raise FileRejected("not_pmxml", message, expected="APIBusinessObjects")
        return


def _elements(data: bytes, name: str, projects: list[Record]) -> Iterator[tuple[str, int | None, Element]]:
    """Elements below the root and below projects, each when it ends: its name and the position of its project."""
    depth, place = 0, None
    # The fast parser of the standard library, for the prolog holds no document type.
    for event, element in iterparse(io.BytesIO(data), events=("start", "end")):  # noqa: S314
        if event == "start":
            depth += 1
            if depth == 2 and _NAMES[element.tag] in PROJECTS:
                place = len(projects)
                projects.append(Record(place + 1, place, {"": _NAMES[element.tag]}))
            elif depth > DEEPEST:
                raise FileRejected("not_pmxml", f"{name} nests elements more than {DEEPEST} deep")
            continue
        if depth == 2 or (depth == 3 and place is not None):
            yield _NAMES[element.tag], place, element
        depth -= 1
        if depth == 1:
            place = None


def _record(kind: str, number: int, place: int | None, element: Element) -> Record:
    nested = [(local(child), _fields(child)) for child in element if len(child)] if kind == _ACTIVITY else []
    return Record(number, place, _fields(element), nested, element if kind == _CALENDAR else None)


def _fields(element: Element) -> dict[str, str]:
    return {_NAMES[child.tag]: text for child in element if (text := (child.text or "").strip())}
