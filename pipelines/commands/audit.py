"""``turnup audit``: go or no-go of a system before a large run."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from pipelines.commands.published import published_week
from turnup.programme import Home
from turnup.readiness.audit import audit
from turnup.warehouse.connection import connect

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.commands.output import Output

_SHOWN = 10


def show_audit(folder: Path, system: str, week: str, output: Output) -> None:
    """Print each line's verdict and what keeps it from go; ends with 1 unless all is go, so that a script can wait."""
    home = Home(folder)
    home.load()
    with connect(published_week(home, week), read_only=True) as con:
        found = audit(con, system)
        label, as_of = con.sql("SELECT week, as_of FROM meta.week").fetchall()[0]
    output.document({"week": label, "as_of": as_of, **asdict(found)})
    output.line(f"{found.system_id}: {found.verdict}, {found.units} units installed, week {label}, data date {as_of}")
    output.table(
        "What a large run asks", ("verdict", "check", "checked", "no-go", "no data"),
        [(line.verdict, line.title, line.checked, line.failed, line.unknown) for line in found.lines],
    )  # fmt: skip
    for line in found.lines:
        if line.hindrances:
            output.table(
                f"{line.title}: {line.rule}", ("subject", "state", "what", "file", "sheet", "row"),
                [(item.subject, item.state, item.note, item.file or item.dataset, item.sheet, item.row)
                 for item in line.hindrances[:_SHOWN]],
            )  # fmt: skip
        if len(line.hindrances) > _SHOWN:
            output.line(f"... and {len(line.hindrances) - _SHOWN} more; --json prints all")
    if found.verdict != "go":
        sys.exit(1)
