"""What the last issue said: every figure stands as issued, is restated by number, or makes the issue a draft."""

import copy
import json
from decimal import Decimal

import pytest

from reports.build.reports import build_issue
from reports.build.standing import Standing
from reports.models.canonical import to_json
from tests.reports import sample_programme as sp
from tests.reports.sample_warehouse import build_sample, classes, forecast


def past(tables):
    """The week before as its tables stand now: storage was restated from 54 to 52.5 PB, all else stands."""
    tables["hist.classes"] = [
        {
            **row,
            "schedulable": row["previous_schedulable"] - (1.5 if row["kind"] == "storage" else 0),
            "week": sp.PREVIOUS,
        }
        for row in classes()
    ]
    tables["hist.forecast"] = [{**row, "week": sp.PREVIOUS} for row in forecast()]


def issued(change=None):
    """The executive JSON that the week before was issued with."""

    def earlier(tables):
        past(tables)
        tables["meta.week"][0].update(week=sp.PREVIOUS, previous_week="2026-W42", fingerprint="0123456789abcdef")
        for row in tables["mart.classes"]:
            row["schedulable"] = row["previous_schedulable"]

    last = json.loads(to_json(build_issue(build_sample(earlier)).executive))
    if change:
        change(last)
    return last


@pytest.fixture(scope="module")
def last():
    return issued()


def section(issue, number="S1"):
    return next(s for s in issue.governance.sections if s.id == number)


def table(issue, name):
    return next((b for b in section(issue).blocks if getattr(b, "id", "") == name), None)


def test_figures_of_the_last_issue_agree_and_a_restatement_is_named(last):
    issue = build_issue(build_sample(past), Standing(last=last))
    shown = table(issue, "S1-issued")
    rows = {(r.cells[0].text, r.cells[1].text): r.cells for r in shown.rows}
    gpu = rows["GPU", "Schedulable"]
    assert [cell.text for cell in gpu[2:6]] == ["2,432", "2,432", "–", "2,752"]
    assert gpu[6].status == "as issued"
    storage = rows["Storage", "Schedulable"]
    assert [cell.text for cell in storage[2:5]] == ["54", "52.5", "−1.5"]
    assert (storage[6].status, storage[6].note) == ("restated", "restated as 2026-W43.2: serial conflict")
    assert rows["GPU", "P50"][2].text == "11 Dec 26"
    assert shown.title.startswith("What 2026-W43 (issue 1) said: ")
    assert "inputs 0123456789ab" in shown.note
    assert issue.executive.header.last_issue == "2026-W43 issue 1"


def test_a_figure_that_no_restatement_explains_makes_a_draft(last):
    wrong = copy.deepcopy(last)
    wrong["how_much"]["classes"][0]["contracted"] = "4096"

    def healthy(tables):
        past(tables)
        tables["mart.restatements"].clear()
        for row in tables["meta.sources"]:
            row["state"] = "fresh"
        for row in tables["meta.expectations"]:
            row["success"] = True
        tables["hist.classes"] = [
            {
                **row,
                "schedulable": Decimal(str(row["schedulable"])) + (Decimal("1.5") if row["kind"] == "storage" else 0),
            }
            for row in tables["hist.classes"]
        ]

    assert build_issue(build_sample(healthy), Standing(last=last)).executive.header.issue_state == "FINAL"
    header = build_issue(build_sample(healthy), Standing(last=wrong)).executive.header
    assert header.issue_state == "DRAFT"
    assert header.issue_reasons == (
        "GPU contracted of the last issue was 4,096, its week now has 5,120, and no restatement says why",
    )
    assert next(check for check in header.checks if check.name == "Reconciliation").passed is False


def test_a_bridge_that_opens_with_another_figure_than_was_issued_is_never_a_restatement(last):
    wrong = copy.deepcopy(last)
    wrong["how_much"]["classes"][2]["schedulable"] = "60"
    header = build_issue(build_sample(past), Standing(last=wrong)).executive.header
    assert any("Storage schedulable, opening of the last issue was 60" in reason for reason in header.issue_reasons)


def test_without_the_last_issue_the_report_says_so():
    issue = build_issue(build_sample(past))
    assert table(issue, "S1-issued") is None
    assert "no data: the files of 2026-W43 as issued are not on record" in [
        getattr(b, "text", "") for b in section(issue).blocks
    ]
    stranger = issued(lambda model: model["header"].update(week="2026-W30"))
    assert table(build_issue(build_sample(past), Standing(last=stranger)), "S1-issued") is None


def test_the_first_week_restated_names_its_differences_too():
    def first(tables):
        tables["meta.week"][0].update(previous_week=None, ordinal=2)

    earlier = json.loads(to_json(build_issue(build_sample(first)).executive))
    assert table(build_issue(build_sample(first), Standing(earlier=earlier)), "S1-restated") is None
    said = [getattr(b, "text", "") for b in section(build_issue(build_sample(first), Standing(earlier=earlier))).blocks]
    assert "Issue 2 of 2026-W44 restates issue 2 (DRAFT, inputs 7f3a1c9e52d0): no figures differ." in said


def test_a_restatement_of_the_week_itself_names_every_difference():
    earlier = json.loads(to_json(build_issue(build_sample(past)).executive))
    earlier["how_much"]["classes"][0]["schedulable"] = "2688"

    def second(tables):
        past(tables)
        tables["meta.week"][0]["ordinal"] = 2

    shown = table(build_issue(build_sample(second), Standing(earlier=earlier)), "S1-restated")
    assert shown.title == "Issue 2 of 2026-W44 restates issue 1 (DRAFT, inputs 7f3a1c9e52d0): 1 figure differs"
    assert [[cell.text for cell in row.cells] for row in shown.rows] == [
        ["GPU", "Schedulable", "2,688", "2,752", "+64"]
    ]
