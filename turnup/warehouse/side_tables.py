"""What is kept of every file beside its rows: its ledger line, its faults, remarks on it and its column mapping.

A remark that warns of a row keeps that row as delivered, so that it can be sent back; of a returned workbook it is kept
which row each of its rows corrects.
"""

from __future__ import annotations

import polars as pl

Schema = dict[str, type[pl.DataType]]
_TEXT, _COUNT = pl.String, pl.Int64

LEDGER_READ: Schema = {
    "_ingest": _TEXT, "format": _TEXT, "status": _TEXT, "lines": _COUNT, "data": _COUNT, "header": _COUNT,
    "title": _COUNT, "footer": _COUNT, "comment": _COUNT, "blank": _COUNT, "total": _COUNT, "other": _COUNT,
    "rejected": _COUNT,
}  # fmt: skip
"""The ledger as the reader fills it, before the rows are typed."""

SIDE_TABLES: dict[str, Schema] = {
    "_quarantine": {
        "_ingest": _TEXT, "row": _COUNT, "sheet": _TEXT, "column_name": _TEXT, "value": _TEXT, "rule": _TEXT,
        "expected": _TEXT, "message": _TEXT, "given": _TEXT,
    },
    "_findings": {
        "_ingest": _TEXT, "code": _TEXT, "severity": _TEXT, "row": _COUNT, "column_name": _TEXT, "value": _TEXT,
        "message": _TEXT, "sheet": _TEXT, "given": _TEXT,
    },
    "_columns": {"_ingest": _TEXT, "place": _COUNT, "name": _TEXT, "maps_to": _TEXT, "how": _TEXT},
    "_returned": {
        "_ingest": _TEXT, "row": _COUNT, "sheet": _TEXT, "of_row": _COUNT, "of_sheet": _TEXT, "answer": _TEXT,
    },
    "_ledger": {**LEDGER_READ, "rows_read": _COUNT, "accepted": _COUNT, "quarantined": _COUNT},
}  # fmt: skip
"""Table name to its columns, as they lie in the parts."""
