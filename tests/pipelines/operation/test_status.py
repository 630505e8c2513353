"""The newest week at a glance, in the zone of the programme."""

from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.commands import status as module


def shown(home):
    return CliRunner().invoke(app, ["status", "--home", str(home.root)]).output.splitlines()[0]


def test_the_cut_off_is_named_with_its_zone(working, monkeypatch):
    # Friday 18:00 in UTC, as the programme says; Dublin has summer time until 25 October.
    assert shown(working) == "Aurora, week 2026-W41, cut-off Fri 2026-10-09 18:00 UTC"
    monkeypatch.setattr(module, "_WEEK", module._WEEK.replace("time_zone", "'Europe/Dublin' AS time_zone"))
    assert shown(working) == "Aurora, week 2026-W41, cut-off Fri 2026-10-09 19:00 IST"


def test_machines_get_the_instant_and_the_zone(working, turnup):
    found = turnup(working, "status")
    assert (found.cut_off, found.time_zone) == ("2026-10-09T18:00:00", "UTC")
