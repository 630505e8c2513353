"""``python -m perf.faults``: run the campaign, or a slice of it, and print a line per slice; exit code 1 on a fault."""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from perf.faults import cases, others
from perf.faults.bench import Bench
from perf.faults.programme import stand_in

Case = Callable[[Bench, random.Random], cases.Outcome]
_KINDS: dict[str, Case] = {
    "weeks": cases.killed_week,
    "deliveries": cases.killed_delivery,
    "exports": cases.killed_export,
    "imports": cases.killed_import,
    "dagster": others.killed_in_dagster,
    "disks": others.full_disk,
    "pairs": others.pair,
}
_COUNTS = {"kills": 180, "imports": 20, "dagster": 20, "disks": 20, "pairs": 50}


def run(bench: Bench, kind: str, count: int, first: int, seed: int) -> list[str]:
    """Run cases of a kind until so many faults took place, and print a line; returns what was wrong, in words.

    Whatever a case draws comes from seed, kind and its number. A process that ended before its kill counts for nothing.
    """
    began, took_place, number = time.monotonic(), 0, first
    wrong: list[str] = []
    while took_place < count and number < first + 5 * count + 5:
        happened, found = _KINDS[kind](bench, random.Random(f"{seed}/{kind}/{number}"))
        cases.clean(bench)
        wrong += [f"{kind} {number}: {words}" for words in found]
        took_place, number = took_place + happened, number + 1
    print(
        f"{kind} {first} to {number - 1}: {took_place} faults took place, {len(wrong)} things wrong, "
        f"{time.monotonic() - began:.0f} s",
        flush=True,
    )
    for words in wrong:
        print(words, flush=True)
    return wrong


def split(counts: dict[str, int]) -> dict[str, int]:
    """Counts by kind: of 18 kills 8 hit a week, 5 a delivery and 5 an export."""
    kills = counts.pop("kills", 0)
    return {"weeks": -(-kills * 8 // 18), "deliveries": -(-kills * 5 // 18), "exports": kills * 5 // 18} | counts


def campaign(seed: int, counts: dict[str, int], first: int = 0) -> list[str]:
    """Let so many faults of each kind take place; returns what was wrong."""
    stand_in()
    with tempfile.TemporaryDirectory(prefix="turnup-faults-", ignore_cleanup_errors=True) as folder:
        bench = Bench(Path(folder))
        try:
            return [words for kind, count in split(counts).items() for words in run(bench, kind, count, first, seed)]
        finally:
            bench.close()


def main() -> None:
    """Read the counts from the command line."""
    parser = argparse.ArgumentParser(prog="python -m perf.faults", description=__doc__)
    parser.add_argument("--seed", type=int, default=20261201)
    parser.add_argument("--first", type=int, default=0, help="number of the first case of each kind, to go on from")
    for kind, count in _COUNTS.items():
        parser.add_argument(f"--{kind}", type=int, default=count)
    asked = vars(parser.parse_args())
    seed, first = asked.pop("seed"), asked.pop("first")
    raise SystemExit(1 if campaign(seed, asked, first) else 0)


if __name__ == "__main__":
    main()
