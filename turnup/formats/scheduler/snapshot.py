"""A snapshot of a scheduler: its cluster, its instant, and its nodes as rows.

Belongs here: what Kubernetes and Slurm have in common. Does not: what a state of one of them means.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import polars as pl

from turnup.formats.adapted import adapted
from turnup.formats.dcim.naming import host_in, time_in, time_unknown
from turnup.formats.model import Fact, FileRejected, Finding, Ledger, RawTable, Rejected, Request

Row = dict[str, str | int | None]
_COLUMNS = ("cluster", "node", "observed_at", "allocatable", "state", "flags", "reason", "reason_by", "reason_at",
            "capacity", "installed", "in_use", "pool", "topology", "rack_label", "leaf_label",
            "_sheet", "_given")  # fmt: skip
_TOOLS = re.compile(r"(?i)(?<![a-z0-9])(?:kubectl|get|scontrol|sinfo|show|nodes?|slurm|k8s|snapshot)(?![a-z0-9])")
_EXTENSION = re.compile(r"(?:\.(?:json|txt|log|out|gz))+$", re.IGNORECASE)
_LAST_EPOCH = 253_402_300_799
"""The last second of the year 9999."""


@dataclass(frozen=True)
class Place:
    """Cluster and instant of a snapshot, as the document tells; None where it does not."""

    cluster: str | None
    observed_at: str | None


def require(request: Request, form: str) -> None:
    """Refuse another dataset.

    Raises:
        FileRejected: the source's dataset is not scheduler_nodes.
    """
    asked = request.contract.name
    if asked != "scheduler_nodes":
        message = f"a scheduler's nodes feed scheduler_nodes, not {asked}"
        raise FileRejected(form, message, value=asked, expected="scheduler_nodes")


def placed(request: Request, told: Place) -> tuple[Place, list[Finding]]:
    """Cluster and instant: what the source declares, then the document, then the file's name."""
    stem = _EXTENSION.sub("", request.content.name.rpartition("/")[2])
    defaults = request.source.defaults
    cluster = defaults.get("cluster") or told.cluster or host_in(_TOOLS.sub("", stem))
    observed = defaults.get("observed_at") or told.observed_at or time_in(stem)
    findings = []
    if cluster is None:
        message = (
            "neither the document nor its name says which cluster it is of: name the file after it, such as "
            "ord1-a_2026-10-02T1800Z.json, or write defaults: {cluster: ...} in the source of programme.yaml"
        )
        findings.append(Finding("cluster_unknown", "error", None, "cluster", None, message))
    if observed is None:
        findings.append(time_unknown("observed_at"))
    return Place(cluster, observed), findings


def instant(epoch: str | None) -> str | None:
    """Seconds since 1970 as an instant in UTC; 0 is how Slurm writes that there is none."""
    if epoch is None or not epoch.isdigit() or not 0 < int(epoch) <= _LAST_EPOCH:
        return None
    return datetime.fromtimestamp(int(epoch), tz=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def table(
    request: Request,
    form: str,
    rows: Sequence[Row],
    lines: int,
    findings: Sequence[Finding],
    rejected: Sequence[Rejected] = (),
) -> RawTable:
    """The table of a snapshot, with the figures that its owner can check at a glance."""
    frame = pl.DataFrame(list(rows), schema=dict.fromkeys(_COLUMNS, pl.String) | {"_row": pl.Int64})
    ledger = Ledger(lines=lines, data=len(rows), rejected=len(rejected), other=lines - len(rows) - len(rejected))
    states = Counter(str(row.get("state") or "none") for row in rows)
    facts = [
        Fact("nodes", len(rows)),
        Fact("nodes_offered", sum(row["allocatable"] == "true" for row in rows)),
        Fact("states", tuple(f"{state}: {number}" for state, number in sorted(states.items()))),
    ]
    found = [*findings, *_short(rows)]
    return adapted(request, form, frame, ledger, found, rejected=rejected, facts=facts)


def _short(rows: Sequence[Row]) -> list[Finding]:
    """Nodes that offer fewer accelerators than they have."""
    return [
        Finding(
            "accelerators_short", "warning", int(row["_row"] or 0), "capacity", str(row["capacity"]),
            f"{row['node']} offers {row['capacity']} of {row['installed']} accelerators",
        )
        for row in rows
        if row["capacity"] is not None
        and row["installed"] is not None
        and float(row["capacity"]) < float(row["installed"])
    ]  # fmt: skip
