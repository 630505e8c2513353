"""A machine that goes down in the middle of a run: when it is up again the run is failed, and run again by itself."""

import time

import pytest
from dagster import DagsterInstance, DagsterRunStatus
from dagster_graphql import DagsterGraphQLClient

from pipelines.partitions import partition_key
from tests.pipelines.processes import cut_off
from tests.pipelines.served import served
from tests.turnup.small_programme import made
from turnup.warehouse.manifest import ManifestStore
from turnup.week import Calendar

WEEK = "2026-W40"


def until(reached, seconds=240):
    end = time.monotonic() + seconds
    while not (found := reached()):
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.5)
    return found


@pytest.mark.slow
def test_a_run_cut_off_by_a_restart_is_run_again_and_the_week_is_made(tmp_path):
    home = made(tmp_path / "aurora")
    programme = home.load()
    key = partition_key(programme, Calendar(programme).week(WEEK))
    with served(home.root) as (process, port):
        client = DagsterGraphQLClient("127.0.0.1", port_number=port)
        run_id = client.submit_job_execution("refresh", tags={"dagster/partition": key})
        with DagsterInstance.from_config(str(home.dagster)) as instance:
            until(lambda: instance.get_run_by_id(run_id).status == DagsterRunStatus.STARTED)
            until(lambda: list((home.store / "build").glob(f"{WEEK}.*.duckdb")))
        cut_off(process)
    assert ManifestStore(home.store).latest(WEEK) is None
    with served(home.root), DagsterInstance.from_config(str(home.dagster)) as instance:
        until(lambda: ManifestStore(home.store).latest(WEEK) is not None)
        assert instance.get_run_by_id(run_id).status == DagsterRunStatus.FAILURE
        [again] = [run for run in instance.get_runs() if run.run_id != run_id]
        until(lambda: instance.get_run_by_id(again.run_id).is_finished)
        assert instance.get_run_by_id(again.run_id).status == DagsterRunStatus.SUCCESS
    assert (home.out / WEEK / "executive.html").exists()
    assert ManifestStore(home.store).names() == [(WEEK, 1)]
