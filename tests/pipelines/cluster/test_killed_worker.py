"""A worker is killed while it commits; the run is made again; the lake has each row once, and survives its machine."""

import contextlib
import shutil
import subprocess
import sys
import time

import pytest

pytest.importorskip("dagster_celery", reason="the extra 'cluster' is not installed")

import psycopg2

from expectations.contract import load_contracts
from tests.pipelines.cluster.servers import binaries, serving
from tests.pipelines.cluster.workers import INGEST, ROOT, open_to_servers, prepared, programme, reported, run, worker
from tests.pipelines.processes import cut_off
from turnup.warehouse.connection import connect
from turnup.warehouse.lake import LakeStore

pytestmark = pytest.mark.slow
LATER = "2099-01-01T00:00:00Z"


def test_after_a_kill_and_a_restore_the_reports_are_those_of_one_machine(tmp_path):
    _, alone = reported(programme(tmp_path / "alone"))
    home = programme(tmp_path / "shared")
    with open_to_servers() as folder, serving(folder) as servers:
        environment = prepared(home, folder, servers)
        kill_one_that_commits(folder, servers, environment)
        with worker("two", environment, folder), worker("three", environment, folder):
            run(INGEST, environment)
        rows = each_row_once(home)
        keep_in_order(home, folder, environment)
        lose_and_restore(folder, servers)
        assert each_row_once(home) == rows
        result, together = reported(home)
    assert sum(summary.files for summary in result.ingested) == 0, "rows were lost"
    assert together == alone


def kill_one_that_commits(folder, servers, environment):
    """Begin the run, and kill its worker with all its processes when its rows are written and not committed."""
    with commits_held(servers) as wait_for_one, worker("one", environment, folder) as (_, one):
        job = subprocess.Popen(INGEST, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)
        try:
            wait_for_one()
            assert list((folder / "rows").rglob("*.parquet")), "nothing was written before the commit"
        finally:
            for process in (one, job):
                cut_off(process)


@contextlib.contextmanager
def commits_held(servers):
    """Nobody can commit to the lake meanwhile, and everybody can read; gives what waits until somebody tries to."""
    address = {"host": "127.0.0.1", "port": servers.postgres, "user": servers.user, "dbname": "lake"}
    with contextlib.closing(psycopg2.connect(**address)) as con, con.cursor() as cursor:
        cursor.execute("LOCK TABLE ducklake_snapshot IN SHARE MODE")

        def wait():
            end = time.monotonic() + 120
            while time.monotonic() < end:
                cursor.execute(
                    "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'ducklake_snapshot'::regclass"
                )
                if cursor.fetchone()[0]:
                    return
                time.sleep(0.1)
            pytest.fail("no worker came to its commit")

        yield wait


def each_row_once(home):
    """Every row of the lake that counts, by table; none of them twice."""
    store, found = LakeStore(home.load().lake), {}
    with connect() as con:
        store.attach(con)
        for dataset in ("blocks", "commitments", "receipts", "sites", "systems"):
            scan = store.scan(con, dataset, [dataset])
            found[dataset] = con.sql(f"SELECT * EXCLUDE (_batch) FROM {scan} ORDER BY ALL").fetchall()
            assert len(set(found[dataset])) == len(found[dataset])
    assert {dataset: len(rows) for dataset, rows in found.items()} == {
        "blocks": 1, "commitments": 1, "receipts": 12, "sites": 1, "systems": 1,
    }  # fmt: skip
    assert len(store.known(load_contracts())) == 12 + 1 + 4
    return found


def keep_in_order(home, folder, environment):
    """Merge and clear the files, twice, as if days had gone by: one of each table is left, none of who was killed."""
    for _ in range(2):
        run([sys.executable, "-m", "pipelines", "lake", "--tidy", "--home", home.root, "--now", LATER], environment)
    left = list((folder / "rows").rglob("*.parquet"))
    assert len(left) == len({file.parent for file in left})


def lose_and_restore(folder, servers):
    """Back up as docs/cluster.md says, lose catalog and rows, and put them back."""
    programs, _ = binaries()
    address = ["-h", "127.0.0.1", "-p", str(servers.postgres), "-U", servers.user]
    dump, rows, kept = folder / "lake.sql", folder / "rows", folder / "rows.backup"
    for command in (
        [programs / "pg_dump", *address, "-f", dump, "lake"],
        ["cp", "-a", rows, kept],
        [programs / "dropdb", *address, "--force", "lake"],
    ):
        subprocess.run(command, check=True, cwd=folder)
    shutil.rmtree(rows)
    for command in (
        ["cp", "-a", kept, rows],
        [programs / "createdb", *address, "lake"],
        [programs / "psql", *address, "-q", "-o", "/dev/null", "-v", "ON_ERROR_STOP=1", "-d", "lake", "-f", dump],
    ):
        subprocess.run(command, check=True, cwd=folder)
