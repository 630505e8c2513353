"""Reading of the published warehouse: rows with typed access, absent tables as no rows, text sanitised once."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import duckdb

from reports.build.redaction import NOTHING, Hidden
from reports.text import clean
from turnup.audiences import Hides


class Record:
    """One row. Text comes out clean, floats come out as decimals, an absent column reads like NULL."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def text(self, name: str) -> str:
        """Return the cleaned text of a column, empty for NULL."""
        return clean(self._values.get(name))

    def number(self, name: str) -> Decimal | None:
        """Return a quantity as Decimal; NULL, text and non-finite values read as None."""
        value = self._values.get(name)
        if value is None or isinstance(value, (str, date)):
            return None
        number = value if isinstance(value, Decimal) else Decimal(repr(round(value, 9)))
        return number if number.is_finite() else None

    def amount(self, name: str) -> Decimal:
        """Return a quantity, zero where there is none."""
        return self.number(name) or Decimal(0)

    def whole(self, name: str) -> int | None:
        """Return a count, None for NULL."""
        number = self.number(name)
        return None if number is None else round(number)

    def count(self, name: str) -> int:
        """Return a count, zero where there is none."""
        return self.whole(name) or 0

    def day(self, name: str) -> date | None:
        """Return a date; of an instant its UTC date."""
        value = self._values.get(name)
        if isinstance(value, datetime):
            return value.date()
        return value if isinstance(value, date) else None

    def instant(self, name: str) -> datetime | None:
        """Return an instant as stored (UTC, no zone)."""
        value = self._values.get(name)
        return value.replace(tzinfo=None) if isinstance(value, datetime) else None

    def flag(self, name: str) -> bool:
        """Return true only for a stored true."""
        return self._values.get(name) is True

    def line(self) -> str:
        """Return the name of a contract line: contract, line and, where given, phase."""
        return "/".join(part for name in ("contract", "line", "phase") if (part := self.text(name)))

    def has(self, name: str) -> bool:
        """Tell whether the column exists and is not NULL."""
        return self._values.get(name) is not None


Evidence = tuple[int, tuple[Record, ...]]


class Warehouse:
    """Read access to the tables of one published week, as far as a reader may see them."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, hidden: Hidden = NOTHING) -> None:
        self._connection = connection
        self.hidden = hidden
        found = connection.execute("SELECT table_schema, table_name FROM information_schema.tables").fetchall()
        self._tables = {f"{schema}.{name}" for schema, name in found}
        self._delivered: set[str] | None = None
        self._cache: dict[str, tuple[Record, ...]] = {}
        self._evidence: dict[tuple[str, int, bool], dict[tuple[str, str], Evidence]] = {}

    def hides(self, kind: Hides) -> bool:
        """Tell whether the reader may not see a kind of secret, so that its columns are left out of tables."""
        return kind in self.hidden.kinds

    def has(self, table: str) -> bool:
        """Tell whether a table or view exists, e.g. `mart.classes`."""
        return table in self._tables

    def rows(self, table: str) -> tuple[Record, ...]:
        """Return all rows of a table in the order of all its columns; an absent table has no rows."""
        if table not in self._cache:
            self._cache[table] = tuple(self._select(table)) if self.has(table) else ()
        return self._cache[table]

    def evidence(self, metric: str, limit: int, *, largest_first: bool = False) -> dict[tuple[str, str], Evidence]:
        """Return the rows behind a metric per (system key, block key): their number and the first `limit` of them.

        Rows come by value, the worst first, so that a capped list shows what fails. One query serves all systems.
        """
        table, key = f"evidence.{metric}", (metric, limit, largest_first)
        if not self.has(table):
            return {}
        if key not in self._evidence:
            self._evidence[key] = self._ranked(table, limit, largest_first=largest_first)
        return self._evidence[key]

    def _ranked(self, table: str, limit: int, *, largest_first: bool) -> dict[tuple[str, str], Evidence]:
        columns = {r[0] for r in self._connection.execute(f"DESCRIBE {_quoted(table)}").fetchall()}
        block = "coalesce(block_key, '')" if "block_key" in columns else "''"
        rest = ", ".join(name for name in ("unit_id", "_ingest", "_row", "note") if name in columns)
        query = (
            f"SELECT *, {block} AS _block, count(*) OVER (PARTITION BY system_key, _block) AS _total "
            f"FROM {_quoted(table)} "
            "QUALIFY row_number() OVER (PARTITION BY system_key, _block "
            f"ORDER BY value {'DESC' if largest_first else 'ASC'} NULLS FIRST, {rest}) <= {int(limit)}"
        )
        found: dict[tuple[str, str], list[Record]] = defaultdict(list)
        for row in self._records(f"FROM ({query}) ORDER BY system_key, _block, value, {rest}", []):
            found[row.text("system_key"), row.text("_block")].append(row)
        return {key: (rows[0].count("_total"), tuple(rows)) for key, rows in found.items()}

    def delivered(self, dataset: str) -> bool:
        """Tell whether any file of the dataset is in force for this week."""
        if self._delivered is None:
            sources = {r.text("dataset") for r in self.rows("meta.sources") if r.text("file") or r.count("rows_read")}
            ledger = {r.text("dataset") for r in self.rows("meta.ledger") if r.count("rows_read")}
            self._delivered = sources | ledger
        return dataset in self._delivered

    def _select(self, table: str) -> Iterator[Record]:
        return self._records(f"FROM {_quoted(table)} ORDER BY ALL", [])

    def _records(self, query: str, parameters: list[str]) -> Iterator[Record]:
        cursor = self._connection.execute(query, parameters)
        names = [column[0] for column in cursor.description or []]
        rows = (dict(zip(names, values, strict=True)) for values in cursor.fetchall())
        if not self.hidden:
            return (Record(row) for row in rows)
        return (Record(self.hidden.values(row)) for row in rows if self.hidden.keeps(row))


def _quoted(table: str) -> str:
    schema, name = table.split(".", 1)
    return ".".join('"' + part.replace('"', '""') + '"' for part in (schema, name))
