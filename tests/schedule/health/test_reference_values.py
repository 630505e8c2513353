"""The DCMA figures of real schedules, against those that come with them."""

import pytest

from turnup.formats.schedule.xer import read_xer
from turnup.schedule.health.assess import assess
from turnup.schedule.health.settings import HealthSettings
from turnup.schedule.passes import schedule

REFERENCE = {
    "hotel_4projects_trim.xer": (
        "HBTF-2",
        {"1": (8, 4217), "2": (1, 7586), "3": (1335, 7586), "4": (5925, 7586), "6": (2263, 4217), "7": (0, 4217),
         "8": (86, 3954)},
        (0, 0, 0),
        {"1": "0.2 %", "3": "17.6 %", "4": "78.1 %", "6": "53.7 %", "8": "2.2 %"},
    ),
    "airport_66.xer": (
        "TERMINAL-2",
        {"1": (2, 66), "2": (0, 84), "3": (28, 84), "4": (66, 84), "6": (10, 66), "7": (0, 66), "8": (1, 63)},
        (0, 0, 1),
        {"1": "3.0 %", "3": "33.3 %", "4": "78.6 %", "6": "15.2 %"},
    ),
    "mdl4d_62_mso.xer": (
        "MDL4D",
        {"1": (10, 62), "2": (0, 87), "3": (4, 87), "4": (70, 87), "6": (5, 62), "7": (0, 62), "8": (0, 50)},
        (0, 50, 50),
        {"1": "16.1 %", "3": "4.6 %", "4": "80.5 %", "6": "8.1 %"},
    ),
}  # fmt: skip
NO_BASELINE = ("9b", "11", "13", "14")


@pytest.fixture(scope="module", params=sorted(REFERENCE))
def judged(request, cases):
    file = cases / "schedule" / "xer" / request.param
    projects = read_xer(file.read_bytes(), file.name)
    found = schedule(*projects)
    name, *expected = REFERENCE[request.param]
    chosen = next(project for project in projects if project.id == name)
    return chosen, found, expected


def test_counts_and_shares(judged):
    project, found, (counts, _, shares) = judged
    health = assess(project, found)
    assert {number: (health.check(number).numerator, health.check(number).denominator) for number in counts} == counts
    for number, share in shares.items():
        assert f"({share})" in health.check(number).sentence


def test_hard_constraints_in_three_readings(judged):
    project, found, (_, hard, _) = judged
    readings = ("mandatory", "on", "no_later")
    assert tuple(assess(project, found, HealthSettings(hard=name)).check("5").numerator for name in readings) == hard


def test_stored_float_gives_the_same(judged):
    project, found, (counts, _, _) = judged
    health = assess(project, found, HealthSettings(floats={"results": "stored"}))
    assert health.check("6").numerator == counts["6"][0]
    assert health.check("7").numerator == counts["7"][0]


def test_unstarted_plans_without_baseline_have_no_data(judged):
    project, found, _ = judged
    health = assess(project, found)
    assert {health.check(number).verdict for number in NO_BASELINE} == {"no data"}
    assert health.earned is None
