"""NetBox: exports with flat fields and REST pages with nested objects give the same rows."""

from __future__ import annotations

import json

import pytest

from expectations.contract import load_contracts
from turnup.formats import FileRejected

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
    assert [(finding.code, finding.value) for finding in table.findings] == [("count_mismatch", "1")]


@pytest.mark.parametrize("dataset", ["bom", "benchmarks"])
def test_other_datasets_are_refused(read, dataset):
    with pytest.raises(FileRejected, match="feed installs, links, node_names"):
        read_netbox(read, FLAT, dataset)
