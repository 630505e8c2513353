"""A programme of a few typed rows, laid directly into the staged tables: what a test says is all there is."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from expectations.contract import SQL_TYPES, load_contracts
from expectations.row_rules import NOTES
from tests.readiness.on_demand import build_on_demand
from turnup.acceptance.judge import MODELS as JUDGING
from turnup.acceptance.judge import write_expectations
from turnup.programme import Programme
from turnup.readiness.build import _MODELS, build
from turnup.readiness.history import write_history_views
from turnup.readiness.kinds import write_kinds
from turnup.readiness.playbook import LeadTime, Playbook, load_playbooks
from turnup.readiness.registry import write_definitions
from turnup.readiness.settings import write_playbooks, write_settings
from turnup.warehouse.models import Model, in_order, read_model
from turnup.warehouse.told import TOLD, told

AS_OF = date(2026, 10, 30)
CUT_OFF = datetime(2026, 10, 30, 23, 0)  # Friday 18:00 in Chicago, kept in UTC without a zone
WEEK = "2026-W44"
PLAYBOOKS = Path(__file__).resolve().parents[2] / "playbooks"

Row = dict[str, Any]
Datasets = dict[str, list[Row]]
Deliveries = list[tuple[date, list[Row]]]
Earlier = dict[str, Deliveries]
"""Per dataset the deliveries before the one in force, oldest first, each with its day."""


@cache
def playbooks() -> tuple[Playbook, ...]:
    """Return the playbooks of the repository."""
    return tuple(load_playbooks(PLAYBOOKS))


def programme(**changes: Any) -> Programme:
    """Return a programme without sources; changes replace its settings."""
    return Programme.model_validate({"name": "Tiny", "time_zone": "America/Chicago", **changes})


def staged(
    datasets: Datasets, history: Datasets | None = None, as_of: date = AS_OF, earlier: Earlier | None = None
) -> duckdb.DuckDBPyConnection:
    """Return a database with stg (every dataset of the contracts), meta and hist as a refresh would leave them.

    The delivery in force came an hour before the cut-off.
    """
    con = duckdb.connect(config={"threads": "1"})
    con.execute("SET TimeZone = 'UTC'; CREATE SCHEMA stg; CREATE SCHEMA meta; CREATE SCHEMA hist; CREATE SCHEMA issued")
    _write_meta(con, as_of)
    for name in load_contracts():
        _write_dataset(con, name, datasets.get(name, []))
        if name in TOLD:
            _write_told(con, name, (earlier or {}).get(name, []), datasets.get(name, []), as_of)
    con.execute(
        "CREATE TABLE stg.bom_before AS SELECT *, NULL::VARCHAR AS _source, NULL::TIMESTAMP AS _replaced_at"
        " FROM stg.bom WHERE false"
    )
    for table, rows in (history or {}).items():
        _write_history(con, table if "." in table else f"hist.{table}", rows)
    return con


def timed(lead: tuple[float, float, float] | None, gate: str = "schedulable") -> tuple[Playbook, ...]:
    """Return the playbooks with work in one gate only: so many working days, or nobody knows how many."""
    none = LeadTime(optimistic=0, likely=0, pessimistic=0)
    own = None if lead is None else LeadTime(**dict(zip(("optimistic", "likely", "pessimistic"), lead, strict=True)))
    return tuple(
        book.model_copy(
            update={
                "gates": tuple(
                    one.model_copy(update={"lead_time": own if one.id == gate else none, "pool": "none"})
                    for one in book.gates
                )
            }
        )
        for book in playbooks()
    )


def built(
    datasets: Datasets,
    history: Datasets | None = None,
    as_of: date = AS_OF,
    earlier: Earlier | None = None,
    books: tuple[Playbook, ...] | None = None,
    **changes: Any,
) -> duckdb.DuckDBPyConnection:
    """Return the database after ``build``, which makes each table when a test asks for it (see ``on_demand``)."""
    con = staged(datasets, history, as_of, earlier)
    return build_on_demand(con, programme(**changes), books or playbooks(), as_of)


def whole(datasets: Datasets, **changes: Any) -> duckdb.DuckDBPyConnection:
    """Return the database after ``build`` with every table made and every sum checked."""
    con = staged(datasets)
    build(con, programme(**changes), playbooks(), AS_OF)
    return con


def modelled(
    datasets: Datasets, *tables: str, as_of: date = AS_OF, earlier: Earlier | None = None, **changes: Any
) -> duckdb.DuckDBPyConnection:
    """Return the database with these tables and those they are made of, in much less time than ``built``."""
    con = staged(datasets, None, as_of, earlier)
    con.execute("CREATE SCHEMA IF NOT EXISTS core; CREATE SCHEMA IF NOT EXISTS mart")
    settings = programme(**changes)
    write_settings(con, settings, as_of)
    write_history_views(con)
    write_expectations(con, settings.acceptance, as_of)
    write_kinds(con)
    write_playbooks(con, playbooks())
    write_definitions(con)
    write_history_views(con)
    for model in _needed(tables):
        con.execute(f"CREATE OR REPLACE TABLE {model.table} AS {model.sql}")
    return con


@cache
def _needed(tables: tuple[str, ...]) -> tuple[Model, ...]:
    folders = (*(_MODELS / name for name in ("core", "gates", "network", "mart")), JUDGING)
    known = {model.table: model for folder in folders for model in map(read_model, sorted(folder.glob("*.sql")))}
    wanted, queue = set(), list(tables)
    while queue:
        table = queue.pop()
        if table in known and table not in wanted:
            wanted.add(table)
            queue += known[table].needs
    return tuple(in_order([known[table] for table in sorted(wanted)]))


def rows(con: duckdb.DuckDBPyConnection, sql: str) -> list[Row]:
    """Return the rows of a query as dictionaries."""
    relation = con.sql(sql)
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def _write_meta(con: duckdb.DuckDBPyConnection, as_of: date) -> None:
    year, week, _ = as_of.isocalendar()
    before = (as_of - timedelta(days=7)).isocalendar()
    cut_off = datetime.combine(as_of, CUT_OFF.time())
    con.execute(
        "CREATE TABLE meta.week AS SELECT $1 AS week, $2::TIMESTAMP AS window_start, $3::TIMESTAMP AS cut_off,"
        " $4::DATE AS as_of, 'America/Chicago' AS time_zone, 'Tiny' AS programme, $5 AS previous_week,"
        " 'closed' AS state, 1 AS ordinal",
        [f"{year}-W{week:02d}", cut_off - timedelta(days=7), cut_off, as_of, f"{before.year}-W{before.week:02d}"],
    )
    con.execute(
        "CREATE TABLE meta.ingests (_ingest VARCHAR, file VARCHAR, sha256 VARCHAR, source VARCHAR, dataset VARCHAR,"
        " owner VARCHAR, exported_at TIMESTAMP, received_at TIMESTAMP, mode VARCHAR)"
    )
    con.execute(
        "CREATE TABLE meta.sources (source VARCHAR, dataset VARCHAR, owner VARCHAR, required BOOLEAN,"
        " max_age_days DOUBLE, file VARCHAR, age_days DOUBLE, state VARCHAR)"
    )
    con.execute(
        "CREATE TABLE meta.ledger (source VARCHAR, dataset VARCHAR, file VARCHAR, rows_read BIGINT, accepted BIGINT,"
        " quarantined BIGINT, in_force BOOLEAN, open BIGINT, corrects VARCHAR)"
    )
    con.execute(
        "CREATE TABLE meta.quarantine (dataset VARCHAR, file VARCHAR, sheet VARCHAR, row BIGINT, column_name VARCHAR,"
        " message VARCHAR, given VARCHAR, in_force BOOLEAN)"
    )


def _write_dataset(con: duckdb.DuckDBPyConnection, name: str, given: list[Row]) -> None:
    con.execute(
        "INSERT INTO meta.ingests VALUES ($1, $2, NULL, $3, $3, 'owner', NULL, NULL, 'snapshot')",
        [f"i-{name}", f"{name}.csv", name],
    )
    _create(con, f"stg.{name}", name, "")
    for number, row in enumerate(given, start=2):
        _insert(con, f"stg.{name}", name, {"_ingest": f"i-{name}", "_row": number, **row})


def _write_told(con: duckdb.DuckDBPyConnection, name: str, before: Deliveries, now: list[Row], as_of: date) -> None:
    """Lay what each delivery said into ``stg.<name>_told`` as a refresh does; the last one is in force."""
    _create(con, "said", name, ", _source VARCHAR, _no BIGINT")
    con.execute("CREATE TABLE arrivals (_source VARCHAR, _no BIGINT, _mode VARCHAR, told_at TIMESTAMP, told_on DATE)")
    for number, (day, given) in enumerate([*before, (as_of, now)], start=1):
        moment = datetime.combine(day, CUT_OFF.time()) - timedelta(hours=1)
        con.execute("INSERT INTO arrivals VALUES ('source', $1, 'snapshot', $2, $3)", [number, moment, day])
        for place, row in enumerate(given, start=2):
            whole = {"_ingest": f"i-{name}", "_row": place, **row, "_source": "source", "_no": number}
            _insert(con, "said", name, whole)
    contract = load_contracts()[name]
    key = ", ".join(f"{column}_key" for column in contract.key)
    once = f"SELECT * FROM said QUALIFY row_number() OVER (PARTITION BY _no, {key} ORDER BY _ingest, _row) = 1"
    con.execute(
        f"CREATE TABLE stg.{name}_told AS {told(contract, 'arrivals', once)}; DROP TABLE said; DROP TABLE arrivals"
    )


def _create(con: duckdb.DuckDBPyConnection, table: str, dataset: str, more: str) -> None:
    contract = load_contracts()[dataset]
    columns = ", ".join(f'"{column.name}" {SQL_TYPES[column.type]}' for column in contract.columns)
    columns += (
        "".join(f', "{key}_key" VARCHAR' for key in contract.ids) + ", _ingest VARCHAR, _row BIGINT, _sheet VARCHAR"
    )
    columns += "".join(f", {note} {kind}" for note, kind in NOTES.items())
    con.execute(f"CREATE TABLE {table} ({columns}{more})")


def _insert(con: duckdb.DuckDBPyConnection, table: str, dataset: str, whole: Row) -> None:
    contract = load_contracts()[dataset]
    known = {column.name for column in contract.columns} | {"_row", "_ingest", "_source", "_no", *NOTES}
    unknown = whole.keys() - known
    assert not unknown, f"{dataset} has no column {unknown}"
    whole |= {f"{key}_key": str(whole[key]).strip().casefold() for key in contract.ids if whole.get(key) is not None}
    names = ", ".join(f'"{column}"' for column in whole)
    marks = ", ".join(f"${place}" for place in range(1, len(whole) + 1))
    con.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(whole.values()))


def _write_history(con: duckdb.DuckDBPyConnection, table: str, given: list[Row]) -> None:
    names = sorted({name for row in given for name in row})
    for number, row in enumerate(given):
        values = ", ".join(f"${place} AS {name}" for place, name in enumerate(names, start=1))
        verb = f"CREATE TABLE {table} AS" if number == 0 else f"INSERT INTO {table}"
        con.execute(f"{verb} SELECT {values}", [row.get(name) for name in names])
