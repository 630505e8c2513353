"""Ralph's asset export, and device types whose ports are counted."""

from __future__ import annotations

import pytest

from expectations.contract import load_contracts
from turnup.formats import FileRejected, inspect

CONTRACTS = load_contracts()
RALPH = (
    "rack,rack_str,budget_info,budget_info_str,parent,parent_str,service_env,service_env_str,management_ip,model,id,"
    "model_str,created,modified,remarks,configuration_path,configuration_path_str,hostname,sn,barcode,niw,"
    "required_support,order_no,invoice_no,invoice_date,price,provider,depreciation_rate,force_depreciation,"
    "depreciation_end_date,task_url,property_of,property_of_str,status,position,orientation,slot_no,firmware_version,"
    "bios_version,source,delivery_date,production_year,production_use_date,tags,tags_str,price_currency"
)


def ralph_row(**cells: str) -> str:
    return ",".join(cells.get(name, "") for name in RALPH.split(","))


def read_ralph(read, *rows: str, **settings):
    text = "\n".join([RALPH, *rows]) + "\n"
    return read(text, contract=CONTRACTS["installs"], name="ralph.csv", format="auto", **settings)


def test_texts_beside_keys_are_used_and_the_rack_is_taken_apart(read):
    row = ralph_row(
        rack="7", rack_str="R31 (DC1/Room 2)", model="1", model_str="[Server] Acme G8", id="12", sn="S1",
        hostname="gpu-1", status="2", position="32", orientation="1", property_of_str="Institute",
    )  # fmt: skip
    table = read_ralph(read, row)
    columns = ("asset_id", "name", "part_number", "serial", "rack", "site_id", "position", "status", "owner")
    assert table.frame.select(columns).rows() == [
        ("ralph-12", "gpu-1", "Acme G8", "S1", "R31", "DC1", "32", "active", "Institute")
    ]
    facts = {fact.name: fact.value for fact in table.facts}
    assert facts["orientation_codes"] == ("1 (front): 1",)
    assert (facts["columns"], len(facts["key_and_text_pairs"])) == (46, 8)


@pytest.mark.parametrize(
    ("code", "state"),
    [
        ("1", "inventory"),
        ("2", "active"),
        ("4", "failed"),
        ("5", "decommissioning"),
        ("6", "staged"),
        ("in use", "active"),
    ],
)
def test_codes_of_states_are_translated(read, code, state):
    assert read_ralph(read, ralph_row(sn="S1", status=code)).frame["status"].to_list() == [state]


def test_an_unknown_code_is_told_and_a_source_may_translate_it(read):
    table = read_ralph(read, ralph_row(sn="S1", status="42"))
    assert [(finding.code, finding.value) for finding in table.findings] == [("unknown_status", "42")]
    table = read_ralph(read, ralph_row(sn="S1", status="42"), values={"status": {"42": "offline"}})
    assert table.frame["status"].to_list() == ["offline"]


SWITCH = "---\nmanufacturer: Acme\nmodel: S64\nslug: acme-s64\npart_number: '0064'\nu_height: 1\ninterfaces:\n"


def switch(*missing: str) -> str:
    names = [f"P{cage}.{half}" for cage in range(32) for half in range(2)]
    ports = "".join(f"  - name: {name}\n    type: infiniband-ndr\n" for name in names if name not in missing)
    return SWITCH + ports


def look(tmp_path, text, name="S64.yaml"):
    path = tmp_path / "content"
    path.write_text(text)
    found = inspect(path, name, CONTRACTS)
    assert found.ledger.balanced
    return found


def test_m63_a_switch_of_64_ports_that_lists_62_is_an_error(tmp_path):
    found = look(tmp_path, switch("P22.1", "P23.0"))
    facts = {fact.name: fact.value for fact in found.facts}
    assert (found.format, facts["interfaces"], facts["part_number"]) == ("device_type", 62, "0064")
    assert facts["interfaces_missing"] == ("P22.1", "P23.0")
    told = [(finding.code, finding.severity, finding.value) for finding in found.findings]
    assert told == [("port_gap", "error", "P22.1, P23.0")]
    assert "62 of the 64 names" in found.findings[0].message
    whole = look(tmp_path, switch())
    assert (whole.findings, {fact.name: fact.value for fact in whole.facts}["interfaces"]) == ((), 64)


def test_m63_names_that_stand_twice_or_are_misspelt_are_told(tmp_path):
    text = SWITCH.replace("S64", "DGX A100").replace("acme-s64", "acme-dgx-a100")
    text += "  - {name: eth0, type: a}\n  - {name: eth0, type: a}\n"
    found = look(tmp_path, text, "DGC-A100.yaml")
    assert [(finding.code, finding.row) for finding in found.findings] == [
        ("name_mismatch", None),
        ("duplicate_port", 9),
    ]
    assert "name_mismatch" not in {finding.code for finding in look(tmp_path, text, "DGX-A100.yaml").findings}


def test_a_device_type_that_is_no_yaml_is_refused_with_its_line(tmp_path, read):
    found = look(tmp_path, SWITCH + "  - name: [a\n")
    assert [finding.code for finding in found.findings] == ["yaml"]
    with pytest.raises(FileRejected, match="feeds no dataset"):
        read(switch(), contract=CONTRACTS["installs"], name="S64.yaml", format="auto")
