"""``turnup inspect FOLDER``: every file of a folder in one line, to see which of them to look at by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipelines.commands.inspect import as_document, takers
from reports.wording import plural
from turnup.configuration_error import ConfigurationError
from turnup.inbox import Inbox, Skipped
from turnup.isolation import shared_reader

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.commands.output import Output
    from turnup.formats import Inspection

_HEADS = ("file", "format", "dataset", "rows", "quarantined", "errors", "warnings", "source", "first of them")


def inspect_folder(folder: Path, output: Output, home: Path, dataset: str = "") -> None:
    """Print a line for every file below a folder, hidden and unfinished ones apart; inspects as for one file.

    Args:
        folder: where the files are, in folders of their own or not.
        output: where to.
        home: the programme whose sources may take them already.
        dataset: what each is to be read as; what fits best where empty.

    Raises:
        ConfigurationError: the folder has no file.
        SystemExit: exit code 1 when a finding would block a file.
    """
    left: list[Skipped] = []
    # Only names are asked of it, and no name is dated, so any zone does.
    files = list(Inbox(folder, "UTC").files(left))
    if not files and not left:
        raise ConfigurationError(f"{folder}: no file in it to look at")
    shared_reader().start()
    found = [(path, shared_reader().inspect(file, file.name, dataset), takers(home, file.name)) for file, path in files]
    output.document(
        {
            "folder": str(folder),
            "files": [{"file": path, **as_document(item), "taken_by": sources} for path, item, sources in found],
            "not_looked_at": [{"path": item.path, "reason": item.reason} for item in left],
        }
    )
    output.table(plural(len(found), "file"), _HEADS, [_line(*item) for item in found])
    for item in left:
        output.line(f"{item.path} was not looked at: {item.reason}")
    output.line("\nturnup inspect FILE says more of one, and proposes a source for it.")
    if any(_of(item, "error") for _, item, _ in found):
        raise SystemExit(1)


def _line(path: str, found: Inspection, sources: list[str]) -> tuple[Any, ...]:
    errors, warnings = _of(found, "error"), _of(found, "warning")
    first = next(iter(errors + warnings), "")
    rows, refused = found.ledger.data or None, found.quarantined
    return path, found.format, found.dataset, rows, refused, len(errors), len(warnings), ", ".join(sources), first


def _of(found: Inspection, severity: str) -> list[str]:
    return [item.message for item in found.findings if item.severity == severity]
