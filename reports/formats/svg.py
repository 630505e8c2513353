"""Charts as standing SVG files, made by the same macros as in the pages."""

import re
from html import unescape

from markupsafe import Markup, escape

from reports.charts.draw import WIDE, draw
from reports.formats.glyphs import FAMILIES, printable
from reports.models.charts import Chart
from reports.page import environment
from reports.text import shorten

_LONGEST_LABEL = 200
_LONG_TEXT = re.compile(r">([^<]{201,})<")


def chart_svg(chart: Chart, *, text_font_only: bool = False) -> str:
    """Return the SVG text of a chart in its wide form; empty for one that pages show as a table.

    Labels are `printable` in the shipped fonts.
    """
    drawing = draw(chart, WIDE)
    if drawing is None:
        return ""
    module = environment().get_template("charts/figure.html.j2").make_module({"href": _nowhere})
    text: Markup = module.macros[chart.type](drawing, chart, "w")  # type: ignore[attr-defined]
    whole = _LONG_TEXT.sub(_shortened, str(text)).replace("<svg ", f'<svg font-family="{", ".join(FAMILIES)}" ', 1)
    return printable(whole, text_font_only=text_font_only)


def _shortened(text: re.Match[str]) -> str:
    return f">{escape(shorten(unescape(text[1]), _LONGEST_LABEL))}<"


def _nowhere(_: str) -> str:
    return ""
