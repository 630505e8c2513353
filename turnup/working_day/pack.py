"""The agenda of one call: what a vendor, a site or an owner holds up, has promised, must correct, decide and send.

Belongs here: which rows are theirs. Each query selects one party's rows and names its columns, none of which is a
price or comes from another vendor; so there is nothing to black out. Does not: their layout (``reports.packs``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from turnup.returns.chase import chases
from turnup.working_day.pack_queries import QUERIES, Subject
from turnup.working_day.parties import known_party, of_party
from turnup.working_day.records import records

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    import duckdb

    from turnup.programme import Programme
    from turnup.returns.chase import Chase
    from turnup.returns.send_back import SendBack

Kind = Literal["vendor", "site", "owner"]


@dataclass(frozen=True)
class PackTable:
    """One subject of the call: its heads, and its rows as values; ``none`` is the sentence where there is no row."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    none: str


@dataclass(frozen=True)
class Pack:
    """The agenda of a call with one party.

    Attributes:
        programme: name of the programme.
        week: the published week that it is read from.
        cut_off: data date of the week (UTC, naive).
        kind: vendor, site or owner.
        name: of the party, as the data spells it.
        tables: subjects, in the order in which one speaks about them.
    """

    programme: str
    week: str
    cut_off: datetime
    kind: Kind
    name: str
    tables: tuple[PackTable, ...]


def pack(con: duckdb.DuckDBPyConnection, programme: Programme, now: datetime, kind: Kind, name: str) -> Pack:
    """The agenda of a call with one party.

    Args:
        con: the published week.
        programme: its configuration.
        now: instant of the question (aware), for files that are due.
        kind: what the party is.
        name: the party, in any case.

    Raises:
        ConfigurationError: the week knows no such party; the message lists those it knows.
    """
    name = known_party(con, kind, name)
    week = records(con, "SELECT programme, week, cut_off FROM meta.week")[0]
    tables = [_table(con, query, name) for query in QUERIES[kind]]
    if kind != "site":
        theirs = [item for item in chases(con, programme, now).chases if of_party(kind, name, item.owner)]
        tables += [_rejected(theirs), _expected(theirs)]
    return Pack(week["programme"], week["week"], week["cut_off"], kind, name, tuple(tables))


def _table(con: duckdb.DuckDBPyConnection, subject: Subject, name: str) -> PackTable:
    title, needs, none, select = subject
    unknown = [dataset for dataset in needs if not con.sql(f"SELECT 1 FROM stg.{dataset} LIMIT 1").fetchall()]
    if unknown:
        none = f"no data: {' and '.join(unknown)} not delivered"
    found = con.sql(select, params=[name])
    return PackTable(title, tuple(head.replace("_", " ") for head in found.columns), tuple(found.fetchall()), none)


def _rejected(theirs: list[Chase]) -> PackTable:
    rows = [row for chase in theirs if chase.back for row in _faults(chase.back)]
    heads = ("file", "sheet", "row", "column", "what is wrong")
    return PackTable("Rows to correct", heads, tuple(rows), "No row of theirs is wrong, in doubt or at odds.")


def _faults(back: SendBack) -> Iterator[tuple[object, ...]]:
    for table in back.tables:
        for row in table.rows:
            for fault in row.faults:
                yield table.original.path, table.original.sheet, row.row, ", ".join(fault.columns), fault.message
    for item in back.unsendable:
        yield item.file, item.sheet, item.row, item.column, item.message
    for taken in back.taken:
        yield taken.file, taken.sheet, taken.row, None, f"taken, and does not fit: {taken.message}"
    for file in back.refused:
        yield file.file, None, None, None, f"the file was not read: {file.message}"


def _expected(theirs: list[Chase]) -> PackTable:
    rows = [
        (item.source, item.files, item.reason, item.due, item.last_file, item.age_days)
        for chase in theirs
        for item in chase.awaited
    ]
    heads = ("source", "files", "why", "due", "last file", "age days")
    return PackTable("Files that should be here", heads, tuple(rows), "Every file of theirs that is due is here.")
