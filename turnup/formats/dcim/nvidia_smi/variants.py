"""The three forms of nvidia-smi's reports: XML, indented text and CSV queries; each becomes the same report.

The XML names a DTD, which is never opened; a document that defines entities is refused.
"""

from __future__ import annotations

import csv
import re
from io import BytesIO, StringIO
from typing import Any
from xml.sax import SAXException
from xml.sax.handler import ContentHandler

from defusedxml import DefusedXmlException
from defusedxml.sax import parse as parse_sax

from turnup.formats.content import Content
from turnup.formats.dcim.nvidia_smi.report import FIELDS, Gpu, Report, Value
from turnup.formats.model import FileRejected

_LOG = re.compile(r"(?m)^=+NVSMI LOG=+\s*$")
_ENTRY = re.compile(r"^(\s*)(\S.*?)\s+:(?:\s(.*))?$")
_SECTION = re.compile(r"^(\s*)(\S.*?)\s*$")
_GPU = re.compile(r"^GPU ([0-9A-Fa-f]+:[0-9A-Fa-f]+:[0-9A-Fa-f]+\.\d)\s*$")
_PARTS_WITHIN = ("mig_devices", "mig_device", "processes", "accounted_processes")
_QUERY_NAMES = frozenset(
    name for paths in FIELDS.values() for name in paths if "." in name or name.startswith(("gpu_", "driver_", "vbios_"))
)


def is_xml(content: Content) -> bool:
    """Whether a text is ``nvidia-smi -q -x``."""
    return "<nvidia_smi_log" in content.head_text[:4096]


def is_text(content: Content) -> bool:
    """Whether a text is ``nvidia-smi -q``."""
    return _LOG.search(content.head_text[:4096]) is not None


def is_csv(content: Content) -> bool:
    """Whether a text is a table of ``--query-gpu`` with its header."""
    names = _header(content.head_text.split("\n", 1)[0])
    return len(names) > 1 and sum(name in _QUERY_NAMES for name in names) >= 2


def _header(line: str) -> list[str]:
    return [_without_unit(name)[0] for name in line.strip().split(",")]


def _without_unit(name: str) -> tuple[str, str]:
    """``power.draw [W]`` as name and unit; cut, not matched: a line of brackets must cost no time."""
    text = name.strip()
    if not text.endswith("]") or "[" not in text:
        return text, ""
    stem, _, unit = text.partition("[")
    return stem.rstrip(), unit[:-1]


def read_xml(data: bytes) -> Report:
    """Read ``-q -x``.

    Raises:
        FileRejected: ``xml`` when it is cut, or holds entities.
    """
    handler = _Handler(data.count(b"\n") + (not data.endswith(b"\n")))
    try:
        parse_sax(BytesIO(data), handler, forbid_dtd=False, forbid_entities=True, forbid_external=False)
    except DefusedXmlException as error:
        message = f"the report defines entities ({error}): that is no report of nvidia-smi"
        raise FileRejected("xml", message, expected="XML without entities") from error
    except SAXException as error:
        row = getattr(error, "getLineNumber", lambda: None)()
        message = (
            f"the report is not whole XML (line {row}): it was cut or damaged; write it again with nvidia-smi -q -x"
        )
        raise FileRejected("xml", message, row=row, expected="a complete XML document") from error
    return handler.report


class _Handler(ContentHandler):
    """Leaf elements by path, with the line each stands in; parts of a GPU (MIG, processes) are left out."""

    def __init__(self, lines: int) -> None:
        super().__init__()
        self.report = Report(lines)
        self._path: list[str] = []
        self._text = ""
        self._leaf = False
        self._locator: Any = None

    def setDocumentLocator(self, locator: Any) -> None:
        self._locator = locator

    def startElement(self, name: str, attrs: Any) -> None:
        if name == "gpu" and len(self._path) == 1:
            bus = attrs.get("id", "")
            self.report.gpus.append(Gpu(len(self.report.gpus), self._locator.getLineNumber(), bus))
        self._path.append(name)
        self._text, self._leaf = "", True

    def characters(self, content: str) -> None:
        self._text += content

    def endElement(self, name: str) -> None:
        if self._leaf:
            self._keep(self._path[1:], Value(self._text.strip(), self._locator.getLineNumber()))
        self._path.pop()
        self._leaf = False

    def _keep(self, path: list[str], value: Value) -> None:
        if len(path) > 1 and path[0] == "gpu" and path[1] not in _PARTS_WITHIN:
            self.report.gpus[-1].values.setdefault(".".join(path[1:]), value)
        elif len(path) == 1:
            _about_the_host(self.report, path[0], value)


def _about_the_host(report: Report, name: str, value: Value) -> None:
    match name:
        case "timestamp":
            report.timestamp = value
        case "driver_version":
            report.driver = value
        case "cuda_version":
            report.cuda = value
        case "attached_gpus":
            report.attached = value


def read_text(text: str) -> Report:
    """Read ``-q``: sections by indentation, ``name : value`` within them."""
    lines = text.removesuffix("\n").split("\n")
    report = Report(len(lines))
    gpu: Gpu | None = None
    sections: list[tuple[int, str]] = []
    for row, line in enumerate(lines, start=1):
        head = _GPU.match(line)
        if head:
            gpu = Gpu(len(report.gpus), row, head[1])
            report.gpus.append(gpu)
            sections = []
            continue
        entry = _ENTRY.match(line.rstrip("\r"))
        found = entry or _SECTION.match(line.rstrip("\r"))
        if found is None:
            continue
        depth = len(found[1])
        sections = [section for section in sections if section[0] < depth]
        name = _snake(found[2])
        if entry is None:
            sections.append((depth, name))
            continue
        value = Value((entry[3] or "").strip(), row)
        path = [held for _, held in sections] + [name]
        if gpu is None or depth == 0:
            _about_the_host(report, name, value)
        elif not set(path) & set(_PARTS_WITHIN):
            gpu.values.setdefault(".".join(path), value)
    return report


def _snake(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.strip().lower()).strip("_")


def read_csv(text: str) -> Report:
    """Read a table of ``--query-gpu``: one GPU at one time a row; units stand in the header or behind the number.

    Raises:
        FileRejected: ``nvidia_smi`` when a row is not as wide as the header.
    """
    rows = list(csv.reader(StringIO(text), skipinitialspace=True))
    lines = len(text.removesuffix("\n").split("\n"))
    names = [_without_unit(name)[0] for name in rows[0]]
    report = Report(lines)
    for number, cells in enumerate(rows[1:], start=2):
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(names):
            message = f"row {number} has {len(cells)} fields, the header has {len(names)}: the table was cut"
            raise FileRejected("nvidia_smi", message, row=number, expected=f"{len(names)} fields")
        values = {name: Value(cell.strip(), number) for name, cell in zip(names, cells, strict=True)}
        gpu = Gpu(len(report.gpus), number, "", values)
        gpu.bus = gpu.said("pci") or ""
        report.gpus.append(gpu)
    return report
