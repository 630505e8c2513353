"""``turnup template``: an empty workbook for a dataset."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from expectations.contract import load_contracts
from reports.workbooks.template import template
from turnup.durable import replace_bytes
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from pipelines.commands.output import Output


def write_template(dataset: str, file: Path | None, output: Output) -> None:
    """Write the workbook of a dataset; an existing file is never touched.

    Raises:
        ConfigurationError: no such dataset, or the file exists.
    """
    contracts = load_contracts()
    if dataset not in contracts:
        near = get_close_matches(dataset, contracts, n=1)
        guess = f"; did you mean {near[0]}?" if near else "."
        raise ConfigurationError(f"no dataset '{dataset}'{guess} All are: {', '.join(contracts)}")
    target = file or Path(f"{dataset}.xlsx")
    if target.exists():
        raise ConfigurationError(f"{target} exists already; choose another name with --file")
    replace_bytes(target, template(contracts[dataset]))
    source = {"dataset": dataset, "files": f"{dataset}*.xlsx"}
    output.document({"dataset": dataset, "file": target, "source": source})
    output.line(f"Made {target}. Filled, and dropped into the inbox, it is read by a source of two lines:")
    output.line(f'  {dataset}:\n    dataset: {dataset}\n    files: "{source["files"]}"')
