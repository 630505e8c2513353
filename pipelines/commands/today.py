"""``turnup today``: what this day asks of a manager."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pipelines.commands.published import published_week
from pipelines.commands.refresh import parse_instant
from turnup.landing import Landing
from turnup.programme import Home
from turnup.warehouse.connection import connect
from turnup.working_day.today import Today, today, waiting

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.commands.output import Output

_TABLES = {
    "arrivals": (
        "Arrivals within 48 hours",
        ("eta", "shipment", "parts", "quantity", "vendor", "carrier", "destination", "slip_days"),
    ),
    "eta_moves": (
        "Days of arrival that moved since the last cut-off",
        ("shipment", "vendor", "destination", "eta_before", "eta", "days", "last_told"),
    ),
    "installs": (
        "Devices of the install trackers, and how far they are",
        ("system_id", "listed", "racked", "cabled", "powered", "provisioned", "racked_in_7_days",
         "provisioned_in_7_days", "due", "needed_a_day"),
    ),
    "gates": (
        "Gates whose criteria are met",
        ("system_id", "block", "title", "waits_for", "gate_before", "owner_role", "waiting_capacity"),
    ),
    "due": (
        "Actions and decisions due within 48 hours, or overdue",
        ("due_on", "id", "type", "title", "who", "overdue"),
    ),
}  # fmt: skip


def show_today(folder: Path, now: str, output: Output) -> None:
    """Print what the day asks, and what lies in the inbox that no refresh has taken yet."""
    home = Home(folder)
    programme = home.load()
    moment = parse_instant(now)
    with connect(published_week(home, ""), read_only=True) as con:
        found = today(con, programme, moment)
    lying = waiting(Landing(home, programme.time_zone), moment)
    output.document(_document(found, lying))
    still = "open, figures stand at its last refresh" if found.state == "open" else found.state
    output.line(f"{found.programme}, {found.at:%Y-%m-%d %H:%M %Z}; from week {found.week} ({still})")
    for name, (title, columns) in _TABLES.items():
        rows = getattr(found, name)
        if rows:
            output.table(title, columns, [[row[column] for column in columns] for row in rows])
        else:
            output.line(f"{title}: none")
    missing = [(owner, item.source, item.files, item.reason, item.due, item.last_file) for owner, item in found.missing]
    if missing:
        output.table("Files that should be here", ("owner", "source", "files", "why", "due", "last file"), missing)
    for path in lying:
        output.line(f"in the inbox, not taken yet: {path}")


def _document(found: Today, lying: list[str]) -> dict[str, Any]:
    lists = {name: getattr(found, name) for name in _TABLES}
    missing = [{"owner": owner, **asdict(item)} for owner, item in found.missing]
    head = {"programme": found.programme, "week": found.week, "state": found.state, "at": found.at}
    return {**head, **lists, "missing_files": missing, "not_taken_yet": lying}
