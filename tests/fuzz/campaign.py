"""A run of damaged files through the reader of a refresh or through the command, and what was wrong with it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from expectations.contract import load_contracts
from tests.fuzz.damage import damaged
from tests.fuzz.seeds import Seed, seeds
from turnup.formats import FileRejected, Inspection, RawTable
from turnup.isolation import Reader
from turnup.programme import Source

HURT = ("reader_failed", "reader_died", "too_slow", "too_much_memory")
"""Codes that say that the reader itself did not cope; in a campaign each one is a fault to mend."""

CONTRACTS = load_contracts()


@dataclass
class Outcome:
    """Verdicts by kind, and every file whose verdict is none."""

    verdicts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def made(number: int, known: list[Seed]) -> tuple[Seed, bytes]:
    """Damaged file of this number; the same number gives the same file for the same seeds."""
    draw = random.Random(number)
    seed, other = draw.choice(known), draw.choice(known)
    return seed, damaged(seed.content, other.content, draw)


def through_readers(numbers: range, folder: Path, workers: int = 2) -> Outcome:
    """Read each file of these numbers in recycled children: every second is inspected, the others parsed."""
    known, outcome, own = seeds(), Outcome(), threading.local()
    readers: list[Reader] = []

    def read(number: int) -> None:
        if not hasattr(own, "reader"):
            own.reader = Reader()
            readers.append(own.reader)
        seed, content = made(number, known)
        path = folder / f"{number}"
        path.write_bytes(content)
        kind, fault = _verdict(own.reader, path, seed, number)
        path.unlink()
        outcome.verdicts[kind] += 1
        if fault:
            outcome.faults.append(f"{number} ({seed.name}): {fault}")

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(read, numbers))
    for reader in readers:
        reader.close()
    return outcome


def _verdict(reader: Reader, path: Path, seed: Seed, number: int) -> tuple[str, str]:
    if not path.stat().st_size:
        return "empty", ""
    if number % 2:
        return _of_inspection(reader.inspect(path, seed.name))
    source = Source.model_construct(dataset=seed.dataset, files="*", ignore=("*",))
    try:
        return _of_table(reader.parse(path, seed.name, source, CONTRACTS[seed.dataset]))
    except FileRejected as refusal:
        return f"refused {refusal.code}", f"{refusal.code}: {refusal.message}" if refusal.code in HURT else ""


def _of_inspection(found: Inspection) -> tuple[str, str]:
    hurt = [item.message for item in found.findings if item.code in HURT]
    fault = hurt[0] if hurt else "" if found.ledger.balanced else f"the ledger does not balance: {found.ledger}"
    empty = not found.ledger.lines and not found.findings
    return "inspected", fault or ("neither lines nor findings" if empty else "")


def _of_table(table: RawTable) -> tuple[str, str]:
    if not table.ledger.balanced:
        return "table", f"the ledger does not balance: {table.ledger}"
    if table.frame.height != table.ledger.data:
        return "table", f"{table.frame.height} rows, {table.ledger.data} in the ledger"
    return "table", ""


def through_the_command(numbers: range, folder: Path, workers: int = 2) -> Outcome:
    """Inspect each file of these numbers by ``turnup inspect --json``."""
    known, outcome = seeds(), Outcome()

    def read(number: int) -> None:
        seed, content = made(number, known)
        path = folder / f"{number} {seed.name}"
        path.write_bytes(content)
        command = (sys.executable, "-m", "pipelines", "inspect", str(path), "--json")
        done = subprocess.run(command, capture_output=True, timeout=60, check=False)
        path.unlink()
        outcome.verdicts[f"exit {done.returncode}"] += 1
        fault = _of_command(done)
        if fault:
            outcome.faults.append(f"{number} ({seed.name}): {fault}")

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(read, numbers))
    return outcome


def _of_command(done: subprocess.CompletedProcess[bytes]) -> str:
    if done.returncode not in (0, 1) or done.stderr:
        return f"exit {done.returncode}: {done.stderr[-300:].decode(errors='replace')}"
    try:
        document = json.loads(done.stdout)
    except ValueError as error:
        return f"no document: {error}"
    hurt = [item["message"] for item in document["findings"] if item["code"] in HURT]
    return hurt[0] if hurt else ""
