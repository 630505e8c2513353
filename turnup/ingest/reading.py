"""The files of one batch as they are read: rows, ledger lines, refusals, findings and column mappings.

Belongs here: what is kept of a file that was read or refused. Does not: how it is read (``turnup.formats``, in the
processes of ``turnup.isolation``), or what its values are worth (``turnup.ingest.typed_rows``).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

import polars as pl

from expectations.typing_rules import TypingRules
from turnup.formats import FileRejected, RawTable
from turnup.formats.adapted import given_texts
from turnup.value_keys import typing_rules
from turnup.warehouse.side_tables import SIDE_TABLES

if TYPE_CHECKING:
    from pathlib import Path

    from expectations.contract import Contract
    from turnup.ingest.claiming import Claim
    from turnup.isolation import Reader


@dataclass
class FilesRead:
    """Rows and side tables of the files of one batch while they are being read."""

    frames: dict[str, tuple[TypingRules, list[pl.DataFrame]]] = field(default_factory=dict)
    rows: dict[str, list[dict[str, object]]] = field(default_factory=lambda: {name: [] for name in SIDE_TABLES})


def read(reader: Reader, content: Path, claim: Claim, contract: Contract, reading: FilesRead) -> None:
    """Add what a file holds, or why it is refused."""
    try:
        if claim.correction is not None:
            table = reader.returned(content, claim.correction, claim.source, contract)
        else:
            table = reader.parse(content, claim.delivery.name, claim.source, contract)
    except FileRejected as refusal:
        _record_refusal(content, claim.ingest, refusal, reading)
        return
    _record_table(claim.ingest, table, reading)
    if table.frame.height:
        rules = typing_rules(table.source or claim.source, table, claim.file)
        frame = table.frame.with_columns(pl.lit(claim.ingest).alias("_ingest"))
        reading.frames.setdefault(repr(rules), (rules, []))[1].append(frame)


def _record_table(ingest: str, table: RawTable, reading: FilesRead) -> None:
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


def _record_refusal(content: Path, ingest: str, refusal: FileRejected, reading: FilesRead) -> None:
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
