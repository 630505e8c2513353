"""One node of Slurm as a row, whichever of Slurm's outputs named it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from turnup.formats.content import canonical
from turnup.formats.scheduler.gres import count_of
from turnup.formats.scheduler.slurm_states import NodeState
from turnup.formats.scheduler.snapshot import Row


@dataclass(frozen=True)
class SlurmNode:
    """A node as Slurm tells it; None is what its output does not say."""

    name: str
    state: NodeState
    row: int
    given: Any
    cluster: str | None = None
    reason: str | None = None
    reason_by: str | None = None
    reason_at: str | None = None
    gres: str | None = None
    gres_used: str | None = None
    gres_drained: str | None = None
    partitions: str | None = None
    topology: str | None = None


def row_of(node: SlurmNode, cluster: str | None, observed_at: str | None) -> Row:
    """The row of a node; GPUs that Slurm itself has set aside (``GresDrain``) are not offered."""
    gpus, drained = count_of(node.gres) or None, count_of(node.gres_drained) or 0
    used = count_of(node.gres_used)
    return {
        "cluster": node.cluster or cluster,
        "node": node.name,
        "observed_at": observed_at,
        "allocatable": "true" if node.state.offered else "false",
        "state": node.state.base.lower(),
        "flags": ", ".join(node.state.flags) or None,
        "reason": node.reason,
        "reason_by": node.reason_by,
        "reason_at": node.reason_at,
        "capacity": str(max(0, gpus - drained)) if gpus is not None else None,
        "installed": str(gpus) if gpus is not None else None,
        "in_use": str(used) if used is not None and gpus is not None else None,
        "pool": node.partitions,
        "topology": node.topology,
        "_row": node.row,
        "_sheet": None,
        "_given": canonical(node.given),
    }
