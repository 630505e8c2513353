"""The Dagster code location: assets, checks, jobs and the weekly schedule of the programme in ``TURNUP_HOME``."""

import os
from pathlib import Path

from dagster import (
    AssetSelection,
    DefaultScheduleStatus,
    Definitions,
    RunRequest,
    ScheduleDefinition,
    ScheduleEvaluationContext,
    define_asset_job,
    in_process_executor,
    schedule,
)

from assets.checks import dataset_checks
from assets.context import ProgrammeResource, RefreshOptions
from assets.delivery import DELIVERED, delivery_asset
from assets.ingest import INBOX as INBOX_FILES
from assets.ingest import ingest_assets
from assets.publication import REPORTS, report_assets
from assets.week import week_assets
from expectations.contract import load_contracts
from pipelines.partitions import partition_key, weekly_partitions
from pipelines.sensors import failure_sensor, inbox_sensor, unsent_sensor
from pipelines.what_if import what_if_job
from turnup.programme import Home
from turnup.week import Calendar

WEEKLY = "weekly_governance"
REFRESH = "refresh"
INGEST = "ingest"
DELIVER = "deliver"


def build_definitions(home: Home, now: str = "") -> Definitions:
    """Everything Dagster needs to run one programme.

    Args:
        home: the programme.
        now: instant to work at, ISO 8601 with zone, for tests; empty means the present one.
    """
    programme = home.load()
    clock = ProgrammeResource(home=str(home.root), now=now).instant
    contracts = load_contracts()
    datasets = [contracts[name] for name in sorted({source.dataset for source in programme.sources.values()})]
    partitions = weekly_partitions(programme)
    everything = AssetSelection.all()
    weekly = define_asset_job(
        WEEKLY, selection=everything, partitions_def=partitions,
        description="The week just closed: ingest, checks, readiness and both reports. Runs by itself at the cut-off.",
    )  # fmt: skip
    refresh = define_asset_job(
        REFRESH, selection=everything, partitions_def=partitions,
        description="An ad hoc refresh of one week. Choose the week as the partition; say why in the run config.",
    )  # fmt: skip
    ingest = define_asset_job(
        INGEST, selection=[INBOX_FILES, *(contract.name for contract in datasets)], partitions_def=partitions,
        description="Reads what is new in the inbox and shows what was refused; no week is made.",
    )  # fmt: skip
    deliver = define_asset_job(
        DELIVER, selection=[DELIVERED], partitions_def=partitions,
        description="Sends what is due and has not gone out; nobody gets a report twice.",
    )  # fmt: skip
    return Definitions(
        assets=[
            ingest_assets(partitions, datasets),
            *week_assets(partitions, datasets),
            *report_assets(partitions),
            delivery_asset(partitions, list(REPORTS)),
        ],
        asset_checks=[dataset_checks(datasets)],
        jobs=[weekly, refresh, ingest, deliver, what_if_job()],
        schedules=[_weekly_schedule(home)],
        sensors=[inbox_sensor(home, REFRESH, clock), unsent_sensor(home, DELIVER, clock), failure_sensor(home, clock)],
        resources={
            "programme": ProgrammeResource(home=str(home.root.resolve()), now=now),
            "options": RefreshOptions(),
        },
        executor=in_process_executor,
    )


def _weekly_schedule(home: Home) -> ScheduleDefinition:
    programme = home.load()

    @schedule(
        name="weekly_governance_schedule",
        job_name=WEEKLY,
        cron_schedule=programme.week.cron,
        execution_timezone=programme.time_zone,
        default_status=DefaultScheduleStatus.RUNNING,
        description="At every cut-off, for the window that has just closed.",
    )
    def weekly_governance_schedule(context: ScheduleEvaluationContext) -> RunRequest:
        week = Calendar(programme).last_closed(context.scheduled_execution_time)
        return RunRequest(
            run_key=week.label, partition_key=partition_key(programme, week), tags={"turnup/week": week.label}
        )

    return weekly_governance_schedule


def __getattr__(name: str) -> Definitions:
    """Build ``defs`` when Dagster asks for it, so that importing this module does no work."""
    if name == "defs":
        return build_definitions(Home(Path(os.environ.get("TURNUP_HOME", "demo"))))
    raise AttributeError(name)
