"""Progress as people write it: ``85%``, ``0.85`` or ``85``.

Belongs here: the share done of one cell, and whether a column counts in fractions. Does not: what progress means.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from turnup.formats.schedule.durations import Malformed, Mark, number

if TYPE_CHECKING:
    from collections.abc import Iterable


def share_of(text: str, decimal: Mark | None = None, *, fractions: bool = True) -> Decimal | None:
    """The share done, 0 to 1; None when nothing is written.

    Args:
        text: one cell.
        decimal: the decimal mark, where it is known.
        fractions: whether a number up to 1 without a percent sign is a fraction.

    Raises:
        Malformed: no number, or not between nothing and all.
    """
    written = text.strip()
    if not written:
        return None
    figure = written.removesuffix("%").rstrip()
    try:
        amount = number(figure, decimal) if figure[:1].isdigit() or figure[:1] in (".", ",") else None
    except ArithmeticError:
        amount = None
    if amount is None:
        raise Malformed(f"'{text}' is no progress; write a percentage such as 85%")
    share = amount if fractions and not written.endswith("%") and amount <= 1 else amount / 100
    if share > 1:
        raise Malformed(f"'{text}' is more than all; write a percentage from 0% to 100%")
    return share


def counts_in_fractions(texts: Iterable[str]) -> bool:
    """Whether the cells of a column are fractions: no percent sign, none above 1, and one between 0 and 1.

    A column of bare 0 and 1 counts in fractions too, where 1 % would be the only other reading.
    """
    figures = [text.strip() for text in texts if text.strip()]
    if not figures or any("%" in figure for figure in figures):
        return False
    try:
        return all(number(figure) <= 1 for figure in figures)
    except (Malformed, ArithmeticError):
        return False
