"""``explain``, ``blockers``, ``diff`` and ``audit`` on a small programme of two weeks, one of them restated."""

import json
from datetime import timedelta

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from tests.turnup.small_programme import CLOSED, CONFIGURATION, FILES, ask, drop, made, receipt
from turnup import refresh as module
from turnup.refresh import refresh
from turnup.yaml_source import ConfigurationError

W40, W41 = "2026-W40", "2026-W41"
SOURCES = """  bom: {dataset: bom, files: "bom*.csv", owner: Ana Ruiz}
  raid: {dataset: raid, files: "raid*.csv", owner: Ana Ruiz}
"""
BOM = "system_id,line,part_number,quantity,capacity_per_unit\nGPU-1,1,P,16,8\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Week 40, made again with a receipt that came late, then week 41 with an amendment."""
    home = made(tmp_path_factory.mktemp("home") / "aurora")
    home.configuration.write_text(CONFIGURATION + SOURCES, encoding="utf-8")
    drop(home, "2026-09-28/bom.csv", BOM)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "check_again", lambda *_: [])
        refresh(home, W40, CLOSED[W40])
        drop(home, "2026-09-29/grn1.csv", receipt(1))
        refresh(home, W40, CLOSED[W40] + timedelta(days=1), restate=True, reason="late receipt")
        drop(
            home,
            "2026-10-06/commitments.csv",
            FILES["commitments.csv"] + "C-1,1,1,1,GPU-1,256,accelerators,2026-12-31\n",
        )
        refresh(home, W41, CLOSED[W41])
    return home


def shown(home, *arguments, code=0):
    done = CliRunner().invoke(app, [*arguments, "--home", str(home.root)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == code, done.output
    return done.output


def document(home, *arguments, code=0):
    return json.loads(shown(home, *arguments, "--json", code=code))


def test_a_figure_is_explained_for_any_week(home):
    now = document(home, "explain", "contracted", "gpu-1")
    assert (now["week"], now["value"], now["last_week"], now["unit"]) == (W41, 256, 128, "accelerators")
    assert [(row["file"], row["row"], row["value"]) for row in now["rows"]] == [("2026-10-06/commitments.csv", 3, 256)]
    assert "core.stage_evidence" in now["sql"]
    before = document(home, "explain", "contracted", "GPU-1", "--week", W40)
    assert (before["week"], before["value"], before["last_week"]) == (W40, 128, None)
    text = shown(home, "explain", "contracted", "GPU-1")
    for words in ("week 2026-W41", "definition", "formula", "SQL         SELECT", "value       256   last week 128"):
        assert words in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("explain", "uptime"), "no metric is called 'uptime'"),
        (("explain", "contracted"), "name one: GPU-1"),
        (("explain", "contracted", "GPU-9"), "no system is called 'GPU-9'; known: GPU-1"),
        (("explain", "contracted", "GPU-1", "--week", "2026-W30"), "week 2026-W30 has no result"),
        (("blockers", "--site", "DFW"), "no system has the site 'DFW'; known: ABQ"),
        (("blockers", "--kind", "gpu"), "known: gpu_cluster"),
        (("diff", W40, "2026-W30"), "week 2026-W30 has no result; weeks that have: 2026-W40, 2026-W41"),
        (("audit", "GPU-9"), "no system is called 'GPU-9'"),
    ],
)
def test_what_is_not_known_is_said(home, arguments, words):
    with pytest.raises(ConfigurationError, match=words):
        shown(home, *arguments)


def test_blockers_are_those_asked_for(home):
    every = document(home, "blockers")["blockers"]
    assert every
    assert [row["rank"] for row in every] == sorted(row["rank"] for row in every)
    for name, value in (("system", "gpu-1"), ("site", "abq"), ("owner", "ana ruiz"), ("kind", "GPU_CLUSTER")):
        assert document(home, "blockers", f"--{name}", value)["blockers"] == every
    assert document(home, "blockers", "--week", W40)["week"] == W40
    assert "What holds capacity back, week 2026-W41" in shown(home, "blockers", "--system", "GPU-1")


def test_two_weeks_differ_by_what_happened(home):
    found = document(home, "diff", W40, W41)
    assert (found["before"], found["after"]) == ("2026-W40.2", "2026-W41.1")
    (system,) = found["systems"]
    assert (system["contracted_before"], system["contracted"]) == (128, 256)
    assert found["definitions"] == []
    text = shown(home, "diff", W40, W41)
    assert "128 -> 256" in text
    assert document(home, "diff", W41, W41)["systems"] == []
    assert "nothing differs" in shown(home, "diff", W41, W41)


def test_a_restatement_has_a_number_a_difference_and_a_cause(home):
    (database,) = home.published.glob("2026-W40.2.*.duckdb")
    query = "SELECT name, first_name, kind, issued, now, difference, reason, made_from FROM mart.restatements"
    expected = ("2026-W40.2", "2026-W40.1", "gpu_cluster", 0, 0, 0, "late receipt", "came 2026-09-29/grn1.csv")
    assert ask(database, query) == [expected]
    assert ask(home.warehouse, query) == [expected]
    assert ask(home.warehouse, "SELECT opening, closing FROM mart.change") == [(0, 0)]


def test_an_audit_without_evidence_is_never_go(home):
    found = document(home, "audit", "gpu-1", code=1)
    assert (found["system_id"], found["units"], found["verdict"]) == ("GPU-1", 0, "no data")
    assert {line["verdict"] for line in found["lines"]} == {"no data"}
    assert "GPU-1: no data, 0 units installed" in shown(home, "audit", "GPU-1", code=1)
