"""The one way to typst: a static template, data as JSON in a virtual folder, shipped fonts only.

No text of a report ever becomes markup: the template reads it from the JSON and places it as text. No file of this
machine is in reach of the template, and no package can be fetched.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from reports.formats import typst_child
from reports.formats.glyphs import FONTS

_PDF = {"format": "pdf", "pdf_standards": ["a-2a", "ua-1"]}
_LONGEST_SECONDS = 300


class GlyphMissing(RuntimeError):
    """A sequence of characters that no single shipped font can print."""


class PageOverrun(RuntimeError):
    """The first page does not hold what it must, in the smallest text."""


class TypesettingFailed(RuntimeError):
    """Typst refused the document or ended without one; the message is its own."""


def typeset(template: str, data: dict[str, Any]) -> bytes:
    """Return the PDF, tagged, PDF/A-2a and PDF/UA-1.

    Raises:
        GlyphMissing: the PDF would lack a glyph, which its standards forbid.
        PageOverrun: page 1 does not hold the four answers.
        TypesettingFailed: anything else went wrong.
    """
    return _typst(template, data, _PDF)[8:]


def pictures(drawings: Sequence[str], *, ppi: float = 192) -> list[bytes]:
    """Return SVG drawings as PNGs on white, by default two pixels for each unit of the drawing."""
    made = _typst("pictures.typ", {"drawings": list(drawings)}, {"format": "png", "ppi": ppi}) if drawings else b""
    found = []
    while made:
        size = int.from_bytes(made[:8], "big")
        found.append(made[8 : 8 + size])
        made = made[8 + size :]
    return found


def _typst(template: str, data: dict[str, Any], options: dict[str, Any]) -> bytes:
    request = {"template": _template(template), "data": _json(data), "fonts": str(FONTS), "options": options}
    script = Path(typst_child.__file__)
    ended = subprocess.run(  # noqa: S603 - this interpreter and a file of this package
        [sys.executable, "-I", str(script)],
        input=_json(request).encode(), capture_output=True, check=False, timeout=_LONGEST_SECONDS,
    )  # fmt: skip
    if ended.returncode == 0:
        return ended.stdout
    faults: dict[int, type[RuntimeError]] = {
        typst_child.GLYPH_MISSING: GlyphMissing, typst_child.PAGE_OVERRUN: PageOverrun,
    }  # fmt: skip
    raise faults.get(ended.returncode, TypesettingFailed)(ended.stderr.decode(errors="replace")[-2000:])


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


@cache
def _template(name: str) -> str:
    return files("reports").joinpath(f"templates/typst/{name}").read_text(encoding="utf-8")
