"""From an export of NetBox and the dumps of two hosts to the published database: one asset each, cables compared."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from tests.formats.dcim.test_dmidecode import DUMP
from tests.formats.dcim.test_lldp import neighbour
from tests.formats.dcim.test_nvidia_smi import gpu, xml
from tests.turnup.small_programme import ask as query
from tests.turnup.small_programme import drop, made
from turnup.programme import Home
from turnup.refresh import refresh

WEEK = "2026-W40"
NOW = datetime(2026, 10, 2, 18, 30, tzinfo=UTC)
SOURCES = """
  bom: {dataset: bom, files: "bom.csv"}
  netbox: {dataset: installs, files: "netbox.json", defaults: {system_id: GPU-1}}
  netbox-cables: {dataset: links, files: "netbox.json", defaults: {system_id: GPU-1}}
  netbox-names: {dataset: node_names, files: "netbox.json", defaults: {cluster: c1, system_id: GPU-1}}
  dmidecode: {dataset: installs, files: "*.dmidecode.txt", mode: events}
  firmware: {dataset: versions, files: "*.dmidecode.txt", mode: events}
  lldp: {dataset: links, files: "*.lldp.json", mode: events}
  gpus: {dataset: installs, files: "*.nvidia-smi.xml", mode: events}
  gpu-use: {dataset: utilization, files: "*.nvidia-smi.xml", mode: events, time_zone: UTC}
  gpu-faults: {dataset: failures, files: "*.nvidia-smi.xml", mode: events}
"""


def device(number: int, name: str, kind: str, **more: object) -> dict[str, object]:
    return {
        "id": number, "name": name, "device_type": {"model": kind, "manufacturer": {"name": "Acme"}},
        "role": {"slug": "server"}, "site": {"slug": "abq"}, "rack": {"name": f"R{number}"}, "position": "10",
        "status": {"value": "active"}, "created": "2026-06-01T00:00:00Z", **more,
    }  # fmt: skip


def cable(number: int, a: tuple[str, str], b: tuple[str, str]) -> dict[str, object]:
    def end(at: tuple[str, str]) -> list[dict[str, object]]:
        return [{"object_type": "dcim.interface", "object": {"name": at[1], "device": {"id": 1, "name": at[0]}}}]

    return {"id": number, "status": {"value": "connected"}, "a_terminations": end(a), "b_terminations": end(b)}


NETBOX = {
    "devices": [
        device(1, "gpu001", "G8", serial="SYS1"),
        device(2, "gpu002", "G8", serial="SYS2"),
        device(3, "leaf1", "L64", serial="LEAF1", status={"value": "planned"}),
    ],
    "modules": [
        {"id": 1, "device": {"id": 1, "name": "gpu001"}, "module_type": {"model": "NIC"}, "serial": "NIC1",
         "status": {"value": "active"}},
    ],
    "cables": [
        cable(1, ("gpu001", "eth0"), ("leaf1", "Ethernet1/1")),
        cable(2, ("gpu001", "eth1"), ("leaf1", "Ethernet1/2")),
        cable(3, ("gpu002", "eth0"), ("leaf1", "Ethernet1/3")),
    ],
}  # fmt: skip
LLDP = {"lldp": {"interface": [
    {"eth0": neighbour("leaf1.example.net", "Eth1/1")},
    {"eth1": neighbour("leaf1.example.net", "Eth1/7")},
    {"eth2": neighbour("stranger", "p1")},
]}}  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Home:
    home = made(tmp_path_factory.mktemp("dcim") / "home")
    home.configuration.write_text(home.configuration.read_text() + SOURCES.lstrip("\n"))
    day = "2026-09-28"
    drop(home, f"{day}/bom.csv", "system_id,line,part_number,quantity,capacity_per_unit\nGPU-1,1,G8,16,8\n")
    drop(home, f"{day}/netbox.json", json.dumps(NETBOX))
    stamp = "20260928T0600Z"
    for host, system in (("gpu001", "SYS1"), ("gpu002", "SYS2")):
        dump = DUMP.format(system=system, chassis=f"CHA-{host}", memory="MEM9")
        drop(home, f"{day}/{host}.example.net_{stamp}.dmidecode.txt", dump)
    drop(home, f"{day}/gpu001_{stamp}.lldp.json", json.dumps(LLDP))
    report = xml(gpu(serial="G1", ecc="2"), gpu("02", "G2", "1", "[N/A]"), attached=2)
    drop(
        home,
        f"{day}/gpu001_{stamp}.nvidia-smi.xml",
        report.replace("Fri Aug  4 11:44:30 2023", "Mon Sep 28 05:59:00 2026"),
    )
    refresh(home, WEEK, NOW)
    return home


@pytest.fixture
def ask(home):
    return lambda sql: query(home.warehouse, sql)


def test_every_file_is_read_and_its_ledger_closes(ask):
    found = ask("SELECT source, status, quarantined, balanced FROM meta.ledger ORDER BY 1")
    assert len(found) == 5 + 3 + 2 * 2 + 1 + 3
    assert {(status, quarantined, balanced) for _, status, quarantined, balanced in found} == {("accepted", 0, True)}


def test_m54_register_and_dump_are_one_machine_and_count_once(ask):
    found = ask("SELECT asset_id, name, rack, system_id FROM core.assets WHERE serial_key LIKE 'sys%' ORDER BY 1")
    assert found == [("nb-device-1", "gpu001", "R1", "GPU-1"), ("nb-device-2", "gpu002", "R2", "GPU-1")]
    assert ask("SELECT unit_id FROM core.units ORDER BY 1") == [("gpu001",), ("gpu002",)]


def test_parts_are_where_their_machine_is(ask):
    found = ask(
        "SELECT serial, rack, system_id FROM core.assets WHERE serial IN ('NIC1', 'G1', 'CHA-gpu002') ORDER BY 1"
    )
    assert found == [("CHA-gpu002", "R2", "GPU-1"), ("G1", "R1", "GPU-1"), ("NIC1", "R1", "GPU-1")]


def test_m54_a_memory_module_in_two_machines_is_a_conflict_with_one_active_place(ask):
    found = ask("SELECT serial, parent_serial, conflict FROM mart.serial_places ORDER BY 1, 2")
    assert found == [("MEM9", "SYS1", True), ("MEM9", "SYS2", True)]
    assert ask("SELECT count(*) FILTER (active) FROM mart.serial_places") == [(1,)]
    assert ask("SELECT count(*) FROM mart.findings WHERE code = 'serial_conflict' AND subject = 'MEM9'") == [(1,)]


def test_m24_placeholders_are_no_keys_anywhere(ask):
    assert ask("SELECT count(*) FROM stg.installs WHERE serial_key IN ('default string', 'no dimm', '0123456789')") == [
        (0,)
    ]
    told = ask("SELECT count(*) FROM meta.file_findings WHERE code = 'serial_not_captured' AND source = 'dmidecode'")
    assert told == [(2,)]


def test_a16_cables_are_compared_with_what_the_hosts_hear(ask):
    found = ask("SELECT a_device, a_port, class, found FROM mart.link_check ORDER BY 1, 2")
    assert found == [
        ("gpu001", "eth0", "ok", None),
        ("gpu001", "eth1", "wrong port", "gpu001:eth1 - leaf1.example.net:Eth1/7"),
        ("gpu001", "eth2", "unplanned", "gpu001:eth2 - stranger:p1"),
        ("gpu002", "eth0", "no data", None),
    ]
    codes = ask("SELECT code, subject FROM mart.findings WHERE code LIKE 'link_%' ORDER BY 1")
    assert codes == [("link_unplanned", "gpu001:eth2"), ("link_wrong_port", "gpu001:eth1")]


def test_m59_a_planned_switch_with_connected_cables_is_a_finding(ask):
    found = ask("SELECT subject, message FROM mart.findings WHERE code = 'planned_but_connected'")
    assert found == [("leaf1", "leaf1 is planned, yet 3 of its cables are connected")]


def test_firmware_use_and_faults_are_in_their_datasets(ask):
    assert ask(
        "SELECT node, component, version, observed_at FROM stg.versions WHERE component = 'bios' ORDER BY 1"
    ) == [(f"{host}.example.net", "bios", "2.4b", datetime(2026, 9, 28, 6)) for host in ("gpu001", "gpu002")]
    use = ask("SELECT device, value, observed_at FROM stg.utilization WHERE counter = 'power_w' ORDER BY 1")
    assert use == [("0", 67.03, datetime(2026, 9, 28, 5, 59)), ("1", 67.03, datetime(2026, 9, 28, 5, 59))]
    unknown = "SELECT count(*) FROM stg.utilization WHERE counter = 'memory_utilization_percent'"
    assert ask(unknown) == [(0,)]
    assert ask("SELECT node, serial, kind FROM stg.failures") == [("gpu001", "G1", "ECC uncorrectable")]
