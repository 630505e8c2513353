"""Columns: mapped, ignored by rule, or a refusal that says what to write where."""

from __future__ import annotations

import pytest

from turnup.formats import FileRejected


def test_an_unknown_column_stops_the_file_and_says_what_to_write(read):
    with pytest.raises(FileRejected) as refused:
        read("part,qty,Sites,colour\nA,1,X,red\n")
    error = refused.value
    assert (error.code, error.column, error.expected) == ("unknown_column", "Sites", "site")
    for words in (
        "nearest column of parts: site",
        'columns: {"Sites": site}',
        'ignore: ["Sites"]',
        "also unknown: colour",
    ):
        assert words in error.message


def test_declared_columns_and_ignores(read):
    table = read("Teil,Menge,Farbe\nA,1,rot\n", columns={"TEIL": "part", "Menge": "qty"}, ignore=("farbe",))
    assert table.frame.select("part", "qty").rows() == [("A", "1")]
    assert [(c.maps_to, c.how) for c in table.columns] == [("part", "declared"), ("qty", "declared"), (None, "ignored")]


def test_a_missing_required_column_stops_the_file(read):
    with pytest.raises(FileRejected) as refused:
        read("part,site\nA,X\n")
    assert (refused.value.code, refused.value.column) == ("missing_column", "qty")
    assert read("part,site\nA,X\n", defaults={"qty": "1"}).frame["qty"].to_list() == ["1"]


def test_two_columns_for_one_meaning_stop_the_file(read):
    with pytest.raises(FileRejected) as refused:
        read("part,qty,Quantity\nA,1,2\n")
    assert refused.value.code == "column_collision"
    assert "'qty' and 'Quantity'" in refused.value.message


def test_duplicate_names_are_told_apart_by_position(read):
    with pytest.raises(FileRejected) as refused:
        read("part,qty,site,site\nA,1,X,Y\n")
    assert refused.value.code == "duplicate_column"
    assert "site [column 3]" in refused.value.message
    table = read("part,qty,site,site\nA,1,X,Y\n", columns={"site [column 4]": "site"}, ignore=("site [column 3]",))
    assert table.frame["site"].to_list() == ["Y"]


def test_an_unnamed_column_with_values_is_unknown_and_an_empty_one_is_left_out(read):
    assert read("part,qty,\nA,1,\n").frame.height == 1
    with pytest.raises(FileRejected, match=r"unnamed \[column 3\]"):
        read("part,qty,\nA,1,x\n")


def test_values_are_translated_before_defaults_fill_the_gaps(read):
    table = read(
        "part,qty,site\nA,1,HQ \nB,2,\nC,3,other\n",
        values={"site": {"hq": "site-1"}},
        defaults={"site": "site-9", "note": "none"},
    )
    assert table.frame.select("site", "note").rows() == [("site-1", "none"), ("site-9", "none"), ("other", "none")]


def test_a_declared_column_that_is_absent_is_reported(read):
    table = read("part,qty\nA,1\n", columns={"Ort": "site"})
    assert [(finding.code, finding.column) for finding in table.findings] == [("declared_column_absent", "Ort")]


def test_a_leading_hash_belongs_to_the_header(read):
    assert read("#Fields:part,qty\nA,1\n").frame["part"].to_list() == ["A"]
    assert read("#part,qty\nA,1\n").frame["part"].to_list() == ["A"]
