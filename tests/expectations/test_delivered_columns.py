"""Saying which columns were delivered changes how much the query does, and nothing in its result."""

import duckdb
import pytest

from expectations.contract import Contract, load_contracts
from expectations.judging import judge
from expectations.typing_rules import TypingRules


@pytest.mark.parametrize("contract", load_contracts().values(), ids=lambda contract: contract.name)
def test_columns_that_were_not_delivered_cost_nothing_and_change_nothing(contract: Contract) -> None:
    delivered = [column for column in contract.columns if column.required]
    texts = [f"'{column.example}' AS \"{column.name}\"" for column in delivered]
    texts += [f'NULL::VARCHAR AS "{column.name}"' for column in contract.columns if not column.required]
    keys = [f'lower("{name}") AS "{name}_key"' for name in contract.ids]
    rows = f"(SELECT *, {', '.join(keys)} FROM (SELECT {', '.join(texts)}, 'i' AS _ingest, unnest([2, 3]) AS _row,"
    rows += " _row AS _n, NULL::VARCHAR AS _sheet, '{}' AS _given))"
    with duckdb.connect() as con:
        whole = judge(con, contract, rows, TypingRules(), None, "whole")
        part = judge(con, contract, rows, TypingRules(), [column.name for column in delivered], "part")
        one, other = (con.sql(f"SELECT * FROM {each.rows} ORDER BY _row") for each in (whole, part))
        assert (one.columns, one.types, one.fetchall()) == (other.columns, other.types, other.fetchall())
