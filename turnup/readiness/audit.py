"""Go or no-go before a large run: what must be so of every installed unit of a system, line by line.

Each check is one SQL file in ``audit_checks``: it says what is asked and selects its subjects with their state and row.
Belongs here: reading the checks and what they say of one system. Does not: any check, nor printing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import duckdb

from turnup.readiness.explain import found_system
from turnup.warehouse.macros import write_macros
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterable

FOLDER = Path(__file__).parent / "audit_checks"
Verdict = Literal["go", "no-go", "no data"]
_SCOPE = """CREATE OR REPLACE TEMP VIEW audited AS SELECT system_key FROM core.systems WHERE system_key = {system};
CREATE OR REPLACE TEMP VIEW units AS
SELECT u.* FROM core.units u JOIN audited a ON a.system_key = u.system_key
JOIN core.unit_stages e ON e.system_key = u.system_key AND e.unit_key = u.unit_key AND e.stage = 'installed'
WHERE coalesce(e.has, false) OR NOT e.applicable"""


@dataclass(frozen=True)
class Hindrance:
    """What keeps a check from go: a unit, test, component or link with its state and the row that says so."""

    subject: str
    state: Verdict
    note: str | None
    dataset: str | None
    file: str | None
    sheet: str | None
    row: int | None


@dataclass(frozen=True)
class Line:
    """One check of a system.

    Attributes:
        verdict: no-go when any subject is; else no data when any has none, or there is no subject; else go.
        checked, failed, unknown: subjects in all, those that are no-go, those without data.
        hindrances: the subjects that are not go, no-go first.
    """

    check: str
    title: str
    rule: str
    verdict: Verdict
    checked: int
    failed: int
    unknown: int
    hindrances: tuple[Hindrance, ...]


@dataclass(frozen=True)
class Audit:
    """What an audit of a system says; ``units`` are those installed, which take part in a run."""

    system_id: str
    units: int
    verdict: Verdict
    lines: tuple[Line, ...]


def audit(con: duckdb.DuckDBPyConnection, system_id: str) -> Audit:
    """Audit a system in a published database.

    Raises:
        turnup.readiness.explain.ExplainError: no such system.
        ConfigurationError: the database lacks what a check reads; it was made by an earlier turnup.
    """
    key, name, _ = found_system(con, system_id)
    write_macros(con)
    quoted = "'" + key.replace("'", "''") + "'"
    con.execute(_SCOPE.format(system=quoted))
    units = con.sql("SELECT count(*) FROM units").fetchall()[0][0]
    lines = tuple(_line(con, file) for file in sorted(FOLDER.glob("*.sql")))
    return Audit(name, units, worst(line.verdict for line in lines), lines)


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """No-go when any is, else no data when any is or there is none, else go."""
    found = set(verdicts)
    return "no-go" if "no-go" in found else "go" if found == {"go"} else "no data"


def _line(con: duckdb.DuckDBPyConnection, file: Path) -> Line:
    head, _, sql = file.read_text(encoding="utf-8").partition("\n-- rule: ")
    rule, _, sql = sql.partition("\n")
    query = f"""SELECT c.subject, c.state, c.note, c.dataset, i.file, c._sheet, c._row FROM ({sql}) c
        LEFT JOIN (SELECT _ingest, min(file) AS file FROM meta.ingests GROUP BY ALL) i ON i._ingest = c._ingest
        ORDER BY c.state DESC, c.subject, i.file, c._sheet, c._row, c.note"""
    try:
        found = [Hindrance(*row) for row in con.sql(query).fetchall()]
    except (duckdb.BinderException, duckdb.CatalogException) as error:
        raise ConfigurationError(
            f"this week was made by an earlier turnup, which kept too little to be audited ({file.stem}); "
            "run turnup refresh"
        ) from error
    counts = Counter(item.state for item in found)
    return Line(
        check=file.stem.partition("_")[2],
        title=head.removeprefix("-- title: "),
        rule=rule,
        verdict=worst(item.state for item in found),
        checked=len(found),
        failed=counts["no-go"],
        unknown=counts["no data"],
        hindrances=tuple(item for item in found if item.state != "go"),
    )
