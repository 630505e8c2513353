"""Rows of text in, judged rows out: what every test of the row rules needs."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest

from expectations.contract import Contract, load_contracts
from expectations.judging import judge as judge_rows
from expectations.typing_rules import TypingRules
from expectations.value_sql import BLANKS

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
    """judge(dataset, rows, rules) -> one dict per row, in the order of `_row`; rows start at line 2 of file `i1`.

    `judge.remarks` has what was remarked on the files; absent columns are those that no row gives.
    """
    con = duckdb.connect()

    def judged(dataset: str, rows: Sequence[Row], rules: TypingRules | None = None) -> list[dict[str, Any]]:
        contract = contracts[dataset]
        columns = [column.name for column in contract.columns]
        carried = {"_n": "BIGINT", "_ingest": "VARCHAR", "_row": "BIGINT", "_sheet": "VARCHAR", "_given": "VARCHAR"}
        fields = dict.fromkeys([*columns, *(f"{name}_key" for name in contract.ids)], "VARCHAR") | carried
        declared = ", ".join(f'"{name}" {kind}' for name, kind in fields.items())
        con.execute(f"CREATE OR REPLACE TABLE raw ({declared})")
        records = []
        for number, row in enumerate(rows):
            full = (
                dict.fromkeys(fields)
                | {"_n": str(number), "_ingest": "i1", "_row": str(number + 2), "_given": "{}"}
                | dict(row)
            )
            full |= {name: (full[name] or "").strip(BLANKS) or None for name in columns}
            full |= {f"{name}_key": key_of(full[name]) for name in contract.ids}
            records.append([full[name] for name in fields])
        if records:
            con.executemany(f"INSERT INTO raw VALUES ({', '.join('?' * len(fields))})", records)
        found = judge_rows(con, contract, "raw", rules or TypingRules())
        judged.remarks = list(found.remarks)
        failures = f"""SELECT _n, list(struct_pack(rule := rule, "column" := column_name, "value" := value,
            expected := expected, message := message) ORDER BY place) AS _failures
            FROM (SELECT *, row_number() OVER () AS place FROM {found.refused}) GROUP BY ALL"""
        result = con.sql(f"""SELECT j.* EXCLUDE (_failures), coalesce(f._failures, []) AS _failures
            FROM {found.rows} AS j LEFT JOIN ({failures}) AS f USING (_n)
            ORDER BY _ingest, _sheet NULLS FIRST, _row""")
        return [dict(zip(result.columns, values, strict=True)) for values in result.fetchall()]

    judged.remarks = []
    return judged


class Candidate:
    """A closed candidate file made of typed rows that no row rule has seen, so that anything can be wrong in it."""

    def __init__(self, path: Path, contracts: Mapping[str, Contract]) -> None:
        self.path, self.contracts = path, contracts
        statements = [
            "CREATE SCHEMA stg; CREATE SCHEMA meta;"
            "CREATE TABLE meta.ingests (_ingest VARCHAR, file VARCHAR);"
            "CREATE TABLE meta.sources (source VARCHAR, dataset VARCHAR, required BOOLEAN, max_age_days DOUBLE,"
            " received_at TIMESTAMP, age_days DOUBLE, state VARCHAR);"
            "CREATE TABLE meta.ledger (source VARCHAR, dataset VARCHAR, rows_read BIGINT,"
            " open BIGINT DEFAULT 0, corrects VARCHAR DEFAULT '', in_force BOOLEAN);"
        ]
        for contract in contracts.values():
            columns = {c.name: c.sql_type for c in contract.columns} | {f"{n}_key": "VARCHAR" for n in contract.ids}
            columns |= {"_ingest": "VARCHAR", "_row": "BIGINT", "_sheet": "VARCHAR"}
            declared = ", ".join(f'"{name}" {kind}' for name, kind in columns.items())
            statements.append(f"CREATE TABLE stg.{contract.name} ({declared});")
        self.execute("".join(statements))

    def execute(self, statement: str, values: Sequence[Any] = ()) -> None:
        with closing(duckdb.connect(self.path)) as con:
            con.execute(statement, values) if values else con.execute(statement)

    def value(self, query: str) -> Any:
        with closing(duckdb.connect(self.path, read_only=True)) as con:
            return con.sql(query).fetchall()[0][0]

    def add(self, dataset: str, *rows: Mapping[str, Any]) -> None:
        """Add rows as file `<dataset>.csv`, lines from 2 on; keys are made."""
        with closing(duckdb.connect(self.path)) as con:
            con.execute("INSERT INTO meta.ingests VALUES (?, ?)", [dataset, f"{dataset}.csv"])
            for number, row in enumerate(rows):
                full = dict(row) | {f"{n}_key": key_of(row.get(n)) for n in self.contracts[dataset].ids}
                full |= {"_ingest": dataset, "_row": number + 2}
                names, marks = ", ".join(f'"{name}"' for name in full), ", ".join("?" * len(full))
                con.execute(f"INSERT INTO stg.{dataset} ({names}) VALUES ({marks})", list(full.values()))


@pytest.fixture
def candidate(tmp_path: Path, contracts: dict[str, Contract]) -> Candidate:
    return Candidate(tmp_path / "candidate of week 44.duckdb", contracts)
