"""``turnup verify``: a week made again elsewhere, and compared with what was published and issued."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pipelines.commands.refresh import parse_instant
from turnup.programme import Home
from turnup.upkeep.comparison import Compared, compare_databases, compare_files, compare_results
from turnup.version import code_version
from turnup.warehouse.issued import issued_hashes
from turnup.warehouse.manifest import ManifestStore
from turnup.warehouse.publish import published_file
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from pipelines.commands.output import Output
    from turnup.upkeep.rebuild import Rebuilt
    from turnup.warehouse.manifest import Manifest


def verify_week(folder: Path, label: str, output: Output) -> None:
    """Say whether a week, made again, is the one that was published; exit code 1 when anything differs."""
    from turnup.upkeep.rebuild import rebuild

    home = Home(folder)
    home.load()
    store = ManifestStore(home.store)
    manifest = store.latest(label) if label else store.newest()
    if manifest is None:
        raise ConfigurationError(f"{'week ' + label if label else home.root}: no result to verify; run turnup refresh")
    with tempfile.TemporaryDirectory(prefix="turnup-verify-") as elsewhere:
        made = rebuild(home, manifest, Path(elsewhere) / "home", parse_instant(""))
        published = published_file(home, manifest)
        tables = (
            compare_databases(published, made.database)
            if published.exists()
            else compare_results(home.store, manifest.results, made.database)
        )
        issued = issued_hashes(home, manifest)
        reports = Compared(0, ()) if issued is None else _reports(home, manifest, issued, made)
    _tell(home, manifest, made, tables, reports, output, whole=published.exists(), issued=issued is not None)
    if tables.differences or reports.differences:
        raise SystemExit(1)


def _reports(home: Home, manifest: Manifest, issued: dict[str, str], made: Rebuilt) -> Compared:
    from reports.issue import written_again

    again = written_again(home, manifest, made.database, issued)
    return compare_files(issued, again, manifest.inputs["code_version"], code_version())


def _tell(
    home: Home, manifest: Manifest, made: Rebuilt, tables: Compared, reports: Compared, output: Output, *,
    whole: bool, issued: bool,
) -> None:  # fmt: skip
    then, now = manifest.inputs["code_version"], code_version()
    differences = (*tables.differences, *reports.differences)
    output.document(
        {
            "home": home.root,
            "result": manifest.name,
            "equal": not differences,
            "made_with": then,
            "compared_with": now,
            "files": made.files,
            "read_again": made.from_files,
            "tables": tables.count,
            "whole_database": whole,
            "reports": reports.count,
            "differences": [{"what": item.what, "message": item.message} for item in differences],
        }
    )
    again = "read again" if made.from_files else "not read again: their rows are those kept in store/parts"
    output.line(f"{manifest.name}, made from {made.files} files, {again}")
    if then != now:
        output.line(f"  made with turnup {then}; this is {now}, the likely reason for any difference but that name")
    if not whole:
        output.line("  its published file was cleared away; its result tables were compared instead")
    if not issued:
        output.line("  no report was issued for it")
    for item in differences:
        output.line(f"  {item.what} {item.message}")
    unequal = (len(tables.differences), len(reports.differences))
    output.line(
        f"  {tables.count} tables compared row by row, {unequal[0]} differ; "
        f"{reports.count} report files byte by byte, {unequal[1]} differ"
    )
