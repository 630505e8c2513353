"""Readers written in other languages: when one breaks down over a strange file, that file is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import fastexcel
import polars as pl

from turnup.formats.model import FileRejected


@contextmanager
def refusing_breakdowns(what: str) -> Iterator[None]:
    """Turn what such a reader raises, its panics too, into a refusal of the file.

    Raises:
        FileRejected: ``workbook`` with the reader's own words.
    """
    try:
        yield
    except (fastexcel.FastExcelError, pl.exceptions.PolarsError, OSError) as error:
        raise _refused(what, error) from error
    except BaseException as error:
        # A panic is no Exception; nothing else that is none may be held up here.
        if type(error).__name__ != "PanicException":
            raise
        raise _refused(what, error) from error


def _refused(what: str, error: BaseException) -> FileRejected:
    first = str(error).strip().split("\n", 1)[0]
    message = f"{what} cannot be opened ({first}): it is cut, damaged or of another kind"
    return FileRejected("workbook", message, expected=f"{what} that opens in the program that wrote it")
