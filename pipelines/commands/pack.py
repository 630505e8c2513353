"""``turnup pack``: the agenda of one call, as a page and a workbook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.commands.published import published_week
from pipelines.commands.refresh import parse_instant
from reports.packs import write_pack
from turnup.durable import one_at_a_time
from turnup.programme import Home
from turnup.warehouse.connection import connect
from turnup.working_day.pack import Kind, pack
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.commands.output import Output


def make_pack(folder: Path, asked: dict[Kind, str], week: str, now: str, output: Output) -> None:
    """Write the pack of the one party that is asked for, and say what is in it."""
    wanted = [(kind, name) for kind, name in asked.items() if name]
    if len(wanted) != 1:
        raise ConfigurationError("name one party: --vendor, --site or --owner")
    home = Home(folder)
    programme = home.load()
    with connect(published_week(home, week), read_only=True) as con:
        found = pack(con, programme, parse_instant(now), *wanted[0])
    with one_at_a_time(home.store / "reports.lock"):
        page, workbook = write_pack(found, home.out / found.week)
    tables = [
        {"title": table.title, "rows": [dict(zip(table.heads, row, strict=True)) for row in table.rows]}
        for table in found.tables
    ]
    output.document(
        {"week": found.week, found.kind: found.name, "page": page, "workbook": workbook, "subjects": tables}
    )
    output.line(f"{found.name}, week {found.week}")
    for table in found.tables:
        output.line(f"  {len(table.rows):>4}  {table.title}" if table.rows else f"     -  {table.none}")
    output.line(f"  page      {page}")
    output.line(f"  workbook  {workbook}")
