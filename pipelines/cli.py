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

from pipelines.commands.output import Output, fail_with
from turnup.durable import StoreDamaged
from turnup.yaml_source import ConfigurationError

app = typer.Typer(
    name="turnup",
    help="From an infrastructure programme's files to a weekly, evidence-backed readiness report.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

HomeOption = Annotated[
    Path, typer.Option("--home", envvar="TURNUP_HOME", help="Folder of the programme.", file_okay=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON document on standard output and nothing else.")]
OwnerOption = Annotated[str, typer.Option(help="Only this owner, as programme.yaml names them; default: all.")]
WeekOption = Annotated[str, typer.Option(help="ISO week, such as 2026-W44; default: the newest one made.")]
HERE = Path()
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
    file: Annotated[Path, typer.Argument(help="File to look at; it is not taken into any programme.")],
    write: Annotated[
        bool, typer.Option("--write", help="Save the proposed source in the programme's programme.yaml.")
    ] = False,
    name: Annotated[str, typer.Option(help="Name of the source to save; default: made from the file's name.")] = "",
    home: HomeOption = HERE,
    json: JsonOption = False,
) -> None:
    """Say what a file is, how its columns map to a dataset, and what is wrong with it; --write saves the mapping."""
    from pipelines.commands.inspect import inspect_file

    inspect_file(file, Output(json), home if write else None, name)


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


report_app = typer.Typer(help="The files of a week's reports.", rich_markup_mode=None)
app.add_typer(report_app, name="report")


@report_app.callback(invoke_without_command=True)
def report(
    context: typer.Context,
    home: HomeOption = HERE,
    week: WeekOption = "",
    formats: Annotated[
        str, typer.Option("--format", help="Formats with commas between: html, json, pdf, xlsx, pptx, eml.")
    ] = "html,json,pdf,xlsx,pptx,eml",
    json: JsonOption = False,
) -> None:
    """Write both reports of a week in the formats asked for; a refresh writes all of them."""
    if context.invoked_subcommand is None:
        from pipelines.commands.report import write_report

        write_report(home, week, formats, Output(json))


@report_app.command("release")
def report_release(
    by: Annotated[str, typer.Option(help="Name of the person who releases.")],
    reason: Annotated[str, typer.Option(help="Why it may be read although it is no FINAL.")],
    week: WeekOption = "",
    home: HomeOption = HERE,
    json: JsonOption = False,
) -> None:
    """Let leadership read a week that is no FINAL: on record with name, day and reason, for this result only."""
    from pipelines.commands.release import release_week

    release_week(home, week, by, reason, Output(json))


@report_app.command("vendor")
def report_vendor(
    name: Annotated[str, typer.Argument(help="Vendor, as its orders and shipments name it.")],
    week: WeekOption = "",
    home: HomeOption = HERE,
    json: JsonOption = False,
) -> None:
    """Write what one vendor may see: its own lines, without money, persons and other vendors (programme.yaml)."""
    from pipelines.commands.release import write_for_vendor

    write_for_vendor(home, week, name, Output(json))


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


@app.command()
def diagnose(
    files: Annotated[list[Path], typer.Argument(help="Measurement files: logs, JSON, result summaries.")],
    rules: Annotated[
        Path | None,
        typer.Option(help="Limits: ours, SuperBench rules or a node health check conf; default: the programme's."),
    ] = None,
    baseline: Annotated[Path | None, typer.Option(help="SuperBench baseline JSON that the rules need.")] = None,
    sku: Annotated[str, typer.Option(help="What the nodes are, when the limits name SKUs.")] = "*",
    node: Annotated[str, typer.Option(help="Node of logs that name none; default: each file is one of its own.")] = "",
    home: HomeOption = HERE,
    json: JsonOption = False,
) -> None:
    """Judge nodes by their measurement files, without a refresh."""
    from pipelines.commands.baseline import diagnose_files

    diagnose_files(files, rules, baseline, sku, node, home, Output(json))


@app.command()
def probe(
    into: Annotated[Path, typer.Option(help="Folder for the files, such as an inbox.", file_okay=False)] = HERE,
    node: Annotated[str, typer.Option(help="Name of this node; default: its host name.")] = "",
    seconds: Annotated[float, typer.Option(help="How long to watch the devices.", min=0.1, max=3600)] = 1.0,
    json: JsonOption = False,
) -> None:
    """Collect inventory, software and use of this node's accelerators (needs the extra 'probe')."""
    from pipelines.commands.probe import probe_node

    probe_node(into, node, seconds, Output(json))


baseline_app = typer.Typer(help="Limits that hardware is judged by.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(baseline_app, name="baseline")


@baseline_app.command("import")
def baseline_import(
    file: Annotated[Path, typer.Argument(help="SuperBench rules (YAML) or a node health check file (conf).")],
    sku: Annotated[str, typer.Option(help="SKU that the limits are for.")] = "*",
    baseline: Annotated[Path | None, typer.Option(help="SuperBench baseline JSON.")] = None,
    write: Annotated[bool, typer.Option("--write", help="Save them in baselines/ of the programme.")] = False,
    home: HomeOption = HERE,
    json: JsonOption = False,
) -> None:
    """Take over limits of another tool, exactly or not at all."""
    from pipelines.commands.baseline import import_rules

    import_rules(file, sku, baseline, home if write else None, Output(json))


@baseline_app.command("lint")
def baseline_lint(
    files: Annotated[list[Path] | None, typer.Argument(help="Files of expectations; default: the programme's.")] = None,
    home: HomeOption = HERE,
    json: JsonOption = False,
) -> None:
    """Find limits that contradict each other, their metric or physics."""
    from pipelines.commands.baseline import lint_baselines

    lint_baselines(files or [], home, Output(json))


@baseline_app.command("learn")
def baseline_learn(
    sku: Annotated[str, typer.Argument(help="SKU, as in the data.")],
    test: Annotated[str, typer.Argument(help="Test, such as all_reduce.")],
    metric: Annotated[str, typer.Argument(help="Metric, such as busbw.")],
    unit: Annotated[str, typer.Option(help="Unit of the limit.")] = "GB/s",
    statistic: Annotated[str, typer.Option(help="Statistic of the figure.")] = "value",
    size: Annotated[str, typer.Option(help="'largest', or a message size.")] = "largest",
    direction: Annotated[str, typer.Option(help="Direction; empty for any.")] = "",
    nodes: Annotated[int, typer.Option(help="Nodes of a run; 0 for any.")] = 0,
    method: Annotated[str, typer.Option(help="robust or cdf.")] = "robust",
    tolerance: Annotated[float, typer.Option(help="How far below the median is still good.")] = 0.05,
    write: Annotated[bool, typer.Option("--write", help="Save it in baselines/ of the programme.")] = False,
    home: HomeOption = HERE,
    json: JsonOption = False,
) -> None:
    """Learn a limit from the newest figures of a healthy population."""
    from pipelines.commands.baseline import learn_baseline, wanted

    like = wanted(
        {"sku": sku, "test": test, "metric": metric, "unit": unit, "statistic": statistic, "size": size,
         "direction": direction or None, "nodes": nodes or None}
    )  # fmt: skip
    learn_baseline(home, like, method, tolerance, write, Output(json))


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


@app.command()
def ui(home: HomeOption = HERE, port: Annotated[int, typer.Option(help="Port on 127.0.0.1.")] = 3000) -> None:
    """Start the Dagster UI on 127.0.0.1 with this programme."""
    from pipelines.commands.ui import start_ui

    start_ui(home, port)


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
    except (StoreDamaged, OSError) as error:
        fail_with("storage", str(error), 3, as_json=as_json)
    except Exception as error:  # noqa: BLE001 - the last place that can still answer a machine with a document
        traceback.print_exc()
        fail_with("internal", f"{type(error).__name__}: {error}", 3, as_json=as_json)
