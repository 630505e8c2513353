"""``turnup report``: the files of a week's reports, in the formats that are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.commands.published import published_week
from reports.build.standing import ALONE
from reports.formats.registry import UnknownFormat, file_names
from reports.issue import standing_of
from reports.render import render
from turnup.durable import one_at_a_time
from turnup.programme import Home
from turnup.warehouse.connection import connect
from turnup.warehouse.issued import issued_files, record_issue
from turnup.warehouse.manifest import ManifestStore
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pipelines.commands.output import Output


def write_report(folder: Path, label: str, formats: str, output: Output) -> None:
    """Write the files of a week; those that stand as they were issued are left as they are.

    Raises:
        ConfigurationError: a format is unknown, or the week has no result.
    """
    home = Home(folder)
    audiences = home.load().audiences
    wanted = [item.strip() for item in formats.split(",") if item.strip()]
    try:
        names = file_names(wanted)
    except UnknownFormat as error:
        raise ConfigurationError(f"--format {formats}: {error}") from None
    database = published_week(home, label)
    with connect(database, read_only=True) as con:
        week = str(con.sql("SELECT week FROM meta.week").fetchall()[0][0])
    manifest = ManifestStore(home.store).latest(week)
    out = home.out / week
    with one_at_a_time(home.store / "reports.lock"):
        standing = standing_of(home, manifest, audiences) if manifest else ALONE
        issued = (issued_files(home, manifest, standing.release) if manifest else None) or []
        missing = _formats_of(name for name in names if out / name not in issued)
        if missing:
            with connect(database, read_only=True) as con:
                made = render(con, out, missing, standing)
            if manifest and issued:
                record_issue(home, manifest, sorted({*issued, *made}), standing.release)
    _tell(output, week, [out / name for name in names], missing)


def _formats_of(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(name.partition(".")[2] for name in names))


def _tell(output: Output, week: str, files: list[Path], made: list[str]) -> None:
    told = [{"file": file, "made": file.suffix[1:] in made} for file in files]
    output.document({"week": week, "files": told})
    for item in told:
        output.line(f"  {'made     ' if item['made'] else 'as issued'}  {item['file']}")
