"""A round of delivery over the files that were issued: which message there is, and whether it may go out."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from reports.delivery.dispatch import Round, dispatch
from reports.delivery.sender import Sender
from turnup.programme import Home, Programme
from turnup.warehouse.issued import issued_files
from turnup.warehouse.manifest import Manifest
from turnup.warehouse.release import release_of


def deliver(home: Home, programme: Programme, sender: Sender) -> Round:
    """Send every message of the issued weeks that is due now and may go out."""
    return dispatch(home, programme, sender, partial(issued_message, home), partial(held_back, home), sender.clock())


def _issued(home: Home, manifest: Manifest) -> list[Path]:
    """The files of this very result, under its release where there is one."""
    released = release_of(home.store, manifest)
    return issued_files(home, manifest, released.number if released else 0) or []


def issued_message(home: Home, manifest: Manifest, report: str) -> bytes | None:
    """The message of a report, when the files of this very result stand as they were issued; else None."""
    for file in _issued(home, manifest):
        if file.name == f"{report}.eml":
            return file.read_bytes()
    return None


def held_back(home: Home, manifest: Manifest, report: str) -> str:
    """Why a report may not go out: leaders get a DRAFT or an unrated report only once somebody has released it."""
    if report != "executive":
        return ""
    file = next((one for one in _issued(home, manifest) if one.name == "executive.json"), None)
    if file is None:
        return ""
    header = json.loads(file.read_bytes())["header"]
    state = header["issue_state"]
    if state == "FINAL" or release_of(home.store, manifest) is not None:
        return ""
    reasons = "; ".join(header["issue_reasons"])
    return f"it is a {state} ({reasons}); turnup report release --week {manifest.week} lets it go out"
