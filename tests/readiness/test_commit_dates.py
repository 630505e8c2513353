"""Dates of contract lines move by amendment or by an approved decision only; the first baseline is kept.

Data date 30 October 2026. The line C-1/1/1 of 48 accelerators was issued with 11 December (internal 4 December).
"""

from datetime import date

import pytest

from tests.readiness.cluster import BASELINES, cluster, line
from tests.readiness.past import label
from tests.readiness.tiny import AS_OF, built, programme, rows, staged
from turnup.readiness.build import _MODELS as MODELS
from turnup.readiness.history import write_history_views
from turnup.readiness.settings import write_settings
from turnup.warehouse.models import read_model

ISSUED, INTERNAL, LATER = date(2026, 12, 11), date(2026, 12, 4), date(2027, 1, 15)
CHANGE = {
    "id": "C-9", "type": "change", "title": "New date", "scope": "C-1/1/1", "approver": "Cy Moss",
    "owner": "Ana Ruiz", "opened": date(2026, 10, 1), "closed": date(2026, 10, 28),
}  # fmt: skip


def issued(weeks_ago=1, **changes):
    """Return the line as an earlier week issued it."""
    return {
        "week": label(weeks_ago), "contract": "C-1", "line": "1", "phase": "1", "amendment": 0,
        "contract_date": ISSUED, "internal_commit_date": INTERNAL, "first_contract_date": ISSUED,
        "first_internal_date": INTERNAL, "date_decisions": None,
    } | changes  # fmt: skip


def dates(delivered, past, raid=()):
    """Return the dates in force of the line, from the two models alone."""
    history = {"commitments": sorted(past, key=lambda row: row["date_decisions"] or "", reverse=True)}
    con = staged({"commitments": delivered, "raid": list(raid)}, history if past else None)
    con.execute("CREATE SCHEMA core")
    write_settings(con, programme(), AS_OF)
    write_history_views(con)
    for name in ("raid_items", "commit_dates"):
        model = read_model(MODELS / "core" / f"{name}.sql")
        con.execute(f"CREATE TABLE {model.table} AS {model.sql}")
    (row,) = rows(con, "SELECT * FROM core.commit_dates")
    return row


def told(contract_date=LATER, internal=INTERNAL, **changes):
    """Return the line as the register tells it now."""
    return line("TRAIN-1", "1", 48, contract_date, internal_commit_date=internal, **changes)


class TestMoving:
    """A date that differs from the one in force."""

    def test_without_a_decision_the_old_dates_stay(self):
        row = dates([told(LATER, date(2027, 1, 8))], [issued()])
        assert (row["held"], row["contract_date"], row["internal_commit_date"]) == (True, ISSUED, INTERNAL)
        assert (row["claimed_contract_date"], row["claimed_internal_date"]) == (LATER, date(2027, 1, 8))

    @pytest.mark.parametrize("internal", [date(2026, 12, 1), None])
    def test_an_internal_date_is_held_as_well_also_when_it_is_brought_forward_or_taken_away(self, internal):
        row = dates([told(ISSUED, internal)], [issued()])
        assert (row["held"], row["internal_commit_date"]) == (True, INTERNAL)

    def test_an_internal_date_where_there_was_none_is_a_first_one(self):
        row = dates([told(ISSUED, INTERNAL)], [issued(internal_commit_date=None, first_internal_date=None)])
        assert (row["held"], row["internal_commit_date"], row["first_internal_date"]) == (False, INTERNAL, INTERNAL)

    def test_a_higher_signed_amendment_moves_it(self):
        row = dates([told(ISSUED), told(LATER, amendment=1)], [issued()])
        assert (row["held"], row["contract_date"], row["first_contract_date"]) == (False, LATER, ISSUED)

    def test_an_unsigned_amendment_does_not(self):
        row = dates([told(ISSUED), told(LATER, amendment=1, signed=False)], [issued()])
        assert (row["held"], row["contract_date"]) == (False, ISSUED)

    def test_an_amendment_taken_back_is_no_amendment(self):
        row = dates([told(ISSUED)], [issued(amendment=1, contract_date=LATER)])
        assert (row["held"], row["contract_date"]) == (True, LATER)

    def test_a_line_that_was_gone_for_a_week_is_compared_with_what_was_issued_last(self):
        row = dates([told(LATER)], [issued(3)])
        assert (row["held"], row["contract_date"]) == (True, ISSUED)

    @pytest.mark.parametrize(
        ("changes", "moves"),
        [
            ({}, True),
            ({"scope": "c-1/1"}, True),  # every phase of the line
            ({"scope": "C-2/1/1; C-1/1/1"}, True),
            ({"type": "decision", "decider": "Helen Park", "approver": None, "outcome": "A"}, True),
            ({"type": "decision", "decider": "Helen Park", "approver": None, "outcome": None}, False),
            ({"scope": "C-1/2/1"}, False),
            ({"scope": None}, False),
            ({"closed": None}, False),
            ({"closed": date(2026, 10, 31)}, False),  # after the data date
            ({"approver": None}, False),
            ({"outcome": "Rejected by the board"}, False),
            ({"type": "action"}, False),
        ],
    )
    def test_a_closed_and_approved_entry_that_names_the_line_moves_it(self, changes, moves):
        row = dates([told()], [issued()], [CHANGE | changes])
        assert (row["held"], row["contract_date"]) == ((False, LATER) if moves else (True, ISSUED))
        assert row["decisions"] == ("C-9" if moves else None)

    def test_one_decision_serves_one_move(self):
        past = [issued(2, date_decisions="C-8, C-9"), issued(1)]
        assert dates([told()], past, [CHANGE])["held"]
        assert not dates([told()], past, [CHANGE, CHANGE | {"id": "C-10"}])["held"]

    def test_what_came_with_an_amendment_is_used_by_it(self):
        row = dates([told(ISSUED), told(LATER, amendment=1)], [issued()], [CHANGE])
        assert row["decisions"] == "C-9"

    def test_the_first_dates_stay_the_first_also_when_the_register_forgets_them(self):
        past = [issued(2), issued(1, amendment=1, contract_date=LATER, first_contract_date=LATER)]
        row = dates([told(LATER, amendment=1)], past)
        assert (row["contract_date"], row["first_contract_date"]) == (LATER, ISSUED)


def baselines(con):
    """Return the baselines of the line."""
    return [tuple(row.values()) for row in rows(con, "SELECT baseline_no, contract_date, set_by, replaced_on"
                                                     " FROM mart.baselines ORDER BY baseline_no")]  # fmt: skip


def kept(number, contract_date, replaced_on=None):
    """Return a baseline as last week kept it."""
    return {"week": label(1), "contract_key": "c-1", "line_key": "1", "phase_key": "1", "baseline_no": number,
            "contract_date": contract_date, "internal_commit_date": None, "set_on": date(2026, 6, 5),
            "set_by": "first signed line", "replaced_on": replaced_on}  # fmt: skip


class TestBaselines:
    """Whole builds: what a commitment shows, and which pairs of dates are kept."""

    def built(self, contract_date, kept_before=(), raid=()):
        data = cluster(4)
        data["commitments"] = [line("TRAIN-1", "1", 48, contract_date)]
        data["raid"] = list(raid)
        past = {"commitments": [issued(internal_commit_date=None, first_internal_date=None)]}
        past |= {"baselines": list(kept_before)} if kept_before else {}
        return built(data, past, acceptance=BASELINES)

    def test_a_silent_move_is_found_and_changes_nothing(self):
        con = self.built(date(2026, 10, 1), [kept(1, ISSUED)])
        (found,) = rows(con, "SELECT * FROM mart.commitments")
        # 1 October would be overdue with 16 short; 11 December is not yet due.
        assert (found["contract_date"], found["due_now"], found["shortfall"]) == (ISSUED, False, 0)
        assert (found["dates_held"], found["claimed_contract_date"]) == (True, date(2026, 10, 1))
        assert (found["baseline_id"], found["moved_days"]) == ("B1", 0)
        assert rows(con, "SELECT subject, message FROM mart.findings WHERE code = 'date_moved_without_decision'") == [
            {
                "subject": "C-1/1/1",
                "message": "contract date 2026-12-11 was changed to 2026-10-01 without an amendment or an approved"
                " decision; the old date stays in force",
            }
        ]
        assert baselines(con) == [(1, ISSUED, "first signed line", None)]

    def test_an_approved_move_is_a_new_baseline_and_old_ones_go_after_13_weeks(self):
        # Replaced on 31 July is 91 days ago, on 1 August 90.
        before = [kept(1, ISSUED, date(2026, 3, 6)), kept(2, date(2026, 12, 14), date(2026, 7, 31)),
                  kept(3, date(2026, 12, 15), date(2026, 8, 1)), kept(4, ISSUED)]  # fmt: skip
        before.sort(key=lambda row: row["replaced_on"] is None)
        con = self.built(LATER, before, [CHANGE])
        (found,) = rows(con, "SELECT * FROM mart.commitments")
        # From 11 December to 15 January are 35 days.
        assert (found["contract_date"], found["first_contract_date"], found["moved_days"]) == (LATER, ISSUED, 35)
        assert (found["baseline_id"], found["date_decisions"], found["dates_held"]) == ("B5", "C-9", False)
        assert baselines(con) == [
            (1, ISSUED, "first signed line", date(2026, 3, 6)),
            (3, date(2026, 12, 15), "first signed line", date(2026, 8, 1)),
            (4, ISSUED, "first signed line", AS_OF),
            (5, LATER, "decision C-9", None),
        ]
