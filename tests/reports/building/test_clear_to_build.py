"""Clear-to-build in the governance report: blocks that wait, what paces them, and proposals that are only that."""

from datetime import date

from reports.build.reports import build_reports
from reports.models.common import Table
from tests.reports.sample_warehouse import Rows, build_sample, rows

BLOCKS = """system_key system_id block block_no kind unit priority need_date planned state lines covered buildable
    pacing_part pacing_note kit_complete kit_complete_p80 p80_basis held_by_optics held_until held_devices installed
    site_ready design_released crew_booked clear_to_install"""
PROPOSALS = """proposal_no system_id block needed_part part_number as_alternate quantity kind from_site from_system
    from_block leaves_short supply available file row"""


def with_blocks(tables: dict[str, Rows]) -> None:
    gpu = ("gpu-dfw2-a", "GPU-DFW2-A")
    name = "servers n-14, n-15; switches leaf-1 (4 optics)"
    tables["mart.clear_to_build"] = rows(
        BLOCKS,
        (*gpu, "B1", 1, "gpu_cluster", "accelerators", 2, date(2026, 11, 6), 128.0, "YES", 9, 9, 128.0, None, None,
         date(2026, 10, 30), date(2026, 10, 30), None, None, None, None, True, "N/A", "N/A", "N/A", "N/A"),
        (*gpu, "B2", 2, "gpu_cluster", "accelerators", 2, date(2026, 11, 20), 128.0, "NO", 9, 8, 112.0, "OSFP-800G-DR8",
         "448 of 488 there, the last on 2026-11-12", date(2026, 11, 12), date(2026, 11, 30),
         "Lumenar Optics, 24 promises", 16.0, date(2026, 11, 12), name, False, "NO", "UNKNOWN", "YES", "NO"),
        ("wan", "WAN", "W", 1, "wan_link", "Gbit/s", 3, None, 400.0, "N/A", None, None, None, None, None, None, None,
         None, None, None, None, False, "N/A", "N/A", "N/A", "N/A"),
    )  # fmt: skip
    tables["mart.transfer_proposals"] = rows(
        PROPOSALS,
        (1, "GPU-DFW2-A", "B2", "OSFP-800G-DR8", "OSFP-800G-2", True, 24.0, "transfer", "LHR-1", "GPU-LHR1-A", "B1",
         True, "receipt R1/1", date(2026, 10, 30), "dock.xlsx", 7),
    )  # fmt: skip


def tables_of_section_6(change=None) -> dict[str, Table]:
    governance, _ = build_reports(build_sample(change))
    section = next(s for s in governance.sections if s.number == "6")
    return {block.id: block for block in section.blocks if isinstance(block, Table)}


def test_blocks_that_wait_and_why() -> None:
    table = tables_of_section_6(with_blocks)["S6-clear"]
    assert table.title == "Clear to build: 1 of 2 blocks"
    assert "1 block complete and installed left out" in table.note
    (row,) = table.rows
    cells = {column.label: cell for column, cell in zip(table.columns, row.cells, strict=True)}
    assert (cells["Block"].text, cells["Block"].note, cells["State"].status) == ("GPU-DFW2-A", "block B2", "NO")
    assert (cells["Buildable"].text, cells["Lines"].text) == ("112 GPUs", "8 of 9")
    assert cells["Buildable"].note == (
        "16 GPUs wait for optics until 12 Nov 26: servers n-14, n-15; switches leaf-1 (4 optics)"
    )
    assert (cells["Pacing part"].text, cells["P80"].text) == ("OSFP-800G-DR8", "30 Nov 26")
    assert cells["P80"].note == "Lumenar Optics, 24 promises"
    assert cells["Clear to install"].note == "site ready: NO, design released: UNKNOWN"


def test_a_proposal_says_that_nothing_has_moved_and_who_goes_short() -> None:
    table = tables_of_section_6(with_blocks)["S6-proposals"]
    assert "Nothing here is counted anywhere" in table.note
    assert [cell.text for cell in table.rows[0].cells] == [
        "GPU-DFW2-A", "OSFP-800G-2", "24", "transfer between sites", "LHR-1", "30 Oct 26", "GPU-LHR1-A B1",
        "dock.xlsx row 7",
    ]  # fmt: skip


def test_without_bills_there_is_no_table() -> None:
    assert "S6-clear" not in tables_of_section_6()
