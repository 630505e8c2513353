"""``turnup report release`` and ``report vendor``: who else may read a week, and what of it."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from reports.build.standing import Standing
from reports.build.vendor import build_vendor_report
from reports.index import render_index
from reports.issue import issue_week
from reports.sheets import write_vendor_report
from turnup.durable import one_at_a_time
from turnup.programme import Home
from turnup.refresh import Refresh
from turnup.warehouse.connection import connect
from turnup.warehouse.manifest import ManifestStore
from turnup.warehouse.release import record_release
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.commands.output import Output
    from turnup.warehouse.manifest import Manifest


def release_week(folder: Path, label: str, by: str, reason: str, output: Output) -> None:
    """Record the release of a week as it stands and write its files again, which then name the person.

    Raises:
        ConfigurationError: the week has no result, its issue is FINAL, or person or reason is missing.
    """
    home = Home(folder)
    audiences = home.load().audiences
    manifest = _standing(home, label)
    now = datetime.now(UTC)
    with one_at_a_time(home.store / "reports.lock"):
        database = Refresh(home, manifest.week, now).restore(manifest)
        with connect(database, read_only=True) as con:
            issue_week(home, manifest, con, audiences)
            state, reasons = _state(home.out / manifest.week)
            if state == "FINAL":
                raise ConfigurationError(f"{manifest.name} is FINAL and needs no release")
            made = record_release(home.store, manifest, by, now, reason)
            files = issue_week(home, manifest, con, audiences)
        render_index(home.out)
    output.document(
        {"released": asdict(made), "state": state, "reasons": reasons, "files": [str(f) for f in files[:4]]}
    )
    output.line(f"{made.name} released as {state} by {made.by}: {made.reason}")
    for reason_ in reasons:
        output.line(f"  {state}: {reason_}")
    output.line(
        f"  holds for inputs {made.fingerprint} only; {home.out / manifest.week / 'executive.html'} names the release"
    )


def write_for_vendor(folder: Path, label: str, vendor: str, output: Output) -> None:
    """Write what one vendor may see of a week.

    Raises:
        ConfigurationError: the week has no result, or no file names the vendor.
    """
    home = Home(folder)
    audiences = home.load().audiences
    manifest = _standing(home, label)
    with one_at_a_time(home.store / "reports.lock"):
        database = Refresh(home, manifest.week, datetime.now(UTC)).restore(manifest)
        with connect(database, read_only=True) as con:
            report = build_vendor_report(con, vendor, Standing(audiences=audiences))
        files = write_vendor_report(report, home.out / manifest.week)
    output.document({"vendor": report.vendor, "hides": list(audiences.vendor), "files": [str(file) for file in files]})
    output.line(f"{report.vendor}, {manifest.name}: {report.message}")
    output.line(f"  {files[0]} hides {', '.join(audiences.vendor) or 'nothing'}")


def _standing(home: Home, label: str) -> Manifest:
    store = ManifestStore(home.store)
    manifest = store.latest(label) if label else store.newest()
    if manifest is None:
        known = sorted({week for week, _ in store.names()})
        wanted = f"week {label} has no result" if label else "no week has a result"
        raise ConfigurationError(f"{wanted}; weeks that have: {', '.join(known) or 'none'}")
    return manifest


def _state(folder: Path) -> tuple[str, list[str]]:
    header = json.loads((folder / "executive.json").read_text(encoding="utf-8"))["header"]
    return header["issue_state"], header["issue_reasons"]
