"""What tables hold, as hashes: two tables with the same rows, in whatever order, have the same.

Belongs here: hashes of tables and views, and which tables a query names. Does not: what follows from equal hashes
(``turnup.warehouse.steps``).
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from turnup.warehouse.connection import identifier

if TYPE_CHECKING:
    from collections.abc import Iterable

    import duckdb

_SCHEMAS = "stg|meta|core|acceptance|mart|hist|issued|evidence"
_NAMED = re.compile(rf'\b({_SCHEMAS})\s*\.\s*"?(\w+)"?')
_WRITTEN = re.compile(
    r"\b(?:CREATE\s+(?:OR\s+REPLACE\s+)?(?:TABLE|VIEW)(?:\s+IF\s+NOT\s+EXISTS)?|INSERT\s+INTO|ALTER\s+TABLE|UPDATE"
    rf'|DELETE\s+FROM|DROP\s+TABLE(?:\s+IF\s+EXISTS)?)\s+"?({_SCHEMAS})"?\s*\.\s*"?(\w+)"?',
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_STAR = re.compile(
    r"(?:\bSELECT|\bDISTINCT|\bALL|,|\.)\s*\*|\bON\s*\([^)]*\)\s*\*|\bCOLUMNS\s*\(|(?:^|[(;]|\bAS\b|\bALL\b)\s*FROM\b",
    re.IGNORECASE,
)
_SETTINGS = frozenset({"core.settings", "meta.week"})
"""Of these a model reads the columns that it names, and no others (a test holds every model to it)."""
_PLACES = frozenset({"_ingest", "_row", "_sheet"})
"""Where a row stands in its file: when a file is delivered anew, these change in all of its rows."""
ABSENT = "absent"


@dataclass(frozen=True)
class Contents:
    """Hashes of a table: of whole rows, of rows without their places, and of each column where there is one row."""

    whole: str
    placeless: str
    columns: dict[str, str] = field(default_factory=dict)

    def part(self, columns: str) -> str:
        """Hash of what a reader sees: of all (empty), of all but places (``-``), of the one row's columns named."""
        if columns in ("", "-"):
            return self.placeless if columns else self.whole
        return _hashed(*(self.columns.get(name, ABSENT) for name in columns.split(","))) if self.columns else self.whole


def named(query: str) -> set[str]:
    """Tables and views with a schema that a query names; perhaps too many, never too few."""
    return {f"{schema}.{name}" for schema, name in _NAMED.findall(query)}


def written(query: str) -> set[str]:
    """Tables and views with a schema that a statement makes or changes."""
    return {f"{schema}.{name}" for schema, name in _WRITTEN.findall(query)}


def words_of(query: str) -> frozenset[str]:
    """The words of a query."""
    return frozenset(_WORD.findall(query))


def contents_of(con: duckdb.DuckDBPyConnection, table: str) -> Contents:
    """Hash a table; the order of its rows does not count."""
    relation = con.sql(f"FROM {_quoted(table)}")
    typed = [f"{name} {kind}" for name, kind in zip(relation.columns, relation.types, strict=True)]
    names = [identifier(name) for name in relation.columns]
    kept = [identifier(name) for name in relation.columns if name not in _PLACES] or names
    query = f"SELECT count(*), sum(hash({', '.join(names)})), sum(hash({', '.join(kept)})) FROM {_quoted(table)}"
    rows, whole, placeless = con.sql(query).fetchall()[0]
    columns = {}
    if rows == 1:
        hashes = con.sql(f"SELECT {', '.join(f'hash({name})' for name in names)} FROM {_quoted(table)}").fetchall()[0]
        columns = {name: _hashed(*of_it) for name, *of_it in zip(relation.columns, typed, hashes, strict=True)}
    return Contents(_hashed(*typed, rows, whole), _hashed(*typed, rows, placeless, "-"), columns)


class Holdings:
    """The contents of the tables and views of a database, each looked at once."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        """Look into a database."""
        self._con = con
        self._known: dict[str, Contents] = {}
        self._names: set[str] | None = None
        self._views: dict[str, str] = {}

    def know(self, table: str, contents: Contents) -> None:
        """Take the contents of a table as known."""
        self._known[table] = contents

    def forget(self, tables: Iterable[str], *, only_tables: bool) -> None:
        """Look again at what was made again; where views were made or anything dropped, at which there are."""
        if self._names is None or not only_tables:
            self._names = None
        else:
            self._names.update(tables)
        for table in tables:
            self._known.pop(table, None)

    def of(self, table: str) -> Contents | None:
        """The contents of a table; None where there is none of this name."""
        self._look()
        if table in self._views or table not in (self._names or ()):
            return None
        if table not in self._known:
            self._known[table] = contents_of(self._con, table)
        return self._known[table]

    def is_view(self, table: str) -> bool:
        """Whether a name is that of a view."""
        self._look()
        return table in self._views

    def told(self, read: str) -> str:
        """Hash of what a reader saw: a name, and after a space the columns that it read where it did not read all."""
        table, _, columns = read.partition(" ")
        if self.is_view(table):
            query = self._views[table]
            return _hashed(query, *(self.told(each) for each in sorted(self.reads(query, table))))
        found = self.of(table)
        return ABSENT if found is None else found.part(columns)

    def reads(self, query: str, *own: str) -> set[str]:
        """What a query reads but its own tables, as ``told`` takes it; views of this connection are known by name."""
        self._look()
        words = words_of(query)
        tables = (named(query) | (words & self._views.keys())) - set(own)
        star = _STAR.search(query) is not None
        return {f"{table} {self._columns(table, words, star=star)}".strip() for table in tables}

    def _columns(self, table: str, words: frozenset[str], *, star: bool) -> str:
        found = None if self.is_view(table) else self.of(table)
        if found is None:
            return ""
        if found.columns and (table in _SETTINGS or not star):
            return ",".join(sorted(words & found.columns.keys()))
        return "" if star or words & _PLACES else "-"

    def _look(self) -> None:
        if self._names is None:
            tables = self._con.sql("SELECT schema_name || '.' || table_name FROM duckdb_tables()").fetchall()
            views = self._con.sql(
                "SELECT CASE WHEN temporary THEN '' ELSE schema_name || '.' END || view_name, sql FROM duckdb_views()"
                " WHERE NOT internal"
            ).fetchall()
            self._names, self._views = {name for (name,) in tables}, dict(views)


def _quoted(table: str) -> str:
    return ".".join(map(identifier, table.split(".")))


def _hashed(*values: object) -> str:
    return hashlib.sha256("\0".join(map(str, values)).encode()).hexdigest()[:24]
