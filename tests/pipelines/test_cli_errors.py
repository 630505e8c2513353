"""Every way in which a command can end has its exit code and, with --json, one document and nothing else."""

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipelines import cli
from pipelines.commands.init import create_programme
from pipelines.commands.output import Output
from pipelines.commands.refresh import parse_instant, weeks_due
from turnup.programme import Home
from turnup.warehouse.manifest import Manifest, ManifestStore
from turnup.week import Calendar
from turnup.yaml_source import ConfigurationError

ROOT = Path(__file__).parents[2]


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "pipelines", *map(str, arguments)], capture_output=True, text=True, cwd=ROOT, check=False
    )


@pytest.fixture
def home(tmp_path):
    home = Home(tmp_path / "aurora")
    create_programme(home.root, Output(True))
    return home


@pytest.mark.parametrize("name", ["aurora", "A: b # c", "'quoted' \"twice\"", "{x} %s", "- 1", "null", "Zürich"])
def test_init_makes_a_configuration_that_loads_whatever_the_folder_is_called(tmp_path, name):
    home = Home(tmp_path / name)
    create_programme(home.root, Output(False))
    programme = home.load()
    assert (programme.name, programme.first_week, programme.week.cron) == (name, "2026-W01", "0 18 * * 5")


def test_what_the_first_configuration_proposes_loads_when_it_is_taken(home):
    text = home.configuration.read_text(encoding="utf-8")
    taken = text.replace("sources: {}", "sources:").replace("\n#  ", "\n  ").replace("\n# schedule", "\nschedule")
    home.configuration.write_text(taken.replace("preset: dcma", "preset: oracle"), encoding="utf-8")
    programme = home.load()
    assert (programme.sources["site-list"].required, programme.schedule_health.preset) == (True, "oracle")


@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        (("refresh", "--nope"), "usage", "--nope"),
        (("nonsense",), "usage", "nonsense"),
        (("init",), "usage", "folder"),
        (("explain",), "usage", "metric"),
        (("status", "--home", "HOME/programme.yaml"), "usage", "is a file"),
        (("init", "HOME"), "configuration", "exists already"),
        (("status", "--home", "HOME"), "configuration", "nothing is published yet"),
        (("explain", "schedulable", "x", "--home", "HOME"), "configuration", "nothing is published yet"),
        (("status", "--home", "HOME/none"), "configuration", "no such file; turnup init"),
        (("inspect", "HOME", "--write"), "configuration", "a folder; --write and --name are for one file of it"),
        (("inspect", "HOME/none.csv"), "configuration", "no such file"),
        (("diagnose", "HOME/programme.yaml", "--home", "HOME/none"), "configuration", "--rules FILE"),
        (("refresh", "--home", "HOME", "--now", "noon"), "configuration", "instant with zone"),
        (("refresh", "--home", "HOME", "--week", "2025-W01"), "configuration", "first_week"),
        (("refresh", "--home", "HOME", "--week", "2099-W01"), "configuration", "has not begun"),
        (("demo", "--home", "HOME"), "configuration", "not the demo"),
    ],
)
def test_wrong_use_is_exit_two_with_one_document(home, arguments, kind, words):
    given = [text.replace("HOME", str(home.root)) for text in arguments]
    done = run(*given, "--json")
    assert done.returncode == 2, done.stderr
    error = json.loads(done.stdout)["error"]
    assert error["kind"] == kind
    assert words in error["message"]


def test_wrong_use_is_a_sentence_on_standard_error_for_people(home):
    done = run("refresh", "--nope")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--nope" in done.stderr


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EACCES, "permission denied; give the user who runs turnup the right to it"),
        (errno.EROFS, "read-only file system; give the user who runs turnup the right to it"),
        (errno.ENOSPC, "no space left on device; make room"),
        (errno.EIO, "input/output error"),
    ],
)
def test_trouble_of_the_disk_names_the_file_and_what_helps(monkeypatch, capsys, number, words):
    def refused(**_):
        raise OSError(number, os.strerror(number), "/data/aurora/store")

    monkeypatch.setattr(cli, "app", refused)
    monkeypatch.setattr(sys, "argv", ["turnup", "refresh", "--json"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 3
    message = json.loads(capsys.readouterr().out)["error"]["message"]
    assert message.startswith(f"/data/aurora/store: {words}")
    assert "Errno" not in message


@pytest.mark.slow
@pytest.mark.parametrize(
    ("damage", "code", "kind", "words"),
    [
        ("inbox", 2, "configuration", "inbox"),
        ("playbooks", 2, "configuration", "playbooks"),
        ("register", 3, "storage", "00000001.jsonl, line 1"),
        ("store", 3, "storage", "store"),
    ],
)
def test_a_refresh_that_cannot_be_done_says_why(home, damage, code, kind, words):
    if damage in {"inbox", "playbooks"}:
        shutil.rmtree(home.root / damage)
    elif damage == "register":
        (home.store / "register").mkdir(parents=True)
        (home.store / "register" / "00000001.jsonl").write_text("{\n")
    else:
        home.store.rmdir()
        home.store.write_text("a file where the folder should be")
        (home.inbox / "a.csv").write_text("a\n1\n")
    done = run("refresh", "--home", home.root, "--json")
    assert done.returncode == code, done.stderr
    error = json.loads(done.stdout)["error"]
    assert error["kind"] == kind
    assert words in error["message"]


@pytest.mark.slow
def test_a_blocked_week_is_exit_one_with_one_document_and_the_earlier_one_stays(home):
    text = home.configuration.read_text(encoding="utf-8")
    sources = (
        'sources:\n  ours: {dataset: sites, files: "sites*.csv"}\n  theirs: {dataset: sites, files: "partner*.csv"}\n'
    )
    home.configuration.write_text(text.replace("sources: {}\n", sources), encoding="utf-8")
    rows = "site_id,name,facility\nABQ,Albuquerque,colo\n"
    (home.inbox / "sites.csv").write_text(rows)
    (home.inbox / "link.csv").symlink_to(home.inbox / "sites.csv")
    done = run("refresh", "--home", home.root, "--json")
    assert done.returncode == 0, done.stderr
    (week,) = json.loads(done.stdout)["weeks"]
    assert [item["file"] for item in week["not_taken"]] == ["link.csv"]
    shown = home.warehouse.readlink()

    (home.inbox / "partner.csv").write_text(rows)
    done = run("refresh", "--home", home.root, "--json")
    assert done.returncode == 1, done.stderr
    (finding,) = json.loads(done.stdout)["blocked"]
    assert "partner.csv row 2" in finding
    assert "sites.csv row 2" in finding
    assert home.warehouse.readlink() == shown
    assert list((home.store / "build").iterdir()) == []
    assert "Traceback" not in run("refresh", "--home", home.root).stdout


def test_weeks_left_open_are_closed_before_the_present_one_is_made(home):
    calendar = Calendar(home.load())
    store = ManifestStore(home.store)
    for week, state in (("2026-W30", "open"), ("2026-W31", "closed"), ("2026-W32", "open")):
        store.create(Manifest(week, 1, state, "f", {}, (), None))
    due = weeks_due(home, calendar, parse_instant("2026-09-01T00:00:00+00:00"))
    assert [week.label for week in due] == ["2026-W30", "2026-W32", "2026-W36"]


def test_a_programme_that_has_not_begun_says_so(home):
    with pytest.raises(ConfigurationError, match="first_week"):
        weeks_due(home, Calendar(home.load()), parse_instant("2025-06-01T00:00:00+00:00"))
