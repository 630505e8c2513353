"""``turnup probe``: what this node says of its accelerators, as files for the inbox."""

from __future__ import annotations

import csv
import io
import platform
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from turnup.acceptance.probe import NoAccelerator, Probed, Row, probe
from turnup.durable import replace_bytes
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.commands.output import Output


def probe_node(into: Path, node: str, seconds: float, output: Output) -> None:
    """Write one CSV per dataset; where there is no accelerator, say so and write nothing."""
    try:
        import pynvml
    except ImportError as error:
        raise ConfigurationError("turnup probe needs nvidia-ml-py: pip install 'turnup[probe]'") from error
    name = node or platform.node()
    now = datetime.now(UTC).replace(microsecond=0)
    try:
        found = probe(pynvml, name, now, time.sleep, seconds)
    except NoAccelerator as absent:
        output.document({"node": name, "accelerators": 0, "message": str(absent), "files": []})
        output.line(f"{absent}.")
        return
    files = write_files(found, into, name, now)
    output.document({"node": name, "accelerators": len(found.installs), "files": files})
    output.line(f"{len(found.installs)} accelerators on {name}: {', '.join(str(file) for file in files)}")


def write_files(found: Probed, into: Path, node: str, now: datetime) -> list[Path]:
    """One file per dataset that has rows, named by node and instant."""
    files = []
    for dataset, rows in found.datasets.items():
        if rows:
            file = into / f"probe_{node}_{dataset}_{now:%Y%m%dT%H%M%S}.csv"
            replace_bytes(file, _csv(rows))
            files.append(file)
    return files


def _csv(rows: list[Row]) -> bytes:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()
