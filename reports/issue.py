"""Issuing a week: its files with everything that stands beside its warehouse, written once and put on record."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

import duckdb

from reports.build.standing import Standing
from reports.formats.registry import EVERY_FORMAT
from reports.render import render
from reports.workbooks.send_back import write_send_backs
from turnup.audiences import Audiences
from turnup.durable import clear_unfinished
from turnup.programme import Home
from turnup.returns.open_rows import send_backs
from turnup.warehouse.connection import connect
from turnup.warehouse.issued import earlier_issue, issued_files, last_issue, record_issue
from turnup.warehouse.manifest import Manifest
from turnup.warehouse.release import release_of


def issue_week(
    home: Home, manifest: Manifest, con: duckdb.DuckDBPyConnection, audiences: Audiences, *, rewrite: bool = False
) -> list[Path]:
    """Return the files of a week: as they were issued where they stand so, else written and put on record.

    Args:
        home: the programme's folders; the caller holds its ``reports.lock``.
        manifest: the week's committed result.
        con: its published database.
        audiences: what each audience may not see.
        rewrite: write them again, although they stand as they were issued.
    """
    clear_unfinished(home.out)
    clear_unfinished(home.out / manifest.week, deep=True)
    standing = standing_of(home, manifest, audiences)
    files = None if rewrite else issued_files(home, manifest, standing.release)
    if files is None:
        files = render(con, home.out / manifest.week, EVERY_FORMAT, standing)
        write_send_backs(send_backs(con), home.out / manifest.week, home.sent_back(manifest.week))
        record_issue(home, manifest, files, standing.release)
    return files


def written_again(home: Home, manifest: Manifest, database: Path, names: Iterable[str]) -> dict[str, bytes]:
    """The files of an issued week as they are made today, by name, in the formats that were issued.

    Args:
        home: the programme's folders.
        manifest: the week's committed result.
        database: its published database, or one made again.
        names: the files that were issued, relative to the week's folder.
    """
    formats = {name.rpartition(".")[2] for name in names if "/" not in name} & set(EVERY_FORMAT)
    standing = standing_of(home, manifest, home.load().audiences)
    with tempfile.TemporaryDirectory(prefix="turnup-") as folder, connect(database, read_only=True) as con:
        root = Path(folder)
        return {file.relative_to(root).as_posix(): file.read_bytes() for file in render(con, root, formats, standing)}


def standing_of(home: Home, manifest: Manifest, audiences: Audiences) -> Standing:
    """What an issue is built from beside its warehouse."""
    return Standing(
        released=release_of(home.store, manifest),
        last=last_issue(home, manifest),
        earlier=earlier_issue(home, manifest),
        audiences=audiences,
    )
