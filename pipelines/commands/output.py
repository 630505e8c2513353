"""Where commands print: tables and sentences for people, or one JSON document for machines."""

from __future__ import annotations

import errno
import json
import sys
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_UNCUT = 1000


@dataclass(frozen=True)
class Output:
    """Standard output of one command."""

    as_json: bool

    def document(self, value: Any) -> None:
        """Print the machine's document; nothing when people read."""
        if self.as_json:
            sys.stdout.write(to_json(value) + "\n")

    def line(self, text: str) -> None:
        """Print a line for people; nothing when a machine reads."""
        if not self.as_json:
            from rich.console import Console

            Console().print(text, markup=False, highlight=False, soft_wrap=True)

    def table(self, title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Print a table for people; nothing when a machine reads."""
        if self.as_json:
            return
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(title=title, title_justify="left", show_edge=False, pad_edge=False)
        for column in columns:
            table.add_column(column.replace("_", " "), overflow="fold")
        for row in rows:
            # Values come from files: as Text they cannot act as markup.
            table.add_row(*(Text(_shown(value)) for value in row))
        # Piped into a file or a pager nothing has to fit.
        console = Console()
        (console if console.is_terminal else Console(width=_UNCUT)).print(table)


def _shown(value: object) -> str:
    """A value as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(plain(value))


def plain(value: Any) -> Any:
    """A value as JSON knows it: numbers without trailing zeros, dates in ISO form."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    if isinstance(value, Path):
        return str(value)
    return value


def to_json(value: Any) -> str:
    """Encode one document."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=_encode)


def _encode(value: Any) -> Any:
    encoded = plain(value)
    if encoded is value:
        raise TypeError(f"{type(value).__name__} has no JSON form")
    return encoded


def storage_trouble(error: OSError) -> str:
    """What a fault of the disk means: the file, what the system said, and what helps where that is known."""
    if error.filename is None or not error.strerror:
        return str(error)
    helps = _HELPS.get(error.errno or 0, "")
    return f"{error.filename}: {error.strerror.lower()}{f'; {helps}' if helps else ''}"


_MAY_NOT = "give the user who runs turnup the right to it, or work on a copy that may be changed (turnup export)"
_HELPS = {
    errno.EACCES: _MAY_NOT,
    errno.EPERM: _MAY_NOT,
    errno.EROFS: _MAY_NOT,
    errno.ENOSPC: "make room and run the command again: the weeks that were issued stand",
    errno.EDQUOT: "make room and run the command again: the weeks that were issued stand",
}


def fail_with(kind: str, message: str, code: int, *, as_json: bool) -> NoReturn:
    """End the command with an error: a JSON document for machines, a sentence on standard error for people."""
    if as_json:
        sys.stdout.write(to_json({"error": {"kind": kind, "message": message}}) + "\n")
    else:
        sys.stderr.write(message + "\n")
    sys.exit(code)
