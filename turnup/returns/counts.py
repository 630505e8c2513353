"""How the files of a published week fared, in four numbers.

Belongs here: counting. Does not: which rows and files those are (``turnup.returns.open_rows``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

_COUNTS = """
SELECT
    (SELECT count(DISTINCT path) FROM meta.deliveries),
    (SELECT coalesce(sum(quarantined), 0)::BIGINT FROM meta.sources),
    (SELECT count(DISTINCT f.file) FROM meta.file_findings f
        WHERE (f.in_force OR f.in_window) AND (f.code = 'unclaimed_file' OR f.severity = 'error' AND EXISTS (
            FROM meta.ledger l WHERE l.status = 'rejected' AND l.file = f.file AND l.source = f.source))),
    (SELECT count(DISTINCT (file, sheet, "row")) FROM mart.findings WHERE severity = 'error' AND "row" IS NOT NULL)
"""


@dataclass(frozen=True)
class FileCounts:
    """Files and rows of one week.

    Attributes:
        received: files that any source takes, received up to the cut-off.
        rows_refused: rows of files in force that do not count.
        files_not_read: files that were refused as a whole, or that no source takes.
        rows_to_look_at: rows that count and have an error against the rest of the programme.
    """

    received: int
    rows_refused: int
    files_not_read: int
    rows_to_look_at: int

    @property
    def troubled(self) -> bool:
        """Whether somebody should look."""
        return bool(self.rows_refused or self.files_not_read or self.rows_to_look_at)


def file_counts(con: duckdb.DuckDBPyConnection) -> FileCounts:
    """Count for a published week."""
    return FileCounts(*con.sql(_COUNTS).fetchall()[0])
