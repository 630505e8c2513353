"""A programme with a lake: moved into it, refreshed, verified, kept in order; what does not cover a lake says so."""

import json

import pytest

pytest.importorskip("duckdb_extension_ducklake", reason="the extra 'cluster' is not installed")

from typer.testing import CliRunner

from pipelines.cli import app
from tests.turnup.small_programme import CLOSED, drop, made, receipt
from turnup.programme import Home
from turnup.refresh import refresh
from turnup.yaml_source import ConfigurationError


def told(*arguments):
    done = CliRunner().invoke(app, [*map(str, arguments), "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def refused(*arguments):
    done = CliRunner().invoke(app, [*map(str, arguments), "--json"])
    assert isinstance(done.exception, ConfigurationError), done.output
    return str(done.exception)


def with_lake(home: Home):
    with home.configuration.open("a", encoding="utf-8") as file:
        file.write(f"lake:\n  catalog: {home.root.parent / 'catalog.ducklake'}\n  data: {home.root.parent / 'rows'}\n")
    return home


def test_what_does_not_cover_a_lake_says_what_to_do(tmp_path):
    home = with_lake(made(tmp_path / "home"))
    assert "turnup lake --back" in refused("export", tmp_path / "x.tar.gz", "--home", home.root)
    assert not (tmp_path / "x.tar.gz").exists()
    assert told("prune", "--dry-run", "--home", home.root)["lake"] == "its rows stay"
    assert "turnup lake makes it" in refused("lake", "--tidy", "--home", home.root)


@pytest.mark.parametrize("option", [(), ("--tidy",), ("--back",)])
def test_a_programme_without_a_lake_is_told_so(tmp_path, option):
    home = made(tmp_path / "home")
    assert "has no 'lake'" in refused("lake", *option, "--home", home.root)


@pytest.mark.slow
def test_a_programme_moves_into_a_lake_reads_nothing_again_and_verifies(tmp_path):
    home = made(tmp_path / "home")
    drop(home, "2026-10-05/grn1.csv", receipt(1))
    refresh(home, "2026-W41", CLOSED["2026-W41"])
    with_lake(home)
    assert told("lake", "--home", home.root)["batches_moved"] == 5
    parts = sorted((home.store / "parts").rglob("*"))
    drop(home, "2026-10-12/grn2.csv", receipt(2))
    result = refresh(home, "2026-W42", CLOSED["2026-W42"])
    assert {summary.dataset: summary.files for summary in result.ingested if summary.files} == {"receipts": 1}
    assert sorted((home.store / "parts").rglob("*")) == parts
    assert told("lake", "--tidy", "--home", home.root, "--now", "2099-01-01T00:00:00Z")["merged"] > 0
    rows = {file: file.stat().st_mtime_ns for file in (tmp_path / "rows").rglob("*")}
    for week in ("2026-W41", "2026-W42"):
        told("verify", "--week", week, "--home", home.root)
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "rows").rglob("*")} == rows
    assert told("lake", "--back", "--home", home.root)["batches_moved"] == 1
