"""``turnup ui``: the Dagster UI with one programme."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pipelines.instance import prepare_instance
from turnup.programme import Home

_WORKSPACE = Path(__file__).resolve().parents[2] / "workspace.yaml"


def start_ui(folder: Path, port: int) -> None:
    """Replace this process by ``dagster dev`` on the loopback address; its daemon runs the weekly schedule."""
    home = Home(folder.resolve())
    home.load()
    prepare_instance(home)
    os.environ.update(TURNUP_HOME=str(home.root), DAGSTER_HOME=str(home.dagster))
    command = ["-m", "dagster", "dev", "-w", str(_WORKSPACE), "-h", "127.0.0.1", "-p", str(port)]
    os.execv(sys.executable, [sys.executable, *command])  # noqa: S606 - our own interpreter, fixed arguments
