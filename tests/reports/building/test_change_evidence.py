"""The change of a week in the reports: the rows of files behind it, and restatements with number and difference."""

import pytest

from reports.build.reports import build_reports
from reports.models.common import Paragraph, Table
from tests.reports.sample_warehouse import build_sample


def tables(blocks):
    return {block.id: block for block in blocks if isinstance(block, Table)}


def texts(table):
    return [[cell.text for cell in row.cells] for row in table.rows]


@pytest.fixture(scope="module")
def reports():
    return build_reports(build_sample())


def test_each_change_has_its_rows_with_file_and_row(reports):
    governance, _ = reports
    found = tables(governance.sections[1].blocks)["S1-evidence"]
    assert found.title == "3 rows of the files behind these changes"
    assert texts(found)[0] == [
        "GPU-DFW2-A", "gpu-r12-n3", "−8", "withdrawn", "held at schedulable", "slurm_2026w44.json", "412",
    ]  # fmt: skip
    assert texts(found)[2][5:] == ["inventory_dfw2.xlsx / Shelves", "41"]


def test_the_bridge_has_what_moved_between_systems(reports):
    governance, _ = reports
    bridge = tables(governance.sections[1].blocks)["S1-bridge"]
    assert "Moved" in [column.label for column in bridge.columns]


def test_a_restatement_has_number_difference_and_cause(reports):
    _, executive = reports
    trust = next(page for page in executive.pages if page.id == "P5")
    (row,) = texts(tables(trust.blocks)["P5-restated"])
    assert row[0] == "2026-W43.2"
    assert row[4] == "−1.5"
    assert row[5] == "came inventory_dfw2.xlsx"


def test_no_restatement_is_said():
    _, executive = build_reports(build_sample(lambda found: found["mart.restatements"].clear()))
    trust = next(page for page in executive.pages if page.id == "P5")
    said = [block.text for block in trust.blocks if isinstance(block, Paragraph)]
    assert any(text.endswith("Restated figures of earlier weeks: none.") for text in said)
