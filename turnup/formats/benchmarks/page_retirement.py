"""``nvidia-smi -q -d PAGE_RETIREMENT``: retired memory pages of each GPU, and whether more wait for a reboot."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turnup.formats.benchmarks.documents import mentions
from turnup.formats.benchmarks.hpl import calendar_time
from turnup.formats.benchmarks.lines import read_log
from turnup.formats.benchmarks.measured import Figure, Run, given_of, to_table
from turnup.formats.model import Fact, RawTable, Request

if TYPE_CHECKING:
    from turnup.formats.content import Content

_GPU = re.compile(r"^GPU ([0-9A-Fa-f]{4,8}:[0-9A-Fa-f:.]+)\s*$")
_LINE = re.compile(r"^\s*(Timestamp|Driver Version|Attached GPUs|Single Bit ECC|Double Bit ECC|Pending Page Blacklist)"
                   r"\s*:\s*(.*?)\s*$")  # fmt: skip
_METRICS = {"Single Bit ECC": "retired_pages_sbe", "Double Bit ECC": "retired_pages_dbe"}


def is_page_retirement(content: Content) -> bool:
    """Whether a text is this query and no longer one."""
    return mentions(content, r"NVSMI LOG", r"Retired Pages", r"Pending Page Blacklist") and "FB Memory" not in (
        content.head_text
    )


def parse_page_retirement(request: Request) -> RawTable:
    """Read the answer to the query.

    Raises:
        FileRejected: when it is none.
    """
    log = read_log(request)
    run = Run("nvidia-smi", "page_retirement", "retired_pages_dbe", "pages", hosts=[log.host] if log.host else [])
    run.findings += log.findings
    gpus: list[str] = []
    attached = 0
    pending: list[str] = []
    for number, line in log.lines:
        if (gpu := _GPU.match(line)) is not None:
            gpus.append(gpu.group(1))
        elif (found := _LINE.match(line)) is None:
            continue
        elif found.group(1) == "Attached GPUs":
            attached = int(found.group(2)) if found.group(2).isdigit() else 0
        elif found.group(1) == "Timestamp":
            run.started = calendar_time(found.group(2))
        elif found.group(1) == "Driver Version":
            run.stack = f"driver {found.group(2)}"
        elif gpus:
            pending += [gpus[-1]] if found.group(2) == "Yes" else []
            cut = number == log.count and not log.ended
            run.figures.append(
                _figure(number, f"gpu{len(gpus) - 1} {gpus[-1]}", found.group(1), found.group(2), cut=cut)
            )
    run.ranks = len(gpus)
    run.complete = bool(gpus) and attached == len(gpus) and len(run.figures) == 3 * len(gpus)
    run.why = f"{attached} GPUs are attached, {len(gpus)} are listed with {len(run.figures)} of their figures"
    facts = [
        Fact("gpus", len(gpus)), Fact("attached_gpus", attached), Fact("pending_gpus", tuple(pending)),
        *(
            Fact(f"{figure.member.split()[0]}_{figure.metric.removeprefix('retired_pages_')}", figure.value or "")
            for figure in run.figures
            if figure.value not in (None, "0")
        ),
    ]  # fmt: skip
    return to_table(request, "page-retirement", [run], log.count, facts=facts)


def _figure(number: int, member: str, name: str, value: str, *, cut: bool) -> Figure:
    """A count, or 1 and 0 for pages that wait; ``N/A`` is no figure."""
    given = given_of(line=f"{name}: {value}")
    if name in _METRICS:
        known = value if value.isdigit() and not cut else None
        return Figure(number, _METRICS[name], known, "pages", member=member, given=given,
                      status=None if known else "not_measured")  # fmt: skip
    flag = {"Yes": "1", "No": "0"}.get(value)
    return Figure(number, "pending_page_blacklist", flag, "1", member=member, given=given,
                  status=None if flag else "not_measured")  # fmt: skip
