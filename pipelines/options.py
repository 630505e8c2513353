"""Options that many commands have, said once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

HomeOption = Annotated[
    Path, typer.Option("--home", envvar="TURNUP_HOME", help="Folder of the programme.", file_okay=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON document on standard output and nothing else.")]
OwnerOption = Annotated[str, typer.Option(help="Only this owner, as programme.yaml names them; default: all.")]
WeekOption = Annotated[str, typer.Option(help="ISO week, such as 2026-W44; default: the newest one made.")]
HERE = Path()
