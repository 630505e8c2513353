"""The network of gates with likely durations: dates by hand. The data date is Friday 30 October 2026."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import pairwise

from tests.readiness.forecasting.small import block, bound, day, days_of, facts, gate, one_block, system
from turnup.readiness.forecasting.facts import Need, Risk, Stage


def test_gates_of_a_block_follow_each_other():
    found = days_of(bound(one_block(gate("install", 5), gate("test", 3))))
    assert found == {"b1/install": day(5), "b1/test": day(8)}  # Friday 6 November, Wednesday 11 November


def test_blocks_go_side_by_side():
    given = facts(
        system(), block(), block(key="b2", number=2),
        gate("install", 2), gate("install", 7, block="b2"),
    )  # fmt: skip
    assert days_of(bound(given)) == {"b1/install": day(2), "b2/install": day(7)}


def test_holidays_are_not_worked():
    found = days_of(bound(one_block(gate("install", 5)), holidays=(date(2026, 11, 4),)))
    assert found == {"b1/install": day(6)}


def test_a_gate_that_evidence_has_passed_holds_nothing():
    done = gate("install", 5, passed=True, passed_on=date(2026, 10, 16))
    made = bound(one_block(done, gate("test", 3)))
    assert days_of(made) == {"b1/test": day(3)}
    assert made.making.draft.nodes["gate/a/b1/install"].finished == date(2026, 10, 16)
    assert made.planned_day("gate/a/b1/install") == date(2026, 10, 16)


def test_what_is_half_there_takes_half_its_lead_time():
    assert days_of(bound(one_block(gate("install", 6, stage="installed", open_share=0.5)))) == {"b1/install": day(3)}


def test_the_last_unit_takes_a_day():
    assert days_of(bound(one_block(gate("install", 6, stage="installed", open_share=0.02)))) == {"b1/install": day(1)}


def test_a_lead_time_per_unit_counts_open_units():
    given = one_block(gate("install", 0.5, per_unit=True, units=16, open_share=0.5))
    assert days_of(bound(given)) == {"b1/install": day(4)}


def test_without_lead_time_there_is_no_day_and_a_reason_that_all_later_gates_share():
    made = bound(one_block(gate("install"), gate("test", 3)))
    assert days_of(made) == {"b1/install": None, "b1/test": None}
    reason = "gate 'install' has no lead_time in its playbook"
    assert {made.reasons[name] for name in ("gate/a/b1/install", "gate/a/b1/test")} == {reason}


def test_units_that_are_not_known_are_told():
    made = bound(one_block(gate("install", 0.5, per_unit=True)))
    assert "number of units of A B1 is not known" in made.reasons["gate/a/b1/install"]


def test_a_gate_of_the_whole_system_is_one_piece_of_work_that_joins_its_blocks():
    given = facts(
        system(), block(), block(key="b2", number=2),
        gate("deliver", 2), gate("site", 6, number=2, of_system=True), gate("install", 3, number=3),
        gate("deliver", 9, block="b2"), gate("site", 6, block="b2", number=2, of_system=True),
        gate("install", 3, block="b2", number=3),
    )  # fmt: skip
    assert days_of(bound(given)) == {
        "b1/deliver": day(2), "b1/site": day(6), "b1/install": day(9),
        "b2/deliver": day(9), "b2/site": day(9), "b2/install": day(12),
    }  # fmt: skip


class TestNeeds:
    """A cluster that needs a store."""

    def given(self, reached=0, **store):
        cluster = (
            system("a", 2),
            block("a"),
            gate("install", 2, number=1),
            gate("handoff", 1, number=2, stage="handed_over"),
        )
        store = system("s", 1), block("s"), gate("serve", 10, of="s", stage="schedulable", **store)
        stages = (Stage("s", "schedulable", Decimal(reached), Decimal(8)),)
        return facts(*cluster, *store, needs=(Need("a", "s", "serve"),), stages=stages)

    def test_is_handed_over_after_it(self):
        assert days_of(bound(self.given())) == {"b1/install": day(2), "b1/handoff": day(11), "s/b1/serve": day(10)}

    def test_does_not_wait_for_one_that_is_there(self):
        assert days_of(bound(self.given(passed=True, passed_on=date(2026, 10, 2))))["b1/handoff"] == day(3)

    def test_does_not_wait_when_as_large_a_share_of_it_is_there(self):
        given = self.given(reached=8)
        assert days_of(bound(given))["b1/handoff"] == day(3)

    def test_that_waits_back_for_it_is_a_loop_without_dates(self):
        given = self.given()
        given = replace(given, needs=(*given.needs, Need("s", "a", "handoff")))
        made = bound(given)
        found = days_of(made)
        assert (found["b1/install"], found["b1/handoff"], found["s/b1/serve"]) == (day(2), None, None)
        assert "loop" in made.reasons["gate/a/b1/handoff"]
        assert "gate/s/b1/serve" in made.reasons["gate/a/b1/handoff"]

    def test_waits_at_the_gate_that_asks(self):
        given = self.given()
        made = bound(replace(given, needs=(Need("a", "s", "serve", "install"),)))
        assert days_of(made) == {"b1/install": day(12), "b1/handoff": day(13), "s/b1/serve": day(10)}

    def test_waits_for_a_store_of_which_no_capacity_is_planned(self):
        given = self.given()
        blocks = tuple(replace(one, planned=Decimal(0)) if one.system == "s" else one for one in given.blocks)
        assert days_of(bound(replace(given, blocks=blocks, stages=())))["b1/handoff"] == day(11)

    def test_is_as_unknown_as_what_it_waits_for(self):
        given = self.given()
        gates = tuple(replace(one, lead=None) if one.system == "s" else one for one in given.gates)
        made = bound(replace(given, gates=gates))
        assert days_of(made)["b1/handoff"] is None
        assert "'serve' has no lead_time" in made.reasons["gate/a/b1/handoff"]


def test_a_block_waits_for_as_large_a_share_of_the_store_as_it_ends_at():
    given = facts(
        system("a", 2), block("a"), block("a", "b2", 2, 8, before=8),
        gate("handoff", 1, stage="handed_over"), gate("handoff", 1, block="b2", stage="handed_over"),
        system("s", 1), block("s", "s1", 1, 6), block("s", "s2", 2, 6, before=6),
        gate("serve", 4, of="s", block="s1", stage="schedulable"),
        gate("serve", 9, of="s", block="s2", stage="schedulable"),
        needs=(Need("a", "s", "serve"),), stages=(Stage("s", "schedulable", Decimal(0), Decimal(12)),),
    )  # fmt: skip
    found = days_of(bound(given))
    assert (found["b1/handoff"], found["b2/handoff"]) == (day(5), day(10))


class TestRisks:
    """Open risks as nodes behind the gate that they hit; they cost nothing where everything is likely."""

    def given(self, gate_name):
        risk = Risk("R-1", "Optics late", "a", gate_name, 0.5, 14, "Grace")
        return one_block(gate("deliver", 2), gate("install", 3), risks=(risk,))

    def test_stand_behind_the_gate_they_name(self):
        made = bound(self.given("install"))
        assert made.making.draft.delays == {"R-1": ["delay/r-1/a/b1/install"]}
        assert made.making.draft.exits["gate/a/b1/install"] == "delay/r-1/a/b1/install"
        assert days_of(made) == {"b1/deliver": day(2), "b1/install": day(5)}

    def test_without_a_gate_stand_behind_the_first_open_one(self):
        assert bound(self.given(None)).making.draft.delays == {"R-1": ["delay/r-1/a/b1/deliver"]}

    def test_on_a_passed_gate_delay_nothing(self):
        given = self.given("deliver")
        given = replace(
            given, gates=(replace(given.gates[0], passed=True, passed_on=date(2026, 10, 1)), given.gates[1])
        )
        assert bound(given).making.draft.delays == {}

    def test_of_no_system_are_told(self):
        given = one_block(gate("install", 3), risks=(Risk("R-9", "All", None, None, 0.1, 7, "Grace"),))
        assert bound(given).making.draft.left_out == ["risk R-9 names no system of the network and delays nothing"]


def test_a_chain_of_four_systems_is_as_late_as_its_last_and_each_adds_its_own_work():
    names = "abcd"
    parts = [part for name in names for part in (
        system(name), block(name), gate("handoff", 2, of=name, stage="handed_over"),
        gate("serve", 1, of=name, number=2, stage="schedulable"),
    )]  # fmt: skip
    needs = tuple(Need(one, other, "serve") for one, other in pairwise(names))
    for late in (0, 5):
        given = facts(
            *(replace(part, lead=(2 + late,) * 3) if part == parts[-2] else part for part in parts), needs=needs
        )
        # Each takes two days and one; the last takes longer, and all above it with it.
        found = days_of(bound(given))
        assert [found["b1/serve"], *(found[f"{name}/b1/serve"] for name in "bcd")] == [
            day(number + late) for number in (12, 9, 6, 3)
        ]
