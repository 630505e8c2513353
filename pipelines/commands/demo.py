"""``turnup demo``: the demo programme, generated, refreshed week by week and reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.commands.init import make_folders
from pipelines.commands.refresh import describe, print_reports, run_with_progress
from turnup.programme import Home
from turnup.week import Calendar
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.commands.output import Output
    from turnup.programme import Programme
    from turnup.week import Week


def run_demo(folder: Path, output: Output) -> None:
    """Generate the programme where there is none, and refresh every week that its inbox covers."""
    try:
        from examples.demo import generate
    except ImportError as error:
        raise ConfigurationError("the demo runs from a checkout of turnup (its generator is in examples/)") from error
    home = Home(folder)
    if home.configuration.exists() and not (folder / "truth.json").exists():
        raise ConfigurationError(f"{folder} holds a programme that is not the demo; choose another folder")
    generate(folder)
    make_folders(home)
    weeks = covered_weeks(home, home.load())
    outcomes = run_with_progress(home, weeks, output, reason="demo", restate=False, now="")
    output.document({"home": folder, "weeks": [describe(home, outcome) for outcome in outcomes]})
    print_reports(home, outcomes, output)


def covered_weeks(home: Home, programme: Programme) -> list[Week]:
    """The weeks in which the dated folders of the inbox fall, from the programme's first week on."""
    from turnup.landing import Landing

    calendar = Calendar(programme)
    received = Landing(home, programme.time_zone).dated_arrivals()
    last = calendar.containing(max(received))
    week = calendar.week(programme.first_week)
    weeks = [week]
    while week < last:
        week = calendar.after(week)
        weeks.append(week)
    return weeks
