"""The real files of Primavera: counts and kinds are those of their answers, and twins make the same network."""

import csv
import re
from datetime import datetime

import polars as pl
import pytest

from tests.conftest import CASES
from turnup.formats.schedule.pmxml import claims_pmxml, read_pmxml
from turnup.formats.schedule.xer import claims_xer, read_xer
from turnup.schedule.model import HOUR, LINK_TYPES

FOLDER = CASES / "schedule"
WORDS = {
    "NotStart": "not_started", "Active": "in_progress", "Complete": "completed", "Mile": "start_milestone",
    "FinMile": "finish_milestone", "Task": "task", "Rsrc": "resource_dependent", "MSOB": "start_no_later",
    "MSO": "start_on", "MSOA": "start_no_earlier", "ALAP": "as_late_as_possible",
}  # fmt: skip


def answers(kind: str) -> list[tuple[str, str]]:
    if not FOLDER.is_dir():
        return []
    with (FOLDER / "ANSWERS.tsv").open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [(row["file"], row["right_answer"]) for row in rows if row["file"].startswith(kind)]


def read(name: str):
    data = (FOLDER / name).read_bytes()
    claims, reader = (claims_xer, read_xer) if name.endswith(".xer") else (claims_pmxml, read_pmxml)
    assert claims(data[:65_536])
    return reader(data, name)


def counted(text: str, label: str) -> dict[str, int]:
    """A listing such as ``status {'NotStart': 66}``, in our words."""
    listing = re.search(rf"{label} \{{(.*?)\}}", text)
    assert listing is not None
    return {WORDS.get(word, word): int(count) for word, count in re.findall(r"'(\w+)': (\d+)", listing[1])}


def counts(frame: pl.DataFrame, column: str) -> dict[str, int]:
    return dict(frame[column].drop_nulls().value_counts().rows())


@pytest.mark.parametrize(("name", "answer"), answers("xer/"))
def test_counts_and_kinds(name, answer):
    projects = read(name)
    tasks = pl.concat([project.activities for project in projects])
    links = pl.concat([project.links for project in projects])
    told = {label: int(number) for label, number in re.findall(r"(TASK|TASKPRED|projects|lag\+|lag-) (\d+)", answer)}
    assert (tasks.height, links.height, len(projects)) == (told["TASK"], told["TASKPRED"], told["projects"])
    assert counts(tasks, "status") == counted(answer, "status")
    assert counts(tasks, "kind") == counted(answer, "types")
    assert counts(tasks, "constraint") == counted(answer, "cstr")
    assert {LINK_TYPES[number]: n for number, n in counts(links, "type").items()} == counted(answer, "links")
    assert ((links["lag_s"] > 0).sum(), (links["lag_s"] < 0).sum()) == (told["lag+"], told["lag-"])
    dates = re.search(r"data date (\S+ \S+?(?:/\S+ \S+?)*), sched finish (.*)$", answer)
    assert dates is not None
    assert "/".join(f"{project.data_date:%Y-%m-%d %H:%M}" for project in projects) == dates[1]
    finishes = [project.stored_finish for project in projects]
    assert "/".join("" if each is None else f"{each:%Y-%m-%d %H:%M}" for each in finishes) == dates[2].strip()


def test_a_must_finish_date_and_the_longest_path(cases):
    (project,) = read("xer/airport_66.xer")
    assert project.must_finish == datetime(2013, 3, 1)
    tasks = project.activities
    assert ((tasks["total_float_s"] <= 0).sum(), tasks["critical"].sum(), tasks["longest_path"].sum()) == (1, 1, 36)
    # The finish, Wednesday 17:00, has Thursday's eight hours to the Friday of the must-finish date.
    assert sorted(set(tasks["total_float_s"].filter(tasks["longest_path"]))) == [0, 8 * HOUR]


def test_critical_ones_of_constraints(cases):
    (project,) = read("xer/mdl4d_62_mso.xer")
    assert (project.activities["critical"].sum(), project.activities["longest_path"].sum()) == (54, 6)
    (other,) = read("xer/mdl4ra_62.xer")
    assert (other.activities["critical"].sum(), other.activities["resources"].sum()) == (7, 100)
    assert other.calendars["6205"].hours_per_day == 22


def test_never_scheduled_activities_have_no_dates(cases):
    *others, hotel = read("xer/hotel_4projects_trim.xer")
    assert [project.id for project in others] == ["DS", "OP", "CR"]
    unscheduled = pl.concat([project.activities for project in others])
    assert unscheduled.height == 19
    assert unscheduled["early_start"].null_count() == unscheduled["total_float_s"].null_count() == 19
    assert hotel.planned_start == datetime(2012, 6, 4)
    assert (
        hotel.activities.select("early_start", "late_finish", "total_float_s", "free_float_s").null_count().row(0)
        == (0,) * 4
    )
    assert {project.options.lag_calendar for project in (*others, hotel)} == {"predecessor"}


def test_a_broken_calendar_is_reported_and_the_file_read(cases):
    (project,) = read("xer/mpxj_invalid_calendar.xer")
    (finding,) = [finding for finding in project.findings if finding.code == "calendar_unreadable"]
    assert finding.value == "180"
    assert "19 characters" in finding.message
    assert len(project.calendars) == 2


@pytest.mark.parametrize(("name", "word"), [("24h", "elapsed"), ("predecessor", "predecessor")])
def test_calendars_of_lags(cases, name, word):
    (project,) = read(f"xer/mpxj_lagcal_{name}.xer")
    assert project.options.lag_calendar == word
    # The completed activity has no float, and is not critical for that.
    assert project.activities.select("status", "total_float_s", "critical").rows() == [("completed", None, False)]


def test_percent_complete_and_assignments_in_pmxml(cases):
    (project,) = read("pmxml/percent-complete-8.4.pmxml")
    told = [float(re.findall(r"\d+", name)[0]) for name in project.activities["name"]]
    assert project.activities["percent"].to_list() == told
    assert project.activities.height == 12
    (rates,) = read("pmxml/resource-rates-test.xml")
    (twin,) = read("xer/mpxj_resource_rates.xer")
    assert rates.activities["resources"].to_list() == twin.activities["resources"].to_list() == [5]
    assert rates.activities["cost"].to_list() == twin.activities["cost"].to_list()


STORED = ("row", "early_start", "early_finish", "total_float_s", "free_float_s", "critical")
"""What PMXML does not tell, or not of levelled projects."""


@pytest.mark.parametrize("name", ["airport_66", "mdl4ra_62"])
def test_twins_make_the_same_network(cases, name):
    (xer,), (pmxml,) = read(f"xer/{name}.xer"), read(f"converted/{name}.pm.xml")
    tasks = [project.activities.drop(STORED).sort("id") for project in (xer, pmxml)]
    assert tasks[0].equals(tasks[1])
    links = [project.links.drop("row").sort("pred", "succ", "type") for project in (xer, pmxml)]
    assert links[0].equals(links[1])
    assert xer.calendars == pmxml.calendars
    assert xer.options == pmxml.options
    for field in ("id", "name", "data_date", "planned_start", "must_finish", "stored_finish", "default_calendar"):
        assert getattr(xer, field) == getattr(pmxml, field)
