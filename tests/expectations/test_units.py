"""A number with a unit: the column's own, the row's, or one with a declared factor; any other is refused."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expectations import quantities
from expectations.typing_rules import TypingRules

CARTONS = TypingRules(units={"quantity": {"ctn": "24"}})


def bom(judge, rules=None, **cells):
    (row,) = judge("bom", [{"system_id": "s", "line": "1", "part_number": "P", "quantity": "1"} | cells], rules)
    return row


def failed(row):
    return [(failure["rule"], failure["column"]) for failure in row["_failures"]]


@pytest.mark.parametrize(
    ("quantity", "uom", "number", "unit"),
    [
        ("12 ea", None, "12", "ea"), ("12ea", "EA", "12", "ea"), ("12 pcs", None, "12", "ea"),
        ("12 Pc.", "each", "12", "ea"), ("375 m", None, "375", "m"), ("37,000 km", "km", "37000", "km"),
        ("2.5 kg", "KG", "2.5", "kg"), ("12", "PCS", "12", "ea"), ("12", None, "12", "ea"), ("5 ft", "feet", "5", "ft"),
    ],
)  # fmt: skip
def test_m25_a_number_with_the_unit_of_its_row(judge, quantity, uom, number, unit):
    row = bom(judge, quantity=quantity, uom=uom)
    assert (row["quantity"], row["uom"], row["_failures"]) == (Decimal(number), unit, [])


@pytest.mark.parametrize(("quantity", "uom"), [("3 CTN", None), ("3 CTN", "ea"), ("5 m", "ft"), ("5 blobs", None)])
def test_m25_an_unknown_unit_is_refused_with_what_to_write(judge, quantity, uom):
    row = bom(judge, quantity=quantity, uom=uom)
    assert failed(row) == [("unknown_unit", "quantity")]
    unit = quantity.split()[1]
    assert f"`units: {{quantity: {{{unit}: <how many" in row["_failures"][0]["message"]


def test_m25_a_decimal_comma_with_a_unit(judge):
    row = bom(judge, TypingRules(decimal=","), quantity="1,5 kg", uom="kg")
    assert (row["quantity"], row["_failures"]) == (Decimal("1.5"), [])
    assert failed(bom(judge, quantity="1,5 kg", uom="kg")) == [("type", "quantity")]


@pytest.mark.parametrize(
    ("quantity", "uom", "number", "unit"),
    [
        ("3 CTN", None, "72", "ea"), ("3 ctn.", "ea", "72", "ea"), ("3", "CTN", "72", "ea"),
        ("3 Ctn", "ctn", "72", "ea"),
        ("12 ea", "ea", "12", "ea"), ("0.5 ctn", None, "12", "ea"), ("3", None, "3", "ea"),
    ],
)  # fmt: skip
def test_m52_a_declared_factor_converts(judge, quantity, uom, number, unit):
    row = bom(judge, CARTONS, quantity=quantity, uom=uom)
    assert (row["quantity"], row["uom"], row["_failures"]) == (Decimal(number), unit, [])


def test_b7_a_unit_without_a_factor_blocks_the_line(judge):
    """1,000 kg must not become 1,000 bags."""
    assert failed(bom(judge, quantity="1,000", uom="bag")) == [("unknown_unit", "uom")]
    assert failed(bom(judge, quantity="1,000 kg", uom="ea")) == [("unknown_unit", "quantity")]
    row = bom(judge, TypingRules(units={"quantity": {"bag": "25"}}), quantity="40", uom="bag")
    assert (row["quantity"], row["uom"]) == (1000, "ea")


def storage(judge, usable, rules=None):
    cells = {"system_id": "s", "observed_at": "2026-09-01T00:00:00Z", "usable": usable}
    (row,) = judge("storage_state", [cells], rules)
    return row


def test_b7_a_column_has_one_unit(judge):
    assert storage(judge, "2.5 PB")["usable"] == Decimal("2.5")
    assert failed(storage(judge, "2500 TB")) == [("unknown_unit", "usable")]
    assert failed(storage(judge, "2500 Pb")) == [("unknown_unit", "usable")]
    rules = TypingRules(units={"usable": {"TB": "0.001"}})
    assert storage(judge, "2500 TB", rules)["usable"] == Decimal("2.5")
    assert storage(judge, "2500", rules)["usable"] == 2500


def test_m52_the_unit_of_bare_numbers_is_declared(judge):
    rules = TypingRules(unit="TB", units={"usable": {"TB": "0.001"}})
    assert storage(judge, "2500", rules)["usable"] == Decimal("2.5")
    assert storage(judge, "2,500 TB", rules)["usable"] == Decimal("2.5")
    assert storage(judge, "2.5 PB", rules)["usable"] == Decimal("2.5")
    row = bom(judge, TypingRules(unit="ctn", units={"quantity": {"ctn": "24"}}), quantity="3")
    assert (row["quantity"], row["uom"]) == (72, "ea")


def test_m52_a_number_too_small_for_its_column_is_refused(judge):
    rules = TypingRules(unit="TB", units={"usable": {"TB": "0.001"}})
    assert failed(storage(judge, "0.1", rules)) == [("precision", "usable")]


def test_m26_one_thousand_two_hundred_in_a_comma_file(judge):
    assert bom(judge, TypingRules(decimal=","), quantity="1.200")["quantity"] == 1200
    assert bom(judge, quantity="1.200")["quantity"] == Decimal("1.2")


def test_m26_the_mark_is_declared_per_column(judge):
    line = {"po": "1", "line": "1", "part_number": "P", "vendor": "V", "status": "open"}
    rules = TypingRules(decimals={"unit_cost": ","})
    (row,) = judge("purchase_orders", [line | {"quantity": "1,200", "unit_cost": "1.200,50"}], rules)
    assert (row["quantity"], row["unit_cost"]) == (1200, Decimal("1200.50"))


@given(st.decimals(0, 10**9, places=3), st.sampled_from(sorted(quantities.UNITS)), st.sampled_from(["", " ", "\u00a0"]))
def test_every_number_with_every_unit_is_taken_apart(number, unit, gap):
    assert quantities.parted(f"{number}{gap}{unit}") == (str(number), unit)
    for spelling in quantities.spellings(unit):
        assert quantities.known_unit(spelling) == unit


@pytest.mark.parametrize(
    ("one", "other"), [("Pb", "PB"), ("ft", "m"), ("ctn", "ea"), ("GB/s", "Gbit/s"), ("Gb/s", "GB/s")]
)
def test_two_units_are_not_one(one, other):
    assert not quantities.same_unit(one, other)
