"""The Dagster code location: assets, checks, jobs and the weekly schedule of the programme in ``TURNUP_HOME``."""

import os
import warnings
from functools import partial
from pathlib import Path

from dagster import (
    BetaWarning,
    DefaultScheduleStatus,
    Definitions,
    PreviewWarning,
    RunRequest,
    ScheduleDefinition,
    ScheduleEvaluationContext,
    in_process_executor,
    schedule,
    with_source_code_references,
)

from assets.checks import dataset_checks
from assets.context import ProgrammeResource, RefreshOptions
from assets.delivery import delivery_asset
from assets.ingest import ingest_assets
from assets.publication import REPORTS, report_assets
from assets.week import week_assets
from expectations.contract import load_contracts
from pipelines.cluster import THEN, celery, week_after_ingest
from pipelines.described import described
from pipelines.jobs import DELIVER, INGEST, REFRESH, WEEKLY, asset_jobs
from pipelines.partitions import partition_key, weekly_partitions
from pipelines.sensors import failure_sensor, inbox_sensor, unsent_sensor
from pipelines.what_if import what_if_job
from turnup.programme import Home
from turnup.week import Calendar


def build_definitions(home: Home, now: str = "") -> Definitions:
    """Everything Dagster needs to run one programme.

    It is told about parts of Dagster that are new; those are pinned with it, and nobody can act on the warnings.

    Args:
        home: the programme.
        now: instant to work at, ISO 8601 with zone, for tests; empty means the present one.
    """
    with warnings.catch_warnings():
        for category in (BetaWarning, PreviewWarning):
            warnings.simplefilter("ignore", category)
        return _definitions(home, now)


def _definitions(home: Home, now: str) -> Definitions:
    programme = home.load()
    clock = ProgrammeResource(home=str(home.root), now=now).instant
    contracts = load_contracts()
    datasets = [contracts[name] for name in sorted({source.dataset for source in programme.sources.values()})]
    partitions = weekly_partitions(programme)
    shared = programme.lake is not None
    jobs = asset_jobs(partitions, [contract.name for contract in datasets], celery() if shared else None)
    by_name = {job.name: job for job in jobs}
    sensors = [inbox_sensor(home, REFRESH, clock), unsent_sensor(home, DELIVER, clock), failure_sensor(home, clock)]
    if shared:
        sensors.append(week_after_ingest(by_name[INGEST], by_name[WEEKLY]))
    assets = [
        *ingest_assets(partitions, datasets, spread=shared),
        *week_assets(partitions, datasets),
        *report_assets(partitions),
        delivery_asset(partitions, list(REPORTS)),
    ]
    return Definitions(
        assets=with_source_code_references(assets),
        asset_checks=[dataset_checks(datasets)],
        jobs=[*jobs, what_if_job()],
        schedules=[_weekly_schedule(home)],
        sensors=sensors,
        resources={
            "programme": ProgrammeResource(home=str(home.root.resolve()), now=now),
            "options": RefreshOptions(),
        },
        executor=in_process_executor,
    ).map_asset_specs(func=partial(described, programme))


def _weekly_schedule(home: Home) -> ScheduleDefinition:
    programme = home.load()

    @schedule(
        name="weekly_governance_schedule",
        job_name=WEEKLY if programme.lake is None else INGEST,
        cron_schedule=programme.week.cron,
        execution_timezone=programme.time_zone,
        default_status=DefaultScheduleStatus.RUNNING,
        description="At every cut-off, for the window that has just closed.",
    )
    def weekly_governance_schedule(context: ScheduleEvaluationContext) -> RunRequest:
        week = Calendar(programme).last_closed(context.scheduled_execution_time)
        return RunRequest(
            run_key=week.label,
            partition_key=partition_key(programme, week),
            tags={"turnup/week": week.label} | ({} if programme.lake is None else {THEN: WEEKLY}),
        )

    return weekly_governance_schedule


def __getattr__(name: str) -> Definitions:
    """Build ``defs`` when Dagster asks for it, so that importing this module does no work."""
    if name == "defs":
        return build_definitions(Home(Path(os.environ.get("TURNUP_HOME", "demo"))))
    raise AttributeError(name)
