"""What any list of facilities is checked for, whatever file it came in.

Belongs here: coordinates against the address, row by row. Does not: where countries lie (``geography``).
"""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from turnup.formats.model import Finding, RawTable
from turnup.formats.topology.geography import judge

_JUDGED = ("country", "state", "latitude", "longitude")


def examined(table: RawTable) -> RawTable:
    """The table with ``place_fault`` and a finding for each facility that does not lie where its address is."""
    names = [name for name in (*_JUDGED, "name") if name in table.frame.columns]
    faults: list[str | None] = []
    findings: list[Finding] = []
    for row in table.frame.select(*names, "_row").rows(named=True):
        verdict = judge(*(row.get(name) for name in _JUDGED))
        faults.append(verdict.why if verdict.right is False else None)
        if verdict.right is False:
            value = f"{row.get('latitude')}, {row.get('longitude')}"
            message = f"row {row['_row']}: {row.get('name')} does not lie where its address is: {verdict.why}"
            findings.append(Finding("wrong_place", "warning", row["_row"], "latitude", value, message))
    frame = table.frame.with_columns(pl.Series("place_fault", faults, pl.String))
    return replace(table, frame=frame, findings=(*table.findings, *findings))
