"""Redaction at the boundary of the model: what a profile hides never enters it, so no file can show it.

Three things hide a secret. Columns that hold it read as empty, rows of another vendor are left out, and where a hidden
name or an amount of money stands inside a sentence, a mark stands in its place.

Belongs here: which columns, rows and words a profile hides. Does not: which profile an audience has
(``turnup.audiences``).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import duckdb

from turnup.audiences import Hides

COLUMNS: Mapping[Hides, frozenset[str]] = {
    "money": frozenset(
        {
            "unit_cost",
            "unit_price",
            "idle_cost",
            "cost",
            "added",
            "short_value",
            "price",
            "amount",
            "planned_cost",
            "freight_cost",
            "extended_price",
            "insurance",
        }
    ),
    "persons": frozenset(
        {"owner", "decider", "approver", "addressee", "leaf_owner", "set_by", "decided_by", "contact", "email"}
    ),
    "vendors": frozenset({"vendor", "vendors", "provider", "carrier", "vendor_key", "provider_key", "supplier"}),
}
"""Columns of the warehouse by what they hold, in every table."""
MARKS: Mapping[Hides, str] = {"money": "[amount]", "persons": "[person]", "vendors": "[other vendor]"}

_CURRENCIES = "USD|EUR|GBP|CHF|JPY|CNY|SGD|INR|AUD|CAD|SEK|NOK|DKK|PLN|KRW|TWD|HKD|BRL|MXN|AED|SAR|ZAR|US\\$"
_NUMBER = r"\d[\d.,' \u00a0]*\d|\d"
_SCALE = r"(?:\s?(?:k|m|bn|million|thousand|billion)\b)?"
_AMOUNT = re.compile(
    rf"(?:(?:\b(?:{_CURRENCIES})|[$€£¥])\s?(?:{_NUMBER}){_SCALE}|\b(?:{_NUMBER}){_SCALE}\s?(?:(?:{_CURRENCIES})\b|[€£]))",
    re.IGNORECASE,
)
_SHORTEST = 3
_TELLING = ("message", "observed")


@dataclass(frozen=True)
class Hidden:
    """What one reader may not see.

    Attributes:
        kinds: kinds of secret.
        vendor: the vendor who reads, whose own name and rows stay.
        words: hidden names and the mark that stands for each.
    """

    kinds: frozenset[Hides] = frozenset()
    vendor: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    _pattern: re.Pattern[str] | None = None

    def __bool__(self) -> bool:
        """Whether anything is hidden."""
        return bool(self.kinds)

    def rows(self, names: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        """The rows that may be seen, hidden columns emptied or marked, hidden words marked in their sentences.

        With vendors hidden, a row that names a single vendor must name the reader.
        """
        secret = [tuple(kind for kind in sorted(self.kinds) if name in COLUMNS[kind]) for name in names]
        vendor = names.index("vendor") if "vendor" in names and "vendors" in self.kinds else None
        cell = names.index("column_name") if "column_name" in names else None
        given = names.index("given") if "given" in names else None
        for row in rows:
            if vendor is not None and row[vendor] and not _same(str(row[vendor]), self.vendor):
                continue
            found = [self._value(kinds, value) for kinds, value in zip(secret, row, strict=True)]
            if cell is not None and row[cell] in self._columns:
                self._hide_cell(names, row, found)
            if given is not None:
                found[given] = None
            yield tuple(found)

    def _hide_cell(self, names: Sequence[str], row: tuple[Any, ...], found: list[Any]) -> None:
        """Of a row about a cell of a hidden column: what the cell says is the secret."""
        mark, place = "[hidden]", names.index("value") if "value" in names else None
        said = str(row[place] or "") if place is not None else ""
        if place is not None:
            found[place] = mark if said else None
        for number, name in enumerate(names):
            if said and name in _TELLING and found[number]:
                found[number] = str(found[number]).replace(said, mark)

    @cached_property
    def _columns(self) -> frozenset[str]:
        return frozenset().union(*(COLUMNS[kind] for kind in self.kinds))

    def _value(self, kinds: tuple[Hides, ...], value: Any) -> Any:
        """A value of a column that these kinds of secret hide."""
        if value is None:
            return None
        for kind in kinds:
            if not (kind == "vendors" and _same(str(value), self.vendor)):
                return MARKS[kind] if isinstance(value, str) else None
        if not isinstance(value, str):
            return value
        # A warehouse says the same few things in very many rows.
        if (told := self._told.get(value)) is None:
            told = self._told[value] = self.text(value)
        return told

    @cached_property
    def _told(self) -> dict[str, str]:
        return {}

    def text(self, text: str) -> str:
        """A sentence with its hidden names and amounts marked."""
        if self._pattern is not None:
            text = self._pattern.sub(lambda found: self.words[found[0].casefold()], text)
        return _AMOUNT.sub(MARKS["money"], text) if "money" in self.kinds else text


NOTHING = Hidden()


def hidden(connection: duckdb.DuckDBPyConnection, kinds: Iterable[Hides], vendor: str = "") -> Hidden:
    """What kinds of secret mean in one warehouse: the names that stand in its columns of persons and vendors."""
    wanted = frozenset(kinds)
    words = {
        word.casefold(): MARKS[kind]
        for kind in ("vendors", "persons")
        if kind in wanted
        for word in _names(connection, COLUMNS[kind])
        if not (kind == "vendors" and _same(word, vendor))
    }
    by_length = sorted(words, key=lambda word: (-len(word), word))
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, by_length))})(?!\w)", re.IGNORECASE) if words else None
    return Hidden(wanted, vendor, words, pattern)


def _names(connection: duckdb.DuckDBPyConnection, columns: frozenset[str]) -> list[str]:
    """Every name in such columns of any table; one too short to be told from a word is masked in its column only."""
    places = connection.execute(
        "SELECT table_schema, table_name, column_name FROM information_schema.columns "
        "WHERE data_type = 'VARCHAR' AND list_contains(?, column_name) ORDER BY ALL",
        [sorted(columns)],
    ).fetchall()
    selects = [f'SELECT "{column}" AS name FROM "{schema}"."{table}"' for schema, table, column in places]
    if not selects:
        return []
    found = connection.execute(f"SELECT DISTINCT name FROM ({' UNION ALL '.join(selects)}) WHERE name IS NOT NULL")
    parts = {part.strip() for (name,) in found.fetchall() for part in (name, *re.split(r"[,;]|\s\(", name))}
    return sorted(part for part in parts if len(part) >= _SHORTEST)


def _same(one: str, other: str) -> bool:
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()
