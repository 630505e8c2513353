"""The RAID log as a workbook that goes out, is edited, and comes back as a delivery of the source that it is from.

Belongs here: its rows, the name by which its source takes it again, and the proof that it reads back as it is. Does
not: how it is laid out (``reports.workbooks.template``).
"""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from turnup.ingest import claims, ingest_dataset
from turnup.landing import Landing
from turnup.programme import Home
from turnup.warehouse.connection import identifier
from turnup.warehouse.parts import PartStore
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    import duckdb

    from expectations.contract import Column, Contract
    from turnup.programme import Programme

DATASET = "raid"
_ENDING = ".xlsx"
_OF_SOURCE = "_ingest IN (SELECT _ingest FROM meta.deliveries WHERE in_force AND source = $1)"


@dataclass(frozen=True)
class RaidLog:
    """Every entry of one source: open ones first, by the day they are due; closed ones below, lest they be lost.

    Attributes:
        source: name of the source, which takes the workbook again.
        week: the published week that the entries stand in.
        cut_off: its data date (UTC).
        file: name under which the source takes the workbook.
        columns: those of the contract that people fill.
        rows: values by column: text, numbers, days, or None.
    """

    source: str
    week: str
    cut_off: datetime
    file: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str | Decimal | date | None, ...], ...]


def raid_log(con: duckdb.DuckDBPyConnection, programme: Programme, contract: Contract, source: str) -> RaidLog:
    """The log of a source, or of the only one where ``source`` is empty.

    Args:
        con: the published week.
        programme: its configuration.
        contract: that of the RAID log.
        source: name of a source of the RAID log.

    Raises:
        ConfigurationError: there is no such source, none of its files counts, or it takes no workbook.
    """
    name = _source(con, programme, source)
    week, cut_off = con.sql("SELECT week, cut_off FROM meta.week").fetchall()[0]
    columns = tuple(column for column in contract.columns if not column.machine)
    found = con.sql(
        f"SELECT * FROM stg.raid WHERE {_OF_SOURCE} "
        "ORDER BY closed IS NOT NULL, coalesce(due, needed_by, expiry) NULLS LAST, closed DESC, id_key",
        params=[name],
    )
    records = [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
    rows = tuple(tuple(_value(record, column) for column in columns) for record in records)
    file = workbook_name(programme.sources[name].files, name, str(week))
    return RaidLog(name, str(week), cut_off.replace(tzinfo=UTC), file, columns, rows)


def unlike(
    con: duckdb.DuckDBPyConnection, programme: Programme, contracts: dict[str, Contract], log: RaidLog, workbook: bytes
) -> tuple[str, ...]:
    """Ids of entries that would not come back as they are, were the workbook dropped into the inbox unchanged.

    Raises:
        ConfigurationError: other sources take the workbook too.
    """
    with tempfile.TemporaryDirectory(prefix="turnup-raid-") as folder:
        home = Home(Path(folder))
        home.inbox.mkdir()
        (home.inbox / log.file).write_bytes(workbook)
        landing = Landing(home, programme.time_zone)
        delivered = landing.scan(datetime.max.replace(tzinfo=UTC)).deliveries
        claimed = claims(programme, delivered, contracts, landing)
        takers = [claim.source_name for claim in claimed]
        if takers != [log.source]:
            raise ConfigurationError(f"{log.file} is taken by {', '.join(takers) or 'no source'}, not by {log.source}")
        store = PartStore(home.store)
        ingest_dataset(store, landing, DATASET, contracts[DATASET], claimed)
        scan = store.scan(con, DATASET, [DATASET])
        compared = ", ".join(identifier(column.name) for column in log.columns) + ", _precision, _absent"
        kept = f"SELECT {compared} FROM stg.raid WHERE {_OF_SOURCE}"
        read = f"SELECT {compared} FROM {scan}"
        other = con.sql(
            f"SELECT DISTINCT id FROM (({kept} EXCEPT ALL {read}) UNION ALL ({read} EXCEPT ALL {kept})) ORDER BY id",
            params=[log.source],
        )
        return tuple(str(entry) for (entry,) in other.fetchall())


def _source(con: duckdb.DuckDBPyConnection, programme: Programme, asked: str) -> str:
    names = sorted(name for name, source in programme.sources.items() if source.dataset == DATASET)
    counted = {row[0] for row in con.sql("SELECT DISTINCT source FROM meta.deliveries WHERE in_force").fetchall()}
    if not names:
        raise ConfigurationError("no source of programme.yaml is a RAID log; turnup template raid makes an empty one")
    if asked and asked not in names:
        raise ConfigurationError(f"no source '{asked}' is a RAID log; those are: {', '.join(names)}")
    if not asked and len(names) > 1:
        raise ConfigurationError(f"there are several RAID logs, name one with --source: {', '.join(names)}")
    name = asked or names[0]
    if name not in counted:
        raise ConfigurationError(f"no file of the source '{name}' counts in this week; turnup template raid makes one")
    return name


def workbook_name(pattern: str, source: str, week: str) -> str:
    """A name that the source takes and that ends as a workbook does: the week in place of its first star.

    Raises:
        ConfigurationError: the source takes no workbook.
    """
    before, star, after = PurePosixPath(pattern).name.partition("*")
    parts = [before, f"{'-' * before[-1:].isalnum()}{week}{'-' * after[:1].isalnum()}" if star else "", after]
    name = "".join(parts).replace("*", "").replace("?", "-")
    name = name if name.lower().endswith(_ENDING) else re.sub(r"\.\w*$", "", name) + _ENDING
    if not PurePosixPath(name).match(pattern):
        raise ConfigurationError(
            f"the source '{source}' takes '{pattern}', which no workbook in the inbox is called; "
            f'let it take workbooks too, for example with files: "{source}*"'
        )
    return name


def _value(record: dict[str, Any], column: Column) -> str | Decimal | date | None:
    value, name = record[column.name], column.name
    if value is None:
        return dict(record["_absent"] or {}).get(name)
    if isinstance(value, date):
        return _loose(value, dict(record["_precision"] or {}).get(name, "day"))
    return value if isinstance(value, (str, Decimal)) else str(value)


def _loose(last: date, precision: str) -> str | date:
    """A day, or the week, month, quarter, half or year that ends on it, as the reader of dates takes it."""
    year, week, _ = last.isocalendar()
    quarter = (last.month + 2) // 3
    return {
        "week": f"{year}-W{week:02d}", "month": f"{last:%Y-%m}", "quarter": f"Q{quarter} {last.year}",
        "half": f"H{(last.month + 5) // 6} {last.year}", "year": f"{last.year}",
    }.get(precision, last)  # fmt: skip
