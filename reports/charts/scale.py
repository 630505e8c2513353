"""Linear scales, round ticks and text widths: the arithmetic that all charts share."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from math import ceil, floor, log10

from reports.wording import MONTHS

_WIDTH_PER_EM = 0.58


@dataclass(frozen=True)
class Scale:
    """Maps values low..high linearly to pixels start..end."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float | Decimal) -> float:
        """Return the pixel of a value, rounded to a tenth so that output is short and stable."""
        span = self.high - self.low
        if not span:
            return self.start
        return round(self.start + (float(value) - self.low) / span * (self.end - self.start), 1)


@dataclass(frozen=True)
class Tick:
    """A tick: pixel and label."""

    at: float
    label: str


def round_step(span: float, wanted: int) -> float:
    """Return a step of 1, 2, 2.5 or 5 times a power of ten that cuts span into about `wanted` parts."""
    raw = span / max(1, wanted)
    power = 10.0 ** floor(log10(raw)) if raw > 0 else 1.0
    return next((power * m for m in (1, 2, 2.5, 5, 10) if raw <= power * m * 1.0000001), power * 10)


def value_ticks(high: float, wanted: int = 5) -> list[float]:
    """Return round values from 0 up to at least `high`."""
    if high <= 0:
        return [0.0, 1.0]
    step = round_step(high, wanted)
    return [round(step * i, 9) for i in range(ceil(high / step - 1e-9) + 1)]


def compact(value: float) -> str:
    """Return an axis label: 12.5k, 400, 2.5."""
    if value >= 10_000:
        return f"{value / 1000:,.1f}".rstrip("0").rstrip(".") + "k"
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def month_ticks(first: date, last: date, wanted: int) -> list[tuple[date, str]]:
    """Return month starts between two dates, every 1, 2, 3, 6 or 12 months; the year stands where it changes."""
    months = []
    year, month = first.year, first.month
    while date(year, month, 1) <= last:
        if date(year, month, 1) >= first:
            months.append(date(year, month, 1))
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    every = next((n for n in (1, 2, 3, 6, 12) if len(months) / n <= wanted), 24)
    chosen = [m for m in months if (m.month - 1) % every == 0] if every <= 12 else months[::every]
    labels = []
    seen = 0
    for value in chosen:
        name = MONTHS[value.month - 1]
        labels.append((value, name if value.year == seen else f"{name} {value.year % 100:02d}"))
        seen = value.year
    return labels


def date_scale(first: date, last: date, start: float, end: float) -> Scale:
    """Return a scale over days."""
    if last <= first:
        last = first + timedelta(days=1)
    return Scale(first.toordinal(), last.toordinal(), start, end)


def text_width(text: str, size: float) -> float:
    """Return an upper estimate of a sans-serif text's width in pixels."""
    return len(text) * size * _WIDTH_PER_EM
