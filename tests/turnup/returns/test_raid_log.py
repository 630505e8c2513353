"""Under which name a source takes the RAID workbook again, and how loose dates are written in it."""

from datetime import date
from pathlib import PurePosixPath

import pytest

from expectations.contract import load_contracts
from turnup.returns.raid_log import _value, workbook_name
from turnup.yaml_source import ConfigurationError


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("raid*", "raid-2026-W44.xlsx"), ("raid*.xlsx", "raid-2026-W44.xlsx"),
        ("*RAID log.xlsx", "2026-W44-RAID log.xlsx"),
        ("RAID_*.xlsx", "RAID_2026-W44.xlsx"), ("RAID log.xlsx", "RAID log.xlsx"),
        ("raid_*_v?.xlsx", "raid_2026-W44_v-.xlsx"),
        ("*", "2026-W44.xlsx"), ("*.*", "2026-W44.xlsx"), ("R*AID*.XLSX", "R-2026-W44-AID.XLSX"),
    ],
)  # fmt: skip
def test_a_source_takes_the_name_that_is_made_for_it(pattern, name):
    assert workbook_name(pattern, "raid", "2026-W44") == name
    assert PurePosixPath(name).match(pattern)


@pytest.mark.parametrize("pattern", ["raid*.csv", "raid.json", "*.xls", "log/raid*.xlsx", "raid[0-9].xlsx"])
def test_a_source_that_takes_no_workbook_says_what_to_write(pattern):
    with pytest.raises(ConfigurationError, match="let it take workbooks too"):
        workbook_name(pattern, "raid", "2026-W44")


@pytest.mark.parametrize(
    ("day", "precision", "written"),
    [
        (date(2026, 11, 6), None, date(2026, 11, 6)), (date(2026, 11, 8), "week", "2026-W45"),
        (date(2027, 1, 3), "week", "2026-W53"), (date(2026, 11, 30), "month", "2026-11"),
        (date(2026, 12, 31), "quarter", "Q4 2026"), (date(2026, 6, 30), "half", "H1 2026"),
        (date(2026, 12, 31), "year", "2026"),
    ],
)  # fmt: skip
def test_a_loose_date_is_written_as_loose_as_it_is(day, precision, written):
    record = {"due": day, "_precision": {"due": precision} if precision else None, "_absent": None}
    assert _value(record, load_contracts()["raid"].column("due")) == written


def test_a_word_for_nothing_stays():
    record = {"due": None, "_precision": None, "_absent": {"due": "TBC"}}
    assert _value(record, load_contracts()["raid"].column("due")) == "TBC"
