"""Numbers in cells, exact: as text in, decimal out, with the source's decimal sign."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

_PLAIN = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)")
_MONEY = re.compile(r"^(?:[A-Z]{3}|[$€£¥])\s*|\s*(?:[A-Z]{3}|[$€£¥])$")


@lru_cache(maxsize=50_000)
def decimal_of(text: str | None, sign: str = ".") -> Decimal | None:
    """The number that a cell holds, without currency and grouping marks; None when it holds no number."""
    if not text:
        return None
    bare = _MONEY.sub("", text.strip())
    other = "," if sign == "." else "."
    plain = bare.replace(other, "").replace(" ", "").replace("\u00a0", "").replace(sign, ".")
    return Decimal(plain) if _PLAIN.fullmatch(plain) else None


def figure(number: Decimal) -> str:
    """A decimal as people write it: no exponent, no idle zeros."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
