"""How much memory and computing time the reading of one file may take.

Small files get the same room, whatever they claim to hold. A large file earns more with every byte its sender had to
send: a bomb is small, so it stays in the common room, and an honest file of 200 MB is still read. Measured on honest
files: text needs up to 11 bytes of memory a byte, a workbook up to 40 a packed byte.
"""

from __future__ import annotations

from dataclasses import dataclass

MEBIBYTE = 1 << 20
LARGEST_ANSWER = 64 * MEBIBYTE
"""Refused rows and findings of one file, as JSON: some 150,000 of them. A file with more is not the file that its
source describes."""

_ROOM = 900 * MEBIBYTE
_MOST = 12_000 * MEBIBYTE
_SECONDS = 8.0
STILL = 5.0
"""Seconds in which a child must have computed at all, lest it be taken for stuck; how busy this machine is does not
matter."""


@dataclass(frozen=True)
class Limits:
    """Memory in bytes (of the whole process) and computing time in seconds (of all its threads) for one file."""

    memory: int
    seconds: float


def limits_for(size: int, *, packed: bool) -> Limits:
    """The limits for a file of ``size`` bytes; ``packed`` files (workbooks, archives) hold more than they weigh."""
    each, free, seconds = (64, 4, 15.0) if packed else (16, 16, 3.0)
    earned = each * max(0, size - free * MEBIBYTE)
    return Limits(min(_ROOM + earned, _MOST), _SECONDS + seconds * size / MEBIBYTE)
