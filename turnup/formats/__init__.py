"""Files as people send them, to rows of text with every line accounted for. One module per format.

Belongs here: bytes to text cells. Does not: types, dates, numbers (``expectations``) or where files come from.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from turnup.formats.inspected import ColumnProposal, Inspection
from turnup.formats.model import (
    ColumnMapping,
    Fact,
    FileRejected,
    Finding,
    Ledger,
    RawTable,
    Rejected,
    Returned,
)

if TYPE_CHECKING:
    from turnup.formats.inspection import inspect
    from turnup.formats.registry import parse

__all__ = [
    "ColumnMapping",
    "ColumnProposal",
    "Fact",
    "FileRejected",
    "Finding",
    "Inspection",
    "Ledger",
    "RawTable",
    "Rejected",
    "Returned",
    "inspect",
    "parse",
]

_READERS = {"inspect": "turnup.formats.inspection", "parse": "turnup.formats.registry"}


def __getattr__(name: str) -> Any:
    """The readers, imported when they are first asked for: who has a child read needs the words above alone."""
    if name in _READERS:
        return getattr(import_module(_READERS[name]), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
