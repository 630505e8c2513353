"""A made programme as files in an inbox: ``lay(home, scale)``, the same bytes for the same scale.

Scale 100 is 2,000 systems and ten million rows, two million of them benchmark figures, delivered over 52 weeks; scales
1 and 10 have a hundredth and a tenth of both. Belongs here: which files come when, and what is wrong with some rows.
Does not: the rows of the supply chain (``perf.supply_rows``).
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl

from perf.supply_rows import AS_OF, programme_rows
from turnup.programme import Home

SYSTEMS = 20
"""Systems at scale 1."""
NODES = 10
WEEKS = 52
BAD_EVERY = 200
LABEL = "2026-W44"
NOW = datetime.fromisoformat(f"{AS_OF - timedelta(days=1)}T09:00:00+00:00")

_ROOT = Path(__file__).resolve().parents[1]
_GPUS, _SAMPLES, _EVENTS, _TASKS = 8, 19, 4, 20
EVENTFUL = ("benchmarks", "utilization", "logistics_events")
_BOOKS = ("sites", "systems", "commitments")
_SPOILT = {"benchmarks": "value", "utilization": "value", "logistics_events": "event_at", "po_schedule": "promised",
           "shipments": "quantity", "links": "speed_gbps"}  # fmt: skip


@dataclass(frozen=True)
class Laid:
    """What lies in the inbox: rows (with the bad ones), bad rows, benchmark figures, bytes, files."""

    systems: int
    rows: int
    bad: int
    figures: int
    bytes: int
    files: int


def lay(home: Home, scale: int, systems: int = 0) -> Laid:
    """Write configuration, playbooks and the inbox of a programme that must not exist yet.

    Args:
        home: where.
        scale: 1, 10 or 100; beyond 10 no dataset comes as a workbook.
        systems: so many of them instead of those of the scale.
    """
    systems = systems or SYSTEMS * scale
    home.inbox.mkdir(parents=True)
    shutil.copytree(_ROOT / "playbooks", home.playbooks)
    rows = bad = figures = 0
    known: set[str] = set()
    for name, day, frame in _deliveries(systems):
        spoilt, wrong = _spoil(name, frame)
        known.add(name)
        rows, bad = rows + frame.height, bad + wrong
        figures += frame.height if name == "benchmarks" else 0
        _write(home.inbox / day.isoformat() / name, spoilt, workbook=name in _BOOKS and scale <= 10)
    home.configuration.write_text(_configuration(sorted(known), scale), encoding="utf-8")
    files = [file for file in home.inbox.rglob("*") if file.is_file()]
    return Laid(systems, rows, bad, figures, sum(file.stat().st_size for file in files), len(files))


def change(home: Home, rows: int) -> int:
    """Deliver one more file of device samples: a hundredth of so many rows; returns how many it has."""
    newest = sorted(home.inbox.glob("*/utilization.csv"))[-1]
    samples, wanted = pl.read_csv(newest, infer_schema=False), rows // 100
    times = [f"{AS_OF - timedelta(days=2)}T07:{minute:02d}:00Z" for minute in range(-(-wanted // samples.height))]
    later = pl.concat([samples.with_columns(observed_at=pl.lit(at)) for at in times]).head(wanted)
    newest.with_name("utilization-2.csv").write_bytes(later.write_csv().encode())
    return later.height


def _write(target: Path, frame: pl.DataFrame, *, workbook: bool) -> None:
    target.parent.mkdir(exist_ok=True)
    if workbook:
        frame.write_excel(target.with_suffix(".xlsx"), worksheet="Data")
    else:
        frame.write_csv(target.with_suffix(".csv"))


def _configuration(datasets: list[str], scale: int) -> str:
    def source(name: str) -> str:
        kind = "xlsx" if name in _BOOKS and scale <= 10 else "csv"
        mode = "events" if name in EVENTFUL else "snapshot"
        return f'  {name}: {{dataset: {name}, files: "{name}*.{kind}", mode: {mode}, owner: Ana Ruiz}}\n'

    limits = "".join(
        f'    - {{sku: "*", test: gpu_test_{n}, metric: bandwidth, unit: GB/s, value: 95, source: perf}}\n'
        for n in range(12)
    )
    first = (AS_OF - timedelta(weeks=WEEKS - 1)).isocalendar()
    return (
        f"name: Perf\ntime_zone: UTC\nfirst_week: {first.year}-W{first.week:02d}\nacceptance:\n  baselines:\n{limits}"
        f"sources:\n{''.join(source(name) for name in datasets)}"
    )


def _spoil(name: str, frame: pl.DataFrame) -> tuple[pl.DataFrame, int]:
    """One row in 200 of six datasets has a word where a number or a date belongs."""
    column = _SPOILT.get(name)
    if column is None:
        return frame, 0
    bad = pl.int_range(pl.len()) % BAD_EVERY == BAD_EVERY // 2
    spoilt = pl.when(bad).then(pl.lit("TBD soon")).otherwise(pl.col(column).cast(pl.String))
    return frame.with_columns(spoilt.alias(column)), (frame.height + BAD_EVERY // 2 - 1) // BAD_EVERY


def _deliveries(systems: int) -> list[tuple[str, date, pl.DataFrame]]:
    """Dataset, day and rows of each file: event feeds weekly, promises quarterly, bills twice, the rest once."""
    last = AS_OF - timedelta(days=2)
    frames = programme_rows(systems)
    nodes = _nodes(systems)
    frames["installs"] = _named(frames["installs"])
    frames["inventory"] = frames["inventory"].with_columns(counted_at=_moments(AS_OF - timedelta(days=3)))
    found = [
        ("po_schedule", last - timedelta(weeks=13 * quarter), _promises(frames["po_schedule"], quarter))
        for quarter in (3, 2, 1)
    ]
    found.append(("bom", last - timedelta(weeks=40), _earlier_bill(frames["bom"])))
    found += [(name, last, frame) for name, frame in frames.items()]
    found += [
        ("versions", last, _versions(nodes, last)), ("links", last, _links(nodes)),
        ("scheduler_nodes", last, _scheduler(nodes, last)), ("raid", last, _raid(systems)),
        ("activities", last, _activities(systems)), ("activity_links", last, _chains(systems)),
    ]  # fmt: skip
    for week in range(WEEKS):
        day = last - timedelta(weeks=WEEKS - 1 - week)
        found += [(name, day, frame) for name, frame in _events(frames, nodes, week, day) if frame.height]
    return found


def _events(
    frames: dict[str, pl.DataFrame], nodes: pl.DataFrame, week: int, day: date
) -> list[tuple[str, pl.DataFrame]]:
    """What the event feeds bring in a week; every system is measured in one of the weeks."""
    random = np.random.default_rng(week)
    return [
        ("benchmarks", _figures(nodes.filter(pl.col("n") % WEEKS == week), day, random)),
        ("utilization", _samples(nodes, week, day, random)),
        ("logistics_events", _tracking(frames["shipments"], week, day)),
    ]


def _nodes(systems: int) -> pl.DataFrame:
    names = pl.DataFrame({"n": np.arange(systems)}).join(pl.DataFrame({"k": np.arange(NODES)}), how="cross")
    return names.with_columns(
        system_id=pl.format("SYS-{}", pl.col("n").cast(pl.String).str.zfill(5)), node=pl.format("n{}-{}", "n", "k")
    )


def _named(installs: pl.DataFrame) -> pl.DataFrame:
    """The first ten pieces of a system are its nodes."""
    number = pl.col("asset_id").str.split("-")
    line = number.list.get(2).cast(pl.Int64)
    node = pl.format("n{}-{}", number.list.get(1), number.list.get(2))
    return installs.with_columns(name=pl.when(line < NODES).then(node))


def _promises(frame: pl.DataFrame, quarter: int) -> pl.DataFrame:
    """The promises as they were so many quarters ago: earlier dates for every third line."""
    moved = pl.when(pl.int_range(pl.len()) % 3 == 0).then(quarter * 10).otherwise(0)
    return frame.with_columns(promised=pl.col("promised") - pl.duration(days=moved))


def _earlier_bill(frame: pl.DataFrame) -> pl.DataFrame:
    """The bill before its last revision: one more of every twentieth line."""
    more = (pl.int_range(pl.len()) % 20 == 7).cast(pl.Int64)
    return frame.with_columns(quantity=pl.col("quantity") + more)


def _figures(nodes: pl.DataFrame, day: date, random: np.random.Generator) -> pl.DataFrame:
    """Per node twelve tests on each of eight GPUs, and four of the node; one figure in 5,000 is slow."""
    tests = [f"gpu_test_{test}" for test in range(12) for _ in range(_GPUS)] + [f"node_test_{n}" for n in range(4)]
    members = [f"gpu{gpu}" for _ in range(12) for gpu in range(_GPUS)] + ["all"] * 4
    frame = nodes.join(pl.DataFrame({"test": tests, "member": members}), how="cross", maintain_order="left_right")
    values = 100 + random.normal(0, 0.5, frame.height)
    values[random.random(frame.height) < 1 / 5000] *= 0.8
    return frame.select(
        "node", "test", "member", "system_id", run=pl.format("run-{}", "system_id"), metric=pl.lit("bandwidth"),
        statistic=pl.lit("value"), value=pl.Series(values).round(4), unit=pl.lit("GB/s"), status=pl.lit("valid"),
        correctness=pl.lit("clean"), complete=pl.lit("true"), tool=pl.lit("perf"), measured_at=_moments(day),
    )  # fmt: skip


def _moments(day: date, hour: int = 3) -> pl.Expr:
    return pl.lit(f"{day - timedelta(days=1)}T{hour:02d}:00:00Z")


def _samples(nodes: pl.DataFrame, week: int, day: date, random: np.random.Generator) -> pl.DataFrame:
    """Every device is sampled in nineteen of the weeks."""
    devices = nodes.join(pl.DataFrame({"gpu": np.arange(_GPUS)}), how="cross", maintain_order="left_right")
    due = devices.filter((pl.col("n") + pl.col("gpu") * 5 + week) % WEEKS < _SAMPLES)
    return due.select(
        "node", device=pl.format("gpu{}", "gpu"), observed_at=_moments(day, 6), counter=pl.lit("gpu_utilization"),
        value=pl.Series(random.integers(20, 99, due.height)), allocated=pl.lit("true"),
    )  # fmt: skip


def _tracking(shipments: pl.DataFrame, week: int, day: date) -> pl.DataFrame:
    """An event of every thirteenth shipment, so that each has four in a year."""
    due = shipments.gather_every(WEEKS // _EVENTS, week % (WEEKS // _EVENTS))
    return due.select(
        event_id=pl.format("E-{}-{}", pl.lit(week), "shipment"),
        shipment="shipment",
        type=pl.lit("departed"),
        classifier=pl.lit("actual"),
        event_at=_moments(day),
        state=pl.lit("in_transit"),
    )


def _versions(nodes: pl.DataFrame, day: date) -> pl.DataFrame:
    names, versions = ["driver", "nccl", "bios", "firmware"], ["550.1", "2.28", "1.4", "7"]
    parts = pl.DataFrame({"component": names, "version": versions})
    return nodes.join(parts, how="cross").select("node", "component", "version", observed_at=_moments(day))


def _links(nodes: pl.DataFrame) -> pl.DataFrame:
    ports = nodes.join(pl.DataFrame({"port": np.arange(_GPUS)}), how="cross")
    return ports.select(
        "system_id", view=pl.lit("planned"), a_device="node", a_port=pl.format("p{}", "port"),
        b_device=pl.format("leaf-{}-{}", "n", "port"), b_port=pl.format("p{}", "k"), speed_gbps=pl.lit(400),
    )  # fmt: skip


def _scheduler(nodes: pl.DataFrame, day: date) -> pl.DataFrame:
    return nodes.select(
        "node", cluster="system_id", observed_at=_moments(day), allocatable=pl.lit("true"), state=pl.lit("idle")
    )


def _raid(systems: int) -> pl.DataFrame:
    return pl.DataFrame({"n": np.arange(systems)}).select(
        id=pl.format("R-{}", "n"), type=pl.lit("risk"), title=pl.lit("Late optics"), owner=pl.lit("Ana Ruiz"),
        opened=pl.lit("2026-10-01"), due=pl.lit("2026-11-20"), severity=pl.lit("medium"),
        system_id=pl.format("SYS-{}", pl.col("n").cast(pl.String).str.zfill(5)),
    )  # fmt: skip


def _activities(systems: int) -> pl.DataFrame:
    tasks = pl.DataFrame({"n": np.arange(systems)}).join(pl.DataFrame({"k": np.arange(_TASKS)}), how="cross")
    return tasks.select(
        task=pl.format("T-{}-{}", "n", "k"),
        name=pl.format("Step {}", "k"),
        duration_d=5 + pl.col("k") % 4,
        system_id=pl.format("SYS-{}", pl.col("n").cast(pl.String).str.zfill(5)),
    )


def _chains(systems: int) -> pl.DataFrame:
    tasks = pl.DataFrame({"n": np.arange(systems)}).join(pl.DataFrame({"k": np.arange(1, _TASKS)}), how="cross")
    return tasks.select(
        pred=pl.format("T-{}-{}", "n", pl.col("k") - 1), succ=pl.format("T-{}-{}", "n", "k"), type=pl.lit("FS")
    )
