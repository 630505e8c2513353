"""Which rows of a table are wanted, said in a way that the database can answer: conditions as SQL with parameters.

Belongs here: the conditions. Does not: running a query or what its rows mean (``warehouse``).
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any


@dataclass(frozen=True)
class Within:
    """Dates after one day, if there is one, up to and with another; of an instant its UTC date counts."""

    after: date | None
    until: date


@dataclass(frozen=True)
class Naming:
    """Texts of some columns, together, that hold any of some words and none of others, in small letters."""

    columns: tuple[str, ...]
    words: tuple[str, ...]
    without: tuple[str, ...] = ()


Wanted = str | bool | tuple[str, ...] | Within | Naming
"""One value, any of several, a span of dates, or a text by its words; NULL is never wanted."""


def condition(only: Mapping[str, Wanted], columns: Collection[str]) -> tuple[str, list[Any]]:
    """Return the condition that all of `only` hold, with its parameters; a column that is absent reads as NULL."""
    if not only:
        return "", []
    parts: list[str] = []
    values: list[Any] = []
    for name, wanted in only.items():
        part, told = _of_names(wanted, columns) if isinstance(wanted, Naming) else _one(quoted(name), wanted)
        known = isinstance(wanted, Naming) or name in columns
        parts.append(part if known else "false")
        values += told if known else []
    return f" WHERE {' AND '.join(parts)}", values


def _of_names(wanted: Naming, columns: Collection[str]) -> tuple[str, list[Any]]:
    names = ", ".join(quoted(name) for name in wanted.columns if name in columns)
    text = f"lower(concat_ws(' ', {names or 'NULL'}))"
    found = [_any_word(wanted.words)]
    if not wanted.without:
        return f"regexp_matches({text}, ?)", found
    return f"regexp_matches({text}, ?) AND NOT regexp_matches({text}, ?)", [*found, _any_word(wanted.without)]


def _any_word(words: tuple[str, ...]) -> str:
    return "|".join(map(re.escape, words))


def _one(name: str, wanted: Wanted) -> tuple[str, list[Any]]:
    match wanted:
        case Within(None, until):
            return f"{name}::DATE <= ?", [until]
        case Within(after, until):
            return f"{name}::DATE > ? AND {name}::DATE <= ?", [after, until]
        case ():
            return "false", []
        case tuple():
            return f"{name} IN (SELECT unnest(?::VARCHAR[]))", [list(wanted)]
        case _:
            return f"{name} = ?", [wanted]


def quoted(name: str) -> str:
    """Return `schema.table` or a column as SQL names it."""
    return ".".join('"' + part.replace('"', '""') + '"' for part in name.split(".", 1))
