"""Reading on several machines: where the steps of the job ``ingest`` run, and what follows them.

Belongs here: Celery as the executor, and the week's run that begins when its files are read. Does not: how rows are
shared (``turnup.warehouse.lake``), nor how a week is made, which stays in one process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dagster import (
    DagsterRunStatus,
    DefaultSensorStatus,
    ExecutorDefinition,
    RunRequest,
    RunStatusSensorContext,
    SensorDefinition,
    SkipReason,
    run_status_sensor,
)

from pipelines.jobs import WEEKLY

if TYPE_CHECKING:
    from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

THEN = "turnup/then"
"""Tag of a run of ``ingest``: the job that begins when it has ended well."""
_PARTITION = "dagster/partition"


def celery() -> ExecutorDefinition:
    """Celery at the broker and result backend that the environment names."""
    from dagster_celery import celery_executor

    return celery_executor.configured({"broker": {"env": "TURNUP_BROKER"}, "backend": {"env": "TURNUP_BACKEND"}})


def week_after_ingest(ingest: UnresolvedAssetJobDefinition, weekly: UnresolvedAssetJobDefinition) -> SensorDefinition:
    """Starts the week's run when all of its files were read on the workers."""

    @run_status_sensor(
        run_status=DagsterRunStatus.SUCCESS, name="week_after_ingest", monitored_jobs=[ingest], request_job=weekly,
        default_status=DefaultSensorStatus.RUNNING,
        description="Makes the week that has closed, once its files were read on the workers.",
    )  # fmt: skip
    def follow(context: RunStatusSensorContext) -> RunRequest | SkipReason:
        tags = context.dagster_run.tags
        if tags.get(THEN) != WEEKLY:
            return SkipReason("this run was asked for by itself")
        week = tags["turnup/week"]
        return RunRequest(run_key=week, partition_key=tags[_PARTITION], tags={"turnup/week": week})

    return follow
