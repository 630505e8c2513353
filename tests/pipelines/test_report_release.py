"""From a refresh to a release: who let leadership read what, for which result, and what the next issue says of it."""

import json
import shutil
from datetime import timedelta

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from reports.delivery.ready import held_back
from reports.formats.registry import PAGES
from reports.index import render_index
from reports.issue import issue_week
from tests.reports.pages import Page
from tests.turnup.small_programme import CLOSED, CONFIGURATION, FILES, drop, made, receipt
from turnup import refresh as module
from turnup.programme import Home
from turnup.refresh import refresh
from turnup.warehouse.connection import connect
from turnup.warehouse.issued import issued_model
from turnup.warehouse.manifest import ManifestStore
from turnup.warehouse.release import release_of, releases
from turnup.yaml_source import ConfigurationError

REQUIRED = '  installs: {dataset: installs, files: "racked*.csv", owner: Dock, required: true}\n'
W40, W41 = "2026-W40", "2026-W41"


def week(home, label, now, **options):
    """Refresh a week and issue its files."""
    result = refresh(home, label, now, **options)
    manifest = ManifestStore(home.store).latest(label)
    with connect(result.database, read_only=True) as con:
        issue_week(home, manifest, con, home.load().audiences)
    render_index(home.out)
    return manifest


def header(home, label=W40):
    return json.loads((home.out / label / "executive.json").read_text(encoding="utf-8"))["header"]


def report(home, *arguments):
    done = CliRunner().invoke(app, ["report", *arguments, "--home", str(home.root)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Week 40 issued, released, then restated with a late file; week 41 after it."""
    home = made(tmp_path_factory.mktemp("home") / "aurora")
    home.configuration.write_text(CONFIGURATION + REQUIRED, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "check_again", lambda *_: [])
        patch.setattr("reports.issue.EVERY_FORMAT", PAGES)  # the others are seconds an issue
        week(home, W40, CLOSED[W40])
        report(home, "release", "--week", W40, "--by", "Dana <b>Whitfield", "--reason", "board meets on Monday")
        shown = {file.name: file.read_text(encoding="utf-8") for file in (home.out / W40).glob("*.html")}
        sheets = [file.read_text(encoding="utf-8") for file in (home.out / W40).glob("s*s/*.html")]
        index = (home.out / "index.html").read_text(encoding="utf-8")
        before = {"pages": shown, "header": header(home), "sheets": sheets, "index": index}
        drop(home, "2026-09-29/grn1.csv", receipt(1))
        drop(home, "2026-09-29/commitments2.csv", FILES["commitments.csv"].replace(",128,", ",256,"))
        week(home, W40, CLOSED[W40] + timedelta(days=1), restate=True, reason="late receipt")
        week(home, W41, CLOSED[W41])
        yield home, before


def test_a_release_is_shown_wherever_the_state_is(home):
    _, before = home
    released = before["header"]["released"]
    assert before["header"]["issue_state"] == "DRAFT"
    assert (released["by"], released["reason"], released["number"]) == (
        "Dana <b>Whitfield", "board meets on Monday", 1,
    )  # fmt: skip
    assert released["fingerprint"] == before["header"]["fingerprint"]
    for page in before["pages"].values():
        text = Page(page).text
        assert "Released to leadership as DRAFT by Dana <b>Whitfield on " in text
        assert "b" not in Page(page).names()
    assert all("DRAFT, released by Dana <b>Whitfield" in Page(page).text for page in before["sheets"])
    assert "released by Dana <b>Whitfield: board meets on Monday" in Page(before["index"]).text


def test_a_release_holds_for_one_result_only_and_stays_on_record(home):
    home, _ = home
    store = ManifestStore(home.store)
    first, second = store.read(W40, 1), store.read(W40, 2)
    assert [made.by for made in releases(home.store, first)] == ["Dana <b>Whitfield"]
    assert release_of(home.store, second) is None
    now = header(home)
    assert (now["restatement"], now["released"]) == (2, None)
    assert issued_model(home, f"{W40}.1")["header"]["released"]["by"] == "Dana <b>Whitfield"


def test_a_draft_goes_to_leaders_only_once_it_is_released(home, tmp_path):
    home, _ = home
    copied = Home(shutil.copytree(home.root, tmp_path / "aurora"))
    manifest = ManifestStore(copied.store).latest(W40)
    said = held_back(copied, manifest, "executive")
    assert "turnup report release --week 2026-W40 lets it go out" in said
    assert held_back(copied, manifest, "governance") == ""
    report(copied, "release", "--week", W40, "--by", "Dana Whitfield", "--reason", "agreed")
    assert held_back(copied, manifest, "executive") == ""
    assert "turnup report release" in held_back(copied, ManifestStore(copied.store).latest(W41), "executive")


def test_a_second_release_is_appended(home):
    home, _ = home
    said = report(home, "release", "--week", W41, "--by", "Luis Romero", "--reason", "agreed", "--json")
    assert json.loads(said)["released"]["number"] == 1
    said = report(home, "release", "--week", W41, "--by", "Dana Whitfield", "--reason", "agreed again")
    assert "2026-W41.1 released as NOT RATED by Dana Whitfield: agreed again" in said
    manifest = ManifestStore(home.store).latest(W41)
    assert [made.by for made in releases(home.store, manifest)] == ["Luis Romero", "Dana Whitfield"]
    assert header(home, W41)["released"]["by"] == "Dana Whitfield"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--by", " ", "--reason", "x"), "needs the name of the person"),
        (("--by", "Dana", "--reason", " "), "needs its reason"),
        (
            ("--week", "2026-W30", "--by", "Dana", "--reason", "x"),
            "week 2026-W30 has no result; weeks that have: 2026-W40",
        ),
    ],
)
def test_what_is_missing_is_said(home, arguments, words):
    with pytest.raises(ConfigurationError, match=words):
        report(home[0], "release", *arguments)


def test_the_restatement_says_what_the_first_issue_said_and_the_next_week_too(home):
    home, _ = home
    text = Page((home.out / W40 / "governance.html").read_text(encoding="utf-8")).text
    assert "Issue 2 of 2026-W40 restates issue 1 (DRAFT, inputs " in text
    later = Page((home.out / W41 / "governance.html").read_text(encoding="utf-8")).text
    assert "What 2026-W40 (issue 1) said: " in later
    assert "restated as 2026-W40.2: late receipt" in later
    assert "previous issue 2026-W40 issue 1" in later
    assert "no restatement says why" not in later


def test_what_was_issued_is_not_written_again_until_something_of_it_is_new(home):
    home, _ = home
    manifest = ManifestStore(home.store).latest(W41)
    files = sorted(file for file in (home.out / W41).rglob("*") if file.is_file())
    stamps = [file.stat().st_mtime_ns for file in files]
    database = next(home.published.glob(f"{W41}.1.*.duckdb"))
    with connect(database, read_only=True) as con:
        issued = issue_week(home, manifest, con, home.load().audiences)
        assert [file.stat().st_mtime_ns for file in files] == stamps
        assert {file.name for file in issued} >= {"executive.html", "governance.html", "GPU-1.html", "ABQ.html"}
        (home.out / W41 / "systems" / "GPU-1.html").write_text("spoilt", encoding="utf-8")
        issue_week(home, manifest, con, home.load().audiences)
    assert "GPU-1" in (home.out / W41 / "systems" / "GPU-1.html").read_text(encoding="utf-8")


def test_halves_of_files_that_a_killed_writer_left_go_with_the_next_issue(home):
    home, _ = home
    out, week_out = home.out, home.out / W41
    places = (
        out / "index.html",
        week_out / "executive.pdf",
        week_out / "sites/ABQ.html",
        week_out / "send-back/a.xlsx",
    )
    halves = [place.with_name(f".{place.name}.7.ab.tmp") for place in places]
    for half in halves:
        half.parent.mkdir(exist_ok=True)
        half.write_bytes(b"<!DOC")
    week(home, W41, CLOSED[W41])
    assert not [half for half in halves if half.exists()]


def test_a_final_issue_needs_no_release(home, monkeypatch):
    monkeypatch.setattr("pipelines.commands.release._state", lambda folder: ("FINAL", []))
    with pytest.raises(ConfigurationError, match=r"2026-W41\.1 is FINAL and needs no release"):
        report(home[0], "release", "--by", "Dana", "--reason", "x")
