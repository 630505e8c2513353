"""Go or no-go before a large run: TRAIN-1 has one thing wrong with each check, TRAIN-2 nothing, TRAIN-3 no labels."""

from datetime import date, datetime

import pytest

from tests.readiness.cluster import BASELINES, cluster
from tests.readiness.tiny import built
from turnup.readiness.audit import audit, worst
from turnup.readiness.explain import ExplainError

LIMITS = BASELINES | {"golden": [{"component": "bios", "versions": ["2.1"], "source": "release note"}]}
WRONG = {"rack_label": "R9", "leaf_label": "leaf-9"}


def joined():
    """Return the three clusters; every node has an asset in R1, a cable to leaf-1, a BIOS and a run on two nodes."""
    data = {name: [] for name in cluster(1)} | {"versions": [], "failures": []}
    for system in ("TRAIN-1", "TRAIN-2", "TRAIN-3"):
        one = cluster(2, system)
        for name, given in one.items():
            data[name] += given if name not in ("sites", "facility_capacity") or not data[name] else []
        nodes = [f"{system}-n0", f"{system}-n1"]
        both = dict(one["benchmarks"][0], run=f"both-{system}", node=",".join(nodes), value=465.0)
        data["benchmarks"].append(both)
        data["versions"] += [
            {"node": node, "component": "BIOS", "version": "2.1", "observed_at": datetime(2026, 10, 29)}
            for node in nodes
        ]
    for row in data["installs"]:
        row["rack"] = "r1"
    for row in data["scheduler_nodes"]:
        if not row["node"].startswith("TRAIN-3"):
            row.update(rack_label="R1", leaf_label="Leaf-1.example.net")
    return data


@pytest.fixture(scope="module")
def con():
    data = joined()
    last = [row for row in data["scheduler_nodes"] if row["node"] == "TRAIN-1-n1"][-1]
    last.update(WRONG, allocatable=False, state="drained", reason="XID 79")
    for row in data["versions"]:
        if row["node"] == "TRAIN-1-n0":
            row["version"] = "2.0"
    for row in data["links"]:
        if row["a_device"] == "TRAIN-1-n0" and row["view"] == "observed":
            row["state"] = "down"
    for row in data["benchmarks"]:
        if row["run"] == "run-TRAIN-1-n1":
            row["value"] = 400.0
        if row["run"] == "both-TRAIN-1":
            row["value"] = 200.0
    data["failures"] = [
        {"failure_id": "F1", "kind": "xid", "opened": date(2026, 10, 20), "node": "TRAIN-1-n1"},
        {"failure_id": "F2", "kind": "ecc", "opened": date(2026, 10, 1), "closed": date(2026, 10, 2),
         "node": "TRAIN-2-n0"},
    ]  # fmt: skip
    con = built(data, acceptance=LIMITS)
    con.execute("INSERT INTO meta.ledger (source, dataset, file, in_force) VALUES ('f', 'failures', 'f.csv', true)")
    return con


def verdicts(found):
    return {line.check: line.verdict for line in found.lines}


def test_a_system_with_all_its_evidence_is_go(con):
    found = audit(con, "train-2")
    assert (found.system_id, found.units, found.verdict) == ("TRAIN-2", 2, "go")
    assert set(verdicts(found).values()) == {"go"}
    assert all(line.checked >= 1 and not line.hindrances for line in found.lines)


def test_each_fault_is_its_own_no_go_with_its_row(con):
    found = audit(con, "TRAIN-1")
    assert found.verdict == "no-go"
    wrong = {line.check: [item.subject for item in line.hindrances if item.state == "no-go"] for line in found.lines}
    assert wrong.pop("scaling")[0].startswith("all_reduce busbw")
    assert wrong.pop("links")[0].startswith("TRAIN-1-n0 TRAIN-1-n0:p0 - leaf-1")
    assert wrong == {
        "offered": ["TRAIN-1-n1"],
        "coverage": [],
        "accepted": ["TRAIN-1-n0", "TRAIN-1-n1"],  # the run on both is under its limit too
        "software": ["TRAIN-1-n0 bios"],
        "faults": ["TRAIN-1-n1"],
        "rack_labels": ["TRAIN-1-n1"],
        "leaf_labels": ["TRAIN-1-n1"],
    }
    lines = {line.check: line.hindrances[0] for line in found.lines if line.hindrances}
    assert lines["faults"].note == "F1 xid open since 2026-10-20"
    assert (lines["faults"].file, lines["faults"].row) == ("failures.csv", 2)
    assert lines["rack_labels"].note == "label R9, stands in r1"
    assert lines["leaf_labels"].note == "label leaf-9, cabled to leaf-1"
    assert lines["software"].note == "2.0 (wanted 2.1)"
    assert "XID 79" in lines["offered"].note


def test_what_is_not_known_is_never_go(con):
    found = audit(con, "TRAIN-3")
    assert found.verdict == "no data"
    got = verdicts(found)
    assert {check for check, verdict in got.items() if verdict != "go"} == {"rack_labels", "leaf_labels"}
    assert got["rack_labels"] == "no data"


def test_without_a_fault_list_nothing_is_known_of_faults(con):
    con.execute("BEGIN; DELETE FROM meta.ledger")
    try:
        assert verdicts(audit(con, "TRAIN-2"))["faults"] == "no data"
    finally:
        con.execute("ROLLBACK")


def test_a_system_that_is_not_there_is_said(con):
    with pytest.raises(ExplainError, match="known: TRAIN-1, TRAIN-2, TRAIN-3"):
        audit(con, "TRAIN-9")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((), "no data"),
        (("go",), "go"),
        (("go", "no data"), "no data"),
        (("go", "no data", "no-go"), "no-go"),
    ],
)
def test_the_worst_line_decides(given, expected):
    assert worst(given) == expected
