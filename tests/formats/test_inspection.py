"""Looking at unknown files: the dataset, a mapping with reasons, the ledger, and a source to begin with."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
import xlsxwriter

from expectations.contract import load_contracts
from turnup.formats import inspect, parse
from turnup.programme import Source

CONTRACTS = load_contracts()
PO = (
    "Open orders,,,,,,\nPO Number,Line,Part Number,Qty,Vendor,state of it,Acknowledgd\n"
    "4500,10,GPU-8,4,Acme,open,2026-01-05\n4500,20,NIC-1,8,Acme,received,2026-01-06\n"
)


def look(tmp_path: Path, content: bytes | str, name: str):
    path = tmp_path / "content"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path, inspect(path, name, CONTRACTS)


def test_a_vendor_table(tmp_path):
    _, found = look(tmp_path, PO, "acme_purchase_orders.csv")
    assert (found.format, found.dataset) == ("csv", "purchase_orders")
    how = {column.name: (column.maps_to, column.proposed, column.how) for column in found.columns}
    assert how["Line"] == ("line", None, "name")
    assert how["Qty"] == ("quantity", None, "synonym")
    assert how["state of it"] == (None, "status", "content")
    assert how["Acknowledgd"] == (None, "acknowledged", "fuzzy")
    assert (found.ledger.title, found.ledger.header, found.ledger.data) == (1, 1, 2)
    assert all(0 <= column.confidence <= 1 and column.reason for column in found.columns)
    proposed = {finding.column for finding in found.findings if finding.code == "column_proposal"}
    assert proposed == {"state of it", "Acknowledgd"}
    assert found.source["columns"]["state of it"] == "status"
    assert "Acknowledgd" not in {**found.source["columns"], **dict.fromkeys(found.source["ignore"])}


def test_the_proposed_source_reads_the_file_once_likenesses_are_decided(tmp_path):
    path, found = look(tmp_path, PO, "acme_purchase_orders.csv")
    source = Source(**(found.source | {"columns": found.source["columns"] | {"Acknowledgd": "acknowledged"}}))
    table = parse(path, "acme_purchase_orders.csv", source, CONTRACTS["purchase_orders"])
    assert table.frame["status"].to_list() == ["open", "received"]


def test_missing_required_columns_are_errors(tmp_path):
    _, found = look(tmp_path, "PO Number,Line,Part Number,Ordered\n1,1,A,2026-01-01\n", "purchase_orders.csv")
    missing = {finding.column for finding in found.findings if finding.code == "missing_column"}
    assert missing >= {"quantity", "vendor"}
    assert {finding.severity for finding in found.findings if finding.code == "missing_column"} == {"error"}


def test_a_workbook(tmp_path):
    buffer = io.BytesIO()
    workbook = xlsxwriter.Workbook(buffer, {"in_memory": True})
    workbook.add_worksheet("Read me").write_row(0, 0, ["Please fill in the next sheet"])
    sheet = workbook.add_worksheet("Receipts")
    for row, cells in enumerate([["Receipt", "Line", "Part Number", "Site", "Place", "Qty Good", "Received"],
                                 ["R1", 1, "A", "aus1", "site", 4, "2026-01-02"]], start=3):  # fmt: skip
        sheet.write_row(row, 2, cells)
    workbook.close()
    _, found = look(tmp_path, buffer.getvalue(), "gr.xlsx")
    assert (found.format, found.dataset) == ("xlsx", "receipts")
    assert (found.ledger.data, found.ledger.balanced) == (1, True)


RECEIPTS = [["Receipt", "Line", "Part Number", "Site", "Place", "Qty Good", "Received"],
            ["R1", 1, "A", "aus1", "site", 4, "2026-01-02"]]  # fmt: skip
ORDERS = [["PO Number", "Line", "Part Number", "Qty", "Vendor", "Status", "Acknowledged"],
          ["4500", 10, "GPU-8", 4, "Acme", "open", "2026-01-05"],
          ["4500", 20, "NIC", 8, "Acme", "open", "2026-01-05"]]  # fmt: skip
NOTES = [["Please fill in the next sheet"]]


def tabbed(tmp_path: Path, tabs, dataset=""):
    path = tmp_path / "book"
    with xlsxwriter.Workbook(path) as workbook:
        for name, rows in tabs.items():
            sheet = workbook.add_worksheet(name)
            for number, cells in enumerate(rows):
                sheet.write_row(number, 0, cells)
    return path, inspect(path, "book.xlsx", CONTRACTS, dataset)


def unread(found):
    return {finding.value for finding in found.findings if finding.code == "sheet_not_read"}


@pytest.mark.parametrize(
    ("asked", "dataset", "rows", "others"),
    [
        ("", "receipts", 1, {"Read me", "Orders", "Empty"}),
        ("purchase_orders", "purchase_orders", 2, {"Read me", "Receipts", "Empty"}),
    ],
)
def test_tabs_of_several_datasets_are_told_apart_and_each_can_be_asked_for(tmp_path, asked, dataset, rows, others):
    tabs = {"Read me": NOTES, "Receipts": RECEIPTS, "Orders": ORDERS, "Empty": []}
    path, found = tabbed(tmp_path, tabs, asked)
    assert (found.dataset, found.ledger.data, unread(found)) == (dataset, rows, others)
    assert (found.ledger.lines, found.ledger.balanced) == (6, True)
    assert [finding for finding in found.findings if finding.severity == "error"] == []
    offered = {"receipts", "purchase_orders"} - {dataset}
    assert {finding.value for finding in found.findings if finding.code == "also_feeds"} == offered
    read = parse(path, "book.xlsx", Source(**found.source), CONTRACTS[dataset])
    assert read.frame.height == rows


def test_tabs_of_one_dataset_are_read_together_whatever_their_names(tmp_path):
    later = [RECEIPTS[0], ["R2", *RECEIPTS[1][1:]]]
    _, found = tabbed(tmp_path, {"W40": RECEIPTS, "W41": later, "Read me": NOTES})
    assert (found.dataset, found.ledger.data, unread(found)) == ("receipts", 2, {"Read me"})
    assert "sheet" not in found.source


def test_a_tab_of_another_dataset_that_is_left_alone_anyhow_fixes_no_name(tmp_path):
    """A supplier names the tab anew each week; only where reading would take a wrong tab must the name be fixed."""
    _, found = tabbed(tmp_path, {"W41": RECEIPTS, "Colours": [["colour", "shade"], ["red", "dark"]]})
    assert (found.dataset, unread(found)) == ("receipts", {"Colours"})
    assert "sheet" not in found.source


def test_a_workbook_of_nothing_we_know_names_its_tabs(tmp_path):
    _, found = tabbed(tmp_path, {"Paint": [["colour", "shade"], ["red", "dark"]], "Read me": NOTES})
    assert (found.dataset, unread(found)) == (None, {"Paint", "Read me"})


def test_json_records(tmp_path):
    text = '[{"from_system": "a", "to_system": "b", "type": "power"}]'
    assert look(tmp_path, text, "deps.json")[1].dataset == "dependencies"
    assert look(tmp_path, text[1:-1] + "\n" + text[1:-1] + "\n", "deps.jsonl")[1].format == "jsonl"


def test_a_table_of_nothing_we_know_is_still_counted(tmp_path):
    _, found = look(tmp_path, "colour,shade\nred,dark\nblue,light\n", "paint.csv")
    assert (found.dataset, found.ledger.data, found.ledger.header) == (None, 2, 1)
    assert found.findings[0].code == "unknown_dataset"


@pytest.mark.parametrize(
    ("content", "name", "code"),
    [
        (b"", "empty.csv", "empty_file"),
        (b"%PDF-1.7 ...", "quote.pdf", "unknown_format"),
        (b"UNA:+.? '\nUNB+UNOC:3", "order.edi", "edi_message"),
        (b"Dear all\n\nthe servers come later.\nBest, Ann\n", "mail.txt", "unknown_format"),
        (b'{"a": [1,', "cut.json", "json"),
        (b"PK\x03\x04 nothing", "cut.xlsx", "archive"),
        (bytes(range(256)) * 8, "noise.bin", "unknown_format"),
    ],
)
def test_what_cannot_be_read_is_a_finding(tmp_path, content, name, code):
    _, found = look(tmp_path, content, name)
    assert found.dataset is None
    assert [finding.code for finding in found.findings] == [code]


def test_formats_that_know_their_dataset(tmp_path):
    text = '{"devices": [{"id": 1, "name": "a", "device_type": "x", "status": "planned"}], "cables": []}'
    _, found = look(tmp_path, text, "nb.json")
    assert (found.format, found.dataset, found.ledger.data) == ("netbox", "installs", 1)
    assert {finding.value for finding in found.findings if finding.code == "also_feeds"} == {"links", "node_names"}


def test_files_that_are_a_part_each_are_proposed_to_add_up(tmp_path):
    neighbours = '{"lldp": {"interface": {"eth0": {"chassis": {"leaf1": {"id": {"type": "mac", "value": "00:11"}}}, '
    neighbours += '"port": {"id": {"type": "ifname", "value": "Eth1/1"}}}}}}'
    _, found = look(tmp_path, neighbours, "gpu001.lldp.json")
    assert (found.dataset, found.source["mode"]) == ("links", "events")
    _, found = look(tmp_path, PO, "acme_purchase_orders.csv")
    assert "mode" not in found.source


def test_the_proposed_source_reads_a_file_with_something_beside_its_table(tmp_path):
    """What stands left of the table has no name, and would stop the refresh."""
    lines = ["Receipt No,Line No,Part No,Site,Location Type,Qty,Receipt Date", *(
        f"R{n},1,A,ABQ,site,5,2026-09-0{n}" for n in range(1, 4))]  # fmt: skip
    text = "".join(f"{'x' if n == 2 else ''},{line}\n" for n, line in enumerate(lines))
    _, found = look(tmp_path, text, "grn.csv")
    assert found.source["ignore"] == ["unnamed [column 1]"]
    assert [(item.code, item.column) for item in found.findings] == [("unknown_column", "unnamed [column 1]")]
    (tmp_path / "grn.csv").write_text(text, encoding="utf-8")
    contract = CONTRACTS["receipts"]
    table = parse(tmp_path / "grn.csv", "grn.csv", Source.model_validate(found.source), contract)
    assert table.frame["receipt"].to_list() == ["R1", "R2", "R3"]
