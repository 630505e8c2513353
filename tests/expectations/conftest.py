"""Rows of text in, judged rows out: what every test of the row rules needs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import duckdb
import pytest

from expectations.contract import Contract, load_contracts
from expectations.row_rules import TypingRules, typed_select

Row = Mapping[str, str | None]
Judge = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="session")
def contracts() -> dict[str, Contract]:
    return load_contracts()


def key_of(value: str | None) -> str | None:
    if value is None or value.strip().casefold() in {"to be filled by o.e.m.", "n/a", "0123456789"}:
        return None
    return " ".join(value.split()).casefold() or None


@pytest.fixture(scope="session")
def judge(contracts: dict[str, Contract]) -> Judge:
    """judge(dataset, rows, rules) -> one dict per row, in the order of `_row`; rows start at line 2 of file `i1`."""
    con = duckdb.connect()

    def judged(dataset: str, rows: Sequence[Row], rules: TypingRules | None = None) -> list[dict[str, Any]]:
        contract = contracts[dataset]
        columns = [column.name for column in contract.columns]
        carried = {"_ingest": "VARCHAR", "_row": "BIGINT", "_sheet": "VARCHAR", "_given": "VARCHAR"}
        fields = {name: "VARCHAR" for name in [*columns, *(f"{name}_key" for name in contract.ids)]} | carried
        declared = ', '.join(f'"{name}" {kind}' for name, kind in fields.items())
        con.execute(f"CREATE OR REPLACE TABLE raw ({declared})")
        records = []
        for number, row in enumerate(rows):
            full = dict.fromkeys(fields) | {"_ingest": "i1", "_row": str(number + 2), "_given": "{}"} | dict(row)
            full |= {f"{name}_key": key_of(full[name]) for name in contract.ids}
            records.append([full[name] for name in fields])
        if records:
            con.executemany(f"INSERT INTO raw VALUES ({', '.join('?' * len(fields))})", records)
        query = typed_select(contract, "raw", rules or TypingRules())
        result = con.sql(f"SELECT * FROM ({query}) ORDER BY _ingest, _sheet NULLS FIRST, _row")
        return [dict(zip(result.columns, values, strict=True)) for values in result.fetchall()]

    return judged
