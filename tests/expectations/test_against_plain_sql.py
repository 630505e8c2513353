"""Every kind of expectation in use gives what plain SQL gives, on a table in which everything is wrong."""

from datetime import date

import pytest

from expectations.contract import Reference, load_contracts
from expectations.run import _outcomes
from expectations.suites import Expectation, Holdings, expectations_of

BAD = """
CREATE TABLE stg.bad AS
SELECT * FROM (VALUES
    ('a', 'x', 1.0::DOUBLE, DATE '2026-01-01'), ('a', 'x', 'NaN'::DOUBLE, NULL), ('a', 'y', NULL, DATE '2026-02-01'),
    ('b', 'x', -5.0, DATE '2027-01-01'), (NULL, 'x', 'Infinity'::DOUBLE, NULL), (NULL, 'x', 0.0, NULL),
    ('c', NULL, 7.0, NULL), ('c', NULL, 'NaN'::DOUBLE, DATE '1990-01-01'),
    (NULL, NULL, 3.0, NULL), (NULL, NULL, 3.0, NULL),
    ('d', 'it''s {odd} %s', 2.0, DATE '2026-03-01')
) AS rows (k, other, number, day)
"""
UNIQUE = "SELECT count(*) FROM (SELECT k FROM stg.bad WHERE k IS NOT NULL QUALIFY count(*) OVER (PARTITION BY k) > 1)"
# A key with an empty part equals no other key; the row rules let no such row through.
COMPOUND = (
    "SELECT count(*) FROM (SELECT 1 FROM stg.bad WHERE k IS NOT NULL AND other IS NOT NULL"
    " QUALIFY count(*) OVER (PARTITION BY k, other) > 1)"
)

CASES = [
    ("ExpectColumnValuesToBeUnique", {"column": "k"}, "unexpected_count", UNIQUE),
    ("ExpectCompoundColumnsToBeUnique", {"column_list": ["k", "other"]}, "unexpected_count", COMPOUND),
    ("ExpectTableRowCountToBeBetween", {"min_value": 12}, "observed_value", "SELECT count(*) FROM stg.bad"),
    *(
        (
            "ExpectColumnProportionOfNonNullValuesToBeBetween",
            {"column": column, "min_value": 1.0},
            "observed_value",
            f"SELECT count({column}) / count(*) FROM stg.bad",
        )
        for column in ("k", "number", "day")
    ),
    *(
        (
            "UnexpectedRowsExpectation",
            {"unexpected_rows_query": f"SELECT * FROM (SELECT * FROM {{batch}}) AS checked WHERE {condition}"},
            "observed_value",
            f"SELECT count(*) FROM stg.bad AS checked WHERE {condition.replace('{{', '{').replace('}}', '}')}",
        )
        for condition in (
            "number < 0",
            "number > 1e300",
            "day > DATE '2026-06-01'",
            "k IS NULL",
            "other LIKE '%{{odd}}%'",
            "EXISTS (SELECT 1 FROM stg.bad AS o WHERE o.k = checked.k AND o.other <> checked.other)",
        )
    ),
]


@pytest.fixture
def outcomes(candidate):
    candidate.execute(BAD)
    planned = [
        Expectation("bad", str(number), None, "error", ("stg", "bad"), kind, arguments, "")
        for number, (kind, arguments, _, _) in enumerate(CASES)
    ]
    return candidate, _outcomes(candidate.path, planned)


def test_great_expectations_counts_as_sql_counts(outcomes) -> None:
    candidate, found = outcomes
    seen = [found[number].result[key] for number, (_, _, key, _) in enumerate(CASES)]
    assert seen == [candidate.value(query) for _, _, _, query in CASES]


def test_every_one_of_them_fails(outcomes) -> None:
    _, found = outcomes
    assert [found[number].success for number in range(len(CASES))] == [False] * len(CASES)


def test_no_other_kind_is_in_use() -> None:
    contracts = load_contracts()
    holdings = Holdings(dict.fromkeys(contracts, 1), dict.fromkeys(contracts, (True, False)))
    planned = [
        each for contract in contracts.values() for each in expectations_of(contract, holdings, date(2026, 10, 30))
    ]
    assert {each.kind for each in planned} == {kind for kind, *_ in CASES}
    assert all(isinstance(reference, Reference) for contract in contracts.values() for reference in contract.references)
