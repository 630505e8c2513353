"""Cable plans and discovered topologies."""

from turnup.formats.cabling.examine import examined
from turnup.formats.cabling.paddle import is_paddle, parse_paddle
from turnup.formats.cabling.tables import PROFILES
from turnup.formats.cabling.ufm_links import is_links, parse_links
from turnup.formats.cabling.ufm_report import is_report, parse_report
from turnup.formats.model import Format

FORMATS: tuple[Format, ...] = (
    Format("paddle", lambda content: is_paddle(content.json), parse_paddle, feeds=("links",)),
    Format("ufm_links", lambda content: is_links(content.json), parse_links, feeds=("links",)),
    Format("ufm_report", lambda content: is_report(content.json), parse_report, feeds=("links",)),
)

__all__ = ["FORMATS", "PROFILES", "examined"]
