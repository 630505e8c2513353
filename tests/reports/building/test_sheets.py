"""One-page sheets: the same boxes on each, safe file names, links that lead somewhere, nothing written twice."""

import os

import pytest

from reports.build.reports import build_issue, targets
from reports.models.sheets import BOXES
from reports.render import render
from reports.sheets import write_sheets
from reports.text import file_stems
from tests.reports.pages import Page
from tests.reports.sample_warehouse import build_sample


@pytest.fixture(scope="module")
def issue():
    return build_issue(build_sample())


def sheet(issue, subject):
    return next(s for s in issue.sheets if s.subject == subject)


def rows(sheet, box):
    blocks = next(b for b in sheet.boxes if b.id == f"BOX-{box}").blocks
    return [[cell.text for cell in row.cells] for block in blocks for row in getattr(block, "rows", ())]


def test_every_sheet_has_every_box_in_its_order(issue):
    assert [s.kind for s in issue.sheets] == ["system"] * 12 + ["site"] * 5
    for each in issue.sheets:
        assert [(box.id, box.title) for box in each.boxes] == [(f"BOX-{name}", title) for name, title in BOXES]
        assert all(box.blocks for box in each.boxes)


def test_boxes_of_a_system_hold_what_its_rows_hold(issue):
    pod = sheet(issue, "GPU-DFW2-A")
    assert pod.summary.startswith("1,728 of 2,048 GPUs schedulable")
    assert rows(pod, "commitments")[0][:3] == ["MSA-2025-014/10/1", "2,048 GPUs", "30 Sep 26"]
    assert [row[0] for row in rows(pod, "blockers")] == [
        "96 OSFP optics of lot 3 are missing",
        "Two nodes of rack R15 below 388 GB/s",
    ]
    assert rows(pod, "forecast")[0][2:7] == ["24 Nov 26", "9 Dec 26", "0 %", "0 %", "+5 d"]
    assert [row[0].split()[0] for row in rows(pod, "raid")] == ["D-63", "A-31", "R-12"]
    assert rows(pod, "comment") == [["Maria Ortega", "status Green", ""]]
    evidence = next(b for b in pod.boxes if b.id == "BOX-blockers").blocks[0].rows[1].cells[-1]
    assert (evidence.text, evidence.link, evidence.note) == ("16 rows", "EV-B-0005", "nccl_r14.log, row 23")


def test_boxes_of_a_site_are_those_of_its_systems(issue):
    dallas = sheet(issue, "DFW-2")
    assert dallas.status == "red"
    assert dallas.summary == (
        "Schedulable of contracted: GPU 1,728 of 4,096 GPUs, Storage 52.5 of 60 PB and WAN 1,600 of 1,600 Gbit/s."
    )
    assert {row[1] for row in rows(dallas, "commitments")} == {"GPU-DFW2-A", "GPU-DFW2-B", "STO-DFW2-A", "WAN-DFW-IAD"}
    assert [row for row in rows(dallas, "funnel") if row[0] == "Received"] == [["Received", "3,008", "60", "–"]]


def test_a_system_of_which_nothing_is_known_still_has_its_boxes():
    def bare(tables):
        for name in ("mart.commitments", "mart.funnel", "mart.gates", "mart.blockers", "mart.raid", "mart.waivers"):
            tables[name] = []
        for row in tables["mart.systems"]:
            row["claimed_status"] = None

    found = sheet(build_issue(build_sample(bare)), "GPU-DFW2-A")
    said = [block.text for box in found.boxes for block in box.blocks]
    assert said[0] == "no data: no contract line names it"
    assert said[-1] == "No comment received from site or vendor."


def test_dissent_is_printed_apart_from_the_finding():
    def dissenting(tables):
        tables["stg.gate_decisions"][0]["dissent"] = "leak test was skipped"

    assert ["Luis Romero", "leak test was skipped", "approve with actions"] in rows(
        sheet(build_issue(build_sample(dissenting)), "GPU-IAD3-A"), "comment"
    )


def test_links_of_a_sheet_lead_to_ids_that_exist(tmp_path):
    render(build_sample(), tmp_path / "2026-W44")
    pages = {p: Page(p.read_text(encoding="utf-8")) for p in tmp_path.rglob("*.html")}
    for path, page in pages.items():
        if path.parent.name in ("systems", "sites"):
            outside = [link for link in page.links if "index.html" not in link]
            assert any("governance.html#" in link for link in outside)
            for link in outside:
                name, _, fragment = link.partition("#")
                target = type(path)(os.path.normpath(path.parent / name)) if name else path
                assert target in pages
                assert not fragment or fragment in pages[target].ids


def test_what_stands_is_not_written_again_and_what_is_gone_is_removed(issue, tmp_path):
    known = targets(issue.governance)
    files = write_sheets(issue.sheets, issue.governance.header, known, tmp_path)
    stamps = [(file, file.stat().st_mtime_ns, file.stat().st_ino) for file in files]
    write_sheets(issue.sheets, issue.governance.header, known, tmp_path)
    assert [(file, file.stat().st_mtime_ns, file.stat().st_ino) for file in files] == stamps
    write_sheets(issue.sheets[1:], issue.governance.header, known, tmp_path)
    assert sorted(tmp_path.rglob("*.html")) == sorted(files[1:])


def test_file_names_are_safe_stable_and_one_per_id():
    ids = ["ord1-gpu-a", "ORD1-GPU-A", "../../x", "con", "COM1", "検収", "a" * 41, "ß", "a.b", "", "A b"]
    found = file_stems(ids)
    assert found[0] == "ORD1-GPU-A"
    assert all(
        stem.isascii() and len(stem) <= 40 and set(stem) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")
        for stem in found
    )
    assert [stem for stem in found[1:] if not stem.startswith("X-")] == []
    assert len(set(found)) == len(ids)
    assert found == file_stems(ids)
