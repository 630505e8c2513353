"""Commands of the working day and of upkeep: is a week right, is the store whole, moving house, what may go."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipelines.commands.output import Output
from pipelines.options import HERE, HomeOption, JsonOption, WeekOption

app = typer.Typer()
NowOption = Annotated[str, typer.Option(help="Work at this instant (ISO 8601 with zone) instead of the present.")]


@app.command()
def today(home: HomeOption = HERE, now: NowOption = "", json: JsonOption = False) -> None:
    """Show what this day asks: arrivals, dates that moved, installs, gates that can pass, what is due or missing."""
    from pipelines.commands.today import show_today

    show_today(home, now, Output(json))


@app.command()
def lake(
    home: HomeOption = HERE,
    tidy: Annotated[bool, typer.Option("--tidy", help="Merge small files, remove those that nothing needs.")] = False,
    back: Annotated[bool, typer.Option("--back", help="Write its rows into the programme's own store.")] = False,
    now: NowOption = "",
    json: JsonOption = False,
) -> None:
    """Make the lake of programme.yaml, once, with the rows read so far, before workers start (extra 'cluster')."""
    from pipelines.commands import lake as commands

    if tidy and back:
        raise typer.BadParameter("one at a time", param_hint="--tidy and --back")
    if tidy:
        commands.tidy(home, now, Output(json))
    elif back:
        commands.bring_back(home, Output(json))
    else:
        commands.make_lake(home, Output(json))


@app.command()
def pack(
    home: HomeOption = HERE,
    vendor: Annotated[str, typer.Option(help="Agenda of a call with this vendor.")] = "",
    site: Annotated[str, typer.Option(help="Agenda of a call with this site.")] = "",
    owner: Annotated[str, typer.Option(help="Agenda of a call with this owner.")] = "",
    week: WeekOption = "",
    now: NowOption = "",
    json: JsonOption = False,
) -> None:
    """Write the agenda of one call: blockers, promises, goods, rows to correct, actions, files; no price in it."""
    from pipelines.commands.pack import make_pack

    make_pack(home, {"vendor": vendor, "site": site, "owner": owner}, week, now, Output(json))


@app.command(name="raid-log")
def raid_log(
    home: HomeOption = HERE,
    source: Annotated[str, typer.Option(help="Source of programme.yaml, where several are RAID logs.")] = "",
    week: WeekOption = "",
    json: JsonOption = False,
) -> None:
    """Write the RAID log as a workbook to edit; dropped into the inbox, it takes the log's place."""
    from pipelines.commands.raid_log import make_raid_log

    make_raid_log(home, source, week, Output(json))


@app.command()
def verify(home: HomeOption = HERE, week: WeekOption = "", json: JsonOption = False) -> None:
    """Make a week again elsewhere and compare it row by row, and its reports byte by byte; exit code 1 if unequal."""
    from pipelines.commands.verify import verify_week

    verify_week(home, week, Output(json))


@app.command()
def doctor(
    home: HomeOption = HERE,
    mend: Annotated[bool, typer.Option("--mend", help="Mend what can be mended; nothing is deleted.")] = False,
    now: NowOption = "",
    json: JsonOption = False,
) -> None:
    """Find what is broken on disk: received files, rows, weeks, the warehouse, reports; exit code 1 if any is."""
    from pipelines.commands.doctor import see_doctor

    see_doctor(home, now, Output(json), mends=mend)


@app.command(name="export")
def export_command(
    file: Annotated[Path, typer.Argument(help="File to make, such as aurora.tar.gz.", dir_okay=False)],
    home: HomeOption = HERE,
    json: JsonOption = False,
) -> None:
    """Write the whole programme to one file: received files, rows, weeks, configuration, playbooks, reports."""
    from pipelines.commands.move import export_programme

    export_programme(home, file, Output(json))


@app.command(name="import")
def import_command(
    file: Annotated[Path, typer.Argument(help="File that turnup export made.", exists=True, dir_okay=False)],
    home: Annotated[Path, typer.Option("--home", help="Folder to make; it is empty or not there.", file_okay=False)],
    json: JsonOption = False,
) -> None:
    """Make a programme of an export; every byte is checked before anything is put in place."""
    from pipelines.commands.move import import_from

    import_from(file, home, Output(json))


@app.command()
def prune(
    home: HomeOption = HERE,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    now: NowOption = "",
    json: JsonOption = False,
) -> None:
    """Remove what no kept week needs, as 'retention' in programme.yaml says; received files always stay."""
    from pipelines.commands.move import prune_programme

    prune_programme(home, now, Output(json), dry_run=dry_run)
