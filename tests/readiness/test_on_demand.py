"""A table asked for alone is the one of a whole build; who changes a table has all of them made before."""

from tests.readiness.cluster import BASELINES, cluster
from tests.readiness.tiny import built, rows, whole

EVERY = "SELECT schema_name || '.' || table_name AS t FROM duckdb_tables() WHERE schema_name IN ('core', 'mart')"


def test_tables_asked_for_one_by_one_are_those_of_a_whole_build():
    expected = whole(cluster(2), acceptance=BASELINES)
    names = sorted((row["t"] for row in rows(expected, EVERY)), reverse=True)
    con = built(cluster(2), acceptance=BASELINES)
    assert len(names) > 200
    for name in names:
        query = f"SELECT * FROM {name} ORDER BY ALL"
        assert con.sql(query).fetchall() == expected.sql(query).fetchall(), name


def test_what_is_changed_was_made_with_all_that_follows_from_it():
    con = built(cluster(2), acceptance=BASELINES)
    con.execute("DELETE FROM core.systems")
    assert [row["schedulable"] for row in rows(con, "SELECT schedulable FROM mart.systems")] == [16]
