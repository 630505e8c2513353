"""Two weeks compared: what differs is named with both figures, what came and went by its id."""

from datetime import date

import duckdb
import pytest

from turnup.readiness.compare import compare_weeks

BEFORE = {
    "classes": "SELECT 'gpu_cluster' AS kind, 'accelerators' AS unit, 64 AS contracted, 0 AS due, 8 AS schedulable, "
    "1 AS systems, 1 AS sites, 'red' AS status",
    "systems": "SELECT * FROM (VALUES ('A', 'gpu_cluster', 'accelerators', 64, 0, 8, 'red', 'install'), "
    "('OLD', 'storage', 'PB', 2, 0, 0, 'grey', 'procure')) "
    "t(system_id, kind, unit, contracted, due, schedulable, status, current_gate)",
    "gates": "SELECT 'A' AS system_id, 'all' AS block, unnest(['procure', 'install']) AS gate, "
    "unnest(['passed', 'in progress']) AS state, NULL::DATE AS passed_on",
    "forecast": "SELECT 'system' AS scope_type, 'A' AS scope, DATE '2026-12-01' AS p50, DATE '2026-12-15' AS p80",
    "blockers": "SELECT * FROM (VALUES ('a:1', 'A', 'all', 'install', 't', 'm', 8, 'accelerators', 'Ana', 'w')) "
    "t(blocker_id, system_id, block, gate, title, message, capacity_held, unit, owner, first_seen_week)",
    "findings": "SELECT 'f:1' AS finding_id, 'f' AS code, 'high' AS severity, 'A' AS system_id, 'm' AS message",
}
AFTER = {
    "classes": BEFORE["classes"].replace("8 AS schedulable", "24 AS schedulable"),
    "systems": "SELECT 'A' AS system_id, 'gpu_cluster' AS kind, 'accelerators' AS unit, 64 AS contracted, 0 AS due, "
    "24 AS schedulable, 'red' AS status, 'accept' AS current_gate",
    "gates": BEFORE["gates"].replace("in progress", "passed"),
    "forecast": BEFORE["forecast"].replace("2026-12-15", "2026-12-22"),
    "blockers": BEFORE["blockers"].replace("a:1", "a:2"),
    "findings": BEFORE["findings"],
    "definitions": "SELECT 'metric' AS what, 'due' AS subject, 'definition' AS name, 'x' AS says",
}


@pytest.fixture
def weeks(tmp_path):
    def written(name, tables):
        found = {}
        for table, query in tables.items():
            found[table] = tmp_path / f"{name}-{table}.parquet"
            duckdb.sql(f"COPY ({query}) TO '{found[table]}' (FORMAT parquet)")
        return found

    return written("before", BEFORE), written("after", AFTER)


def test_what_differs_has_both_figures(weeks):
    found = compare_weeks(*weeks)
    assert [(row["schedulable_before"], row["schedulable"]) for row in found["classes"]] == [(8, 24)]
    assert [(row["system_id"], row["schedulable_before"], row["schedulable"]) for row in found["systems"]] == [
        ("A", 8, 24),
        ("OLD", 0, None),  # it is not there any more, which is no 0
    ]
    assert [(row["gate"], row["state_before"], row["state"]) for row in found["gates"]] == [
        ("install", "in progress", "passed")
    ]
    assert [(row["p50_before"], row["p50"], row["p80_before"], row["p80"]) for row in found["forecast"]] == [
        (date(2026, 12, 1), date(2026, 12, 1), date(2026, 12, 15), date(2026, 12, 22))
    ]


def test_what_came_and_what_went(weeks):
    found = compare_weeks(*weeks)
    assert [(row["blocker_id"], row["is"]) for row in found["blockers"]] == [("a:1", "closed"), ("a:2", "new")]
    assert found["findings"] == []


def test_of_what_a_week_did_not_keep_nothing_is_said(weeks):
    assert compare_weeks(*weeks)["definitions"] == []


def test_backwards_is_the_same_with_the_sides_changed(weeks):
    before, after = weeks
    forth, back = compare_weeks(before, after), compare_weeks(after, before)
    assert [(row["schedulable"], row["schedulable_before"]) for row in back["systems"]] == [
        (row["schedulable_before"], row["schedulable"]) for row in forth["systems"]
    ]
    assert [row["is"] for row in back["blockers"]] == ["new", "closed"]
    assert not any(compare_weeks(before, before).values())
