"""How long reading takes beside tools that do less: ``python -m perf.inputs``.

Each measurement runs in a process of its own, ours and the others' in turn, so that a busy or slow machine changes the
seconds and hardly the ratios. What is told are ratios of the least and of the median times.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from perf.files import write_csv, write_xlsx

_PROGRAMME = "name: p\ntime_zone: UTC\nsources:\n  s: {dataset: shipments, files: '*.csv', owner: A}\n"


def _land_and_ingest(folder: Path) -> Callable[[], object]:
    """A file of the inbox landed, parsed, typed, checked and written as parts, refused rows in quarantine."""
    from expectations.contract import load_contracts
    from turnup import ingest
    from turnup.landing import Landing
    from turnup.programme import Home
    from turnup.warehouse.parts import PartStore

    home = Home(Path(tempfile.mkdtemp(dir=folder)))
    home.inbox.mkdir()
    shutil.copy(folder / "shipments.csv", home.inbox)
    home.configuration.write_text(_PROGRAMME, encoding="utf-8")
    contracts, programme = load_contracts(), home.load()

    def run() -> object:
        landing = Landing(home, programme.time_zone)
        landing.scan(datetime.now(UTC))
        claimed = ingest.claims(programme, landing.deliveries(), contracts, landing)
        done = ingest.ingest_dataset(PartStore(home.store), landing, "shipments", contracts["shipments"], claimed)
        if not done.accepted or not done.quarantined:
            raise RuntimeError(f"rows are missing: {done}")
        return done

    return run


def _duckdb(folder: Path) -> Callable[[], object]:
    """The same file into a table of text, nothing checked."""
    import duckdb

    path = folder / "shipments.csv"

    def run() -> object:
        con = duckdb.connect()
        con.execute(f"CREATE TABLE t AS SELECT * FROM read_csv('{path}', all_varchar = true)")
        return con

    return run


def _bytes(name: str) -> Callable[[Path], Callable[[], object]]:
    """The floor: the bytes read and hashed once, lines counted."""

    def prepared(folder: Path) -> Callable[[], object]:
        def run() -> object:
            data = (folder / name).read_bytes()
            return hashlib.sha256(data).digest(), data.count(b"\n")

        return run

    return prepared


def _read_workbook(folder: Path) -> Callable[[], object]:
    """A workbook read in a child that has started: exact text of all cells, mapped to the dataset, with its ledger."""
    from expectations.contract import load_contracts
    from turnup.isolation import shared_reader
    from turnup.programme import Source

    reader, contract = shared_reader(), load_contracts()["shipments"]
    source = Source(dataset="shipments", files="*.xlsx")
    reader.start()
    time.sleep(3)  # imports in the child

    return lambda: reader.parse(folder / "shipments.xlsx", "shipments.xlsx", source, contract)


def _calamine(folder: Path) -> Callable[[], object]:
    """The bare cells as Python values."""
    from python_calamine import CalamineWorkbook

    return lambda: CalamineWorkbook.from_path(str(folder / "shipments.xlsx")).get_sheet_by_index(0).to_python()


@dataclass(frozen=True)
class Comparison:
    """Ours against a peer that does less, over a floor that only touches the bytes."""

    name: str
    ours: str
    peer: str
    floor: str
    target: float


_RUNS: dict[str, Callable[[Path], Callable[[], object]]] = {
    "csv turnup": _land_and_ingest,
    "csv duckdb": _duckdb,
    "csv floor": _bytes("shipments.csv"),
    "xlsx turnup": _read_workbook,
    "xlsx calamine": _calamine,
    "xlsx floor": _bytes("shipments.xlsx"),
}
_COMPARISONS = (
    Comparison(
        "CSV landed, typed, checked, quarantined / DuckDB all as text", "csv turnup", "csv duckdb", "csv floor", 3.0
    ),
    Comparison("XLSX read as exact text / python-calamine", "xlsx turnup", "xlsx calamine", "xlsx floor", 1.5),
)


def _one(name: str, folder: Path) -> None:
    """Run one measurement and print its seconds and the most memory of this process and of its largest child."""
    run = _RUNS[name](folder)
    start, computed = time.perf_counter(), _computed()
    held = run()
    seconds = time.perf_counter() - start
    del held
    if name.endswith("turnup"):
        from turnup.isolation import shared_reader

        shared_reader().close()
    most = [resource.getrusage(who).ru_maxrss >> 10 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    used = _computed() - computed
    print(json.dumps({"seconds": seconds, "computed": used, "memory": most[0], "child": most[1]}))


def _computed() -> float:
    """Seconds of computing by this process and its children that have ended."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def _measured(name: str, folder: Path) -> dict[str, float]:
    command = (sys.executable, "-m", "perf.inputs", "--one", name, "--folder", str(folder))
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    """Make the files, measure, and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--csv-rows", type=int, default=1_000_000)
    parser.add_argument("--xlsx-rows", type=int, default=200_000)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="where the files are kept for another run")
    parser.add_argument("--one", choices=sorted(_RUNS), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        _one(options.one, options.folder)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name, write, rows in (
            ("shipments.csv", write_csv, options.csv_rows), ("shipments.xlsx", write_xlsx, options.xlsx_rows),
        ):  # fmt: skip
            if not (folder / name).exists():
                write(folder / name, rows)
        for comparison in _COMPARISONS:
            _compare(comparison, folder, options.times)


def _compare(comparison: Comparison, folder: Path, times: int) -> None:
    names = (comparison.ours, comparison.peer, comparison.floor)
    found: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    for _ in range(times):
        for name in names:
            found[name].append(_measured(name, folder))
    print(f"{comparison.name} (target {comparison.target:g})")
    for label, of in (("least", min), ("median", statistics.median)):
        ours, peer, floor = (of([run["seconds"] for run in found[name]]) for name in names)
        print(f"  {label:7s} {ours / peer:5.2f} times the peer, {ours / floor:6.1f} times the floor ({ours:.2f} s)")
    ours, peer = (statistics.median([run["computed"] for run in found[name]]) for name in names[:2])
    print(f"  computing time (median) {ours / peer:.2f} times the peer")
    memory = {name: max(max(run["memory"], run["child"]) for run in found[name]) for name in names[:2]}
    print(f"  memory  {memory[names[0]]} MiB, the peer {memory[names[1]]} MiB")


if __name__ == "__main__":
    main()
