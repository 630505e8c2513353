"""A week in which nothing is new starts no run; whatever a run would do, it is not left out."""

import os
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from pipelines.commands.output import Output
from pipelines.commands.refresh import run_with_progress
from pipelines.standing import standing_outcome
from reports.delivery.journal import Journal, Message
from turnup.programme import Home
from turnup.warehouse.manifest import ManifestStore
from turnup.warehouse.publish import published_file
from turnup.week import Calendar

ROOT = Path(__file__).parents[2]
NOW = "2026-10-02T18:30:00+00:00"
MOMENT = datetime.fromisoformat(NOW)
WEEK = "2026-W39"
CONFIGURATION = """name: Aurora
time_zone: UTC
sources:
  systems: {dataset: systems, files: "systems*.csv", owner: Ana Ruiz}
"""
SYSTEMS = "system_id,kind,site\nGPU-1,gpu_cluster,SITE-A\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    home = Home(tmp_path_factory.mktemp("aurora"))
    shutil.copytree(ROOT / "playbooks", home.playbooks)
    (home.inbox / "2026-09-23").mkdir(parents=True)
    (home.inbox / "2026-09-23" / "systems.csv").write_text(SYSTEMS)
    home.configuration.write_text(CONFIGURATION)
    [first] = refresh(home)
    assert first.run_id
    assert first.changed
    return home


@pytest.fixture
def home(made, tmp_path):
    return Home(Path(shutil.copytree(made.root, tmp_path / "aurora", symlinks=True)))


def week(home):
    return Calendar(home.load()).reportable(WEEK, MOMENT)


def refresh(home, **changes):
    options = {"reason": "", "restate": False, "now": NOW} | changes
    return run_with_progress(home, [week(home)], Output(as_json=True), **options)


def stands(home):
    return standing_outcome(home, week(home), MOMENT) is not None


def test_nothing_new_starts_no_run(home):
    [found] = refresh(home)
    assert (found.run_id, found.changed, found.late) == ("", False, 0)
    assert found.manifest == ManifestStore(home.store).latest(WEEK)


def test_asking_again_loads_nothing_of_the_orchestrator(home):
    code = (
        "import sys; from pathlib import Path; from datetime import datetime; from pipelines.standing import *\n"
        "from turnup.programme import Home; from turnup.week import Calendar\n"
        f"home = Home(Path({str(home.root)!r})); now = datetime.fromisoformat({NOW!r})\n"
        f"assert standing_outcome(home, Calendar(home.load()).reportable({WEEK!r}, now), now)\n"
        "print([name for name in ('dagster', 'great_expectations', 'numba') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "[]\n"


def test_a_restatement_is_a_run(home):
    [found] = refresh(home, restate=True)
    assert found.run_id


def _file_came(home):
    (home.inbox / "2026-09-24").mkdir()
    (home.inbox / "2026-09-24" / "systems.csv").write_text(SYSTEMS + "GPU-2,gpu_cluster,SITE-A\n")


def _report_was_lost(home):
    (home.out / WEEK / "governance.html").unlink()


def _report_was_changed(home):
    with (home.out / WEEK / "executive.html").open("a") as file:
        file.write("<!-- -->")


def _index_was_lost(home):
    (home.out / "index.html").unlink()


def _killed_before_the_index(home):
    later = (home.out / "index.html").stat().st_mtime_ns + 1_000_000_000
    os.utime(home.out / WEEK / "executive.json", ns=(later, later))


def _killed_while_writing(home):
    (home.out / WEEK / ".governance.html.1.a.tmp").write_text("half")


@pytest.mark.parametrize(
    "happened",
    [
        _file_came,
        _report_was_lost,
        _report_was_changed,
        _index_was_lost,
        _killed_before_the_index,
        _killed_while_writing,
    ],
)
def test_what_a_run_would_mend_is_a_run(home, happened):
    happened(home)
    assert not stands(home)


def test_a_message_that_did_not_go_out_is_a_run_and_one_that_did_is_none(home):
    journal = Journal(home.store)
    message = Message(f"{WEEK}.1", "executive", "mail", "lee@example.com", "Lee")
    entry = journal.put(journal.entry(message), "trying", MOMENT)
    assert not stands(home)
    journal.put(entry, "sent", MOMENT)
    assert stands(home)


def test_a_published_file_that_was_lost_is_made_again(home):
    lost = published_file(home, ManifestStore(home.store).latest(WEEK))
    lost.unlink()
    assert stands(home)
    assert lost.exists()


def test_a_closed_week_stands_whatever_came_late_and_says_so(home):
    _file_came(home)
    [found] = refresh(home)
    assert (found.changed, found.late) == (False, 1)
    [again] = refresh(home)
    assert (again.run_id, again.late) == ("", 1)
