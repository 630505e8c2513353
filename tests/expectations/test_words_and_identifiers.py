"""Identifiers stay text, lists and truth values are strict, and empty cells are filled only as the contract says."""

import pytest

from expectations.typing_rules import TypingRules


def bom(**cells: str | None) -> dict[str, str | None]:
    return {"system_id": "s", "line": "1", "part_number": "P", "quantity": "1"} | cells


def rules_of(row) -> list[tuple[str, str]]:
    return [(failure["rule"], failure["column"]) for failure in row["_failures"]]


@pytest.mark.parametrize(
    "text",
    ["00123", "12E3", "1E05", "8939010102358478435", "NA", "None", "nan", "a/b-c.d", "P 100", "Ünïcode", "0", "#1"],
)
def test_an_identifier_is_kept_as_given(judge, text) -> None:
    (row,) = judge("bom", [bom(part_number=text)])
    assert (row["part_number"], row["part_number_key"], row["_failures"]) == (text, text.casefold(), [])


def test_an_identifier_is_trimmed(judge) -> None:
    (row,) = judge("bom", [bom(part_number="\u00a0 rack2 \t")])
    assert (row["part_number"], row["part_number_key"]) == ("rack2", "rack2")


@pytest.mark.parametrize("text", ["8.93901E+18", "-1.2e+05", "A\nB", "C\ufffdte", "a\x07b"])
def test_a_damaged_identifier_is_refused(judge, text) -> None:
    (row,) = judge("bom", [bom(part_number=text)])
    assert rules_of(row) == [("identifier", "part_number")]


@pytest.mark.parametrize("cell", ["#REF!", "#N/A", "#name?"])
def test_an_error_of_a_spreadsheet_is_no_identifier_and_no_text(judge, cell) -> None:
    (row,) = judge("bom", [bom(part_number=cell, description=cell)])
    assert rules_of(row) == [("spreadsheet_error", "part_number"), ("spreadsheet_error", "description")]


def test_an_error_cell_may_be_declared_to_mean_no_value(judge) -> None:
    (row,) = judge("bom", [bom(description="#N/A")], TypingRules(null_tokens=("#N/A",)))
    assert (row["description"], row["_failures"]) == (None, [])


def test_too_long_is_refused(judge) -> None:
    (row,) = judge("bom", [bom(part_number="P" * 201, description="d" * 4001)])
    assert rules_of(row) == [("length", "part_number"), ("length", "description")]
    assert row["_failures"][0]["message"] == (
        f"Column part_number holds '{'P' * 80}...', which is too long; "
        "expected at most 200 characters, for example 920-9K36F-00MV."
    )
    assert row["_failures"][0]["value"] == "P" * 201


def test_a_placeholder_is_no_key_and_a_required_one_fails(judge) -> None:
    rows = judge("failures", [{"failure_id": "F1", "serial": "N/A", "kind": "ECC", "opened": "2026-10-01"}])
    assert (rows[0]["serial"], rows[0]["serial_key"], rows[0]["_failures"]) == ("N/A", None, [])
    (row,) = judge("bom", [bom(part_number="To be filled by O.E.M.")])
    assert rules_of(row) == [("identifier", "part_number")]


def test_a_word_that_means_no_value_leaves_no_key(judge) -> None:
    rules = TypingRules(null_tokens=("tbd",))
    (row,) = judge("bom", [bom(block="TBD")], rules)
    assert (row["block"], row["block_key"]) == (None, None)


def asset(**cells: str | None) -> dict[str, str | None]:
    return {"part_number": "P", "status": "active"} | cells


def test_an_asset_is_named_by_maker_and_serial_where_it_has_no_number(judge) -> None:
    rows = judge("installs", [asset(manufacturer="Dell EMC", serial=" AbC1 "), asset(asset_id="A-1", serial="AbC2")])
    assert [row["asset_id"] for row in rows] == ["Dell EMC/AbC1", "A-1"]
    assert [row["asset_id_key"] for row in rows] == ["dell emc/abc1", "a-1"]
    assert [row["_failures"] for row in rows] == [[], []]


def test_an_asset_without_maker_is_named_by_its_serial(judge) -> None:
    (row,) = judge("installs", [asset(serial="AbC1")])
    assert (row["asset_id"], row["asset_id_key"]) == ("AbC1", "abc1")


@pytest.mark.parametrize("serial", [None, "To be filled by O.E.M.", "0123456789"])
def test_a_placeholder_serial_names_no_asset(judge, serial) -> None:
    (row,) = judge("installs", [asset(manufacturer="Dell", serial=serial)])
    assert rules_of(row) == [("required", "asset_id")]


def test_a_serial_that_is_declared_no_value_names_no_asset(judge) -> None:
    (row,) = judge("installs", [asset(manufacturer="Dell", serial="pending")], TypingRules(null_tokens=("pending",)))
    assert rules_of(row) == [("required", "asset_id")]


@pytest.mark.parametrize(
    ("text", "value"),
    [("per_parent", "per_parent"), ("Per Parent", "per_parent"), ("PER-PARENT", "per_parent"), (None, "per_system")],
)
def test_a_word_of_a_list_in_any_case(judge, text, value) -> None:
    (row,) = judge("bom", [bom(quantity_basis=text)])
    assert (row["quantity_basis"], row["_failures"]) == (value, [])


@pytest.mark.parametrize("text", ["Pb", "pB", "Gbit", "GB/s", "TB"])
def test_another_unit_is_no_spelling_of_ours(judge, text) -> None:
    cells = {
        "contract": "C",
        "line": "1",
        "system_id": "s",
        "quantity": "1",
        "contract_date": "2026-10-30",
        "unit": text,
    }
    (row,) = judge("commitments", [cells])
    assert rules_of(row) == [("enum", "unit")]


@pytest.mark.parametrize("text", ["per_parents", "per", "per_parent;", "1"])
def test_a_word_outside_the_list_is_refused(judge, text) -> None:
    (row,) = judge("bom", [bom(quantity_basis=text)])
    assert rules_of(row) == [("enum", "quantity_basis")]
    assert row["_failures"][0]["message"] == (
        f"Column quantity_basis holds '{text}', which is not an allowed value; "
        "expected one of per_system, per_parent, extended, for example per_system."
    )


@pytest.mark.parametrize(("text", "value"), [("PB", "PB"), ("pb", "PB"), ("Gbit/s", "Gbit/s"), ("GBIT/S", "Gbit/s")])
def test_units_come_back_as_the_contract_spells_them(judge, text, value) -> None:
    cells = {
        "contract": "C",
        "line": "1",
        "system_id": "s",
        "quantity": "1",
        "contract_date": "2026-10-30",
        "unit": text,
    }
    (row,) = judge("commitments", [cells])
    assert (row["unit"], row["phase"], row["amendment"], row["signed"]) == (value, "1", 0, True)


@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("FALSE", False), ("Yes", True), ("n", False), ("1", True), ("0", False), (None, True)],
)
def test_truth_is_strict(judge, text, value) -> None:
    (row,) = judge("bom", [bom(fitted=text)])
    assert (row["fitted"], row["_failures"]) == (value, [])


@pytest.mark.parametrize("text", ["2", "ja", "x", "truefalse", "t", "DNP", "not fitted"])
def test_no_other_word_is_true_or_false(judge, text) -> None:
    (row,) = judge("bom", [bom(fitted=text)])
    assert rules_of(row) == [("type", "fitted")]


def test_every_broken_column_is_reported_once(judge) -> None:
    (row,) = judge("bom", [bom(quantity="many", fitted="maybe", category="thing", part_number=None)])
    assert rules_of(row) == [
        ("required", "part_number"), ("enum", "category"), ("type", "quantity"), ("type", "fitted"),
    ]  # fmt: skip


def test_quotes_and_braces_in_a_cell_are_just_text(judge) -> None:
    (row,) = judge("bom", [bom(description="'; DROP TABLE raw; -- {x} {{y}} $1 %s", quantity="it's 5")])
    assert row["description"] == "'; DROP TABLE raw; -- {x} {{y}} $1 %s"
    assert "holds 'it's 5', which is not a number" in row["_failures"][0]["message"]
