"""Questions answered: the days by hand, on the same draws, and nothing else moves."""

from datetime import date
from decimal import Decimal

import pytest

from tests.readiness.forecasting.forecasts import ground, line
from tests.readiness.forecasting.small import block, day, facts, gate, one_block, project, system
from tests.readiness.forecasting.test_supply import coming, needs
from turnup.readiness.forecasting.facts import Late, Risk
from turnup.readiness.forecasting.questions import QuestionError
from turnup.readiness.forecasting.what_if import what_if


def serve(lead=3, **changes):
    return gate("serve", lead, stage="schedulable", **changes)


def asked(given, *texts):
    """P50 before and after of the first line."""
    found = what_if(given, texts)[0]
    return found.before.p50, found.after.p50


class TestShipment:
    """A shipment that comes later or earlier."""

    def given(self, **changes):
        gates = (gate("deliver", 60, stage="received"), serve(number=2))
        lots = (coming("S-12", 8, date(2026, 11, 10), shipment="s-12"),)
        return ground(
            facts(system(has_bill=True), block(), *gates, missing=(needs(8),), coming=lots, **changes), line(8)
        )

    def test_moves_what_waits_for_it(self):
        # there on Tuesday 10 November, in use three working days later; two weeks later the same
        assert asked(self.given(), "shipment S-12 +14d") == (date(2026, 11, 13), date(2026, 11, 27))

    def test_earlier_too(self):
        assert asked(self.given(), "shipment S-12 -7d") == (date(2026, 11, 13), date(2026, 11, 6))

    def test_moves_every_case_of_the_vendors_lateness(self):
        late = tuple(Late("shipment", "vantor", None, None, days, date(2026, 10, 1)) for days in range(10))
        before = what_if(self.given(lateness=late), ["shipment S-12 +14d"])[0]
        assert before.days == {"p50": 14, "p80": 14, "p95": 14}

    def test_nobody_waits_for_is_refused_with_those_that_are_known(self):
        with pytest.raises(QuestionError, match=r"no shipment 'S-99' is waited for; known are: s-12"):
            what_if(self.given(), ["shipment S-99 +1d"])

    def test_changes_nothing(self):
        given = self.given()
        first = what_if(given, ["shipment S-12 +14d"])
        assert what_if(given, ["shipment S-12 +14d"]) == first
        assert what_if(given, ["shipment S-12 +0d"])[0].changed is False


class TestOthers:
    """Gates, risks, activities, throughput."""

    def test_a_gate_later_moves_what_comes_after_it(self):
        given = ground(one_block(gate("install", 5), serve()), line(8))
        assert asked(given, "gate A/install +7d") == (day(8), day(13))

    def test_a_gate_earlier_takes_five_working_days_of_seven(self):
        given = ground(one_block(gate("install", 8), serve()), line(8))
        assert asked(given, "gate A/B1/install -7d") == (day(11), day(6))

    def test_a_passed_gate_is_refused(self):
        done = gate("install", 5, passed=True, passed_on=date(2026, 10, 2))
        with pytest.raises(QuestionError, match="has passed; nothing moves it"):
            what_if(ground(one_block(done, serve()), line(8)), ["gate A/install +7d"])

    def test_an_unknown_gate_is_refused_with_those_that_are_known(self):
        with pytest.raises(QuestionError, match="known are: a/serve"):
            what_if(ground(one_block(serve()), line(8)), ["gate A/paint +7d"])

    def test_a_gate_without_work_of_its_own_cannot_be_shortened(self):
        plan = project({"id": "1", "d": 6, "system": "A", "gate": "Serve"})
        with pytest.raises(QuestionError, match="no work of its own to shorten"):
            what_if(ground(one_block(serve()), line(8), projects=(plan,)), ["gate A/serve -1d"])

    @pytest.mark.parametrize(
        ("text", "then"), [("risk R-1 happens", date(2026, 11, 20)), ("risk R-1 does not happen", day(5))]
    )
    def test_a_risk_that_is_certain(self, text, then):
        risk = Risk("R-1", "Late", "a", None, 0.4, 14, "Grace")
        assert asked(ground(one_block(serve(5), risks=(risk,)), line(8)), text) == (day(5), then)

    def test_an_activity_takes_so_many_days(self):
        plan = project({"id": "A1020", "d": 9, "system": "A", "gate": "Serve"}, {"id": "A1030", "d": 1})
        given = ground(one_block(serve()), line(8), projects=(plan,), points={"A1020": (9, 9, 9)})
        assert asked(given, "activity A1020 duration 5d") == (day(9), day(5))

    def test_an_activity_that_is_done_is_refused(self):
        plan = project({"id": "A1", "d": 9, "status": "completed"}, {"id": "A2", "d": 1})
        given = ground(one_block(serve()), line(8), projects=(plan,))
        with pytest.raises(QuestionError, match="'A1' is done"):
            what_if(given, ["activity A1 duration 5d"])
        with pytest.raises(QuestionError, match="no activity 'A9' is delivered; known are: A1, A2"):
            what_if(given, ["activity A9 duration 5d"])

    def test_a_site_that_does_twice_as_much_takes_half_the_time(self):
        crews = gate("install", 8, pool="install", stage="installed")
        given = ground(one_block(crews, serve(0)), line(8))
        assert asked(given, "throughput X install x2") == (day(8), day(4))
        with pytest.raises(QuestionError, match="known are: x install"):
            what_if(given, ["throughput X burn_in x2"])

    def test_several_are_asked_together(self):
        given = ground(one_block(gate("install", 5), serve()), line(8))
        assert asked(given, "gate A/install +7d", "gate A/serve +7d") == (day(8), date(2026, 11, 25))

    def test_odds_move_with_the_date(self):
        given = ground(one_block(gate("install", (3, 5, 9)), serve()), line(8, due=day(10)))
        found = what_if(given, ["gate A/install +7d"])[0]
        assert found.before.contract > Decimal("0.8")
        assert found.after.contract < found.before.contract
