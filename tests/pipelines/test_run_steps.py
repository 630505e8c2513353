"""A Dagster run makes one week from one plan, whatever happens between its steps, and can begin at any step."""

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import dagster as dg
import pytest

import turnup.refresh as module
from assets import context as assets_context
from pipelines.definitions import build_definitions
from reports.formats.registry import EVERY_FORMAT, PAGES, file_names
from turnup.programme import Home
from turnup.refresh import Refresh
from turnup.warehouse.connection import connect
from turnup.warehouse.manifest import ManifestStore

ROOT = Path(__file__).parents[2]
KEY, WEEK, NOW = "2026-09-25", "2026-W40", "2026-10-02T18:30:00+00:00"
CONFIGURATION = """name: Aurora
time_zone: UTC
first_week: 2026-W40
sources:
  sites: {dataset: sites, files: "sites*.csv"}
  receipts: {dataset: receipts, files: "grn*.csv", mode: events}
"""
SITES = "site_id,name,facility\nABQ,Albuquerque,first_party\n"
RECEIPTS = "receipt,line,part_number,site_id,place,qty_good,received\nR1,1,P,ABQ,site,5,2026-09-30\n"


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "check_again", lambda *_: [])
    monkeypatch.setattr("reports.issue.EVERY_FORMAT", PAGES)  # the others are seconds a run
    home = Home(tmp_path)
    (home.inbox / "2026-09-28").mkdir(parents=True)
    shutil.copytree(ROOT / "playbooks", home.playbooks)
    home.configuration.write_text(CONFIGURATION, encoding="utf-8")
    (home.inbox / "2026-09-28" / "sites.csv").write_text(SITES)
    return home


def materialize(home, *, selection=None, **options):
    definitions = build_definitions(home, NOW)
    job = definitions.resolve_implicit_global_asset_job_def() if selection else definitions.resolve_job_def("refresh")
    return job.execute_in_process(
        partition_key=KEY,
        asset_selection=selection,
        instance=dg.DagsterInstance.ephemeral(),
        run_config={"resources": {"options": {"config": options}}} if options else None,
    )


def count(home, table):
    with connect(home.warehouse.resolve(), read_only=True) as con:
        return con.sql(f"SELECT count(*) FROM {table}").fetchall()[0][0]


def test_what_arrives_between_two_steps_waits_for_the_next_run(home, monkeypatch):
    whole = Refresh.judge

    def judge(self, plan, candidate):
        (home.inbox / "2026-09-29").mkdir()
        (home.inbox / "2026-09-29" / "grn1.csv").write_text(RECEIPTS)
        other = Refresh(home, WEEK, datetime.fromisoformat(NOW))
        other.land()
        other.ingest_all()
        home.configuration.write_text(CONFIGURATION.replace("Aurora", "Borealis"), encoding="utf-8")
        whole(self, plan, candidate)

    monkeypatch.setattr(Refresh, "judge", judge)
    assert materialize(home).success
    manifest = ManifestStore(home.store).latest(WEEK)
    with connect(home.warehouse.resolve(), read_only=True) as con:
        (shown,) = con.sql("SELECT programme, fingerprint, state FROM meta.week").fetchall()
    assert shown == ("Aurora", manifest.fingerprint, "closed")
    assert {item.source for item in manifest.in_force} == {"sites"}
    assert count(home, "stg.receipts") == 0


@pytest.mark.parametrize("first", ["staged_week", "expectation_results", "capacity_funnel", "published_week"])
def test_a_run_that_begins_at_a_later_step_makes_what_it_needs(home, first):
    (home.inbox / "2026-09-28" / "grn1.csv").write_text(RECEIPTS)
    Refresh(home, WEEK, datetime(2026, 10, 2, 18, 30, tzinfo=UTC)).land()
    names = ["capacity_funnel", "gate_states", "open_blockers", "commitment_status", "contradictions", "weekly_change",
             "ready_forecast"]  # fmt: skip
    selection = {"capacity_funnel": names}.get(first, [first])
    assert materialize(home, selection=[dg.AssetKey(name) for name in selection]).success
    assert materialize(home).success
    assert count(home, "stg.receipts") == 1
    assert ManifestStore(home.store).latest(WEEK).name == "2026-W40.1"


def test_an_issued_report_is_not_written_again_by_later_code(home, monkeypatch):
    assert materialize(home).success
    page = home.out / WEEK / "executive.html"
    issued = page.read_bytes()
    monkeypatch.setattr("reports.issue.render", lambda *_: pytest.fail("rendered again"))
    monkeypatch.setattr("turnup.plan.code_version", lambda: "later")
    shutil.rmtree(home.published)
    assert materialize(home).success
    assert page.read_bytes() == issued
    assert ManifestStore(home.store).latest(WEEK).name == "2026-W40.1"
    monkeypatch.undo()
    page.write_bytes(b"edited by hand")
    monkeypatch.setattr(module, "check_again", lambda *_: [])
    assert materialize(home).success
    assert page.read_bytes().startswith(b"<!DOCTYPE html>")  # made again, and it names the code that made it


def test_a_report_says_its_state_its_headline_and_where_its_files_are(home):
    run = materialize(home)
    found = {}
    for event in run.get_asset_materialization_events():
        shown = event.materialization
        found[shown.asset_key.to_user_string()] = {key: value.value for key, value in shown.metadata.items()}
    governance, executive = found["governance_report"], found["executive_report"]
    header = json.loads((home.out / WEEK / "executive.json").read_bytes())["header"]
    for each in (governance, executive):
        assert each["state"] == header["issue_state"]
        assert each["why"]
        assert each["headline"].endswith(".")
        assert Path(each["report"]).read_bytes().startswith(b"<!DOCTYPE html>")
        assert json.loads(Path(each["model"]).read_bytes())["version"] == "1"
    assert governance["systems"] == len(list(Path(governance["pages_of_systems"]).iterdir()))
    assert governance["sites"] == len(list(Path(governance["pages_of_sites"]).iterdir()))


def test_a_refresh_writes_every_format_of_the_week(home, monkeypatch):
    monkeypatch.setattr("reports.issue.EVERY_FORMAT", EVERY_FORMAT)
    assert materialize(home).success
    assert set(file_names(EVERY_FORMAT)) <= {path.name for path in (home.out / WEEK).iterdir()}
    assert len(file_names(EVERY_FORMAT)) == 10


def test_reason_and_restate_reach_the_manifest(home):
    assert materialize(home, reason="first").success
    (home.inbox / "2026-09-28" / "grn1.csv").write_text(RECEIPTS)
    assert materialize(home).success
    assert ManifestStore(home.store).latest(WEEK).name == "2026-W40.1"
    assert materialize(home, reason="the late receipt", restate=True).success
    manifest = ManifestStore(home.store).latest(WEEK)
    assert (manifest.name, manifest.state, manifest.reason) == ("2026-W40.2", "restated", "the late receipt")
    with pytest.raises(dg.DagsterInvalidConfigError):
        materialize(home, restate="perhaps")


def test_only_a_few_runs_are_remembered(home):
    for _ in range(3):
        materialize(home)
    assert len(assets_context._BEGUN) <= assets_context._REMEMBERED
