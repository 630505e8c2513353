"""``turnup send-back``: the workbooks in which owners correct their rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.commands.published import chosen_owner, published_week
from reports.workbooks.send_back import write_send_backs
from turnup.durable import one_at_a_time
from turnup.programme import Home
from turnup.returns.open_rows import send_backs
from turnup.warehouse.connection import connect

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.commands.output import Output


def make_send_backs(folder: Path, owner: str, label: str, output: Output) -> None:
    """Write the workbooks of a week and say what is in each, or in one owner's."""
    home = Home(folder)
    chosen = chosen_owner(owner, home.load())
    with connect(published_week(home, label), read_only=True) as con:
        models = send_backs(con)
        week = str(con.sql("SELECT week FROM meta.week").fetchall()[0][0])
    with one_at_a_time(home.store / "reports.lock"):
        files = write_send_backs(models, home.out / week, home.sent_back(week))
    shown = [model for model in models if chosen in ("", model.owner)]
    output.document(
        {
            "week": week,
            "send_backs": [
                {
                    "owner": model.owner,
                    "file": files[model.owner],
                    "rows": model.rows,
                    "rows_elsewhere": len(model.unsendable),
                    "files_not_read": [item.file for item in model.refused],
                    "tables": [
                        {
                            "file": table.original.path,
                            "sheet": table.original.sheet,
                            "refused": table.count("refused"),
                            "doubtful": table.count("doubtful"),
                        }
                        for table in model.tables
                    ],
                }
                for model in shown
            ],
        }
    )
    if not shown:
        output.line(f"Week {week}: nothing to send back")
    for model in shown:
        parts = [f"{model.rows} rows to correct", f"{len(model.refused)} files not read"]
        output.line(f"{model.owner}: {', '.join(parts)}: {files[model.owner]}")
