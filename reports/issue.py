"""Issuing a week: its files with everything that stands beside its warehouse, written once and put on record."""

from pathlib import Path

import duckdb

from reports.build.standing import Standing
from reports.formats.registry import EVERY_FORMAT
from reports.render import render
from reports.workbooks.send_back import write_send_backs
from turnup.audiences import Audiences
from turnup.programme import Home
from turnup.returns.open_rows import send_backs
from turnup.warehouse.issued import earlier_issue, issued_files, last_issue, record_issue
from turnup.warehouse.manifest import Manifest
from turnup.warehouse.release import release_of


def issue_week(home: Home, manifest: Manifest, con: duckdb.DuckDBPyConnection, audiences: Audiences) -> list[Path]:
    """Return the files of a week: as they were issued where they stand so, else written and put on record.

    Args:
        home: the programme's folders; the caller holds its ``reports.lock``.
        manifest: the week's committed result.
        con: its published database.
        audiences: what each audience may not see.
    """
    standing = standing_of(home, manifest, audiences)
    number = standing.released.number if standing.released else 0
    files = issued_files(home, manifest, number)
    if files is None:
        files = render(con, home.out / manifest.week, EVERY_FORMAT, standing)
        write_send_backs(send_backs(con), home.out / manifest.week, home.sent_back(manifest.week))
        record_issue(home, manifest, files, number)
    return files


def standing_of(home: Home, manifest: Manifest, audiences: Audiences) -> Standing:
    """What an issue is built from beside its warehouse."""
    return Standing(
        released=release_of(home.store, manifest),
        last=last_issue(home, manifest),
        earlier=earlier_issue(home, manifest),
        audiences=audiences,
    )
