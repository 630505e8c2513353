"""``turnup forecast`` and the job ``what_if`` on a small published programme; a question changes nothing on disk."""

import json
import re

import dagster as dg
import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.definitions import build_definitions
from tests.turnup.small_programme import CLOSED, CONFIGURATION, drop, made
from turnup import refresh as module
from turnup.readiness.forecasting.questions import ALLOWED, QuestionError
from turnup.refresh import refresh
from turnup.yaml_source import ConfigurationError

WEEK = "2026-W40"
SOURCES = """  raid: {dataset: raid, files: "raid*.csv", owner: Ana Ruiz}
  plan: {dataset: activities, files: "plan*.csv", owner: Ana Ruiz}
  plan-links: {dataset: activity_links, files: "plan*.csv", owner: Ana Ruiz}
"""
RAID = """id,type,title,system_id,gate,probability,impact_days,owner,opened
R-3,risk,Customs,GPU-1,install,0.5,20,Ana Ruiz,2026-09-01
"""
PLAN = """ID,Task Name,Duration,Predecessors,% Complete,System,Block,Gate
1,Rack,5 days,,0%,GPU-1,SU1,install
2,Cable,3 days,1,100%,GPU-1,SU1,install
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = made(tmp_path_factory.mktemp("home") / "aurora")
    home.configuration.write_text(CONFIGURATION + SOURCES, encoding="utf-8")
    drop(home, "2026-09-28/raid.csv", RAID)
    drop(home, "2026-09-28/plan.csv", PLAN)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "check_again", lambda *_: [])
        refresh(home, WEEK, CLOSED[WEEK])
    return home


def shown(home, *arguments):
    done = CliRunner().invoke(app, ["forecast", *arguments, "--home", str(home.root)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output


def document(home, *arguments):
    return json.loads(shown(home, *arguments, "--json"))


def on_disk(home):
    return {str(file): file.read_bytes() for file in sorted(home.root.rglob("*")) if file.is_file()}


def test_one_document_has_dates_and_what_they_rest_on(home):
    found = document(home)
    assert (found["week"], found["as_of"]) == (WEEK, "2026-10-02")
    line = next(row for row in found["forecasts"] if row["scope_type"] == "commitment")
    assert line["scope"] == "C-1/1/1"
    assert "2026-10-02" < line["p50"] <= line["p80"] <= line["p95"]
    assert 0 <= line["confidence"] <= 1
    assert {row["scope_type"] for row in found["drivers"]} == {"commitment", "kind", "system"}
    assert found["calibration"][0]["gates"] == 0
    assert [(row["code"], row["gate"], row["remaining_days"]) for row in found["claims"]] == [("2", "install", 3)]
    assert all(row["sentence"] for row in found["health"])
    assert {row["method"] for row in found["assumptions"]} >= {"lead time of the playbook", "risk"}


def test_for_people_it_is_tables_with_the_record_first(home):
    text = shown(home)
    for words in (
        "Forecast of week 2026-W40", "no gate has passed yet that was forecast 28 days before", "all gpu_cluster",
        "What decides it", "2 Cable is claimed done, gate install has not passed: 3 working days taken to remain",
    ):  # fmt: skip
        assert words in text


def test_a_question_is_answered_and_nothing_is_written(home):
    before = on_disk(home)
    found = document(home, "--what-if", "activity 1 duration 150d", "--what-if", "risk R-3 does not happen")
    assert found["questions"] == ["activity 1 duration 150d", "risk R-3 does not happen"]
    assert {one["scope"] for one in found["compared"]} == {"gpu_cluster", "GPU-1", "C-1/1/1"}
    for one in found["compared"]:
        assert one["changed"]
        assert one["after"]["p50"] > one["before"]["p50"]
        assert one["days"]["p50"] > 0
    assert on_disk(home) == before
    text = shown(home, "--what-if", "activity 1 duration 150d")
    assert re.search(r"2027-\d\d-\d\d -> 2027-\d\d-\d\d \(\+\d+ d\)", text)


def test_before_is_what_was_published(home):
    published = {(row["scope_type"], row["scope"]): row for row in document(home)["forecasts"]}
    for one in document(home, "--what-if", "risk R-3 happens")["compared"]:
        row = published[one["scope_type"], one["scope"]]
        assert [one["before"][name] for name in ("p50", "p80", "p95", "contract")] == [
            row[name] for name in ("p50", "p80", "p95", "confidence")
        ]


def test_what_changes_nothing_says_so(home):
    assert "No date and no chance would change." in shown(home, "--what-if", "gate GPU-1/install +0d")


@pytest.mark.parametrize(
    ("text", "words"),
    [("make it faster", ALLOWED[0]), ("risk R-9 happens", "R-3"), ("activity 77 duration 2d", "activity '77'")],
)
def test_what_cannot_be_answered_says_what_can(home, text, words):
    with pytest.raises(QuestionError, match=re.escape(text)) as refused:
        shown(home, "--what-if", text)
    assert words in str(refused.value)
    assert isinstance(refused.value, ConfigurationError)  # exit code 2


def test_a_week_without_a_result(home):
    with pytest.raises(ConfigurationError, match="2026-W41 has no result"):
        shown(home, "--week", "2026-W41")


def test_the_job_keeps_the_comparison_in_its_run(home):
    before = on_disk(home)
    config = {"questions": ["activity 1 duration 150d"], "reason": "crew is away", "week": WEEK}
    job = build_definitions(home).resolve_job_def("what_if")
    with dg.DagsterInstance.ephemeral() as instance:
        done = job.execute_in_process(instance=instance, run_config={"ops": {"compare": {"config": config}}})
        assert done.success
        (event,) = [event for event in done.events_for_node("compare") if event.is_successful_output]
    metadata = {name: value.value for name, value in event.step_output_data.metadata.items()}
    assert (metadata["week"], metadata["reason"], metadata["targets_changed"]) == (WEEK, "crew is away", 3)
    assert "activity 1 duration 150d" in metadata["questions"]
    assert "| C-1/1/1 | 128 |" in metadata["comparison"]
    assert on_disk(home) == before
