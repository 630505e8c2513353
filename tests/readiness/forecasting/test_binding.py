"""Activities of schedule files bound to the evidence of their gates. The data date is Friday 30 October 2026."""

from datetime import date, datetime

from tests.readiness.forecasting.small import block as block_of
from tests.readiness.forecasting.small import bound, day, days_of, facts, gate, one_block, project, system
from turnup.readiness.forecasting.binding import bind
from turnup.schedule.model import MS_PROJECT

INSTALL = {"system": "A", "block": "B1", "gate": "Install"}


def test_coded_activities_take_the_place_of_the_lead_time_with_their_logic():
    plan = project(
        {"id": "1", "d": 4, **INSTALL}, {"id": "2", "d": 2, **INSTALL}, {"id": "3", "d": 1},
        links=(("1", "2", 1), ("3", "1")),
    )  # fmt: skip
    made = bound(one_block(gate("install", 20), gate("test", 3)), (plan,))
    # 3: Monday; 1: Tuesday to Friday; a day of lag; 2: two days more; the test 3 days after it
    assert days_of(made) == {"b1/install": day(8), "b1/test": day(11)}


def test_the_gate_before_holds_back_a_gate_whose_activities_are_done_early():
    plan = project({"id": "1", "d": 1, **INSTALL})
    assert days_of(bound(one_block(gate("deliver", 9), gate("install", 20)), (plan,))) == {
        "b1/deliver": day(9), "b1/install": day(9),
    }  # fmt: skip


def test_work_begins_at_the_data_date_of_the_week_whatever_the_files_says():
    plan = project({"id": "1", "d": 2, **INSTALL}, data_date=datetime(2026, 9, 1))
    assert days_of(bound(one_block(gate("install", 20)), (plan,))) == {"b1/install": day(2)}


def test_an_activity_on_its_own_calendar_keeps_it():
    plan = project({"id": "1", "d": 6, "calendar": "24h elapsed", **INSTALL})  # six times 8 hours on the clock
    assert days_of(bound(one_block(gate("install", 20)), (plan,))) == {"b1/install": date(2026, 11, 1)}


class TestPassed:
    """A gate that evidence has passed."""

    def bindings(self, *activities, passed_on=date(2026, 10, 16)):
        given = one_block(gate("install", 20, passed=True, passed_on=passed_on), gate("test", 3))
        return bind((project(*activities),), given)

    def activity(self, *activities):
        return self.bindings(*activities).projects[0].activities.row(0, named=True)

    def test_sets_the_actual_dates_of_its_activities(self):
        found = self.activity({"id": "1", "d": 4, "percent": 40.0, **INSTALL})
        assert (found["status"], found["percent"], found["remaining_s"]) == ("completed", 100, 0)
        assert found["actual_finish"] == datetime(2026, 10, 16, 17)

    def test_keeps_an_own_finish_that_is_earlier(self):
        told = {
            "status": "completed",
            "actual_start": datetime(2026, 10, 5, 8),
            "actual_finish": datetime(2026, 10, 9, 17),
        }
        found = self.activity({"id": "1", "d": 5, **INSTALL, **told})
        assert (found["actual_start"], found["actual_finish"]) == (told["actual_start"], told["actual_finish"])

    def test_moves_a_finish_that_is_told_for_later(self):
        told = {
            "status": "completed",
            "actual_start": datetime(2026, 10, 19, 8),
            "actual_finish": datetime(2026, 10, 20, 17),
        }
        found = self.activity({"id": "1", "d": 2, **INSTALL, **told})
        assert (found["actual_start"], found["actual_finish"]) == (datetime(2026, 10, 16, 17),) * 2

    def test_is_no_contradiction(self):
        assert self.bindings({"id": "1", "d": 4, "status": "completed", **INSTALL}).contradictions == ()


class TestClaimed:
    """An activity that is claimed to be done while its gate has not passed."""

    def given(self, *activities, **of_gate):
        return one_block(gate("install", 20, **of_gate), gate("test", 3)), project(*activities)

    def test_is_a_contradiction_and_takes_the_likely_lead_time(self):
        given, plan = self.given({"id": "1", "d": 4, "percent": 100.0, "remaining_s": 0, **INSTALL})
        (found,) = bind((plan,), given).contradictions
        assert (found.code, found.system, found.gate, found.blocks, found.remaining_days) == (
            "1",
            "a",
            "install",
            ("b1",),
            20,
        )
        assert days_of(bound(given, (plan,))) == {"b1/install": day(20), "b1/test": day(23)}

    def test_keeps_the_remaining_duration_that_is_told(self):
        given, plan = self.given({"id": "1", "d": 4, "percent": 100.0, "remaining_s": 2 * 28_800, **INSTALL})
        assert days_of(bound(given, (plan,)))["b1/install"] == day(2)

    def test_by_an_actual_finish_is_the_same(self):
        told = {"status": "completed", "remaining_s": 0, "actual_start": datetime(2026, 10, 5, 8),
                "actual_finish": datetime(2026, 10, 9, 17)}  # fmt: skip
        given, plan = self.given({"id": "1", "d": 5, **INSTALL, **told})
        (found,) = bind((plan,), given).contradictions
        assert found.claimed_finish == date(2026, 10, 9)
        assert days_of(bound(given, (plan,)))["b1/install"] == day(20)

    def test_takes_what_evidence_leaves_open(self):
        given, plan = self.given({"id": "1", "d": 4, "percent": 100.0, "remaining_s": 0, **INSTALL}, open_share=0.25)
        assert days_of(bound(given, (plan,)))["b1/install"] == day(5)

    def test_two_share_the_lead_time(self):
        claim = {"d": 4, "percent": 100.0, "remaining_s": 0, **INSTALL}
        given, plan = self.given({"id": "1", **claim}, {"id": "2", **claim})
        made = bind((plan,), given)
        assert [one.remaining_days for one in made.contradictions] == [10, 10]

    def test_is_none_while_others_of_a_begun_gate_are_open(self):
        done = {"id": "1", "d": 4, "status": "completed", "percent": 100.0, "remaining_s": 0, **INSTALL}
        given, plan = self.given(done, {"id": "2", "d": 3, **INSTALL}, open_share=0.5)
        assert bind((plan,), given).contradictions == ()
        assert days_of(bound(given, (plan,)))["b1/install"] == day(3)

    def test_is_one_although_others_are_open_where_nothing_of_the_gate_is_there(self):
        given, plan = self.given({"id": "1", "d": 4, "percent": 100.0, **INSTALL}, {"id": "2", "d": 3, **INSTALL})
        assert [one.code for one in bind((plan,), given).contradictions] == ["1"]

    def test_is_none_where_only_a_gate_before_is_open(self):
        given = one_block(gate("deliver", 9), gate("install", 20, stage="installed", open_share=0.0), gate("test", 3))
        plan = project({"id": "1", "d": 4, "status": "completed", "percent": 100.0, "remaining_s": 0, **INSTALL})
        assert bind((plan,), given).contradictions == ()
        assert days_of(bound(given, (plan,)))["b1/test"] == day(12)

    def test_of_several_blocks_needs_the_evidence_of_all(self):
        given = facts(
            system(), block_of(), block_of(key="b2", number=2),
            gate("install", 20, passed=True, passed_on=date(2026, 10, 16)), gate("install", 20, block="b2"),
        )  # fmt: skip
        plan = project({"id": "1", "d": 4, "percent": 100.0, "remaining_s": 0, "system": "A", "gate": "install"})
        (found,) = bind((plan,), given).contradictions
        assert found.blocks == ("b2",)


def test_without_codes_an_activity_stays_in_the_network_as_it_is():
    plan = project(
        {"id": "1", "d": 4, "status": "completed", "percent": 100.0}, {"id": "2", "d": 3}, links=(("1", "2"),)
    )
    made = bind((plan,), one_block(gate("install", 20)))
    assert made.contradictions == ()
    assert made.projects[0].activities["status"].to_list() == ["completed", "not_started"]
    assert made.projects[0].links.select("pred", "succ").row(0) == ("activity/1", "activity/2")


def test_a_code_that_names_no_gate_is_told():
    plan = project(
        {"id": "1", "d": 4, "system": "A", "gate": "paint"}, {"id": "2", "d": 4, "system": "Q", "gate": "install"}
    )
    assert bind((plan,), one_block(gate("install", 20))).unbound == (
        "activity 1 of P1 carries the code A/paint, which names no gate",
        "activity 2 of P1 carries the code Q/install, which names no gate",
    )


def test_an_open_activity_without_duration_leaves_its_gate_without_a_day():
    made = bound(one_block(gate("install", 20)), (project({"id": "1", **INSTALL}),))
    assert days_of(made) == {"b1/install": None}
    assert made.reasons["gate/a/b1/install"] == "activity 1 of P1 has no duration"


def test_a_loop_in_a_file_takes_the_dates_of_what_waits_for_it_only():
    plan = project(
        {"id": "1", "d": 1, **INSTALL}, {"id": "2", "d": 1}, links=(("1", "2"), ("2", "1")),
    )  # fmt: skip
    made = bound(one_block(gate("deliver", 2), gate("install", 20)), (plan,))
    assert days_of(made) == {"b1/deliver": day(2), "b1/install": None}
    assert "1 -> 2 -> 1" in made.reasons["gate/a/b1/install"]


class TestFixedDates:
    """Dates that a planner fixed hold work back and never pull it forward."""

    def day(self, activity, **changes):
        plan = project({"id": "1", "d": 4, **INSTALL, **activity}, **changes)
        return days_of(bound(one_block(gate("install", 20)), (plan,)))["b1/install"]

    def test_a_tool_whose_status_date_moves_nothing_is_moved_all_the_same(self):
        assert self.day({}, options=MS_PROJECT, planned_start=datetime(2026, 8, 3, 8)) == day(4)

    def test_a_start_that_wins_over_everything_in_its_tool_does_not_lie_in_the_past(self):
        past = {"constraint": "start_on", "constraint_date": datetime(2026, 9, 7, 8)}
        assert self.day(past, options=MS_PROJECT) == day(4)

    def test_a_mandatory_start_holds_back(self):
        late = {"constraint": "mandatory_start", "constraint_date": datetime(2026, 11, 9, 8)}
        assert self.day(late) == day(9)

    def test_a_mandatory_finish_in_the_past_finishes_nothing(self):
        past = {"constraint": "mandatory_finish", "constraint_date": datetime(2026, 10, 16, 17)}
        assert self.day(past) == day(4)

    def test_a_manual_task_that_is_not_done_is_not_done_by_its_dates(self):
        manual = {"manual": True, "planned_start": datetime(2026, 9, 7, 8), "planned_finish": datetime(2026, 9, 10, 17)}
        assert self.day(manual) == day(4)
        ahead = {
            "manual": True,
            "planned_start": datetime(2026, 11, 9, 8),
            "planned_finish": datetime(2026, 11, 12, 17),
        }
        assert self.day(ahead) == day(9)
