"""``turnup report`` writes a week's files in the formats asked for and leaves what was issued."""

import json

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.commands import report
from tests.reports.sample_warehouse import build_sample
from turnup.programme import Home
from turnup.warehouse import issued
from turnup.warehouse.manifest import Manifest
from turnup.yaml_source import ConfigurationError

WEEK = "2026-W44"


@pytest.fixture
def home(tmp_path, monkeypatch):
    database = tmp_path / "week.duckdb"
    con = build_sample()
    con.execute(f"ATTACH '{database}' AS kept")
    con.execute("COPY FROM DATABASE memory TO kept; DETACH kept")
    con.close()
    monkeypatch.setattr(report, "published_week", lambda home, label: database)
    (tmp_path / "programme.yaml").write_text("name: Northstar\ntime_zone: UTC\n", encoding="utf-8")
    return Home(tmp_path)


def run(home, *arguments):
    ran = CliRunner().invoke(app, ["report", "--home", str(home.root), "--json", *arguments])
    if ran.exception and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    return json.loads(ran.stdout)


def test_only_the_formats_asked_for(home):
    told = run(home, "--week", WEEK, "--format", "xlsx, json")
    names = ["executive.json", "governance.json", "governance.xlsx"]
    assert sorted(path.name for path in (home.out / WEEK).iterdir() if path.is_file()) == names
    assert sorted((item["file"].rpartition("/")[2], item["made"]) for item in told["files"]) == [
        (n, True) for n in names
    ]


def test_what_was_issued_stands_and_what_is_added_is_recorded(home, monkeypatch):
    manifest = Manifest(WEEK, 1, "closed", "0" * 16, {}, (), None)
    monkeypatch.setattr(report.ManifestStore, "latest", lambda store, week: manifest)
    run(home, "--format", "json")
    page = home.out / WEEK / "governance.json"
    page.write_text("as it was issued")
    issued.record_issue(home, manifest, sorted(p for p in (home.out / WEEK).iterdir() if p.is_file()))
    told = run(home, "--format", "json,xlsx")
    assert page.read_text() == "as it was issued"
    assert {item["file"].rpartition("/")[2]: item["made"] for item in told["files"]} == {
        "governance.json": False, "executive.json": False, "governance.xlsx": True,
    }  # fmt: skip
    assert {file.name for file in issued.issued_files(home, manifest) or []} == {
        "governance.json", "executive.json", "governance.xlsx",
    }  # fmt: skip


@pytest.mark.parametrize("formats", ["docx", "html,PDF", ","])
def test_an_unknown_format_is_refused(home, formats):
    with pytest.raises(ConfigurationError, match="there are html, json, pdf, xlsx, pptx, eml"):
        run(home, "--format", formats)
