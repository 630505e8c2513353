"""All formats, in the order in which they are tried, and the one way to read a file.

Each package below registers its own: ``FORMATS`` for formats with a reader of their own, ``PROFILES`` for tables whose
columns are known. A format is one module and one line in its package.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from turnup.formats import (
    benchmarks,
    bom,
    cabling,
    cloud,
    dcim,
    edi,
    limits,
    schedule,
    scheduler,
    tabular,
    topology,
    tracking,
)
from turnup.formats.content import Content
from turnup.formats.model import FileRejected, Format, RawTable, Request
from turnup.formats.profiles import Profile, fitting, overlaid
from turnup.formats.samples import samples

if TYPE_CHECKING:
    from expectations.contract import Contract
    from turnup.programme import Source

_SPECIAL = (schedule, scheduler, limits, benchmarks, edi, tracking, dcim, cabling, cloud, bom, topology)

FORMATS: tuple[Format, ...] = (*(form for package in _SPECIAL for form in package.FORMATS), *tabular.FORMATS)
"""Special formats first; delimited text claims every text that nothing else wants."""

PROFILES: tuple[Profile, ...] = tuple(profile for package in _SPECIAL for profile in package.PROFILES)

_COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf\x27\x1c", b"Rar!")
_ALIASES = {"tsv": "csv", "text": "csv", "ndjson": "jsonl", "xlsm": "xlsx"}


_EXAMINERS: dict[str, Callable[[RawTable, Source], RawTable]] = {
    "bom": lambda table, source: bom.examined(table, source.decimal_of("quantity")),
    "links": lambda table, source: cabling.examined(table, source.decimal_of("quantity")),
    "facilities": lambda table, _: topology.examined(table),
}


def examined(table: RawTable, source: Source) -> RawTable:
    """What was read, with the figures, findings and derived cells that any file of its dataset has."""
    examine = _EXAMINERS.get(table.dataset)
    return examine(table, source) if examine is not None else table


def detect(content: Content) -> Format:
    """The format of a file by its content (and, for JSON lines, its name).

    Raises:
        FileRejected: ``unknown_format``, or ``json`` when a document that starts as JSON is not.
    """
    for form in FORMATS:
        if form.claims(content):
            return form
    if content.head.startswith(b"\xd0\xcf\x11\xe0"):
        message = "an Office document of before 2007 that is no workbook: send the table as .xlsx or .csv"
        raise FileRejected("unknown_format", message, expected="xlsx")
    if content.head.startswith(_COMPRESSED):
        message = "a compressed file: unpack it and send the file that is in it"
        raise FileRejected("unknown_format", message, expected="the file itself")
    raise FileRejected(
        "unknown_format", f"the file is none of the formats that are read: {_known()}", expected=_known()
    )


def named(name: str, content: Content) -> Format:
    """The format that a source declares; of a family of formats the one that claims the file."""
    wanted = _ALIASES.get(name, name)
    choices = [form for form in FORMATS if wanted in (form.name, form.family)]
    if not choices:
        raise FileRejected(
            "unknown_format", f"the format '{name}' is not known; write one of {_known()} or auto", value=name
        )
    return next((form for form in choices if len(choices) > 1 and form.claims(content)), choices[0])


def _known() -> str:
    names = [form.family or form.name for form in FORMATS] + [profile.name for profile in PROFILES]
    return ", ".join(dict.fromkeys(names))


def parse(content: Path, name: str, source: Source, contract: Contract, *, cells: bool = False) -> RawTable:
    """Read a stored file for one dataset.

    Args:
        content: the stored copy (named by its hash).
        name: what the sender called the file.
        source: how this supplier's files are to be understood.
        contract: the dataset's contract.
        cells: whether rows as delivered may be handed on as cells (see ``Request``).

    Raises:
        FileRejected: when the whole file cannot be used; its message says what to write where.
    """
    held = Content(content, name)
    form, profile, request = resolved(held, source, contract)
    # Known tables and examiners look into the rows as delivered.
    as_cells = cells and profile is None and contract.name not in _EXAMINERS
    return finished(form.parse(replace(request, cells=as_cells)), profile, request, source)


def resolved(held: Content, source: Source, contract: Contract) -> tuple[Format, Profile | None, Request]:
    """The format of a file, the known table that it is, and the request that its format reads.

    Raises:
        FileRejected: no format reads the file.
    """
    if not held.head:
        raise FileRejected("empty_file", "the file is empty (0 bytes)", expected="a file with content")
    declared = next((profile for profile in PROFILES if profile.name == source.format), None)
    form = detect(held) if declared or source.format == "auto" else named(source.format, held)
    profile = declared
    if profile is None and source.format == "auto" and form in tabular.FORMATS:
        profile = profile_of(held, form, contract.name, source)
    return form, profile, Request(held, overlaid(source, profile) if profile else source, contract)


def finished(table: RawTable, profile: Profile | None, request: Request, source: Source) -> RawTable:
    """What a format read, with what its known table and its dataset make of all rows of the file together."""
    if profile is not None:
        table = profile.completed(table, request.source)
    return examined(table, source)


def profile_of(held: Content, form: Format, dataset: str | None, source: Source | None = None) -> Profile | None:
    """The known table that a file is, by its header; only one that feeds ``dataset`` unless that is None."""
    choices = [profile for profile in PROFILES if dataset in (None, profile.dataset)]
    if not choices:
        return None
    return fitting(samples(held, form.name, source=source).tables, choices)
