"""Sensors: what makes the programme run between two cut-offs.

The inbox is looked at every minute; a refresh of the present week begins once nothing in it has changed for two
minutes, so that one run takes what came together and no file that is still being copied. Messages that did not go out
are tried again, ever more seldom. A run that fails is told to the operator.
"""

from __future__ import annotations

import hashlib
import json
import os
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from dagster import (
    DagsterEvent,
    DefaultSensorStatus,
    RunFailureSensorContext,
    RunRequest,
    SensorDefinition,
    SensorEvaluationContext,
    SensorResult,
    SkipReason,
    run_failure_sensor,
    sensor,
)

from pipelines.partitions import partition_key
from reports.delivery.dispatch import tell_operator
from reports.delivery.journal import Entry, Journal
from reports.delivery.ready import sender_of
from turnup.durable import one_at_a_time
from turnup.landing import Landing
from turnup.week import Calendar

if TYPE_CHECKING:
    from collections.abc import Callable

    from turnup.programme import Home

INBOX = "inbox_sensor"
UNSENT = "unsent_messages"
FAILED = "failed_runs"
_QUIET = timedelta(minutes=2)
_EVERY_S = 60
_FIRST_WAIT = timedelta(minutes=5)
_LONGEST_WAIT = timedelta(hours=6)
_UNSENT = ("failed", "trying", "handing over")


def inbox_sensor(home: Home, job: str, clock: Callable[[], datetime]) -> SensorDefinition:
    """Starts a refresh of the present week when files have come and the inbox has been quiet."""

    @sensor(
        name=INBOX, job_name=job, minimum_interval_seconds=_EVERY_S, default_status=DefaultSensorStatus.RUNNING,
        description="Refreshes the present week when files have come and nothing has changed for two minutes.",
    )  # fmt: skip
    def watch(context: SensorEvaluationContext) -> SensorResult:
        programme, now = home.load(), clock()
        files = Landing(home, programme.time_zone).untaken(now)
        if not files:
            return SensorResult(skip_reason=SkipReason("nothing new in the inbox"), cursor="")
        seen = _digest(files)
        cursor = json.loads(context.cursor or "{}")
        if cursor.get("taken") == seen:
            return SensorResult(skip_reason=SkipReason(f"{len(files)} files were looked at and could not be taken"))
        if cursor.get("seen") != seen:
            return _wait(files, {"seen": seen, "since": now.isoformat(), "taken": cursor.get("taken", "")})
        if now - datetime.fromisoformat(cursor["since"]) < _QUIET:
            return _wait(files, cursor)
        week = Calendar(programme).containing(now)
        tags = {"turnup/week": week.label, "turnup/reason": f"{len(files)} new files"}
        request = RunRequest(run_key=seen, partition_key=partition_key(programme, week), tags=tags)
        return SensorResult(run_requests=[request], cursor=json.dumps({"taken": seen}))

    return watch


def _wait(files: dict[str, list[int]], cursor: dict[str, str]) -> SensorResult:
    reason = f"{len(files)} new files; waiting until nothing changes for {_QUIET.seconds} s"
    return SensorResult(skip_reason=SkipReason(reason), cursor=json.dumps(cursor))


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def unsent_sensor(home: Home, job: str, clock: Callable[[], datetime]) -> SensorDefinition:
    """Starts a round of delivery for messages that did not go out, after a pause that doubles with each round."""

    @sensor(
        name=UNSENT, job_name=job, minimum_interval_seconds=_EVERY_S, default_status=DefaultSensorStatus.RUNNING,
        description="Tries messages again that did not go out: after 5 minutes, then 10, 20, up to 6 hours.",
    )  # fmt: skip
    def try_again(context: SensorEvaluationContext) -> SensorResult:
        programme, now = home.load(), clock()
        unsent = [entry for entry in Journal(home.store).entries() if entry.state in _UNSENT]
        ripe = [entry for entry in unsent if now >= _next_try(entry, programme.delivery.attempts)]
        if not ripe:
            return SensorResult(skip_reason=SkipReason(f"{len(unsent)} messages wait for their next try"))
        week = Calendar(programme).last_closed(now)
        key = _digest([[entry.message.key, entry.message.version, entry.message.report, entry.at] for entry in ripe])
        return SensorResult(run_requests=[RunRequest(run_key=key, partition_key=partition_key(programme, week))])

    return try_again


def _next_try(entry: Entry, tries_a_round: int) -> datetime:
    rounds = max(0, -(-entry.attempts // tries_a_round) - 1)
    pause: timedelta = min(_FIRST_WAIT * 2 ** min(rounds, 10), _LONGEST_WAIT)
    return datetime.fromisoformat(entry.at) + pause


def failure_sensor(home: Home, clock: Callable[[], datetime]) -> SensorDefinition:
    """Tells the operator of every run that failed."""

    @run_failure_sensor(
        name=FAILED, default_status=DefaultSensorStatus.RUNNING, minimum_interval_seconds=_EVERY_S,
        description="Tells the operator of each run that failed: which job, which week, what went wrong.",
    )  # fmt: skip
    def failed(context: RunFailureSensorContext) -> None:
        programme = home.load()
        run = context.dagster_run
        week = run.tags.get("turnup/week", run.tags.get("dagster/partition", "no week"))
        subject = f"turnup: {run.job_name} of {week} failed ({programme.name})"
        errors = [_cause(event) for event in context.get_step_failure_events()] or [context.failure_event.message or ""]
        text = "\n".join([subject, "", *errors, "", f"Run {run.run_id}"])
        sender = sender_of(home, programme, os.environ, clock)
        with one_at_a_time(sender.journal.lock):
            tell_operator(sender, programme.delivery, "runs", subject, text + "\n")

    return failed


def _cause(event: DagsterEvent) -> str:
    """What went wrong first, without the orchestrator's words around it and without its stack."""
    error = event.step_failure_data.error
    while error is not None and error.cause is not None:
        error = error.cause
    step = (event.step_key or "a step").replace("_", " ")
    return f"{step}: {error.message.strip()}" if error else f"{step}: no message"
