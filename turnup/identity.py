"""The normal form in which identifiers compare, and the values that are no identifiers at all.

An identifier is text end to end: never parsed as a number, so ``00123``, ``12E3`` and 20-digit serials stay what
they are. The given spelling is kept; the key beside it is NFKC, trimmed, inner white space to one blank, case-folded.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import polars as pl

PLACEHOLDER_SERIALS = frozenset(
    {
        "to be filled by o.e.m.",
        "to be filled by o.e.m",
        "to be filled by oem",
        "default string",
        "default",
        "not specified",
        "not available",
        "not applicable",
        "not captured",
        "n/a",
        "na",
        "none",
        "null",
        "nan",
        "unknown",
        "undefined",
        "no dimm",
        "oem define 3",
        "oem",
        "o.e.m.",
        "chassis serial number",
        "system serial number",
        "base board serial number",
        "baseboard serial number",
        "asset tag",
        "chassis asset tag",
        "base board asset tag",
        "baseboard asset tag",
        "no asset tag",
        "no asset information",
        "not provided",
        "not recorded",
        "not present",
        "no serial",
        "no serial number",
        "n.a.",
        "nil",
        "tbc",
        "tba",
        "invalid",
        "serial number",
        "empty",
        "tbd",
        "0123456789",
        "123456789",
        "1234567890",
        "9876543210",
        "-",
        "--",
        "?",
        "x",
    }
)
"""Values that firmware and people write where no serial was captured (INPUTS M24); compared as keys."""

PLACEHOLDER_PATTERN = r"^(?:0+|x+|f+|\.+|\*+|oem define \d+|sernum\d*)$"
_UNFILLED = "to be filled"
_PLACEHOLDER = re.compile(PLACEHOLDER_PATTERN)
_INVISIBLE = "[\u200b\u200c\u200d\u2060\ufeff\u00ad\u0000-\u0008\u000e-\u001f\u007f]"
_INVISIBLE_COMPILED = re.compile(_INVISIBLE)
_SERIAL_COLUMNS = ("serial", "parent_serial", "replaced_serial", "asset_id", "asset_tag")
_UNUSUAL = r"[^\x20-\x7e]|  |^ | $"


def normal_form(value: str | None) -> str | None:
    """The key of one identifier, or None for an empty one."""
    if value is None:
        return None
    text = _INVISIBLE_COMPILED.sub("", unicodedata.normalize("NFKC", value))
    return " ".join(text.split()).casefold() or None


def is_placeholder_serial(value: str | None) -> bool:
    """Whether a serial is one of the values that mean "serial not captured"."""
    key = normal_form(value)
    return key is not None and (key in PLACEHOLDER_SERIALS or _UNFILLED in key or _PLACEHOLDER.match(key) is not None)


def serial_key(value: str | None) -> str | None:
    """The key of a serial; None for a placeholder."""
    return None if is_placeholder_serial(value) else normal_form(value)


def add_keys(frame: pl.DataFrame, id_columns: Sequence[str]) -> pl.DataFrame:
    """Add ``<column>_key`` for every identifier column that the frame has; placeholders of serials become NULL keys.

    Plain text is folded inside polars; the few other values go through ``normal_form`` once per distinct text.
    """
    present = [column for column in id_columns if column in frame.columns]
    return frame.with_columns(
        *(_key(frame, column).alias(f"{column}_key") for column in present),
    )


def _key(frame: pl.DataFrame, column: str) -> pl.Expr:
    text = pl.col(column)
    plain = text.str.to_lowercase()
    given = frame.get_column(column).drop_nulls()
    unusual = given.filter(given.str.contains(_UNUSUAL)).unique()
    if unusual.len():
        spellings = unusual.to_list()
        keys = [normal_form(value) for value in spellings]
        plain = text.replace_strict(spellings, keys, default=plain, return_dtype=pl.String)
    plain = pl.when(plain == "").then(None).otherwise(plain)
    if column not in _SERIAL_COLUMNS:
        return plain
    pattern = plain.str.contains(PLACEHOLDER_PATTERN) | plain.str.contains(_UNFILLED, literal=True)
    placeholder = plain.is_in(sorted(PLACEHOLDER_SERIALS)) | pattern
    return pl.when(placeholder).then(None).otherwise(plain)
