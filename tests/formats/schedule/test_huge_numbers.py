"""A number that no schedule can mean costs its own cell at most: never the file, and never the engine."""

import re

import pytest

from expectations.contract import load_contracts
from tests.formats.schedule import mspdi_texts, xer_text
from turnup.formats import inspect
from turnup.formats.content import Content
from turnup.formats.model import FileRejected
from turnup.formats.schedule import read_schedule
from turnup.schedule.model import LONGEST
from turnup.schedule.passes import schedule

TABLE = """ID,Name,Duration,Start,Finish,% Complete,Total Slack,Predecessors,Optimistic,Pessimistic
1,Rack,5 days,9/18/2026,9/24/2026,50%,2 days,,4,8
2,Cable,3 ed,9/28/2026,10/1/2026,0%,0 days,1FS+2d,2,6
3,Test,2 wks,10/2/2026,10/15/2026,0%,0 days,2SS+50%;1FF-3 h,9,12
"""
XER = xer_text.small(
    TASK=[xer_text.task(100, total_float_hr_cnt="16"), xer_text.task(101, phys_complete_pct="50")],
    TASKPRED=[xer_text.link(100, 101, lag_hr_cnt="-8")],
)
XML = mspdi_texts.document(
    mspdi_texts.task(1, 16, PercentComplete=50, TotalSlack=4800, ActualStart="2026-09-07T08:00:00"),
    mspdi_texts.task(2, preds=[(1, 1, 4800, 7), (1, 3, 50, 19)], Baseline={"Number": 0, "Duration": "PT9H0M0S"}),
)
FILES = {"plan.csv": (TABLE.encode(), b"1,Rack"), "plan.xer": (XER, b"%T\tTASK"), "plan.xml": (XML, b"<Tasks>")}
"""Each with the text from which on its numbers are those of activities and links."""
NUMBER = re.compile(rb"\d+")


def with_each_number(content, first, huge):
    for found in NUMBER.finditer(content, content.index(first)):
        yield content[: found.start()] + huge + content[found.end() :]


@pytest.mark.parametrize(("name", "digits"), [("plan.csv", 25), ("plan.xer", 25), ("plan.xml", 25), ("plan.xml", 12)])
def test_a_huge_number_harms_nothing_but_itself(tmp_path, name, digits):
    path, huge = tmp_path / "content", b"9" * digits
    for content in with_each_number(*FILES[name], huge):
        path.write_bytes(content)
        try:
            projects = read_schedule(Content(path, name))
        except FileRejected:
            continue
        for project in projects:
            for frame, columns in (
                (project.activities, ("duration_s", "remaining_s", "total_float_s", "baseline_duration_s")),
                (project.links, ("lag_s",)),
            ):
                assert all((frame[column].abs() <= LONGEST).all() for column in columns)
        schedule(*projects)


def test_a_duration_of_centuries_is_refused_with_its_row(tmp_path):
    path = tmp_path / "content"
    path.write_bytes(TABLE.replace("5 days", "5000000 days").encode())
    told = [finding.message for finding in inspect(path, "plan.csv", load_contracts()).findings]
    assert any("'5000000 days' is longer than a hundred years" in message for message in told)
