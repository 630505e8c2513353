"""``turnup inspect``: what a file is and how it would be read."""

from __future__ import annotations

import hashlib
import re
from dataclasses import asdict
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Any

from reports.wording import plural
from turnup.configuration_error import ConfigurationError
from turnup.formats.file_names import file_pattern, fits_pattern
from turnup.isolation import shared_reader

if TYPE_CHECKING:
    from pipelines.commands.output import Output
    from turnup.formats import Inspection


def inspect_file(
    file: Path, output: Output, home: Path, *, saves: bool = False, name: str = "", dataset: str = ""
) -> None:
    """Print format, dataset, row ledger, column mapping, figures and findings; of a folder a line for each file.

    Args:
        file: the file, or a folder of them, of which nothing is saved.
        output: where to.
        home: the programme whose sources may take it already, and into which the proposed source is saved.
        saves: save it.
        name: of the source to save; made from the file's name where empty.
        dataset: what the file is to be read as; what fits best where empty.

    Raises:
        ConfigurationError: there is no such file or dataset, or nothing that can be saved.
        SystemExit: exit code 1 when a finding would block the file.
    """
    _check(file, dataset)
    if file.is_dir():
        from pipelines.commands.inspect_folder import inspect_folder

        if saves or name:
            raise ConfigurationError(f"{file}: a folder; --write and --name are for one file of it")
        inspect_folder(file, output, home, dataset)
        return
    shared_reader().start()
    taken = takers(home, file.name)  # loads while the child does
    found = shared_reader().inspect(file, file.name, dataset)
    source_name = name or _source_name(file)
    others = [] if name or source_name in taken else taken
    saved = _save(home, source_name, found, others, sure=bool(dataset)) if saves else None
    with file.open("rb") as handle:
        sha256 = hashlib.file_digest(handle, "sha256").hexdigest()
    output.document({"file": file.name, "sha256": sha256, **as_document(found), "taken_by": taken, "written_to": saved})
    _show(file, found, output)
    if taken:
        output.line(f"\nprogramme.yaml has a source for files of this name already: {', '.join(taken)}")
    if saved is not None:
        output.line(f"\nSaved as source '{source_name}' in {saved}.")
    elif found.source and not taken:
        _propose(source_name, found, output)
    if any(item.severity == "error" for item in found.findings):
        raise SystemExit(1)


def _propose(name: str, found: Inspection, output: Output) -> None:
    from turnup.source_writer import source_yaml

    proposed = indent(source_yaml(name, found.source, _open_points(found)), "  ")
    output.line(f"\nProposed source, to paste under sources: in programme.yaml (or use --write):\n\n{proposed}")


def as_document(found: Inspection) -> dict[str, Any]:
    """What was found out about a file, for machines."""
    return {
        "format": found.format,
        "dataset": found.dataset,
        "rows": asdict(found.ledger) | {"accepted": found.accepted, "quarantined": found.quarantined},
        "columns": [asdict(item) for item in found.columns],
        "facts": {fact.name: list(fact.value) if isinstance(fact.value, tuple) else fact.value for fact in found.facts},
        "findings": [asdict(item) for item in found.findings],
        "source": found.source,
    } | _results(found)


def _results(found: Inspection) -> dict[str, Any]:
    """The figures of a measurement file, and whether they can be judged."""
    if found.results is None:
        return {}
    return {
        "results": list(found.results.figures),
        "verdict_ready": found.results.verdict_ready,
        "incomplete": found.results.incomplete,
        "reasons": list(found.results.reasons),
    }


def _show(file: Path, found: Inspection, output: Output) -> None:
    output.line(f"{file.name}: {found.format}, {_fed(found)}")
    counts = {kind: lines for kind, lines in asdict(found.ledger).items() if lines}
    if counts:
        output.line(f"{counts.pop('lines')} lines = {' + '.join(f'{lines} {kind}' for kind, lines in counts.items())}")
    if found.accepted is not None:
        output.line(
            f"As it is, a refresh would accept {plural(found.accepted, 'row')} and quarantine {found.quarantined}."
        )
    if found.results is not None and not found.results.verdict_ready:
        why = [*([found.results.incomplete] if found.results.incomplete else []), *found.results.reasons]
        output.line(f"Not ready for a verdict: {'; '.join(why) or 'no figure was measured'}.")
    if found.facts:
        shown = [(fact.name.replace("_", " "), _value(fact.value, fact.unit), fact.note) for fact in found.facts]
        output.table("Figures", ("what", "value", "note"), shown)
    if found.columns:
        rows = [(item.name, item.maps_to or f"({_unmapped(item)})", item.how) for item in found.columns]
        output.table("Columns", ("theirs", "ours", "found by"), rows)
    if found.findings:
        output.table(
            "Findings", ("severity", "code", "row", "column", "what"),
            [(item.severity, item.code, item.row, item.column, item.message) for item in found.findings],
        )  # fmt: skip


def _fed(found: Inspection) -> str:
    if found.dataset:
        return f"dataset {found.dataset}, see docs/datasets/{found.dataset}.md"
    return (
        "dataset unknown" if any(item.severity == "error" for item in found.findings) else "feeds no dataset of its own"
    )


def _check(file: Path, dataset: str) -> None:
    if not file.is_file() and not file.is_dir():
        raise ConfigurationError(f"{file}: no such file or folder")
    if dataset:
        from expectations.contract import load_contracts

        known = sorted(load_contracts())
        if dataset not in known:
            raise ConfigurationError(f"--dataset '{dataset}': no such dataset; there are {', '.join(known)}")


def takers(home: Path, file_name: str) -> list[str]:
    """Sources of the programme, if there is one, whose pattern fits the file."""
    from turnup.programme import Home

    if not Home(home).configuration.exists():
        return []
    return sorted(name for name, source in Home(home).load().sources.items() if fits_pattern(file_name, source.files))


def _save(home: Path, name: str, found: Inspection, taken: list[str], *, sure: bool) -> Path:
    if not found.source:
        raise ConfigurationError("nothing to save: no dataset fits this file; say which one it is with --dataset")
    if taken:
        raise ConfigurationError(
            f"nothing saved: programme.yaml has a source for files of this name already ({', '.join(taken)}); with "
            "--name a second one is saved beside it"
        )
    missing = [str(item.column) for item in found.findings if item.code == "missing_column"]
    if missing and not sure:
        raise ConfigurationError(
            f"nothing saved: {found.dataset} needs {', '.join(missing)}, which no column of this file gives; "
            f"--dataset {found.dataset} saves it all the same, to be completed by hand"
        )
    from turnup.programme import Home
    from turnup.source_writer import add_source

    target = Home(home)
    add_source(target, name, found.source, _open_points(found))
    return target.configuration


def _open_points(found: Inspection) -> list[str]:
    """What a person still has to decide about the source, as comments beside it."""
    codes = (
        *("column_proposal", "missing_column", "value_proposal", "decimal_proposal"),
        *("ambiguous_date", "ambiguous_number", "week_without_year", "fiscal_year", "unknown_unit", "time_zone"),
    )
    return [" ".join(item.message.split()) for item in found.findings if item.code in codes]


def _source_name(file: Path) -> str:
    """A name for the source: the words of the file's name, without those that change."""
    words = re.findall(r"[a-z]+", Path(file_pattern(file.name)).stem.lower())
    return "-".join(words) or "source"


def _unmapped(column: Any) -> str:
    return f"{column.proposed}?" if column.proposed else "ignored"


def _value(value: int | str | tuple[str, ...], unit: str) -> str:
    if isinstance(value, tuple):
        return f"{', '.join(value[:10])}{' ...' if len(value) > 10 else ''}" or "none"
    return f"{f'{value:,}' if isinstance(value, int) else value} {unit}".strip()
