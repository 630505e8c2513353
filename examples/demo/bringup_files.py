"""Acceptance and scheduler files: nccl-tests logs, lab results, scheduler snapshots.

Belongs here: which test ran on which nodes when,
and what the scheduler offered. Does not: the log's layout (``nccl_log``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, datetime
from itertools import groupby
from random import Random
from typing import Any

from examples.demo.fleet import Unit, reached
from examples.demo.nccl_log import Run, all_reduce
from examples.demo.sheet import Cell, Dialect, Drop, Table
from examples.demo.weeks import FRI, MON, THU, TUE, WED, WEEKS, at, day, utc

SOURCES: dict[str, dict[str, Any]] = {
    "nccl-logs": {
        "dataset": "benchmarks", "files": "*nccl_allreduce_*.log",
        "time_zone": "America/Chicago", "format": "nccl", "mode": "events",
        "owner": "Priya Raman",
    },
    "lab-results": {
        "dataset": "benchmarks", "files": "*acceptance_results_*.csv", "mode": "events",
        "columns": {
            "run": "run", "host": "node", "test": "test", "metric": "metric", "stat": "statistic", "value": "value",
            "unit": "unit", "finished": "measured_at", "tool": "tool", "sku": "sku", "validation": "correctness",
            "complete": "complete",
        },
        "values": {"correctness": {"pass": "clean", "skipped": "unverified", "mismatch": "wrong"}},
        "defaults": {"size_bytes": "0", "placement": "none"}, "owner": "Wen Zhao",
    },
    "slurm-nodes": {
        "dataset": "scheduler_nodes", "files": "*slurm_nodes_*.json", "format": "json", "mode": "events",
        "columns": {
            "cluster": "cluster", "hostname": "node", "time": "observed_at", "schedulable": "allocatable",
            "state": "state",
            "state_flags": "flags", "reason": "reason", "capacity": "capacity",
        },
        "owner": "Marcus Feld", "required": True, "expected": "friday", "max_age_days": 4,
    },
    "aks-nodes": {
        "dataset": "scheduler_nodes", "files": "*aks_nodes_*.json", "format": "json", "mode": "events",
        "columns": {
            "cluster": "cluster", "node": "node", "observed": "observed_at", "allocatable": "allocatable",
            "phase": "state",
            "taints": "flags", "message": "reason", "nvidia_com_gpu": "capacity",
        },
        "owner": "Aisha Bello", "max_age_days": 8,
    },
    "gpu-screen": {
        "dataset": "benchmarks", "files": "*gpu_screen_*.jsonl", "time_zone": "America/Chicago",
        "format": "superbench", "mode": "events", "owner": "Priya Raman",
    },
    "rma-log": {"dataset": "failures", "files": "*rma_log_*.csv", "owner": "Priya Raman"},
    "node-software": {"dataset": "versions", "files": "*node_software_*.csv", "mode": "events", "owner": "Priya Raman"},
    "gpu-use": {"dataset": "utilization", "files": "*gpu_use_*.csv", "mode": "events", "owner": "Aisha Bello"},
}  # fmt: skip

# system, first and last node, from, until (first day back), state, reason
DRAINS: tuple[tuple[str, int, int, date, date | None, str, str], ...] = (
    ("ABL-GPU-1", 13, 13, day(39, WED), day(40, MON), "drained", "GPU3 uncorrectable ECC, RMA 88213"),
    ("HIL-GPU-1", 9, 10, day(43, MON), day(44, TUE), "drained", "CDU-2 leak, INC-20417"),
    ("HIL-GPU-1", 11, 14, day(43, MON), None, "drained", "CDU-2 leak, INC-20417"),
)
FAILING = ("HIL-GPU-1", 47)
_PEAK = {1: 478.0, 2: 382.0, 4: 371.0}
_LAB = {
    "cpu_cluster": ("stream_triad", "bandwidth", "GB/s", "STREAM 5.10", "AS-1125HS-TNR", 702.0),
    "storage": ("fio_seq_read", "bandwidth", "GB/s", "fio 3.37", "NVE-24-61T", 46.0),
    "pop": ("rfc2544_throughput", "line_rate", "%", "TRex 3.06", "PTX10001-36MR", 99.97),
}


def drops(units: list[Unit], seed: int) -> list[Drop]:
    """Return all acceptance and scheduler files of all weeks."""
    random = Random(seed + 1)
    return [*_nccl(units, random), *_lab(units, random), *_slurm(units), *_aks(units)]


SWAPPED, RETESTED, WAITING = "abl-g1-013", (40, MON), "hil-g1-045"
"""A node whose GPU was swapped and that was tested again; one that still waits for its test."""
SLOW_GPU = ("hil-g1-044", 5)
_RMA_COLUMNS = ["failure_id", "node", "kind", "serial", "replaced_serial", "opened", "closed"]


def health(units: list[Unit], seed: int) -> list[Drop]:
    """Return swaps, single GPUs, node software and GPU use; drawn apart, so that nothing else moves."""
    random = Random(seed + 3)
    return [*_swaps(units, random), _screen(units, random), *_software(units), _use(units, random)]


def _swaps(units: list[Unit], random: Random) -> list[Drop]:
    first: list[Cell] = [
        "RMA-88213",
        SWAPPED,
        "uncorrectable ECC",
        "1654923017742",
        "1654926110385",
        day(39, WED),
        day(39, FRI),
    ]
    second: list[Cell] = [
        "RMA-88291",
        WAITING,
        "fell off the bus",
        "1654924450911",
        "1654926110402",
        day(44, MON),
        day(44, WED),
    ]
    logs = [
        Drop(at(week, FRI, "12:10"), f"rma_log_{day(week, FRI):%Y%m%d}.csv", "rma-log", Table(_RMA_COLUMNS, rows))
        for week, rows in ((39, [first]), (44, [first, second]))
    ]
    nodes = tuple(unit for unit in units if unit.host == SWAPPED)
    moment = day(*RETESTED)
    text = all_reduce(nccl_run(nodes, random), random)
    received = datetime.combine(moment, datetime.min.time()).replace(hour=17, minute=20)
    return [*logs, Drop(received, log_name(moment, nodes), "nccl-logs", text, Dialect("text"))]


def _screen(units: list[Unit], random: Random) -> Drop:
    """Every GPU by itself: 1,024 of them, one of which is slow."""
    gpus = [unit for unit in units if unit.system.kind == "gpu_cluster"]
    powered = [unit for unit in gpus if reached(unit.powered if unit.serial else unit.linked, day(43, FRI))]
    lines = []
    for unit in sorted(powered, key=lambda unit: unit.host):
        figures = {f"gemm-flops/FP16:{gpu}": round(random.uniform(746_000, 760_000)) for gpu in range(8)}
        if unit.host == SLOW_GPU[0]:
            figures[f"gemm-flops/FP16:{SLOW_GPU[1]}"] = 452_310
        lines.append(json.dumps({"node": unit.host, **figures, "gemm-flops/return_code": 0}))
    name = f"gpu_screen_{day(44, THU):%Y%m%d}T0600.jsonl"
    return Drop(at(44, THU, "09:15"), name, "gpu-screen", "\n".join(lines) + "\n", Dialect("text"))


def _software(units: list[Unit]) -> list[Drop]:
    """Drivers of the first cluster: one node was forgotten, one block was upgraded after its tests."""
    found = []
    nodes = [unit for unit in units if unit.system.system_id == "ABL-GPU-1"]
    for week in (42, 44):
        rows: list[list[Any]] = []
        for unit in nodes:
            driver = (
                "535.216.03"
                if unit.number == 20
                else "570.124.06"
                if week == 44 and unit.block == "B1"
                else "550.127.08"
            )
            moment = utc(at(week, WED, "05:00"))
            rows += [[unit.host, "driver", driver, moment], [unit.host, "nccl", "2.28.7", moment]]
        name = f"node_software_{day(week, WED):%Y%m%d}.csv"
        table = Table(["node", "component", "version", "observed_at"], rows)
        found.append(Drop(at(week, WED, "06:00"), name, "node-software", table))
    return found


def _use(units: list[Unit], random: Random) -> Drop:
    """The rented GPUs in the last week: two nodes are held by jobs that hardly use them."""
    rows: list[list[Any]] = []
    for unit in (unit for unit in units if unit.system.system_id == "EUS2-GPU-1"):
        for weekday in (MON, TUE, WED, THU):
            for clock in ("00:00", "06:00", "12:00", "18:00"):
                for gpu in range(8):
                    idle = unit.number in (3, 11)
                    value = random.uniform(4, 11) if idle else random.uniform(62, 88)
                    rows.append(
                        [unit.host, f"gpu{gpu}", utc(at(44, weekday, clock)), "SM active %", f"{value:.1f}", True]
                    )
    columns = ["node", "device", "observed_at", "counter", "value", "allocated"]
    return Drop(at(44, FRI, "06:30"), f"gpu_use_{day(44, FRI):%Y%m%d}.csv", "gpu-use", Table(columns, rows))


def runs(units: list[Unit]) -> Iterator[tuple[date, tuple[Unit, ...]]]:
    """Yield each nccl run: day and up to four nodes of one system; the failing pair ran alone."""
    tested = [unit for unit in units if unit.system.kind == "gpu_cluster" and unit.tested is not None]
    tested.sort(key=lambda unit: (unit.tested, unit.system.system_id, unit.number))
    for (moment, system), group in groupby(tested, key=lambda unit: (unit.tested, unit.system.system_id)):
        nodes = list(group)
        pair = [unit for unit in nodes if system == FAILING[0] and unit.number >= FAILING[1]]
        rest = [unit for unit in nodes if unit not in pair]
        for start in range(0, len(rest), 4):
            yield moment or date.max, tuple(rest[start : start + 4])
        if pair:
            yield moment or date.max, tuple(pair)


def log_name(moment: date, nodes: tuple[Unit, ...]) -> str:
    """Return the name of a run's log."""
    return f"nccl_allreduce_{nodes[0].host}_{len(nodes)}n_{moment:%Y%m%d}T1340.log"


def nccl_run(nodes: tuple[Unit, ...], random: Random, **changes: Any) -> Run:
    """Return the run of some nodes; ``changes`` override its fields."""
    failing = nodes[0].system.system_id == FAILING[0] and nodes[0].number == FAILING[1]
    peak = 291.0 if failing else _PEAK[len(nodes)] * (1 + random.uniform(-0.008, 0.008))
    settings: dict[str, Any] = {"device": "NVIDIA H200", "peak": peak, "pid": random.randrange(20000, 90000)}
    return Run(hosts=tuple(unit.host for unit in nodes), **(settings | changes))


def _nccl(units: list[Unit], random: Random) -> list[Drop]:
    found = []
    for moment, nodes in runs(units):
        text = all_reduce(nccl_run(nodes, random), random)
        received = datetime.combine(moment, datetime.min.time()).replace(hour=17, minute=5)
        found.append(Drop(received, log_name(moment, nodes), "nccl-logs", text, Dialect("text")))
    return found


def _lab(units: list[Unit], random: Random) -> list[Drop]:
    tested = [unit for unit in units if unit.system.kind in _LAB and unit.tested is not None]
    found = []
    for week in WEEKS:
        rows = [_result(unit, random) for unit in tested if unit.tested == day(week, THU)]
        if rows:
            name = f"acceptance_results_{day(week, THU):%Y%m%d}.csv"
            columns = list(SOURCES["lab-results"]["columns"])
            found.append(Drop(at(week, THU, "17:30"), name, "lab-results", Table(columns, rows)))
    return found


def _result(unit: Unit, random: Random) -> list[Any]:
    test, metric, measure, tool, sku, typical = _LAB[unit.system.kind]
    spread = 0.0002 if measure == "%" else 0.012
    value = f"{typical * (1 + random.uniform(-spread, spread)):.2f}"
    finished = utc(
        datetime.combine(unit.tested or date.max, datetime.min.time()).replace(hour=11, minute=unit.number % 60)
    )
    run = f"{test}-{unit.host}-{unit.tested:%Y%m%d}"
    return [run, unit.host, test, metric, "mean", value, measure, finished, tool, sku, "pass", "yes"]


def _drained(unit: Unit, today: date) -> str:
    for system, first, last, since, until, _, reason in DRAINS:
        if unit.system.system_id == system and first <= unit.number <= last and since <= today < (until or date.max):
            return reason
    return ""


def _node(unit: Unit, moment: datetime) -> list[Any]:
    today = moment.date()
    reason = _drained(unit, today)
    offered = reached(unit.offered, today) and not reason
    state = "drained" if not offered else ("allocated" if unit.number % 3 else "idle")
    flags = "DRAIN" if not offered else ""
    if not offered and not reason:
        reason = "burn-in, not handed over"
    return [unit.system.cluster, unit.host, utc(moment), offered, state, flags, reason, int(unit.system.per_unit)]


def _slurm(units: list[Unit]) -> list[Drop]:
    found = []
    columns = list(SOURCES["slurm-nodes"]["columns"])
    own = [unit for unit in units if unit.system.cluster and unit.serial]
    for week in WEEKS:
        for weekday, clock in ((WED, "08:30"), (FRI, "15:00")):
            moment = at(week, weekday, clock)
            rows = [_node(unit, moment) for unit in own if reached(unit.provisioned, moment.date())]
            name = f"slurm_nodes_{moment:%Y%m%dT%H%M}.json"
            found.append(Drop(moment.replace(minute=35), name, "slurm-nodes", Table(columns, rows), Dialect("json")))
    return found


def _aks(units: list[Unit]) -> list[Drop]:
    found = []
    columns = list(SOURCES["aks-nodes"]["columns"])
    cloud = [unit for unit in units if not unit.serial]
    for week in (week for week in WEEKS if week >= 34):
        moments = (at(week, WED, "09:00"), at(week, FRI, "15:30"))
        rows = [_node(unit, moment) for moment in moments for unit in cloud if reached(unit.linked, moment.date())]
        if rows:
            name = f"aks_nodes_{day(week, FRI):%Y%m%d}.json"
            found.append(Drop(at(week, FRI, "15:45"), name, "aks-nodes", Table(columns, rows), Dialect("json")))
    return found
