"""Tables that are lists of something else: refused with what is missing, never computed as if they were schedules."""

import pytest

from turnup.formats.content import Content
from turnup.formats.model import FileRejected
from turnup.formats.schedule import read_schedule

NO_TIMES = "that says when they are or what they follow"


@pytest.mark.parametrize(
    "text",
    [
        "id,type,title,owner,due\nR-1,risk,Late optics,Ana,2026-10-01\n",
        "line,part_number,description,quantity\n1,P,Cable,4\n2,Q,Rack,1\n",
        "Task ID,Description,Status,Owner\n1,Pull fibre,open,Ana\n",
    ],
)
def test_a_list_without_times_or_logic_is_no_schedule(tmp_path, text):
    file = tmp_path / "list.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(FileRejected, match=r"this is no schedule: ") as refused:
        read_schedule(Content(file, file.name))
    assert NO_TIMES in refused.value.message


@pytest.mark.parametrize("column", ["Duration", "Start", "Finish", "Predecessors", "Actual Finish", "BL Start"])
def test_one_column_of_times_or_logic_makes_it_one(tmp_path, column):
    file = tmp_path / "list.csv"
    value = {"Duration": "3 days", "Predecessors": ""}.get(column, "2026-10-05")
    file.write_text(f"ID,Task Name,{column},Notes\n1,Pull fibre,{value},x\n2,Test fibre,{value},y\n", encoding="utf-8")
    [project] = read_schedule(Content(file, file.name))
    assert project.activities.height == 2
