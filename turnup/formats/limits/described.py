"""What the formats of this package have in common: they are described, not read as rows."""

from __future__ import annotations

from turnup.formats.model import FileRejected, Ledger, RawTable, Request


def refuse(request: Request) -> RawTable:
    """No dataset takes such a file.

    Raises:
        FileRejected: ``no_rows``, always.
    """
    message = "this file holds limits, not rows of a dataset: put it into baselines/ with turnup baseline import"
    raise FileRejected("no_rows", message, value=request.contract.name, expected="rows of a dataset")


def lines_ledger(text: str, used: int) -> Ledger:
    """Every line of a text: those with a limit, and all others."""
    lines = len(text.splitlines())
    return Ledger(lines=lines, data=used, other=lines - used)
