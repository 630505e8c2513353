"""The columns of a send-back sheet that are ours; all others are the sender's own."""

from __future__ import annotations

import re

from turnup.formats.tabular.names import name_key

ROW_ID = "Sent back: row id"
FILE = "Sent back: file"
SHEET = "Sent back: sheet"
ROW = "Sent back: row"
WRONG = "Sent back: what is wrong"
ANSWER = "Sent back: your answer"
OURS = (ROW_ID, FILE, SHEET, ROW, WRONG, ANSWER)

TAKE_BACK, AS_IT_STANDS = "withdraw", "right as it stands"
"""What a sender may answer about a row that is not corrected."""

OUR_KEYS = frozenset(name_key(heading) for heading in OURS)
_BEYOND = re.compile(r"^\[column \d+\]$")


def is_beyond(label: str) -> bool:
    """Whether a label names a cell beyond the header, which a row of the right width does not have."""
    return _BEYOND.match(label) is not None
