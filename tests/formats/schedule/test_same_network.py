"""The same project from Primavera and as Microsoft Project's XML is the same network, apart from summary rows."""

import polars as pl
import pytest

from turnup.formats.schedule.mspdi import read_mspdi
from turnup.formats.schedule.xer import read_xer
from turnup.schedule.passes import schedule

MILESTONES = {"start_milestone": "milestone", "finish_milestone": "milestone", "resource_dependent": "task"}


@pytest.fixture(params=["airport_66", "mdl4ra_62"])
def twins(request, cases):
    xer = cases / f"schedule/xer/{request.param}.xer"
    xml = cases / f"schedule/converted/{request.param}.mspdi.xml"
    (first,) = read_xer(xer.read_bytes(), xer.name)
    (second,) = read_mspdi(xml.read_bytes(), xml.name)
    return first, second


def tasks(project):
    """The columns that make the network, of activities that are no summaries; calendars by what they are."""
    own = project.activities.filter(pl.col("kind") != "summary").sort("id")
    columns = own.select("id", "name", pl.col("kind").replace(MILESTONES), "status", "duration_s", "remaining_s",
                         "planned_start", "planned_finish", "constraint", "constraint_date")  # fmt: skip
    calendars = [project.calendars[key] for key in own["calendar"]]
    works = [(each.week, {day: shifts for day, shifts in each.exceptions.items() if day.year >= 2012})
             for each in calendars]  # fmt: skip
    return columns.rows(), works


def test_activities_and_their_calendars(twins):
    first, second = twins
    assert tasks(first) == tasks(second)


def test_links(twins):
    first, second = (project.links.select("pred", "succ", "type", "lag_s", "elapsed").sort("pred", "succ", "type")
                     for project in twins)  # fmt: skip
    assert first.rows() == second.rows()


def test_dates_and_floats(twins):
    """The finish that the project must keep is not in MSPDI; its late dates tell it."""
    columns = ("id", "early_start", "early_finish", "late_start", "late_finish", "total_float_s", "free_float_s")
    of_xer, of_xml = (schedule(project).frame().select(columns) for project in twins)
    ids = of_xer["id"].to_list()
    assert of_xer.sort("id").rows() == of_xml.filter(pl.col("id").is_in(ids)).sort("id").rows()
