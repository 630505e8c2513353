"""What comes from outside: days, lateness and shares by hand. The data date is Friday 30 October 2026."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from tests.readiness.forecasting.small import FRIDAY, block, bound, day, days_of, facts, gate, system
from turnup.readiness.forecasting.arrivals import remaining_days
from turnup.readiness.forecasting.facts import Circuit, Coming, Late, Missing, Share, SiteDate
from turnup.readiness.forecasting.goods import served_goods, waiting_blocks
from turnup.readiness.forecasting.samples import Sample, lateness_of
from turnup.schedule.simulation import Empirical, Fixed


def coming(key, quantity, expected, **changes):
    """A shipment line of part P on order line 1/1."""
    made = Coming(
        key, "shipment", key, key, "1", "1", "p", "x", "Vantor", None, Decimal(quantity), expected, None, False
    )
    return replace(made, **changes)


def needs(quantity, received=0, of="a"):
    return Missing(of, "p", "P", "server", "x", Decimal(quantity), Decimal(received))


def owned(*gates, blocks=(), **changes):
    """System A, which has a bill of material, with a delivery and an installation of 3 days."""
    gates = gates or (gate("deliver", 60, stage="received"), gate("install", 3, number=2))
    return facts(system(has_bill=True), *(blocks or (block(),)), *gates, **changes)


class TestRemainingDays:
    """Days from the data date to an arrival."""

    @pytest.mark.parametrize(
        ("expected", "promised", "late", "left"),
        [
            (date(2026, 11, 10), None, None, (11,)),  # as told
            (date(2026, 10, 20), None, None, (1,)),  # overdue, nothing known: tomorrow
            (date(2026, 11, 10), None, (-2, 0, 7), (9, 11, 18)),
            (date(2026, 11, 10), date(2026, 11, 10), (-2, 0, 7), (9, 11, 18)),
            # conceded 5 days: not before 10 November, and not before the promise of the 5th plus what is drawn
            (date(2026, 11, 10), date(2026, 11, 5), (-2, 0, 7), (11, 11, 13)),
            # due on the 28th and not there: 5 late means 2 November; what would have been here comes as late from now
            (date(2026, 10, 28), None, (-2, 0, 5), (1, 1, 3)),
        ],
    )
    def test_by_hand(self, expected, promised, late, left):
        sample = None if late is None else Sample("vendor V", tuple(map(float, late)))
        assert remaining_days(expected, promised, sample, FRIDAY) == left


class TestDelivery:
    """The gate that waits for goods."""

    def test_is_passed_on_the_working_day_of_arrival(self):
        given = owned(missing=(needs(8),), coming=(coming("S1", 8, date(2026, 11, 10)),))
        assert days_of(bound(given)) == {"b1/deliver": date(2026, 11, 10), "b1/install": date(2026, 11, 13)}

    def test_of_goods_that_come_on_a_saturday_is_passed_on_monday(self):
        given = owned(missing=(needs(8),), coming=(coming("S1", 8, date(2026, 11, 14)),))
        assert days_of(bound(given))["b1/deliver"] == date(2026, 11, 16)

    def test_waits_for_the_last_of_what_it_needs_and_for_no_more(self):
        lots = (
            coming("S1", 4, date(2026, 11, 4)),
            coming("S2", 4, date(2026, 11, 11)),
            coming("S3", 9, date(2027, 1, 5)),
        )
        assert days_of(bound(owned(missing=(needs(8),), coming=lots)))["b1/deliver"] == date(2026, 11, 11)

    @pytest.mark.parametrize("source", ["shipment", "promise", "order"])
    def test_waits_for_whatever_has_a_day(self, source):
        lot = coming("x/1/2", 8, date(2026, 11, 10), source=source)
        assert days_of(bound(owned(missing=(needs(8),), coming=(lot,))))["b1/deliver"] == date(2026, 11, 10)

    def test_of_what_nobody_promised_takes_the_lead_time(self):
        gates = (gate("deliver", 10, stage="received"), gate("install", 3, number=2))
        made = bound(owned(*gates, missing=(needs(8),)))
        assert days_of(made)["b1/deliver"] == day(11)  # ten days until it is there, and the working day of receiving
        assert made.making.draft.nodes["undated/a/b1"].basis.note == "without a day: P"

    def test_without_missing_goods_is_there(self):
        gates = gate("deliver", 60, stage="received", missing_share=0.0), gate("install", 3, number=2)
        assert days_of(bound(owned(*gates)))["b1/deliver"] == FRIDAY

    def test_of_capacity_that_is_in_no_bill_takes_the_lead_time(self):
        made = bound(owned(gate("deliver", 60, stage="received", missing_share=0.25)))
        assert days_of(made)["b1/deliver"] == day(60)
        assert (
            made.making.draft.nodes["gate/a/b1/deliver"].basis.note == "25% of its capacity is in no bill of material"
        )

    def test_without_a_bill_takes_the_lead_time(self):
        given = facts(system(), block(), gate("deliver", 20, stage="received"))
        assert days_of(bound(given)) == {"b1/deliver": day(20)}

    def test_booked_tomorrow_what_stands_on_the_dock(self):
        lots = (coming("S1", 8, date(2026, 10, 29), arrived=True),)
        assert days_of(bound(owned(missing=(needs(8),), coming=lots)))["b1/deliver"] == day(1)

    def test_draws_the_vendors_own_lateness(self):
        late = tuple(Late("shipment", "vantor", "server", None, days, FRIDAY) for days in range(10))
        made = bound(owned(missing=(needs(8),), coming=(coming("S1", 8, date(2026, 11, 10)),), lateness=late))
        node = made.making.draft.nodes["shipment/S1/2026-11-10"]
        # there at six on the day drawn: 10 to 19 November are 11 to 20 days after the data date
        assert node.duration == Empirical(tuple(86_400.0 * (day - 1) + 21_600 for day in range(11, 21)), (1,) * 10)
        assert (node.basis.of, node.basis.n) == ("vendor Vantor", 10)


class TestBlocks:
    """Goods fill blocks in planned order."""

    def given(self, missing, *lots):
        gates = [gate("deliver", 60, block=name, stage="received", missing_share=0.0) for name in ("b1", "b2")]
        blocks = (block(planned=4), block(key="b2", number=2, planned=4, before=4))
        return owned(*gates, blocks=blocks, missing=missing, coming=lots)

    def test_the_first_takes_the_first_lot(self):
        lots = (coming("S1", 4, date(2026, 11, 4)), coming("S2", 4, date(2026, 11, 11)))
        found = days_of(bound(self.given((needs(8),), *lots)))
        assert found == {"b1/deliver": date(2026, 11, 4), "b2/deliver": date(2026, 11, 11)}

    def test_what_was_received_fills_the_first(self):
        found = days_of(bound(self.given((needs(8, received=4),), coming("S2", 4, date(2026, 11, 11)))))
        assert found == {"b1/deliver": FRIDAY, "b2/deliver": date(2026, 11, 11)}

    def test_half_a_lot_too_few_leaves_the_second_without_a_day(self):
        waiting = waiting_blocks(self.given((needs(8),), coming("S1", 6, date(2026, 11, 4))))
        assert waiting["a", "b1"].undated == ()
        assert waiting["a", "b2"].undated == ("P",)


class TestShares:
    """Two systems on one order line."""

    def given(self, *lots, shares=()):
        return facts(
            system("a", 1), system("z", 2), missing=(needs(8), needs(8, of="z")), coming=lots,
            shares=tuple(Share("1", "1", of, Decimal(quantity)) for of, quantity in shares),
        )  # fmt: skip

    def test_are_served_in_their_order(self):
        first, second = coming("S1", 10, date(2026, 11, 4)), coming("S2", 6, date(2026, 11, 11))
        found = served_goods(self.given(first, second, shares=(("a", 8), ("z", 8))))
        assert [(lot.key, int(q)) for lot, q in found["a", "p"]] == [("S1", 8)]
        assert [(lot.key, int(q)) for lot, q in found["z", "p"]] == [("S1", 2), ("S2", 6)]

    def test_goods_that_name_no_order_serve_by_priority_at_their_site(self):
        here = coming("S1", 10, date(2026, 11, 4), po=None, line=None)
        elsewhere = coming("S2", 10, date(2026, 11, 4), po=None, line=None, site="y")
        found = served_goods(self.given(here, elsewhere))
        assert [(lot.key, int(q)) for lot, q in found["z", "p"]] == [("S1", 2)]


class TestClasses:
    """Which cases stand for a vendor."""

    def cases(self, *counts):
        return [
            Late("shipment", vendor, category, mode, 3, FRIDAY)
            for vendor, category, mode, number in counts
            for _ in range(number)
        ]

    def test_its_own_where_there_are_enough(self):
        cases = self.cases(("v", "server", None, 10), ("w", "server", None, 90))
        found = lateness_of(cases, ("shipment",), "V", "server", None, 10)
        assert (found.of, found.n) == ("vendor V", 10)

    def test_those_of_its_category_otherwise_then_of_its_mode_then_all(self):
        cases = self.cases(
            ("v", "server", "air", 2), ("w", "server", "sea", 8), ("u", "optic", "air", 9), ("u", "x", "x", 1)
        )
        assert lateness_of(cases, ("shipment",), "V", "server", "air", 10).of == "all vendors of category server"
        assert lateness_of(cases, ("shipment",), "V", "switch", "air", 10).of == "all vendors by air"
        assert lateness_of(cases, ("shipment",), "V", "switch", "rail", 10).of == "all vendors"

    def test_fewer_than_asked_for_in_all_are_taken_and_counted(self):
        assert lateness_of(self.cases(("v", "server", None, 3)), ("shipment",), "V", None, None, 10).n == 3
        assert lateness_of([], ("shipment",), "V", None, None, 10) is None

    def test_promises_of_orders_speak_where_shipments_do_not(self):
        cases = [Late("order", "v", None, None, 5, FRIDAY)] * 10
        assert lateness_of(cases, ("shipment", "order"), "V", None, None, 10).values == (5,) * 10


def test_a_site_is_ready_on_its_planned_day_and_not_before():
    gates = (gate("site", 40, of_system=True, of_site=True), gate("install", 3, number=2))
    given = facts(system(), block(), *gates, sites=(SiteDate("a", "b1", date(2026, 11, 12)),))
    assert days_of(bound(given)) == {"b1/site": date(2026, 11, 12), "b1/install": date(2026, 11, 17)}


def test_a_site_without_a_planned_day_takes_the_lead_time():
    given = facts(system(), block(), gate("site", 4, of_system=True, of_site=True), sites=(SiteDate("a", "b1", None),))
    assert days_of(bound(given)) == {"b1/site": day(4)}


def test_each_block_waits_for_the_day_of_its_own_hall():
    gates = [gate("site", 40, block=name, of_site=True) for name in ("b1", "b2", "b3")]
    gates[0] = gate("site", 40, of_site=True, satisfied=True)  # its hall is ready
    halls = (SiteDate("a", "b2", date(2026, 11, 12)), SiteDate("a", "b3", date(2026, 12, 3)))
    blocks = (block(), block(key="b2", number=2, before=8), block(key="b3", number=3, before=16))
    found = days_of(bound(facts(system(), *blocks, *gates, sites=halls)))
    assert found == {"b1/site": FRIDAY, "b2/site": date(2026, 11, 12), "b3/site": date(2026, 12, 3)}


def test_a_gate_of_the_whole_system_waits_for_the_last_hall():
    halls = (SiteDate("a", "b1", date(2026, 12, 3)), SiteDate("a", "b2", date(2026, 11, 12)))
    gates = [gate("site", 40, block=name, of_system=True, of_site=True) for name in ("b1", "b2")]
    found = days_of(bound(facts(system(), block(), block(key="b2", number=2, before=8), *gates, sites=halls)))
    assert found == {"b1/site": date(2026, 12, 3), "b2/site": date(2026, 12, 3)}


class TestCircuits:
    """A link is installed when the last of its circuits is."""

    def given(self, *firm):
        circuits = tuple(Circuit("a", f"C{n}", "telco", None, day) for n, day in enumerate(firm))
        return facts(system(is_circuit=True), block(), gate("install", 75, stage="installed"), circuits=circuits)

    def test_on_their_firm_days(self):
        made = bound(self.given(date(2026, 11, 12), date(2026, 11, 19)))
        assert days_of(made) == {"b1/install": date(2026, 11, 19)}
        assert made.making.draft.nodes["circuit/a/c0"].duration == Fixed(86_400 * 12.75)

    def test_without_a_firm_day_in_the_lead_time(self):
        assert days_of(bound(self.given(date(2026, 11, 12), None))) == {"b1/install": day(75)}
