"""How much of a long table is shown: its first rows on a page, all of them in the workbook.

Belongs here: the one switch between both. Does not: the cap of a table, which its section names.
"""

from __future__ import annotations

import contextlib
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_ROWS = 50_000
"""Rows of one table in a workbook: more than that nobody reads there, and no mail carries."""
_whole: ContextVar[bool] = ContextVar("whole", default=False)


@contextlib.contextmanager
def whole_tables() -> Iterator[None]:
    """What is built inside shows its tables whole."""
    before = _whole.set(True)
    try:
        yield
    finally:
        _whole.reset(before)


def most(cap: int) -> int:
    """How many rows to show of a table that a page shows ``cap`` rows of."""
    return max(cap, MOST_ROWS) if _whole.get() else cap
