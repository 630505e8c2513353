"""From rows to the facts of the network: what is waited for, how late things came, what a site did on a day."""

from datetime import date
from decimal import Decimal

import pytest

from tests.readiness.cluster import BASELINES, PART, cluster
from tests.readiness.tiny import built, rows

ON = date(2026, 10, 30)


def waiting(**changes):
    """A cluster of 4 nodes that are ordered and promised, and of which nothing is shipped."""
    data = cluster(4)
    for name in ("shipments", "receipts", "installs", "node_names", "links", "benchmarks", "scheduler_nodes"):
        data[name] = []
    data["purchase_orders"][0] |= {"status": "open"}
    data["po_schedule"] = [promise(4, date(2026, 11, 20))]
    return data | changes


def promise(quantity, day, number="1"):
    return {"po": "P1", "line": "1", "schedule": number, "promised": day, "quantity": quantity}


def shipment(number, quantity, **changes):
    return {"shipment": number, "line": "1", "po": "P1", "po_line": "1", "quantity": quantity, "status": "in_transit",
            "vendor": "Vantor", "mode": "sea", "ship_to_site": "DFW1", "shipped": date(2026, 10, 1),
            "scheduled": date(2026, 11, 2)} | changes  # fmt: skip


def receipt(number, quantity, received=date(2026, 10, 20), **changes):
    return {"receipt": number, "line": "1", "po": "P1", "po_line": "1", "part_number": PART, "site_id": "DFW1",
            "place": "site", "qty_good": quantity, "received": received} | changes  # fmt: skip


def coming(data):
    query = "SELECT name, quantity, expected, promised, arrived FROM core.coming_goods ORDER BY expected, name"
    return [tuple(row.values()) for row in rows(built(data), query)]


class TestComing:
    """What comes, how many of it, and when it is told to."""

    def test_what_an_order_line_owes_comes_when_it_is_promised(self):
        assert coming(waiting()) == [("P1/1", 4, date(2026, 11, 20), date(2026, 11, 20), False)]

    def test_what_is_shipped_comes_as_told_and_the_rest_as_promised(self):
        data = waiting(shipments=[shipment("S1", 3, eta=date(2026, 11, 9))])
        assert coming(data) == [
            ("S1", 3, date(2026, 11, 9), date(2026, 11, 2), False),
            ("P1/1", 1, date(2026, 11, 20), date(2026, 11, 20), False),
        ]

    def test_what_was_received_is_taken_from_the_first_shipment(self):
        data = waiting(
            shipments=[shipment("S1", 2, eta=date(2026, 11, 3)), shipment("S2", 2, eta=date(2026, 11, 16))],
            receipts=[receipt("R1", 3)],
        )
        assert [row[:2] for row in coming(data)] == [("S2", 1)]

    def test_promises_in_parts_come_in_parts(self):
        parts = [promise(2, date(2026, 11, 6)), promise(2, date(2026, 12, 4), "2")]
        assert [row[:3] for row in coming(waiting(po_schedule=parts))] == [
            ("P1/1", 2, date(2026, 11, 6)), ("P1/1", 2, date(2026, 12, 4)),
        ]  # fmt: skip
        one_here = coming(waiting(po_schedule=parts, receipts=[receipt("R1", 1)]))
        assert [row[1:3] for row in one_here] == [(1, date(2026, 11, 6)), (2, date(2026, 12, 4))]

    def test_what_stands_at_the_dock_has_arrived_and_is_not_received(self):
        data = waiting(shipments=[shipment("S1", 4, status="delivered", delivered=date(2026, 10, 28))])
        assert coming(data) == [("S1", 4, date(2026, 10, 28), date(2026, 11, 2), True)]

    def test_what_is_cancelled_does_not_come(self):
        data = waiting(shipments=[shipment("S1", 4, status="cancelled")])
        assert [row[0] for row in coming(data)] == ["P1/1"]

    def test_a_finished_cluster_waits_for_nothing(self):
        assert coming(cluster(2)) == []
        assert rows(built(cluster(2)), "SELECT * FROM core.missing_goods") == []

    def test_missing_is_the_need_less_what_was_received(self):
        con = built(waiting(receipts=[receipt("R1", 1)]))
        (found,) = rows(con, "SELECT part_number, needed, received, missing FROM core.missing_goods")
        assert found == {"part_number": PART, "needed": 4, "received": 1, "missing": 3}


class TestLateness:
    """Days between what was promised and what happened."""

    def of(self, data, source):
        query = f"SELECT vendor, mode, days FROM core.lateness WHERE source = '{source}' ORDER BY days"
        return [tuple(row.values()) for row in rows(built(data), query)]

    def test_a_shipment_counts_once_however_many_lines_it_has(self):
        done = {"status": "delivered", "delivered": date(2026, 11, 2)}
        late = date(2026, 10, 26)
        lines = [
            shipment("S1", 1, scheduled=date(2026, 10, 20), **done | {"delivered": late}),
            shipment("S1", 1, scheduled=date(2026, 10, 20), line="2", **done | {"delivered": late}),
            shipment("S2", 1, scheduled=date(2026, 10, 20), **done | {"delivered": date(2026, 10, 18)}),
            shipment("S3", 1, scheduled=date(2026, 10, 20)),
        ]
        assert self.of(waiting(shipments=lines), "shipment") == [("vantor", "sea", -2), ("vantor", "sea", 6)]

    def test_an_order_line_counts_when_it_is_complete(self):
        data = waiting(
            receipts=[receipt("R1", 3), receipt("R2", 1, received=ON)], po_schedule=[promise(4, date(2026, 10, 15))]
        )
        assert self.of(data, "order") == [("vantor", None, 15)]
        data["receipts"].pop()
        assert self.of(data, "order") == []

    def test_a_hall_counts_when_it_is_ready(self):
        data = cluster(1)
        hall = data["facility_capacity"][0]
        data["facility_capacity"] = [
            hall | {"planned_ready": date(2025, 12, 20)},
            hall | {"phase": "2", "planned_ready": date(2026, 12, 1), "actual_ready": None},
        ]
        assert self.of(data, "site") == [("dfw1", None, 12)]


class TestMoves:
    """What went through the pools of a site, and what waits."""

    def test_an_install_waits_from_its_receipt_until_it_is_racked(self):
        data = cluster(2)
        data["receipts"][0]["serials"] = "SN-TRAIN-1-n0 SN-TRAIN-1-n1"
        data["installs"][1]["racked"] = None
        query = "SELECT entered, left_on, pieces FROM core.pool_moves WHERE pool = 'install' ORDER BY left_on"
        found = [tuple(row.values()) for row in rows(built(data), query)]
        assert found == [(date(2026, 8, 1), date(2026, 9, 1), 1), (date(2026, 8, 1), None, 1)]

    def test_a_burn_in_is_over_on_the_day_of_the_result(self):
        query = "SELECT left_on, count(*) AS units FROM core.pool_moves WHERE pool = 'burn_in' GROUP BY ALL"
        con = built(cluster(2), acceptance=BASELINES)
        assert rows(con, query) == [{"left_on": date(2026, 9, 10), "units": 2}]

    def test_goods_pass_the_dock_between_delivery_and_booking(self):
        data = waiting(
            shipments=[shipment("S1", 4, status="delivered", delivered=date(2026, 10, 12))],
            receipts=[receipt("R1", 4, received=date(2026, 10, 14))],
        )
        query = "SELECT entered, left_on, pieces FROM core.pool_moves WHERE pool = 'dock'"
        assert rows(built(data), query) == [{"entered": date(2026, 10, 12), "left_on": date(2026, 10, 14), "pieces": 4}]


class TestSites:
    """When halls cover what their systems are designed for."""

    def ready(self, *phases, **system):
        data = cluster(1)
        hall = data["facility_capacity"][0] | {"actual_ready": None}
        data["facility_capacity"] = [
            hall | {"phase": str(number)} | phase for number, phase in enumerate(phases, start=1)
        ]
        data["systems"][0] |= system
        return [row["ready_on"] for row in rows(built(data), "SELECT ready_on FROM core.site_dates")]

    def test_the_day_on_which_all_that_is_designed_is_there(self):
        half = {"kw_energised": None, "kw_contracted": 60, "liquid_kw": 60, "racks": 2}
        phases = (half | {"planned_ready": date(2026, 12, 1)}, half | {"planned_ready": date(2027, 2, 1)})
        assert self.ready(*phases) == [date(2027, 2, 1)]
        assert self.ready(*phases, design_kw=50, racks=2) == [date(2026, 12, 1)]

    def test_what_is_ready_counts_first(self):
        ready = {"actual_ready": date(2026, 1, 1), "kw_energised": 60, "liquid_kw": 60, "racks": 2}
        more = {
            "planned_ready": date(2026, 11, 5),
            "kw_energised": None,
            "kw_contracted": 60,
            "liquid_kw": 60,
            "racks": 2,
        }
        assert self.ready(more, ready) == [date(2026, 11, 5)]
        assert self.ready(ready, design_kw=60, racks=2) == []  # there: nothing to wait for

    def test_no_day_where_the_plan_does_not_cover_the_design_or_has_none(self):
        assert self.ready({"planned_ready": date(2026, 11, 5), "racks": 1}) == [None]
        assert self.ready({"planned_ready": None}) == [None]


@pytest.mark.parametrize(("gate", "found"), [("l1_valid", "l1"), (None, "schedulable"), ("nonsense", "schedulable")])
def test_a_need_is_of_a_gate_of_the_other_system_else_of_its_last(gate, found):
    data = cluster(1)
    data["systems"].append(data["systems"][0] | {"system_id": "TRAIN-2"})
    data["dependencies"] = [
        {"from_system": "TRAIN-1", "to_system": "TRAIN-2", "type": "needs", "gate": gate},
        {"from_system": "TRAIN-1", "to_system": "TRAIN-1", "type": "needs", "gate": None},
    ]
    assert rows(built(data), "SELECT * FROM core.system_needs") == [
        {"system_key": "train-1", "needed_key": "train-2", "gate": found, "asked_gate": "handoff"}
    ]


def test_a_risk_is_open_until_it_is_closed_and_names_a_gate_of_its_playbook():
    risk = {"type": "risk", "title": "Late", "system_id": "TRAIN-1", "probability": 0.5, "impact_days": 10,
            "owner": "Ana", "opened": date(2026, 9, 1)}  # fmt: skip
    data = cluster(1) | {
        "raid": [
            risk | {"id": "R-1", "gate": "Install"},
            risk | {"id": "R-2", "gate": "nonsense", "impact_units": 8},
            risk | {"id": "R-3", "closed": ON},
            risk | {"id": "R-4", "opened": date(2026, 11, 1)},
            risk | {"id": "R-5", "probability": 0},
            risk | {"id": "R-6", "type": "issue"},
        ]
    }
    found = rows(built(data), "SELECT id, gate, units FROM core.open_risks ORDER BY id")
    assert found == [{"id": "R-1", "gate": "install", "units": None}, {"id": "R-2", "gate": None, "units": Decimal(8)}]
