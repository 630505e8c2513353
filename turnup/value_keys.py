"""The keys of a source that say how its values are written, and what the typing of its rows makes of them.

Belongs here: their shape, their checks against the dataset's columns. Does not: what a text means (``expectations``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Annotated, Any, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, field_validator

from expectations import quantities
from expectations.absent_values import REFERENCE
from expectations.contract import TIMES
from expectations.typing_rules import DateOrder, DecimalMark, TypingRules
from turnup.strict import Strict

if TYPE_CHECKING:
    from expectations.contract import Column, Contract
    from turnup.formats.model import RawTable
    from turnup.programme import Source

_DATE_ORDERS, _MARKS = get_args(DateOrder), get_args(DecimalMark)
_CODE = re.compile(r"[a-z][a-z0-9_]*")
_FILE_DAY = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})")
_NUMERIC = ("int", "dec", "money", "price", "float")


class ValueKeys(Strict):
    """How the values of one supplier's files are written."""

    dates: DateOrder | dict[str, DateOrder] | None = None
    decimal: DecimalMark | dict[str, DecimalMark] = "."
    time_zone: str | None = None
    null_tokens: tuple[str, ...] = ()
    year: Annotated[int, Field(ge=1990, le=2099)] | None = None
    fiscal_year_start: Annotated[int, Field(ge=1, le=12)] | None = None
    unit: str | None = None
    units: dict[str, dict[str, str]] = {}
    reasons: dict[str, dict[str, str]] = {}
    references: dict[str, str] = {}

    @field_validator("dates", mode="before")
    @classmethod
    def _orders_are_known(cls, value: object) -> object:
        return _one_of(value, _DATE_ORDERS, "an order of day, month and year")

    @field_validator("decimal", mode="before")
    @classmethod
    def _marks_are_known(cls, value: object) -> object:
        return _one_of(value, _MARKS, "a decimal mark")

    @field_validator("time_zone")
    @classmethod
    def _zone_exists(cls, value: str | None) -> str | None:
        return value if value is None else known_zone(value)

    @field_validator("units", mode="before")
    @classmethod
    def _factors_are_numbers(cls, value: object) -> object:
        if not isinstance(value, Mapping):
            return value
        return {
            column: {str(unit): _factor(unit, number) for unit, number in table.items()}
            if isinstance(table, Mapping)
            else table
            for column, table in value.items()
        }

    @field_validator("reasons")
    @classmethod
    def _reasons_are_codes(cls, value: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
        for text, code in ((text, code) for table in value.values() for text, code in table.items()):
            if _CODE.fullmatch(code) is None or code == REFERENCE:
                raise ValueError(f"the reason of '{text}' must be one word such as unknown or included, not '{code}'")
        return value

    @field_validator("references")
    @classmethod
    def _patterns_have_one_group(cls, value: dict[str, str]) -> dict[str, str]:
        for column, pattern in value.items():
            try:
                groups = re.compile(pattern).groups
            except re.error as error:
                raise ValueError(f"the pattern of {column} is no regular expression: {error}") from None
            if groups != 1:
                raise ValueError(
                    rf"the pattern of {column} needs one pair of brackets around the other row, as ID#:(\d+)"
                )
        return value

    def decimal_of(self, column: str) -> DecimalMark:
        """The decimal mark of a column's numbers."""
        return self.decimal.get(column, ".") if isinstance(self.decimal, dict) else self.decimal

    def check_columns(self, contract: Contract) -> None:
        """Check that every column named is one of the dataset's, and of a type to which the key applies.

        Raises:
            ValueError: naming key and column.
        """
        for key, types in _TYPES.items():
            named = getattr(self, key)
            for column in named if isinstance(named, Mapping) else ():
                _check_column(contract, key, column, types)
        if self.unit is not None and not any(self._has_unit(column) for column in contract.columns):
            raise ValueError(
                f"unit: nothing says what one '{self.unit}' is; write units: {{<column>: {{{self.unit}: <factor>}}}}"
            )

    def _has_unit(self, column: Column) -> bool:
        declared = self.units.get(column.name, {})
        known = column.unit_column is not None and quantities.known_unit(str(self.unit)) is not None
        return known or any(quantities.same_unit(str(self.unit), unit) for unit in (*declared, column.unit) if unit)


_TYPES: Mapping[str, tuple[str, ...]] = {
    "dates": TIMES,
    "decimal": _NUMERIC,
    "units": _NUMERIC,
    "reasons": (*TIMES, *_NUMERIC, "enum", "bool"),
    "references": (*TIMES, *_NUMERIC),
}


def _check_column(contract: Contract, key: str, name: str, types: tuple[str, ...]) -> None:
    fitting = [column.name for column in contract.columns if column.type in types]
    if name not in fitting:
        known = any(column.name == name for column in contract.columns)
        fault = f"cannot apply to the column '{name}' of {contract.name}" if known else f"names no column: '{name}'"
        raise ValueError(f"{key} {fault}; allowed: {', '.join(sorted(fitting)) or 'none'}")


def _one_of(value: object, allowed: tuple[str, ...], what: str) -> object:
    """A word, or a word per column, each one of those allowed."""
    for word in value.values() if isinstance(value, Mapping) else (value,):
        if word is not None and word not in allowed:
            listed = f"{', '.join(map(repr, allowed[:-1]))} or {allowed[-1]!r}"
            raise ValueError(f"{word!r} is not {what}; allowed is {listed}, for the whole source or per column")
    return value


def _factor(unit: object, number: object) -> str:
    try:
        factor = Decimal(str(number))
    except InvalidOperation:
        factor = Decimal(0)
    if isinstance(number, bool) or not factor.is_finite() or factor <= 0 or factor > 10**9:
        raise ValueError(f"one '{unit}' must be a number of the column's own unit, such as 24 or 0.001, not {number!r}")
    return quantities.plain_text(factor)


def known_zone(value: str) -> str:
    """The name of a time zone that exists. Raises ValueError for any other."""
    try:
        ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ValueError(f"'{value}' is not an IANA time zone such as America/Chicago") from error
    return value


def typing_under(source: Source, known: Mapping[str, Any]) -> dict[str, Any]:
    """What is known of a table's values beneath what the source declares: single columns are kept together."""
    merged = {}
    for key, value in known.items():
        own = getattr(source, key)
        if isinstance(value, Mapping) and isinstance(own, Mapping):
            merged[key] = {**value, **own}
        else:
            merged[key] = own if key in source.model_fields_set else value
    return merged


def typing_rules(source: Source, table: RawTable, file: str) -> TypingRules:
    """How the cells of one file are typed."""
    dates, decimal = source.dates, source.decimal
    return TypingRules(
        date_order=dates if isinstance(dates, str) else None,
        decimal=decimal if isinstance(decimal, str) else ".",
        time_zone=source.time_zone,
        null_tokens=source.null_tokens,
        decimal_declared=isinstance(decimal, str) and "decimal" in source.model_fields_set,
        date_orders=dates if isinstance(dates, dict) else {},
        decimals=decimal if isinstance(decimal, dict) else {},
        date_epoch=table.date_epoch,
        year=source.year,
        near=file_day(file) if source.exported_at == "file_name" else None,
        fiscal_year_start=source.fiscal_year_start,
        unit=source.unit,
        units=source.units,
        reasons={
            column: {" ".join(text.split()).casefold(): code for text, code in words.items()}
            for column, words in source.reasons.items()
        },
        references=source.references,
    )


def file_day(name: str) -> date | None:
    """The day that stands in a file's name as year, month and day, or None."""
    found = _FILE_DAY.search(name)
    try:
        return date(*map(int, found.groups())) if found else None
    except ValueError:
        return None
