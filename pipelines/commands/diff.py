"""``turnup diff``: what is otherwise in one week than in another."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from pipelines.commands.output import plain
from turnup.programme import Home
from turnup.readiness.compare import compare_weeks
from turnup.warehouse.manifest import ManifestStore
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.commands.output import Output
    from turnup.warehouse.manifest import Manifest

_SHOWN = 40


def show_difference(folder: Path, before: str, after: str, output: Output) -> None:
    """Print what differs between two weeks as they stand, a restated week as restated last.

    Raises:
        ConfigurationError: a week has no result; the message lists those that have.
    """
    home = Home(folder)
    home.load()
    manifests = [_manifest(home, label) for label in (before, after)]
    one, other = ({table: home.store / path for table, path in item.results.items()} for item in manifests)
    found = compare_weeks(one, other)
    first, second = (manifest.name for manifest in manifests)
    output.document({"before": first, "after": second, **found})
    output.line(f"{first} -> {second}{'' if any(found.values()) else ': nothing differs'}")
    for table, (title, heads) in _TABLES.items():
        if rows := found[table]:
            output.table(title, heads, [_row(table, row) for row in rows[:_SHOWN]])
        if len(rows) > _SHOWN:
            output.line(f"... and {len(rows) - _SHOWN} more; --json prints all")


def _manifest(home: Home, label: str) -> Manifest:
    store = ManifestStore(home.store)
    manifest = store.latest(label)
    if manifest is None:
        known = sorted({week for week, _ in store.names()})
        raise ConfigurationError(f"week {label} has no result; weeks that have: {', '.join(known) or 'none'}")
    if not all((home.store / result).exists() for result in manifest.results.values()):
        from turnup.refresh import Refresh

        Refresh(home, label, datetime.now(UTC)).restore(manifest)
    return manifest


_TABLES = {
    "classes": (
        "Kinds, each in its own unit",
        ("kind", "unit", "contracted", "due", "schedulable", "systems", "status"),
    ),
    "systems": ("Systems", ("system", "kind", "unit", "contracted", "due", "schedulable", "status", "gate")),
    "gates": ("Gates", ("system", "block", "gate", "state")),
    "forecast": ("Dates", ("of", "scope", "P50", "P80")),
    "blockers": ("Blockers", ("is", "system", "block", "gate", "message", "holds back", "owner")),
    "findings": ("Findings", ("is", "system", "code", "message", "file", "row")),
    "definitions": ("Definitions", ("what", "of", "name", "says")),
}
_CELLS = {
    "classes": ("kind", "unit", "contracted>", "due>", "schedulable>", "systems>", "status>"),
    "systems": ("system_id", "kind", "unit", "contracted>", "due>", "schedulable>", "status>", "current_gate>"),
    "gates": ("system_id", "block", "gate", "state>"),
    "forecast": ("scope_type", "scope", "p50>", "p80>"),
    "blockers": ("is", "system_id", "block", "gate", "message", "held", "owner"),
    "findings": ("is", "system_id", "code", "message", "file", "row"),
    "definitions": ("what", "subject", "name", "says>"),
}


def _row(table: str, row: dict[str, Any]) -> list[Any]:
    if table == "blockers":
        row = {**row, "held": f"{plain(row['capacity_held'])} {row['unit']}"}
    return [_moved(row, name[:-1]) if name.endswith(">") else row[name] for name in _CELLS[table]]


def _moved(row: dict[str, Any], name: str) -> Any:
    """A figure as ``before -> now``, dates with the days between; only once where it is the same."""
    before, now = row[f"{name}_before"], row[name]
    if before == now:
        return now
    words = f"{'none' if before is None else plain(before)} -> {'none' if now is None else plain(now)}"
    return f"{words} ({(now - before).days:+d} d)" if isinstance(before, date) and isinstance(now, date) else words
