"""The build as a whole: nothing delivered, no playbook, twice the same, and earlier weeks only."""

from tests.readiness.cluster import BASELINES, cluster
from tests.readiness.past import label, systems
from tests.readiness.tiny import AS_OF, built, playbooks, programme, rows, staged
from turnup.readiness.build import build


def test_a_programme_without_any_row_has_empty_marts():
    con = built({})
    for table in ("systems", "commitments", "gates", "blockers", "findings", "classes", "change", "s_curve", "supply"):
        assert rows(con, f"SELECT * FROM mart.{table}") == [], table
    assert rows(con, "SELECT * FROM mart.record") == [{"scope": "all", "closed_forecasts": 0, "held": 0}]


def test_without_a_playbook_the_funnel_stands_and_no_gate():
    con = staged(cluster(2))
    build(con, programme(acceptance=BASELINES), [], AS_OF)
    assert rows(con, "SELECT schedulable, current_gate FROM mart.systems") == [
        {"schedulable": 16, "current_gate": "no playbook"}
    ]


def test_a_second_build_gives_the_same():
    con = built(cluster(2), acceptance=BASELINES)
    tables = [row["t"] for row in rows(con, "SELECT table_name AS t FROM duckdb_tables() WHERE schema_name = 'mart'")]
    first = {table: con.sql(f"SELECT * FROM mart.{table} ORDER BY ALL").fetchall() for table in tables}
    build(con, programme(acceptance=BASELINES), playbooks(), AS_OF)
    assert {table: con.sql(f"SELECT * FROM mart.{table} ORDER BY ALL").fetchall() for table in tables} == first


def test_later_weeks_do_not_exist_for_an_earlier_one():
    past = {"systems": systems([8], 16) + systems([0], 16, week=label(-1))}
    con = built(cluster(2), past, acceptance=BASELINES)
    assert rows(con, "SELECT opening FROM mart.change") == [{"opening": 8}]
    assert rows(con, "SELECT count(*) AS n FROM past_systems") == [{"n": 1}]


def test_a_week_is_dated_by_its_label_across_the_year():
    past = {"systems": systems([1], 16, week="2020-W53") + systems([2], 16, week="2021-W01")}
    con = built(cluster(2), past, acceptance=BASELINES)
    found = rows(con, "SELECT week, as_of FROM past_weeks ORDER BY week")
    assert [(row["week"], row["as_of"].isoformat()) for row in found] == [
        ("2020-W53", "2021-01-01"),
        ("2021-W01", "2021-01-08"),
    ]
