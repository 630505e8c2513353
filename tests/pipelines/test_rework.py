"""``turnup rework`` writes the cable jobs of a week beside its reports."""

from __future__ import annotations

import json

import duckdb
import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.commands import rework
from reports.workbooks.rework import COLUMNS
from turnup.yaml_source import ConfigurationError


@pytest.fixture
def published(tmp_path, monkeypatch):
    file = tmp_path / "week.duckdb"
    with duckdb.connect(str(file)) as con:
        con.execute(
            "CREATE SCHEMA meta; CREATE SCHEMA mart; CREATE TABLE meta.week AS SELECT '2026-W44' AS week,"
            " TIMESTAMP '2026-10-30 23:00' AS cut_off, 'Aurora' AS programme"
        )
    monkeypatch.setattr(rework, "published_week", lambda home, label: file)
    return file


def test_both_files(published, tmp_path):
    columns = ", ".join(
        f"{'n' if name == 'step' else repr('r' if name == 'rack' else 'x')} AS {name}" for name in COLUMNS
    )
    with duckdb.connect(str(published)) as con:
        con.execute(f"CREATE TABLE mart.link_rework AS SELECT {columns} FROM range(1, 4) t(n)")
    ran = CliRunner().invoke(app, ["rework", "--home", str(tmp_path), "--json"])
    assert ran.exit_code == 0
    told = json.loads(ran.stdout)
    assert (told["week"], told["jobs"], told["racks"]) == ("2026-W44", 3, 1)
    folder = tmp_path / "out" / "2026-W44"
    assert sorted(path.name for path in folder.iterdir()) == ["rework.csv", "rework.xlsx"]
    assert len((folder / "rework.csv").read_text().splitlines()) == 4


def test_a_week_without_the_list_is_named(published, tmp_path):
    ran = CliRunner().invoke(app, ["rework", "--home", str(tmp_path)])
    assert isinstance(ran.exception, ConfigurationError)
    assert "made by an earlier turnup" in str(ran.exception)
