"""The last stage of each kind is its user's own evidence; circuits and borrowed capacity have their own units."""

from datetime import date, datetime

import pytest

from tests.readiness.cluster import cluster
from tests.readiness.tiny import CUT_OFF, built, rows

BASE = {"sites": [{"site_id": "LON1", "name": "London", "facility": "colo"}]}
APPROVAL = {"gate": "handoff", "block": "all", "decided": date(2026, 9, 1), "outcome": "approve", "approver": "Bo Lind"}
LIMIT = {
    "baselines": [
        {"sku": "BOX", "test": "throughput", "metric": "rate", "unit": "Gbit/s", "value": 90, "source": "contract"}
    ]
}


def system(kind, quantity, unit, supply_model="owned"):
    """Return a system S-1 with its commitment and handover decision."""
    return BASE | {
        "systems": [
            {
                "system_id": "S-1",
                "name": "S",
                "kind": kind,
                "site_id": "LON1",
                "supply_model": supply_model,
                "owner": "Ana Ruiz",
            }
        ],
        "commitments": [
            {
                "contract": "C",
                "line": "1",
                "phase": "1",
                "amendment": 0,
                "system_id": "S-1",
                "quantity": quantity,
                "unit": unit,
                "contract_date": date(2026, 10, 1),
            }
        ],
        "gate_decisions": [APPROVAL | {"system_id": "S-1"}],
    }


def boxes(kind, number, quantity, unit, capacity):
    """Return an owned system of boxes that are accepted and handed over."""
    one = cluster(1)
    data = system(kind, quantity, unit)
    names = [f"box-{place}" for place in range(number)]
    data["bom"] = [
        {"system_id": "S-1", "line": "1", "part_number": "BOX", "quantity": number, "capacity_per_unit": capacity}
    ]
    for table in ("purchase_orders", "po_allocations", "shipments", "receipts"):
        data[table] = [dict(one[table][0])]
        for column, value in (
            ("part_number", "BOX"),
            ("quantity", number),
            ("qty_good", number),
            ("site_id", "LON1"),
            ("system_id", "S-1"),
        ):
            if column in data[table][0]:
                data[table][0][column] = value
    data["installs"] = [
        dict(
            one["installs"][0],
            asset_id=f"A-{n}",
            name=n,
            serial=f"SN-{n}",
            part_number="BOX",
            system_id="S-1",
            site_id="LON1",
        )
        for n in names
    ]
    ends = [{"a_device": n, "a_port": "0", "b_device": "core", "b_port": n} for n in names]
    data["links"] = [
        row
        for end in ends
        for row in (
            {"view": "planned", **end},
            {"view": "observed", "state": "up", "observed_at": datetime(2026, 10, 29), **end},
        )
    ]
    data["benchmarks"] = [
        dict(
            one["benchmarks"][0],
            run=n,
            node=n,
            test="throughput",
            metric="rate",
            unit="Gbit/s",
            value=95.0,
            placement="none",
        )
        for n in names
    ]
    return data


def last(data):
    """Return what is schedulable of S-1."""
    (found,) = rows(built(data, acceptance=LIMIT), "SELECT schedulable FROM mart.systems")
    return float(found["schedulable"])


class TestStorage:
    """Mounted and serving, at most what is usable."""

    def data(self, **changes):
        state = {
            "system_id": "S-1",
            "observed_at": datetime(2026, 10, 29),
            "usable": 9.5,
            "client_mounts": 12,
            "serving": True,
        }
        return boxes("storage", 2, 10, "PB", 5) | {"storage_state": [state | changes]}

    @pytest.mark.parametrize(
        ("changes", "expected"),
        [
            ({}, 9.5),
            ({"usable": 12}, 10),
            ({"serving": False}, 0),
            ({"client_mounts": 0}, 0),
            ({"observed_at": datetime(2026, 10, 20)}, 0),
        ],
    )
    def test_served_capacity(self, changes, expected):
        assert last(self.data(**changes)) == expected

    def test_a_cloud_store_is_one_unit_without_goods(self):
        data = system("storage", 3, "PB", "cloud")
        data["storage_state"] = [
            {
                "system_id": "S-1",
                "observed_at": datetime(2026, 10, 29),
                "usable": 4,
                "client_mounts": 1,
                "serving": True,
            }
        ]
        data["benchmarks"] = [
            dict(boxes("storage", 1, 1, "PB", 1)["benchmarks"][0], node="client-1", system_id="S-1", sku="BOX")
        ]
        assert last(data) == 3


class TestSessions:
    """A device counts when every session of it is up."""

    @pytest.mark.parametrize(("states", "expected"), [(("up", "up"), 96), (("up", "down"), 48), (("up",), 48)])
    def test_ports_in_service(self, states, expected):
        data = boxes("pop", 2, 96, "ports", 48)
        data["sessions"] = [
            {"device": f"box-{place}", "peer": "transit", "observed_at": datetime(2026, 10, 29), "state": state}
            for place, state in enumerate(states)
        ]
        assert last(data) == expected

    def test_the_newest_observation_counts(self):
        data = boxes("backbone_node", 1, 48, "ports", 48)
        data["sessions"] = [
            {"device": "box-0", "peer": "core", "observed_at": datetime(2026, 10, day), "state": state}
            for day, state in ((29, "up"), (28, "down"))
        ]
        assert last(data) == 48


class TestCircuits:
    """Tested and in service, active on both sides."""

    good = {
        "circuit": "W-1",
        "system_id": "S-1",
        "gbps": 400,
        "ordered": date(2026, 5, 1),
        "tested": date(2026, 8, 1),
        "in_service": date(2026, 8, 5),
        "customer_state": "Active",
        "provider_state": "Provisioned",
    }

    @pytest.mark.parametrize(
        ("changes", "held_at"),
        [
            ({}, None),
            ({"ordered": None}, "ordered"),
            ({"tested": None, "in_service": None, "provider_state": "ordered"}, "installed"),
            ({"tested": None, "in_service": None, "provider_state": "delivered"}, "l1_valid"),
            ({"tested": None}, "accepted"),
            ({"customer_state": "down"}, "schedulable"),
            ({"in_service": CUT_OFF.date().replace(month=12)}, "schedulable"),
        ],
    )
    def test_where_a_circuit_is_held(self, changes, held_at):
        data = system("wan_link", 400, "Gbit/s", "leased") | {"circuits": [self.good | changes]}
        con = built(data)
        held = rows(con, "SELECT stage FROM mart.funnel WHERE held > 0")
        assert held == ([] if held_at is None else [{"stage": held_at}])


def test_kinds_are_never_added_up():
    data = boxes("pop", 1, 48, "ports", 48)
    other = cluster(1)
    data["systems"] += other["systems"]
    data["commitments"] += other["commitments"]
    found = rows(built(data, acceptance=LIMIT), "SELECT kind, unit, contracted FROM mart.classes ORDER BY kind")
    assert found == [
        {"kind": "gpu_cluster", "unit": "accelerators", "contracted": 8},
        {"kind": "pop", "unit": "ports", "contracted": 48},
    ]
