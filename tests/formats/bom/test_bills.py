"""Bills of material as their tools write them: what is read, what is derived, what is doubted."""

from __future__ import annotations

import json

import pytest

from expectations.contract import load_contracts
from turnup.formats import RawTable

BOM = load_contracts()["bom"]
SYSTEM = {"system_id": "S1"}
CART = (
    "Index,Quantity,Part Number,Manufacturer Part Number,Description,Customer Reference,Unit Price,Extended Price USD\n"
)
ALTIUM = "Line #,DNP,Name,Designator,Revision ID,Revision Status,Quantity,Manufacturer 1,Manufacturer Part Number 1,"
ALTIUM += "Manufacturer Lifecycle 1,Supplier Unit Price 1,Supplier Subtotal 1\n"


@pytest.fixture
def bill(read):
    def reader(text: str | bytes, name: str = "bill.csv", **settings: object) -> RawTable:
        defaults = {**SYSTEM, **settings.pop("defaults", {})}
        table = read(text, contract=BOM, name=name, defaults=defaults, **settings)
        assert table.ledger.balanced
        assert table.frame.height == table.ledger.data
        return table

    return reader


def facts(table: RawTable) -> dict[str, object]:
    return {fact.name: fact.value for fact in table.facts}


def codes(table: RawTable, *wanted: str) -> list[tuple[str, int | None]]:
    return [(finding.code, finding.row) for finding in table.findings if finding.code in wanted]


def message(table: RawTable, code: str) -> str:
    return next(finding.message for finding in table.findings if finding.code == code)


def test_m08_a_comment_row_is_no_line(bill):
    table = bill("section,module_type_model,quantity\nserver,SRV,16\n# suppressed_count,0\n")
    assert (table.format, table.ledger.data, table.ledger.comment) == ("cluster_bom", 1, 1)
    assert message(table, "comment_row").startswith("row 3")


def test_sections_become_categories(bill):
    rows = "server,SRV,16\nswitch_transceiver,OPT,32\ncable_assembly,DAC,4\nnic,CX7,16\nblanking,BLK,2\n"
    table = bill("section,module_type_model,quantity\n" + rows)
    assert table.frame["category"].to_list() == ["server", "optic", "cable", "nic", "other"]
    assert facts(table)["pieces_switch_transceiver"] == 32


def test_b6_m40_one_part_on_several_lines_is_kept_and_summed(bill):
    table = bill(CART + "1,4,D1,P1,x,C1-C4,,\n2,1,D1,p1,x,C9,,\n3,1,D2,P2,x,C10,,\n")
    assert table.frame["quantity"].to_list() == ["4", "1", "1"]
    assert facts(table)["repeated_part_numbers"] == 1
    assert "stands on 2 lines (line 1, line 2), 5 together" in message(table, "repeated_part")


def test_m41_not_fitted_by_column(bill):
    table = bill(ALTIUM + "1,DNP,A,R1,,,3,M,P-A,,,\n2,,B,R2,,,2,M,P-B,,,\n")
    assert table.format == "altium_activebom"
    assert table.frame["fitted"].to_list() == ["false", None]
    counted = facts(table)
    assert (counted["pieces"], counted["pieces_to_buy"]) == (5, 2)
    assert (counted["not_fitted_lines"], counted["not_fitted_pieces"]) == (1, 3)


def test_m41_not_fitted_in_the_line_number(bill):
    table = bill(ALTIUM.replace("DNP,", "") + "DNP,A,R1,,,1,M,P-A,,,\n2,B,R2,,,1,M,P-B,,,\n")
    assert table.frame["line"].to_list() == [None, "2"]
    assert facts(table)["not_fitted_lines"] == 1


def test_m41_not_fitted_by_variant_and_by_quantity(bill):
    table = bill(
        "Designator,Description,Comment,Footprint,Quantity,Manufacturer,Fitted,Manufacturer Part Number\n"
        "C1,x,100n,0402,1,M,Fitted,P1\nC2,x,100n,0402,1,M,Not Fitted,P1\nC3,x,1u,0402,0,M,Fitted,P2\n"
    )
    assert table.format == "altium_variant"
    assert table.frame["fitted"].to_list() == ["true", "false", "true"]
    assert facts(table)["not_fitted_lines"] == 2  # the one without a quantity is not asked for


@pytest.mark.parametrize(("mark", "cell"), [("DNI", "x"), ("Do Not Populate", "yes"), ("DNP", "1"), ("DNF", "DNF")])
def test_m41_a_list_with_a_mark_column(bill, mark, cell):
    table = bill(f"Part Number,Qty,{mark}\nP1,2,{cell}\nP2,3,\n")
    assert table.frame["fitted"].to_list() == ["false", None]
    assert facts(table)["pieces_to_buy"] == 3


def test_m42_levels_by_dots(bill):
    table = bill(
        "Part Number,Qty\nRACK,2\n.SRV,4\n..NIC,8\n..CPU,2\n.PDU,2\n", defaults={"quantity_basis": "per_parent"}
    )
    assert table.frame["part_number"].to_list() == ["RACK", "SRV", "NIC", "CPU", "PDU"]
    assert table.frame["parent_line"].to_list() == [None, "row 2", "row 3", "row 3", "row 2"]
    assert facts(table)["pieces_multiplied"] == 2 + 8 + 64 + 16 + 4
    assert table.frame["quantity_basis"].to_list() == ["per_system", *["per_parent"] * 4]


@pytest.mark.parametrize(
    "levels", [("0", "1", "2", "2", "1"), ("1", "1.1", "1.1.1", "1.1.2", "1.2"), ("", ".", "..", "..", ".")]
)
def test_m42_levels_by_column(bill, levels):
    parts = ("RACK,2", "SRV,4", "NIC,8", "CPU,2", "PDU,2")
    rows = "\n".join(f"{level},{part}" for level, part in zip(levels, parts, strict=True))
    given = rows if levels[0] else rows.replace(",RACK", "0,RACK", 1)
    table = bill("Level,Part Number,Qty Per\n" + given, defaults={"quantity_basis": "per_parent"})
    assert table.frame["parent_line"].to_list() == [None, "row 2", "row 3", "row 3", "row 2"]
    assert facts(table)["pieces_multiplied"] == 94


def test_m42_find_numbers_repeat_under_each_parent(bill):
    table = bill("Level,Find No,Part Number,Qty\n0,10,RACK,1\n1,10,SRV,4\n2,10,NIC,8\n1,20,PDU,2\n")
    assert table.frame["line"].to_list() == ["10", "10/10", "10/10/10", "10/20"]
    assert table.frame["parent_line"].to_list() == [None, "10", "10/10", "10"]


def test_m42_extended_is_never_multiplied_again(bill):
    table = bill("Level,Part Number,Qty\n0,RACK,2\n1,SRV,8\n2,NIC,64\n", defaults={"quantity_basis": "extended"})
    assert facts(table)["pieces_multiplied"] == 74


def test_m42_both_quantities_prove_each_other(bill):
    head = "Level,Part Number,Qty Per,Ext Qty\n"
    good = bill(head + "0,RACK,2,2\n1,SRV,4,8\n2,NIC,8,64\n")
    assert codes(good, "extended_mismatch", "basis_not_declared") == []
    assert (facts(good)["pieces_multiplied"], facts(good)["pieces_extended"]) == (74, 74)
    wrong = bill(head + "0,RACK,2,2\n1,SRV,4,8\n2,NIC,8,32\n")
    assert codes(wrong, "extended_mismatch") == [("extended_mismatch", 4)]
    assert "stated 32 for the whole" in message(wrong, "extended_mismatch")


def test_m42_an_undeclared_basis_is_asked_for(bill):
    table = bill("Level,Part Number,Qty\n0,RACK,2\n1,SRV,8\n")
    assert "defaults: {quantity_basis: per_parent}" in message(table, "basis_not_declared")
    assert facts(table)["pieces_multiplied"] == 10


def test_m42_a_gap_and_a_word_among_the_levels(bill):
    table = bill("Level,Part Number,Qty\n0,RACK,2\n2,NIC,8\nsub,CPU,1\n", defaults={"quantity_basis": "per_parent"})
    assert codes(table, "level_jump", "level_unread") == [("level_jump", 3), ("level_unread", 4)]


def test_m42_a_line_that_contains_itself(bill):
    table = bill(
        "Line No,Parent,Part Number,Qty,Qty Basis\n1,2,A,1,per_parent\n2,1,B,1,per_parent\n3,,C,1,per_system\n"
    )
    assert codes(table, "bom_loop") == [("bom_loop", 2), ("bom_loop", 3)]


def test_m42_dots_that_are_no_levels_stay(bill):
    table = bill("Part Number,Qty\nA,1\n.500-BOLT,2\nB,1\nC,1\n")
    assert table.frame["part_number"].to_list()[1] == ".500-BOLT"
    assert "parent_line" not in table.frame.columns


def test_m42_nested_sets(bill):
    rows = [
        {"lft": 1, "rgt": 8, "Part Number": "RACK", "Qty_per": 2, "RequiredQty": 2},
        {"lft": 2, "rgt": 5, "Part Number": "SRV", "Qty_per": 4, "RequiredQty": 8},
        {"lft": 6, "rgt": 7, "Part Number": "PDU", "Qty_per": 2, "RequiredQty": 4},
        {"lft": 3, "rgt": 4, "Part Number": "NIC", "Qty_per": 8, "RequiredQty": 64},
    ]
    table = bill(json.dumps(rows), name="bill.json")
    found = dict(zip(table.frame["part_number"], table.frame["parent_line"], strict=True))
    assert found == {"RACK": None, "SRV": "row 1", "NIC": "row 2", "PDU": "row 1"}
    assert facts(table)["pieces_multiplied"] == 2 + 8 + 64 + 4
    assert codes(table, "extended_mismatch") == []


def test_m43_a_price_break_is_named_with_both_numbers(bill):
    table = bill(CART + "1,5,D1,P1,x,C1-C5,0.021,0.21\n2,8,D2,P2,x,,0.019,0.15\n3,2,D3,P3,x,,1.285,2.57\n")
    assert codes(table, "price_mismatch") == [("price_mismatch", 2)]
    assert message(table, "price_mismatch").startswith("line 1: priced 0.21, but 5 x 0.021 is 0.105 (difference 0.105)")
    assert table.frame["extended_price"].to_list() == ["0.21", "0.15", "2.57"]
    assert facts(table)["price_total"] == "2.93"


def test_m43_prices_with_a_decimal_comma(bill):
    text = CART.replace(",", ";") + "1;1000;D1;P1;x;;0,0044;8,00\n2;1000;D2;P2;x;;0,0044;4,40\n"
    table = bill(text, decimal=",")
    assert codes(table, "price_mismatch") == [("price_mismatch", 2)]
    assert facts(table)["price_total"] == "12.4"


def test_m44_designators_are_counted_and_never_repaired(bill):
    cells = ("R[10-12, R32", "TIME CARD - J2", "TIME CARD-C[5-8,1,13]", "R1-R3, R7", "D1, D2")
    numbered = enumerate(zip((4, 2, 6, 4, 3), cells, strict=True), start=1)
    rows = "".join(f'{number},{quantity},D,P{number},x,"{cell}",,\n' for number, (quantity, cell) in numbered)
    table = bill(CART + rows)
    assert codes(table, "designator_range", "designator_count") == [
        ("designator_range", 2), ("designator_count", 3), ("designator_count", 6)
    ]  # fmt: skip
    assert table.frame["quantity"].to_list() == ["4", "2", "6", "4", "3"]
    assert facts(table)["lines_with_unclosed_range"] == ("line 1",)
    assert facts(table)["lines_with_ranges"] == ("line 1", "line 3", "line 4")


def test_m45_a_substitute_needs_an_approved_list(bill):
    rows = "1,,901-143-6RFX,AN1,,,1,Adam,RF2-49B-T-00,,,\n2,,BAT54SW,D1,,,1,M,BAT54SWQ-7-F,,,\n"
    table = bill(ALTIUM + rows + "3,,M3 screw,J1,,,1,M,RM3,,,\n")
    assert codes(table, "substituted_part", "name_unlike_part_number") == [
        ("substituted_part", 2), ("name_unlike_part_number", 3), ("name_unlike_part_number", 4)
    ]  # fmt: skip
    assert "alternates" not in table.frame.columns
    assert facts(table)["names_unlike_part_number"] == 3


def test_m45_the_second_vendor_position_is_an_approved_alternate(bill):
    head = ALTIUM.strip() + ",Manufacturer 2,Manufacturer Part Number 2\n"
    table = bill(head + "1,,A,R1,,,1,M,P-A,,,,N,Q-A\n2,,B,R2,,,1,M,P-B,,,,,\n")
    assert table.frame["alternates"].to_list() == ["Q-A", None]


def test_m46_revisions_and_life_cycles(bill):
    rows = "1,,A,R1,CMP-1,Out of date,1,M,A,Volume Production,,\n2,,B,R2,CMP-2,Up to date,1,M,B,NRND,,\n"
    table = bill(ALTIUM + rows + "3,,C,R3,CMP-3,,1,M,C,Obsolete,,\n")
    assert codes(table, "revision_out_of_date", "part_at_end_of_life") == [
        ("revision_out_of_date", 2), ("part_at_end_of_life", 3), ("part_at_end_of_life", 4)
    ]  # fmt: skip
    assert facts(table)["revision_status_blank"] == 1


@pytest.mark.parametrize(
    ("part", "description", "held"),
    [
        ("TBD-400G", "optic", True),
        ("XXXX", "", True),
        ("QSFP-SR2", "generic placeholder; replace with vendor SKU when qualified", True),
        ("TBDX-1", "a real part", False),
        ("P1", "generic cable tie", False),
    ],
)
def test_m47_placeholders_cannot_be_ordered(bill, part, description, held):
    table = bill(f"Part Number,Qty,Description\n{part},4,{description}\nREAL-1,1,x\n")
    assert (table.frame["orderable"].to_list() if held else "orderable" not in table.frame.columns) == (
        ["false", None] if held else True
    )
    assert len(codes(table, "placeholder_part")) == held


def test_a_line_without_a_part_number_keeps_its_demand(bill):
    table = bill(ALTIUM + "1,,MUN12AD06-SM,U1,,,2,,,,,\n2,DNP,BME280,U2,,,1,,,,,\n3,,A,R1,,,1,M,P-A,,,\n")
    assert table.frame["part_number"].to_list() == ["MUN12AD06-SM", "BME280", "P-A"]
    assert table.frame["orderable"].to_list() == ["false", "false", None]
    assert [finding.severity for finding in table.findings if finding.code == "no_part_number"] == ["warning", "info"]


def test_m30_the_word_none_is_text(bill):
    table = bill(CART + "1,1,D1,P1,None,C1,,\n2,1,D2,None,x,C2,,\n")
    assert table.frame["description"].to_list() == ["None", "x"]
    assert table.frame["part_number"].to_list() == ["P1", "None"]
    assert facts(table)["descriptions_that_read_none"] == 1


def component(name: str, quantity: str | None = None, **more: object) -> dict[str, object]:
    held = [{"name": "cdx:device:quantity", "value": quantity}] if quantity else []
    return {"type": "device", "bom-ref": name, "name": name, "properties": held, **more}


def document(*components: object, **more: object) -> str:
    return json.dumps({"bomFormat": "CycloneDX", "specVersion": "1.5", "components": components, **more})


def test_hardware_bill_with_parts_of_parts(bill):
    board = component("BOARD", "2", components=[component("CONN", "4"), component("FW", type="firmware")])
    table = bill(document(board, component("CASE")), name="b.json")
    assert table.frame.select("line", "parent_line", "quantity", "quantity_basis").rows() == [
        ("BOARD", None, "2", "per_system"), ("CONN", "BOARD", "4", "per_parent"), ("CASE", None, "1", "per_system")
    ]  # fmt: skip
    assert (table.ledger.data, table.ledger.other) == (3, 1)
    assert facts(table)["pieces_multiplied"] == 2 + 8 + 1
    assert codes(table, "quantity_assumed") == [("quantity_assumed", 4)]


def test_hardware_bill_with_dependencies(bill):
    parts = (component("RACK", "1"), component("SRV", "4"), component("NIC", "8"), component("PDU", "2"))
    needs = [{"ref": "RACK", "dependsOn": ["SRV", "PDU"]}, {"ref": "SRV", "dependsOn": ["NIC"]}]
    table = bill(document(*parts, dependencies=needs), name="b.json")
    assert facts(table)["pieces_multiplied"] == 1 + 4 + 32 + 2
    twice = [*needs, {"ref": "PDU", "dependsOn": ["NIC"]}]
    table = bill(document(*parts, dependencies=twice), name="b.json")
    assert len(codes(table, "several_parents")) == 1
    assert facts(table)["pieces_multiplied"] == 1 + 4 + 8 + 2


def test_g6_twins_are_read_alike(bill):
    text = CART + "1,4,00123,1E05,x,C1-C4,0.10,0.40\n"
    one, other = bill(text), bill("\ufeff" + text.rstrip("\n"))
    assert one.frame.equals(other.frame)
    assert one.facts == other.facts
    assert one.frame["part_number"].to_list() == ["1E05"]
