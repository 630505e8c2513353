"""A round of delivery over the files that were issued: which message there is, and whether it may go out."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial

from reports.delivery.dispatch import Round, dispatch
from reports.delivery.journal import Journal
from reports.delivery.sender import Sender
from turnup.programme import Home, Programme
from turnup.warehouse.manifest import Manifest
from turnup.warehouse.release import files_as_released, release_of


def sender_of(home: Home, programme: Programme, secrets: Mapping[str, str], clock: Callable[[], datetime]) -> Sender:
    """The ways out of a programme.

    Args:
        home: its folders.
        programme: its configuration.
        secrets: environment variables, which hold what its configuration only names.
        clock: tells the present instant.
    """
    return Sender(programme.delivery, home.root, Journal(home.store), secrets, clock, time.sleep)


def deliver(home: Home, programme: Programme, sender: Sender) -> Round:
    """Send every message of the issued weeks that is due now and may go out."""
    return dispatch(home, programme, sender, partial(issued_message, home), partial(held_back, home), sender.clock())


def issued_message(home: Home, manifest: Manifest, report: str) -> bytes | None:
    """The message of a report, when the files of this very result stand as they were issued; else None."""
    for file in files_as_released(home, manifest) or ():
        if file.name == f"{report}.eml":
            return file.read_bytes()
    return None


def held_back(home: Home, manifest: Manifest, report: str) -> str:
    """Why a report may not go out: leaders get a DRAFT or an unrated report only once somebody has released it."""
    if report != "executive":
        return ""
    file = next((one for one in files_as_released(home, manifest) or () if one.name == "executive.json"), None)
    if file is None:
        return ""
    header = json.loads(file.read_bytes())["header"]
    state = header["issue_state"]
    released = release_of(home.store, manifest)
    # The message names who released it: one that was written before the release does not go out.
    shown = header.get("released") or {}
    if state == "FINAL" or (released is not None and shown.get("number") == released.number):
        return ""
    reasons = "; ".join(header["issue_reasons"])
    return f"it is a {state} ({reasons}); turnup report release --week {manifest.week} lets it go out"
