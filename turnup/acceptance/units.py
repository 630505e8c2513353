"""Units of measured figures: what each means exactly, and conversion between those of one dimension.

A number without a unit is no figure. Prefixes follow the unit as written: ``MB/s`` is 1e6 bytes a second, ``MiB/s`` is
2^20; which of them a tool means by its label is the business of that tool's reader.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Dimension = Literal[
    "byte_rate", "bit_rate", "time", "flops", "rate", "bytes", "power", "temperature", "share", "count", "native"
]

_DECIMAL = {"": 0, "k": 3, "K": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50}


class UnitError(ValueError):
    """A unit that is not known, or two units that do not measure the same thing."""


@dataclass(frozen=True)
class Unit:
    """A unit: what it measures, and how many base units (B/s, bit/s, s, flop/s, 1/s, B, W, degC, 1) it is."""

    name: str
    dimension: Dimension
    factor: Fraction


def _prefixed(stem: str, dimension: Dimension, *, binary: bool = False) -> dict[str, Unit]:
    found = {f"{p}{stem}": Unit(f"{p}{stem}", dimension, Fraction(10**e)) for p, e in _DECIMAL.items()}
    if binary:
        found |= {f"{p}{stem}": Unit(f"{p}{stem}", dimension, Fraction(2**e)) for p, e in _BINARY.items()}
    return found


def _plain(dimension: Dimension, **factors: Fraction | int) -> dict[str, Unit]:
    return {name: Unit(name, dimension, Fraction(factor)) for name, factor in factors.items()}


_UNITS: dict[str, Unit] = {
    **_prefixed("B/s", "byte_rate", binary=True),
    **_prefixed("bit/s", "bit_rate", binary=True),
    **_prefixed("B", "bytes", binary=True),
    **_prefixed("flop/s", "flops"),
    **_prefixed("op/s", "rate"),
    **_plain("time", s=1, ms=Fraction(1, 10**3), us=Fraction(1, 10**6), ns=Fraction(1, 10**9), min=60, h=3600),
    **_plain("power", W=1, kW=1000, mW=Fraction(1, 1000)),
    "degC": Unit("degC", "temperature", Fraction(1)),
    "%": Unit("%", "share", Fraction(1, 100)),
    "share": Unit("share", "share", Fraction(1)),
    "count": Unit("count", "count", Fraction(1)),
    "native": Unit("native", "native", Fraction(1)),
}

_SPELLINGS = {
    **{f"{p}b/s": f"{p}bit/s" for p in _DECIMAL},
    **{f"{p}bps": f"{p}bit/s" for p in _DECIMAL},
    **{f"{p}b/sec": f"{p}bit/s" for p in _DECIMAL},
    **{f"{p}bit/sec": f"{p}bit/s" for p in _DECIMAL},
    **{f"{p}bits/s": f"{p}bit/s" for p in _DECIMAL},
    **{f"{p}bits/sec": f"{p}bit/s" for p in _DECIMAL},
    **{f"{p}B/sec": f"{p}B/s" for p in (*_DECIMAL, *_BINARY)},
    **{f"{p}Bytes/s": f"{p}B/s" for p in (*_DECIMAL, *_BINARY)},
    **{f"{p}Bytes/sec": f"{p}B/s" for p in (*_DECIMAL, *_BINARY)},
    **{f"{p}FLOPS": f"{p}flop/s" for p in _DECIMAL},
    **{f"{p}flops": f"{p}flop/s" for p in _DECIMAL},
    **{f"{p}FLOP/s": f"{p}flop/s" for p in _DECIMAL},
    **{f"{p}IOPS": f"{p}op/s" for p in _DECIMAL},
    **{f"{p}iops": f"{p}op/s" for p in _DECIMAL},
    "GF": "Gflop/s", "Gflops": "Gflop/s", "TF": "Tflop/s",
    "usec": "us", "µs": "us", "μs": "us", "msec": "ms", "nsec": "ns", "sec": "s", "seconds": "s",
    "samples/s": "op/s", "samples/second": "op/s", "tokens/s": "op/s", "msg/s": "op/s", "Mpps": "Mop/s",
    "Mmsg/s": "Mop/s", "1/s": "op/s", "ops/s": "op/s",
    "C": "degC", "°C": "degC", "percent": "%", "errors": "count", "ratio": "share",
}  # fmt: skip
"""Other ways to write a unit. ``Gb`` is bits, ``GB`` is bytes: the letter decides, never a guess."""


def unit(name: str) -> Unit:
    """The unit of a name, in the letters in which it is written: ``GB/s`` and ``Gb/s`` differ by eight.

    Raises:
        UnitError: no such unit.
    """
    text = name.strip()
    found = _UNITS.get(text) or _UNITS.get(_SPELLINGS.get(text, ""))
    if found is None:
        raise UnitError(f"'{name}' is not a known unit such as GB/s, Gbit/s, MiB/s, us or count")
    return found


def known(name: str) -> bool:
    """Whether there is a unit of this name."""
    text = name.strip()
    return text in _UNITS or text in _SPELLINGS


def factor(of: str, to: str) -> Fraction:
    """What a figure in ``of`` is to be multiplied by to be in ``to``. Bytes and bits a second convert by eight.

    Raises:
        UnitError: a unit is not known, or the two measure different things.
    """
    given, wanted = unit(of), unit(to)
    rates = {"byte_rate": 8, "bit_rate": 1}
    if given.dimension != wanted.dimension and not {given.dimension, wanted.dimension} <= rates.keys():
        raise UnitError(f"{of} measures {given.dimension}, {to} measures {wanted.dimension}")
    eight = Fraction(rates.get(given.dimension, 1), rates.get(wanted.dimension, 1))
    return given.factor * eight / wanted.factor


def convert(value: float, of: str, to: str) -> float:
    """A figure in another unit of its dimension.

    Raises:
        UnitError: as ``factor``.
    """
    return float(Fraction(value) * factor(of, to))


def all_units() -> dict[str, Unit]:
    """Every spelling with its unit, for joins."""
    return {**_UNITS, **{spelled: _UNITS[name] for spelled, name in _SPELLINGS.items() if name in _UNITS}}
