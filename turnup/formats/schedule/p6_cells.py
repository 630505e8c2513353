"""Cells of P6 tables as numbers, seconds, instants and flags: an empty one is null, an unreadable one a finding."""

from __future__ import annotations

import polars as pl

from turnup.formats.model import Finding
from turnup.formats.schedule.p6_tables import ROW
from turnup.schedule.model import HOUR, LONGEST

_FORMATS = ("%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%dT%H:%M")
_YES, _NO = ("Y", "y", "1", "true", "True"), ("N", "n", "0", "false", "False")


class Cells:
    """One table, its columns typed on demand; ``findings`` gains one for each column with cells that are not read."""

    def __init__(self, frame: pl.DataFrame, name: str) -> None:
        self.frame = frame
        self.name = name
        self.findings: list[Finding] = []

    def text(self, column: str) -> pl.Series:
        """Text as P6 means it: 0x7F is a line break, a doubled quotation mark one."""
        return self.frame[column].str.replace_all("\x7f", "\n", literal=True).str.replace_all('""', '"', literal=True)

    def number(self, column: str) -> pl.Series:
        """Float64. A comma is the decimal sign: P6 groups no digits."""
        cells = self.frame[column]
        numbers = cells.cast(pl.Float64, strict=False)
        if numbers.null_count() > cells.null_count():
            plain = cells.str.strip_chars().replace("", None)
            pointed = plain.str.replace(",", ".", literal=True)
            numbers, cells = numbers.fill_null(pointed.cast(pl.Float64, strict=False)), plain
        numbers = numbers.set(~numbers.is_finite(), None) if not numbers.is_finite().all() else numbers
        self._unread(column, cells, numbers, "a number")
        return numbers

    def seconds(self, column: str) -> pl.Series:
        """Hours as whole seconds, Int64."""
        hours = self.number(column)
        far = hours.abs() > LONGEST / HOUR
        if far.any():
            self._report(column, self.frame[column], far.fill_null(value=False), "hours of at most a hundred years")
            hours = hours.set(far.fill_null(value=False), None)
        return (hours * HOUR).round().cast(pl.Int64)

    def instant(self, column: str) -> pl.Series:
        """Datetime in microseconds."""
        cells = self.frame[column]
        instants = cells.str.to_datetime(_FORMATS[0], strict=False, time_unit="us")
        if instants.null_count() > cells.null_count():
            cells = cells.str.strip_chars().replace("", None)
            for form in _FORMATS[1:]:
                instants = instants.fill_null(cells.str.to_datetime(form, strict=False, time_unit="us"))
            instants = instants.fill_null(cells.str.to_date("%Y-%m-%d", strict=False).cast(pl.Datetime("us")))
            self._unread(column, cells, instants, "a date such as 2026-01-31 08:00")
        return instants

    def flag(self, column: str) -> pl.Series:
        """Boolean."""
        words = dict.fromkeys(_YES, True) | dict.fromkeys(_NO, False)
        cells = self.frame[column]
        flags = cells.replace_strict(words, default=None, return_dtype=pl.Boolean)
        self._unread(column, cells, flags, "Y or N")
        return flags

    def word(self, column: str, words: dict[str, str]) -> pl.Series:
        """Codes as our words; an unknown code is null and a finding."""
        cells = self.frame[column]
        known = cells.replace_strict(words, default=None, return_dtype=pl.String)
        self._unread(column, cells, known, "one of " + ", ".join(words))
        return known

    def _unread(self, column: str, cells: pl.Series, values: pl.Series, expected: str) -> None:
        if values.null_count() > cells.null_count():
            self._report(column, cells, values.is_null() & cells.is_not_null(), expected)

    def _report(self, column: str, cells: pl.Series, bad: pl.Series, expected: str) -> None:
        first = bad.arg_max()
        if first is None:
            return
        row, value, count = int(self.frame[ROW][first]), str(cells[first])[:80], int(bad.sum())
        message = (
            f"{count} cells of {self.name}.{column} are not read (first in row {row}: '{value}'; expected {expected}): "
            "taken as empty"
        )
        self.findings.append(Finding("cell_unreadable", "warning", row, f"{self.name}.{column}", value, message))
