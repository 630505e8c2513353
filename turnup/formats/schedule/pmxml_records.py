"""The records of a PMXML document, one after the other: each a project, a calendar, an activity and so on.

Belongs here: XML to fields of text, with little memory. Does not: what a field means.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from defusedxml import ElementTree

from turnup.formats.model import FileRejected
from turnup.formats.xml_parts import BROKEN, DEEPEST

PROJECTS = ("Project", "BaselineProject")
_CALENDAR = "Calendar"
_WHOLE = ("Activity",)
_FLAT = (
    "WBS",
    "Activity",
    "Relationship",
    "ResourceAssignment",
    "ActivityExpense",
    "ScheduleOptions",
    "Resource",
    "ActivityCodeType",
    "ActivityCode",
    "UDFType",
)


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


def records(data: bytes, name: str) -> dict[str, list[Record]]:
    """All records of a document by kind; projects stand in the order of their positions.

    Raises:
        FileRejected: ``not_pmxml``: damaged, with a document type, or another document.
    """
    found: dict[str, list[Record]] = {kind: [] for kind in ("Project", _CALENDAR, *_FLAT)}
    stack: list[Element] = []
    inside: list[str] = []
    try:
        for event, element in ElementTree.iterparse(io.BytesIO(data), events=("start", "end"), forbid_dtd=True):
            if event == "start":
                stack.append(element)
                inside.append(local(element))
                _begun(inside, found["Project"], name)
                continue
            stack.pop()
            kind = inside.pop()
            _ended(kind, element, found, within=len(inside) > 1 and inside[1] in PROJECTS)
            if stack and len(element) and inside[-1] not in _WHOLE and _CALENDAR not in inside:
                # What was read is let go, so that a large document needs little memory.
                stack[-1].remove(element)
    except BROKEN as error:
        raise FileRejected("not_pmxml", f"{name} is no XML that can be read ({error}): it may be cut") from error
    return found


def _begun(inside: list[str], projects: list[Record], name: str) -> None:
    if len(inside) == 1 and not inside[0].endswith("BusinessObjects"):
        raise FileRejected(
            "not_pmxml", f"{name} is no PMXML: its document is <{inside[0]}>", expected="APIBusinessObjects"
        )
    if len(inside) > DEEPEST:
        raise FileRejected("not_pmxml", f"{name} nests elements more than {DEEPEST} deep")
    if len(inside) == 2 and inside[1] in PROJECTS:
        place = len(projects)
        projects.append(Record(place + 1, place, {"": inside[1]}))


def _ended(kind: str, element: Element, found: dict[str, list[Record]], *, within: bool) -> None:
    place = len(found["Project"]) - 1 if within else None
    if kind in PROJECTS and not within and found["Project"]:
        found["Project"][-1].fields |= _fields(element)
    elif kind in found and kind not in PROJECTS:
        nested = [(local(child), _fields(child)) for child in element if len(child)] if kind in _WHOLE else []
        kept = element if kind == _CALENDAR else None
        found[kind].append(Record(len(found[kind]) + 1, place, _fields(element), nested, kept))


def local(element: Element) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def _fields(element: Element) -> dict[str, str]:
    return {local(child): child.text.strip() for child in element if child.text and child.text.strip()}
