"""Trends of a built week: growth against the totals as issued, open weeks, stale sources, owners, cycle times."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.readiness.cluster import BASELINES, cluster
from tests.readiness.past import label
from tests.readiness.tiny import AS_OF, Datasets, built, modelled, rows


def _past(*totals: int, series: str = "accepted") -> Datasets:
    """Totals as issued, the last of them last week's."""
    count = len(totals)
    return {
        "trend_totals": [
            {
                "week": label(count - place), "series": series, "scope": "gpu_cluster", "total": float(total),
                "weight": 0.0, "watched": True,
            }
            for place, total in enumerate(totals)
        ]
    }  # fmt: skip


@pytest.fixture(scope="module")
def week():
    """A finished cluster of 32 accelerators that had 8, 12, 16, 20, 24, 26, 28 and 30 accepted at earlier cut-offs."""
    return built(cluster(4), _past(8, 12, 16, 20, 24, 26, 28, 30), acceptance=BASELINES)


def test_a_week_is_growth_since_the_last_issue(week) -> None:
    told = rows(week, "SELECT * FROM mart.trend_figures WHERE series = 'accepted' AND grain = 'week' ORDER BY place")
    assert [row["value"] for row in told] == [4, 4, 2, 2, 2, 2]
    assert told[-1]["label"] == "2026-W44"
    assert told[-1]["ends_on"] == AS_OF


def test_limits_owner_and_unit(week) -> None:
    (row,) = rows(week, "SELECT * FROM mart.trend WHERE series = 'accepted'")
    assert (row["unit"], row["owner"], row["points"], row["locked"]) == ("accelerators", "Ana Ruiz", 8, True)
    assert row["mean"] == 3  # 4 4 4 4 2 2 2 2: one step of 2 in seven differences
    assert row["moving_range"] == pytest.approx(2 / 7, abs=1e-6)
    assert row["upper"] == pytest.approx(3 + 2.66 * 2 / 7, abs=1e-6)
    assert row["verdict"] == "signal"  # 2 is beyond 3 - 0.76
    assert row["rules"] == "1+3"
    assert row["above"] is False


def test_a_series_without_an_earlier_issue_has_no_figure_yet(week) -> None:
    (row,) = rows(week, "SELECT * FROM mart.trend WHERE series = 'received'")
    assert (row["value"], row["verdict"]) == (None, "not available")
    months = rows(week, "SELECT value FROM mart.trend_figures WHERE series = 'received' AND grain = 'month'")
    assert [row["value"] for row in months] == [None] * 12


def test_totals_are_kept_for_the_weeks_to_come(week) -> None:
    kept = {r["series"]: r for r in rows(week, "SELECT * FROM mart.trend_totals WHERE scope = 'gpu_cluster'")}
    assert {name: row["total"] for name, row in kept.items() if name in ("received", "accepted", "schedulable")} == {
        "received": 32, "accepted": 32, "schedulable": 32,
    }  # fmt: skip
    assert all(row["watched"] for row in kept.values())


def test_cycle_times_count_days_from_entry_to_pass(week) -> None:
    found = rows(week, "SELECT * FROM mart.cycle_times")
    assert found
    assert all(row["passed"] + row["open"] > 0 for row in found)


def test_the_most_frequent_faults_are_counted_once() -> None:
    data = cluster(2)
    data["failures"] = [
        {
            "failure_id": f"F{n}",
            "node": "TRAIN-1-n0",
            "kind": kind,
            "opened": AS_OF - timedelta(days=days),
            "system_id": "TRAIN-1",
        }
        for n, (kind, days) in enumerate([("gpu", 5), ("gpu", 9), ("nic", 20), ("gpu", 200)])
    ]
    found = rows(
        modelled(data, "mart.failure_pareto"),
        "SELECT fault, faults, units FROM mart.failure_pareto ORDER BY faults DESC",
    )
    assert found == [{"fault": "gpu", "faults": 2, "units": 1}, {"fault": "nic", "faults": 1, "units": 1}]


def test_changed_logic_names_each_link_and_duration() -> None:
    data: Datasets = {
        "activities": [
            {"task": "A", "name": "Rack", "duration_d": 5, "project_id": "P"},
            {"task": "B", "name": "Cable", "duration_d": 3, "project_id": "P"},
        ],
        "activity_links": [{"pred": "A", "succ": "B", "type": "FS", "lag_d": 2, "project_id": "P"}],
    }
    now = rows(
        modelled(data, "mart.activity_logic"),
        "SELECT project, what, subject, says FROM mart.activity_logic ORDER BY ALL",
    )
    assert [(row["what"], row["subject"]) for row in now] == [
        ("duration", "A Rack"), ("duration", "B Cable"), ("link", "A → B FS"),
    ]  # fmt: skip
    con = modelled(data, "mart.activity_logic")
    con.execute("UPDATE core.settings SET previous_week = $1", [label(1)])
    con.execute("CREATE TEMP TABLE past_now AS SELECT $1::VARCHAR AS week, * FROM mart.activity_logic", [label(1)])
    con.execute("UPDATE past_now SET says = '4.000 d' WHERE subject = 'A Rack'")
    con.execute("UPDATE past_now SET subject = 'A → B SS' WHERE what = 'link'")
    con.execute("CREATE OR REPLACE TEMP VIEW past_activity_logic AS FROM past_now")
    changes = rows(
        con, f"SELECT what, subject, change, said_before, says FROM ({_model('logic_changes')}) ORDER BY ALL"
    )
    assert [(r["what"], r["subject"], r["change"]) for r in changes] == [
        ("duration", "A Rack", "changed"), ("link", "A → B FS", "added"), ("link", "A → B SS", "removed"),
    ]  # fmt: skip


def _model(name: str) -> str:
    from turnup.readiness.build import _MODELS
    from turnup.warehouse.models import read_model

    return read_model(_MODELS / "mart" / f"{name}.sql").sql
