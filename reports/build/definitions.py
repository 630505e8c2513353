"""Definitions printed in the annex: those of the report's own figures, and the metric registry of the warehouse.

Our own stand in `reports/definitions.yaml`; the registry (`mart.metric_definitions`) wins over an entry of its name.
"""

from functools import cache
from importlib.resources import files

import yaml

from reports.build.warehouse import Record, Warehouse
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
    for row in sorted(warehouse.rows("mart.trend"), key=lambda r: (r.count("series_no"), r.text("scope"))):
        name = f"trend-{row.text('series')}"
        found.setdefault(name, _of_series(row, anchor("DEF", name)))
    return tuple(found.values())


def _of_series(row: Record, identity: str) -> Definition:
    """A weekly series; its unit is that of each kind where it counts capacity."""
    taken = {"total": "growth of the total", "flow": "of the week", "level": "at the cut-off"}
    unit = row.text("unit") if not row.text("scope") or row.text("unit") == "share" else "unit of the kind"
    counted = row.text("unit") in ("faults", "actions", "devices")
    return Definition(
        id=identity,
        name=f"{row.text('title')}, weekly",
        unit=row.text("unit") if counted else unit,
        meaning=row.text("definition"),
        formula=f"{taken.get(row.text('taken'), '')}, {row.text('how')} over a month",
    )


@cache
def _own() -> dict[str, Definition]:
    entries = yaml.safe_load(files("reports").joinpath("definitions.yaml").read_text(encoding="utf-8"))
    return {name: Definition(id=anchor("DEF", name), **entry) for name, entry in entries.items()}
