"""The message to an owner, word by word."""

from datetime import UTC, date, datetime
from pathlib import Path

from reports.chase import messages
from turnup.returns.chase import Awaited, Chase, WeekOfChases, due_day
from turnup.returns.marker import Original
from turnup.returns.send_back import Fault, OpenRow, OpenTable, RefusedFile, SendBack, Taken, Unsendable
from turnup.week import Week

AT = datetime(2026, 10, 9, 18, tzinfo=UTC)
LAST = datetime(2026, 9, 28, 7, tzinfo=UTC)
WRONG = Fault(("Qty",), "refused", "type", "a number", "Column quantity holds 'x', which is not a number.")
WIDTH = Fault((), "refused", "width", "5 fields", "row 9 has 4 fields, the header (row 1) has 5")
DOUBT = Fault(("Qty",), "doubtful", "designator_count", "", "row 12: 3 designators and a quantity of 2")


def table(*rows):
    return OpenTable(Original("bom", "2026-10-05/BOM.csv", "a" * 64, None, ("Qty",)), "bom", rows)


def test_an_owner_is_told_what_is_due_what_was_not_read_and_what_is_wrong():
    rows = (
        OpenRow(3, {"Qty": "y"}, (WRONG,), {"Qty": "x"}, "back.xlsx"),
        OpenRow(9, {"Qty": None}, (WIDTH,)),
        OpenRow(12, {"Qty": "2"}, (DOUBT,)),
        OpenRow(13, {"Qty": "2"}, (DOUBT,)),
    )
    awaited = (
        Awaited("bom", "bom", "BOM*.csv", "late", date(2026, 10, 6), "BOM W40.csv", LAST, 11.5, None),
        Awaited("grn", "receipts", "grn*", "too old", None, "grn1.csv", LAST, 11.5, 8.0),
        Awaited("counts", "inventory", "count*", "never came", date(2026, 10, 9), "", None, None, None),
    )
    back = SendBack(
        "Aurora", "2026-W41", AT, "Ana Ruiz", (table(*rows),),
        (Unsendable("run.log", "", 8, "", "", "row 8 is cut"),),
        (RefusedFile("sites.csv", "sites", LAST, "unknown_column", "the column 'X' is unknown"),),
        (Taken("bom.csv", "", 4, "unknown_reference", "GPU-9", "system GPU-9 is not in systems"),),
    )  # fmt: skip
    week = WeekOfChases("Aurora", "2026-W41", AT, (Chase("Ana Ruiz", "ana@example.org", awaited, back),), (), (back,))
    (text,) = messages(week, {"Ana Ruiz": Path("out/ana-ruiz.xlsx")})
    assert text.splitlines() == [
        "To: Ana Ruiz <ana@example.org>",
        "Subject: Aurora, week 2026-W41: 3 files expected, 1 file not read, 5 rows to correct and 1 row to look at",
        "",
        "Files we expect from you",
        "- bom (BOM*.csv, for bom): it was due on Tuesday 2026-10-06 and nothing came this week; the last was "
        "BOM W40.csv, received 2026-09-28",
        "- grn (grn*, for receipts): the last was grn1.csv, received 2026-09-28, and is 11.5 days old; at most 8 are "
        "allowed",
        "- counts (count*, for inventory): it never came; it is due every Friday",
        "",
        "Files that could not be read; please send them again",
        "- sites.csv, received 2026-09-28: the column 'X' is unknown",
        "",
        "Rows to correct in the workbook ana-ruiz.xlsx, attached",
        "- 2026-10-05/BOM.csv: 4 rows, 2 refused and 2 in doubt",
        "  row 3: Column quantity holds 'x', which is not a number. (it came back in back.xlsx and is still wrong)",
        "  row 9 has 4 fields, the header (row 1) has 5",
        "  row 12: 3 designators and a quantity of 2",
        "  and 1 more",
        "",
        "Rows to correct in the system they come from",
        "- run.log, row 8: row 8 is cut",
        "",
        "Rows that were taken and do not fit the rest; please look at them",
        "- bom.csv, row 4: system GPU-9 is not in systems",
    ]


def test_files_that_nobody_claims_are_nobodys():
    week = WeekOfChases("Aurora", "2026-W41", AT, (), ("notes.pdf", "x.csv"), ())
    (text,) = messages(week, {})
    assert text.startswith("To: nobody\nSubject: Aurora, week 2026-W41: 2 files that no source takes\n")
    assert "- notes.pdf\n- x.csv\n" in text


def test_each_weekday_is_one_day_of_the_reporting_week():
    week = Week("2026-W41", datetime(2026, 10, 2, 18, tzinfo=UTC), AT, date(2026, 10, 9))
    names = ("saturday", "sunday", "monday", "tuesday", "wednesday", "thursday", "friday")
    assert [due_day(week, name).isoformat() for name in names] == [f"2026-10-0{day}" for day in range(3, 10)]
