"""``turnup inspect``: what a file is and how it would be read."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from expectations.contract import load_contracts
from turnup.formats import inspect
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.commands.output import Output


def inspect_file(file: Path, output: Output) -> None:
    """Print format, dataset, row ledger, column mapping and findings; exit 1 when a finding would block the file."""
    if not file.is_file():
        raise ConfigurationError(f"{file}: no such file")
    found: Any = inspect(file, file.name, load_contracts())
    with file.open("rb") as handle:
        sha256 = hashlib.file_digest(handle, "sha256").hexdigest()
    findings = [asdict(item) for item in found.findings]
    output.document(
        {
            "file": file.name,
            "sha256": sha256,
            "format": found.format,
            "dataset": found.dataset,
            "rows": asdict(found.ledger),
            "columns": [asdict(item) for item in found.columns],
            "findings": findings,
            "source": found.source,
        }
    )
    output.line(f"{file.name}: {found.format}, dataset {found.dataset or 'unknown'}")
    output.table("Rows", ("kind", "lines"), [item for item in asdict(found.ledger).items() if item[1]])
    output.table("Columns", ("theirs", "ours", "how"), [(item.name, item.maps_to, item.how) for item in found.columns])
    output.table(
        "Findings", ("severity", "code", "row", "column", "what"),
        [(item["severity"], item["code"], item["row"], item["column"], item["message"]) for item in findings],
    )  # fmt: skip
    if any(item["severity"] == "error" for item in findings):
        raise SystemExit(1)
