"""``turnup export``, ``import`` and ``prune``: a programme in one file, and what no kept week needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipelines.commands.refresh import parse_instant
from pipelines.instance import prepare_instance
from turnup.durable import StoreDamaged
from turnup.programme import Home
from turnup.warehouse.manifest import ManifestStore
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.commands.output import Output
    from turnup.upkeep.prune import Prunable


def export_programme(folder: Path, target: Path, output: Output) -> None:
    """Write the programme to one file.

    Raises:
        ConfigurationError: its rows lie in a lake, or the file cannot be made.
    """
    from turnup.upkeep.archive.export import export

    home = Home(folder)
    if home.load().lake is not None:
        raise ConfigurationError(
            f"{home.configuration}: the rows lie in a lake, which an export does not hold; for a backup copy its "
            "catalog and its folder (docs/cluster.md), or write them into the store with turnup lake --back, take "
            "'lake' out of programme.yaml, and export"
        )
    entries = export(home, target)
    total = sum(item.size for item in entries)
    output.document({"file": target, "files": len(entries), "bytes": total, "size": target.stat().st_size})
    output.line(f"Made {target}: {len(entries)} files, {total:,} bytes. turnup import {target} --home DIR reads it.")
    output.line("Not in it: the inbox, the runs of Dagster, and databases that are made again.")


def import_from(archive: Path, folder: Path, output: Output) -> None:
    """Make a programme of an export, and publish its newest week again."""
    from turnup.upkeep.archive.imported import import_programme

    entries = import_programme(archive, folder)
    home = Home(folder)
    home.inbox.mkdir(exist_ok=True)
    prepare_instance(home)
    published, why_not = _publish(home)
    output.document({"home": folder, "files": len(entries), "published": published, "not_published": why_not or None})
    output.line(f"Made {folder} from {len(entries)} files, each as it was exported.")
    output.line(f"  {published} is published again" if published else f"  nothing is published: {why_not}")


def _publish(home: Home) -> tuple[str | None, str]:
    """Publish the newest week; a programme that this turnup cannot open is imported all the same."""
    from turnup.refresh import Refresh

    try:
        newest = ManifestStore(home.store).newest()
        if newest is None:
            return None, "it has no week yet"
        Refresh(home, newest.week, parse_instant("")).restore(newest)
    except (ConfigurationError, StoreDamaged) as error:
        return None, str(error)
    return newest.name, ""


def prune_programme(folder: Path, now: str, output: Output, *, dry_run: bool) -> None:
    """Remove what no kept week needs, or say what would go."""
    from expectations.contract import load_contracts
    from turnup.landing import Landing
    from turnup.upkeep.prune import prunable, prune

    home = Home(folder)
    programme = home.load()
    moment = parse_instant(now)
    files = prunable(home, programme, load_contracts(), Landing(home, programme.time_zone), moment)
    record = None if dry_run else prune(home, files, moment)
    total = sum(item.size for item in files)
    weeks = programme.retention.weeks
    output.document(
        {"weeks_kept": weeks, "removed": not dry_run, "bytes": total, "record": record, "files": _records(files),
         "lake": "its rows stay" if programme.lake else None}
    )  # fmt: skip
    if programme.lake is not None:
        output.line("The rows of the lake stay, all of them; turnup lake --tidy merges and clears its files.")
    if weeks is None:
        output.line("programme.yaml has no retention: every week is kept, and nothing goes.")
        return
    for why in sorted({item.why for item in files}):
        those = [item for item in files if item.why == why]
        output.line(f"  {len(those)} files, {sum(item.size for item in those):,} bytes: {why}")
    done = "would go" if dry_run else "are gone"
    output.line(f"{len(files)} files, {total:,} bytes {done}; the newest {weeks} weeks can be made again as they are.")
    if record is not None:
        output.line(f"  {record} lists them")


def _records(files: tuple[Prunable, ...]) -> list[dict[str, Any]]:
    return [{"path": item.path, "size": item.size, "why": item.why} for item in files]
