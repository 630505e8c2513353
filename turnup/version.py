"""The code version that takes part in a week's identity: release plus a hash of what can change a figure."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from turnup import __version__

_ROOT = Path(__file__).resolve().parent.parent
_RESULT = ("expectations", "turnup", "reports")
_READING = (
    "turnup/formats",
    "turnup/isolation",
    "turnup/returns/headings.py",
    "turnup/returns/lines.py",
    "turnup/returns/marker.py",
    "turnup/returns/reading.py",
    "turnup/identity.py",
    "turnup/value_keys.py",
    *(f"expectations/{name}.py" for name in (
        "absent_values", "date_order", "decimal_mark", "judging", "loose_dates", "odd_values", "quantities", "remarks",
        "repeated_rows", "row_batch", "row_messages", "row_rules", "row_values", "settled", "typing_rules",
        "units_sql", "value_sql",
    )),
)  # fmt: skip
_ENDINGS = (".py", ".sql", ".yaml", ".j2", ".css")


@cache
def code_version() -> str:
    """Return for example ``0.1.0+3f9c2a1b``; the second part hashes every file that can change a figure."""
    return f"{__version__}+{_hash(_RESULT)}"


@cache
def reading_version() -> str:
    """Hash of the code that turns a file into accepted and quarantined rows; when it changes, files are read again."""
    return _hash(_READING)


def _hash(places: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for place in places:
        path = _ROOT / place
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.suffix in _ENDINGS:
                digest.update(file.relative_to(_ROOT).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:8]
