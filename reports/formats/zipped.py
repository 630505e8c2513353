"""Office files with equal bytes for equal content: fixed times and order, also in workbooks inside a presentation."""

import io
import re
import zipfile
from datetime import datetime

_EARLIEST = (1980, 1, 1, 0, 0, 0)
_INSTANT = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*(</)")
_CONTENT_TYPES = "[Content_Types].xml"


def normalised(content: bytes, at: datetime) -> bytes:
    """Return the same package with `at` for every instant in its properties and no trace of when it was packed."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(target, "w") as packed:
        for name in sorted(source.namelist(), key=lambda name: (name != _CONTENT_TYPES, name)):
            entry = zipfile.ZipInfo(name, _EARLIEST)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            packed.writestr(entry, _part(name, source.read(name), at), compresslevel=6)
    return target.getvalue()


def _part(name: str, content: bytes, at: datetime) -> bytes:
    if name.endswith(".xlsx"):
        return normalised(content, at)
    if name == "docProps/core.xml":
        return _INSTANT.sub(rb"\g<1>" + at.strftime("%Y-%m-%dT%H:%M:%SZ").encode() + rb"\g<2>", content)
    return content
