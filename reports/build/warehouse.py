"""Reading of the published warehouse: rows with typed access, absent tables as no rows, text sanitised once."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import duckdb

from reports.build.redaction import NOTHING, Hidden
from reports.build.selection import Wanted, condition, quoted
from reports.text import clean
from turnup.audiences import Hides


class Record:
    """One row. Text comes out clean, floats come out as decimals, an absent column reads like NULL."""

    __slots__ = ("_places", "_values")

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._places: Mapping[str, int] = {name: place for place, name in enumerate(values)}
        self._values = tuple(values.values())

    @classmethod
    def placed(cls, places: Mapping[str, int], values: tuple[Any, ...]) -> "Record":
        """Return a row of a table whose columns have these places; all its rows share them."""
        row = cls.__new__(cls)
        row._places, row._values = places, values
        return row

    def _value(self, name: str) -> Any:
        place = self._places.get(name)
        return None if place is None else self._values[place]

    def text(self, name: str) -> str:
        """Return the cleaned text of a column, empty for NULL."""
        place = self._places.get(name)
        return "" if place is None else clean(self._values[place])

    def number(self, name: str) -> Decimal | None:
        """Return a quantity as Decimal; NULL, text and non-finite values read as None."""
        value = self._value(name)
        if type(value) is int:
            return Decimal(value)
        if value is None or isinstance(value, (str, date)):
            return None
        number = value if isinstance(value, Decimal) else Decimal(repr(round(value, 9)))
        return number if number.is_finite() else None

    def amount(self, name: str) -> Decimal:
        """Return a quantity, zero where there is none."""
        return self.number(name) or Decimal(0)

    def whole(self, name: str) -> int | None:
        """Return a count, None for NULL."""
        value = self._value(name)
        if value is None or type(value) is int:
            return value
        number = self.number(name)
        return None if number is None else round(number)

    def count(self, name: str) -> int:
        """Return a count, zero where there is none."""
        return self.whole(name) or 0

    def day(self, name: str) -> date | None:
        """Return a date; of an instant its UTC date."""
        value = self._value(name)
        if isinstance(value, datetime):
            return value.date()
        return value if isinstance(value, date) else None

    def instant(self, name: str) -> datetime | None:
        """Return an instant as stored (UTC, no zone)."""
        value = self._value(name)
        return value.replace(tzinfo=None) if isinstance(value, datetime) else None

    def flag(self, name: str) -> bool:
        """Return true only for a stored true."""
        return self._value(name) is True

    def line(self) -> str:
        """Return the name of a contract line: contract, line and, where given, phase."""
        return "/".join(part for name in ("contract", "line", "phase") if (part := self.text(name)))

    def has(self, name: str) -> bool:
        """Tell whether the column exists and is not NULL."""
        return self._value(name) is not None


Evidence = tuple[int, tuple[Record, ...]]


class Warehouse:
    """Read access to the tables of one published week, as far as a reader may see them."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, hidden: Hidden = NOTHING) -> None:
        self._connection = connection
        self.hidden = hidden
        found = connection.execute("SELECT table_schema, table_name FROM information_schema.tables").fetchall()
        self._tables = {f"{schema}.{name}" for schema, name in found}
        self._delivered: set[str] | None = None
        self._columns: dict[str, tuple[str, ...]] = {}
        self._cache: dict[tuple[object, ...], tuple[Record, ...]] = {}
        self._evidence: dict[tuple[object, ...], dict[tuple[str, str], Evidence]] = {}

    def hides(self, kind: Hides) -> bool:
        """Tell whether the reader may not see a kind of secret, so that its columns are left out of tables."""
        return kind in self.hidden.kinds

    def has(self, table: str) -> bool:
        """Tell whether a table or view exists, e.g. `mart.classes`."""
        return table in self._tables

    def rows(self, table: str, **only: Wanted) -> tuple[Record, ...]:
        """Return the rows of a table in the order of all its columns; an absent table has no rows.

        `only` says what some columns must hold. It is asked of the database, so that a reader of a few rows does not
        pay for a table with a hundred thousand.
        """
        return self._cached(("rows", table, *only.items()), table, lambda: self._select(table, only, "ORDER BY ALL"))

    def narrow(self, table: str, names: tuple[str, ...], **only: Wanted) -> tuple[Record, ...]:
        """Return rows of a table with some of its columns only, in the order of these."""

        def made() -> Iterator[Record]:
            every = self.columns(table)
            known = ", ".join(quoted(name) for name in names if name in every)
            where = condition(only, every)
            return self._records(f"SELECT {known or 'NULL'} FROM {quoted(table)}{where} ORDER BY ALL")

        return self._cached(("narrow", table, names, *only.items()), table, made)

    def first(self, table: str, limit: int, by: tuple[str, ...], **only: Wanted) -> tuple[Record, ...]:
        """Return the first rows of a table in the order of some columns, then of all."""

        def made() -> Iterator[Record]:
            every = self.columns(table)
            ordered = [*(name for name in by if name in every), *(name for name in every if name not in by)]
            order = f"ORDER BY {', '.join(map(quoted, ordered))} LIMIT {int(limit)}"
            return self._select(table, only, order)

        if self.hides("vendors") and "vendor" in self.columns(table):
            raise ValueError(f"{table} has rows that not everybody may see: they cannot be counted before that")
        return self._cached(("first", table, limit, by, *only.items()), table, made)

    def groups(self, table: str, by: tuple[str, ...], sums: tuple[str, ...] = (), **only: Wanted) -> tuple[Record, ...]:
        """Return one row per distinct value of some columns: these, the sums of others, and in `rows` how many."""

        def made() -> Iterator[Record]:
            known = self.columns(table)
            heads = [quoted(name) if name in known else f"NULL AS {quoted(name)}" for name in by]
            heads += [f"sum({quoted(name)}) AS {quoted(name)}" for name in sums if name in known]
            source = f"{quoted(table)}{condition(only, known)}"
            return self._records(f"SELECT {', '.join(heads)}, count(*) AS rows FROM {source} GROUP BY ALL ORDER BY ALL")

        if self.hides("vendors") and "vendor" in self.columns(table):
            raise ValueError(f"{table} has rows that not everybody may see: they cannot be counted before that")
        return self._cached(("groups", table, by, sums, *only.items()), table, made)

    def holds(self, table: str) -> bool:
        """Tell whether a table has any row."""
        return bool(self._cached(("holds", table), table, lambda: self._records(f"FROM {quoted(table)} LIMIT 1")))

    def columns(self, table: str) -> tuple[str, ...]:
        """Return the names of a table's columns, none where it is absent."""
        if table not in self._columns:
            told = self._connection.execute(f"DESCRIBE {quoted(table)}").fetchall() if self.has(table) else []
            self._columns[table] = tuple(name for name, *_ in told)
        return self._columns[table]

    def _cached(self, key: tuple[object, ...], table: str, made: Callable[[], Iterator[Record]]) -> tuple[Record, ...]:
        if key not in self._cache:
            self._cache[key] = tuple(made()) if self.has(table) else ()
        return self._cache[key]

    def evidence(
        self, metric: str, limit: int, *, largest_first: bool = False, of: tuple[str, ...] | None = None
    ) -> dict[tuple[str, str], Evidence]:
        """Return the rows behind a metric per (system key, block key): their number and the first `limit` of them.

        Rows come by value, the worst first, so that a capped list shows what fails. One query serves all systems, or
        those whose keys `of` names.
        """
        table, key = f"evidence.{metric}", (metric, limit, largest_first, of)
        if not self.has(table):
            return {}
        if key not in self._evidence:
            self._evidence[key] = self._ranked(table, limit, largest_first, of)
        return self._evidence[key]

    def _ranked(
        self, table: str, limit: int, largest_first: bool, of: tuple[str, ...] | None
    ) -> dict[tuple[str, str], Evidence]:
        columns = self.columns(table)
        block = "coalesce(block_key::VARCHAR, '')" if "block_key" in columns else "''"
        rest = ", ".join(name for name in ("unit_id", "_ingest", "_row", "note") if name in columns)
        where = condition({} if of is None else {"system_key": of}, columns)
        query = (
            f"SELECT *, {block} AS _block, count(*) OVER (PARTITION BY system_key, _block) AS _total "
            f"FROM {quoted(table)}{where} "
            "QUALIFY row_number() OVER (PARTITION BY system_key, _block "
            f"ORDER BY value {'DESC' if largest_first else 'ASC'} NULLS FIRST, {rest}) <= {int(limit)}"
        )
        found: dict[tuple[str, str], list[Record]] = defaultdict(list)
        for row in self._records(f"FROM ({query}) ORDER BY system_key, _block, value, {rest}"):
            found[row.text("system_key"), row.text("_block")].append(row)
        return {key: (rows[0].count("_total"), tuple(rows)) for key, rows in found.items()}

    def delivered(self, dataset: str) -> bool:
        """Tell whether any file of the dataset is in force for this week."""
        if self._delivered is None:
            sources = {r.text("dataset") for r in self.rows("meta.sources") if r.text("file") or r.count("rows_read")}
            ledger = {r.text("dataset") for r in self.rows("meta.ledger") if r.count("rows_read")}
            self._delivered = sources | ledger
        return dataset in self._delivered

    def _select(self, table: str, only: Mapping[str, Wanted], order: str) -> Iterator[Record]:
        where = condition(only, self.columns(table)) if only else ""
        return self._records(f"FROM {quoted(table)}{where} {order}")

    def _records(self, query: str) -> Iterator[Record]:
        cursor = self._connection.execute(query)
        names = [column[0] for column in cursor.description or []]
        places = {name: place for place, name in enumerate(names)}
        shown = self.hidden.rows(names, cursor.fetchall()) if self.hidden else cursor.fetchall()
        return (Record.placed(places, values) for values in shown)
