"""Kinds of system, their units, and which stages of the funnel apply to which.

Belongs here: everything that differs by kind or supply model. Does not: how a stage is proven (SQL models) or what a
gate asks (playbooks).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    import duckdb

UNITS: dict[str, str] = {
    "gpu_cluster": "accelerators",
    "cpu_cluster": "cores",
    "storage": "PB",
    "pop": "ports",
    "backbone_node": "ports",
    "wan_link": "Gbit/s",
    "cloud_interconnect": "Gbit/s",
}
SUPPLY_MODELS = ("owned", "leased", "cloud")
STAGES = (
    "contracted",
    "ordered",
    "shipped",
    "received",
    "installed",
    "powered",
    "l1_valid",
    "accepted",
    "handed_over",
    "schedulable",
)
STAGE_TITLES: dict[str, str] = {stage: stage.replace("_", " ") for stage in STAGES} | {"l1_valid": "L1-valid"}

_BORROWED = frozenset({"ordered", "shipped", "received"})
_UNSEEN_IN_A_CLOUD = _BORROWED | {"installed", "powered", "l1_valid"}
_NOT_FOR_CIRCUITS = frozenset({"shipped", "received", "powered"})
_CIRCUIT_KINDS = frozenset({"wan_link", "cloud_interconnect"})


def applicable(kind: str, supply_model: str, stage: str) -> bool:
    """Say whether a stage exists for a kind under a supply model; a stage that does not apply is no gap.

    A circuit is always rented, so its order counts whatever the supply model says.
    """
    if kind in _CIRCUIT_KINDS:
        return stage not in _NOT_FOR_CIRCUITS
    absent = {"owned": frozenset[str](), "leased": _BORROWED, "cloud": _UNSEEN_IN_A_CLOUD}[supply_model]
    return stage not in absent


def write_kinds(con: duckdb.DuckDBPyConnection) -> None:
    """Create ``core.kinds`` and ``core.kind_stages`` from this module."""
    kinds = pl.DataFrame(
        [{"kind": kind, "unit": unit, "kind_no": number} for number, (kind, unit) in enumerate(UNITS.items())]
    )
    stages = pl.DataFrame(
        [
            {
                "kind": kind,
                "supply_model": model,
                "stage_no": number,
                "stage": stage,
                "stage_title": STAGE_TITLES[stage],
                "applicable": applicable(kind, model, stage),
            }
            for kind in UNITS
            for model in SUPPLY_MODELS
            for number, stage in enumerate(STAGES)
        ]
    )
    for name, frame in (("kinds", kinds), ("kind_stages", stages)):
        con.register("kinds_frame", frame)
        con.execute(f"CREATE OR REPLACE TABLE core.{name} AS SELECT * FROM kinds_frame")
        con.unregister("kinds_frame")
