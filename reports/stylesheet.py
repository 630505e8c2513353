"""The one stylesheet of all pages: palette as custom properties, then the static rules. No data ever enters it."""

from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files

from reports.palette import DARK, LIGHT

_SVG_DARK = ("fill", "stroke")


@cache
def stylesheet() -> str:
    """Return the CSS text."""
    static = files("reports").joinpath("templates/report.css").read_text(encoding="utf-8")
    recoloured = "".join(_overrides(name) for name in DARK)
    dark = f"@media screen and (prefers-color-scheme:dark){{:root{{{_properties(DARK)}}}\n{recoloured}}}\n"
    return f":root{{{_properties(LIGHT)}}}\n{static}\n{dark}"


def _properties(palette: Mapping[str, str]) -> str:
    return "".join(f"--{name}:{value};" for name, value in palette.items())


def _overrides(name: str) -> str:
    """Classes that recolour SVG in the dark; in light and in print the presentation attributes stand."""
    return "".join(f".{kind[0]}-{name}{{{kind}:var(--{name})}}\n" for kind in _SVG_DARK)


@cache
def content_security_policy() -> str:
    """Return the policy: nothing loads, nothing runs; the one style element is allowed by its hash."""
    digest = b64encode(sha256(stylesheet().encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
