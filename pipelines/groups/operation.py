"""Commands of the working day and of the programme's upkeep."""

from __future__ import annotations

import typer

app = typer.Typer()
