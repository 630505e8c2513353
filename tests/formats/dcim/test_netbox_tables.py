"""NetBox's tables as CSV: headers in any case, ids as in its JSON; a column nobody knows stops the file."""

from __future__ import annotations

import pytest

from expectations.contract import load_contracts
from turnup.formats import FileRejected

CONTRACTS = load_contracts()


def test_cables_as_netbox_imports_them(read):
    table = read(
        "Side_A_Device,side_a_type,side_a_name,SIDE_B_DEVICE,side_b_type,side_b_name,type,status,label,color,length,"
        "length_unit\n"
        "gpu-1,dcim.interface,p0,leaf-1,dcim.interface,E1/1,mmf-om4,connected,C-1,aqua,5,m\n",
        contract=CONTRACTS["links"],
        format="auto",
    )
    columns = ("link_id", "view", "state", "status_claimed", "a_device", "a_port", "b_device", "b_port", "media")
    assert table.frame.select(columns).rows() == [
        ("C-1", "planned", "planned", "connected", "gpu-1", "p0", "leaf-1", "E1/1", "mmf-om4")
    ]
    assert table.format == "netbox_cables"
    assert {fact.name: fact.value for fact in table.facts}["cables_by_status"] == ("connected: 1",)


DEVICES = "ID,Name,Status,Tenant,Site,Rack,Position,Role,Manufacturer,Device Type,Serial,Asset Tag\n"


def test_devices_of_an_export_have_the_ids_of_the_json(read):
    table = read(DEVICES + "7,gpu-1,Planned,,aus1,R1,10,Server,Acme,G8,S1,T-1\n", contract=CONTRACTS["installs"],
                 format="auto")  # fmt: skip
    columns = ("asset_id", "name", "part_number", "manufacturer", "serial", "site_id", "rack", "position", "status")
    assert table.frame.select(columns).rows() == [
        ("nb-device-7", "gpu-1", "G8", "Acme", "S1", "aus1", "R1", "10", "Planned")
    ]
    assert not [finding for finding in table.findings if finding.code == "declared_column_absent"]


def test_b4_a_column_nobody_knows_stops_the_file_and_case_does_not(read):
    text = DEVICES.strip() + ",Warranty Until\n7,gpu-1,Planned,,aus1,R1,10,Server,Acme,G8,S1,T-1,2027-01-01\n"
    with pytest.raises(FileRejected, match="Warranty Until") as refused:
        read(text, contract=CONTRACTS["installs"], format="auto")
    assert refused.value.code == "unknown_column"
    read(text, contract=CONTRACTS["installs"], format="auto", ignore=("warranty until",))


def test_modules_name_the_device_they_sit_in(read):
    table = read(
        "id,device,module_bay,module_type,status,serial,asset_tag\n4,gpu-1,nic-0,ConnectX-7,active,M1,\n",
        contract=CONTRACTS["installs"], format="auto",
    )  # fmt: skip
    assert table.frame.select("asset_id", "parent_asset", "part_number", "serial").rows() == [
        ("nb-module-4", "gpu-1", "ConnectX-7", "M1")
    ]


def test_the_commit_rate_of_a_circuit_is_kbit_per_second(read):
    table = read(
        "cid,provider,type,status,install_date,commit_rate,description\nWAN-1,Telco,wave,Deprovisioning,,400000000,x\n"
        "WAN-2,Telco,wave,lost,,,x\n",
        contract=CONTRACTS["circuits"], format="auto", defaults={"system_id": "s"},
    )  # fmt: skip
    assert table.frame.select("circuit", "gbps", "customer_state").rows() == [
        ("WAN-1", "400", "Deprovisioning"), ("WAN-2", None, "lost")
    ]  # fmt: skip
    assert [(finding.code, finding.row) for finding in table.findings] == [("unknown_status", 3)]
