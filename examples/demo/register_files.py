"""Files of the programme office: system register, blocks, contracts, dependencies.

Belongs here: how the office saves what ``systems`` says. Does not: what was promised.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from examples.demo.claims import claim
from examples.demo.sheet import Dialect, Drop, Table
from examples.demo.systems import DEPENDENCIES, HALLS, PROMISES, ROLL_IN, SYSTEMS
from examples.demo.weeks import MON, TUE, WEEKS, at, day, label

SOURCES: dict[str, dict[str, Any]] = {
    "system-register": {
        "dataset": "systems",
        "files": "*System register*.xlsx",
        "format": "xlsx",
        "columns": {
            "System": "system_id", "Name": "name", "Kind": "kind", "Site": "site_id", "Supply": "supply_model",
            "Cluster": "cluster", "Design kW": "design_kw", "Racks": "racks", "Priority": "priority", "Owner": "owner",
            "Playbook": "playbook", "RAG (owner)": "claimed_status", "Stage (owner)": "claimed_stage",
        },
        "values": {
            "kind": {
                "GPU cluster": "gpu_cluster", "CPU cluster": "cpu_cluster", "Storage": "storage", "PoP": "pop",
                "Backbone node": "backbone_node", "WAN link": "wan_link", "Cloud interconnect": "cloud_interconnect",
            },
            "claimed_status": {"G": "green", "A": "amber", "R": "red"},
        },
        "owner": "Dana Whitfield",
        "required": True,
        "expected": "monday",
        "max_age_days": 8,
    },
    "blocks": {
        "dataset": "blocks", "files": "*block_plan*.csv", "owner": "Dana Whitfield", "required": True,
        "max_age_days": 90,
        "columns": {
            "system": "system_id", "block": "block", "capacity": "units", "order": "planned_order", "need": "need_date",
            "hall": "hall", "roll-in": "install_date",
        },
    },
    "contracts": {
        "dataset": "commitments",
        "files": "*Contract register*.xlsx",
        "format": "xlsx",
        "columns": {
            "Contract": "contract", "Line": "line", "Phase": "phase", "Amdt": "amendment", "System": "system_id",
            "Quantity": "quantity", "Unit": "unit", "Contract date": "contract_date",
            "Internal commit": "internal_commit_date", "Need": "need_date", "Option?": "is_option",
            "Exercised?": "option_exercised", "Supersedes": "supersedes", "Billing start": "billing_start",
            "Unit cost / month": "unit_cost", "Currency": "currency", "Signed?": "signed", "Reason": "reason",
            "Decision": "decision_id",
        },
        "owner": "Joanna Petrov",
        "required": True,
        "max_age_days": 45,
    },
    "dependencies": {
        "dataset": "dependencies", "files": "*dependencies*.csv", "owner": "Dana Whitfield", "max_age_days": 120,
    },
}  # fmt: skip

_KINDS = {theirs: ours for ours, theirs in SOURCES["system-register"]["values"]["kind"].items()}


def drops() -> list[Drop]:
    """Return the office's files of all weeks."""
    plan, replan = _blocks(None), _blocks(day(45, 5))
    return [
        *(Drop(at(week, MON, "08:40"), f"System register {label(week)}.xlsx", "system-register", _systems(week),
               Dialect("xlsx", tab="Systems")) for week in WEEKS),
        Drop(at(33, MON, "09:30"), "block_plan.csv", "blocks", plan),
        Drop(at(35, TUE, "14:05"), "block_plan_proposal.csv", "blocks", replan),
        Drop(at(36, TUE, "10:15"), "block_plan.csv", "blocks", plan),
        *(Drop(at(week, MON, "11:00"), f"Contract register {day(week):%Y-%m-%d}.xlsx", "contracts", _contracts(week),
               Dialect("xlsx", tab="Register")) for week in (33, 36, 41)),
        Drop(at(33, MON, "09:40"), "dependencies.csv", "dependencies",
             Table(["from_system", "to_system", "type", "gate"], [list(row) for row in DEPENDENCIES])),
    ]  # fmt: skip


def _systems(week: int) -> Table:
    rows: list[list[Any]] = []
    for system in SYSTEMS:
        status, stage = claim(system.system_id, week)
        rows.append([
            system.system_id, system.name, _KINDS[system.kind], system.site, system.supply_model,
            system.cluster or None,
            system.design_kw, system.racks, system.priority, system.owner, system.playbook or None, status, stage,
        ])  # fmt: skip
    titles: list[list[Any]] = [
        ["Capacity programme 2026: system register"],
        [f"Status as told by owners, week {label(week)}"],
    ]
    return Table(list(SOURCES["system-register"]["columns"]), rows, titles)


def _blocks(su3_need: date | None) -> Table:
    rows: list[list[Any]] = []
    for system in SYSTEMS:
        for order, (block, units, need) in enumerate(system.blocks, start=1):
            moved = su3_need if su3_need and block == "SU3" else need
            hall = HALLS.get(system.system_id, {}).get(block)
            roll_in = ROLL_IN.get((system.system_id, block))
            capacity = units * Decimal(system.per_unit)
            rows.append([system.system_id, block, capacity, order, moved, hall, roll_in])
    return Table(["system", "block", "capacity", "order", "need", "hall", "roll-in"], rows)


def _contracts(week: int) -> Table:
    rows: list[list[Any]] = []
    for item in PROMISES:
        if item.since > week:
            continue
        currency = "EUR" if item.contract == "STO-2026-015" else "USD"
        rows.append([
            item.contract, item.line, item.phase, item.amendment, item.system_id, Decimal(item.quantity), item.unit,
            item.due,
            item.internal, item.internal, item.option, False, item.supersedes, item.due, Decimal(item.unit_cost),
            currency,
            item.signed, item.reason or None, item.decision or None,
        ])  # fmt: skip
    titles: list[list[Any]] = [["Contract register"], ["Prepared by J. Petrov, commercial"], [None]]
    return Table(list(SOURCES["contracts"]["columns"]), rows, titles)
