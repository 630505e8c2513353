"""Escalations: one id for as long as a cause stands, levels by age, closing and opening again."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.readiness.cluster import BASELINES, cluster, line
from tests.readiness.escalating import Programme, cause
from tests.readiness.past import label
from tests.readiness.tiny import built, rows, timed
from turnup.readiness.escalation import LEVELS, Escalations

REGRESSION = cause("regression", "train-1:su1:l1")
RULES = ("p80_past_commit", "old_blocker", "regression", "single_vendor_shortage", "expired_waiver", "overdue_decision")


class TestLife:
    """Weeks end on 4, 11, 18 and 25 September (W36 to W39). A regression goes to the programme after 7 days."""

    def test_the_next_week_it_is_the_same_one(self):
        programme = Programme()
        first = programme.close(REGRESSION)["regression:train-1:su1:l1"]
        second = programme.close(REGRESSION)["regression:train-1:su1:l1"]
        assert (first["change"], first["level"], first["addressee"], first["weeks_open"]) == (
            "raised", "owner", "Ana Ruiz", 0,
        )  # fmt: skip
        assert (second["change"], second["level"], second["addressee"], second["weeks_open"]) == (
            "level", "programme", "programme manager", 1,
        )  # fmt: skip
        assert first["raised_on"] == second["raised_on"] == date(2026, 9, 4)
        assert programme.steps("regression:train-1:su1:l1") == [
            ("raised", "2026-W36", "owner"), ("level", "2026-W37", "programme"),
        ]  # fmt: skip

    def test_it_closes_with_its_cause_and_opens_again_at_its_level(self):
        programme = Programme()
        for _ in range(2):
            programme.close(REGRESSION)
        (closed,) = programme.close().values()
        assert (closed["state"], closed["closed_on"], closed["change"]) == ("closed", date(2026, 9, 18), "closed")
        assert (closed["closed_because"], closed["weeks_open"]) == ("its cause is gone", 2)
        (again,) = programme.close(REGRESSION).values()
        assert (again["state"], again["change"], again["level"], again["times_raised"]) == (
            "open", "reopened", "programme", 2,
        )  # fmt: skip
        assert (again["raised_on"], again["open_since"]) == (date(2026, 9, 4), date(2026, 9, 25))
        assert [step for step, _, _ in programme.steps(again["escalation_id"])] == [
            "raised", "level", "closed", "reopened",
        ]  # fmt: skip

    def test_a_closed_one_is_shown_as_closed_once_and_forgotten_after_13_weeks(self):
        programme = Programme()
        programme.close(REGRESSION)
        programme.close()
        assert [row["change"] for row in programme.close().values()] == [None]
        for _ in range(11):
            assert programme.close()  # closed on 11 September; the 13th week after ends on 11 December
        assert programme.close() == {}
        (new,) = programme.close(REGRESSION).values()
        assert (new["change"], new["level"], new["times_raised"]) == ("raised", "owner", 1)

    def test_its_level_goes_by_the_age_of_the_cause_where_that_is_known(self):
        # On 4 September the decision is 10 days overdue: past the 7 of the programme, short of the 14 of the sponsor.
        programme = Programme(addressees={"sponsor": "Kim Aas"})
        overdue = cause("overdue_decision", "d-1", since=date(2026, 8, 25), owner="Helen Park, CPO")
        (first,) = programme.close(overdue).values()
        (second,) = programme.close(overdue).values()
        assert (first["level"], first["addressee"]) == ("programme", "programme manager")
        assert (second["level"], second["addressee"], second["change"]) == ("sponsor", "Kim Aas", "level")

    def test_a_rule_that_is_switched_off_closes_what_it_raised(self):
        programme = Programme()
        programme.close(REGRESSION)
        programme.policy = Escalations.model_validate({"rules": {"regression": {"enabled": False}}})
        (closed,) = programme.close().values()  # the causes of a rule that is off are left out
        assert (closed["state"], closed["closed_because"]) == ("closed", "its rule is off")

    def test_an_owner_is_named_or_said_to_be_missing(self):
        (found,) = Programme().close(cause("regression", "x", owner=None)).values()
        assert found["addressee"] == "no owner"


_WEEKS = st.lists(st.sets(st.sampled_from([f"{rule}/{n}" for rule in RULES for n in range(2)])), min_size=2, max_size=6)


@settings(max_examples=12, deadline=None)
@given(weeks=_WEEKS, seed=st.randoms(use_true_random=False))
def test_every_escalation_lives_as_its_cause_does_whatever_the_order_of_rows(weeks, seed):
    there, shuffled = Programme(), Programme()
    life = {}
    for present in weeks:
        causes = [cause(*name.split("/")) for name in sorted(present)]
        found = there.close(*causes)
        seed.shuffle(causes)
        assert shuffled.close(*causes) == found
        for name in {name for week in weeks for name in week}:
            identity, before = name.replace("/", ":"), life.get(name, {"open": False, "level": 0, "raised": 0})
            if name not in present:
                assert (identity in found) == (before["raised"] > 0)
                if before["raised"]:
                    assert (found[identity]["state"], found[identity]["level_no"]) == ("closed", before["level"])
                    life[name] = before | {"open": False}
                continue
            row = found[identity]
            raised = before["raised"] + (not before["open"])
            assert (row["state"], row["times_raised"]) == ("open", raised)
            assert row["level_no"] >= before["level"]
            assert row["raised_on"] <= row["open_since"] <= row["level_since"] <= there.as_of or raised > 1
            life[name] = {"open": True, "level": row["level_no"], "raised": raised}
        for identity, row in found.items():
            names = [step for step, _, _ in there.steps(identity)]
            assert (names[0], names.count("raised") + names.count("reopened")) == ("raised", row["times_raised"])


class TestCauses:
    """A cluster of 4 nodes of 8, all schedulable; data date 30 October 2026."""

    def found(self, data, past=None, books=None, **changes):
        con = built(data, past, books=books, acceptance=BASELINES, **changes)
        return {row["escalation_id"]: row for row in rows(con, "SELECT * FROM mart.escalations ORDER BY escalation_id")}

    def test_nothing_is_escalated_where_nothing_is_wrong(self):
        assert self.found(cluster(4)) == {}

    def test_p80_after_the_internal_commit_date(self):
        # 16 of 48 remain; the last gate takes 6 working days from Monday 2 November: 9 November.
        data = cluster(4)
        data["commitments"] = [line("TRAIN-1", "1", 48, date(2026, 11, 30), internal_commit_date=date(2026, 11, 6))]
        found = self.found(data, books=timed((6, 6, 6)))["p80_past_commit:c-1/1/1"]
        assert (found["capacity"], found["unit"], found["days"]) == (16, "accelerators", 3)
        assert found["cause"] == (
            "P80 2026-11-09 is after the commit date 2026-11-06 of line C-1/1/1; 16 of 48 accelerators missing"
        )
        assert (found["level"], found["addressee"], found["evidence"]) == ("owner", "Ana Ruiz", "C-1/1/1")

    def test_old_blocker_and_regression(self):
        # The benchmark of one node fails. First seen on 25 September: 35 days, more than 28, on the list for 7 days.
        data = cluster(4)
        data["benchmarks"][0].update(value=400.0)
        identity = "train-1:all:acceptance:bandwidth_passed"
        gate = {"week": label(1), "system_key": "train-1", "block": "all", "gate": "acceptance", "state": "passed"}
        past = {
            "blockers": [{"week": label(1), "blocker_id": identity, "first_seen": date(2026, 9, 25)}],
            "gates": [gate],
        }
        found = self.found(data, past)
        blocker, regressed = found[f"old_blocker:{identity}"], found["regression:train-1:all:acceptance"]
        assert (blocker["capacity"], blocker["days"], blocker["level"]) == (8, 35, "owner")
        assert (regressed["capacity"], regressed["level"]) == (8, "owner")
        assert identity in regressed["evidence"].split(", ")
        assert regressed["cause"].startswith("gate acceptance of TRAIN-1 block all had passed and does not hold: ")
        quiet = {"blocker_days": 35, "rules": {"regression": {"enabled": False}}}
        assert not {rule.partition(":")[0] for rule in self.found(data, past, escalations=quiet)} & {
            "old_blocker", "regression",
        }  # fmt: skip

    def test_a_short_part_that_one_vendor_holds(self):
        # Ten of each are needed on 2 November and promised for the 12th: OPT-1 by one vendor, OPT-2 by two.
        data = cluster(4)
        data["commitments"] = [line("TRAIN-1", "1", 40, date(2026, 11, 2))]
        for number, (part, vendor) in enumerate(
            (("OPT-1", "Vantor"), ("OPT-1", "VANTOR "), ("OPT-2", "Vantor"), ("OPT-2", "Kestrel"))
        ):
            name = {"po": "P2", "line": str(number)}
            order = {"part_number": part, "quantity": 5, "vendor": vendor, "status": "open"}
            data["purchase_orders"].append(name | order | {"ordered": date(2026, 9, 1)})
            data["po_allocations"].append(name | {"system_id": "TRAIN-1", "quantity": 5})
            promise = {"schedule": "1", "quantity": 5, "promised": date(2026, 11, 12)}
            data.setdefault("po_schedule", []).append(name | promise)
            if number % 2:
                needed = {"system_id": "TRAIN-1", "line": part, "part_number": part, "quantity": 10}
                data["bom"].append(needed)
        found = {key: row for key, row in self.found(data).items() if row["rule"] == "single_vendor_shortage"}
        assert list(found) == ["single_vendor_shortage:train-1:opt-1"]
        (row,) = found.values()
        assert (row["capacity"], row["evidence"], row["days"]) == (8, "P2/0, P2/1", 10)
        assert row["cause"] == (
            "TRAIN-1 is short of 10 OPT-1, and all 10 on order come from Vantor; "
            "covered on 2026-11-12, needed on 2026-11-02"
        )

    def test_a_waiver_that_expired_yesterday_and_a_decision_due_yesterday(self):
        data = cluster(4)
        common = {"system_id": "TRAIN-1", "owner": "Ana Ruiz", "opened": date(2026, 9, 1)}
        data["raid"] = [
            {"id": "W-1", "type": "waiver", "title": "n0", "gate": "acceptance", "approver": "Cy Moss",
             "expiry": date(2026, 10, 29), **common},
            {"id": "W-2", "type": "waiver", "title": "n1", "gate": "acceptance", "approver": "Cy Moss",
             "expiry": date(2026, 10, 30), **common},
            {"id": "D-1", "type": "decision", "title": "Second source", "decider": "Helen Park",
             "needed_by": date(2026, 10, 29), "impact_units": 64, "consequence": "SU2 slips", **common},
            {"id": "D-2", "type": "decision", "title": "Third source", "decider": "Helen Park",
             "needed_by": date(2026, 10, 30), **common},
        ]  # fmt: skip
        found = self.found(data)
        assert sorted(found) == ["expired_waiver:w-1", "overdue_decision:d-1"]
        waiver, decision = found["expired_waiver:w-1"], found["overdue_decision:d-1"]
        assert (waiver["level"], waiver["addressee"], waiver["days"]) == ("programme", "programme manager", 1)
        assert (decision["level"], decision["addressee"], decision["days"]) == ("owner", "Helen Park", 1)
        assert (decision["capacity"], decision["unit"], decision["evidence"]) == (64, "accelerators", "D-1")


class TestPolicy:
    """What programme.yaml may say."""

    def test_every_rule_is_on_and_starts_at_once(self):
        levels = Escalations().levels()
        assert set(levels["rule"]) == set(RULES)
        lowest = {}
        for rule, _, _, days, _ in levels.rows():
            lowest[rule] = min(days, lowest.get(rule, days))
        assert lowest == dict.fromkeys(RULES, 0)
        assert set(levels["level"]) == set(LEVELS)

    def test_a_rule_may_name_its_own_levels_and_addressees(self):
        policy = {
            "addressees": {"programme": "Dana Cole"},
            "rules": {"regression": {"after_days": {"owner": 0, "sponsor": 3}, "addressees": {"sponsor": "Kim Aas"}}},
        }
        levels = Escalations.model_validate(policy).levels()
        assert levels.filter(levels["rule"] == "regression").rows() == [
            ("regression", 1, "owner", 0, None), ("regression", 3, "sponsor", 3, "Kim Aas"),
        ]  # fmt: skip
        assert ("expired_waiver", 2, "programme", 0, "Dana Cole") in levels.rows()

    @pytest.mark.parametrize(
        "policy",
        [
            {"rules": {"regresion": {}}},
            {"rules": {"regression": {"after_days": {"owner": 3}}}},
            {"rules": {"regression": {"after_days": {}}}},
            {"rules": {"regression": {"after_days": {"owner": 0, "programme": 9, "sponsor": 7}}}},
            {"addressees": {"board": "Kim Aas"}},
            {"addressees": {"sponsor": ""}},
            {"blocker_days": 0},
        ],
    )
    def test_a_policy_that_makes_no_sense_is_refused(self, policy):
        with pytest.raises(ValidationError):
            Escalations.model_validate(policy)
