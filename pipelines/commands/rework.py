"""``turnup rework``: the cable jobs of a week as a workbook and a table for technicians."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.commands.published import published_week
from reports.workbooks.rework import COLUMNS, Job, rework_table, rework_workbook
from turnup.durable import one_at_a_time, replace_bytes
from turnup.programme import Home
from turnup.warehouse.connection import connect, table_exists
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.commands.output import Output


def make_rework(folder: Path, label: str, output: Output) -> None:
    """Write ``rework.xlsx`` and ``rework.csv`` beside the week's reports.

    Raises:
        ConfigurationError: the week was made by a turnup that knew no such list.
    """
    home = Home(folder)
    database = published_week(home, label)
    with connect(database, read_only=True) as con:
        if not table_exists(con, "mart", "link_rework"):
            raise ConfigurationError(f"{database.name} was made by an earlier turnup; run turnup refresh")
        week, cut_off, programme = con.sql("SELECT week, cut_off::TIMESTAMP, programme FROM meta.week").fetchall()[0]
        query = f"SELECT {', '.join(f'{name}::VARCHAR' for name in COLUMNS)} FROM mart.link_rework ORDER BY step"
        jobs = [Job(*(cell or "" for cell in row)) for row in con.sql(query).fetchall()]
    files = home.out / week / "rework.xlsx", home.out / week / "rework.csv"
    with one_at_a_time(home.store / "reports.lock"):
        replace_bytes(files[0], rework_workbook(jobs, f"{programme}, {week}: cable jobs", cut_off))
        replace_bytes(files[1], rework_table(jobs))
    racks = len({(job.site_id, job.rack) for job in jobs})
    output.document({"week": week, "jobs": len(jobs), "racks": racks, "files": list(files)})
    output.line(f"Week {week}: {len(jobs)} cable jobs in {racks} racks: {files[0]}, {files[1]}")
