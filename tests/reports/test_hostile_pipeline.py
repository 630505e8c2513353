"""Hostile text from the inbox to the written files: ids, names, free text, file names, sheets and headers."""

# ruff: noqa: E501 - rows of files, one a line

import csv
import io
import json

import pytest

from reports.index import render_index
from reports.issue import issue_week
from reports.text import clean
from tests.reports.pages import Page
from tests.reports.test_hostile import STRINGS, inspect
from tests.turnup.small_programme import CLOSED, drop, made
from turnup import refresh as module
from turnup.refresh import refresh
from turnup.warehouse.connection import connect
from turnup.warehouse.manifest import ManifestStore

WEEK = "2026-W40"
SOURCES = """name: '"><script>alert("name")</script> {{7*7}}'
time_zone: UTC
first_week: 2026-W40
sources:
  sites: {dataset: sites, files: "*sites*.csv", owner: "<script>alert('owner')</script>", max_age_days: 8}
  systems: {dataset: systems, files: "*systems*.csv", owner: "=HYPERLINK(1)"}
  commitments: {dataset: commitments, files: "*commitments*.csv", owner: Ana, required: true}
  raid: {dataset: raid, files: "*raid*.csv", owner: Ana}
  bom: {dataset: bom, files: "*bom*.csv", owner: Ana}
"""
IDS = (
    "../../x",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "検収待ち",
    "=1+1",
    "CON",
    "a b",
    "x" * 150,
)
TEXTS = [text for text in STRINGS if "\x00" not in text]


def sheet(*rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    home = made(tmp_path_factory.mktemp("home") / "aurora")
    for file in home.inbox.rglob("*.csv"):
        file.unlink()
    home.configuration.write_text(SOURCES, encoding="utf-8")
    files = {
        "sites [1] <script>.csv": sheet(("site_id", "name", "facility"), *((name, name, "first_party") for name in IDS)),
        "systems '; --.csv": sheet(
            ("system_id", "name", "kind", "site_id", "supply_model", "owner", "claimed_stage"),
            *((name, TEXTS[n], "gpu_cluster", name, "owned", TEXTS[n + 8][:900], TEXTS[-n][:900]) for n, name in enumerate(IDS)),
        ),
        "commitments #{x}.csv": sheet(
            ("contract", "line", "phase", "amendment", "system_id", "quantity", "unit", "contract_date"),
            *((f"C {name}", "1", "1", "0", name, "128", "accelerators", "2026-09-30") for name in IDS),
        ),
        "raid =HYPERLINK(1).csv": sheet(
            ("id", "type", "title", "system_id", "owner", "opened", "options", "consequence", "decider"),
            *(
                (f"R{n} {text[:60]}", ("decision", "risk", "action", "issue")[n % 4], text[:900], IDS[n % len(IDS)],
                 text[:80], "2026-09-01", text[:80], text[:80], text[:80])
                for n, text in enumerate(TEXTS)
            ),
        ),
        "bom {{7*7}}.csv": sheet(
            ("system_id", "line", "part_number", "quantity", "<script>alert('header')</script>"), ("a b", "1", "P", "4", "x")
        ),
        "BOM [1].csv": sheet(("what", "is", "</style><script>"), ("no", "source", "takes it")),
    }  # fmt: skip
    for name, text in files.items():
        drop(home, f"2026-09-28/{name}", text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "check_again", lambda *_: [])
        result = refresh(home, WEEK, CLOSED[WEEK], reason="<script>alert('reason')</script>")
    with connect(result.database, read_only=True) as con:
        issue_week(home, ManifestStore(home.store).latest(WEEK), con, home.load().audiences)
    render_index(home.out)
    return home.out


def test_nothing_runs_in_any_file(out):
    files = [file for file in out.rglob("*") if file.suffix in (".html", ".json")]
    assert len(files) == 1 + 4 + 2 * len(IDS)
    for file in files:
        content = file.read_text(encoding="utf-8")
        assert not {"\x00", "\x1b", "\u202e", "\u200b"} & set(content)
        if file.suffix == ".html" and file.name != "index.html":
            inspect(content)
    names = Page((out / "index.html").read_text(encoding="utf-8")).names()
    assert not names & {"script", "img", "iframe"}


def test_no_file_is_written_outside_its_folder(out):
    week = out / WEEK
    assert {file.parent.name for file in week.rglob("*.html")} == {WEEK, "systems", "sites"}
    assert sorted(p.name for p in out.iterdir()) == [WEEK, "index.html"]
    assert all(len(file.name) <= 45 for file in week.rglob("*.html"))


def test_every_id_name_and_text_is_there_to_read(out):
    shown = Page((out / WEEK / "governance.html").read_text(encoding="utf-8")).text
    for identity in IDS:
        assert clean(identity) in shown
    for text in TEXTS:
        if text.strip():
            assert clean(text[:60]).strip() in shown, text
    for name in ("sites [1] <script>.csv", "systems '; --.csv", "commitments #{x}.csv", "raid =HYPERLINK(1).csv"):
        assert name in shown
    assert "<script>alert('header')</script>" in shown
    assert '"><script>alert("name")</script> {{7*7}}' in shown


def test_every_system_has_its_sheet(out):
    titles = {Page(file.read_text(encoding="utf-8")).text for file in (out / WEEK / "systems").glob("*.html")}
    assert all(any(clean(identity) in text for text in titles) for identity in IDS)
    model = json.loads((out / WEEK / "executive.json").read_text(encoding="utf-8"))
    assert model["how_much"]["classes"][0]["contracted"] == str(128 * len(IDS))
