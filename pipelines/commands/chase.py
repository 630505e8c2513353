"""``turnup chase``: what to ask of each owner, as messages to send."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pipelines.commands.published import chosen_owner, published_week
from pipelines.commands.refresh import parse_instant
from reports.chase import messages
from reports.workbooks.send_back import workbook_files
from turnup.programme import Home
from turnup.returns.chase import Chase, chases
from turnup.warehouse.connection import connect

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.commands.output import Output
    from turnup.returns.chase import WeekOfChases


def print_chase(folder: Path, owner: str, label: str, now: str, output: Output) -> None:
    """Print one message per owner, and one about the files that nobody claims."""
    home = Home(folder)
    programme = home.load()
    chosen = chosen_owner(owner, programme)
    with connect(published_week(home, label), read_only=True) as con:
        week = chases(con, programme, parse_instant(now))
    workbooks = workbook_files(week.back, home.out / week.week)
    if chosen:
        week = _only(week, chosen)
    output.document(_document(week, workbooks))
    texts = messages(week, workbooks)
    output.line(("\n" + "-" * 72 + "\n").join(texts) if texts else f"Week {week.week}: nothing to ask for")


def _only(week: WeekOfChases, owner: str) -> WeekOfChases:
    from dataclasses import replace

    return replace(week, chases=tuple(item for item in week.chases if item.owner == owner), nobody=())


def _document(week: WeekOfChases, workbooks: dict[str, Path]) -> dict[str, Any]:
    return {
        "week": week.week,
        "at": week.at,
        "owners": [_owner(item, workbooks.get(item.owner)) for item in week.chases],
        "nobody": list(week.nobody),
    }


def _owner(chase: Chase, workbook: Path | None) -> dict[str, Any]:
    back = chase.back
    tables = back.tables if back else ()
    return {
        "owner": chase.owner,
        "email": chase.email or None,
        "awaited": [asdict(item) for item in chase.awaited],
        "files_not_read": [asdict(item) for item in back.refused] if back else [],
        "rows": [
            {
                "file": table.original.path,
                "sheet": table.original.sheet,
                "row": row.row,
                "faults": [asdict(fault) for fault in row.faults],
                "returned_in": row.returned_in or None,
            }
            for table in tables
            for row in table.rows
        ],
        "rows_elsewhere": [asdict(item) for item in back.unsendable] if back else [],
        "rows_to_look_at": [asdict(item) for item in back.taken] if back else [],
        "workbook": workbook,
    }
