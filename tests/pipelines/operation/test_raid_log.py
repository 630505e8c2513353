"""The RAID log goes out as a workbook, is edited, comes back through the inbox, and only what was edited changed."""

from datetime import UTC, date, datetime
from pathlib import Path

import openpyxl
import pytest

from turnup.refresh import Refresh
from turnup.warehouse.connection import connect

LATER = datetime(2026, 10, 16, 18, 30, tzinfo=UTC)
COLUMNS = (
    "id, type, title, system_id, owner, decider, needed_by, opened, due, closed, impact_days, impact_units, probability"
)


def column(sheet, name):
    return next(cell.column for cell in sheet[1] if (cell.value or "").removesuffix(" *") == name)


def line(sheet, entry):
    return next(row for row in range(2, sheet.max_row + 1) if sheet.cell(row, 1).value == entry)


def staged(home):
    """The log as the next week has it, staged and no further."""
    run = Refresh(home, "2026-W42", LATER)
    run.land()
    run.ingest("raid")
    candidate = run.candidate("raid")
    run.stage(run.plan(), candidate)
    with connect(candidate, read_only=True) as con:
        rows = con.sql(f"SELECT {COLUMNS} FROM stg.raid ORDER BY id").fetchall()
        refused = con.sql("SELECT message FROM meta.quarantine WHERE dataset = 'raid'").fetchall()
    candidate.unlink()
    return {row[0]: row for row in rows}, refused


@pytest.fixture
def book(mine, turnup):
    """The workbook as written, and where it goes back to."""
    found = turnup(mine, "raid-log")
    assert (found.entries, found.open) == (6, 5)
    return found.file


def drop(home, book, file):
    target = home.inbox / "2026-10-12" / Path(file).name
    target.parent.mkdir()
    book.save(target)


def test_an_edit_comes_back_and_nothing_else_changes(mine, book):
    before, _ = staged(mine)
    edited = openpyxl.load_workbook(book)
    sheet = edited.worksheets[0]
    sheet.cell(line(sheet, "A-1"), column(sheet, "closed")).value = datetime(2026, 10, 11)
    sheet.cell(line(sheet, "R-1"), column(sheet, "probability")).value = 0.6
    drop(mine, edited, book)
    after, refused = staged(mine)
    assert refused == []
    assert {entry for entry in before if before[entry] != after[entry]} == {"A-1", "R-1"}
    assert before.keys() == after.keys()
    assert (before["A-1"][9], after["A-1"][9]) == (None, date(2026, 10, 11))
    assert (str(before["R-1"][12]), str(after["R-1"][12])) == ("0.350", "0.600")


def test_open_entries_come_first_and_words_are_chosen_from_lists(book):
    written = openpyxl.load_workbook(book)
    sheet = written.worksheets[0]
    ids = [sheet.cell(row, 1).value for row in range(2, sheet.max_row + 1)]
    assert ids == ["A-3", "A-1", "D-1", "A-2", "R-1", "A-9"]
    lists = {str(rule.sqref).split(":")[0][:-1]: rule.formula1 for rule in sheet.data_validations.dataValidation
             if rule.type == "list"}  # fmt: skip
    assert sheet.cell(1, column(sheet, "type")).column_letter in lists
    assert sheet.cell(1, column(sheet, "severity")).column_letter in lists
    assert written.properties.created == datetime(2026, 10, 9, 18, 0)


def test_what_the_source_would_read_otherwise_is_not_written(mine, turnup):
    text = mine.configuration.read_text()
    mine.configuration.unlink()
    mine.configuration.write_text(text.replace('files: "raid*", owner', 'files: "raid*.csv", owner'))
    with pytest.raises(Exception, match=r"takes 'raid\*.csv', which no workbook in the inbox is called"):
        turnup(mine, "raid-log")
    mine.configuration.write_text(text.replace('files: "raid*"', 'files: "raid*", columns: {title: text, text: title}'))
    with pytest.raises(Exception, match="would read"):
        turnup(mine, "raid-log")


def test_a_source_that_is_no_raid_log_is_named(mine, turnup):
    with pytest.raises(Exception, match="no source 'orders' is a RAID log; those are: raid"):
        turnup(mine, "raid-log", "--source", "orders")
