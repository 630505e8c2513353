"""Bills of material as distributors, design tools, planners and ERP systems write them."""

from turnup.formats.bom.cyclonedx import parse_cyclonedx
from turnup.formats.bom.examine import examined
from turnup.formats.bom.tables import PROFILES
from turnup.formats.model import Format

FORMATS: tuple[Format, ...] = (
    Format(
        "cyclonedx",
        lambda content: isinstance(content.json, dict) and str(content.json.get("bomFormat")).lower() == "cyclonedx",
        parse_cyclonedx,
        feeds=("bom",),
    ),
)

__all__ = ["FORMATS", "PROFILES", "examined"]
