"""The programme of the campaign and its week: real landing, staging, commit, issue and delivery, small results.

Reports and result tables take seconds to compute and are written in one place each, so few small ones stand in for
them; files are read in the process itself instead of a child of its own. Expectations are left out.
"""

from __future__ import annotations

import json
import shutil
import time
from datetime import timedelta
from email.message import EmailMessage
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import assets.publication
import reports.issue
import turnup.readiness.build as judging
from expectations.contract import load_contracts
from pipelines.instance import open_instance
from pipelines.runner import run_weeks
from reports.delivery.journal import Journal
from reports.delivery.ready import deliver
from reports.delivery.sender import Sender
from reports.render import write_whole
from tests.turnup.small_programme import CLOSED, FILES, PLAYBOOKS, drop, receipt
from turnup import formats, ingest
from turnup import refresh as refreshing
from turnup.durable import one_at_a_time
from turnup.programme import Home
from turnup.warehouse.connection import connect
from turnup.warehouse.steps import Steps
from turnup.week import Calendar

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from pathlib import Path

    import duckdb

    from turnup.programme import Programme

WEEKS = ("2026-W40", "2026-W41")
FRIENDS = {"ada@example.net": "executive", "bert@example.net": "governance"}
OPERATOR = "ops@example.net"
_TABLES = ("blockers", "change", "commitments", "findings", "forecast", "funnel", "gates")
_TEXTS_OF_A_FINDING = ("code", "severity", "dataset", "subject", "file", "sheet", "message")
ROWS = 1000
"""Of each result table."""
_CONFIGURATION = """name: Aurora
time_zone: UTC
first_week: 2026-W40
sources:
  sites: {{dataset: sites, files: "sites*.csv", owner: Ana Ruiz, max_age_days: 8}}
  systems: {{dataset: systems, files: "systems*.csv", owner: Ana Ruiz}}
  receipts: {{dataset: receipts, files: "grn*.csv", mode: events, owner: Dock}}
delivery:
  mail: {{host: 127.0.0.1, port: {port}, sender: turnup@example.org, security: none, timeout_s: 20}}
  operator: [ops@example.net]
  attempts: 2
recipients:
  - {{name: Ada, email: ada@example.net, report: executive}}
  - {{name: Bert, email: bert@example.net, report: governance}}
"""


def stand_in() -> None:
    """Put the small results, pages and reader in their places in this process, and load what each child would."""
    load_contracts()
    here = SimpleNamespace(parse=formats.parse)
    places: tuple[tuple[object, str, object], ...] = (
        (ingest, "shared_reader", lambda: here), (refreshing, "check_again", lambda *_: []),
        (judging, "build", _results), (reports.issue, "render", _pages), (assets.publication, "render_index", index),
    )  # fmt: skip
    for module, name, stand_in_for_it in places:
        setattr(module, name, stand_in_for_it)


def lay(folder: Path, port: int) -> Home:
    """Make the programme, before its first week."""
    home = Home(folder)
    home.playbooks.mkdir(parents=True)
    shutil.copy(PLAYBOOKS / "storage.yaml", home.playbooks)
    home.configuration.write_text(_CONFIGURATION.format(port=port), encoding="utf-8")
    for name in ("sites.csv", "systems.csv"):
        drop(home, f"2026-09-28/{name}", FILES[name])
    for number in range(3):
        drop(home, f"2026-09-29/grn{number}.csv", receipt(number))
    with open_instance(home):
        return home


def next_files(home: Home) -> None:
    """What comes in between the two weeks."""
    for number in range(3, 6):
        drop(home, f"2026-10-06/grn{number}.csv", receipt(number))


def make(home: Home, week: str) -> None:
    """Refresh a week, and issue and send its reports, in the steps of the ``refresh`` job."""
    result = refreshing.refresh(home, week, CLOSED[week])
    with one_at_a_time(home.store / "reports.lock"), connect(result.database, read_only=True) as con:
        reports.issue.issue_week(home, result.manifest, con, home.load().audiences)
    with one_at_a_time(home.store / "reports.lock"):
        index(home.out)
    send(home, CLOSED[week])


def through_dagster(home: Home, week: str) -> None:
    """Make a week by the job, as ``turnup refresh`` does."""
    list(run_weeks(home, [Calendar(home.load()).week(week)], reason="", restate=False, now=CLOSED[week].isoformat()))


def send(home: Home, now: datetime) -> None:
    """One round of delivery."""
    programme = home.load()
    deliver(home, programme, Sender(programme.delivery, home.root, Journal(home.store), {}, lambda: now, time.sleep))


def later(week: str) -> datetime:
    """The round of delivery after the one of ``make``."""
    closed: datetime = CLOSED[week]
    return closed + timedelta(minutes=5)


def index(out: Path) -> Path:
    """The page of weeks."""
    return write_whole(out / "index.html", "\n".join(sorted(file.name for file in out.glob("2026-W*"))))


def _results(con: duckdb.DuckDBPyConnection, programme: Programme, *_: Any) -> None:
    steps = Steps(con)
    steps.run("results", None, lambda to: _tables(to, programme))
    steps.finish()


def _tables(con: duckdb.DuckDBPyConnection, programme: Programme) -> None:
    con.execute("CREATE SCHEMA IF NOT EXISTS mart")
    rows = "sites CROSS JOIN (SELECT count(*) AS receipts FROM stg.receipts)"
    for table in _TABLES:
        con.execute(
            f"CREATE OR REPLACE TABLE mart.{table} AS SELECT $1 AS programme, site_id, receipts, n FROM stg.{rows} "
            f"CROSS JOIN range({ROWS}) AS r(n)",
            [programme.name],
        )
    con.execute('ALTER TABLE mart.findings ADD COLUMN "row" BIGINT')
    for column in _TEXTS_OF_A_FINDING:
        con.execute(f"ALTER TABLE mart.findings ADD COLUMN {column} VARCHAR")
    con.execute(
        "CREATE OR REPLACE TABLE mart.classes AS SELECT 'gpu_cluster' AS kind, receipts AS contracted, 0 AS due, "
        f"0 AS schedulable, 0 AS delta, 'units' AS unit, 'open' AS status FROM stg.{rows}"
    )


def _pages(con: duckdb.DuckDBPyConnection, folder: Path, formats: Iterable[str] = (), *_: Any) -> list[Path]:
    """Files of the names that delivery, index and metadata ask for."""
    folder.mkdir(parents=True, exist_ok=True)
    (week,) = con.sql("SELECT week FROM meta.week").fetchall()[0]
    rows = "\n".join(map(repr, con.sql("SELECT * FROM mart.funnel ORDER BY ALL").fetchall()))
    header = {"issue_state": "FINAL", "issue_reasons": [], "week": week, "released": None}
    said = {"header": header, "what_changed": {"answer": "nothing"}, "how_much": {"answer": "all"}}
    files = [write_whole(folder / "executive.json", json.dumps(said))]
    for report in FRIENDS.values():
        files.append(write_whole(folder / f"{report}.html", f"{report} {week}\n{rows}\n"))
        files.append(write_whole(folder / f"{report}.eml", _message(str(week), report)))
    return sorted(files)


def _message(week: str, report: str) -> str:
    mail = EmailMessage()
    mail["Subject"] = f"Readiness {week}"
    mail["From"] = "turnup <turnup@localhost>"
    mail.set_content(f"The {report} report of {week}.\n" + "It holds.\n" * 200)
    mail.add_alternative(f"<p>The {report} report of {week}</p>", subtype="html")
    mail.set_boundary("=week")
    return mail.as_string()
