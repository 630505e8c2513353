"""What holds for every programme: the funnel closes, the order of rows does not matter, no data never passes."""

import random
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.readiness.cluster import BASELINES, cluster, line
from tests.readiness.tiny import built, rows

SLOW = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
MARTS = (
    "funnel", "commitments", "gates", "criteria", "blockers", "findings", "metrics", "supply", "classes", "change",
    "vendor_scorecards", "asn_flow", "serial_flow", "lanes", "shipment_etas", "install_backlog", "install_rates",
    "first_pass", "positions", "stock",
)  # fmt: skip

_DAMAGE = {
    "installs": (
        {"racked": None},
        {"powered": None, "provisioned": None},
        {"status": "planned"},
        {"purpose": "spare"},
        {"site_id": "ELSE"},
    ),
    "links": ({"state": "down"}, {"speed_gbps": 100}),
    "benchmarks": ({"value": 1.0}, {"complete": False}, {"correctness": "wrong"}, {"measured_at": None}),
    "scheduler_nodes": ({"allocatable": False}, {"capacity": 5}),
    "receipts": ({"qty_good": 1}, {"place": "warehouse"}, {"qty_returned": 1}),
    "shipments": ({"status": "booked"}, {"quantity": 1}),
    "purchase_orders": ({"status": "cancelled"}, {"quantity": 2}),
    "po_allocations": ({"quantity": 9},),
    "gate_decisions": ({"outcome": "defer"}, {"block": "SU1"}),
}


@st.composite
def programmes(draw):
    """Two clusters with random damage, and random commitments over or under what is there."""
    data, other = cluster(draw(st.integers(1, 4))), cluster(draw(st.integers(1, 3)), "TRAIN-2")
    for name in (
        "systems",
        "bom",
        "installs",
        "node_names",
        "links",
        "benchmarks",
        "gate_decisions",
        "scheduler_nodes",
        "po_allocations",
    ):
        data[name] = data[name] + other[name]
    data["commitments"] = [
        line(system, number, draw(st.integers(1, 60)), draw(st.dates(date(2026, 9, 1), date(2027, 3, 1))))
        for system in ("TRAIN-1", "TRAIN-2")
        for number in ("1", "2")
    ]
    for place, row in enumerate(data["commitments"]):
        row["contract"] = f"C-{place // 2}"
    for table, changes in _DAMAGE.items():
        for row in data[table]:
            if draw(st.booleans()) and draw(st.booleans()):
                row.update(draw(st.sampled_from(changes)))
        if draw(st.integers(0, 9)) == 0:
            data[table] = []
    return data


def marts(con):
    """Return every mart, sorted, as text."""
    return {
        table: [str(row) for row in con.sql(f"SELECT * FROM mart.{table} ORDER BY ALL").fetchall()] for table in MARTS
    }


NEVER = {
    "a sum that does not close, a stage larger than the one before, more than is contracted": """
        SELECT system_key FROM core.funnel GROUP BY system_key HAVING sum(held) + min(reached) <> max(contracted)
        OR min(held) < 0 OR min(reached) < 0 OR max(reached) > max(contracted)""",
    "a unit at a stage without the one before": """
        SELECT * FROM (SELECT *, lag(reached) OVER (PARTITION BY system_key, unit_key ORDER BY stage_no) AS before
        FROM core.unit_stages) WHERE reached AND NOT before""",
    "a line served beyond its quantity": """
        SELECT * FROM mart.commitments WHERE schedulable + shortfall > quantity OR schedulable < 0 OR shortfall < 0""",
    "a judgement without evidence": """
        SELECT * FROM mart.criteria WHERE evidence_rows = 0 AND state IN ('met', 'not met', 'stale')""",
    "a gate that passes with an unmet criterion": """
        SELECT * FROM mart.gates g JOIN mart.criteria c USING (system_key, block, gate)
        WHERE g.state = 'passed' AND c.state <> 'met'""",
    "a gate that passes before its predecessor": """
        SELECT * FROM (
            SELECT *, lag(state) OVER (PARTITION BY system_key, block ORDER BY gate_no) AS before FROM mart.gates)
        WHERE state IN ('passed', 'waived') AND before NOT IN ('passed', 'waived')""",
    "a figure that is not the sum of its evidence": """
        SELECT * FROM core.funnel f JOIN mart.metrics m ON m.system_key = f.system_key AND m.metric = f.stage
        WHERE f.applicable AND coalesce(m.value, 0) <> f.reached""",
    "goods given to two systems": """
        SELECT po_key FROM core.allocations a JOIN core.purchase_lines l USING (po_key, line_key)
        GROUP BY po_key, line_key, l.quantity HAVING sum(a.quantity) > l.quantity""",
}


@pytest.mark.slow
@settings(SLOW, max_examples=15)
@given(programmes())
def test_what_never_happens(data):
    con = built(data, acceptance=BASELINES)  # build itself raises when a sum does not close
    for what, query in NEVER.items():
        assert rows(con, query) == [], what


@pytest.mark.slow
@settings(SLOW, max_examples=8)
@given(programmes(), st.integers(0, 2**32))
def test_the_order_of_rows_never_matters(data, seed):
    first = marts(built(data, acceptance=BASELINES))
    numbered = {
        name: [dict(row, _row=place) for place, row in enumerate(given, start=2)] for name, given in data.items()
    }
    shuffled = {name: random.Random(seed).sample(given, len(given)) for name, given in numbered.items()}
    assert marts(built(shuffled, acceptance=BASELINES)) == first
