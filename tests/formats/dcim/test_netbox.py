"""NetBox: exports with flat fields and REST pages with nested objects give the same rows."""

from __future__ import annotations

import json

import pytest

from expectations.contract import load_contracts
from turnup.formats import FileRejected, inspect

CONTRACTS = load_contracts()
FLAT = {
    "devices": [
        {"id": 1, "name": "gpu-1", "device_type": "G8", "manufacturer": "Acme", "site": "aus1", "serial": "S1",
         "status": "planned"},
        {"id": 2, "name": "leaf-1", "device_type": "L64", "manufacturer": "Acme", "site": "aus1", "serial": "",
         "status": "active"},
    ],
    "modules": [{"id": 9, "device_id": 1, "module_type": "NIC", "serial": "M1", "status": "planned"}],
    "cables": [
        {"id": 5, "status": "connected", "type": None,
         "a_terminations": [{"device_name": "gpu-1", "name": "p0"}],
         "b_terminations": [{"device_name": "leaf-1", "name": "E1/1"}]},
    ],
    "interfaces": [{"id": 7}],
    "metadata": {"counts": {"devices": 2, "modules": 1, "cables": 1, "interfaces": 1},
                 "generated_at": "2026-06-06T19:06:41+00:00"},
}  # fmt: skip


def read_netbox(read, document, dataset, **settings):
    return read(json.dumps(document), contract=CONTRACTS[dataset], name="netbox.json", **settings)


def test_devices_and_modules_are_installs(read):
    table = read_netbox(read, FLAT, "installs", defaults={"system_id": "sys-1"})
    columns = ("asset_id", "part_number", "serial", "parent_asset", "parent_serial", "name", "site_id", "status")
    assert table.frame.select(*columns, "system_id", "_sheet", "_row").rows() == [
        ("nb-device-1", "G8", "S1", None, None, "gpu-1", "aus1", "planned", "sys-1", "devices", 1),
        ("nb-device-2", "L64", None, None, None, "leaf-1", "aus1", "active", "sys-1", "devices", 2),
        ("nb-module-9", "NIC", "M1", "nb-device-1", "S1", None, "aus1", "planned", "sys-1", "modules", 1),
    ]
    assert (table.ledger.lines, table.ledger.data, table.ledger.other, table.ledger.balanced) == (5, 3, 2, True)


def test_cables_are_planned_links_and_keep_their_claim(read):
    table = read_netbox(read, FLAT, "links")
    columns = ("link_id", "view", "state", "status_claimed", "a_device", "a_port", "b_device", "b_port")
    assert table.frame.select(columns).rows() == [
        ("5", "planned", "planned", "connected", "gpu-1", "p0", "leaf-1", "E1/1")
    ]


def test_names_are_valid_from_the_export(read):
    table = read_netbox(read, FLAT, "node_names", defaults={"cluster": "c1"})
    assert table.frame.select("cluster", "node", "serial", "valid_from").rows() == [
        ("c1", "gpu-1", "S1", "2026-06-06"),
        ("c1", "leaf-1", None, "2026-06-06"),
    ]


def test_a_rest_page_of_devices(read):
    page = {
        "count": 1, "next": None, "previous": None,
        "results": [{
            "id": 1, "name": "gpu-1", "serial": "S1", "position": 10.0, "created": "2026-05-01T00:00:00Z",
            "device_type": {"id": 4, "model": "G8", "manufacturer": {"id": 1, "name": "Acme"}},
            "role": {"name": "Server"}, "site": {"name": "Austin 1", "slug": "aus1"}, "rack": {"name": "R1"},
            "status": {"value": "planned", "label": "Planned"},
        }],
    }  # fmt: skip
    table = read_netbox(read, page, "installs")
    columns = ("asset_id", "part_number", "manufacturer", "site_id", "rack", "position", "status")
    assert table.frame.select(columns).rows() == [("nb-device-1", "G8", "Acme", "aus1", "R1", "10.0", "planned")]


def test_a_rest_page_of_a_breakout_cable(read):
    def end(device, name):
        return {"object_type": "dcim.interface", "object": {"name": name, "device": {"id": 1, "name": device}}}

    page = {
        "count": 1,
        "results": [{
            "id": 5, "status": {"value": "connected"}, "type": "mmf",
            "a_terminations": [end("leaf-1", "E1/1")], "b_terminations": [end("gpu-1", "p0"), end("gpu-2", "p0")],
        }],
    }  # fmt: skip
    table = read_netbox(read, page, "links")
    assert table.frame.select("a_device", "b_device", "media", "_row", "_sheet").rows() == [
        ("leaf-1", "gpu-1", "mmf", 1, "cables"),
        ("leaf-1", "gpu-2", "mmf", 1, "cables, end 2"),
    ]
    assert table.ledger.balanced


def test_counts_that_disagree_are_an_error(read):
    document = FLAT | {"modules": []}
    table = read_netbox(read, document, "installs")
    errors = [(finding.code, finding.value) for finding in table.findings if finding.severity == "error"]
    assert errors == [("count_mismatch", "1")]


@pytest.mark.parametrize("dataset", ["bom", "benchmarks"])
def test_other_datasets_are_refused(read, dataset):
    with pytest.raises(FileRejected, match="feed circuits, installs, links, node_names"):
        read_netbox(read, FLAT, dataset)


def test_m59_cables_connected_to_planned_devices_are_told_with_their_number(read):
    table = read_netbox(read, FLAT, "links")
    found = {finding.code: finding for finding in table.findings}
    assert found["planned_but_connected"].value == "1"
    assert found["planned_but_connected"].message.startswith("1 of 1 cables are connected while 1 of 2 devices")
    # A device that is active may have connected cables.
    active = [{**device, "status": "active"} for device in FLAT["devices"]]
    table = read_netbox(read, FLAT | {"devices": active}, "links")
    assert "planned_but_connected" not in {finding.code for finding in table.findings}


def test_m54_serials_reused_or_made_up_are_counted_and_listed(read):
    modules = [
        {"id": 9, "device_id": 1, "device_name": "gpu-1", "module_type": "OPT", "serial": serial, "status": "active"}
        for serial in ("gpu-1-cage-0", "GPU-1-CAGE-0 ", "gpu-1-p1", "M7", "To be filled by O.E.M.", "")
    ]
    table = read_netbox(read, FLAT | {"modules": modules}, "installs")
    facts = {fact.name: fact.value for fact in table.facts}
    assert facts["module_serials"] == 4
    assert facts["distinct_module_serials"] == 3
    assert facts["reused_module_serials"] == 1
    assert facts["most_uses_of_one_serial"] == 2
    assert facts["serials_made_from_names"] == 3
    found = {finding.code: finding for finding in table.findings}
    assert found["serial_reused"].message == "serial gpu-1-cage-0 stands on 2 modules (rows 1, 2)"
    assert found["serial_not_captured"].row == 5  # M24: a placeholder is no serial
    assert found["active_in_planned"].value == "6"


def test_m59_every_state_of_netbox_is_known_and_another_is_told(read):
    devices = [
        {"id": number, "name": f"d{number}", "device_type": "X", "role": "r", "site": "s", "status": status}
        for number, status in enumerate(
            ("planned", "staged", "active", "inventory", "offline", "failed", "decommissioning", "in transit")
        )
    ]
    table = read_netbox(read, {"devices": devices}, "installs")
    told = [(finding.row, finding.value) for finding in table.findings if finding.code == "unknown_status"]
    assert told == [(8, "in transit")]
    assert table.frame["status"].to_list()[:7] == [device["status"] for device in devices[:7]]


CIRCUIT = {
    "id": 3, "cid": "WAN-1", "provider": {"name": "Telco", "slug": "telco"}, "type": {"slug": "wave"},
    "status": {"value": "provisioning"}, "commit_rate": 400000000, "install_date": "2026-09-01",
    "termination_a": {"site": {"slug": "ord1"}, "port_speed": 1000},
    "termination_z": {"termination": {"slug": "dal2"}, "termination_type": "dcim.site"},
}  # fmt: skip


def test_circuits_come_in_gbit_per_second_with_their_claim(read):
    table = read_netbox(read, {"count": 1, "next": None, "results": [CIRCUIT]}, "circuits")
    columns = ("circuit", "provider", "type", "gbps", "a_site", "z_site", "customer_state", "in_service")
    assert table.frame.select(columns).rows() == [
        ("WAN-1", "Telco", "wave", "400", "ord1", "dal2", "provisioning", None)
    ]
    active = CIRCUIT | {"status": {"value": "active"}, "commit_rate": None}
    table = read_netbox(read, [active], "circuits")
    assert table.frame.select("gbps", "in_service").rows() == [("0.001", "2026-09-01")]


def test_terminations_of_the_same_export_say_where_a_circuit_ends(read):
    circuit = {"id": 3, "cid": "X", "provider": "P", "type": "t", "status": "active", "commit_rate": 100}
    ends = [
        {"circuit": {"id": 3}, "term_side": side, "site": {"slug": site}, "port_speed": 10000000}
        for side, site in (("A", "ord1"), ("Z", "dal2"))
    ]
    table = read_netbox(read, {"circuits": [circuit], "circuit_terminations": ends}, "circuits")
    assert table.frame.select("a_site", "z_site", "gbps").rows() == [("ord1", "dal2", "0.0001")]
    assert table.ledger.other == 2


def test_one_page_of_several_says_that_it_is_one(read):
    page = {"count": 51, "next": "http://nb/api/dcim/devices/?offset=50", "results": [FLAT["devices"][0] | {"role": 1}]}
    table = read_netbox(read, page, "installs")
    assert "incomplete_page" in {finding.code for finding in table.findings}


def test_racks_feed_nothing_and_are_still_described(tmp_path):
    racks = [
        {"id": height, "name": f"R{height}", "u_height": height, "desc_units": False, "status": {"value": status}}
        for height, status in ((48, "planned"), (42, "lost"))
    ]
    path = tmp_path / "racks.json"
    path.write_text(json.dumps({"count": 2, "next": None, "results": racks}))
    found = inspect(path, path.name, CONTRACTS)
    facts = {fact.name: fact.value for fact in found.facts}
    assert (found.format, found.dataset, facts["racks"], facts["rack_units"]) == ("netbox", None, 2, 90)
    assert [finding.code for finding in found.findings] == ["unknown_status"]
    assert found.ledger.balanced


def test_m58_a_name_of_two_devices_is_told(read):
    twins = [FLAT["devices"][0], FLAT["devices"][1] | {"name": "GPU-1 ", "site": "dal2"}]
    found = {finding.code: finding for finding in read_netbox(read, {"devices": twins}, "installs").findings}
    assert (found["duplicate_name"].row, found["duplicate_name"].value) == (2, "gpu-1")
    assert "aus1, dal2" in found["duplicate_name"].message
