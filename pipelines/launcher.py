"""Runs are launched as Dagster does, and watched: one whose process died is failed, so that the next may begin.

Dagster's own launcher cannot tell whether a run's process still lives. Weeks are made one after the other, so a run
that a restart of the machine cut off would hold back every later one.
Belongs here: whether a run's process lives. Does not: what happens then (the instance fails and retries the run).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import grpc
from dagster import DefaultRunLauncher, deserialize_value
from dagster._core.errors import DagsterUserCodeUnreachableError
from dagster._core.launcher.base import CheckRunHealthResult, WorkerStatus
from dagster._grpc.types import CanCancelExecutionRequest, CanCancelExecutionResult

from pipelines.process import PROCESS_TAG, lives

if TYPE_CHECKING:
    from dagster import DagsterRun
    from dagster._grpc.client import DagsterGrpcClient

_DIED = CheckRunHealthResult(WorkerStatus.FAILED, "the process of the run ended before the run did")
_LIVES = CheckRunHealthResult(WorkerStatus.RUNNING)


class WatchedRunLauncher(DefaultRunLauncher):
    """Dagster's default launcher with an answer to whether a run's process lives."""

    @property
    def supports_check_run_worker_health(self) -> bool:
        """Always: the run names its process, or the code server that launched it is asked."""
        return True

    def check_run_worker_health(self, run: DagsterRun) -> CheckRunHealthResult:
        """Whether the process of a started run lives; where nobody can say, it does."""
        client: DagsterGrpcClient | None = self._get_grpc_client_for_termination(run.run_id)  # type: ignore[no-untyped-call]
        # A run that was launched again has the tags of the one before, so what launched it is asked first.
        alive = self._has(client, run.run_id) if client else lives(run.tags.get(PROCESS_TAG, ""))
        return _LIVES if alive else _DIED

    @staticmethod
    def _has(client: DagsterGrpcClient, run_id: str) -> bool:
        try:
            answer = client.can_cancel_execution(CanCancelExecutionRequest(run_id=run_id))
        except DagsterUserCodeUnreachableError as error:
            # No server there at all: it went with its runs. A server that is only slow still has them.
            cause = error.__cause__
            return not (isinstance(cause, grpc.RpcError) and cause.code() == grpc.StatusCode.UNAVAILABLE)
        return deserialize_value(answer, CanCancelExecutionResult).can_cancel
