"""Cable plans and fabric reports as their tools write them: one cable, one device, one place, or a finding."""

from __future__ import annotations

import json
from io import BytesIO

import polars as pl
import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from expectations.contract import load_contracts
from turnup.formats import RawTable, parse
from turnup.formats.cabling.ports import cage
from turnup.formats.cabling.shcd import common_name, model
from turnup.formats.cabling.ufm_links import end_of
from turnup.formats.cabling.ufm_report import ends_of_entry
from turnup.programme import Source

LINKS = load_contracts()["links"]
HEAD = ["Source", "Rack", "Location", "Slot", "", "Port", "Destination", "Rack", "Location", "", "Port"]
NDT = "StartDevice,StartPort,StartDeviceLocation,EndDevice,EndPort,EndDeviceLocation,LinkType,Speed,Cable Length\n"
POINTS = "cable_id,status,type,a_device,a_interface,a_role,b_device,b_interface,b_role\n"


@pytest.fixture
def plan(read):
    def reader(content: str | bytes, name: str = "plan.csv", **settings: object) -> RawTable:
        table = read(content, contract=LINKS, name=name, **settings)
        assert table.ledger.balanced
        assert table.frame.height == table.ledger.data
        return table

    return reader


def facts(table: RawTable) -> dict[str, object]:
    return {fact.name: fact.value for fact in table.facts}


def messages(table: RawTable, code: str) -> list[str]:
    return [finding.message for finding in table.findings if finding.code == code]


def workbook(tabs: dict[str, tuple[list[str], list[list[object]]]]) -> bytes:
    """A cabling workbook whose tables begin at J14."""
    held = BytesIO()
    with xlsxwriter.Workbook(held, {"in_memory": True}) as book:
        for name, (header, rows) in tabs.items():
            sheet = book.add_worksheet(name)
            for offset, row in enumerate([header, *rows]):
                sheet.write_row(13 + offset, 9, row)
    return held.getvalue()


def test_m09_m11_tables_at_j14_with_repeated_names(plan):
    rows = [
        ["n1", "x1", "u1", "ocp", "-", 1, "s1", "x1", "u40", "", 7],
        ["n1", "x1", "u1", "bmc", "", 1, "s1", "x1", "u40", "", 8],
    ]
    other = [["s1", "x1", "u40", "", "", 48, "s2", "x2", "u40", "", 48]]
    table = plan(workbook({"NODES": (HEAD, rows), "SWITCHES": (HEAD, other)}), "cabling.xlsx")
    assert table.format == "shcd"
    assert table.frame.select("a_device", "a_port", "a_rack", "a_position", "b_device", "b_port", "b_rack").rows() == [
        ("n1", "ocp:1", "x1", "u1", "s1", "7", "x1"),
        ("n1", "bmc:1", "x1", "u1", "s1", "8", "x1"),
        ("s1", "48", "x1", "u40", "s2", "48", "x2"),
    ]
    assert table.frame["_row"].to_list() == [15, 16, 15]
    assert (facts(table)["rows_nodes"], facts(table)["rows_switches"], facts(table)["nodes"]) == (2, 1, 3)
    assert set(table.frame["view"]) == {"planned"}


def test_m14_a_tab_without_slot_and_one_with_more_columns_are_named(plan):
    slotless = [name for name in HEAD if name != "Slot"]
    parented = [*HEAD[:4], "Parent", *HEAD[5:]]
    tabs = {
        "NODES": (slotless, [["n1", "x1", "u1", "", 1, "s1", "x1", "u40", "", 7]]),
        "HMN": (parented, [["n2", "x1", "u2", "bmc", "encl", 1, "s1", "x1", "u40", "", 8]]),
        "NOTES": (["Some text"], [["about nothing"]]),
    }
    table = plan(workbook(tabs), "cabling.xlsx")
    assert messages(table, "tab_without_column") == [
        "the tab 'NODES' has no column Slot; its ports were read without one"
    ]
    assert "'Parent'" in messages(table, "tab_with_column")[0]
    assert any("NOTES" in text for text in messages(table, "sheet_not_read"))
    assert table.frame["a_port"].to_list() == ["1", "bmc:1"]


@pytest.mark.parametrize(
    ("name", "rack", "common"),
    [
        ("sw-edge01", "x3000", "sw-edge-001"),
        ("sw-leaf-bmc-001", "x3000", "sw-leaf-bmc-001"),
        ("uan01", "x3001", "uan001"),
        ("ncn-m001", "x3000", "ncn-m001"),
        ("pdu0", "x3000", "pdu-x3000-000"),
        ("x3001pdu1", "x3001", "pdu-x3001-001"),
        ("cmm3", "x3002", "cmm-x3002-003"),
        ("SITE", "x3000", "site"),
    ],
)
def test_common_names(name, rack, common):
    assert common_name(name, rack) == common


def test_g3_a_workbook_means_the_model_that_was_derived_from_it(cases):
    """Node by node and port by port: the model of the workbook is the machine model that came with it."""
    folder = cases / "supply/cabling"
    book, machine = "shcd_Full_Architecture_Golden_Config_1.1.5.xlsx", "shcd_Full_Architecture_paddle.json"
    source = Source.model_construct(dataset="links", files="*")
    derived = model(parse(folder / book, book, source, LINKS).frame)
    held = json.loads((folder / machine).read_text(encoding="utf-8"))["topology"]
    assert set(derived.nodes) == {node["common_name"] for node in held}
    ports = {
        (node["common_name"], f"{port['slot']}:{port['port']}" if port["slot"] else str(port["port"]))
        for node in held
        for port in node["ports"]
    }
    assert (len(derived.nodes), len(derived.ports)) == (36, 192)
    assert set(derived.ports) == ports
    # Four cables are in no port of the model: sw-edge01 and sw-edge02 claim ports that sw-edge-001 and -002 have.
    assert {port[0] for _, _, port in derived.refused} == {"sw-edge-001", "sw-edge-002"}
    assert len(derived.refused) == 4
    read_back = parse(folder / machine, machine, source, LINKS).frame
    assert set(read_back.select(pl.concat_str("a_device", pl.lit(" "), "a_port")).to_series()) == {
        f"{node} {port}" for node, port in ports
    }


def machine(*nodes: tuple[str, list[tuple[int, int, int]]]) -> str:
    """A machine model: per node its ports as (port, other node, other port)."""
    topology = []
    for number, (name, ports) in enumerate(nodes):
        held = [
            {"port": port, "slot": None, "destination_node_id": node, "destination_port": other}
            for port, node, other in ports
        ]
        place = {"rack": "x1", "elevation": f"u{number}"}
        topology.append({"common_name": name, "id": number, "vendor": "v", "location": place, "ports": held})
    return json.dumps({"architecture": "network_v2", "topology": topology})


def test_a_machine_model_with_a_one_sided_and_a_lost_cable(plan):
    table = plan(machine(("s1", [(1, 1, 5), (2, 1, 6), (3, 9, 1)]), ("n1", [(5, 0, 1)])), "model.json")
    assert (table.format, table.ledger.data, table.ledger.rejected) == ("paddle", 3, 1)
    assert facts(table)["links"] == 2
    assert messages(table, "one_sided_link") == ["s1 2 leads to n1, which has no such port"]
    assert table.rejected[0].value == "9"


def test_m22_m12_blanks_are_left_out_and_counted(plan):
    table = plan(NDT + "s1,Port 1,rack2 ,s2,Port 1,rack3, Data,200000,15\n")
    assert table.frame.select("a_rack", "media", "speed_gbps", "length_m").rows() == [("rack2", "Data", "200", "15")]
    assert facts(table)["rows_with_outer_spaces"] == 1


def test_m55_one_device_in_two_places_and_one_place_with_two_devices(plan):
    rows = "s1,Port 1,R1,c1,Blade 1_Port 1/1,R7,Data,200000,10\ns1,Port 2,R1,c1,Blade 1_Port 1/1,R8,Data,200000,30\n"
    head = NDT.replace("StartDeviceLocation", "StartDeviceLocation,U height").replace(
        "EndDeviceLocation", "EndDeviceLocation,U height"
    )
    placed = rows.replace(",R1,", ",R1,U4,").replace(",R7,", ",R7,U25,").replace(",R8,", ",R8,U25,")
    more = "s2,Port 1,R1,U4,c2,Blade 1_Port 1/1,R9,U25,Data,200000,10\n"
    more += "s2,Port 2,R1,U4,c2,Blade 2_Port 1/1,R9,U24,Data,200000,10\n"
    table = plan(head + placed + more)
    assert messages(table, "device_in_several_places") == ["c1 is said to be in 2 places: R7 U25, R8 U25"]
    assert messages(table, "place_with_several_devices") == ["R1 U4 is said to hold 2 devices: s1, s2"]
    assert messages(table, "port_used_twice")[0].startswith("1 ports of c1")
    assert facts(table)["length_total"] == "60"


def test_m56_a_cable_written_from_both_ends_is_one(plan):
    table = plan(NDT + "s1,Port 1,,s2,Port 9,,Data,,\nS2,Port 9,,S1,port 1,,Data,,\ns1,Port 2,,s2,Port 8,,Data,,\n")
    counted = facts(table)
    assert (counted["links"], counted["rows_written_again"], counted["devices"]) == (2, 1, 2)
    assert messages(table, "port_used_twice") == []


def test_m57_ports_of_a_breakout_share_a_cage(plan):
    rows = "".join(f"{n},connected,,h{n},p0,server,leaf-1,E1/{(n + 1) // 2}/{2 - n % 2},leaf\n" for n in range(1, 5))
    table = plan(POINTS + rows)
    counted = facts(table)
    assert (counted["server_ends"], counted["server_cages"]) == (4, 4)
    assert (counted["switch_ends"], counted["switch_cages"]) == (4, 2)
    assert table.frame["b_cage"].to_list() == ["E1/1", "E1/1", "E1/2", "E1/2"]


@pytest.mark.parametrize(
    ("port", "held"),
    [
        ("E1/1/2", "E1/1"),
        ("Ethernet1/31/4", "Ethernet1/31"),
        ("swp3s1", "swp3"),
        ("sw01p2", "sw01"),
        ("GigabitEthernet1/0/1", "GigabitEthernet1/0/1"),
        ("Blade 1_Port 1/1", "Blade 1_Port 1/1"),
        ("et-0/0/31", "et-0/0/31"),
    ],
)
def test_m57_cages_of_ports(port, held):
    assert pl.DataFrame({"p": [port]}).select(cage("p")).item() == held


def test_m58_names_that_are_unique_within_their_rack(plan):
    rows = "".join(f"Server 1,IB Port 1,rack{n} ,sw-{n},Port 1,rack{n},Data,200000,5\n" for n in range(1, 11))
    table = plan(NDT + rows)
    assert table.frame["a_device"].to_list() == [f"rack{n} / Server 1" for n in range(1, 11)]
    assert facts(table)["links"] == 10
    assert messages(table, "port_used_twice") == messages(table, "device_in_several_places") == []
    assert "'server 1'" in messages(table, "name_within_rack")[0]


def test_m59_what_a_plan_claims_stays_a_claim(plan):
    table = plan(POINTS + "1,connected,,h1,p0,server,leaf-1,E1/1,leaf\n")
    assert table.frame.select("view", "state", "status_claimed").rows() == [("planned", "planned", "connected")]
    assert facts(table)["claimed_connected"] == 1
    assert facts(table)["columns_without_values"] == ("type",)


def report(**groups: object) -> str:
    return json.dumps({"error": "", "timestamp": "2021-11-16 08:52:12", "report": groups})


def test_m23_a_fabric_report_without_case(plan):
    table = plan(
        report(
            miss_wired=[{"expected": "H1/H1 ib0 - sw-1/16", "actual": "H1/H1 ib0 - SW-1/17"}],
            missing_in_ufm=["H2/H2 ib0 - sw-1/9"],
            missing_in_ndt=["MT4123/MT4123 ConnectX6 - sw-1/3", "MT4123/MT4123 ConnectX6 - sw-1/4", "no link at all"],
        ),
        "report.json",
    )
    assert (table.format, table.ledger.data, table.ledger.rejected) == ("ufm_report", 4, 1)
    assert table.frame.select("state", "b_device", "b_port").rows()[:2] == [
        ("up", "SW-1", "Port 17"),
        ("absent", "sw-1", "Port 9"),
    ]
    assert messages(table, "miswired") == ["expected H1/H1 ib0 - sw-1/16, found H1/H1 ib0 - SW-1/17"]
    assert "SW-1 / sw-1" in messages(table, "name_case")[0]
    assert messages(table, "device_without_name")[0].startswith("2 cables end at MT4123")
    assert messages(table, "port_used_twice") == []
    assert "time_zone" in messages(table, "time_without_zone")[0]


@given(st.text(max_size=30))
def test_no_text_breaks_the_ends_of_a_report(text):
    found = ends_of_entry(text)
    assert found is None or all(found.values())


def link(one: str | None, other: str | None, **more: object) -> dict[str, object]:
    """A record of UFM's list of links; without names as releases before node descriptions wrote it."""
    names = {"source_port_node_description": one, "destination_port_node_description": other}
    ends = {"source_guid": "0c42a103001b7ab6", "source_port": "1", "destination_guid": "0c42a103009d7af6",
            "destination_port": "19"}  # fmt: skip
    told = {name: text for name, text in names.items() if text is not None}
    return {**ends, "width": "4x", "severity": "Info", "capabilities": [], **told, **more}


def test_ufm_lists_its_links_with_the_names_of_its_own_plans(plan):
    listed = [
        link("gpu001 mlx5_10", "leaf-10:19"),
        link("leaf-1:4", "core-1:L03/U1/20", source_port="4", destination_port="20", width="IB_2x"),
        link("leaf-2:1/3/1", "leaf-3:1/3/2", source_port="5"),
        link(None, None),
        link("gpu002 mlx5_0", "leaf-10:20", destination_port=None),
    ]
    table = plan(json.dumps(listed), name="links.json")
    assert table.format == "ufm_links"
    assert table.frame.select("a_device", "a_port", "b_device", "b_port", "lanes").rows() == [
        ("gpu001", "gpu001 mlx5_10", "leaf-10", "Port 19", "4"),
        ("leaf-1", "Port 4", "core-1", "Blade 03_Port 1/20", "2"),
        ("leaf-2", "Port 1/3/1", "leaf-3", "Port 1/3/2", "4"),
        ("0c42a103001b7ab6", "Port 1", "0c42a103009d7af6", "Port 19", "4"),
    ]
    assert set(table.frame["view"]) == {"observed"}
    assert set(table.frame["both_ends_report"]) == {"true"}
    assert [(row.row, row.column) for row in table.rejected] == [(5, "destination_port")]
    assert [finding.row for finding in table.findings if finding.code == "names_missing"] == [4]


def test_the_second_port_of_an_adapter_is_another_port():
    assert end_of("gpu001 mlx5_0", "guid", "2") == ("gpu001", "gpu001 mlx5_0/2")
    assert end_of("router", "guid", "3") == ("router", "Port 3")
