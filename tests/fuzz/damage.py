"""Ways in which a file is damaged: bytes flipped, cut, spliced, repeated, and parts inside an archive too."""

from __future__ import annotations

import io
import random
import zipfile
import zlib

_TOKENS = (
    b'"', b"\n", b"\r", b"\0", b",", b";", b"\t", b"|", b"<", b">", b"</", b"&lt;", b"[", b"{", b"]", b"}", b"\\", b"#",
    b"-", b"1e999", b"NaN", b"null", b"9" * 40, b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\\ud800", b"'", b"~",
    b"<!DOCTYPE a>", b"&a;", b"=1+1", b"\x1b[31m", "\u202e".encode(), "\u2028".encode(), b"Total", b"*", b"+", b":",
)  # fmt: skip


def damaged(content: bytes, other: bytes, draw: random.Random) -> bytes:
    """One damaged version of a file; ``other`` is spliced in where the way is splicing."""
    if content[:2] == b"PK" and draw.random() < 0.6:
        inside = _inside(content, other, draw)
        if inside is not None:
            return inside
    data = bytearray(content)
    for _ in range(draw.choice((1, 1, 1, 2, 3, 8))):
        _damage(data, other, draw)
    return bytes(data)


def _damage(data: bytearray, other: bytes, draw: random.Random) -> None:
    size = len(data)
    place = draw.randrange(size + 1)
    way = draw.randrange(9)
    if way == 0:
        _flip(data, draw)
    elif way == 1:
        del data[place:]
    elif way == 2:
        del data[: min(place, 200)]
    elif way == 3:
        data[place:] = other[draw.randrange(len(other) + 1) :]
    elif way == 4:
        del data[place : place + draw.choice((1, 5, 50, 500))]
    elif way == 5:
        _number(data, draw)
    else:
        data[place:place] = _more(data[place : place + 2_000], way, draw)


def _more(following: bytearray, way: int, draw: random.Random) -> bytes:
    """Bytes to be put in: what follows again, a token that means something somewhere, or noise."""
    if way == 6:
        return bytes(following[: draw.choice((1, 20, 200, 2_000))]) * draw.choice((1, 3, 50))
    if way == 7:
        return draw.choice(_TOKENS) * draw.choice((1, 1, 1, 2, 30, 2_000))
    return draw.randbytes(draw.choice((1, 4, 64, 1_000)))


def _flip(data: bytearray, draw: random.Random) -> None:
    for _ in range(draw.choice((1, 2, 10, 100)) if data else 0):
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)


def _number(data: bytearray, draw: random.Random) -> None:
    """Change a digit, or make a number long, negative or large."""
    digits = [index for index, byte in enumerate(data[:50_000]) if 48 <= byte <= 57]
    if digits:
        place = draw.choice(digits)
        data[place : place + 1] = draw.choice((b"0", b"9", b"-1", b"65536", b"4294967295", b"1e308", b"9" * 25, b""))


def _inside(content: bytes, other: bytes, draw: random.Random) -> bytes | None:
    """The archive with one of its parts damaged and packed again."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as old:
            parts = {name: old.read(name) for name in old.namelist()}
    except (zipfile.BadZipFile, zlib.error, OSError, ValueError, NotImplementedError, EOFError):
        return None
    chosen = draw.choice(sorted(parts))
    data = bytearray(parts[chosen])
    for _ in range(draw.choice((1, 1, 2, 5))):
        _damage(data, other, draw)
    parts[chosen] = bytes(data)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new:
        for name, part in parts.items():
            new.writestr(zipfile.ZipInfo(name), part)
    return buffer.getvalue()
