"""A figure is explained by exactly its rows."""

import re

import pytest

from tests.readiness.cluster import BASELINES, cluster
from tests.readiness.past import label
from tests.readiness.tiny import built, rows
from turnup.readiness.explain import ExplainError, explain
from turnup.readiness.registry import load_metrics
from turnup.warehouse.macros import _MACROS


@pytest.fixture(scope="module")
def con():
    data = cluster(3)
    data["scheduler_nodes"][3].update(allocatable=False)
    data["commitments"][0].update(quantity=20)
    past = {"metrics": [{"week": label(1), "metric": "received", "system_key": "train-1", "value": 16.0}]}
    return built(data, past, acceptance=BASELINES)


def test_schedulable_names_the_nodes_and_where_they_stand(con):
    found = explain(con, "schedulable", "train-1")
    assert (found.value, found.unit) == (16, "accelerators")
    assert [(row.unit_id, row.value, row.dataset, row.row) for row in found.rows] == [
        ("TRAIN-1-n1", 8, "scheduler_nodes", 9),
        ("TRAIN-1-n2", 8, "scheduler_nodes", 13),
    ]


def test_a_cap_is_a_row_of_its_own(con):
    found = explain(con, "received", "TRAIN-1")
    assert (found.value, found.last_week) == (20, 16)
    assert [(row.unit_id, row.value) for row in found.rows] == [("adjustment", -4), ("R1/1", 24)]


def test_last_week_is_what_was_issued_first(con):
    con.execute(
        f"CREATE TABLE issued.metrics AS SELECT '{label(1)}' AS week, 'received' AS metric, 'train-1' AS "
        "system_key, 8.0 AS value"
    )
    try:
        assert explain(con, "received", "TRAIN-1").last_week == 8
    finally:
        con.execute("DROP TABLE issued.metrics")


def test_the_mean_of_seven_days_stands_beside_the_point_value(con):
    found = explain(con, "schedulable_mean_7d", "TRAIN-1")
    assert found.value == 8 * 3 / 4 + 8 + 8  # node 0 was offered in 3 of 4 snapshots


@pytest.mark.parametrize("metric", sorted(load_metrics()))
def test_every_metric_is_explained_by_its_value(con, metric):
    spread = load_metrics()[metric].spread
    system = None if spread == "programme" else "TRAIN-1"
    found = explain(con, metric, system)
    key = "(programme)" if system is None else "train-1"
    (kept,) = rows(
        con, f"SELECT value, evidence_rows FROM mart.metrics WHERE metric = '{metric}' AND system_key = '{key}'"
    )
    assert found.value == kept["value"]
    assert len(found.rows) == kept["evidence_rows"]
    assert (found.value is None) == (not found.rows)


@pytest.mark.parametrize("metric", sorted(load_metrics()))
def test_the_rows_of_every_metric_can_be_read_by_any_client(metric):
    ours = re.findall(r"TEMP MACRO (\w+)", _MACROS)  # macros live in one connection, evidence views in the file
    assert ours
    assert not re.findall(rf"\b(?:{'|'.join(ours)})\(", load_metrics()[metric].sql)


@pytest.mark.parametrize(
    ("metric", "system"), [("uptime", "TRAIN-1"), ("schedulable", "TRAIN-9"), ("schedulable", None)]
)
def test_what_is_not_known_is_said(con, metric, system):
    with pytest.raises(ExplainError):
        explain(con, metric, system)
