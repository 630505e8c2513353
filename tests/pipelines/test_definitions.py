"""The code location as Dagster sees it: names, groups, partitions, schedule, checks."""

import shutil
from datetime import UTC, datetime, timedelta

import dagster as dg
import pytest

from examples.demo import generate
from pipelines.definitions import build_definitions
from pipelines.partitions import partition_key, weekly_partitions
from tests.turnup.small_programme import PLAYBOOKS, made
from turnup.landing import Landing
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
    assert len(specs) - len(datasets) <= 17
    assert len(specs) <= 51


def test_the_code_location_loads(definitions):
    dg.Definitions.validate_loadable(definitions)


def test_every_asset_says_who_answers_for_it_and_when_it_is_too_old(definitions, home):
    sources = home.load().sources.values()
    for spec in definitions.resolve_all_asset_specs():
        ages = [one.max_age_days for one in sources if one.dataset == spec.key.to_user_string() and one.max_age_days]
        assert spec.owners
        assert spec.freshness_policy.fail_window.to_timedelta() == timedelta(days=min(ages, default=8))


def test_every_asset_leads_to_its_code(definitions):
    for definition in definitions.resolve_asset_graph().assets_defs:
        for metadata in definition.metadata_by_key.values():
            [place] = metadata["dagster/code_references"].code_references
            assert "/assets/" in place.file_path


def test_what_runs_by_itself_is_running(definitions):
    started = {sensor.name for sensor in definitions.sensors if sensor.default_status == dg.DefaultSensorStatus.RUNNING}
    assert started == {"inbox_sensor", "unsent_messages", "failed_runs"}


@pytest.mark.parametrize(
    ("job", "config"),
    [
        ("refresh", None),
        ("ingest", None),
        ("deliver", None),
        ("rerender", {"reason": "", "rewrite": True}),
        ("restate", {"reason": "", "restate": True}),
    ],
)
def test_jobs_start_as_they_stand(definitions, job, config):
    made = definitions.resolve_job_def(job)
    assert made.description
    given = made.partitioned_config.get_run_config_for_partition_key("2026-10-23")
    assert given == ({"resources": {"options": {"config": config}}} if config else {})


def test_ingest_reads_a_programme_that_has_no_week_yet(tmp_path):
    home = made(tmp_path / "aurora")
    job = build_definitions(home, "2026-10-01T12:00:00+00:00").resolve_job_def("ingest")
    with dg.DagsterInstance.ephemeral() as instance:
        done = job.execute_in_process(instance=instance, partition_key="2026-09-25")
    assert done.success
    read = {event.asset_key.to_user_string() for event in done.get_asset_materialization_events()}
    assert {"systems", "receipts"} <= read
    assert len(Landing(home, "UTC").deliveries()) == 4


def test_every_dataset_in_use_has_two_checks_and_the_ledger_has_one(definitions, home):
    keys = definitions.resolve_asset_graph().asset_check_keys
    datasets = {source.dataset for source in home.load().sources.values()}
    expected = {(name, check) for name in datasets for check in ("errors", "warnings")}
    assert {(key.asset_key.to_user_string(), key.name) for key in keys} == expected | {
        ("staged_week", "row_ledger_closes"),
        ("delivered_reports", "everything_due_went_out"),
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


def test_run_config_is_three_fields_with_defaults(definitions):
    job = definitions.resolve_job_def("refresh")
    fields = job.run_config_schema.config_type.fields["resources"].config_type.fields["options"].config_type.fields
    config = fields["config"].config_type.fields
    assert set(config) == {"reason", "restate", "rewrite"}
    assert all(field.default_provided for field in config.values())
