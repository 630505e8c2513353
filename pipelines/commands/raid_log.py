"""``turnup raid-log``: the RAID log as a workbook to edit and drop into the inbox again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expectations.contract import load_contracts
from pipelines.commands.published import published_week
from reports.workbooks.template import filled
from turnup.durable import replace_bytes
from turnup.programme import Home
from turnup.returns.raid_log import DATASET, raid_log, unlike
from turnup.warehouse.connection import connect
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.commands.output import Output

FOLDER = "raid"


def make_raid_log(folder: Path, source: str, week: str, output: Output) -> None:
    """Write the workbook, after proof that it reads back as the log is.

    Raises:
        ConfigurationError: the source is not known, takes no workbook, or would read an entry otherwise.
    """
    home = Home(folder)
    programme, contracts = home.load(), load_contracts()
    with connect(published_week(home, week), read_only=True) as con:
        log = raid_log(con, programme, contracts[DATASET], source)
        content = filled(contracts[DATASET], log.rows, log.cut_off)
        changed = unlike(con, programme, contracts, log, content)
    if changed:
        raise ConfigurationError(
            f"the source '{log.source}' would read {len(changed)} entries otherwise than they are, such as "
            f"{', '.join(changed[:3])}; its values, dates or decimal in programme.yaml do not fit a workbook of ours"
        )
    file = home.out / log.week / FOLDER / log.file
    replace_bytes(file, content)
    closed = next(place for place, column in enumerate(log.columns) if column.name == "closed")
    still = sum(row[closed] is None for row in log.rows)
    output.document({"week": log.week, "source": log.source, "file": file, "entries": len(log.rows), "open": still})
    output.line(f"Made {file}: {still} open entries, {len(log.rows) - still} closed ones below them.")
    output.line(f"Edited, and dropped into {home.inbox} under a name like {log.file}, it takes the log's place.")
