"""From a refresh to the workbook of an owner, and back through the inbox; what is asked of owners in between."""

import json
import shutil
from datetime import UTC, datetime
from io import BytesIO

import openpyxl
import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.runner import run_weeks
from reports.chase import messages
from reports.workbooks.send_back import send_back_workbook
from tests.turnup.returns.house import Vendor
from tests.turnup.small_programme import CLOSED, CONFIGURATION, PLAYBOOKS, RECEIPTS, ask, drop, made
from turnup import refresh as module
from turnup.programme import Home
from turnup.refresh import Refresh, refresh
from turnup.returns.chase import Chase, WeekOfChases
from turnup.returns.counts import FileCounts, file_counts
from turnup.returns.open_rows import send_backs
from turnup.warehouse.connection import connect
from turnup.week import Calendar

SOURCES = """  vendor-bom: {dataset: bom, files: "BOM*.csv", owner: Ana Ruiz, expected: tuesday, max_age_days: 10}
  counts: {dataset: inventory, files: "count*.csv", owner: Dock, required: true}
  plan: {dataset: activities, files: "plan*.csv", owner: Dock}
recipients: [{name: Ana Ruiz, email: ana@example.org, report: governance}]
"""
NOW = datetime(2026, 10, 9, 18, 30, tzinfo=UTC)
BOM = "system_id,line,part_number,quantity,category\n"
GOOD = "GPU-1,1,00123,4,server\n"


def invoke(home, *arguments):
    done = CliRunner().invoke(app, [*arguments, "--home", str(home.root)])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    home = made(tmp_path_factory.mktemp("home") / "aurora")
    home.configuration.write_text(CONFIGURATION + SOURCES, encoding="utf-8")
    drop(home, "2026-09-28/BOM W40.csv", f"{BOM}{GOOD}GPU-1,2,P-2,viele,server\nGPU-1,3,=1+1,2,serwer\n")
    drop(home, "2026-09-28/grn1.csv", f"{RECEIPTS}R1,1,P,ABQ,site,5,2026-09-30\n")
    drop(home, "2026-09-29/grn2.csv", "receipt,line,what\n")
    drop(home, "2026-09-29/holiday.csv", "a,b\n")
    weeks = [Calendar(home.load()).week("2026-W40")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "check_again", lambda *_: [])  # the second week has them
        list(run_weeks(home, weeks, reason="", restate=False, now="2026-10-02T18:30:00+00:00"))
    return home


@pytest.fixture(scope="module")
def book(first):
    return first.out / "2026-W40" / "send-back" / "ana-ruiz.xlsx"


@pytest.fixture(scope="module")
def second(first, book):
    home, vendor = first, Vendor(book.read_bytes())
    vendor.set(3, quantity=6)
    vendor.set(4, category="server")
    (home.inbox / "2026-10-07").mkdir()
    (home.inbox / "2026-10-07" / "Re: rows (2).xlsx").write_bytes(vendor.saved())
    refresh(home, "2026-W41", NOW)
    return home


def test_a_refresh_writes_a_workbook_per_owner_who_has_open_rows(first, book):
    assert sorted(file.name for file in book.parent.iterdir()) == ["ana-ruiz.xlsx", "dock.xlsx"]
    rows = Vendor(book.read_bytes()).rows()
    assert [(row["line"], row["part_number"], row["quantity"]) for row in rows] == [
        ("2", "P-2", "viele"), ("3", "=1+1", "2"),
    ]  # fmt: skip


def test_on_demand_the_same_bytes_are_written(first, book):
    before = book.read_bytes()
    book.unlink()
    told = json.loads(invoke(first, "send-back", "--week", "2026-W40", "--owner", "Ana Ruiz", "--json"))
    assert book.read_bytes() == before
    assert [(item["owner"], item["rows"]) for item in told["send_backs"]] == [("Ana Ruiz", 2)]


def test_the_workbook_is_dated_by_the_cut_off(book):
    assert openpyxl.load_workbook(book).properties.created == datetime(2026, 10, 2, 18, 0)


def test_the_corrected_workbook_closes_its_rows(second):
    parts = "SELECT part_number, quantity::INT FROM stg.bom ORDER BY line"
    assert ask(second.warehouse, parts) == [("00123", 4), ("P-2", 6), ("=1+1", 2)]
    counts = "SELECT rows_read, accepted, quarantined, corrected FROM meta.sources WHERE source = 'vendor-bom'"
    assert ask(second.warehouse, counts) == [(3, 3, 0, 2)]
    assert ask(second.warehouse, "SELECT bool_and(balanced) FROM meta.ledger") == [(True,)]
    closed = "SELECT DISTINCT state, closed_by FROM meta.quarantine WHERE source = 'vendor-bom'"
    assert ask(second.warehouse, closed) == [("corrected", "2026-10-07/Re: rows (2).xlsx")]
    left = json.loads(invoke(second, "send-back", "--json"))["send_backs"]
    assert [(item["owner"], item["rows"], item["files_not_read"]) for item in left] == [
        ("Ana Ruiz", 0, []), ("Dock", 0, ["2026-09-29/grn2.csv"]),
    ]  # fmt: skip


def test_refreshing_again_changes_nothing(second):
    run = Refresh(second, "2026-W41", NOW)
    run.land()
    assert run.plan().unchanged


def test_chase_asks_for_files_and_rows(second):
    text = invoke(second, "chase", "--week", "2026-W40")
    ana, dock, nobody = text.split("-" * 72)
    assert ana.strip().splitlines()[:5] == [
        "To: Ana Ruiz <ana@example.org>",
        "Subject: Aurora, week 2026-W40: 2 rows to correct and 1 row to look at",
        "",
        "Rows to correct in the workbook ana-ruiz.xlsx, attached",
        "- 2026-09-28/BOM W40.csv: 2 rows, 2 refused",
    ]
    assert "  row 3: Column quantity holds 'viele', which is not a number" in ana
    assert "  row 4: Column category holds 'serwer', which is not an allowed value" in ana
    assert ana.strip().splitlines()[-2:] == [
        "Rows that were taken and do not fit the rest; please look at them",
        "- 2026-09-28/BOM W40.csv, row 2: no fitted part of GPU-1 has a capacity per unit, so none of its assets "
        "counts",
    ]
    assert "counts (count*.csv, for inventory): it never came" in dock
    assert "grn2.csv, received 2026-09-29" in dock
    assert "plan" not in dock  # neither required nor expected
    assert nobody.split("\n")[1:] == [
        "To: nobody",
        "Subject: Aurora, week 2026-W40: 1 file that no source takes",
        "",
        "Files that no source in programme.yaml takes",
        "- 2026-09-29/holiday.csv",
        "turnup inspect FILE says what a file is and proposes a source for it.",
        "", "",
    ]  # fmt: skip


def test_a_row_that_was_taken_and_names_nothing_known_goes_to_its_owner(tmp_path):
    home = made(tmp_path / "aurora")
    home.configuration.write_text(CONFIGURATION + SOURCES, encoding="utf-8")
    drop(home, "2026-09-28/BOM W40.csv", f"{BOM.strip()},capacity_per_unit\n{GOOD.strip()},8\nGPU-9,2,P-2,1,server,8\n")
    result = refresh(home, "2026-W40", CLOSED["2026-W40"])
    with connect(result.database, read_only=True) as con:
        [ana] = send_backs(con)
        assert file_counts(con) == FileCounts(received=5, rows_refused=0, files_not_read=0, rows_to_look_at=1)
    assert (ana.owner, ana.rows) == ("Ana Ruiz", 0)
    assert [(row.file, row.row, row.code, row.subject) for row in ana.taken] == [
        ("2026-09-28/BOM W40.csv", 3, "unknown_reference", "GPU-9")
    ]
    book = openpyxl.load_workbook(BytesIO(send_back_workbook(ana)))
    assert [cell.value for cell in book["Taken, please look"][2]][:4] == ["2026-09-28/BOM W40.csv", None, "3", "GPU-9"]
    assert "row 3: " in next(text for text in messages(_week(ana), {}))


def _week(back):
    return WeekOfChases("Aurora", "2026-W40", NOW, (Chase(back.owner, "", (), back),), (), (back,))


def test_a_programme_without_files_says_so(tmp_path):
    home = Home(tmp_path)
    home.inbox.mkdir(parents=True)
    shutil.copytree(PLAYBOOKS, home.playbooks)
    home.configuration.write_text(CONFIGURATION, encoding="utf-8")
    told = invoke(home, "refresh", "--week", "2026-W40", "--now", "2026-10-02T18:30:00+00:00")
    assert f"nothing received   no file of any source has come; they belong into {home.inbox}" in told
    again = json.loads(invoke(home, "refresh", "--week", "2026-W40", "--now", "2026-10-02T18:30:00+00:00", "--json"))
    counts = {name: again["weeks"][0][name] for name in ("received", "rows_refused", "files_not_read")}
    assert counts == {"received": 0, "rows_refused": 0, "files_not_read": 0}


def test_a_source_is_late_after_its_day(second):
    def awaited(now):
        found = json.loads(invoke(second, "chase", "--owner", "Ana Ruiz", "--now", now, "--json"))
        return [(item["source"], item["reason"], item["due"]) for each in found["owners"] for item in each["awaited"]]

    # Tuesday is 6 October. The sites file of 28 September is too old when it is more than 8 days old.
    assert awaited("2026-10-05T23:00:00+00:00") == []
    assert awaited("2026-10-06T23:59:00+00:00") == [("sites", "too old", None)]
    late = [("sites", "too old", None), ("vendor-bom", "late", "2026-10-06")]
    assert awaited("2026-10-07T00:00:00+00:00") == late
    assert awaited("2026-12-24T00:00:00+00:00") == late


def test_an_owner_without_a_source_is_named(second):
    done = CliRunner().invoke(app, ["chase", "--owner", "Bob", "--home", str(second.root)])
    assert "owners are: Ana Ruiz, Dock" in str(done.exception)
