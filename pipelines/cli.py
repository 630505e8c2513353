"""The command ``turnup``.

Contract for machines: with ``--json`` exactly one JSON document on standard output; exit code 0 done, 1 blocked by
findings, 2 usage or configuration error. No command imports Dagster or Great Expectations unless it runs the
pipeline.
"""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from typing import Annotated, Any

import typer

from pipelines.commands.output import Output, fail_with, storage_trouble
from pipelines.groups import hardware, operation, reports
from pipelines.options import HERE, HomeOption, JsonOption, OwnerOption, WeekOption
from turnup.configuration_error import ConfigurationError
from turnup.durable import StoreDamaged

app = typer.Typer(
    name="turnup",
    help="From an infrastructure programme's files to a weekly, evidence-backed readiness report.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

_UsageError: Any = typer.BadParameter.__bases__[0]  # typer does not export it by name


@app.command()
def init(folder: Annotated[Path, typer.Argument(help="Folder to make.")], json: JsonOption = False) -> None:
    """Make a new programme: configuration, inbox, playbooks."""
    from pipelines.commands.init import create_programme

    create_programme(folder, Output(json))


@app.command()
def demo(home: HomeOption = Path("demo"), json: JsonOption = False) -> None:
    """Generate the demo programme, refresh its weeks and print where the reports are."""
    from pipelines.commands.demo import run_demo

    run_demo(home, Output(json))


@app.command()
def inspect(
    file: Annotated[Path, typer.Argument(help="File to look at, or a folder of them; none is taken into a programme.")],
    write: Annotated[
        bool, typer.Option("--write", help="Save the proposed source in the programme's programme.yaml.")
    ] = False,
    name: Annotated[str, typer.Option(help="Name of the source to save; default: made from the file's name.")] = "",
    dataset: Annotated[str, typer.Option(help="What the file is, where turnup cannot tell; default: what fits.")] = "",
    home: HomeOption = HERE,
    json: JsonOption = False,
) -> None:
    """Say what a file is, how its columns map to a dataset, and what is wrong with it; --write saves the mapping."""
    from pipelines.commands.inspect import inspect_file

    inspect_file(file, Output(json), home, saves=write, name=name, dataset=dataset)


@app.command()
def schedule(
    file: Annotated[Path, typer.Argument(help="Schedule: XER, PMXML, Microsoft Project XML, or a table of tasks.")],
    settings: Annotated[
        Path | None, typer.Option(help="How health is judged (YAML); default: as the DCMA does.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Compute a schedule's dates, floats and health, and say where its own tool stored others."""
    from pipelines.commands.schedule import schedule_file

    schedule_file(file, Output(json), settings)


@app.command()
def refresh(
    home: HomeOption = HERE,
    week: Annotated[
        str, typer.Option(help="ISO week of the cut-off, such as 2026-W44; default: the present one.")
    ] = "",
    reason: Annotated[str, typer.Option(help="Why; kept in the week's manifest.")] = "",
    restate: Annotated[
        bool, typer.Option("--restate", help="Re-open a closed week with the files that came late.")
    ] = False,
    now: Annotated[str, typer.Option(help="Work at this instant (ISO 8601 with zone) instead of the present.")] = "",
    json: JsonOption = False,
) -> None:
    """Read what is new in the inbox, make the week and both reports, and record the run for the Dagster UI."""
    from pipelines.commands.refresh import refresh_week

    refresh_week(home, week, reason, now, Output(json), restate=restate)


@app.command()
def status(home: HomeOption = HERE, json: JsonOption = False) -> None:
    """Show the newest week: systems, sources and the first blockers."""
    from pipelines.commands.status import show_status

    show_status(home, Output(json))


@app.command()
def explain(
    metric: Annotated[str, typer.Argument(help="Metric, such as schedulable.")],
    system: Annotated[str, typer.Argument(help="System id; empty for the whole programme.")] = "",
    home: HomeOption = HERE,
    week: WeekOption = "",
    json: JsonOption = False,
) -> None:
    """Show a figure's definition, formula, SQL and value, last week's value, and the rows behind it."""
    from pipelines.commands.explain import explain_metric

    explain_metric(home, metric, system, week, Output(json))


@app.command()
def blockers(
    home: HomeOption = HERE,
    system: Annotated[str, typer.Option(help="Only this system.")] = "",
    site: Annotated[str, typer.Option(help="Only systems at this site.")] = "",
    owner: Annotated[str, typer.Option(help="Only this owner's.")] = "",
    kind: Annotated[str, typer.Option(help="Only this kind of system, such as gpu_cluster.")] = "",
    week: WeekOption = "",
    json: JsonOption = False,
) -> None:
    """Show what holds capacity back, in order of rank: unmet criteria with owner, age and what they hold."""
    from pipelines.commands.blockers import show_blockers

    show_blockers(home, {"system": system, "site": site, "owner": owner, "kind": kind}, week, Output(json))


@app.command()
def diff(
    before: Annotated[str, typer.Argument(help="ISO week, such as 2026-W40.")],
    after: Annotated[str, typer.Argument(help="ISO week to compare with it.")],
    home: HomeOption = HERE,
    json: JsonOption = False,
) -> None:
    """Compare two weeks: capacity, gates, dates, blockers, findings and definitions."""
    from pipelines.commands.diff import show_difference

    show_difference(home, before, after, Output(json))


@app.command()
def audit(
    system: Annotated[str, typer.Argument(help="System id.")],
    home: HomeOption = HERE,
    week: WeekOption = "",
    json: JsonOption = False,
) -> None:
    """Say go or no-go before a large run, line by line with its rows; exit code 1 unless every line is go."""
    from pipelines.commands.audit import show_audit

    show_audit(home, system, week, Output(json))


@app.command()
def forecast(
    home: HomeOption = HERE,
    week: WeekOption = "",
    what_if: Annotated[
        list[str] | None,
        typer.Option("--what-if", help="A question such as 'shipment S-12 +14d'; several are asked together."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Show when what is contracted will be there and how sure that is; --what-if compares odds and changes nothing."""
    from pipelines.commands.forecast import show_forecast

    show_forecast(home, week, what_if or [], Output(json))


@app.command()
def chase(
    home: HomeOption = HERE,
    owner: OwnerOption = "",
    week: WeekOption = "",
    now: Annotated[str, typer.Option(help="Judge what is due at this instant (ISO 8601 with zone).")] = "",
    json: JsonOption = False,
) -> None:
    """Write what to ask of each owner: files that are due, rows to correct, files that were not read."""
    from pipelines.commands.chase import print_chase

    print_chase(home, owner, week, now, Output(json))


@app.command(name="send-back")
def send_back(
    home: HomeOption = HERE, owner: OwnerOption = "", week: WeekOption = "", json: JsonOption = False
) -> None:
    """Write the workbooks in which owners correct their rows; a refresh writes them too."""
    from pipelines.commands.send_back import make_send_backs

    make_send_backs(home, owner, week, Output(json))


@app.command()
def rework(home: HomeOption = HERE, week: WeekOption = "", json: JsonOption = False) -> None:
    """Write the cable jobs for technicians, as one walks: a workbook and a table."""
    from pipelines.commands.rework import make_rework

    make_rework(home, week, Output(json))


@app.command()
def template(
    dataset: Annotated[str, typer.Argument(help="Dataset, such as bom; docs/datasets/ lists them.")],
    file: Annotated[Path | None, typer.Option(help="Workbook to write; default: <dataset>.xlsx here.")] = None,
    json: JsonOption = False,
) -> None:
    """Write an empty workbook for a dataset, to be filled in by a supplier; it is read without any mapping."""
    from pipelines.commands.template import write_template

    write_template(dataset, file, Output(json))


pull = typer.Typer(help="Ask a system for its data and lay it into the inbox.", no_args_is_help=True)
app.add_typer(pull, name="pull")


@pull.command()
def netbox(home: HomeOption = HERE, json: JsonOption = False) -> None:
    """Pull devices, modules, cables, racks and circuits from NetBox's API into the inbox, as one file a kind."""
    from pipelines.commands.pull import pull_from_netbox

    pull_from_netbox(home, Output(json))


playbook_app = typer.Typer(help="Gates and their criteria.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(playbook_app, name="playbook")


@playbook_app.command("check")
def playbook_check(
    files: Annotated[list[Path] | None, typer.Argument(help="Playbooks (YAML); default: the programme's.")] = None,
    home: HomeOption = HERE,
    json: JsonOption = False,
) -> None:
    """Find every fault of playbooks: unknown keys and metrics, limits that decide nothing, gates in a ring."""
    from pipelines.commands.playbook import check

    check(files or [], home, Output(json))


app.add_typer(hardware.app)
app.add_typer(operation.app)
app.add_typer(reports.app)


@app.command()
def ui(
    home: HomeOption = HERE,
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 3000,
    host: Annotated[str, typer.Option(help="Address to listen on; who reaches it may run everything.")] = "127.0.0.1",
) -> None:
    """Start the Dagster UI with this programme, for this machine alone unless --host names another address."""
    from pipelines.commands.ui import start_ui

    start_ui(home, port, host)


def main() -> None:
    """Entry point; every way in which a command can end has its exit code and, with ``--json``, its one document."""
    as_json = "--json" in sys.argv
    try:
        sys.exit(app(standalone_mode=False))
    except _UsageError as error:
        if not as_json:
            error.show()
            sys.exit(2)
        fail_with("usage", error.format_message(), 2, as_json=True)
    except ConfigurationError as error:
        fail_with("configuration", str(error), 2, as_json=as_json)
    except BrokenPipeError:
        # What reads our output went away; closing it must not complain again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except StoreDamaged as error:
        fail_with("storage", str(error), 3, as_json=as_json)
    except OSError as error:
        fail_with("storage", storage_trouble(error), 3, as_json=as_json)
    except Exception as error:  # noqa: BLE001 - the last place that can still answer a machine with a document
        traceback.print_exc()
        fail_with("internal", f"{type(error).__name__}: {error}", 3, as_json=as_json)
