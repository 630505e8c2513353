"""The code version that takes part in a week's identity: release plus a hash of what can change a figure."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from turnup import __version__

_PACKAGES = ("expectations", "turnup", "reports")
_ENDINGS = (".py", ".sql", ".yaml", ".j2", ".css")


@cache
def code_version() -> str:
    """Return for example ``0.1.0+3f9c2a1b``; the second part hashes every file that can change a figure."""
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for package in _PACKAGES:
        for file in sorted((root / package).rglob("*")):
            if file.suffix in _ENDINGS:
                digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes())
    return f"{__version__}+{digest.hexdigest()[:8]}"
