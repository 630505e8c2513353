"""gpu-burn: whether each GPU came through, by the last block of its log, and the errors it counted on the way.

Progress is overwritten with carriage returns and is no result. Without the block ``Tested N GPUs`` the run did not end.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turnup.formats.benchmarks.documents import mentions
from turnup.formats.benchmarks.lines import Log, read_log, segments
from turnup.formats.benchmarks.measured import Figure, Run, given_of, to_table
from turnup.formats.model import Fact, RawTable, Request

if TYPE_CHECKING:
    from turnup.formats.content import Content

_GPU = re.compile(r"^GPU (\d+): (.+?) \(UUID: (\S+)\)")
_START = re.compile(r"^GPU 0: .*\(UUID: ")
_BLOCK = re.compile(r"^Tested (\d+) GPUs:\s*$")
_VERDICT = re.compile(r"^\s*GPU (\d+): (OK|FAULTY)\s*$")
_ERRORS = re.compile(r"errors:\s*((?:-?\d+\s*(?:\([^)]*\)\s*)?(?:-\s+)?|--\s*)+)")
_PLANNED = re.compile(r"Burning for (\d+) seconds")
_DEAD = re.compile(r"No clients are alive|Couldn't init|Failure during compute|No CUDA devices", re.IGNORECASE)


def is_gpu_burn(content: Content) -> bool:
    """Whether a text is a log of gpu-burn."""
    return mentions(content, r"(?:proc'd: \d+ \(|Tested \d+ GPUs:|Burning for \d+ seconds)")


def parse_gpu_burn(request: Request) -> RawTable:
    """Read a log.

    Raises:
        FileRejected: when it is no log of gpu-burn.
    """
    log = read_log(request)
    found = [_read_gpu_burn(part) for part in log.parts(_START)]
    return to_table(request, "gpu-burn", [each[0] for each in found], log.count, facts=found[0][1])


def _read_gpu_burn(log: Log) -> tuple[Run, list[Fact]]:
    run = Run("gpu-burn", "gpu_burn", "passed", "count", hosts=[log.host] if log.host else [], correctness="unverified")
    run.findings += log.findings
    listed: dict[str, str] = {}
    block: tuple[int, int] | None = None
    verdicts: dict[str, tuple[int, str]] = {}
    counted: tuple[int, list[int]] | None = None
    for number, piece in segments(log.lines):
        if (gpu := _GPU.match(piece)) is not None:
            listed[gpu.group(1)] = gpu.group(2)
        elif (found := _BLOCK.match(piece)) is not None:
            block, verdicts = (number, int(found.group(1))), {}
        elif block is not None and (verdict := _VERDICT.match(piece)) is not None:
            verdicts[verdict.group(1)] = (number, verdict.group(2))
        elif (errors := _ERRORS.search(piece)) is not None:
            counted = number, [int(text) for text in re.findall(r"(?<![\d(])-?\d+(?![\d)])", errors.group(1))]
        elif (planned := _PLANNED.search(piece)) is not None:
            run.planned_s = planned.group(1)
        elif _DEAD.search(piece):
            run.note("tool_message", f"line {number}: {piece.strip()}", number)
    run.sku = next(iter(listed.values()), None)
    run.ranks = len(listed)
    _judged(run, block, verdicts, counted, listed)
    faulty = tuple(sorted(gpu for gpu, (_, said) in verdicts.items() if said == "FAULTY"))
    facts = [
        Fact("gpus_tested", block[1] if block else 0),
        Fact("gpus_ok", sum(said == "OK" for _, said in verdicts.values())),
        Fact("gpus_faulty", faulty),
        Fact("gpus_listed", len(listed)),
    ]
    return run, facts


def _judged(
    run: Run,
    block: tuple[int, int] | None,
    verdicts: dict[str, tuple[int, str]],
    counted: tuple[int, list[int]] | None,
    listed: dict[str, str],
) -> None:
    for gpu, (number, said) in sorted(verdicts.items(), key=lambda item: int(item[0])):
        run.figures.append(
            Figure(number, "passed", "1" if said == "OK" else "0", "count", member=f"gpu{gpu}",
                   correctness="clean" if said == "OK" else "wrong", outcome="pass" if said == "OK" else "fail",
                   given=given_of(line=f"GPU {gpu}: {said}"))
        )  # fmt: skip
    if counted is not None:
        number, errors = counted
        run.figures += [
            Figure(number, "errors", str(count), "count", "last", member=f"gpu{gpu}", given=given_of(errors=count))
            for gpu, count in enumerate(errors)
            if count >= 0
        ]
        if any(errors) and all(said == "OK" for _, said in verdicts.values()):
            run.note("errors_counted", f"errors were counted ({errors}) although no GPU is called faulty", number)
    expected = max(block[1] if block else 0, len(listed))
    run.complete = block is not None and len(verdicts) == expected
    if block is not None and len(verdicts) != expected:
        run.why = f"{len(verdicts)} of {expected} GPUs have a verdict in its last block"
    words = {word for _, word in verdicts.values()}
    run.correctness = "wrong" if "FAULTY" in words else "clean" if words else "unverified"
    if "FAULTY" in words:
        run.note("wrong_results", "a GPU is FAULTY: it computed wrong results", block[0] if block else None)
