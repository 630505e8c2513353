"""Runs the ``refresh`` job in this process and records it in the programme's own Dagster instance."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from dagster import DagsterInstance, DagsterRunStatus, RunsFilter
from dagster._core.storage.tags import GRPC_INFO_TAG

from assets.context import discard_candidate, refresh_of
from pipelines.definitions import build_definitions
from pipelines.instance import open_instance
from pipelines.jobs import REFRESH
from pipelines.outcome import RunOutcome
from pipelines.partitions import partition_key
from pipelines.process import PROCESS_TAG, lives, this_process
from turnup.durable import StoreDamaged
from turnup.refresh import Blocked, Overtaken
from turnup.warehouse.manifest import ManifestStore
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dagster import JobDefinition

    from turnup.programme import Home
    from turnup.week import Week

_ATTEMPTS = 3


def run_weeks(home: Home, weeks: list[Week], *, reason: str, restate: bool, now: str = "") -> Iterator[RunOutcome]:
    """Run the job for each week in turn; one instance and one set of definitions serve them all.

    Raises:
        Blocked: findings stop a week from being published.
        ConfigurationError: the configuration cannot be used.
        StoreDamaged: a file that turnup wrote cannot be read back.
        OSError: a file could not be written.
    """
    programme = home.load()
    job = build_definitions(home, now).resolve_job_def(REFRESH)
    options = {
        "resources": {"options": {"config": {"reason": reason, "restate": restate}}},
        # Events are kept in the instance for the UI; a terminal shows progress and errors.
        "loggers": {"console": {"config": {"log_level": "ERROR"}}},
    }
    with open_instance(home) as instance:
        fail_dead_runs(instance)
        for week in weeks:
            for attempt in range(_ATTEMPTS):
                try:
                    outcome = _run_week(home, job, instance, week, partition_key(programme, week), reason, options)
                except Overtaken:
                    if attempt == _ATTEMPTS - 1:
                        raise
                    continue
                yield outcome
                break


def _run_week(
    home: Home, job: JobDefinition, instance: DagsterInstance, week: Week, key: str, reason: str, options: Any
) -> RunOutcome:
    before = ManifestStore(home.store).latest(week.label)
    tags = {PROCESS_TAG: this_process(), "turnup/week": week.label, "turnup/reason": reason, "dagster/max_retries": "0"}
    run_id = str(uuid.uuid4())
    try:
        job.execute_in_process(
            instance=instance, partition_key=key, run_config=options, run_id=run_id,
            tags={key: value for key, value in tags.items() if value},
        )  # fmt: skip
    except Exception as error:
        discard_candidate(run_id)
        known = _find(error)
        if known is not None:
            raise known from error
        raise
    manifest = ManifestStore(home.store).latest(week.label)
    made = refresh_of(run_id)
    if manifest is None or made is None:
        raise RuntimeError(f"the run {run_id} ended without a result for {week.label}")
    changed = before is None or before.name != manifest.name
    return RunOutcome(run_id, manifest, changed, 0 if changed else len(made.plan().late), made.not_taken)


def fail_dead_runs(instance: DagsterInstance) -> int:
    """Mark runs of commands of this host whose process no longer exists as failed; returns how many."""
    unfinished = RunsFilter(statuses=[DagsterRunStatus.STARTED, DagsterRunStatus.STARTING])
    dead = [
        run
        for run in instance.get_runs(filters=unfinished)
        if GRPC_INFO_TAG not in run.tags and not lives(run.tags.get(PROCESS_TAG, ""))
    ]
    for run in dead:
        instance.report_run_failed(run, "its process ended without finishing the run")
    return len(dead)


_KNOWN = (Blocked, ConfigurationError, StoreDamaged, Overtaken, OSError)


def _find(error: BaseException) -> Exception | None:
    """The error with a sentence of its own that a step raised, under what the orchestrator wrapped around it."""
    seen: list[BaseException] = []
    waiting = [error]
    while waiting:
        current = waiting.pop(0)
        if isinstance(current, _KNOWN):
            return current
        if current not in seen:
            seen.append(current)
            waiting += [cause for cause in (current.__cause__, current.__context__) if cause is not None]
    return None
