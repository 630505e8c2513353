"""The cure is needed, works, and is noticed on the day it is needed no longer."""

import pytest

from expectations import run
from expectations.duckdb_dialect import keep_duckdb_connections
from expectations.suites import Expectation

KINDS = {
    "ExpectTableRowCountToBeBetween": {"min_value": 1},
    "ExpectColumnValuesToBeUnique": {"column": "site_id_key"},
    "ExpectColumnProportionOfNonNullValuesToBeBetween": {"column": "name", "min_value": 0.5},
    "UnexpectedRowsExpectation": {"unexpected_rows_query": "SELECT * FROM {batch} WHERE name IS NULL"},
}


@pytest.fixture
def planned(candidate):
    candidate.add("sites", {"site_id": "ORD1", "name": "Chicago One"})
    return [
        Expectation("sites", kind, None, "error", ("stg", "sites"), kind, arguments, "")
        for kind, arguments in KINDS.items()
    ]


def test_with_the_cure_all_compute(candidate, planned) -> None:
    outcomes = run._outcomes(candidate.path, planned)
    assert [outcomes[number].success for number in range(len(planned))] == [True] * len(planned)


def test_upstream_still_needs_the_cure(candidate, planned, monkeypatch) -> None:
    """When this fails, Great Expectations keeps DuckDB connections by itself: delete `duckdb_dialect`."""
    from great_expectations.execution_engine import sqlalchemy_execution_engine as engine

    original = tuple(each for each in engine._PERSISTED_CONNECTION_DIALECTS if each != "duckdb")
    monkeypatch.setattr(engine, "_PERSISTED_CONNECTION_DIALECTS", original)
    monkeypatch.setattr(run, "keep_duckdb_connections", lambda: None)
    outcomes = run._outcomes(candidate.path, planned)
    assert [outcomes[number].result for number in range(len(planned))] == [{}] * len(planned)


def test_the_cure_is_applied_once() -> None:
    from great_expectations.execution_engine import sqlalchemy_execution_engine as engine

    keep_duckdb_connections()
    before = engine._PERSISTED_CONNECTION_DIALECTS
    keep_duckdb_connections()
    assert engine._PERSISTED_CONNECTION_DIALECTS == before
    assert [each for each in before if each == "duckdb"] == ["duckdb"]
