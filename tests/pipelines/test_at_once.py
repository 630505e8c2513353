"""Refreshes of one programme at the same time, from processes that know nothing of each other."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from examples.demo import generate
from turnup.programme import Home
from turnup.warehouse.connection import connect
from turnup.warehouse.manifest import ManifestStore

ROOT = Path(__file__).parents[2]
WEEKS = ("2026-W33", "2026-W33", "2026-W34")


@pytest.mark.slow
def test_the_same_week_twice_and_another_one_at_once(tmp_path):
    home = Home(tmp_path / "demo")
    generate(home.root)
    shutil.copytree(ROOT / "playbooks", home.playbooks, dirs_exist_ok=True)
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "pipelines", "refresh", "--home", str(home.root), "--week", week, "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT,
        )
        for week in WEEKS
    ]  # fmt: skip
    for week, process in zip(WEEKS, started, strict=True):
        printed, errors = process.communicate(timeout=600)
        assert process.returncode == 0, printed.decode() + errors.decode()[-3000:]
        (made,) = json.loads(printed)["weeks"]
        assert made["result"] == f"{week}.1"
    assert ManifestStore(home.store).names() == [("2026-W33", 1), ("2026-W34", 1)]
    with connect(home.warehouse.resolve(), read_only=True) as con:
        assert con.sql("SELECT week FROM meta.week").fetchall() == [("2026-W34",)]
        assert con.sql("SELECT bool_and(balanced) FROM meta.ledger").fetchall() == [(True,)]
        twice = "SELECT count(*) - count(DISTINCT (_ingest, _sheet, _row, part_number)) FROM stg.shipments"
        assert con.sql(twice).fetchall() == [(0,)]
    assert list((home.store / "build").iterdir()) == []
