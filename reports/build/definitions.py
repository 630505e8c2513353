"""Definitions printed in the annex: those of the report's own figures, and the metric registry of the warehouse.

Our own stand in `reports/definitions.yaml`; the registry (`mart.metric_definitions`) wins over an entry of its name.
"""

from functools import cache
from importlib.resources import files

import yaml

from reports.build.warehouse import Warehouse
from reports.models.common import Definition
from reports.text import anchor


def definitions(warehouse: Warehouse) -> tuple[Definition, ...]:
    """Return all definitions, own figures first, then metrics by name."""
    found = dict(_own())
    for row in warehouse.rows("mart.metric_definitions"):
        name = row.text("metric")
        found[name] = Definition(
            id=anchor("DEF", name),
            name=row.text("title") or name,
            unit=row.text("unit"),
            meaning=row.text("definition"),
            formula=row.text("formula"),
        )
    return tuple(found.values())


@cache
def _own() -> dict[str, Definition]:
    entries = yaml.safe_load(files("reports").joinpath("definitions.yaml").read_text(encoding="utf-8"))
    return {name: Definition(id=anchor("DEF", name), **entry) for name, entry in entries.items()}
