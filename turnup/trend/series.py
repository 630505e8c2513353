"""The series that trends are told of: their titles, units and how their figures add up.

Belongs here: reading ``series.yaml``. Does not: their values (``turnup/warehouse/sql/trend``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import yaml

if TYPE_CHECKING:
    from turnup.trend.six_twelve import How

_FILE = Path(__file__).with_name("series.yaml")


@dataclass(frozen=True)
class Series:
    """One series.

    Attributes:
        unit: ``capacity`` (the unit of the kind), ``share`` (0 to 1), or what is counted.
        per: whether there is one for each kind, or one for the programme.
        taken: total (the week's figure is its growth), flow (of the week) or level (at the cut-off).
        twin: the quantity series whose quality this one guards, empty for a quantity.
        plan: whether a plan of the same figure exists.
    """

    name: str
    title: str
    unit: str
    per: Literal["kind", "programme"]
    taken: Literal["total", "flow", "level"]
    how: How
    definition: str
    twin: str = ""
    plan: bool = False


@cache
def load_series() -> dict[str, Series]:
    """Return every series by name, inputs before the output they drive."""
    entries = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return {name: Series(name=name, **entry) for name, entry in entries.items()}
