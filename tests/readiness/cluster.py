"""An accelerator cluster of n nodes of 8, all schedulable; a test takes away what it is about."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from tests.readiness.tiny import CUT_OFF, Datasets

PART = "SRV-8G"
BASELINES = {"baselines": [{"sku": PART, "test": "all_reduce", "unit": "GB/s", "value": 460.0, "source": "contract"}]}


def cluster(nodes: int, system: str = "TRAIN-1") -> Datasets:
    """Return the datasets of a finished cluster: contracted 8 x nodes, due since 1 October, node n is NODE-n."""
    names = [f"{system}-n{number}" for number in range(nodes)]
    return {
        "sites": [{"site_id": "DFW1", "name": "Dallas", "facility": "first_party"}],
        "systems": [
            {
                "system_id": system,
                "name": "Training",
                "kind": "gpu_cluster",
                "site_id": "DFW1",
                "supply_model": "owned",
                "cluster": f"c-{system}",
                "owner": "Ana Ruiz",
                "design_kw": 100,
                "racks": 4,
            }
        ],
        "facility_capacity": [
            {
                "site_id": "DFW1",
                "hall": "H1",
                "phase": "1",
                "racks": 8,
                "kw_energised": 200,
                "liquid_kw": 200,
                "actual_ready": date(2026, 1, 1),
            }
        ],
        "commitments": [line(system, "1", 8 * nodes, date(2026, 10, 1))],
        "bom": [{"system_id": system, "line": "1", "part_number": PART, "quantity": nodes, "capacity_per_unit": 8}],
        **_goods(system, nodes),
        "installs": [_install(system, name) for name in names],
        "node_names": [
            {"cluster": f"c-{system}", "node": name, "valid_from": date(2026, 9, 1), "serial": f"SN-{name}"}
            for name in names
        ],
        "links": [row for name in names for row in _link(name)],
        "benchmarks": [_result(name) for name in names],
        "gate_decisions": [
            {
                "system_id": system,
                "block": "all",
                "gate": "handoff",
                "decided": date(2026, 9, 20),
                "outcome": "approve",
                "approver": "Bo Lind",
            }
        ],
        "scheduler_nodes": [row for name in names for row in snapshots(f"c-{system}", name)],
    }


def line(system: str, number: str, quantity: float, due: date, **changes: object) -> dict[str, object]:
    """Return a commitment line of a system."""
    row: dict[str, object] = {
        "contract": "C-1",
        "line": number,
        "phase": "1",
        "amendment": 0,
        "system_id": system,
        "quantity": quantity,
        "unit": "accelerators",
        "contract_date": due,
    }
    return row | changes


def snapshots(
    cluster_name: str, node: str, hours: tuple[int, ...] = (73, 48, 24, 1), **changes: object
) -> list[dict[str, object]]:
    """Return snapshots of a node so many hours before the cut-off."""
    return [
        {
            "cluster": cluster_name,
            "node": node,
            "observed_at": CUT_OFF - timedelta(hours=hour),
            "allocatable": True,
            "state": "idle",
            "capacity": 8,
        }
        | changes
        for hour in hours
    ]


def _goods(system: str, nodes: int) -> Datasets:
    return {
        "purchase_orders": [
            {
                "po": "P1",
                "line": "1",
                "part_number": PART,
                "quantity": nodes,
                "vendor": "Vantor",
                "status": "received",
                "ordered": date(2026, 6, 1),
            }
        ],
        "po_allocations": [{"po": "P1", "line": "1", "system_id": system, "quantity": nodes}],
        "shipments": [
            {
                "shipment": "S1",
                "line": "1",
                "po": "P1",
                "po_line": "1",
                "quantity": nodes,
                "status": "delivered",
                "shipped": date(2026, 7, 1),
                "scheduled": date(2026, 8, 1),
                "delivered": date(2026, 8, 1),
            }
        ],
        "receipts": [
            {
                "receipt": "R1",
                "line": "1",
                "po": "P1",
                "po_line": "1",
                "part_number": PART,
                "site_id": "DFW1",
                "place": "site",
                "qty_good": nodes,
                "received": date(2026, 8, 1),
            }
        ],
    }


def _install(system: str, name: str) -> dict[str, object]:
    return {
        "asset_id": f"A-{name}",
        "serial": f"SN-{name}",
        "part_number": PART,
        "system_id": system,
        "site_id": "DFW1",
        "name": name,
        "racked": date(2026, 9, 1),
        "cabled": date(2026, 9, 2),
        "powered": date(2026, 9, 3),
        "provisioned": date(2026, 9, 4),
        "status": "active",
        "purpose": "production",
    }


def _link(name: str) -> list[dict[str, object]]:
    ends = {"a_device": name, "a_port": "p0", "b_device": "leaf-1", "b_port": f"to-{name}", "speed_gbps": 400}
    return [
        {"view": "planned", "state": "planned", **ends},
        {"view": "observed", "state": "up", "observed_at": datetime(2026, 10, 29, 12), **ends},
    ]


def _result(name: str) -> dict[str, object]:
    return {
        "run": f"run-{name}",
        "node": name,
        "test": "all_reduce",
        "metric": "busbw",
        "statistic": "value",
        "size_bytes": 8589934592,
        "placement": "out_of_place",
        "value": 470.0,
        "unit": "GB/s",
        "measured_at": datetime(2026, 9, 10),
        "correctness": "clean",
        "complete": True,
    }
