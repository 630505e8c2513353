"""The real files: what is read equals the answers that come with them."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from expectations.contract import load_contracts
from tests.formats.small import contract_of
from turnup.formats import RawTable, inspect, parse
from turnup.programme import Source

CONTRACTS = load_contracts()
CART = (
    "index", "quantity", "part number", "manufacturer part number", "description", "customer reference", "available",
    "backorder", "unit price", "extended price usd",
)  # fmt: skip


def take(path: Path, contract, **settings: object) -> RawTable:
    table = parse(path, path.name, Source.model_construct(dataset=contract.name, files="*", **settings), contract)
    assert table.ledger.balanced
    assert table.frame.height == table.ledger.data
    return table


def total(table: RawTable, column: str) -> Decimal:
    return sum((Decimal(text) for text in table.frame[column] if text), Decimal(0))


def test_cluster_bom(cases):
    path = cases / "supply/bom/ocp_opg128_clos_ro_bom.csv"
    table = take(path, CONTRACTS["bom"], ignore=("*",), defaults={"system_id": "opg", "line": "0"})
    assert (table.ledger.data, table.ledger.comment, table.ledger.header) == (9, 1, 1)
    quantities = table.frame.group_by("bill_section", maintain_order=True).agg(pl.col("quantity").cast(pl.Int64).sum())
    assert quantities.rows() == [
        ("server", 16), ("switch", 6), ("nic", 144), ("server_transceiver", 160), ("switch_transceiver", 328)
    ]  # fmt: skip


def test_point_to_point_list(cases):
    path = cases / "supply/cabling/ocp_opg128_clos_ro_connectivity.csv"
    settings = {"columns": {"status": "status_claimed"}, "defaults": {"view": "planned", "state": "planned"}}
    table = take(path, CONTRACTS["links"], ignore=("*",), **settings)
    assert table.ledger.data == 288
    ends = pl.concat([table.frame.select("a_device", "a_port").rename({"a_device": "b_device", "a_port": "b_port"}),
                      table.frame.select("b_device", "b_port")])  # fmt: skip
    assert ends.unique().height == 576
    servers = ends.filter(pl.col("b_device").str.starts_with("compute")).height
    assert (servers, 576 - servers) == (160, 416)
    assert set(table.frame["status_claimed"]) == {"connected"}


def test_netbox_export(cases):
    path = cases / "supply/dcim/ocp_opg128_clos_ro_netbox.json"
    installs = take(path, CONTRACTS["installs"])
    by_group = installs.frame.group_by("_sheet").len().sort("_sheet").rows()
    assert by_group == [("devices", 22), ("modules", 632)]
    assert installs.ledger.other == 716 + 288
    modules = installs.frame.filter(pl.col("_sheet") == "modules")
    assert modules["serial"].n_unique() == 504
    assert modules["parent_asset"].null_count() == 0
    links = take(path, CONTRACTS["links"])
    assert links.ledger.data == 288
    assert set(links.frame["state"]) == {"planned"}
    assert set(links.frame["status_claimed"]) == {"connected"}
    assert set(installs.frame.filter(pl.col("_sheet") == "devices")["status"]) == {"planned"}
    assert {finding.severity for finding in installs.findings} == {"warning"}


def test_delivery_history(cases):
    path = cases / "supply/logistics/SCMS_Delivery_History_Dataset.csv"
    table = take(path, CONTRACTS["shipments"], ignore=("*",))
    assert (table.ledger.lines, table.ledger.data) == (10_325, 10_324)
    dates = table.frame.select(pl.col("scheduled", "delivered").str.to_date("%-d-%b-%y"))
    assert dates.filter(pl.col("delivered") > pl.col("scheduled")).height == 1_186
    assert total(table, "quantity") == 189_265_090
    assert table.frame["destination"].str.count_matches("Côte d'Ivoire").sum() == 1_083


def test_distributor_cart_and_its_twin(cases):
    contract = contract_of(CART, required=("index", "quantity"))
    text = take(cases / "supply/bom/ocp_timecard_v0_bom.csv", contract)
    book = take(cases / "supply/bom/ocp_timecard_v0_bom.xlsx", contract)
    for table in (text, book):
        assert (table.ledger.data, table.ledger.rejected) == (47, 0)
        assert total(table, "quantity") == 164
        assert total(table, "extended price usd") == Decimal("689.71")
    numbers = ("unit price", "extended price usd")
    others = [column for column in CART if column not in numbers]
    assert text.frame.select(*others, "_row").equals(book.frame.select(*others, "_row"))
    for column in numbers:
        assert text.frame[column].cast(pl.Decimal(12, 5)).equals(book.frame[column].cast(pl.Decimal(12, 5)))


@pytest.mark.parametrize(
    ("name", "lines", "pieces"),
    [("ocp_timecard_v7_bom.xlsx", 54, 181), ("ocp_timecard_v9_bom_2023-08-28.xlsx", 96, 382)],
)
def test_altium_boms(cases, name, lines, pieces):
    table = take(cases / "supply/bom" / name, contract_of(("line #", "quantity")), ignore=("*",))
    assert (table.ledger.data, total(table, "quantity")) == (lines, pieces)


def test_title_and_total_rows(cases):
    table = take(cases / "supply/messy/frictionless_title_and_total_rows.xlsx", contract_of(("A", "B")))
    assert table.frame.select("A", "B").rows() == [("8", "9")]
    assert (table.ledger.title, table.ledger.header, table.ledger.total) == (1, 1, 1)


def test_titles_above_and_notes_below(cases):
    columns = ("Name", "Profession", "Age", "Has kids", "Date of birth", "Date of death")
    path = cases / "supply/messy/readxl_deaths_title_footer_merged.xlsx"
    table = take(path, contract_of(columns, required=columns))
    assert (table.ledger.data, table.ledger.title, table.ledger.footer, table.ledger.header) == (20, 8, 8, 2)
    assert table.frame.filter(pl.col("_sheet") == "arts")["_row"].to_list() == list(range(6, 16))
    assert table.frame["Date of birth"].str.contains(r"^\d{4}-\d\d-\d\d$").all()


def test_cabling_workbook_with_tables_at_j14(cases):
    path = cases / "supply/cabling/shcd_Full_Architecture_Golden_Config_1.1.5.xlsx"
    table = take(path, contract_of(("source", "destination"), required=("source",)), ignore=("*",))
    counts = dict(table.frame.group_by("_sheet").len().rows())
    assert counts == {"SWITCH_TO_SWITCH": 34, "NON_COMPUTE_NODES": 39, "HARDWARE_MANAGEMENT": 20, "COMPUTE_NODES": 13}
    assert table.frame["_row"].min() == 15
    assert {column.name for column in table.columns} >= {"Source Rack", "Destination Rack"}


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("ufm_ndt_sw2sw_rackplan.csv", 400),
        ("ufm_switch_to_host_topo1.ndt", 2_223),
        ("ufm_switch_to_switch_topo2.ndt", 6_390),
    ],
)
def test_fabric_cable_plans(cases, name, rows):
    names = ("StartDevice", "StartPort", "EndDevice", "EndPort")
    table = take(cases / "supply/cabling" / name, contract_of(names, required=names), ignore=("*",))
    assert (table.ledger.data, table.ledger.rejected) == (rows, 0)


def test_exports_of_an_asset_register(cases):
    warehouses = take(cases / "supply/dcim/ralph_warehouses_semicolon.csv", contract_of(("id", "name")))
    assert (warehouses.ledger.data, len(warehouses.columns)) == (3, 2)
    assets = take(
        cases / "supply/dcim/ralph_management_ip_existing.csv", contract_of(("id", "hostname")), ignore=("*",)
    )
    assert (assets.ledger.data, len(assets.columns)) == (1, 46)


def test_country_na_and_part_none_are_text(cases):
    names = ("SUCountry", "SUCode", "SUName", "SUType")
    path = cases / "supply/reference/unlocode_subdivision_codes.csv"
    table = take(path, contract_of(names), ignore=("*",))
    assert table.ledger.data == 4_678
    assert (table.frame["SUCountry"] == "NA").sum() == 14


LOGS = [
    ("nccl/superbench_allreduce_8xA100_2.8_fmt.log", 34, 8589934592, "235.26", "235.03", "68.4048", "unverified"),
    ("nccl/pkb_allreduce_2xK80_tcp.txt", 11, 1073741824, "0.61", "0.61", "0.565546", "unverified"),
    ("nccl/aws_eks_blueprints_mpirun_prefixed_README.md", 32, 17179869184, "480.87", "482.82", "123.343", "clean"),
    ("synthetic_from_writer_source/nccl_tests_json_v3.json", 2, 17179869184, "481.04", "481.47", "479.555", "clean"),
    ("synthetic_from_writer_source/nccl_tests_json_v3_wrong_values_but_bw_ok.json", 2, 17179869184, "481.04", "481.47",
     "479.555", "wrong"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "rows", "largest", "out", "into", "mean", "correctness"), LOGS)
def test_collective_benchmarks(cases, name, rows, largest, out, into, mean, correctness):
    table = take(cases / "acceptance" / name, CONTRACTS["benchmarks"])
    figures = table.frame.filter((pl.col("metric") == "busbw") & (pl.col("statistic") != "mean"))
    assert figures.height == 2 * rows
    top = figures.filter(pl.col("size_bytes") == str(largest))
    values = dict(top.select("placement", pl.col("value").cast(pl.Float64)).rows())
    assert values == {"out_of_place": float(out), "in_place": float(into)}
    average = table.frame.filter(pl.col("statistic") == "mean")
    assert [float(text) for text in average["value"]] == [float(mean)]
    assert set(figures["correctness"]) == {correctness}
    assert set(table.frame["complete"]) == {"true"}
    assert set(table.frame["test"]) == {"all_reduce"}


DATASETS = {
    "ocp_opg128_clos_ro_bom.csv": ("cluster_bom", "bom"),
    "ocp_timecard_v0_bom.csv": ("digikey_cart", "bom"),
    "ocp_timecard_v7_bom.xlsx": ("altium_activebom", "bom"),
    "ocp_opg128_clos_ro_connectivity.csv": ("point_to_point", "links"),
    "ocp_opg128_clos_ro_netbox.json": ("netbox", "installs"),
    "SCMS_Delivery_History_Dataset.csv": ("delivery_history", "shipments"),
    "pkb_allreduce_2xK80_tcp.txt": ("nccl", "benchmarks"),
    "nccl_tests_json_v3.json": ("nccl", "benchmarks"),
    "x12_850_purchase_order.edi": ("x12", "purchase_orders"),
    "edifact_ordrsp.edi": ("edifact", "purchase_orders"),
    "itz_Cogentco.gml": ("gml", None),
    "dmidecode_QCT_X10E-9N.txt": ("dmidecode", "installs"),
}


def test_inspection_of_every_real_file(cases):
    for path in sorted([*(cases / "supply").rglob("*.*"), *(cases / "acceptance").rglob("*.*")]):
        found = inspect(path, path.name, CONTRACTS)
        assert found.ledger.balanced, path.name
        if path.name in DATASETS:
            assert (found.format, found.dataset) == DATASETS[path.name]
