"""The code location as Dagster sees it: names, groups, partitions, schedule, checks."""

import shutil
from datetime import UTC, datetime

import dagster as dg
import pytest

from examples.demo import generate
from pipelines.definitions import build_definitions
from pipelines.partitions import partition_key, weekly_partitions
from tests.turnup.small_programme import PLAYBOOKS
from turnup.programme import Home
from turnup.week import Calendar


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """The demo programme before its first refresh."""
    home = Home(tmp_path_factory.mktemp("defined") / "demo")
    generate(home.root)
    shutil.copytree(PLAYBOOKS, home.playbooks, dirs_exist_ok=True)
    return home


@pytest.fixture(scope="module")
def definitions(home):
    return build_definitions(home)


def test_assets_are_grouped_and_each_says_what_it_is(definitions, home):
    specs = list(definitions.resolve_all_asset_specs())
    groups = {spec.group_name for spec in specs}
    assert groups == {"ingest", "core", "readiness", "reports"}
    assert all(spec.description and spec.kinds for spec in specs)
    # An asset costs every run; there is one for each dataset in use, and few others.
    datasets = {source.dataset for source in home.load().sources.values()}
    assert len(specs) - len(datasets) <= 14
    assert len(specs) <= 48


def test_every_dataset_in_use_has_two_checks_and_the_ledger_has_one(definitions, home):
    keys = definitions.resolve_asset_graph().asset_check_keys
    datasets = {source.dataset for source in home.load().sources.values()}
    expected = {(name, check) for name in datasets for check in ("errors", "warnings")}
    assert {(key.asset_key.to_user_string(), key.name) for key in keys} == expected | {
        ("staged_week", "row_ledger_closes")
    }


def test_partitions_are_the_reporting_weeks_with_the_open_one(home):
    programme = home.load()
    partitions = weekly_partitions(programme)
    keys = partitions.get_partition_keys(current_time=datetime(2026, 10, 31, tzinfo=UTC))
    assert keys[0] == "2026-08-07"
    assert keys[-1] == "2026-10-30"  # the week in which 31 October lies is still open
    calendar = Calendar(programme)
    for number, key in enumerate(keys[:12], start=33):
        assert partition_key(programme, calendar.week(f"2026-W{number}")) == key


@pytest.mark.parametrize(
    ("tick", "label", "key"),
    [
        (datetime(2026, 10, 30, 23, 0, tzinfo=UTC), "2026-W44", "2026-10-23"),
        (datetime(2026, 11, 7, 0, 0, tzinfo=UTC), "2026-W45", "2026-10-30"),  # after the clocks went back
    ],
)
def test_the_schedule_runs_the_window_just_closed(definitions, tick, label, key):
    schedule = definitions.resolve_schedule_def("weekly_governance_schedule")
    assert schedule.default_status == dg.DefaultScheduleStatus.RUNNING
    assert schedule.cron_schedule == "0 18 * * 5"
    assert schedule.execution_timezone == "America/Chicago"
    repository = definitions.get_repository_def()
    context = dg.build_schedule_context(scheduled_execution_time=tick, repository_def=repository)
    (request,) = schedule.evaluate_tick(context).run_requests
    assert (request.run_key, request.partition_key) == (label, key)


def test_run_config_is_two_fields_with_defaults(definitions):
    job = definitions.resolve_job_def("refresh")
    fields = job.run_config_schema.config_type.fields["resources"].config_type.fields["options"].config_type.fields
    config = fields["config"].config_type.fields
    assert set(config) == {"reason", "restate"}
    assert all(field.default_provided for field in config.values())
