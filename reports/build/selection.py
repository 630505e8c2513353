"""Which rows of a table are wanted, said in a way that the database can answer: conditions as SQL.

Values stand in the SQL as literals: the first parameter of a process makes the driver load data-frame libraries, which
takes longer than reading a week. Belongs here: the conditions. Does not: running a query or what its rows mean.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date


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


def condition(only: Mapping[str, Wanted], columns: Collection[str]) -> str:
    """Return ` WHERE …` that all of `only` hold, empty where nothing is asked; an absent column is NULL."""
    parts = [
        _naming(wanted, columns)
        if isinstance(wanted, Naming)
        else _one(quoted(name), wanted)
        if name in columns
        else "false"
        for name, wanted in only.items()
    ]
    return f" WHERE {' AND '.join(parts)}" if parts else ""


def _one(name: str, wanted: str | bool | tuple[str, ...] | Within) -> str:
    """One condition. A column without any value may be of any type, so all are compared as text or as a day."""
    text = f"{name}::VARCHAR"
    day = f"TRY_CAST(left({text}, 10) AS DATE)"
    match wanted:
        case Within(None, until):
            return f"{day} <= DATE '{until}'"
        case Within(after, until):
            return f"{day} > DATE '{after}' AND {day} <= DATE '{until}'"
        case ():
            return "false"
        case tuple():
            return f"{text} IN ({', '.join(map(literal, wanted))})"
        case bool():
            return f"{text} = '{'true' if wanted else 'false'}'"
        case _:
            return f"{text} = {literal(wanted)}"


def _naming(wanted: Naming, columns: Collection[str]) -> str:
    names = ", ".join(quoted(name) for name in wanted.columns if name in columns)
    text = f"lower(concat_ws(' ', {names or 'NULL'}))"
    found = f"regexp_matches({text}, {_any_word(wanted.words)})"
    return f"{found} AND NOT regexp_matches({text}, {_any_word(wanted.without)})" if wanted.without else found


def _any_word(words: tuple[str, ...]) -> str:
    return literal("|".join(map(re.escape, words)))


def literal(text: str) -> str:
    """Return a text as SQL writes it, whatever characters it has; a parser would stop at the character 0."""
    return "'" + text.replace("'", "''").replace("\0", "' || chr(0) || '") + "'"


def quoted(name: str) -> str:
    """Return `schema.table` or a column as SQL names it."""
    return ".".join('"' + part.replace('"', '""') + '"' for part in name.split(".", 1))
