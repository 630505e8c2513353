"""The shipped contracts: valid against the standard, complete, and true to their own examples."""

import json
import re
from importlib.resources import files

import jsonschema
import pytest
import yaml

from expectations.contract import CONTRACTS, Contract, load_contracts
from expectations.typing_rules import TypingRules

CONTRACT_FILES = sorted(CONTRACTS.glob("*.yaml"))
DATASETS = """
sites facility_capacity systems blocks commitments dependencies bom purchase_orders po_schedule po_allocations
vendor_milestones shipments logistics_events receipts inventory installs node_names links versions benchmarks
utilization failures circuits cross_connects circuit_tests facilities
sessions storage_state demand scheduler_nodes activities activity_links raid
gate_decisions punch_list work_calendars schedule_projects
""".split()


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft201909Validator:
    schema = json.loads(files("open_data_contract_standard").joinpath("schema.json").read_text(encoding="utf-8"))
    return jsonschema.Draft201909Validator(schema)


@pytest.mark.parametrize("path", CONTRACT_FILES, ids=lambda path: path.stem)
def test_file_is_valid_against_the_standards_schema(path, validator) -> None:
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert [error.message for error in validator.iter_errors(document)] == []


def test_the_schema_refuses_a_misspelt_key(validator) -> None:
    document = yaml.safe_load(CONTRACT_FILES[0].read_text(encoding="utf-8"))
    document["schema"][0]["properties"][0]["requird"] = True
    assert list(validator.iter_errors(document))


def test_every_dataset_has_a_contract() -> None:
    assert sorted(load_contracts()) == sorted(DATASETS)


def test_core_datasets_are_those_whose_keys_block() -> None:
    core = [name for name, contract in load_contracts().items() if contract.core]
    assert core == ["blocks", "commitments", "sites", "systems"]


def normalised(text: str) -> str:
    return re.sub(r"[^a-z0-9#%]", "", text.lower()) or text


@pytest.mark.parametrize("contract", load_contracts().values(), ids=lambda contract: contract.name)
def test_a_delivered_name_means_one_column_only(contract: Contract) -> None:
    meanings: dict[str, set[str]] = {}
    for column in contract.columns:
        for delivered in (column.name, *column.synonyms):
            meanings.setdefault(normalised(delivered), set()).add(column.name)
    assert {name: columns for name, columns in meanings.items() if len(columns) > 1} == {}


@pytest.mark.parametrize("contract", load_contracts().values(), ids=lambda contract: contract.name)
def test_key_columns_are_required(contract: Contract) -> None:
    assert all(contract.column(name).required for name in contract.key)
    assert len({column.name for column in contract.columns}) == len(contract.columns)
    assert all(column.description.endswith(".") for column in contract.columns)


@pytest.mark.parametrize("contract", load_contracts().values(), ids=lambda contract: contract.name)
def test_examples_pass_their_own_rules(contract: Contract, judge) -> None:
    (row,) = judge(contract.name, [{column.name: column.example for column in contract.columns}], TypingRules())
    assert row["_failures"] == []
    assert [column.name for column in contract.columns if column.example and row[column.name] is None] == []


@pytest.mark.parametrize("contract", load_contracts().values(), ids=lambda contract: contract.name)
def test_defaults_pass_their_own_rules(contract: Contract, judge) -> None:
    filled = {c.name: None if c.default is not None else c.example for c in contract.columns}
    (row,) = judge(contract.name, [filled], TypingRules())
    assert row["_failures"] == []
    assert all(row[c.name] is not None for c in contract.columns if c.default is not None)
    assert all(row[f"{c.name}_key"] for c in contract.columns if c.default is not None and c.type == "id")


@pytest.mark.parametrize(
    ("dataset", "delivered", "column"),
    [
        ("bom", "P/N", "part_number"),
        ("bom", "Manufacturer Part Number", "part_number"),
        ("bom", "module_type_model", "part_number"),
        ("bom", "Qty", "quantity"),
        ("shipments", "Ship To", "ship_to_site"),
        ("shipments", "scheduled delivery date", "scheduled"),
        ("shipments", "delivered to client date", "delivered"),
        ("shipments", "asn/dn #", "shipment"),
        ("purchase_orders", "PO Number", "po"),
        ("installs", "S/N", "serial"),
        ("links", "a_interface", "a_port"),
        ("links", "StartDevice", "a_device"),
        ("scheduler_nodes", "NodeName", "node"),
    ],
)
def test_names_seen_in_real_files_are_known(dataset: str, delivered: str, column: str) -> None:
    known = load_contracts()[dataset].column(column)
    assert normalised(delivered) in {normalised(each) for each in (known.name, *known.synonyms)}
