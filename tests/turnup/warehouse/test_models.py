"""SQL models run in the order of their needs, and each one's key is checked."""

import pytest

from turnup.warehouse.connection import connect
from turnup.warehouse.models import ModelError, run_models


def write(folder, name, table, key, body):
    (folder / name).write_text(f"-- table: {table}\n-- grain: one row is a thing\n-- key: {key}\n{body}\n")


def test_models_run_in_the_order_of_their_needs(tmp_path):
    write(tmp_path, "a.sql", "mart.total", "n", "SELECT sum(n)::INT AS n FROM core.parts -- not core.missing")
    write(tmp_path, "z.sql", "core.parts", "n", "SELECT unnest([1, 2, 3]) AS n")
    with connect() as con:
        runs = run_models(con, tmp_path)
        assert [(run.table, run.rows) for run in runs] == [("core.parts", 3), ("mart.total", 1)]
        assert con.sql("SELECT n FROM mart.total").fetchall() == [(6,)]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("SELECT unnest([1, 1]) AS n", "2 rows but 1 distinct"),
        ("SELECT unnest([1, NULL]) AS n", "1 of 2 rows have no value"),
        ("SELECT nonsense", "model core.a"),
    ],
)
def test_a_model_that_breaks_its_own_rule_is_refused(tmp_path, body, words):
    write(tmp_path, "a.sql", "core.a", "n", body)
    with connect() as con, pytest.raises(ModelError, match=words):
        run_models(con, tmp_path)


def test_a_loop_is_spelled_out(tmp_path):
    write(tmp_path, "a.sql", "core.a", "n", "SELECT n FROM core.b")
    write(tmp_path, "b.sql", "core.b", "n", "SELECT n FROM core.a")
    with connect() as con, pytest.raises(ModelError, match=r"core\.a -> core\.b|core\.b -> core\.a"):
        run_models(con, tmp_path)


def test_a_header_line_that_lacks_is_named(tmp_path):
    (tmp_path / "a.sql").write_text("-- table: core.a\nSELECT 1 AS n")
    with connect() as con, pytest.raises(ModelError, match="-- grain"):
        run_models(con, tmp_path)
