"""``turnup inspect``: what a file is and how it would be read."""

from __future__ import annotations

import hashlib
import re
from dataclasses import asdict
from textwrap import indent
from typing import TYPE_CHECKING, Any

import yaml

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
            "facts": {
                fact.name: list(fact.value) if isinstance(fact.value, tuple) else fact.value for fact in found.facts
            },
            "findings": findings,
            "source": found.source,
        }
    )
    dataset = f"dataset {found.dataset}, see docs/datasets/{found.dataset}.md" if found.dataset else "dataset unknown"
    output.line(f"{file.name}: {found.format}, {dataset}")
    counts = {kind: lines for kind, lines in asdict(found.ledger).items() if lines}
    if counts:
        output.line(f"{counts.pop('lines')} lines = {' + '.join(f'{lines} {kind}' for kind, lines in counts.items())}")
    if found.facts:
        shown = [
            (fact.name.replace("_", " "), f"{_fact(fact.value)} {fact.unit}".strip(), fact.note) for fact in found.facts
        ]
        output.table("Figures", ("what", "value", "note"), shown)
    if found.columns:
        rows = [(item.name, item.maps_to or f"({_unmapped(item)})", item.how) for item in found.columns]
        output.table("Columns", ("theirs", "ours", "found by"), rows)
    if findings:
        output.table(
            "Findings", ("severity", "code", "row", "column", "what"),
            [(item["severity"], item["code"], item["row"], item["column"], item["message"]) for item in findings],
        )  # fmt: skip
    if found.source:
        output.line(
            "\nProposed source, to paste under sources: in programme.yaml (a * in files: where names change):\n"
        )
        output.line(indent(as_yaml({_source_name(file): found.source}), "  "))
        output.line("Values are checked at the refresh: turnup status then lists what was refused, and why.")
    if any(item["severity"] == "error" for item in findings):
        raise SystemExit(1)


def as_yaml(value: Any) -> str:
    """A value as a person writes it in programme.yaml: keys in order, empty lists and mappings left out."""
    text: str = yaml.safe_dump(_without_empty(value), sort_keys=False, allow_unicode=True, width=1000)
    return text


def _without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_empty(item) for key, item in value.items() if item not in ({}, [])}
    return value


def _fact(value: int | str | tuple[str, ...]) -> str:
    if isinstance(value, tuple):
        return f"{', '.join(value[:10])}{' ...' if len(value) > 10 else ''}" or "none"
    return f"{value:,}" if isinstance(value, int) else value


def _source_name(file: Path) -> str:
    """A name for the source: the words of the file's name before any number."""
    words = re.findall(r"[^\W\d_]+", file.stem.lower())
    return "-".join(words) or "source"


def _unmapped(column: Any) -> str:
    return f"{column.proposed}?" if column.proposed else "ignored"
