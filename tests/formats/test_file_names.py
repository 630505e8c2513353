"""Patterns for the files that a supplier will send next."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnup.formats.file_names import file_pattern

NAMES = [
    ("acme_po_2026-08-14.csv", "acme_po_*.csv"),
    ("acme_po_20260814T0600.csv", "acme_po_*.csv"),
    ("gpu001_2026-10-02T0600Z.dmidecode.txt", "gpu001_*.dmidecode.txt"),
    ("BOM[1].csv", "BOM*.csv"),
    ("BOM (2).xlsx", "BOM*.xlsx"),
    ("tracker - Copy (2).xlsx", "tracker*.xlsx"),
    ("ocp_opg128_bom.csv", "ocp_opg128_bom.csv"),
    ("timecard_v9_bom_2023-08-28.xlsx", "timecard_v9_bom_*.xlsx"),
    ("2026-W33 sites.csv", "* sites.csv"),
    ("sites KW33 2026.csv", "sites *.csv"),
    ("Install tracker wk48.xlsx", "Install tracker *.xlsx"),
    ("status_Week 7_oslo.csv", "status_*_oslo.csv"),
    ("rack kw7x.csv", "rack kw7x.csv"),
    ("08.12.2026 list.xlsx", "* list.xlsx"),
    ("moves 2026-08-14_2026-08-20.csv", "moves *.csv"),
    ("po_4500123.csv", "po_*.csv"),
    ("a[b]c.csv", "a[[]b]c.csv"),
    ("20260814.csv", "20260814.csv"),
]


@pytest.mark.parametrize(("name", "pattern"), NAMES)
def test_what_changes_becomes_a_star(name, pattern):
    assert file_pattern(name) == pattern
    assert PurePosixPath(name).match(pattern)


@given(st.text(st.characters(codec="utf-8", exclude_characters="/\0\n", exclude_categories=["Cs"]), min_size=1))
def test_a_pattern_fits_its_own_name(name):
    if PurePosixPath(name).name == name and name not in (".", ".."):
        assert PurePosixPath(name).match(file_pattern(name))
