"""The text that nccl-tests' ``all_reduce_perf`` prints, line for line.

Belongs here: layout and arithmetic of the log (busbw = algbw x 2(n-1)/n). Does not: which nodes ran it.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

_BUS = ("1b", "43", "52", "61", "9d", "c3", "d1", "df")
_SIZES = tuple(8 * 2**20 * 2**step for step in range(12))
_HEAD = """#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)
"""


@dataclass(frozen=True)
class Run:
    """One run of the test.

    Attributes:
        hosts: host names, eight ranks each.
        peak: bus bandwidth at the largest size, GB/s.
        wrong: wrong values found at the largest size, out of place.
        complete: False cuts the log inside its table, as a killed job does.
    """

    hosts: tuple[str, ...]
    device: str
    peak: float
    pid: int
    wrong: int = 0
    complete: bool = True


def all_reduce(run: Run, random: Random) -> str:
    """Return the log of a run."""
    ranks = 8 * len(run.hosts)
    cells: list[float] = []
    rows = [_row(size, run, ranks, random, cells) for size in _SIZES]
    text = _preamble(run) + _HEAD + "".join(rows)
    if not run.complete:
        return text[: len(text) - 3 * len(rows[-1]) - 41]
    bounds = "0 OK" if run.wrong == 0 else f"{run.wrong} FAILED"
    average = sum(cells) / len(cells)
    return (
        f"{text}# Out of bounds values : {bounds}\n# Avg bus bandwidth    : {average:g}\n#\n"
        "# Collective test concluded: all_reduce_perf\n#\n"
    )


def _preamble(run: Run) -> str:
    lines = [
        "# nccl-tests version 2.17.1 nccl-headers=22807 nccl-library=22807",
        "# Collective test starting: all_reduce_perf",
        f"# nThread 1 nGpus 1 minBytes {_SIZES[0]} maxBytes {_SIZES[-1]} step: 2(factor) warmup iters: 5 iters: 20 "
        "agg iters: 1 validation: 1 graph: 0",
        "#",
        "# Using devices",
    ]
    for index, host in enumerate(run.hosts):
        for gpu, bus in enumerate(_BUS):
            rank = index * 8 + gpu
            place = f"on {host:>10} device {gpu:2d} [0000:{bus}:00] {run.device}"
            lines.append(f"#  Rank {rank:2d} Group  0 Pid {run.pid + rank:6d} {place}")
    return "\n".join(lines) + "\n"


def _row(size: int, run: Run, ranks: int, random: Random, cells: list[float]) -> str:
    halves = []
    for place in range(2):
        factor = 2 * (ranks - 1) / ranks
        bus = run.peak * size / (size + 48 * 2**20) * (1 + random.uniform(-0.003, 0.003))
        micros = size / (bus / factor * 1e3)
        algorithm = size / micros / 1e3
        cells.append(algorithm * factor)
        wrong = run.wrong if size == _SIZES[-1] and place == 0 else 0
        halves.append(f"{_time(micros)}  {algorithm:6.2f}  {algorithm * factor:6.2f}  {wrong:6d}")
    return f"{size:12d}  {size // 4:12d}     float     sum      -1  {halves[0]}  {halves[1]}\n"


def _time(micros: float) -> str:
    """Four significant places and more, as the tool prints microseconds."""
    return f"{micros:7.2f}" if micros < 1000 else f"{micros:7.1f}" if micros < 10000 else f"{micros:7.0f}"
