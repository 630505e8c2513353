"""Part numbers that stand for a choice still to be made."""

from __future__ import annotations

import re

_NUMBER = re.compile(
    r"(?i)^(?:tb[dca]\b.*|to be (?:defined|determined|confirmed|advised).*|placeholder.*|dummy.*|x{3,}|\?+)$"
)
_TEXT = re.compile(r"(?i)\bplaceholder\b|\breplace with\b.*\b(?:sku|part)\b|\bto be (?:determined|defined|selected)\b")


def placeholder(part: str | None, description: str | None, manufacturer: str | None) -> bool:
    """Whether a line names no real part: its number is none, or its description says that it is to be replaced."""
    number = (part or "").strip()
    maker = (manufacturer or "").strip()
    return bool(_NUMBER.match(number) or _TEXT.search(description or "") or _TEXT.search(maker))
