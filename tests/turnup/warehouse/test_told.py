"""What each delivery said anew: statements with the delivery that made them and the one that no longer does."""

from __future__ import annotations

from datetime import date

from tests.turnup.returns.house import Vendor, made
from tests.turnup.staging import staged

HEAD = "po,line,schedule,quantity,promised\n"
PLAN = 'plan: {dataset: po_schedule, files: "plan*.csv", owner: Ann}\n'
STATEMENTS = """SELECT schedule_key, quantity::INT, promised::VARCHAR, told_no, told_on::VARCHAR, until_no,
    until_on::VARCHAR, withdrawn FROM stg.po_schedule_told ORDER BY schedule_key, told_no"""


def lot(schedule: str, quantity: int, promised: str) -> str:
    return f"P,1,{schedule},{quantity},2026-{promised}\n"


def told(folder, *files: str, sources: str = PLAN, query: str = STATEMENTS):
    """Return the statements of files received on 1 September, 2 September and so on."""
    given = {f"2026-09-{number:02d}/plan {number}.csv": HEAD + text for number, text in enumerate(files, 1)}
    (found,) = staged(folder, f"  {sources}", given, query)
    return found


def test_a_statement_stands_until_another_is_made(tmp_path):
    first, second = lot("1", 5, "10-01"), lot("1", 5, "10-20")
    assert told(tmp_path, first, first, second, second) == [
        ("1", 5, "2026-10-01", 1, "2026-09-01", 3, "2026-09-03", False),
        ("1", 5, "2026-10-20", 3, "2026-09-03", None, None, False),
    ]


def test_what_a_snapshot_leaves_out_is_withdrawn(tmp_path):
    both, one = lot("1", 5, "10-01") + lot("2", 7, "10-08"), lot("1", 5, "10-01")
    assert told(tmp_path, both, one, one) == [
        ("1", 5, "2026-10-01", 1, "2026-09-01", None, None, False),
        ("2", 7, "2026-10-08", 1, "2026-09-01", 2, "2026-09-02", True),
    ]


def test_what_one_delivery_left_out_and_the_next_repeats_was_not_withdrawn(tmp_path):
    both, one = lot("1", 5, "10-01") + lot("2", 7, "10-08"), lot("1", 5, "10-01")
    assert told(tmp_path, both, one, both)[1] == ("2", 7, "2026-10-08", 1, "2026-09-01", None, None, False)


def test_what_two_deliveries_left_out_is_told_anew(tmp_path):
    both, one = lot("1", 5, "10-01") + lot("2", 7, "10-08"), lot("1", 5, "10-01")
    assert told(tmp_path, both, one, one, both)[1:] == [
        ("2", 7, "2026-10-08", 1, "2026-09-01", 2, "2026-09-02", True),
        ("2", 7, "2026-10-08", 4, "2026-09-04", None, None, False),
    ]


def test_a_plan_and_its_return_are_three_statements(tmp_path):
    first, second = lot("1", 5, "10-01"), lot("1", 5, "10-20")
    assert [(row[2], row[3]) for row in told(tmp_path, first, second, first)] == [
        ("2026-10-01", 1), ("2026-10-20", 2), ("2026-10-01", 3),
    ]  # fmt: skip


def test_of_events_the_newest_of_a_key_stands_and_nothing_is_withdrawn(tmp_path):
    sources = PLAN.replace("owner", "mode: events, owner")
    assert told(tmp_path, lot("1", 5, "10-01"), lot("2", 7, "10-08"), lot("1", 4, "10-01"), sources=sources) == [
        ("1", 5, "2026-10-01", 1, "2026-09-01", 3, "2026-09-03", False),
        ("1", 4, "2026-10-01", 3, "2026-09-03", None, None, False),
        ("2", 7, "2026-10-08", 2, "2026-09-02", None, None, False),
    ]


def test_a_refused_file_says_nothing(tmp_path):
    first = lot("1", 5, "10-01")
    files = {
        "2026-09-01/plan 1.csv": HEAD + first,
        "2026-09-02/plan 2.csv": HEAD.replace("promised", "promisd") + first,
    }
    (found,) = staged(tmp_path, f"  {PLAN}", files, STATEMENTS)
    assert found == [("1", 5, "2026-10-01", 1, "2026-09-01", None, None, False)]


def test_the_days_are_the_programmes(tmp_path):
    house = made(tmp_path, f"  {PLAN}", ("po_schedule",))
    configuration = house.home.configuration.read_text("utf-8").replace("UTC", "Asia/Tokyo")
    house.home.configuration.write_text(configuration, "utf-8")
    # The landing of this house is in Greenwich, where it is still 1 September.
    house.drop("2026-09-01T2230/plan.csv", HEAD + lot("1", 5, "10-01"))
    assert house.week("2026-W40").ask("SELECT told_on FROM stg.po_schedule_told") == [(date(2026, 9, 2),)]


def test_a_correction_speaks_with_the_delivery_that_it_corrects(tmp_path):
    house = made(tmp_path, f"  {PLAN}", ("po_schedule",))
    house.drop("2026-09-01/plan.csv", HEAD + lot("1", 5, "10-01") + lot("2", 7, "10-08"))
    house.drop("2026-09-08/plan.csv", HEAD + lot("1", 5, "10-01") + "P,1,2,7,soon\n")
    query = "SELECT schedule_key, promised::VARCHAR, told_no, until_no FROM stg.po_schedule_told ORDER BY ALL"
    week = house.week("2026-W40")
    assert week.ask(query) == [("1", "2026-10-01", 1, None), ("2", "2026-10-08", 1, 2)]
    vendor = Vendor(week.workbook("Ann"))
    vendor.set(3, promised=date(2026, 10, 15))
    house.drop("2026-10-05/back.xlsx", vendor.saved())
    assert house.week("2026-W41").ask(query) == [
        ("1", "2026-10-01", 1, None),
        ("2", "2026-10-08", 1, 2),
        ("2", "2026-10-15", 2, None),
    ]
