"""A cluster that waits for three links one after the other, and what a late cross-connect of the last one does to it.

The data date is Friday 30 October 2026. Work takes two working days at each handover and none elsewhere. XC-114 is
promised for Friday 18 December: WAN-3 is handed over on Tuesday 22, WAN-2 on Thursday 24, WAN-1 on Monday 28 (Friday 25
is a working day here), and the cluster on Wednesday 30 December. Two weeks later, all of it is on 13 January.
"""

from __future__ import annotations

from datetime import date

import pytest

from reports.build.pages import forecast_page, risk_page
from reports.build.sections.chains import chain_blocks
from reports.build.warehouse import Warehouse
from reports.build.week import week_of
from reports.build.when_sure import build_when_sure
from tests.readiness.cluster import BASELINES, cluster, line
from tests.readiness.test_network import SITES, WAITING, wave
from tests.readiness.tiny import AS_OF, built, modelled, rows, timed

OTHERS = ("WAN-1", "WAN-2", "WAN-3", "WAN-5", "WAN-7", "WAN-8", "WAN-9")


def needs(*pairs):
    return [
        {"from_system": one, "to_system": other, "type": "network", "gate": None, "for_gate": None}
        for one, other in pairs
    ]


def programme(firm):
    """The chain, a link under a waiver (5), one that needs the unknown (7), two that need each other (8, 9)."""
    data = cluster(2)
    data["sites"] += SITES
    data["systems"] += [
        {
            "system_id": name,
            "name": name,
            "kind": "wan_link",
            "site_id": "IAD",
            "supply_model": "leased",
            "owner": "Renata Silva",
        }
        for name in OTHERS
    ]
    data["commitments"] += [
        line(name, "1", 400, date(2026, 10, 1), contract=f"C-{name}", unit="Gbit/s") for name in OTHERS
    ]
    late = wave("XC-114", None, system_id="WAN-3", type="cross_connect", firm_date=firm, **WAITING)
    serving = [wave(f"W-{name}", None, system_id=name) for name in ("WAN-1", "WAN-2", "WAN-5", "WAN-7")]
    signed = data["gate_decisions"][0]
    return data | {
        "circuits": [*serving, late],
        "gate_decisions": [signed | {"system_id": name} for name in ("WAN-5", "WAN-7")],
        "dependencies": [
            *needs(("TRAIN-1", "WAN-1"), ("WAN-1", "WAN-2"), ("WAN-2", "WAN-3"), ("WAN-7", "GONE")),
            *needs(("WAN-8", "WAN-9"), ("WAN-9", "WAN-8")),
            {"from_system": "WAN-5", "to_system": "WAN-3", "type": "network", "for_gate": "acceptance"},
        ],
        "raid": [
            {"id": "W-1", "type": "waiver", "title": "Without WAN-3", "system_id": "WAN-5", "gate": "acceptance",
             "approver": "Bo Lind", "expiry": date(2026, 11, 6), "opened": date(2026, 10, 26), "owner": "Ana Ruiz",
             "text": "Enough capacity elsewhere"},
        ],
    }  # fmt: skip


def made(firm):
    return built(programme(firm), acceptance=BASELINES, books=timed((2, 2, 2), "handoff"))


@pytest.fixture(scope="module")
def con():
    return made(date(2026, 12, 18))


def ready(con):
    query = "SELECT scope, p80 FROM mart.forecast WHERE scope_type = 'system' AND remaining > 0 ORDER BY scope"
    return {row["scope"]: row["p80"] for row in rows(con, query)}


def test_a_late_leaf_moves_the_top_of_a_chain_of_four_systems_by_the_right_number_of_days(con):
    days = {"WAN-3": 22, "WAN-2": 24, "WAN-1": 28, "TRAIN-1": 30}
    assert {name: ready(con)[name] for name in days} == {name: date(2026, 12, day) for name, day in days.items()}
    later = ready(made(date(2027, 1, 1)))
    assert {name: later[name] for name in days} == {name: date(2027, 1, day - 17) for name, day in days.items()}


def test_the_chain_is_spelled_out_to_its_leaf_with_owner_and_day(con):
    chain = "TRAIN-1 waits for WAN-1 waits for WAN-2 waits for WAN-3 waits for LOA-CFA of cross-connect XC-114"
    query = "SELECT chain, leaf_owner, leaf_date, leaf_date_kind, decides FROM mart.chains WHERE system_id = 'TRAIN-1'"
    assert rows(con, query) == [
        {"chain": chain, "leaf_owner": "Renata Silva", "leaf_date": date(2026, 12, 18), "leaf_date_kind": "promised",
         "decides": True}
    ]  # fmt: skip


def test_the_leaf_tells_how_much_waits_above_it_by_kind(con):
    query = "SELECT names_above, accelerators, waiting FROM mart.chain_leaves WHERE system_id = 'WAN-3'"
    # WAN-5 has its waiver. Nothing of the two links above is handed over, nor of the cluster.
    assert rows(con, query) == [
        {"names_above": "TRAIN-1, WAN-1, WAN-2", "accelerators": 16, "waiting": "16 accelerators; 800 Gbit/s"}
    ]


def test_a_need_is_unmet_at_the_gate_that_asks_and_what_nobody_knows_is_not_ready(con):
    query = "SELECT system_id, state, message FROM mart.criteria WHERE metric = 'needed_systems_ready' ORDER BY ALL"
    wan = "Needs {} at In service: 0 % of it there (wanted >= 100 %)"
    states = [tuple(row.values()) for row in rows(con, query)]
    assert states == [
        ("TRAIN-1", "not met", wan.format("WAN-1")),
        ("WAN-1", "not met", wan.format("WAN-2")),
        ("WAN-2", "not met", wan.format("WAN-3")),
        ("WAN-5", "waived", wan.format("WAN-3")),
        ("WAN-7", "no data", "Needs GONE: no evidence, it has no gates"),
        ("WAN-8", "not met", wan.format("WAN-9")),
        ("WAN-9", "not met", wan.format("WAN-8")),
    ]
    passed = """SELECT c.system_id FROM mart.criteria c JOIN mart.gates g USING (system_id, block, gate)
        WHERE c.state IN ('not met', 'no data') AND g.state IN ('passed', 'waived')"""
    assert rows(con, passed) == []
    # What a waiver covers waits for nobody.
    assert rows(con, "SELECT chain FROM mart.chains WHERE system_id = 'WAN-5'") == []


def test_a_loop_is_a_finding_that_spells_it_out(con):
    found = rows(con, "SELECT subject, message FROM mart.findings WHERE code = 'dependency_loop'")
    assert [row["subject"] for row in found] == ["WAN-8"]
    assert found[0]["message"].startswith("WAN-8 waits for WAN-9 waits for WAN-8: none of them can be ready")
    ends = rows(con, "SELECT leaf FROM mart.chains WHERE system_id = 'WAN-9'")
    # WAN-9 has no circuit on order: that is the first thing to do, whatever the loop says of the days.
    assert ready(con)["WAN-9"] is None
    assert len(ends) == 1


def test_both_reports_name_the_leaf(con):
    week = week_of(Warehouse(con))
    answer = build_when_sure(week.warehouse, week.as_of)
    leaves = next(one for one in forecast_page(week, answer).blocks if getattr(one, "id", "") == "P3-leaves")
    assert [cell.text for cell in leaves.rows[0].cells] == [
        "LOA-CFA of cross-connect XC-114", "WAN-3", "Renata Silva", "18 Dec 26", "3", "16 accelerators; 800 Gbit/s"
    ]  # fmt: skip
    escalations = next(one for one in risk_page(week).blocks if getattr(one, "id", "") == "P4-escalations")
    analysis = next(row.cells[2].text for row in escalations.rows if "TRAIN-1" in row.cells[0].text)
    assert analysis == (
        "Not met at gate handoff: LOA-CFA of cross-connect XC-114 (Renata Silva, promised 2026-12-18), "
        "by way of WAN-1, WAN-2, WAN-3"
    )
    (chains,) = chain_blocks(week)
    assert "WAN-3 waits for LOA-CFA of cross-connect XC-114" in chains.rows[0].cells[2].text


def test_the_graph_has_systems_circuits_and_sites_with_what_they_wait_for(con):
    nodes = {row["node"]: row for row in rows(con, "FROM mart.dependency_nodes")}
    assert nodes["circuit/xc-114"]["state"] == "waits"
    assert nodes["circuit/w-wan-1"]["state"] == "ready"
    assert nodes["site/dfw1"]["state"] == "ready"
    assert nodes["system/gone"]["state"] == "no data"
    assert nodes["system/wan-3"]["waits_for"] == "LOA-CFA of cross-connect XC-114"
    edges = rows(con, "FROM mart.dependency_edges WHERE from_node = 'system/wan-3'")
    assert [(edge["to_node"], edge["state"], edge["on_date"]) for edge in edges] == [
        ("circuit/xc-114", "not met", date(2026, 12, 18))
    ]
    ends = {node for edge in rows(con, "FROM mart.dependency_edges") for node in (edge["from_node"], edge["to_node"])}
    assert ends <= nodes.keys()


def test_a_block_needs_as_large_a_share_as_it_ends_at():
    data = cluster(4)
    data["blocks"] = [
        {"system_id": "TRAIN-1", "block": name, "units": 16, "planned_order": place}
        for place, name in enumerate(("B1", "B2"), start=1)
    ]
    data["systems"].append(data["systems"][0] | {"system_id": "WAN-1", "kind": "wan_link", "supply_model": "leased"})
    data["commitments"].append(line("WAN-1", "1", 800, AS_OF, contract="W", unit="Gbit/s"))
    data["circuits"] = [wave("W-1", None, system_id="WAN-1")]
    data["gate_decisions"].append(data["gate_decisions"][0] | {"system_id": "WAN-1"})
    data["dependencies"] = needs(("TRAIN-1", "WAN-1"))
    # Half of the link is in service, which is enough for the first half of the cluster.
    assert rows(modelled(data, "core.need_blocks"), "SELECT block FROM core.need_blocks") == [{"block": "B2"}]


@pytest.mark.parametrize(
    ("gate", "asked", "found"),
    [(None, None, ("schedulable", "handoff")), ("Circuit test", "install", ("acceptance", "install")),
     ("accepted", "Links (L1)", ("acceptance", "l1")), ("nonsense", "nonsense", ("schedulable", "handoff"))],
)  # fmt: skip
def test_gates_are_named_by_id_title_or_stage(gate, asked, found):
    data = cluster(1)
    data["systems"].append(data["systems"][0] | {"system_id": "WAN-1", "kind": "wan_link", "supply_model": "leased"})
    data["dependencies"] = [
        {"from_system": "TRAIN-1", "to_system": "WAN-1", "type": "network", "gate": gate, "for_gate": asked}
    ]
    assert rows(modelled(data, "core.needs"), "SELECT gate, asked_gate FROM core.needs") == [
        dict(zip(("gate", "asked_gate"), found, strict=True))
    ]


@pytest.mark.parametrize(
    ("kind", "asked", "found"),
    [("storage", None, "storage_ready"), ("storage", "install", "install"), ("wan_link", None, "handoff")],
)
def test_a_store_is_asked_for_where_the_playbook_has_its_place_and_once(kind, asked, found):
    data = cluster(1)
    data["systems"].append(data["systems"][0] | {"system_id": "OTHER", "kind": kind, "supply_model": "leased"})
    data["dependencies"] = [{"from_system": "TRAIN-1", "to_system": "OTHER", "type": "data", "for_gate": asked}]
    con = modelled(data, "core.needs")
    assert rows(con, "SELECT asked_gate FROM core.needs") == [{"asked_gate": found}]
