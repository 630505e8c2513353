"""``turnup playbook check``: what is wrong with playbooks, all of it at once."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from turnup.programme import Home
from turnup.readiness.playbook_lint import check_playbooks
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pipelines.commands.output import Output


def check(files: Sequence[Path], home: Path, output: Output) -> None:
    """Say what is unsound about some playbooks, or about the programme's own; exit code 1 when something is.

    Raises:
        ConfigurationError: no file is named and the programme has none.
    """
    folder = Home(home).playbooks
    chosen = [*files] or sorted(folder.glob("*.yaml"))
    if not chosen:
        raise ConfigurationError(f"{folder}: no playbook (*.yaml) here; turnup init lays the shipped ones")
    problems = check_playbooks(chosen)
    output.document({"files": [str(file) for file in chosen], "problems": [asdict(problem) for problem in problems]})
    output.line(f"{len(chosen)} playbooks, {len(problems)} problems")
    for problem in problems:
        output.line(f"- {problem}")
    if problems:
        raise SystemExit(1)
