"""Slurm's outputs in their documented shapes, with nodes of our own."""

from __future__ import annotations

import json

READ_AT = 1_793_206_800  # 2026-10-28T17:00:00Z


def number(value: int) -> dict[str, object]:
    return {"set": True, "infinite": False, "number": value}


def node(name: str, *state: str, **changes: object) -> dict[str, object]:
    """A node as ``scontrol show node --json`` has it (the fields that matter, and some that do not)."""
    held: dict[str, object] = {
        "architecture": "x86_64", "name": name, "hostname": name, "cluster_name": "", "cpus": 192, "state": list(state),
        "gres": "gpu:h200:8(S:0-1)", "gres_used": "gpu:h200:0(IDX:N/A)", "gres_drained": "N/A",
        "partitions": ["gpu", "all"], "reason": "", "reason_changed_at": number(0), "reason_set_by_user": "",
        "last_busy": number(READ_AT - 60), "tres": "cpu=192,mem=2000000M,billing=192,gres/gpu=8",
    }  # fmt: skip
    return held | changes


def scontrol(*nodes: dict[str, object]) -> str:
    meta = {"plugin": {"type": "openapi/slurmctld"}, "slurm": {"cluster": "ord1-a", "version": {"major": "24"}}}
    return json.dumps(
        {"nodes": list(nodes), "last_update": number(READ_AT), "meta": meta, "errors": [], "warnings": []}
    )


def group(names: list[str], *state: str, partition: str = "gpu", **changes: object) -> dict[str, object]:
    """A group of ``sinfo --json``."""
    held: dict[str, object] = {
        "port": 6818, "node": {"state": list(state)},
        "nodes": {"allocated": 0, "idle": len(names), "other": 0, "total": len(names), "nodes": names},
        "gres": {"total": "gpu:h200:8", "used": "gpu:0"}, "partition": {"name": partition}, "cluster": "ord1-a",
        "reason": {"description": "", "time": number(0), "user": ""},
    }  # fmt: skip
    return held | changes


def sinfo(*groups: dict[str, object]) -> str:
    return json.dumps({"sinfo": list(groups), "meta": {"slurm": {"cluster": "ord1-a"}}, "errors": []})


def record(name: str, state: str, *, reason: str = "", gres: str = "gpu:h200:8(S:0-1)", more: str = "") -> str:
    """A record of ``scontrol show node``."""
    lines = [
        f"NodeName={name} Arch=x86_64 CoresPerSocket=48 ",
        "   CPUAlloc=0 CPUEfctv=192 CPUTot=192 CPULoad=0.05",
        "   AvailableFeatures=h200,ib",
        f"   Gres={gres}",
        f"   NodeAddr={name} NodeHostName={name} Version=23.11.4",
        "   OS=Linux 5.15.0-91-generic #101-Ubuntu SMP Tue Nov 14 13:30:08 UTC 2023 ",
        "   RealMemory=2000000 AllocMem=0 FreeMem=1900000 Sockets=2 Boards=1",
        f"   State={state} ThreadsPerCore=2 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A",
        "   Partitions=gpu,all ",
        "   BootTime=2026-10-01T08:00:00 SlurmdStartTime=2026-10-01T08:01:00",
        "   CfgTRES=cpu=192,mem=2000000M,billing=192,gres/gpu=8,gres/gpu:h200=8",
        "   AllocTRES=cpu=96,gres/gpu=4,gres/gpu:h200=4" if "MIXED" in state else "   AllocTRES=",
        "   CapWatts=n/a",
        *([f"   Reason={reason}"] if reason else []),
        *([f"   {more}"] if more else []),
    ]
    return "\n".join(lines) + "\n\n"


def one_line(text: str) -> str:
    """The same records as ``scontrol -o show node`` prints them."""
    records = [" ".join(line.strip() for line in part.split("\n")) for part in text.split("\n\n") if part.strip()]
    return "\n".join(records) + "\n"
