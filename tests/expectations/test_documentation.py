"""The page of a dataset says what its contract says."""

import pytest

from expectations.contract import Contract, load_contracts
from expectations.documentation import markdown


def test_the_page_of_the_bill_of_materials() -> None:
    page = markdown(load_contracts()["bom"])
    lines = page.splitlines()
    assert lines[0] == "# Bill of materials (`bom`)"
    assert "One row per `system_id`, `line`. Contract version 1.1.0." in lines
    assert (
        "| `quantity` | number, 3 decimals | yes | Number of parts, counted as quantity_basis says."
        " | at least 0 |  | 16 |"
    ) in lines
    assert "- `system_id` is a `system_id` of [systems](systems.md) (error)" in lines
    assert "- Not allowed: A quantity per parent without a parent line (error)" in lines
    assert any(line.startswith("| `part_number` | PN, P/N, Part No, ") for line in lines)
    assert page.endswith("\n")
    assert "\n\n\n" not in page


@pytest.mark.parametrize("contract", load_contracts().values(), ids=lambda contract: contract.name)
def test_every_column_stands_in_both_tables_and_every_table_is_square(contract: Contract) -> None:
    tables = [block.splitlines() for block in markdown(contract).split("\n\n") if block.startswith("| ")]
    assert [len(table) for table in tables] == [len(contract.columns) + 2] * 2
    for table in tables:
        assert len({line.replace("\\|", "").count("|") for line in table}) == 1
        for column, line in zip(contract.columns, table[2:], strict=True):
            assert line.startswith(f"| `{column.name}` |")


def test_a_core_dataset_says_that_its_key_blocks() -> None:
    assert "A repeated key in this dataset stops a refresh." in markdown(load_contracts()["sites"])
    assert "stops a refresh" not in markdown(load_contracts()["bom"])
