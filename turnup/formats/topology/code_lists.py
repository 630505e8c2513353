"""Lists of codes (UN/LOCODE subdivisions and locations): reference data is versioned, and checked like any other.

What is checked: rows that stand twice, keys with two meanings, values that do not look like their column, letters
lost in a conversion. NA is Namibia, a code such as 02 keeps its zero: everything stays text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from turnup.formats.model import Fact, Finding, RawTable, Severity
from turnup.formats.profiles import Profile

_LISTED = 20
_LOST = re.compile(r"\ufffd|(?<=[^\W\d_])\?|\?(?=[^\W\d_])")
LOST_SHARE = 0.01
"""From this share of names with lost letters on, a list is an error: a release went through a wrong encoding."""


@dataclass(frozen=True)
class Checks:
    """How the columns of one list must look.

    Attributes:
        key: columns that name one row.
        name: the column of the name.
        patterns: what the values of a column look like; empty values are allowed.
    """

    key: tuple[str, ...]
    name: str
    patterns: dict[str, str]

    def __call__(self, table: RawTable) -> RawTable:
        """Add the figures and findings of a list."""
        facts = (*table.facts, *self._facts(table))
        return replace(table, facts=facts, findings=(*table.findings, *self._findings(table)))

    def _rows(self, table: RawTable) -> list[tuple[int, dict[str, str]]]:
        names = [name for name in table.frame.columns if not name.startswith("_")]
        return [
            (row["_row"], {name: row[name] or "" for name in names})
            for row in table.frame.select(*names, "_row").rows(named=True)
        ]

    def _named(self, row: dict[str, str]) -> tuple[str, ...]:
        return tuple(row.get(name, "") for name in self.key)

    def _facts(self, table: RawTable) -> Iterator[Fact]:
        rows = [row for _, row in self._rows(table)]
        whole = Counter(tuple(row.values()) for row in rows)
        keys: dict[tuple[str, ...], set[str]] = {}
        for row in rows:
            keys.setdefault(self._named(row), set()).add(row.get(self.name, ""))
        yield Fact("rows", len(rows))
        yield Fact("distinct_rows", len(whole))
        yield Fact("surplus_duplicate_rows", len(rows) - len(whole))
        by_key: Counter[str] = Counter()
        seen: set[tuple[str, ...]] = set()
        for row in rows:
            by_key["-".join(self._named(row))] += tuple(row.values()) in seen
            seen.add(tuple(row.values()))
        yield Fact("surplus_by_key", tuple(f"{key}: {n}" for key, n in sorted(by_key.items()) if n))
        yield Fact("repeated_keys", sum(times > 1 for times in Counter(map(self._named, rows)).values()))
        yield Fact(
            "keys_with_several_names", tuple("-".join(key) for key, held in sorted(keys.items()) if len(held) > 1)
        )
        zeros = sum(re.fullmatch(r"0\d", row.get(self.key[-1], "")) is not None for row in rows)
        yield Fact("codes_of_form_0n", zeros, note="a zero and a digit; as numbers they would lose the zero")
        yield Fact("rows_of_country_na", sum(row.get(self.key[0]) == "NA" for row in rows), note="Namibia, not a gap")
        lost = sum(_LOST.search(row.get(self.name, "")) is not None for row in rows)
        yield Fact("names_with_lost_letters", lost)
        yield Fact("share_of_lost_letters", f"{lost / max(1, len(rows)):.4f}")

    def _findings(self, table: RawTable) -> Iterator[Finding]:
        rows = self._rows(table)
        yield from _told("duplicate_row", "warning", self._repeated(rows))
        yield from _told("key_conflict", "error", self._conflicts(rows))
        yield from _told("odd_value", "warning", self._odd(rows))
        lost = [(row, cells[self.name]) for row, cells in rows if _LOST.search(cells.get(self.name, ""))]
        if lost:
            share = len(lost) / len(rows)
            message = f"{len(lost)} of {len(rows)} names have lost letters, such as '{lost[0][1]}' (row {lost[0][0]})"
            severity: Severity = "error" if share >= LOST_SHARE else "warning"
            yield Finding("lost_letters", severity, lost[0][0], self.name, lost[0][1], message)

    def _repeated(self, rows: list[tuple[int, dict[str, str]]]) -> Iterator[tuple[int, str, str, str]]:
        seen: dict[tuple[str, ...], int] = {}
        for row, cells in rows:
            first = seen.setdefault(tuple(cells.values()), row)
            if first != row:
                key = "-".join(self._named(cells))
                yield row, self.key[-1], key, f"row {row} repeats row {first} ({key})"

    def _conflicts(self, rows: list[tuple[int, dict[str, str]]]) -> Iterator[tuple[int, str, str, str]]:
        names: dict[tuple[str, ...], list[str]] = {}
        for row, cells in rows:
            held = names.setdefault(self._named(cells), [])
            name = cells.get(self.name, "")
            if name in held:
                continue
            held.append(name)
            if len(held) > 1:
                key = "-".join(self._named(cells))
                yield row, self.name, key, f"row {row}: {key} is '{held[0]}' above and '{name}' here"

    def _odd(self, rows: list[tuple[int, dict[str, str]]]) -> Iterator[tuple[int, str, str, str]]:
        compiled = {column: re.compile(pattern) for column, pattern in self.patterns.items()}
        for row, cells in rows:
            for column, pattern in compiled.items():
                value = cells.get(column, "")
                if value and not pattern.fullmatch(value):
                    near = next(
                        (name for name, other in compiled.items() if name != column and other.fullmatch(value)), ""
                    )
                    hint = f"; it looks like {near}" if near else ""
                    yield row, column, value, f"row {row}: '{value}' is no {column}{hint}"


def _told(code: str, severity: Severity, seen: Iterator[tuple[int, str, str, str]]) -> Iterator[Finding]:
    """The first ones in full, the rest as a number."""
    found = list(seen)
    for row, column, value, message in found[:_LISTED]:
        yield Finding(code, severity, row, column, value, message)
    if len(found) > _LISTED:
        rest = len(found) - _LISTED
        yield Finding(code, severity, found[_LISTED][0], None, str(rest), f"and {rest} more of this kind")


def _columns(*names: str) -> dict[str, str]:
    return {name: re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.removeprefix("SU")).lower() for name in names}


_Finish = Callable[[RawTable], RawTable]
_SUBDIVISIONS: _Finish = Checks(("country", "code"), "name", {"country": r"[A-Z]{2}", "code": r"[A-Z0-9]{1,3}"})
_STATUS = r"AA|AC|AF|AI|AM|AQ|AS|RL|RN|RQ|RR|UR|XX"
_LOCATIONS: _Finish = Checks(
    ("country", "location"),
    "name",
    {
        "country": r"[A-Z]{2}",
        "location": r"[A-Z2-9]{3}",
        "subdivision": r"[A-Z0-9]{1,3}",
        "status": _STATUS,
        "function": r"[0-7B-]{8}",
        "date": r"\d{4}",
        "coordinates": r"\d{4}[NS] \d{5}[EW]",
    },
)

PROFILES: tuple[Profile, ...] = (
    Profile(
        "unlocode_subdivisions",
        "UN/LOCODE's list of subdivisions",
        None,
        ("SUCountry", "SUCode", "SUName", "SUType"),
        columns=_columns("SUCountry", "SUCode", "SUName", "SUType"),
        finish=_SUBDIVISIONS,
    ),
    Profile(
        "unlocode_locations",
        "UN/LOCODE's list of locations",
        None,
        ("Country", "Location", "Name", "Status", "Function"),
        columns=_columns("Country", "Location", "Name", "Subdivision", "Status", "Function", "Date", "Coordinates"),
        ignore=("Change", "NameWoDiacritics", "IATA", "Remarks"),
        finish=_LOCATIONS,
    ),
)
