"""Files as people send them, to rows of text with every line accounted for. One module per format.

Belongs here: bytes to text cells. Does not: types, dates, numbers (``expectations``) or where files come from.
"""

from turnup.formats.inspection import Inspection, inspect
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
from turnup.formats.proposals import ColumnProposal
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
