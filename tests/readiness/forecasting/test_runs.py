"""The network drawn: fixed durations by hand, pools by priority, risks, correlation, the same bytes twice."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import numpy as np
import pytest

from tests.readiness.forecasting.forecasts import dates, forecast, ground, line, reached_on
from tests.readiness.forecasting.small import FRIDAY, block, day, facts, gate, one_block, project, system
from turnup.readiness.forecasting.facts import Move, Risk
from turnup.readiness.forecasting.outcomes import odds
from turnup.readiness.forecasting.samples import busy_days, throughput_of, working_days


def last(name="serve", lead=3, **changes):
    """The last gate of a block."""
    return gate(name, lead, stage="schedulable", **changes)


class TestFixed:
    """Durations without any doubt: every percentile is the day worked out by hand."""

    def test_one_block(self):
        made = ground(one_block(gate("install", 5), last()), line(8))
        assert dates(made) == {"C-1": (day(8),) * 3, "A": (day(8),) * 3, "gpu_cluster": (day(8),) * 3}

    def test_a_line_is_reached_with_the_blocks_that_it_needs(self):
        two = facts(
            system(contracted=Decimal(16)), block(), block(key="b2", number=2, before=8),
            last(lead=2), last(lead=9, block="b2"),
        )  # fmt: skip
        made = ground(two, line(8, "C-1"), line(16, "C-2"))
        found = dates(made)
        assert (found["C-1"][0], found["C-2"][0], found["A"][0]) == (day(2), day(9), day(9))

    def test_the_first_block_to_finish_serves_the_first_line(self):
        two = facts(
            system(contracted=Decimal(16)), block(), block(key="b2", number=2, before=8),
            last(lead=9), last(lead=2, block="b2"),
        )  # fmt: skip
        found = dates(ground(two, line(8, "C-1"), line(16, "C-2")))
        assert (found["C-1"][0], found["C-2"][0]) == (day(2), day(9))

    def test_what_is_schedulable_now_counts(self):
        half = facts(
            system(contracted=Decimal(16), reached=Decimal(8)), block(key="b2", planned=8, before=8), last(block="b2")
        )
        found = dates(ground(half, line(8, "C-1", present=8), line(16, "C-2", present=8)))
        assert found["C-2"][0] == day(3)
        assert "C-1" not in found  # reached: there is nothing to draw

    def test_a_kind_is_reached_when_its_last_system_is(self):
        both = facts(system("a"), block("a"), last(lead=2), system("z", 2), block("z"), last(lead=9, of="z"))
        found = dates(ground(both, line(8, "C-1"), line(8, "C-2", system="z")))
        assert (found["A"][0], found["Z"][0], found["gpu_cluster"][0]) == (day(2), day(9), day(9))

    def test_blocks_that_bear_too_little_leave_no_date_and_a_reason(self):
        assert reached_on(ground(one_block(last()), line(12))) == "its blocks bear 8 of 12 accelerators"

    def test_a_block_without_a_date_leaves_its_reason(self):
        assert "'install' has no lead_time" in reached_on(ground(one_block(gate("install"), last()), line(8)))

    def test_a_block_whose_gates_have_all_passed_and_that_is_not_there_says_so(self):
        done = last(passed=True, passed_on=date(2026, 10, 2))
        assert reached_on(ground(one_block(done), line(8))) == "every gate of block B1 has passed"

    def test_a_schedule_file_drives_the_date(self):
        plan = project({"id": "1", "d": 6, "system": "A", "gate": "Install"})
        found = dates(
            ground(one_block(gate("install", 20), last()), line(8), projects=(plan,), points={"1": (6, 6, 6)})
        )
        assert found["C-1"][0] == day(9)


class TestPools:
    """Systems at a site share its crews."""

    def given(self, first, second, **gates):
        """Two systems, each of one block that needs 5 days of the install crew of site X."""
        crews = {"pool": "install", "stage": "installed"}
        return facts(
            system("a", first), block("a"), gate("install", 5, **crews), last(lead=0, number=2),
            system("z", second), block("z"), gate("install", 5, of="z", **crews), last(lead=0, of="z", number=2),
            **gates,
        )  # fmt: skip

    @pytest.mark.parametrize(("first", "second", "a", "z"), [(1, 2, 5, 10), (2, 1, 10, 5)])
    def test_by_priority(self, first, second, a, z):
        given = self.given(first, second)
        given = replace(given, systems=tuple(sorted(given.systems, key=lambda one: one.order)))
        found = dates(ground(given, line(8, "C-1"), line(8, "C-2", system="z")))
        assert (found["A"][0], found["Z"][0]) == (day(a), day(z))

    def test_other_sites_have_their_own(self):
        given = self.given(1, 2)
        systems = (given.systems[0], replace(given.systems[1], site="y"))
        found = dates(ground(replace(given, systems=systems), line(8, "C-1"), line(8, "C-2", system="z")))
        assert (found["A"][0], found["Z"][0]) == (day(5), day(5))


class TestRisks:
    """An event that may happen."""

    def given(self, probability, days=14):
        risk = Risk("R-1", "Optics late", "a", None, probability, days, "Grace")
        return one_block(last(lead=5), risks=(risk,))

    def test_that_happens_costs_its_calendar_days(self):
        assert dates(ground(self.given(1.0), line(8)))["C-1"][0] == date(2026, 11, 20)  # 6 November and 14 days

    def test_happens_as_often_as_it_is_told(self):
        made = forecast(ground(self.given(0.3), line(8)), iterations=4000)
        held = odds(np.sort(made.run.samples("target/commitment/C-1")), day(5))
        assert float(held) == pytest.approx(0.7, abs=0.03)

    def test_of_some_units_hits_the_last_blocks_only(self):
        risk = Risk("R-1", "Optics late", "a", None, 1.0, 14, "Grace", units=Decimal(8))
        two = facts(
            system(contracted=Decimal(16)), block(), block(key="b2", number=2, before=8),
            last(lead=5), last(lead=5, block="b2"), risks=(risk,),
        )  # fmt: skip
        found = dates(ground(two, line(8, "C-1"), line(16, "C-2")))
        assert (found["C-1"][0], found["C-2"][0]) == (day(5), date(2026, 11, 20))


def test_odds_of_a_day_count_the_runs_done_by_its_evening():
    made = forecast(ground(one_block(last(lead=(2, 4, 9))), line(8)), iterations=4000)
    ordered = np.sort(made.run.samples("target/commitment/C-1"))
    # triangle of 2, 4, 9 days: a share (4 - 2) / (9 - 2) is done within 4 days
    assert float(odds(ordered, day(4))) == pytest.approx(2 / 7, abs=0.03)
    assert odds(ordered, day(1)) == 0
    assert odds(ordered, day(9)) == 1
    assert odds(ordered, None) is None


def test_the_same_facts_give_the_same_runs_and_another_seed_others():
    given = ground(one_block(gate("install", (2, 4, 9)), last(lead=(1, 2, 6))), line(8))
    first, again = (forecast(given).run.samples("target/commitment/C-1") for _ in range(2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, forecast(given, seed=2).run.samples("target/commitment/C-1"))


class TestThroughput:
    """What a site did on days on which there was something to do."""

    def moves(self, *lots, site="x"):
        return [
            Move("install", site, Decimal(n), date(2026, 10, a), None if b is None else date(2026, 10, b))
            for n, a, b in lots
        ]

    def test_counts_days_with_nothing_done_while_something_waits_and_no_others(self):
        days = working_days(date(2026, 10, 30), 1, ())
        # 4 pieces wait from Monday 26, 1 is done on Tuesday and 3 on Thursday; on Friday nothing waits
        moves = self.moves((1, 26, 27), (3, 26, 29))
        assert busy_days(moves, "install", days) == (0, 0, 1, 3)

    def test_what_is_done_at_a_weekend_counts_on_friday(self):
        days = working_days(date(2026, 10, 26), 1, ())  # Tuesday 20 to Monday 26
        assert busy_days(self.moves((2, 23, 24)), "install", days) == (2,)

    def test_holidays_are_no_days(self):
        assert len(working_days(FRIDAY, 1, {date(2026, 10, 28)})) == 4

    def test_of_a_site_with_too_few_days_is_that_of_all(self):
        days = working_days(date(2026, 10, 30), 2, ())
        here, there = self.moves((2, 27, 28)), self.moves((9, 19, 30), site="y")
        assert throughput_of(here + there, "install", "y", days, 10, "Y").of == "install at Y"
        found = throughput_of(here + there, "install", "x", days, 10, "X")
        assert (found.of, found.n) == ("install at all sites", 12)
        assert throughput_of(here, "install", "x", days, 10, "X") is None

    def test_takes_the_place_of_the_lead_time(self):
        moves = tuple(
            Move("install", "x", Decimal(2), date(2026, 10, day), date(2026, 10, day)) for day in range(1, 31)
        )
        given = one_block(gate("install", 20, pool="install", stage="installed", units=8), last(lead=0), moves=moves)
        found = dates(ground(given, line(8)))
        assert found["C-1"][0] == day(
            4
        )  # two a day, also those of weekends, which count on Fridays: 8 in four days at most
