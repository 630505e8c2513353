"""Numbers with a unit in the same cell: `12 ea`, `3 CTN`, `37,000 km`.

Here: the known spellings of units, and a number with its unit as text. A unit is never converted by what everybody
knows, only by a factor that the source declares.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cache

PIECES = "ea"
"""The unit of columns that count things."""

_SPELLINGS: Mapping[str, tuple[str, ...]] = {
    PIECES: ("each", "eas", "pc", "pcs", "pce", "pces", "piece", "pieces", "unit", "units", "no", "nos", "off", "st",
             "stk", "stück", "qty", "x", "un"),
    "m": ("meter", "meters", "metre", "metres", "mtr", "mtrs"),
    "km": ("kilometer", "kilometers", "kilometre", "kilometres", "kms"),
    "cm": ("centimeter", "centimeters", "centimetre", "centimetres"),
    "mm": ("millimeter", "millimeters", "millimetre", "millimetres"),
    "ft": ("foot", "feet"),
    "in": ("inch", "inches"),
    "kg": ("kgs", "kilo", "kilos", "kilogram", "kilograms"),
    "g": ("gram", "grams"),
    "t": ("tonne", "tonnes"),
    "lb": ("lbs", "pound", "pounds"),
    "l": ("liter", "liters", "litre", "litres", "ltr"),
    "d": ("day", "days"),
    "h": ("hour", "hours", "hr", "hrs"),
    "s": ("sec", "secs", "second", "seconds"),
    "%": ("percent", "pct"),
    "kW": ("kilowatt", "kilowatts"),
    "racks": ("rack", "rk"),
    "ports": ("port",),
    "accelerators": ("accelerator", "gpu", "gpus"),
    "nodes": ("node",),
    "B": ("byte", "bytes"),
    "Gbit/s": ("gbps", "gbit"),
    "ms": ("msec", "millisecond", "milliseconds"),
    "PB": ("petabyte", "petabytes"),
    "TB": ("terabyte", "terabytes"),
    "set": ("sets",),
    "lot": ("lots",),
}  # fmt: skip
UNITS = tuple(_SPELLINGS)
"""The known units."""
_BITS_OR_BYTES = re.compile(r"[kmgtpe]?i?b(?:/s|ps)?")
_FORM = re.compile(r"(?P<number>[+-]?(?:\d|[.,](?=\d))[\d.,' \u00a0\u202f]*?)\s*(?P<unit>[^\W\d_%°][^\d]*|%|°\w*)")


@cache
def _aliases() -> dict[str, str]:
    known = {unit.casefold(): unit for unit in _SPELLINGS}
    return known | {alias.casefold(): unit for unit, spellings in _SPELLINGS.items() for alias in spellings}


def unit_key(unit: str) -> str:
    """The form in which units compare: without a closing point, folded."""
    return " ".join(unit.split()).rstrip(".").casefold()


def known_unit(unit: str) -> str | None:
    """The unit that a word spells, or None; a unit in capitals must not be in mixed case: `Pb` is a petabit."""
    key = unit_key(unit)
    found = _aliases().get(key)
    mixed = found is not None and found.isupper() and key == found.casefold() and unit.strip(" .") not in (found, key)
    return None if mixed else found


def same_unit(one: str, other: str) -> bool:
    """Whether two words spell one unit."""
    known, also = known_unit(one), known_unit(other)
    if known or also:
        return known == also
    exact = one.strip(" .") == other.strip(" .")
    return exact or (unit_key(one) == unit_key(other) and _BITS_OR_BYTES.fullmatch(unit_key(one)) is None)


def spellings(unit: str) -> tuple[str, ...]:
    """All folded spellings of a unit, itself included."""
    own = known_unit(unit)
    return tuple(sorted({unit_key(unit), *(alias for alias, means in _aliases().items() if means == own)}))


def parted(text: str) -> tuple[str, str] | None:
    """Number and unit of a cell as written, or None when it is not a number followed by a word."""
    match = _FORM.fullmatch(text.strip())
    return (match["number"].strip(), match["unit"].strip()) if match else None


def factor(unit: str, declared: Mapping[str, str]) -> Decimal | None:
    """What one of a unit is in the column's own, where the source declares it."""
    for name, value in declared.items():
        if same_unit(name, unit):
            return Decimal(value)
    return None


def plain_text(number: Decimal) -> str:
    """A decimal without exponent and without needless zeros."""
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
