"""The programme's own Dagster instance on disk: its configuration, telemetry off, and opening it."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from turnup.durable import one_at_a_time, replace_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dagster import DagsterInstance

    from turnup.programme import Home

_INSTANCE = """# The Dagster instance of this programme: runs, events and schedules, in SQLite files beside this one.
telemetry:
  enabled: false
nux:
  enabled: false
freshness:
  enabled: true
# Weeks are made one after the other: each compares itself with the one before.
concurrency:
  runs:
    max_concurrent_runs: 1
# A run whose process died is failed and run again; one that failed by itself is not.
run_launcher:
  module: pipelines.launcher
  class: WatchedRunLauncher
run_monitoring:
  enabled: true
  poll_interval_seconds: 30
run_retries:
  enabled: true
  max_retries: 2
  retry_on_asset_or_op_failure: false
"""


def prepare_instance(home: Home) -> None:
    """Write the instance's configuration when there is none."""
    file = home.dagster / "dagster.yaml"
    if not file.exists():
        replace_bytes(file, _INSTANCE.encode())


@contextlib.contextmanager
def open_instance(home: Home) -> Iterator[DagsterInstance]:
    """Open the instance, made when there is none; of processes that open it at once, one makes its tables."""
    from dagster import DagsterInstance

    prepare_instance(home)
    with one_at_a_time(home.dagster / "opening.lock"):
        instance = DagsterInstance.from_config(str(home.dagster))
        _ = instance.run_storage, instance.event_log_storage, instance.schedule_storage
    with instance:
        yield instance
