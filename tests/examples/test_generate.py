"""The demo programme by itself: same bytes everywhere, sizes, and quantities counted by hand."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import openpyxl
import pytest
import yaml

from examples.demo import Truth, generate
from examples.demo.generate import SEED, story

ROOT = Path(__file__).resolve().parents[2]
_GENERATE = "import sys; from pathlib import Path; from examples.demo import generate; generate(Path(sys.argv[1]))"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    generate(folder)
    return folder


@pytest.fixture(scope="module")
def truth(home: Path) -> dict:
    return json.loads((home / "truth.json").read_text(encoding="utf-8"))


def digest(folder: Path) -> str:
    total = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            total.update(file.relative_to(folder).as_posix().encode() + file.read_bytes())
    return total.hexdigest()


@pytest.mark.parametrize(("seed", "zone"), [("1", "Asia/Kathmandu"), ("77", "America/Los_Angeles")])
def test_bytes_do_not_depend_on_hash_seed_or_time_zone(home: Path, tmp_path: Path, seed: str, zone: str) -> None:
    environment = os.environ | {"PYTHONHASHSEED": seed, "TZ": zone, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", _GENERATE, str(tmp_path / "d")], check=True, env=environment, cwd=ROOT)
    assert digest(tmp_path / "d") == digest(home)


def test_another_seed_changes_serials_and_not_the_story(home: Path, tmp_path: Path) -> None:
    other = generate(tmp_path, seed=7)
    assert digest(tmp_path) != digest(home)
    assert sorted(p.relative_to(tmp_path) for p in tmp_path.rglob("*")) == sorted(
        p.relative_to(home) for p in home.rglob("*")
    )
    assert isinstance(other, Truth)


def test_sizes(home: Path, truth: dict) -> None:
    files = [file for file in (home / "inbox").rglob("*") if file.is_file()]
    assert len(files) == truth["files"] == 291
    assert sum(file.stat().st_size for file in files) < 15_000_000


def test_every_file_belongs_to_one_source_of_a_dataset(home: Path) -> None:
    """The schedule of a hall feeds two datasets, its activities and their links; all other files feed one."""
    sources = yaml.safe_load((home / "programme.yaml").read_text(encoding="utf-8"))["sources"]
    for file in (home / "inbox").rglob("*"):
        if file.is_file():
            fed = [source["dataset"] for source in sources.values() if file.match(source["files"])]
            assert fed == (
                ["activities", "activity_links"] if file.name.startswith("ABL-GPU-2 schedule") else fed[:1]
            ), file
            assert fed, file


def test_a_schedule_agrees_with_the_trackers_of_its_week(home: Path) -> None:
    rows = {}
    for week in (36, 44):
        file = next((home / "inbox").rglob(f"ABL-GPU-2 schedule 2026-W{week}.csv"))
        with file.open(encoding="utf-8-sig") as handle:
            rows[week] = {(row["Pod"], row["Stage Gate"]): row["% Complete"] for row in csv.DictReader(handle)}
    # week 44: 14 of 16 nodes of SU1 are offered, SU2 is racked whole, half of SU3; SU2's rails are planted
    assert [rows[44]["SU1", "handoff"], rows[44]["SU2", "install"], rows[44]["SU3", "install"]] == ["87", "100", "50"]
    assert rows[44]["SU2", "l1"] == "100"
    assert rows[36]["SU2", "install"] == "0"


def sheet(home: Path, name: str) -> list[dict]:
    file = next((home / "inbox").rglob(name))
    rows = [list(row) for row in openpyxl.load_workbook(file).active.iter_rows(values_only=True)]
    start = next(number for number, row in enumerate(rows) if all(row[:3]))
    return [dict(zip(rows[start], row, strict=True)) for row in rows[start + 1 :] if row[0] != "TOTAL"]


def test_contracted_quantities(home: Path) -> None:
    lines = sheet(home, "Contract register 2026-10-05.xlsx")
    current = {
        (row["Contract"], row["Line"], row["Phase"]): row
        for row in lines
        if row["Option?"] == "No" and row["Signed?"] == "Yes"
    }
    total: Counter[str] = Counter()
    for row in current.values():
        total[row["Unit"]] += row["Quantity"]
    # 256 + 256 + 256 Abilene, 192 + 192 Hillsboro, 128 cloud; 12 + 6 + 10 PB; three times two routers of 36 ports
    assert total == {"accelerators": 1280, "cores": 7680, "PB": 28, "ports": 216, "Gbit/s": 1800}


def test_scheduler_offers_at_the_end(home: Path) -> None:
    nodes = json.loads(next((home / "inbox").rglob("slurm_nodes_20261030T1500.json")).read_text(encoding="utf-8"))
    offered: Counter[str] = Counter()
    for node in nodes:
        offered[node["cluster"]] += node["capacity"] if node["schedulable"] else 0
    # Hillsboro: five blocks of eight nodes, four of them still drained; SU1: 14 of 16 nodes
    # one of Hillsboro's nodes offers seven GPUs
    expected = {
        "abl-slurm-1": 32 * 8, "abl-slurm-2": 14 * 8, "hil-slurm-1": (40 - 4) * 8 - 1, "hil-slurm-cpu": 40 * 192,
    }  # fmt: skip
    assert offered == expected


def test_every_node_is_received_once_except_the_planted_one(home: Path) -> None:
    rows = sheet(home, "Dock log 2026-W44.xlsx")
    serials = Counter(serial for row in rows if row["Serials"] for serial in row["Serials"].split())
    # 32 + 48 GPU and 40 CPU nodes, 48 of 64 nodes of cluster 2 less one, 12 + 8 enclosures, 6 routers, 54 switches
    assert sum(serials.values()) == len(serials) == 32 + 48 + 40 + 47 + 20 + 6 + 54


def test_truth_names_rows_that_hold_the_value(home: Path, truth: dict) -> None:
    checked = 0
    for defect in truth["defects"]:
        if defect["file"].endswith(".csv") and defect["row"] and defect["value"]:
            text = (home / "inbox" / defect["file"]).read_text(
                encoding="cp1252" if "Liefer" in defect["file"] else "utf-8-sig"
            )
            assert defect["value"] in list(csv.reader(text.splitlines()))[defect["row"] - 1]
            checked += 1
        elif defect["file"].endswith(".xlsx") and defect["row"] and defect["value"]:
            page = openpyxl.load_workbook(home / "inbox" / defect["file"]).active
            assert defect["value"] in {str(cell.value) for cell in page[defect["row"]]}
            checked += 1
    assert checked >= 9


def test_unusual_arrivals(home: Path, truth: dict) -> None:
    kinds = Counter(arrival["kind"] for arrival in truth["arrivals"])
    assert kinds == {"late": 2, "resend": 1, "return": 1}
    plans = sorted((home / "inbox").rglob("block_plan*.csv"))
    assert [digest(file.parent) == digest(plans[0].parent) for file in plans] == [True, False, True]
    twins = list((home / "inbox").rglob("kestrel_freight_20260924.csv"))
    assert len({file.read_bytes() for file in twins}) == 1
    assert len(twins) == 2


def test_the_story_is_clean_before_defects_are_planted() -> None:
    names = Counter(drop.name for drop in story(SEED))
    assert [name for name, count in names.items() if count > 1] == ["block_plan.csv"]
