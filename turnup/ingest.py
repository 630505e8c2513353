"""From landed files to accepted and quarantined rows, once per distinct content and way of reading it.

Belongs here: pairing deliveries with sources, parsing, typing and the row ledger. Does not: formats
(``turnup.formats``), rules (``expectations``), or which delivery is in force (``turnup.in_force``).
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import polars as pl

from expectations.judging import Judged, judge
from expectations.row_rules import NOTES
from expectations.typing_rules import TypingRules
from turnup.formats import FileRejected, RawTable
from turnup.formats.adapted import given_texts
from turnup.formats.file_names import fits_pattern
from turnup.identity import add_keys
from turnup.isolation import shared_reader
from turnup.returns.marker import Correction, marker_of
from turnup.value_keys import typing_rules
from turnup.version import reading_version
from turnup.warehouse.connection import connect, identifier
from turnup.warehouse.side_tables import LEDGER_READ, SIDE_TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    import duckdb

    from expectations.contract import Contract
    from turnup.landing import Delivery, Landing
    from turnup.programme import Programme, Source
    from turnup.returns.marker import Marker
    from turnup.warehouse.batches import Store


BATCH_BYTES = 64 << 20
"""Bytes of files that are read and judged at once: they take some thirteen times as much memory."""


@dataclass(frozen=True)
class Claim:
    """A delivery taken by a source, and the id of the ingest that its rows carry.

    A returned send-back is taken by the sources whose rows it holds, once for each file that it corrects.
    """

    delivery: Delivery
    source_name: str
    source: Source
    ingest: str
    correction: Correction | None = None

    @property
    def corrects(self) -> str:
        """Content of the file that the delivery corrects; empty for a delivery of its own."""
        return self.correction.sha256 if self.correction else ""

    @property
    def file(self) -> str:
        """Name of the file whose rows these are; a send-back's own name says nothing."""
        return self.correction.original_name if self.correction else self.delivery.name


@dataclass(frozen=True)
class IngestSummary:
    """What one refresh read for one dataset."""

    dataset: str
    files: int = 0
    accepted: int = 0
    quarantined: int = 0
    rejected_files: int = 0


@dataclass
class _Reading:
    """Rows and side tables of the files of one batch while they are being read."""

    frames: dict[str, tuple[TypingRules, list[pl.DataFrame]]] = field(default_factory=dict)
    rows: dict[str, list[dict[str, object]]] = field(default_factory=lambda: {name: [] for name in SIDE_TABLES})


def claims(
    programme: Programme, deliveries: Iterable[Delivery], contracts: dict[str, Contract], landing: Landing
) -> list[Claim]:
    """Pair every delivery with every source whose pattern fits its inbox path, however either spells its accents.

    A returned send-back is known by its content, and its name means nothing.
    """
    found: list[Claim] = []
    for delivery in deliveries:
        marker = marker_of(landing.content(delivery.sha256), delivery.name)
        if marker is not None:
            found += _corrections(programme, delivery, contracts, landing, marker)
            continue
        for name, source in sorted(programme.sources.items()):
            if fits_pattern(delivery.path, source.files):
                found.append(Claim(delivery, name, source, _ingest_id(delivery, source, contracts[source.dataset])))
    return found


def _corrections(
    programme: Programme, delivery: Delivery, contracts: dict[str, Contract], landing: Landing, marker: Marker
) -> Iterator[Claim]:
    names = {(item.source, item.sha256): PurePosixPath(item.path).name for item in marker.originals}
    for (name, sha256), original_name in sorted(names.items()):
        source = programme.sources.get(name)
        if source is not None:
            corrected = Correction(delivery.name, marker, name, sha256, landing.content(sha256), original_name)
            ingest = _ingest_id(delivery, source, contracts[source.dataset], name, sha256)
            yield Claim(delivery, name, source, ingest, corrected)


def ingest_dataset(
    store: Store, landing: Landing, dataset: str, contract: Contract, claimed: Iterable[Claim]
) -> IngestSummary:
    """Read every file of a dataset that was not read before, and commit its rows, in batches that fit into memory."""
    known = store.known([dataset])
    fresh = {claim.ingest: claim for claim in claimed if claim.source.dataset == dataset and claim.ingest not in known}
    if not fresh:
        return IngestSummary(dataset)
    done = [
        _ingest_batch(store, landing, contract, batch)
        for batch in _batches(landing, sorted(fresh.values(), key=lambda item: item.ingest))
    ]
    return IngestSummary(
        dataset, len(fresh), sum(one.accepted for one in done), sum(one.quarantined for one in done),
        sum(one.rejected_files for one in done),
    )  # fmt: skip


def _batches(landing: Landing, fresh: Iterable[Claim]) -> Iterator[list[Claim]]:
    """Files one after another until a batch is full, so that a killed refresh goes on where it was."""
    batch: list[Claim] = []
    held = 0
    for claim in fresh:
        size = landing.content(claim.delivery.sha256).stat().st_size
        if batch and held + size > BATCH_BYTES:
            yield batch
            batch, held = [], 0
        batch.append(claim)
        held += size
    yield batch


def _ingest_batch(store: Store, landing: Landing, contract: Contract, batch: Iterable[Claim]) -> IngestSummary:
    reading = _Reading()
    fresh = {claim.ingest: claim for claim in batch}
    for claim in fresh.values():
        _read(landing.content(claim.delivery.sha256), claim, contract, reading)
    with connect() as con:
        accepted, quarantined = _type(con, contract, reading)
        store.write(con, contract.name, fresh, _queries(contract.name))
    failed = sum(row["status"] == "rejected" for row in reading.rows["_ledger"])
    return IngestSummary(contract.name, len(fresh), accepted, quarantined, failed)


def empty_typed(contract: Contract) -> str:
    """SELECT with the columns and types of a dataset's accepted rows, and no row."""
    types = {column.name: column.sql_type for column in contract.columns}
    types |= {f"{column.name}_key": "VARCHAR" for column in contract.columns if column.type == "id"}
    types |= {"_ingest": "VARCHAR", "_row": "BIGINT", "_sheet": "VARCHAR", **NOTES}
    fields = ", ".join(f"NULL::{kind} AS {identifier(name)}" for name, kind in types.items())
    return f"SELECT {fields} WHERE false"


def _ingest_id(delivery: Delivery, source: Source, contract: Contract, *corrected: str) -> str:
    identity = (delivery.sha256, delivery.name, source.fingerprint, contract.fingerprint, reading_version(), *corrected)
    return hashlib.sha256("\0".join(identity).encode()).hexdigest()[:16]


def _read(content: Path, claim: Claim, contract: Contract, reading: _Reading) -> None:
    try:
        if claim.correction is not None:
            table = shared_reader().returned(content, claim.correction, claim.source, contract)
        else:
            table = shared_reader().parse(content, claim.delivery.name, claim.source, contract)
    except FileRejected as refusal:
        _record_refusal(content, claim.ingest, refusal, reading)
        return
    _record_table(claim.ingest, table, reading)
    if table.frame.height:
        rules = typing_rules(table.source or claim.source, table, claim.file)
        frame = table.frame.with_columns(pl.lit(claim.ingest).alias("_ingest"))
        reading.frames.setdefault(repr(rules), (rules, []))[1].append(frame)


def _record_table(ingest: str, table: RawTable, reading: _Reading) -> None:
    reading.rows["_ledger"].append(
        {"_ingest": ingest, "format": table.format, "status": "accepted", **asdict(table.ledger)}
    )
    for row in table.rejected:
        record = asdict(row)
        reading.rows["_quarantine"].append({"_ingest": ingest, "column_name": record.pop("column"), **record})
    warned = _warned_rows(table)
    for finding in table.findings:
        record = asdict(finding)
        sheet, given = warned.get(finding.row, (None, None)) if finding.severity == "warning" else (None, None)
        place = {"sheet": sheet, "given": given}
        reading.rows["_findings"].append({"_ingest": ingest, "column_name": record.pop("column"), **place, **record})
    for number, column in enumerate(table.columns):
        reading.rows["_columns"].append({"_ingest": ingest, "place": number, **asdict(column)})
    reading.rows["_returned"] += [{"_ingest": ingest, **asdict(row)} for row in table.returned]


def _warned_rows(table: RawTable) -> dict[int | None, tuple[str | None, str | None]]:
    """Per row that a warning names, its sheet and the row as delivered; a number that two sheets have names no row."""
    rows = {item.row for item in table.findings if item.severity == "warning" and item.row is not None}
    if not rows or not table.frame.height:
        return {}
    found = table.frame.filter(pl.col("_row").is_in(sorted(rows))).select("_row", "_sheet", "_given")
    alone = given_texts(found.filter(pl.len().over("_row") == 1))
    return {row: (sheet, given) for row, sheet, given in alone.rows()}


def _record_refusal(content: Path, ingest: str, refusal: FileRejected, reading: _Reading) -> None:
    lines = _raw_lines(content)
    zero = dict.fromkeys(("data", "header", "title", "footer", "comment", "blank", "total", "other"), 0)
    ledger = {"_ingest": ingest, "format": "refused", "status": "rejected", "lines": lines, "rejected": lines, **zero}
    reading.rows["_ledger"].append(ledger)
    where = {"row": refusal.row, "column_name": refusal.column, "value": refusal.value}
    reading.rows["_quarantine"].append(
        {"_ingest": ingest, "sheet": None, "rule": refusal.code, "expected": refusal.expected, "given": None,
         "message": refusal.message, **where}
    )  # fmt: skip
    reading.rows["_findings"].append(
        {
            "_ingest": ingest,
            "code": refusal.code,
            "severity": "error",
            "message": refusal.message,
            "sheet": None,
            "given": None,
            **where,
        }
    )


def _raw_lines(content: Path) -> int:
    """Lines of a text file; a refused binary file counts as one."""
    with content.open("rb") as handle:
        head = handle.read(4)
        if head[:2] == b"PK":
            return 1
        handle.seek(0)
        total, last = 0, b""
        while block := handle.read(1 << 20):
            total += block.count(b"\n")
            last = block[-1:]
    return max(1, total + (last not in {b"", b"\n"}))


# Rows with a negative number lend context to those of a returned send-back.
_OF_THE_FILE = "_row >= 0"
_CONTEXT_ROW = r"'\brow -(\d+)'"


def _type(con: duckdb.DuckDBPyConnection, contract: Contract, reading: _Reading) -> tuple[int, int]:
    """Make ``typed`` (every row, with its failures) and the side tables; returns rows accepted and rows quarantined."""
    groups = [group for _, group in sorted(reading.frames.items())]
    # The rows as delivered are large, and stay outside.
    delivered = [
        pl.concat([frame.drop("_given") for frame in frames], how="diagonal").with_row_index("_n")
        for _, frames in groups
    ]
    judged = [
        _judge(con, contract, rules, frame, number)
        for number, ((rules, _), frame) in enumerate(zip(groups, delivered, strict=True))
    ]
    accepted = [
        f"""SELECT * EXCLUDE (_n, _beside, _failures) FROM {each.rows}
        WHERE {_OF_THE_FILE} AND _n NOT IN (SELECT _n FROM {each.refused})"""
        for each in judged
    ]
    con.execute(f"CREATE TEMP VIEW accepted AS {' UNION ALL BY NAME '.join([empty_typed(contract), *accepted])}")
    con.register("reader_rows", pl.DataFrame(reading.rows["_quarantine"], schema=SIDE_TABLES["_quarantine"]))
    con.execute("CREATE TABLE refused AS SELECT * FROM reader_rows")
    for number, (each, (_, frames)) in enumerate(zip(judged, groups, strict=True)):
        con.register(f"given_{number}", _given(con, each, frames))
        con.execute(
            f"""INSERT INTO refused BY NAME
            SELECT f._ingest, f._row AS "row", f._sheet AS sheet, f.column_name, f.value, f.rule, f.expected,
                   regexp_replace(f.message, {_CONTEXT_ROW}, 'row \\1 of the file that it corrects', 'g') AS message,
                   r._given AS given
            FROM {each.refused} AS f JOIN given_{number} AS r USING (_n) WHERE f.{_OF_THE_FILE}"""
        )
        reading.rows["_findings"] += [
            {"_ingest": remark.ingest, "code": remark.code, "severity": "info", "row": None,
             "column_name": remark.column, "value": remark.value, "message": remark.message}
            for remark in each.remarks
        ]  # fmt: skip
    for name, schema in (*SIDE_TABLES.items(), ("_ledger", LEDGER_READ)):
        con.register(f"read{name}", pl.DataFrame(reading.rows[name], schema=schema))
    alone = all(_each_line_once(frame) for _, frames in groups for frame in frames)
    con.execute(_LEDGER.format(kept="SELECT" if alone else "SELECT DISTINCT"))
    totals = con.sql("SELECT coalesce(sum(accepted), 0)::BIGINT, coalesce(sum(quarantined), 0)::BIGINT FROM ledger")
    accepted, quarantined = totals.fetchall()[0]
    return int(accepted), int(quarantined)


def _judge(
    con: duckdb.DuckDBPyConnection, contract: Contract, rules: TypingRules, delivered: pl.DataFrame, number: int
) -> Judged:
    """Judge the files that are typed in one way."""
    con.register(f"raw_{number}", complete_rows(delivered, contract))
    return judge(con, contract, f"raw_{number}", rules, delivered.columns, f"judged_{number}")


def _given(con: duckdb.DuckDBPyConnection, judged: Judged, frames: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """The refused rows as delivered; ``_n`` counts the rows of all frames, one after another."""
    refused = con.sql(f"SELECT DISTINCT _n FROM {judged.refused} ORDER BY _n").pl().get_column("_n")
    found, first = [], 0
    for frame in frames:
        numbered = frame.select("_given").with_row_index("_n", offset=first)
        found.append(given_texts(numbered.filter(pl.col("_n").is_in(refused.cast(pl.UInt32).implode()))))
        first += frame.height
    return pl.concat(found)


# A line of a log can carry several figures: lines are counted, and a line with any refused figure is quarantined.
_LEDGER = """
CREATE TABLE ledger AS
WITH refused_lines AS (SELECT DISTINCT _ingest, coalesce(sheet, '') AS sheet, "row" FROM refused),
     accepted_lines AS (
         SELECT * FROM ({kept} _ingest, coalesce(_sheet, '') AS sheet, _row AS "row" FROM accepted)
         ANTI JOIN refused_lines USING (_ingest, sheet, "row"))
SELECT l.*, l.data + l.rejected AS rows_read, coalesce(a.lines, 0) AS accepted,
       CASE l.status WHEN 'rejected' THEN l.rejected ELSE coalesce(q.lines, 0) END AS quarantined
FROM read_ledger l
LEFT JOIN (SELECT _ingest, count(*) AS lines FROM accepted_lines GROUP BY ALL) a USING (_ingest)
LEFT JOIN (SELECT _ingest, count(*) AS lines FROM refused_lines GROUP BY ALL) q USING (_ingest)
"""


def _each_line_once(frame: pl.DataFrame) -> bool:
    """Whether the rows of a file stand in the order of its lines, one a line: then nothing need be told apart."""
    return bool(frame.select((pl.col("_row").diff().fill_null(1) > 0).all()).item())


def complete_rows(frame: pl.DataFrame, contract: Contract) -> pl.DataFrame:
    """Add the contract's absent columns as NULL and the normal form of every identifier."""
    absent = [column.name for column in contract.columns if column.name not in frame.columns]
    complete = frame.with_columns(pl.lit(None, dtype=pl.String).alias(name) for name in absent)
    return add_keys(complete, [column.name for column in contract.columns if column.type == "id"])


def _queries(dataset: str) -> dict[str, str]:
    return {
        dataset: "SELECT * FROM accepted",  # in the order of the files, which is already the same every time
        "_quarantine": "SELECT * FROM refused ORDER BY _ingest, sheet, row, column_name, rule",
        "_findings": "SELECT * FROM read_findings ORDER BY ALL",
        "_columns": "SELECT * FROM read_columns ORDER BY _ingest, place",
        "_returned": "SELECT * FROM read_returned ORDER BY _ingest, sheet, row",
        "_ledger": "SELECT * FROM ledger ORDER BY _ingest",
    }
