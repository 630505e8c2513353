"""Of the settings a model reads the columns that it names, and no others: so it need not be made again for the rest."""

import json
import re
from pathlib import Path

import duckdb
import pytest

from tests.readiness.tiny import built
from turnup.acceptance.judge import MODELS as JUDGING
from turnup.supply.build import _SQL as NETTING
from turnup.warehouse.contents import words_of
from turnup.warehouse.models import models_of

SQL = Path(__file__).parents[2] / "turnup" / "warehouse" / "sql"
PAST = re.compile(r"\b(past|issued|restated)_")
"""Views of earlier weeks, which read the settings themselves."""


def scans(node, table):
    """Columns read by each scan of a table in a plan, by name."""
    info = node.get("extra_info", {})
    if str(info.get("Table", "")).rpartition(".")[2] == table:
        found = info.get("Projections", [])
        yield from filter(None, [found] if isinstance(found, str) else found)
    for child in node.get("children", []):
        yield from scans(child, table)


def plan_of(con, query):
    ((_, text),) = con.sql(f"EXPLAIN (FORMAT json) {query}").fetchall()
    return json.loads(text)[0]


def test_a_scan_tells_its_columns():
    with duckdb.connect() as con:
        con.execute("CREATE SCHEMA core; CREATE TABLE core.settings AS SELECT 1 AS as_of, 2 AS cut_off, 'W' AS week")
        assert set(scans(plan_of(con, "SELECT as_of, week FROM core.settings"), "settings")) == {"as_of", "week"}
        assert set(scans(plan_of(con, "SELECT * FROM core.settings"), "settings")) == {"as_of", "cut_off", "week"}


@pytest.mark.parametrize("folder", ["core", "circuits", "gates", "network", "mart", "judging", "inputs"])
def test_a_model_scans_only_columns_of_the_settings_that_it_names(weeks_built, folder):
    place = {"judging": JUDGING, "inputs": NETTING / "inputs"}.get(folder, SQL / folder)
    for model in models_of(place):
        for schema, table in (("core", "settings"), ("meta", "week")):
            if f"{schema}.{table}" in model.needs:
                read = set(scans(plan_of(weeks_built, model.sql), table))
                by_views = {"week", "as_of"} if PAST.search(model.sql) else set()
                assert read <= words_of(model.sql) | by_views, (model.table, read - words_of(model.sql))


@pytest.fixture(scope="module")
def weeks_built():
    return built({})
