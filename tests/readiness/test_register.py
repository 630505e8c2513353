"""The RAID log: what an entry must have, and entries that leave the log. Data date 30 October 2026 (2026-W44)."""

from datetime import date

import pytest

from tests.readiness.cluster import BASELINES, cluster
from tests.readiness.past import label
from tests.readiness.tiny import AS_OF, built, programme, rows, staged
from turnup.readiness.build import _MODELS as MODELS
from turnup.readiness.history import write_history_views
from turnup.readiness.persons import write_owner_faults
from turnup.readiness.settings import write_settings
from turnup.warehouse.models import read_model

RISK = {
    "id": "R-1", "type": "risk", "title": "Optics late", "system_id": "TRAIN-1", "probability": 0.5,
    "impact_days": 14, "impact_units": 64, "due": date(2026, 11, 20), "owner": "Ana Ruiz",
    "opened": date(2026, 9, 1), "reviewed": date(2026, 10, 28),
}  # fmt: skip
DECISION = {
    "id": "D-1", "type": "decision", "title": "Second source", "system_id": "TRAIN-1", "options": "A; B",
    "decider": "Helen Park", "needed_by": date(2026, 11, 9), "consequence": "SU2 slips", "impact_days": 0,
    "impact_units": 0, "owner": "Ana Ruiz", "opened": date(2026, 10, 26),
}  # fmt: skip
ACTION = {"id": "A-1", "type": "action", "title": "Book crew", "owner": "Bo Lind", "opened": date(2026, 10, 1),
          "due": date(2026, 10, 20), "reviewed": date(2026, 10, 16)}  # fmt: skip
WAIVER = {"id": "W-1", "type": "waiver", "title": "n0", "system_id": "TRAIN-1", "gate": "acceptance",
          "approver": "Cy Moss", "expiry": date(2027, 1, 29), "compensating_action": "retest", "owner": "Ana Ruiz",
          "opened": date(2026, 9, 1), "reviewed": date(2026, 10, 20)}  # fmt: skip
CHANGE = {"id": "C-1", "type": "change", "title": "More racks", "impact_days": 3, "impact_units": 8,
          "due": date(2026, 11, 6), "owner": "Ana Ruiz", "opened": date(2026, 10, 19)}  # fmt: skip
ISSUE = {"id": "I-1", "type": "issue", "title": "Leak", "impact_days": 3, "impact_units": 8, "due": date(2026, 11, 6),
         "owner": "Ana Ruiz", "opened": date(2026, 10, 19)}  # fmt: skip
WHOLE = [RISK, DECISION, ACTION, WAIVER, CHANGE, ISSUE]


def history(past):
    """Return hist tables with these entries as last week kept them."""
    before = [{"week": label(1), "id_key": item["id"].lower(), "system_key": "train-1", **item} for item in past]
    return {"raid": before} if before else None


def after(log, past=(), quarantine=()):
    """Return the register from its models alone: this RAID log, last week's as history, and rows that were refused."""
    con = staged({"raid": log}, history(past))
    for row in quarantine:
        con.execute("INSERT INTO meta.quarantine VALUES ($1, $2, $3, $4, $5, $6, $7, $8)", list(row))
    con.execute("CREATE SCHEMA core; CREATE SCHEMA mart")
    write_settings(con, programme(), AS_OF)
    write_history_views(con)
    for name in ("core/raid_items", "mart/raid", "mart/found_raid"):
        if name == "mart/raid":
            write_owner_faults(con)
        model = read_model(MODELS / f"{name}.sql")
        con.execute(f"CREATE TABLE {model.table} AS {model.sql}")
    return con


def found(con):
    """Return the findings: code, subject and message."""
    sql = "SELECT code, subject, message FROM core.found_raid ORDER BY code, subject"
    return [tuple(row.values()) for row in rows(con, sql)]


def test_entries_with_all_that_their_type_needs_are_aged_and_not_found():
    con = after(WHOLE)
    assert found(con) == []
    items = {row["id"]: row for row in rows(con, "SELECT * FROM mart.raid")}
    assert {key: row["age_days"] for key, row in items.items()} == {
        "R-1": 59, "D-1": 4, "A-1": 29, "W-1": 59, "C-1": 11, "I-1": 11,
    }  # fmt: skip
    assert [key for key, row in sorted(items.items()) if row["is_overdue"]] == ["A-1"]
    # Reviewed on 16 October is 14 days ago; one day more and nobody counts as its owner.
    assert [key for key, row in sorted(items.items()) if row["is_unowned"]] == []
    late = after([{**ACTION, "reviewed": date(2026, 10, 15)}])
    assert rows(late, "SELECT id, not_reviewed, is_unowned FROM mart.raid") == [
        {"id": "A-1", "not_reviewed": True, "is_unowned": True}
    ]


def test_each_type_says_what_it_lacks():
    bare = {"title": "t", "owner": "Ana Ruiz", "opened": date(2026, 10, 20)}
    con = after([{"id": f"X-{item['type']}", "type": item["type"], **bare} for item in WHOLE])
    assert [message for _, _, message in found(con)] == [
        "action X-action has no due date",
        "change X-change has no impact in days, no impact in units, no due date",
        "decision X-decision has no options, no decider, no needed-by date, no consequence, no impact in days, "
        "no impact in units",
        "issue X-issue has no impact in days, no impact in units, no due date",
        "risk X-risk has no probability, no impact in days, no impact in units, no due date",
        "waiver X-waiver has no system, no gate, no approver, no expiry, no compensating action",
    ]


def test_an_owner_who_is_no_person_leaves_the_entry_unowned():
    con = after([{**RISK, "owner": "Network team"}, {**ACTION, "owner": "TBD", "closed": date(2026, 10, 27)}])
    assert found(con) == [
        ("owner_not_a_person", "R-1",
         "the owner of risk R-1 is a team: Network team; expected the name of one person"),
    ]  # fmt: skip
    assert rows(con, "SELECT is_unowned FROM mart.raid WHERE id = 'R-1'") == [{"is_unowned": True}]


class TestLeavingTheLog:
    """An entry leaves the log only by being closed."""

    def test_it_stays_and_says_since_when_it_is_missing(self):
        past = [{**RISK, "file": "RAID log W43.xlsx", "row": 7, "missing_since": None, "closed": None}]
        con = after([ACTION], past)
        (item,) = rows(con, "SELECT * FROM mart.raid WHERE id = 'R-1'")
        assert (item["missing_since"], item["owner"], item["impact_days"]) == ("2026-W44", "Ana Ruiz", 14)
        assert (item["file"], item["row"], item["age_days"]) == ("RAID log W43.xlsx", 7, 59)
        assert found(con) == [
            ("missing_from_log", "R-1",
             "risk R-1 is missing from the log since 2026-W44 and was not closed; last in RAID log W43.xlsx, row 7"),
        ]  # fmt: skip

    @pytest.mark.parametrize(("in_force", "code"), [(True, "entry_refused"), (False, "missing_from_log")])
    def test_one_whose_row_was_refused_is_not_missing(self, in_force, code):
        given = '{"ID": "R-1 ", "Type": "risk", "Due": "31 Nov 2026"}'
        row = ("raid", "RAID log W44.xlsx", "RAID", 3, "due", "no calendar date", given, in_force)
        con = after([ACTION], [{**RISK, "missing_since": None}], [row])
        assert [(row[0], row[1]) for row in found(con)] == [(code, "R-1")]
        (item,) = rows(con, "SELECT missing_since, refused, owner FROM mart.raid WHERE id = 'R-1'")
        why = "RAID log W44.xlsx, row 3: no calendar date"
        expected = (None, why) if in_force else ("2026-W44", None)
        assert (item["missing_since"], item["refused"], item["owner"]) == (*expected, "Ana Ruiz")

    def test_it_keeps_the_week_in_which_it_went(self):
        con = after([], [{**RISK, "missing_since": "2026-W41"}])
        assert rows(con, "SELECT missing_since FROM mart.raid") == [{"missing_since": "2026-W41"}]

    @pytest.mark.parametrize(
        "log", [[{**RISK, "closed": date(2026, 10, 29)}], [{**RISK, "id": "r-1 "}], [{**RISK, "title": "Worded anew"}]]
    )
    def test_one_that_is_back_or_closed_is_not_missing(self, log):
        con = after(log, [{**RISK, "missing_since": "2026-W41"}])
        assert rows(con, "SELECT missing_since FROM mart.raid") == [{"missing_since": None}]

    def test_one_that_was_closed_may_go(self):
        con = after([ACTION], [{**RISK, "closed": date(2026, 10, 20)}])
        assert rows(con, "SELECT id FROM mart.raid") == [{"id": "A-1"}]

    def test_a_missing_decision_is_waited_for_and_escalated(self):
        past = history([{**DECISION, "needed_by": date(2026, 10, 29)}])
        con = built(cluster(1), past, acceptance=BASELINES)
        assert rows(con, "SELECT id, overdue FROM mart.decisions") == [{"id": "D-1", "overdue": True}]
        assert rows(con, "SELECT id FROM core.open_decisions") == [{"id": "D-1"}]
        assert rows(con, "SELECT escalation_id FROM mart.escalations") == [{"escalation_id": "overdue_decision:d-1"}]
        assert rows(con, "SELECT subject FROM mart.findings") == [{"subject": "D-1"}]

    def test_a_missing_waiver_stays_in_sight_and_waives_nothing(self):
        data = cluster(1)
        data["benchmarks"][0].update(value=400.0)
        con = built(data, history([WAIVER]), acceptance=BASELINES)
        assert rows(con, "SELECT id, missing_since FROM mart.raid") == [{"id": "W-1", "missing_since": "2026-W44"}]
        assert rows(con, "SELECT count(*) AS n FROM mart.waivers") == [{"n": 0}]
        assert rows(con, "SELECT state FROM mart.gates WHERE gate = 'acceptance'") == [{"state": "in progress"}]
