"""Celery workers on this host, the programme that they read, and the settings of its cluster."""

import contextlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from dagster import DagsterInstance

from reports.render import render
from tests.pipelines.processes import running
from tests.turnup.small_programme import CLOSED, drop, made, receipt
from turnup.refresh import refresh
from turnup.warehouse.connection import connect

ROOT = Path(__file__).parents[3]
WEEK = "2026-W41"
NOW = CLOSED[WEEK]
PARTITION = "2026-10-02"
REPORTS = ("executive.json", "governance.json")
INSTANCE = """storage:
  postgres:
    postgres_db:
      {{hostname: 127.0.0.1, port: {port}, username: {user}, password: trusted, db_name: dagster,
       scheme: postgresql+psycopg2}}
telemetry: {{enabled: false}}
"""
WORKER = """execution:
  config:
    broker: {env: TURNUP_BROKER}
    backend: {env: TURNUP_BACKEND}
"""
INGEST = [
    *(sys.executable, "-m", "dagster", "job", "execute", "-m", "pipelines.definitions", "-a", "defs", "-j", "ingest"),
    *("--tags", f'{{"dagster/partition": "{PARTITION}"}}'),
]


def programme(folder):
    home = made(folder)
    for number in range(1, 13):
        drop(home, f"2026-10-0{number % 7 + 1}/grn{number}.csv", receipt(number, quantity=number))
    drop(home, "2026-10-05/grn-bad.csv", receipt(13).replace(",5,2026-09-30", ",many,2026-09-30"))
    return home


def reported(home):
    result = refresh(home, WEEK, NOW)
    with connect(result.database, read_only=True) as con:
        render(con, home.out / WEEK)
    return result, {name: (home.out / WEEK / name).read_bytes() for name in REPORTS}


@contextlib.contextmanager
def worker(name, environment, folder):
    """A worker that does one step at a time; gives the file of its log and its process."""
    log = folder / f"{name}.log"
    command = [Path(sys.executable).with_name("dagster-celery"), "worker", "start", "-n", name, "-y", "worker.yaml"]
    command += ["-A", "dagster_celery.app", "--", "--concurrency", "1", "--prefetch-multiplier", "1"]
    with running(command, log, cwd=folder, env=environment) as process:
        yield log, process


@contextlib.contextmanager
def open_to_servers():
    """A folder for servers: PostgreSQL runs as another user, who may not enter pytest's folders."""
    with tempfile.TemporaryDirectory(prefix="turnup-servers-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def prepared(home, folder, servers):
    """Make the lake and the instance of a programme; gives the environment of its processes."""
    catalog = f"postgres:host=127.0.0.1 port={servers.postgres} dbname=lake user={servers.user}"
    with home.configuration.open("a") as file:
        file.write(f"lake:\n  catalog: {catalog}\n  data: {folder / 'rows'}\n")
    instance = folder / "dagster"
    instance.mkdir()
    (instance / "dagster.yaml").write_text(INSTANCE.format(port=servers.postgres, user=servers.user))
    (folder / "worker.yaml").write_text(WORKER)
    broker = f"redis://127.0.0.1:{servers.redis}"
    environment = os.environ | {
        "DAGSTER_HOME": str(instance), "TURNUP_HOME": str(home.root), "TURNUP_BROKER": f"{broker}/0",
        "TURNUP_BACKEND": f"{broker}/1", "PYTHONPATH": str(ROOT),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }  # fmt: skip
    run([sys.executable, "-m", "pipelines", "lake", "--home", home.root], environment)
    with DagsterInstance.from_config(str(instance)) as opened:
        _ = opened.run_storage, opened.event_log_storage, opened.schedule_storage  # makes its tables, once
    return environment


def run(command, environment):
    """Run a command to its end."""
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
