"""Pages from templates: escaping always on, an unknown name is an error, package templates only.

Belongs here: the template environment. Does not: which files are written (``reports.render``, ``reports.sheets``).
"""

from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from reports import wording
from reports.build.decisions import impact
from reports.charts.behind import behind
from reports.charts.draw import draw
from reports.palette import LIGHT, mark
from reports.stylesheet import content_security_policy, stylesheet
from reports.table_rows import table_rows

Href = Callable[[str], str]


@cache
def environment() -> Environment:
    """Return the template environment: escaping always on, an unknown name is an error, package templates only."""
    made = Environment(
        loader=PackageLoader("reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.globals.update(
        css=Markup(stylesheet()),  # noqa: S704 - the stylesheet is a constant of the code, no data enters it
        policy=content_security_policy(),
        light=LIGHT,
        mark=mark,
        draw=draw,
        behind=behind,
        px=px,
        qty=wording.quantity,
        count=lambda n: wording.quantity(Decimal(n)),
        signed=wording.signed,
        share=wording.share,
        money=wording.money,
        together=wording.together,
        day=wording.day,
        unit_name=wording.unit_name,
        impact=impact,
        table_rows=table_rows,
    )
    return made


def px(value: float) -> str:
    """Return a coordinate with at most one decimal: numbers enter SVG only in this fixed format."""
    return f"{float(value):.1f}".removesuffix(".0")


def page(template: str, href: Href, **context: Any) -> str:
    """Return a page; `href` says where a link of the model leads, empty where it leads nowhere."""
    return environment().get_template(template).render(href=href, **context)
