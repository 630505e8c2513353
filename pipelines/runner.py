"""Runs the ``refresh`` job in this process and records it in the programme's own Dagster instance."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dagster import DagsterInstance, DagsterRunStatus, RunsFilter

from pipelines.definitions import REFRESH, build_definitions
from pipelines.instance import prepare_instance
from pipelines.partitions import partition_key
from turnup.refresh import Blocked
from turnup.warehouse.manifest import Manifest, ManifestStore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turnup.programme import Home
    from turnup.week import Week

_PROCESS = "turnup/process"


@dataclass(frozen=True)
class RunOutcome:
    """A finished run: its id, the week's result, and whether the run made it or found it standing."""

    run_id: str
    manifest: Manifest
    changed: bool


def run_weeks(home: Home, weeks: list[Week], *, reason: str, restate: bool, now: str = "") -> Iterator[RunOutcome]:
    """Run the job for each week in turn; one instance and one set of definitions serve them all.

    Raises:
        Blocked: findings stop a week from being published.
    """
    prepare_instance(home)
    programme = home.load()
    job = build_definitions(home, now).resolve_job_def(REFRESH)
    options = {
        "resources": {"options": {"config": {"reason": reason, "restate": restate}}},
        # Events are kept in the instance for the UI; a terminal shows progress and errors.
        "loggers": {"console": {"config": {"log_level": "ERROR"}}},
    }
    with DagsterInstance.from_config(str(home.dagster)) as instance:
        fail_dead_runs(instance)
        for week in weeks:
            before = ManifestStore(home.store).latest(week.label)
            tags = {_PROCESS: _process(os.getpid()), "turnup/week": week.label, "turnup/reason": reason}
            try:
                result = job.execute_in_process(
                    instance=instance, partition_key=partition_key(programme, week), run_config=options,
                    tags={key: value for key, value in tags.items() if value},
                )  # fmt: skip
            except Exception as error:
                blocked = _find_blocked(error)
                if blocked is not None:
                    raise blocked from error
                raise
            manifest = ManifestStore(home.store).latest(week.label)
            if manifest is None:
                raise RuntimeError(f"the run {result.run_id} ended without a result for {week.label}")
            yield RunOutcome(result.run_id, manifest, before is None or before.name != manifest.name)


def fail_dead_runs(instance: DagsterInstance) -> int:
    """Mark runs of processes of this host that no longer exist as failed; returns how many."""
    unfinished = RunsFilter(statuses=[DagsterRunStatus.STARTED, DagsterRunStatus.STARTING])
    dead = 0
    for run in instance.get_runs(filters=unfinished):
        owner = run.tags.get(_PROCESS)
        host, _, pid = (owner or "").partition(":")
        if host == socket.gethostname() and owner != _process(int(pid.split(":")[0])):
            instance.report_run_failed(run, "its process ended without finishing the run")
            dead += 1
    return dead


def _process(pid: int) -> str:
    """Host, process id and its start time: a process id alone is used again."""
    try:
        started = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[19]
    except (OSError, IndexError):
        started = "gone"
    return f"{socket.gethostname()}:{pid}:{started}"


def _find_blocked(error: BaseException) -> Blocked | None:
    """The ``Blocked`` that a step raised, under what the orchestrator wrapped around it."""
    seen: list[BaseException] = []
    waiting = [error]
    while waiting:
        current = waiting.pop()
        if isinstance(current, Blocked):
            return current
        if current not in seen:
            seen.append(current)
            waiting += [cause for cause in (current.__cause__, current.__context__) if cause is not None]
    return None
