"""A broken contract file is refused with the file and the key that is wrong."""

from pathlib import Path

import pytest

from expectations.contract import CONTRACTS, ContractError, load_contracts, read_contract, read_folder

DEMAND = (CONTRACTS / "demand.yaml").read_text(encoding="utf-8")


def broken(tmp_path: Path, old: str, new: str) -> ContractError:
    assert old in DEMAND
    path = tmp_path / "demand.yaml"
    path.write_text(DEMAND.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ContractError) as caught:
        read_contract(path)
    assert caught.value.file == "demand.yaml"
    assert str(caught.value).startswith(f"demand.yaml: {caught.value.key}: ")
    return caught.value


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("kind: DataContract", "kind: [", "(document)"),
        ("schema:", "schemas:", "schema"),
        ("- name: demand", "- name: demands", "schema"),
        ("businessName", "businesName", "schema.demand.businessName"),
        ("property: core", "property: cor", "schema.demand.customProperties.cor"),
        ("value: dec", "value: decimal", "schema.demand.properties.low.customProperties.type"),
        ("physicalType: DECIMAL(18,3)", "physicalType: FLOAT", "schema.demand.properties.low.physicalType"),
        ("logicalType: number", "logicalType: integer", "schema.demand.properties.low.logicalType"),
        ("primaryKeyPosition: 2", "primaryKeyPosition: 3", "schema.demand.properties"),
        ("property: synonyms", "property: synonym", "schema.demand.properties.scope.customProperties.synonym"),
        ("severity: error", "severity: fatal", "schema.demand.quality.low_mid_high.severity"),
        ("mustBe: 0", "mustBe: 1", "schema.demand.quality.low_mid_high.query"),
        ("purpose:", "porpose:", "description.purpose"),
        ("version: 1.0.0", "version: [1]", "version"),
    ],
)
def test_a_broken_contract_names_file_and_key(tmp_path: Path, old: str, new: str, key: str) -> None:
    assert broken(tmp_path, old, new).key == key


def test_a_document_that_is_no_mapping_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "demand.yaml"
    path.write_text("- just a list\n", encoding="utf-8")
    with pytest.raises(ContractError, match=r"demand\.yaml: .*expected a mapping"):
        read_contract(path)


def test_an_enum_without_values_is_refused(tmp_path: Path) -> None:
    text = (CONTRACTS / "punch_list.yaml").read_text(encoding="utf-8")
    path = tmp_path / "punch_list.yaml"
    path.write_text(text.replace("value: enum", "value: text"), encoding="utf-8")
    with pytest.raises(ContractError, match=r"properties\.class\.enum"):
        read_contract(path)


def test_a_reference_to_nothing_is_refused(tmp_path: Path) -> None:
    text = (CONTRACTS / "activity_links.yaml").read_text(encoding="utf-8")
    (tmp_path / "activity_links.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ContractError, match=r"pred\.relationships: activities\.task does not exist"):
        read_folder(tmp_path)


def test_contracts_are_cached_and_the_caller_owns_its_dict() -> None:
    first = load_contracts()
    first.clear()
    assert load_contracts()["sites"] is load_contracts()["sites"]


def test_the_fingerprint_follows_the_file(tmp_path: Path) -> None:
    path = tmp_path / "demand.yaml"
    path.write_text(DEMAND, encoding="utf-8")
    assert read_contract(path).fingerprint == load_contracts()["demand"].fingerprint
    path.write_text(DEMAND + "# a remark\n", encoding="utf-8")
    assert read_contract(path).fingerprint != load_contracts()["demand"].fingerprint


def test_a_contract_reads_as_declared() -> None:
    bom = load_contracts()["bom"]
    assert (bom.key, bom.core, bom.min_rows) == (("system_id", "line"), False, 0)
    assert bom.column("quantity").minimum == 0
    assert bom.column("fitted").default == "true"
    assert bom.column("category").values[0] == "server"
    assert bom.ids == ("system_id", "line", "block", "part_number", "supplier_part_number")
    assert [(r.column, r.dataset, r.target_column, r.severity) for r in bom.references] == [
        ("system_id", "systems", "system_id", "error")
    ]
    with pytest.raises(KeyError, match="bom has no column nonsense"):
        bom.column("nonsense")
