"""Which characters the shipped fonts can print, and what is printed in place of the others.

PDF/UA refuses a text with a missing glyph. A vendor's emoji must not stop a report, so such a character is printed as
its code point; the text itself stands in HTML, XLSX and JSON.
"""

import struct
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

FONTS = Path(str(files("reports").joinpath("fonts")))
FAMILIES = ("Liberation Sans", "DejaVu Sans", "Droid Sans Fallback")
"""Families in the order in which a character is looked for; the first one sets all ordinary text."""

_TEXT_FONT, *_OTHERS = ("LiberationSans-Regular.ttf", "DejaVuSans.ttf", "DroidSansFallback.ttf")


def printable(text: str, *, text_font_only: bool = False) -> str:
    """Return the text with each character that no shipped font has as ⟦U+1F477⟧.

    With `text_font_only` every character outside the first font is shown so: the last resort for a sequence whose
    characters are each covered, but not all by one font.
    """
    if text.isascii():
        return text
    known = _characters(_TEXT_FONT) if text_font_only else every_character()
    apart = unicodedata.combining if text_font_only else _never
    text = unicodedata.normalize("NFC", text)
    return "".join(c if ord(c) in known and not apart(c) else _code(c) for c in text)


def _never(_: str) -> int:
    return 0


def _code(character: str) -> str:
    return f"⟦U+{ord(character):04X}⟧"


@cache
def every_character() -> frozenset[int]:
    """Return the code points that at least one shipped font has."""
    return frozenset().union(*(_characters(name) for name in (_TEXT_FONT, *_OTHERS)))


@cache
def _characters(name: str) -> frozenset[int]:
    font = (FONTS / name).read_bytes()
    cmap = _table(font, b"cmap")
    (count,) = struct.unpack_from(">H", font, cmap + 2)
    found: set[int] = set()
    for number in range(count):
        (offset,) = struct.unpack_from(">I", font, cmap + 4 + 8 * number + 4)
        found.update(_mapped(font, cmap + offset))
    return frozenset(found)


def _table(font: bytes, tag: bytes) -> int:
    (count,) = struct.unpack_from(">H", font, 4)
    for number in range(count):
        name, _, offset, _ = struct.unpack_from(">4sIII", font, 12 + 16 * number)
        if name == tag:
            return int(offset)
    raise ValueError(f"font has no table {tag.decode()}")


def _mapped(font: bytes, at: int) -> Iterator[int]:
    """Code points of one subtable: format 4 (segments of 16 bits) or 12 (groups); older formats add nothing."""
    (form,) = struct.unpack_from(">H", font, at)
    if form == 4:
        yield from _segments(font, at)
    elif form == 12:
        (groups,) = struct.unpack_from(">I", font, at + 12)
        for number in range(groups):
            first, last, glyph = struct.unpack_from(">III", font, at + 16 + 12 * number)
            yield from range(first + (glyph == 0), last + 1)


def _segments(font: bytes, at: int) -> Iterator[int]:
    (twice,) = struct.unpack_from(">H", font, at + 6)
    ends = at + 14
    for place in range(0, twice, 2):
        (last,) = struct.unpack_from(">H", font, ends + place)
        (first,) = struct.unpack_from(">H", font, ends + twice + 2 + place)
        (delta,) = struct.unpack_from(">h", font, ends + 2 * twice + 2 + place)
        ranges = ends + 3 * twice + 2 + place
        (offset,) = struct.unpack_from(">H", font, ranges)
        for code in range(first, min(last, 0xFFFE) + 1):
            if offset == 0:
                glyph = (code + delta) & 0xFFFF
            else:
                (glyph,) = struct.unpack_from(">H", font, ranges + offset + 2 * (code - first))
            if glyph:
                yield code
