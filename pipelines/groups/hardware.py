"""Commands about nodes: judging them by their files, looking at them, and the limits they are judged by."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipelines.commands.output import Output
from pipelines.options import HERE, HomeOption, JsonOption

app = typer.Typer()


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
