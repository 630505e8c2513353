"""Small XML documents as trees: no document type, no entity, no file elsewhere, and no depth without end."""

from __future__ import annotations

import io
from xml.etree.ElementTree import Element, ParseError, iterparse

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

from turnup.formats.model import FileRejected

DEEPEST = 200
BROKEN = (ParseError, DefusedXmlException, ValueError, LookupError)
"""What the parser raises over a document that is damaged, forbidden or in an encoding that does not exist."""


def parse_xml(data: bytes, what: str, code: str = "archive") -> Element:
    """The tree of a document.

    Args:
        data: the bytes of the document.
        what: its name in messages.
        code: the refusal's code.

    Raises:
        FileRejected: damaged, with a document type, or nested deeper than any document of tables is.
    """
    root: Element | None = None
    depth = 0
    try:
        _check_prolog(data)
        # The fast parser of the standard library, for the prolog holds no document type.
        for event, element in iterparse(io.BytesIO(data), events=("start", "end")):  # noqa: S314
            root = element if root is None else root
            depth += 1 if event == "start" else -1
            if depth > DEEPEST:
                raise FileRejected(code, f"{what} nests elements more than {DEEPEST} deep", expected="a flat document")
    except BROKEN as error:
        raise FileRejected(code, f"{what} is no XML that can be read ({error})") from error
    if root is None:
        raise FileRejected(code, f"{what} is empty")
    return root


def _check_prolog(data: bytes) -> None:
    """Refuse document types, and with them entities: they can only stand before the first element."""
    next(iter(ElementTree.iterparse(io.BytesIO(data), events=("start",), forbid_dtd=True)), None)
