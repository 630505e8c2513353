"""How numbers, dates and kinds are written: one place, so that every page prints the same figure the same way."""

# ruff: noqa: RUF001 - typographic dashes and signs are what readers should see

import re
from datetime import date, datetime
from decimal import ROUND_FLOOR, Decimal
from zoneinfo import ZoneInfo

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
DASH = "–"
MINUS = "\u2212"
KINDS = {
    "gpu_cluster": "GPU",
    "cpu_cluster": "CPU",
    "storage": "Storage",
    "pop": "PoP",
    "backbone_node": "Backbone",
    "wan_link": "WAN",
    "cloud_interconnect": "Cloud interconnect",
}
_BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:%|d|h|W|kW|MW|B|GB|TB|PB|GB/s|Gbit/s|GPUs|USD|EUR)(?![\w/]))")
UNIT_SYMBOLS = {"accelerators": "GPUs", "PB": "PB"}
STAGES = {
    "contracted": "Contracted", "ordered": "Not ordered", "shipped": "Not shipped", "received": "Not received",
    "installed": "Not installed", "powered": "Not powered", "l1_valid": "Links not valid",
    "accepted": "Not accepted", "handed_over": "Not handed over", "schedulable": "Not schedulable",
}  # fmt: skip
REACHED = {
    "contracted": "Contracted", "ordered": "Ordered", "shipped": "Shipped", "received": "Received",
    "installed": "Installed", "powered": "Powered", "l1_valid": "L1-valid", "accepted": "Accepted",
    "handed_over": "Handed over", "schedulable": "Schedulable",
}  # fmt: skip


def kind_name(kind: str) -> str:
    """Return the reader's name of a kind of system, e.g. `GPU`."""
    return KINDS.get(kind, kind)


def kind_rank(kind: str) -> tuple[int, str]:
    """Return the sort key that puts kinds in the fixed order of the reports, unknown ones last."""
    order = list(KINDS)
    return (order.index(kind) if kind in KINDS else len(order), kind)


def unit_name(unit: str) -> str:
    """Return the short unit used inside sentences, e.g. `GPUs` for accelerators."""
    return UNIT_SYMBOLS.get(unit, unit)


def quantity(value: Decimal | int | None) -> str:
    """Return a quantity with thousands separators and no trailing zeros; a dash when there is none."""
    if value is None:
        return DASH
    number = Decimal(value)
    text = f"{number:,.3f}".rstrip("0").rstrip(".")
    return text.replace("-", MINUS) if text not in ("-0", "") else "0"


def signed(value: Decimal | int | None, suffix: str = "") -> str:
    """Return a difference with its sign (true minus); zero has none; a dash when unknown."""
    if value is None:
        return DASH
    number = Decimal(value)
    return f"{'+' if number > 0 else ''}{quantity(number)}{suffix}"


def percent(part: Decimal | None, whole: Decimal | None) -> str:
    """Return part of whole in whole percent, rounded down so that 99.7 % never reads as all of it."""
    if part is None or not whole:
        return DASH
    return f"{int((part / whole * 100).to_integral_value(ROUND_FLOOR)):,} %"


def share(value: Decimal | None) -> str:
    """Return a probability 0..1 as whole percent; 99.6 % is not printed as certainty, nor 0.4 % as none."""
    if value is None:
        return DASH
    whole = round(value * 100)
    if whole == 100 and value < 1:
        return "> 99 %"
    return "< 1 %" if whole == 0 and value > 0 else f"{whole} %"


def money(value: Decimal | None, currency: str) -> str:
    """Return an amount rounded to a unit a reader can hold: 410k, 1.24M; currency code in front."""
    if value is None:
        return DASH
    code = f"{currency} " if currency else ""
    if abs(value) >= 1_000_000:
        return f"{code}{quantity(round(value / 1_000_000, 2))}M"
    return f"{code}{quantity(round(value / 1000))}k" if abs(value) >= 10_000 else f"{code}{quantity(round(value))}"


def day(value: date | None) -> str:
    """Return a date as `12 Jun 26`; a dash when there is none."""
    return DASH if value is None else f"{value.day} {MONTHS[value.month - 1]} {value.year % 100:02d}"


def short_day(value: date | None) -> str:
    """Return a date without its year, `12 Jun`, where the year is evident from the page."""
    return DASH if value is None else f"{value.day} {MONTHS[value.month - 1]}"


def instant(value: datetime | None, zone: str) -> str:
    """Return a UTC instant (naive, as stored) as local time of the programme, e.g. `Fri 2026-10-30 18:00 CDT`."""
    if value is None:
        return DASH
    local = value.replace(tzinfo=ZoneInfo("UTC")).astimezone(ZoneInfo(zone or "UTC"))
    return f"{WEEKDAYS[local.weekday()]} {local:%Y-%m-%d %H:%M} {local.tzname()}"


def days(value: int | Decimal | None) -> str:
    """Return a count of days, `19 d`."""
    return DASH if value is None else f"{quantity(value)} d"


def together(text: str) -> str:
    """Return a sentence in which no line breaks between a figure and its unit: the blank there holds both together."""
    return _BEFORE_UNIT.sub("\u00a0", text)


def plural(count: int, one: str, many: str = "") -> str:
    """Return `1 row`, `2 rows`, `no rows`."""
    noun = one if count == 1 else (many or f"{one}s")
    return f"{'no' if count == 0 else f'{count:,}'} {noun}"


def listed(items: list[str]) -> str:
    """Return `a`, `a and b`, `a, b and c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""
