"""The one call of typst: a static template, data as JSON in a virtual folder, shipped fonts only.

No text of a report ever becomes markup: the template reads it from the JSON and places it as text. No file of this
machine is in reach of the template, and no package can be fetched.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from reports.formats.glyphs import FONTS

_STANDARDS = ("a-2a", "ua-1")


class GlyphMissing(RuntimeError):
    """A sequence of characters that no single shipped font can print."""


def typeset(template: str, data: dict[str, Any]) -> bytes:
    """Return the PDF, tagged, PDF/A-2a and PDF/UA-1.

    Raises:
        GlyphMissing: the PDF would lack a glyph, which its standards forbid.
    """
    import typst

    try:
        made: bytes = typst.compile(_folder(template, data), font_paths=_fonts(), pdf_standards=list(_STANDARDS))
    except typst.TypstError as error:
        if "could not be displayed" in error.message:
            raise GlyphMissing(error.message) from error
        raise
    return made


def picture(svg: str, *, ppi: float = 144) -> bytes:
    """Return a drawing as PNG on white; one SVG unit becomes one typographic point."""
    import typst

    made: bytes = typst.compile(_folder("picture.typ", {"svg": svg}), font_paths=_fonts(), format="png", ppi=ppi)
    return made


@cache
def _fonts() -> Any:
    import typst

    return typst.Fonts(include_system_fonts=False, font_paths=[FONTS])


def _folder(template: str, data: dict[str, Any]) -> dict[str, bytes]:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return {"main.typ": _template(template), "report.json": text.encode()}


@cache
def _template(name: str) -> bytes:
    return files("reports").joinpath(f"templates/typst/{name}").read_bytes()
