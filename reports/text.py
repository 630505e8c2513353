"""Text that comes from files, made safe once at the boundary of the report model.

Escaping for HTML is the renderer's work; here we remove what no escaping covers: control characters that vanish or
break parsers, and direction or zero-width marks that make a reader see another string than the one in the file.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256

_VISIBLE_FORMAT_CHARACTERS = frozenset(range(0x0600, 0x0606)) | {0x06DD, 0x070F, 0x08E2, 0x110BD}
_BLANKS = re.compile(r"[ \t\r\n\v\f\x85\u2028\u2029]+")
_ANCHOR_SAFE = re.compile(r"[A-Za-z0-9._-]*")
_ANCHOR_LIMIT = 80
_STEM = re.compile(r"[A-Z0-9-]{1,40}")
_RESERVED = frozenset({"CON", "PRN", "AUX", "NUL", *(f"{port}{n}" for port in ("COM", "LPT") for n in range(10))})


def clean(value: object) -> str:
    """Return the text of a value with control characters removed and invisible marks shown as ⟦U+202E⟧.

    A report reads a million values, most of them the same words again.
    """
    if value is None:
        return ""
    return _cleaned(value if type(value) is str else str(value))


@lru_cache(maxsize=1 << 16)
def _cleaned(text: str) -> str:
    if text.isprintable():
        # The only blank that prints is the space: most text is clean already.
        return text if "  " not in text and text == text.strip() else _BLANKS.sub(" ", text).strip()
    text = "".join(_shown(character) for character in text)
    return _BLANKS.sub(" ", text).strip()


def _shown(character: str) -> str:
    code = ord(character)
    if 0x20 <= code < 0x7F or character in "\t\n\r\v\f\x85\u2028\u2029":
        return character
    category = unicodedata.category(character)
    if category == "Cc":
        return ""
    if category == "Cf" and code not in _VISIBLE_FORMAT_CHARACTERS:
        return f"⟦U+{code:04X}⟧"
    if category == "Cs" or code & 0xFFFE == 0xFFFE:
        return "\ufffd"
    return character


def shorten(text: str, limit: int) -> str:
    """Return text of at most `limit` characters, cut at a blank where one is near and marked with an ellipsis."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    blank = head.rfind(" ")
    return (head[:blank] if blank > limit * 2 // 3 else head).rstrip(" ,;:") + "…"


@lru_cache(maxsize=1 << 16)
def anchor(prefix: str, *parts: str) -> str:
    """Return an element id such as `SYS-ORD1-GPU`, one per distinct text, usable unescaped in a link.

    Characters outside letters, digits, dot, underscore and hyphen become `~hex~`; long ids end in a hash.
    """
    body = "-".join(part if _ANCHOR_SAFE.fullmatch(part) else "".join(map(_escaped, part)) for part in parts)
    if len(body) > _ANCHOR_LIMIT:
        body = f"{body[:40]}~{sha256(body.encode()).hexdigest()[:12]}"
    return f"{prefix}-{body}"


def _escaped(character: str) -> str:
    return character if _ANCHOR_SAFE.fullmatch(character) else f"~{ord(character):x}~"


def file_stems(identities: Sequence[str]) -> list[str]:
    """Return one file name per id, without its ending: the id in capitals where that is safe, else a stable hash.

    Safe is `[A-Z0-9-]{1,40}` and no name that Windows reserves. Two ids never share a name.
    """
    stems: dict[str, None] = {}
    for identity in identities:
        plain = identity.upper() if identity.isascii() else ""
        safe = _STEM.fullmatch(plain) and plain not in _RESERVED and plain not in stems
        stems[plain if safe else f"X-{sha256(identity.encode()).hexdigest()[:24].upper()}"] = None
    return list(stems)
