"""The formats, in the order in which they are tried, and the one way to read a file.

A format is one module and one line here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from turnup.formats.content import Content
from turnup.formats.delimited import parse_delimited
from turnup.formats.json_records import parse_json, parse_jsonl
from turnup.formats.model import FileRejected, RawTable, Request
from turnup.formats.nccl_json import is_nccl_json, parse_nccl_json
from turnup.formats.nccl_text import is_nccl_text, parse_nccl_text
from turnup.formats.netbox import groups_of, parse_netbox
from turnup.formats.workbook import parse_workbook

if TYPE_CHECKING:
    from expectations.contract import Contract
    from turnup.programme import Source


@dataclass(frozen=True)
class Format:
    """A readable format: does it claim a file, and how is it read."""

    name: str
    claims: Callable[[Content], bool]
    parse: Callable[[Request], RawTable]


def _is_lines(content: Content) -> bool:
    if content.suffix in (".jsonl", ".ndjson"):
        return True
    lines = content.head_text.strip().split("\n", 2)
    return len(lines) > 1 and all(line.strip().startswith("{") and line.strip().endswith("}") for line in lines[:2])


_OTHER_KINDS = (
    *(b"PK\x03\x04", b"%PDF", b"\x1f\x8b", b"\xd0\xcf\x11\xe0", b"\x89PNG", b"\xff\xd8\xff"),
    *(b"<?xml", b"ISA*", b"\xef\xbb\xbfISA*", b"UNB+", b"UNA"),
)
"""First bytes of files that are text or not, but never a table."""


def _is_text(content: Content) -> bool:
    head = content.head
    if head.startswith(_OTHER_KINDS):
        return False
    wide = head[:2] in (b"\xff\xfe", b"\xfe\xff") or head[1:64:2].count(0) > 16 or head[0:64:2].count(0) > 16
    controls = sum(head.count(bytes([code])) for code in range(1, 32) if code not in (9, 10, 12, 13, 27))
    return wide or controls <= max(8, len(head) // 100)


FORMATS = (
    Format("xlsx", lambda content: content.head.startswith(b"PK\x03\x04"), parse_workbook),
    Format("nccl", lambda content: is_nccl_text(content.data) and not content.looks_like_object, parse_nccl_text),
    Format("jsonl", _is_lines, parse_jsonl),
    Format(
        "netbox",
        lambda content: content.looks_like_json and groups_of(content.document.value) is not None,
        parse_netbox,
    ),
    Format(
        "nccl-json",
        lambda content: content.looks_like_json and is_nccl_json(content.document.value),
        parse_nccl_json,
    ),
    Format("json", lambda content: content.looks_like_json, parse_json),
    Format("csv", _is_text, parse_delimited),
)
"""Special formats first; delimited text claims every text that nothing else wants."""

_ALIASES = {"tsv": "csv", "text": "csv", "ndjson": "jsonl", "xlsm": "xlsx"}


def detect(content: Content) -> Format:
    """The format of a file by its content (and, for JSON lines, its name).

    Raises:
        FileRejected: ``unknown_format``, or ``json`` when a document that starts as JSON is not.
    """
    for form in FORMATS:
        if form.claims(content):
            return form
    if content.head.startswith(b"\xd0\xcf\x11\xe0"):
        message = "an old (.xls) or encrypted workbook: save it as .xlsx without a password"
        raise FileRejected("unknown_format", message, expected="xlsx")
    known = ", ".join(form.name for form in FORMATS)
    raise FileRejected("unknown_format", f"the file is none of the formats that are read: {known}", expected=known)


def named(name: str, content: Content) -> Format:
    """The format that a source declares; ``nccl`` covers its text and its JSON."""
    wanted = _ALIASES.get(name, name)
    if wanted == "nccl" and content.looks_like_object:
        wanted = "nccl-json"
    for form in FORMATS:
        if form.name == wanted:
            return form
    known = ", ".join(form.name for form in FORMATS)
    raise FileRejected("unknown_format", f"the format '{name}' is not known; write one of {known} or auto", value=name)


def parse(content: Path, name: str, source: Source, contract: Contract) -> RawTable:
    """Read a stored file for one dataset.

    Args:
        content: the stored copy (named by its hash).
        name: what the sender called the file.
        source: how this supplier's files are to be understood.
        contract: the dataset's contract.

    Raises:
        FileRejected: when the whole file cannot be used; its message says what to write where.
    """
    held = Content(content, name)
    if not held.head:
        raise FileRejected("empty_file", "the file is empty (0 bytes)", expected="a file with content")
    form = detect(held) if source.format == "auto" else named(source.format, held)
    return form.parse(Request(held, source, contract))
