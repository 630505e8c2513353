"""dmidecode: parts with their serial numbers, and values that are none."""

from __future__ import annotations

import pytest

from expectations.contract import load_contracts
from turnup.formats import FileRejected
from turnup.formats.dcim.naming import host_in, time_in

CONTRACTS = load_contracts()
DUMP = """# dmidecode 3.3
Getting SMBIOS data from sysfs.

Handle 0x0000, DMI type 0, 26 bytes
BIOS Information
\tVendor: Acme BIOS
\tVersion: 2.4b
\tCharacteristics:
\t\tPCI is supported
\tBIOS Revision: 5.14

Handle 0x0001, DMI type 1, 27 bytes
System Information
\tManufacturer: Acme
\tProduct Name: G8
\tSerial Number: {system}
\tUUID: 1

Handle 0x0003, DMI type 3, 22 bytes
Chassis Information
\tManufacturer: Acme
\tType: Rack Mount Chassis
\tSerial Number: {chassis}
\tAsset Tag: Default string

Handle 0x0011, DMI type 17, 40 bytes
Memory Device
\tSize: 64 GB
\tLocator: DIMM_A1
\tManufacturer: Maker
\tSerial Number: {memory}
\tAsset Tag: 0123456789
\tPart Number: M64   

Handle 0x0012, DMI type 17, 40 bytes
Memory Device
\tSize: No Module Installed
\tLocator: DIMM_A2
\tManufacturer: NO DIMM
\tSerial Number: NO DIMM
\tAsset Tag: NO DIMM
\tPart Number: NO DIMM

Handle 0x0099, DMI type 127, 4 bytes
End Of Table
"""  # noqa: W291


def read_dump(read, dataset="installs", name="gpu001.dmidecode.txt", system="SYS1", chassis="CHA1", memory="MEM1",
              **settings):  # fmt: skip
    text = DUMP.format(system=system, chassis=chassis, memory=memory)
    return read(text, contract=CONTRACTS[dataset], name=name, format="auto", **settings)


def test_each_part_is_an_asset_in_its_system(read):
    table = read_dump(read)
    assert table.frame["asset_id"].to_list() == ["gpu001/system", "gpu001/chassis 1", "gpu001/memory DIMM_A1"]
    columns = ("_sheet", "name", "manufacturer", "part_number", "serial", "parent_serial", "position")
    assert table.frame.select(columns).rows() == [
        ("system", "gpu001", "Acme", "G8", "SYS1", None, None),
        ("chassis", None, "Acme", "Rack Mount Chassis", "CHA1", "SYS1", None),
        ("memory", None, "Maker", "M64", "MEM1", "SYS1", "DIMM_A1"),
    ]
    assert table.ledger.balanced
    assert table.ledger.lines == DUMP.count("\n")


def test_m24_placeholders_are_counted_and_are_no_keys(read):
    table = read_dump(read, memory="To Be Filled By O.E.M.")
    facts = {fact.name: fact.value for fact in table.facts}
    # Default string, NO DIMM twice, 0123456789 and the memory's own.
    assert facts["identifiers_not_captured"] == 5
    assert facts["placeholders"] == ("0123456789: 1", "Default string: 1", "NO DIMM: 2", "To Be Filled By O.E.M.: 1")
    memory = table.frame.filter(table.frame["_sheet"] == "memory")
    assert memory["asset_id"].to_list() == ["gpu001/memory DIMM_A1"]  # not made from the serial
    assert [finding.code for finding in table.findings] == ["serial_not_captured"]


def test_a_chassis_that_repeats_the_systems_serial_is_the_same_asset(read):
    assert read_dump(read, chassis="sys1").frame["_sheet"].to_list() == ["system", "memory"]


def test_versions_of_the_firmware(read):
    table = read_dump(read, "versions", name="dmidecode-gpu001-20261002T0600Z.txt")
    assert table.frame.select("node", "component", "version", "observed_at").rows() == [
        ("gpu001", "bios", "2.4b", "2026-10-02T06:00:00Z"),
        ("gpu001", "bios_revision", "5.14", "2026-10-02T06:00:00Z"),
    ]
    told = {finding.code for finding in read_dump(read, "versions").findings}
    assert "time_unknown" in told


def test_the_sources_default_names_the_host(read):
    table = read_dump(read, name="dmidecode.txt", defaults={"name": "gpu009"})
    assert table.frame["name"].to_list()[0] == "gpu009"
    told = {finding.code for finding in read_dump(read, name="dmidecode.txt").findings}
    assert "node_unknown" in told


def test_a_cut_dump_and_two_hosts_in_one_file_are_refused(read):
    text = DUMP.format(system="A", chassis="B", memory="C")
    with pytest.raises(FileRejected, match="it was cut"):
        read(text[: len(text) // 2], contract=CONTRACTS["installs"], format="auto")
    with pytest.raises(FileRejected, match="2 systems"):
        read(text + text, contract=CONTRACTS["installs"], format="auto")
    with pytest.raises(FileRejected, match="feeds installs, versions"):
        read(text, contract=CONTRACTS["links"], format="auto")


@pytest.mark.parametrize(
    ("stem", "host", "moment"),
    [
        ("gpu001", "gpu001", None),
        ("gpu001.dmidecode", "gpu001", None),
        ("nvidia-smi_gpu001_2026-10-02", "gpu001", "2026-10-02"),
        ("lldp-gpu001-20261002T0600Z", "gpu001", "2026-10-02T06:00:00Z"),
        ("ord1-gpu-a-001.lldpctl-keyvalue", "ord1-gpu-a-001", None),
        ("2026-10-02_06-30-15_gpu001.example.net", "gpu001.example.net", "2026-10-02T06:30:15"),
        ("dmidecode", None, None),
        ("node20261399", "node20261399", None),
    ],
)
def test_host_and_time_in_a_files_name(stem, host, moment):
    assert (host_in(stem), time_in(stem)) == (host, moment)
