"""Redaction at the boundary of the model: what a profile hides never enters it, so no file can show it.

Three things hide a secret. Columns that hold it read as empty, rows of another vendor are left out, and where a hidden
name or an amount of money stands inside a sentence, a mark stands in its place.

Belongs here: which columns, rows and words a profile hides. Does not: which profile an audience has
(``turnup.audiences``).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
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

    def keeps(self, row: Mapping[str, Any]) -> bool:
        """Whether a row may be seen: with vendors hidden, one that names a single vendor must name the reader."""
        named = row.get("vendor") if "vendors" in self.kinds else None
        return not named or _same(str(named), self.vendor)

    def values(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The row with hidden columns emptied or marked, and hidden words marked in its sentences."""
        found = {name: self._value(name, value) for name, value in row.items()}
        if row.get("column_name") in self._columns():
            # A row about a cell of a hidden column: what the cell says is the secret.
            mark, said = "[hidden]", str(row.get("value") or "")
            found["value"] = mark if said else None
            found |= {name: str(found[name]).replace(said, mark) for name in _TELLING if said and found.get(name)}
        return found | {"given": None} if "given" in found else found

    def _columns(self) -> frozenset[str]:
        return frozenset().union(*(COLUMNS[kind] for kind in self.kinds))

    def _value(self, name: str, value: Any) -> Any:
        if value is None:
            return None
        for kind in self.kinds:
            if name in COLUMNS[kind] and not (kind == "vendors" and _same(str(value), self.vendor)):
                return MARKS[kind] if isinstance(value, str) else None
        return self.text(value) if isinstance(value, str) else value

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
