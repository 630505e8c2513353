"""Which sources a figure rests on, so that a stale source fades the figures that depend on it and no others."""

from reports.build.warehouse import Warehouse
from reports.models.common import SourceAge
from reports.wording import listed, short_day

_OF_ALL = ("commitments",)
_LAST_EVIDENCE = {
    "gpu_cluster": ("scheduler_nodes", "node_names", "installs", "links", "benchmarks"),
    "cpu_cluster": ("scheduler_nodes", "node_names", "installs", "links", "benchmarks"),
    "storage": ("storage_state", "installs", "links", "benchmarks"),
    "pop": ("sessions", "installs", "links"),
    "backbone_node": ("sessions", "installs", "links"),
    "wan_link": ("circuits",),
    "cloud_interconnect": ("circuits",),
}


def held_at(warehouse: Warehouse, kind: str) -> str:
    """Return what holds a kind's schedulable figure back, `slurm-nodes held at 24 Oct`; empty when all is fresh."""
    datasets = {*_OF_ALL, *_LAST_EVIDENCE.get(kind, ())}
    held = [
        f"{row.text('source')} held at {short_day(row.day('exported_at'))}"
        for row in warehouse.rows("meta.sources")
        if row.text("dataset") in datasets and row.text("state") == "stale" and row.day("exported_at")
    ]
    return listed(sorted(held))


def source_state(source: SourceAge) -> str:
    """Return the state that a reader sees: a fresh file of which no row was accepted is no evidence, so never green."""
    if source.state == "fresh" and source.rows_read and not source.accepted:
        return "all refused"
    return source.state
