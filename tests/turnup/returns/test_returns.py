"""Bad rows go back to their owner, come back corrected, and close: from the inbox to the dataset in force."""

import io
import json
from datetime import datetime

import openpyxl
import pytest

from tests.turnup.returns.house import Vendor, made
from turnup.returns.headings import AS_IT_STANDS, ROW_ID, WRONG

SOURCES = """  vendor-bom:
    dataset: bom
    files: "Stueckliste*.csv"
    owner: Ana Ruiz
    decimal: ","
    columns: {Anlage: system_id, Teil: part_number, Menge: quantity, Art: category, Text: description}
    values: {category: {Rechner: server}}
  receipts: {dataset: receipts, files: "grn*.csv", mode: events, owner: Dock}
"""
HEADER = "Anlage;Teil;Menge;Art;Text"
LINES = (
    "GPU-1;00123;1,5;Rechner;=HYPERLINK(\"x\")",  # row 2, good
    "GPU-1;P-2;viele;Rechner;+49 30 1",           # row 3: quantity
    "GPU-1;P-3;2;Rechnr;-x",                      # row 4: category
    ";P-4;;Rechner;@SUM(1)",                      # row 5: system and quantity
    "GPU-1;8939010102358478435;4;optic;ok",       # row 6, good
    "GPU-1;P-6;5;Rechner",                        # row 7: width
    "GPU-1;P-7;6;Rechner;a;zu viel",              # row 8: width
)  # fmt: skip
BOM = "\n".join((HEADER, *LINES)) + "\n"
NCCL = """# nccl-tests version 2.17.6 nccl-headers=22807 nccl-library=22807
# Collective test starting: all_reduce_perf
#  Rank  0 Group  0 Pid  1 on gpu-1 device  0 [0x00] NVIDIA H100
#
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
    33554432       8388608     float     sum      -1    419.4   80.00  120.00      0    409.2   82.00  123.00      0
    67108864      16777216     float     sum      -1    657.9
# Avg bus bandwidth    : 121.5
"""
RECEIPTS = "receipt,line,part_number,site_id,place,qty_good,received\n"


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """Week 40 has the files; week 41 a partial correction; week 42 the rest; week 43 a new snapshot."""
    house = made(tmp_path_factory.mktemp("returns"), SOURCES, ("bom", "receipts"))
    house.drop("2026-10-01/Stueckliste W40.csv", BOM)
    house.drop("2026-10-01/notes.pdf", b"%PDF-1.4 nobody takes it")
    return house


@pytest.fixture(scope="module")
def sent(house):
    return house.week("2026-W40")


@pytest.fixture(scope="module")
def partly(house, sent):
    vendor = Vendor(sent.workbook("Ana Ruiz"))
    vendor.set(3, Menge="3,25")
    vendor.set(4, Art="gibt es nicht")
    vendor.delete(5)
    vendor.answer(7, AS_IT_STANDS)
    house.drop("2026-10-05/from Ana/Stueckliste final FINAL.xlsx", vendor.saved())
    return house.week("2026-W41")


@pytest.fixture(scope="module")
def whole(house, partly):
    vendor = Vendor(partly.workbook("Ana Ruiz"))
    vendor.set(4, Art="Rechner")
    vendor.set(5, Anlage="GPU-1", Menge=7)
    vendor.answer(8)
    house.drop("2026-10-12/x", vendor.saved())
    return house.week("2026-W42")


def test_only_open_rows_go_back_as_delivered(sent):
    model = sent.open_rows("Ana Ruiz")
    table = model.tables[0]
    assert [row.row for row in table.rows] == [3, 4, 5, 7, 8]
    assert table.original.columns == ("Anlage", "Teil", "Menge", "Art", "Text", "[column 6]")
    rows = Vendor(sent.workbook("Ana Ruiz")).rows()
    assert [(row["Teil"], row["Menge"], row["Text"]) for row in rows] == [
        ("P-2", "viele", "+49 30 1"), ("P-3", "2", "-x"), ("P-4", None, "@SUM(1)"), ("P-6", "5", None),
        ("P-7", "6", "a"),
    ]  # fmt: skip
    assert rows[4]["[column 6]"] == "zu viel"


def test_wrong_cells_are_marked_and_explained(sent):
    sheet = Vendor(sent.workbook("Ana Ruiz")).sheet()
    headings = [cell.value for cell in sheet[1]]
    cell = sheet.cell(2, headings.index("Menge") + 1)
    assert cell.fill.fgColor.rgb == "FFF8C7C4"
    assert "Rule: type." in cell.comment.text
    assert "number" in cell.comment.text
    assert sheet.cell(2, headings.index("Teil") + 1).comment is None
    assert "viele" in sheet.cell(2, headings.index(WRONG) + 1).value


def test_every_cell_is_text_and_none_a_formula(sent):
    for sheet in Vendor(sent.workbook("Ana Ruiz")).book.worksheets:
        for row in sheet.iter_rows():
            assert all(cell.data_type in ("s", "n") and (cell.value is None or cell.data_type == "s") for cell in row)


def test_the_same_week_gives_the_same_bytes(sent, house):
    assert sent.workbook("Ana Ruiz") == house.week("2026-W40").workbook("Ana Ruiz")


def test_a_correction_under_a_name_of_the_source_replaces_nothing(partly):
    assert partly.ask("SELECT count(*) FROM meta.deliveries WHERE source = 'vendor-bom' AND corrects = ''") == [(1,)]
    assert partly.ask("SELECT part_number, quantity::VARCHAR FROM stg.bom ORDER BY part_number") == [
        ("00123", "1.500"), ("8939010102358478435", "4.000"), ("P-2", "3.250"), ("P-6", "5.000"),
    ]  # fmt: skip


def test_the_row_that_a_contract_names_by_its_place_keeps_its_place(partly):
    found = partly.ask("SELECT part_number, line, _row FROM stg.bom WHERE part_number IN ('00123', 'P-2') ORDER BY 1")
    assert [(part, line) for part, line, _ in found] == [("00123", "row 2"), ("P-2", "row 3")]


def test_closed_rows_say_by_which_file_and_the_others_stay_open(partly):
    found = partly.ask(
        "SELECT \"row\", state, closed_by, in_force FROM meta.quarantine WHERE file LIKE '%.csv' "
        'GROUP BY ALL ORDER BY "row", state'
    )
    file = "2026-10-05/from Ana/Stueckliste final FINAL.xlsx"
    assert found == [
        (3, "corrected", file, False), (4, "open", None, True), (5, "open", None, True),
        (7, "corrected", file, False), (8, "open", None, True),
    ]  # fmt: skip


def test_counts_are_of_rows_still_open(partly):
    assert partly.balanced()
    counts = "SELECT rows_read, accepted, quarantined, corrected FROM meta.sources WHERE source = 'vendor-bom'"
    assert partly.ask(counts) == [(7, 4, 3, 2)]
    ledger = "SELECT file, rows_read, accepted, quarantined, open FROM meta.ledger ORDER BY file"
    assert partly.ask(ledger) == [
        ("2026-10-01/Stueckliste W40.csv", 7, 2, 5, 3),
        ("2026-10-05/from Ana/Stueckliste final FINAL.xlsx", 3, 2, 1, 0),
    ]


def test_a_row_still_wrong_comes_back_with_both_values(partly):
    rows = {row.row: row for row in partly.open_rows("Ana Ruiz").tables[0].rows}
    assert sorted(rows) == [4, 5, 8]
    assert (rows[4].first["Art"], rows[4].cells["Art"]) == ("Rechnr", "gibt es nicht")
    assert rows[5].first is None  # deleted by the vendor: open as it was
    sheet = Vendor(partly.workbook("Ana Ruiz")).sheet()
    headings = [cell.value for cell in sheet[1]]
    comment = sheet.cell(2, headings.index("Art") + 1).comment.text
    assert "First delivered as 'Rechnr', returned as 'gibt es nicht'" in comment


def test_all_corrected_the_dataset_is_complete(whole):
    parts = [part for (part,) in whole.ask("SELECT part_number FROM stg.bom ORDER BY 1")]
    assert parts == ["00123", "8939010102358478435", "P-2", "P-3", "P-4", "P-6"]
    assert whole.ask("SELECT quantity::VARCHAR, line FROM stg.bom WHERE part_number = 'P-4'") == [("7.000", "row 5")]
    assert whole.open_rows("Ana Ruiz") is None
    counts = "SELECT rows_read, accepted, quarantined, corrected FROM meta.sources WHERE source = 'vendor-bom'"
    assert whole.ask(counts) == [(6, 6, 0, 4)]  # one row of seven was withdrawn
    assert whole.balanced()


def test_the_age_of_the_source_is_that_of_its_own_file(whole):
    assert whole.ask("SELECT received_at::DATE::VARCHAR, state FROM meta.sources WHERE source = 'vendor-bom'") == [
        ("2026-10-01", "fresh")
    ]


def test_the_week_before_a_correction_stays_as_it_was(house, whole):
    assert house.week("2026-W40").ask("SELECT count(*) FROM stg.bom") == [(2,)]


def test_a_new_snapshot_supersedes_file_and_corrections(house, whole):
    house.drop("2026-10-19/Stueckliste W43.csv", f"{HEADER}\nGPU-1;NEW;1;optic;x\n")
    week = house.week("2026-W43")
    assert week.ask("SELECT part_number FROM stg.bom") == [("NEW",)]
    assert week.ask("SELECT count(*) FROM meta.returned_rows") == [(0,)]
    house.drop("2026-10-26/Stueckliste W40.csv", BOM)  # the first content again: its corrections with it
    assert house.week("2026-W44").ask("SELECT count(*) FROM stg.bom") == [(6,)]


def test_ids_are_of_this_workbook_only_and_added_rows_are_named(tmp_path):
    house = made(tmp_path, SOURCES, ("bom", "receipts"))
    house.drop("2026-10-01/Stueckliste.csv", BOM)
    vendor = Vendor(house.week("2026-W40").workbook("Ana Ruiz"))
    sheet = vendor.sheet()
    sheet.cell(sheet.max_row + 1, vendor.place(sheet, "Teil")).value = "ADDED"
    sheet.cell(sheet.max_row + 1, vendor.place(sheet, ROW_ID)).value = "R000000000000"
    copied = [cell.value for cell in sheet[2]]
    copied[vendor.place(sheet, "Menge") - 1] = "9"
    sheet.append(copied)  # row 3 of the file a second time, at the end
    house.drop("2026-10-02/back.xlsx", vendor.saved())
    week = house.week("2026-W41")
    rules = "SELECT rule, count(*) FROM meta.quarantine WHERE file LIKE '%back.xlsx' GROUP BY 1 ORDER BY 1"
    assert dict(week.ask(rules))["added_row"] == 1
    assert dict(week.ask(rules))["unknown_row_id"] == 1
    assert dict(week.ask(rules))["returned_twice"] == 1
    assert week.ask("SELECT quantity::INT FROM stg.bom WHERE part_number = 'P-2'") == [(9,)]
    assert week.ask("SELECT count(*) FROM stg.bom WHERE part_number = 'ADDED'") == [(0,)]
    assert week.balanced()
    told = [item.message for item in week.open_rows("Ana Ruiz").unsendable]
    assert len(told) == 2
    assert any("corrects no row" in message for message in told)


def test_b8_the_same_return_twice_changes_nothing_and_the_last_version_counts(tmp_path):
    house = made(tmp_path, SOURCES, ("bom", "receipts"))
    house.drop("2026-10-01/Stueckliste.csv", BOM)
    vendor = Vendor(house.week("2026-W40").workbook("Ana Ruiz"))
    vendor.set(3, Menge="3")
    house.drop("2026-10-03/a.xlsx", vendor.saved())
    house.drop("2026-10-04/b.xlsx", vendor.saved())
    assert house.week("2026-W41").ask("SELECT count(*), sum(quantity)::VARCHAR FROM stg.bom") == [(3, "8.500")]
    vendor.set(3, Menge="4")
    house.drop("2026-10-05/c.xlsx", vendor.saved())
    week = house.week("2026-W41")
    assert week.ask("SELECT quantity::INT FROM stg.bom WHERE part_number = 'P-2'") == [(4,)]
    vendor.set(3, Menge="unusable")
    house.drop("2026-10-06/d.xlsx", vendor.saved())
    week = house.week("2026-W41")  # a version that cannot be used undoes no correction
    assert week.ask("SELECT quantity::INT FROM stg.bom WHERE part_number = 'P-2'") == [(4,)]
    assert week.balanced()


def test_b9_a_correction_that_claims_another_rows_key_stays_open(tmp_path):
    house = made(tmp_path, SOURCES, ("bom", "receipts"))
    house.drop(
        "2026-10-01/grn1.csv",
        RECEIPTS + "R1,1,P,ABQ,site,5,2026-09-30\nR2,1,P,ABQ,site,x,2026-09-30\nR3,1,P,ABQ,site,y,2026-09-30\n",
    )
    vendor = Vendor(house.week("2026-W40").workbook("Dock"))
    vendor.set(3, receipt="r1", qty_good="50")
    vendor.set(4, qty_good="7")
    house.drop("2026-10-02/back.xlsx", vendor.saved())
    week = house.week("2026-W41")
    assert week.ask("SELECT receipt, qty_good::INT FROM stg.receipts ORDER BY 1") == [("R1", 5), ("R3", 7)]
    row = week.open_rows("Dock").tables[0].rows[0]
    assert (row.row, row.cells["receipt"], row.first["receipt"]) == (3, "r1", "R2")
    assert "row 2 of the file that it corrects" in row.faults[0].message
    vendor = Vendor(week.workbook("Dock"))
    vendor.set(3, receipt="R3", qty_good="8")  # the key of a row that the first return brought
    house.drop("2026-10-03/again.xlsx", vendor.saved())
    week = house.week("2026-W41")
    assert week.ask("SELECT receipt, qty_good::INT FROM stg.receipts ORDER BY 1") == [("R1", 5), ("R3", 7)]
    assert week.ask("SELECT outcome FROM meta.returned_rows WHERE file LIKE '%again.xlsx'") == [("refused",)]
    assert [row.row for row in week.open_rows("Dock").tables[0].rows] == [3]
    assert week.balanced()


def test_b9_of_two_returns_that_claim_one_new_key_the_first_keeps_it(tmp_path):
    house = made(tmp_path, SOURCES, ("bom", "receipts"))
    house.drop("2026-10-01/grn1.csv", RECEIPTS + "R2,1,P,ABQ,site,x,2026-09-30\nR3,1,P,ABQ,site,y,2026-09-30\n")
    sent = house.week("2026-W40").workbook("Dock")
    for name, row, quantity in (("one", 2, "5"), ("two", 3, "6")):
        vendor = Vendor(sent)
        vendor.set(row, receipt="R7", qty_good=quantity)
        house.drop(f"2026-10-0{row}/{name}.xlsx", vendor.saved())
    week = house.week("2026-W41")
    assert week.ask("SELECT receipt, qty_good::INT FROM stg.receipts") == [("R7", 5)]
    assert week.ask("SELECT outcome FROM meta.returned_rows WHERE outcome <> 'unanswered' ORDER BY 1") == [
        ("corrected",), ("repeats",),
    ]  # fmt: skip
    row = week.open_rows("Dock").tables[0].rows[0]
    assert (row.row, row.returned_in) == (3, "2026-10-03/two.xlsx")
    assert "claims the key of row 2" in row.faults[0].message
    assert week.balanced()


def test_a_late_correction_does_not_override_a_newer_event(tmp_path):
    house = made(tmp_path, SOURCES, ("bom", "receipts"))
    house.drop("2026-10-01/grn1.csv", RECEIPTS + "R1,1,P,ABQ,site,x,2026-09-30\nR2,1,P,ABQ,site,x,2026-09-30\n")
    house.drop("2026-10-01/grn2.csv", RECEIPTS + "R1,1,P,ABQ,site,8,2026-10-01\nR9,1,P,ABQ,site,x,2026-10-01\n")
    vendor = Vendor(house.week("2026-W40").workbook("Dock"))
    vendor.set(2, qty_good="5")
    vendor.set(3, qty_good="6")
    vendor.set(3, number=1, qty_good="9")
    house.drop("2026-10-02/back.xlsx", vendor.saved())
    week = house.week("2026-W41")
    assert week.ask("SELECT receipt, qty_good::INT FROM stg.receipts ORDER BY 1") == [("R1", 8), ("R2", 6), ("R9", 9)]
    assert week.balanced()


def test_b8_one_content_under_two_names_is_corrected_once(tmp_path):
    house = made(tmp_path, SOURCES, ("bom", "receipts"))
    for name in ("grn1", "grn1 copy"):
        house.drop(f"2026-10-01/{name}.csv", RECEIPTS + "R1,1,P,ABQ,site,5,2026-09-30\nR2,1,P,ABQ,site,x,2026-09-30\n")
    week = house.week("2026-W40")
    (table,) = week.open_rows("Dock").tables
    assert [(row.row, len(row.faults)) for row in table.rows] == [(3, 1)]
    vendor = Vendor(week.workbook("Dock"))
    vendor.set(3, qty_good="7")
    house.drop("2026-10-02/back.xlsx", vendor.saved())
    week = house.week("2026-W41")
    assert week.ask("SELECT receipt, qty_good::INT FROM stg.receipts ORDER BY 1") == [("R1", 5), ("R2", 7)]
    assert week.ask("SELECT outcome FROM meta.returned_rows") == [("corrected",)]
    assert week.ask("SELECT rows_read, accepted, quarantined FROM meta.sources WHERE source = 'receipts'") == [
        (4, 4, 0)
    ]
    assert week.open_rows("Dock") is None
    assert week.balanced()


def test_sorted_merged_and_renamed_sheets_find_their_rows(tmp_path):
    house = made(tmp_path, SOURCES, ("bom", "receipts"))
    house.drop("2026-10-01/grn1.csv", RECEIPTS + "R1,1,P,ABQ,site,x,2026-09-30\n")
    house.drop("2026-10-01/grn2.csv", RECEIPTS + "R2,1,P,ABQ,site,x,2026-09-30\n")
    vendor = Vendor(house.week("2026-W40").workbook("Dock"))
    first, second = vendor.sheet(0), vendor.sheet(1)
    vendor.set(2, qty_good=1)
    vendor.set(2, number=1, qty_good=2)
    first.append([cell.value for cell in second[2]])
    vendor.book.remove(second)
    first.insert_rows(1, 2)
    first["A1"] = "Corrected by the dock"
    first.title = "Mine"
    house.drop("2026-10-02/back.xlsx", vendor.saved())
    week = house.week("2026-W41")
    assert week.ask("SELECT receipt, qty_good::INT FROM stg.receipts ORDER BY 1") == [("R1", 1), ("R2", 2)]
    assert week.open_rows("Dock") is None


def test_a_removed_column_is_asked_for_and_an_added_one_is_named(tmp_path):
    house = made(tmp_path, SOURCES, ("bom", "receipts"))
    house.drop("2026-10-01/Stueckliste.csv", BOM)
    vendor = Vendor(house.week("2026-W40").workbook("Ana Ruiz"))
    sheet = vendor.sheet()
    sheet.cell(1, sheet.max_column + 1).value = "My remark"
    vendor.set(3, Menge="3")
    sheet.delete_cols(vendor.place(sheet, "Text"))
    house.drop("2026-10-02/back.xlsx", vendor.saved())
    week = house.week("2026-W41")
    assert week.ask("SELECT count(*) FROM stg.bom") == [(2,)]
    assert week.ask("SELECT DISTINCT rule FROM meta.quarantine WHERE file LIKE '%back.xlsx'") == [("column_removed",)]
    assert week.ask("SELECT count(*) FROM meta.file_findings WHERE code = 'column_added'") == [(1,)]


def test_a_workbook_of_another_programme_is_refused_as_a_file(tmp_path):
    elsewhere = made(tmp_path / "a", SOURCES, ("bom", "receipts"))
    elsewhere.drop("2026-10-01/Stueckliste.csv", BOM)
    here = made(tmp_path / "b", SOURCES, ("bom", "receipts"))
    here.drop("2026-10-02/back.xlsx", elsewhere.week("2026-W40").workbook("Ana Ruiz"))
    week = here.week("2026-W41")
    assert week.ask("SELECT status FROM meta.ledger") == [("rejected",)]
    assert [item.code for item in week.open_rows("Ana Ruiz").refused] == ["unknown_original"]


def test_a_file_refused_as_a_whole_goes_back_until_a_readable_one_came(tmp_path):
    house = made(tmp_path, SOURCES, ("bom", "receipts"))
    house.drop("2026-10-01/Stueckliste.csv", "Anlage;Teil;Unbekannt\nGPU-1;P;1\n")
    week = house.week("2026-W40")
    assert [item.code for item in week.open_rows("Ana Ruiz").refused] == ["unknown_column"]
    book = Vendor(week.workbook("Ana Ruiz")).book
    assert "Unbekannt" in book["Files not read"]["C2"].value
    assert len(house.week("2026-W41").open_rows("Ana Ruiz").refused) == 1  # a week later it is still not read
    house.drop("2026-10-10/Stueckliste.csv", f"{HEADER}\nGPU-1;P;1;optic;x\n")
    assert house.week("2026-W42").open_rows("Ana Ruiz") is None


def test_a_row_in_doubt_goes_back_counts_meanwhile_and_is_replaced(tmp_path):
    sources = '  parts: {dataset: bom, files: "parts*.csv", owner: Board, defaults: {system_id: GPU-1}}\n'
    house = made(tmp_path, sources, ("bom",))
    house.drop(
        "2026-10-01/parts.csv", 'Line,MPN,Qty,Designators\n1,R-10k,2,"R1, R2, R3"\n2,C-1u,4,"C1, C2"\n3,X,1,U1\n'
    )
    week = house.week("2026-W40")
    assert week.ask("SELECT sum(quantity)::INT FROM stg.bom") == [(7,)]
    table = week.open_rows("Board").tables[0]
    assert [(row.row, row.faults[0].kind, row.faults[0].rule) for row in table.rows] == [
        (2, "doubtful", "designator_count"), (3, "doubtful", "designator_count"),
    ]  # fmt: skip
    vendor = Vendor(week.workbook("Board"))
    sheet = vendor.sheet()
    assert sheet.cell(2, vendor.place(sheet, "Designators")).fill.fgColor.rgb == "FFFDE8B0"
    vendor.set(2, Qty="3")
    house.drop("2026-10-02/one.xlsx", vendor.saved())
    week = house.week("2026-W41")  # row 3 was not answered and stays in doubt
    assert week.ask("SELECT line, quantity::INT FROM stg.bom ORDER BY 1") == [("1", 3), ("2", 4), ("3", 1)]
    assert [row.row for row in week.open_rows("Board").tables[0].rows] == [3]
    vendor = Vendor(week.workbook("Board"))
    vendor.answer(3, AS_IT_STANDS)
    house.drop("2026-10-10/two.xlsx", vendor.saved())
    week = house.week("2026-W42")
    assert week.ask("SELECT line, quantity::INT FROM stg.bom ORDER BY 1") == [("1", 3), ("2", 4), ("3", 1)]
    assert week.open_rows("Board") is None
    assert week.ask("SELECT rows_read, accepted, quarantined FROM meta.sources") == [(3, 3, 0)]
    assert week.balanced()


def test_a_corrected_row_is_finished_among_the_other_rows_of_its_file(tmp_path):
    sources = '  parts: {dataset: bom, files: "parts*.csv", owner: Board, defaults: {system_id: GPU-1}}\n'
    house = made(tmp_path, sources, ("bom",))
    house.drop("2026-10-01/parts.csv", "Level,Line,MPN,Qty\n1,1,ASM,1\n2,2,P-A,x\n2,3,P-B,2\n")
    vendor = Vendor(house.week("2026-W40").workbook("Board"))
    vendor.set(3, Qty="3")
    house.drop("2026-10-02/back.xlsx", vendor.saved())
    week = house.week("2026-W41")
    # What line 2 is a component of stands only in the rows before it.
    assert week.ask("SELECT line, parent_line, quantity::INT FROM stg.bom ORDER BY 1") == [
        ("1", None, 1), ("2", "1", 3), ("3", "1", 2),
    ]  # fmt: skip
    assert week.balanced()


def test_m31_a_date_that_the_other_rows_prove_is_read_as_in_the_file(tmp_path):
    house = made(tmp_path, SOURCES.replace("mode: events, ", ""), ("bom", "receipts"))
    house.drop(
        "2026-10-01/grn1.csv",
        RECEIPTS + "R1,1,P,ABQ,site,5,30/9/2026\nR2,1,P,ABQ,site,x,1/9/2026\nR3,1,P,ABQ,site,5,2/9/2026\n",
    )
    week = house.week("2026-W40")
    assert week.ask("SELECT receipt, received::VARCHAR FROM stg.receipts ORDER BY 1") == [
        ("R1", "2026-09-30"), ("R3", "2026-09-02"),
    ]  # fmt: skip
    vendor = Vendor(week.workbook("Dock"))
    vendor.set(3, qty_good="7")
    house.drop("2026-10-02/back.xlsx", vendor.saved())
    found = house.week("2026-W41").ask("SELECT received::VARCHAR FROM stg.receipts WHERE receipt = 'R2'")
    assert found == [("2026-09-01",)]


def test_rows_of_a_workbook_and_of_json_go_back_too(tmp_path):
    house = made(tmp_path, SOURCES.replace("grn*.csv", "grn*"), ("bom", "receipts"))
    names = RECEIPTS.strip().split(",")
    book = openpyxl.Workbook()
    for sheet, bad in ((book.active, "x"), (book.create_sheet("second"), "y")):
        sheet.append(["A title"])
        sheet.append(names)
        sheet.append([f"R-{sheet.title}", "001", "P", "ABQ", "site", bad, datetime(2026, 9, 30)])
    target = io.BytesIO()
    book.save(target)
    house.drop("2026-10-01/grn.xlsx", target.getvalue())
    record = dict(zip(names, ("J1", "1", "P", "ABQ", "attic", 5, "2026-09-30"), strict=True))
    house.drop("2026-10-01/grn.json", json.dumps([record]))
    week = house.week("2026-W40")
    sheets = [(table.original.sheet, table.original.columns) for table in week.open_rows("Dock").tables]
    assert [sheet for sheet, _ in sheets] == [None, "Sheet", "second"]
    assert all(columns == tuple(names) for _, columns in sheets)
    vendor = Vendor(week.workbook("Dock"))
    vendor.set(1, place="site")
    vendor.set(3, number=1, qty_good="1")
    vendor.set(3, number=2, qty_good="2")
    house.drop("2026-10-02/back.xlsx", vendor.saved())
    week = house.week("2026-W41")
    assert week.ask("SELECT receipt, line, qty_good::INT, received::VARCHAR FROM stg.receipts ORDER BY 1") == [
        ("J1", "1", 5, "2026-09-30"), ("R-Sheet", "001", 1, "2026-09-30"), ("R-second", "001", 2, "2026-09-30"),
    ]  # fmt: skip
    assert week.open_rows("Dock") is None


def test_rows_of_a_format_that_is_no_table_are_listed(tmp_path):
    house = made(tmp_path, '  logs: {dataset: benchmarks, files: "*.log", owner: Lab}\n', ("benchmarks",))
    house.drop("2026-10-01/run.log", NCCL)
    model = house.week("2026-W40").open_rows("Lab")
    assert model.tables == ()
    assert [item.row for item in model.unsendable] == [8]
    assert "Correct at the source" in Vendor(house.week("2026-W40").workbook("Lab")).book.sheetnames


def test_a_send_back_without_its_hidden_sheet_is_refused_as_such(tmp_path):
    """Read as a file of its own it would replace the snapshot by the rows that were wrong."""
    header = "receipt,line,part_number,site_id,place,qty_good,received\n"
    good = "R1,1,P,ABQ,site,5,2026-09-30\n"
    sources = '  grn: {dataset: receipts, files: "grn*", owner: Dock}\n'
    house = made(tmp_path / "home", sources, ("receipts",))
    house.drop("2026-09-28/grn.csv", f"{header}{good}R1,2,P,ABQ,site,many,2026-09-30\n")
    vendor = Vendor(house.week("2026-W40").workbook("Dock"))
    vendor.set(3, qty_good="7")
    lines = vendor.sheet().iter_rows(values_only=True)
    house.drop(
        "2026-10-06/grn back.csv", "".join(",".join(f'"{cell or ""}"' for cell in line) + "\n" for line in lines)
    )
    week = house.week("2026-W41")
    assert week.ask("SELECT receipt, line FROM stg.receipts") == [("R1", "1")]
    ((code, message),) = week.ask("SELECT code, message FROM meta.file_findings WHERE severity = 'error'")
    assert code == "send_back_copy"
    assert "correct them in the workbook itself and return that" in message
