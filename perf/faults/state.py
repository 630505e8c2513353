"""What a programme holds, to compare one that was disturbed with one that was not; and its readers meanwhile."""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING

from perf.faults.programme import ROWS, WEEKS
from pipelines.commands.doctor import see_doctor
from pipelines.commands.output import Output
from pipelines.commands.verify import verify_week
from reports.delivery.journal import Journal
from tests.turnup.small_programme import tables
from turnup.warehouse.connection import connect

if TYPE_CHECKING:
    from pathlib import Path

    from turnup.programme import Home

_LATER = "2199-12-24T00:00:00+00:00"
_KEPT = ("weeks", "results", "issued", "register", "files", "batches", "parts", "configuration")
_OF_A_SCAN = {"looks.json", "last_scan.json"}
State = dict[str, str]


def state(home: Home) -> State:
    """Every file of the store and the reports, and every table that the warehouse shows, to a hash."""
    found = {}
    for folder in (*(home.store / name for name in _KEPT), home.out):
        for file in folder.rglob("*"):
            if file.is_file() and file.name not in _OF_A_SCAN and not file.name.startswith("."):
                found[file.relative_to(home.root).as_posix()] = hashlib.sha256(file.read_bytes()).hexdigest()
    if home.warehouse.exists():
        for name, rows in tables(home.warehouse).items():
            found[f"table {name}"] = hashlib.sha256(repr(rows).encode()).hexdigest()
    return found


def differences(state: State, expected: State, limit: int = 6) -> list[str]:
    """What one state has other than another, in words."""
    names = sorted(name for name in {*state, *expected} if state.get(name) != expected.get(name))
    words = [
        f"{name}: {'is too much' if name not in expected else 'is missing' if name not in state else 'differs'}"
        for name in names
    ]
    return words[:limit] + ([f"and {len(words) - limit} more"] if len(words) > limit else [])


def proved(home: Home, week: str) -> None:
    """Verify a week and let the doctor mend what a killed process left; ends this process when either complains."""
    verify_week(home.root, week, Output(True))
    see_doctor(home.root, _LATER, Output(True), mends=True)


def sent(home: Home) -> dict[tuple[str, str, str], str]:
    """The journal of delivery: result, report and address to state."""
    return {(e.message.version, e.message.report, e.message.to): e.state for e in Journal(home.store).entries()}


def read_all_the_time(home: Home, until: Path) -> int:
    """Be a reader: open the warehouse again and again, and find a whole week every time; returns how often.

    Raises:
        AssertionError: it showed something else.
    """
    looks = 0
    while not until.exists():
        if home.warehouse.is_symlink():
            with connect(home.warehouse, read_only=True) as con:
                (found,) = con.sql(
                    "SELECT (SELECT string_agg(week || state) FROM meta.week), "
                    "(SELECT count(*) FROM mart.funnel), (SELECT min(contracted) FROM mart.classes), "
                    "(SELECT count(*) FROM stg.receipts)"
                ).fetchall()
            whole = {(f"{WEEKS[0]}closed", ROWS, 3, 3), (f"{WEEKS[1]}closed", ROWS, 6, 6)}
            assert found in whole, f"a reader saw {found}"
            looks += 1
        time.sleep(0.03)
    return looks
