"""Identifiers: the normal form, the spelling kept, placeholders that are never keys."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnup.identity import PLACEHOLDER_SERIALS, add_keys, is_placeholder_serial, normal_form, serial_key

PLACEHOLDERS = [
    "To be filled by O.E.M.", "Default string", "Not Specified", "N/A", "UNKNOWN", "NO DIMM", "OEM Define 3",
    "Chassis Serial Number", "0123456789", "123456789", "9876543210", "   ", "", "0000000", "\u00a0",
]  # fmt: skip


def keys(values, column="serial"):
    frame = add_keys(pl.DataFrame({column: values}, schema={column: pl.String}), [column])
    return frame[f"{column}_key"].to_list()


@pytest.mark.parametrize(
    ("given_spelling", "key"),
    [
        ("  AbC-1 ", "abc-1"),
        ("A\u00a0 B", "a b"),
        ("\uff21\uff22", "ab"),
        ("00123", "00123"),
        ("12E3", "12e3"),
        ("8939010102358478435", "8939010102358478435"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("a\u200bb", "ab"),
        ("a\tb\nc", "a b c"),
        ("", None),
    ],
)
def test_normal_form(given_spelling, key):
    assert normal_form(given_spelling) == key
    assert keys([given_spelling], "name") == [key]


@pytest.mark.parametrize("value", PLACEHOLDERS)
def test_placeholder_serials_are_no_keys(value):
    assert serial_key(value) is None
    assert keys([value]) == [None]


def test_placeholders_are_only_no_keys_of_serials():
    assert keys(["N/A", "unknown"], "name") == ["n/a", "unknown"]
    assert keys(["N/A"], "parent_serial") == [None]
    assert not is_placeholder_serial("QTFCQ57140285")
    assert all(text == normal_form(text) for text in PLACEHOLDER_SERIALS)


def test_given_spelling_is_kept_and_absent_columns_are_left_out():
    frame = add_keys(pl.DataFrame({"name": [" A "]}), ["name", "site_id"])
    assert frame.to_dicts() == [{"name": " A ", "name_key": "a"}]


def test_serials_that_differ_by_case_blank_and_no_break_space_join():
    left, right = keys(["SN-1", "SN-2 ", "SN\u00a03"]), keys(["sn-1", "SN-2", "sn 3"])
    assert left == right


@given(st.lists(st.one_of(st.none(), st.text()), min_size=1, max_size=8))
def test_whole_columns_and_single_values_agree(values):
    assert keys(values, "name") == [normal_form(value) for value in values]
    assert keys(values) == [serial_key(value) for value in values]
