"""Quantity times unit price against the price of the line, exact."""

from __future__ import annotations

from decimal import Decimal

from turnup.formats.bom.lines import Line

_HALF_CENT = Decimal("0.005")


def unexplained(line: Line) -> Decimal | None:
    """How far the stated price of a line is from quantity times unit price, or None when rounding explains it.

    The stated price may be rounded to cents, and the unit price to its last decimal (to cents at the coarsest): a
    difference below half a cent, or below half that decimal for each piece, says nothing. What is more comes from a
    price break, a minimum order or a mistake.
    """
    if line.quantity is None or line.unit_price is None or line.extended_price is None:
        return None
    exponent = line.unit_price.as_tuple().exponent
    decimals = max(2, -exponent if isinstance(exponent, int) else 2)
    allowed = max(_HALF_CENT, line.quantity * Decimal(5).scaleb(-decimals - 1))
    difference = line.extended_price - line.quantity * line.unit_price
    return difference if abs(difference) >= allowed else None
