"""Names of files against patterns: whether one fits, and the pattern that fits a file and its successors."""

from __future__ import annotations

import glob
import re
import unicodedata
from pathlib import PurePosixPath

_CHANGING = re.compile(
    r"(?<!\d)(?:\d{4}[-_. ]?\d{2}[-_. ]?\d{2}(?:[T_-]?\d{2}[-_:]?\d{2}(?:[-_:]?\d{2})?(?![-_.]\d)Z?)?"
    r"|\d{2}[-_.]\d{2}[-_.]\d{4}"
    r"|\d{4}[-_ ]?(?:w|kw|wk|cw)\d{1,2}|(?:wk?|kw|cw)[-_ ]?\d{1,2}[-_ ]\d{4}|\d{4}[-_]\d{2}"
    r"|(?<=[-_ ])\d{4,}|(?<=[-_. ])(?:week|wk|kw|cw)[-_. ]?\d{1,2}(?=[-_. ]|$))(?!\d)",
    re.IGNORECASE,
)
_COPY = re.compile(r"(?:\s*\(\d{1,3}\)|\[\d{1,3}\]|\s+-\s+copy(?: \(\d+\))?)$", re.IGNORECASE)


def file_pattern(name: str) -> str:
    """A pattern for ``files:`` of a source that fits this name and its successors.

    Only what looks like a day, a month, a week or a long running number becomes ``*``; a short number such as the 128
    of a product stays. Characters that mean something in a pattern are quoted.
    """
    path = PurePosixPath(name)
    stem = _COPY.sub("\0", path.stem)
    stem = _CHANGING.sub("\0", stem)
    pattern = re.sub(r"\0[\0_\-. ]*\0|\0+", "*", stem)
    if pattern == "*":
        return glob.escape(name)  # it would take every file
    quoted = "*".join(glob.escape(part) for part in pattern.split("*"))
    return quoted + glob.escape(path.suffix)


def fits_pattern(path: str, pattern: str) -> bool:
    """Whether an inbox path fits a source's pattern, however either spells its accents."""
    return PurePosixPath(unicodedata.normalize("NFC", path)).match(unicodedata.normalize("NFC", pattern))
