"""Expected values of Azure's node health checks: the conf file of a SKU, and the table that is published of them.

Adapter bandwidth is measured with ``--report_gbits``: the conf files mean Gbit/s, and a table that says GB/s is wrong.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from turnup.formats.content import Content
from turnup.formats.limits.described import lines_ledger
from turnup.formats.model import Fact, Finding, Look

_CHECK = re.compile(r"^[^#|\n]*\|\|[ \t]*(check_\w+)[ \t]*(.*?)[ \t\r]*$", re.MULTILINE)
_ROW = re.compile(r"^\|\s*(check_\w+)\s*\|(.+)\|\s*$", re.MULTILINE)
_TABLE_HEAD = re.compile(r"^\|\s*Check\s*\|.*expected.*\|\s*$", re.MULTILINE | re.IGNORECASE)
_ADAPTER = ("check_ib_bw_gdr", "check_ib_bw_non_gdr")
_BYTES = re.compile(r"([\d.]+)\s*(GB/s)")

_FIGURES = {
    "check_nccl_allreduce": (("all_reduce_busbw", 0, "GB/s"), ("all_reduce_size", 2, "")),
    "check_rccl_allreduce": (("all_reduce_busbw", 0, "GB/s"), ("all_reduce_size", 2, "")),
    "check_nccl_allreduce_ib_loopback": (("ib_loopback_busbw", 0, "GB/s"),),
    "check_gpu_bw": (("gpu_host_copy", 0, "GB/s"), ("gpu_peer_copy", 1, "GB/s")),
    "check_ib_bw_gdr": (("ib_bw_gdr", 0, "Gbit/s"),),
    "check_ib_bw_non_gdr": (("ib_bw_non_gdr", 0, "Gbit/s"),),
    "check_gpu_count": (("gpus", 0, ""),),
    "check_nvme_count": (("nvme_drives", 0, ""),),
    "check_gpu_ecc": (("ecc_dram_corrected", 0, ""), ("ecc_sram_corrected", 1, "")),
    "check_hw_physmem": (("memory", 0, ""), ("memory_tolerance", 2, "")),
    "check_hw_cpuinfo": (("cpu_sockets", 0, ""), ("cpu_cores", 1, "")),
}


def is_conf(content: Content) -> bool:
    """Whether a text has lines such as ``* || check_gpu_count 8``."""
    return len(_CHECK.findall(content.head_text)) > 1


def is_table(content: Content) -> bool:
    """Whether a text holds the published table of expected values."""
    return _TABLE_HEAD.search(content.head_text) is not None


def look_at_conf(content: Content) -> Look:
    """The expected figures, each once; ports by their rate."""
    text = content.head_text
    checks = _CHECK.findall(text)
    facts = list(_figures(checks))
    rates = Counter(given.split()[0] for check, given in checks if check == "check_hw_ib" and given)
    facts += [Fact(f"ib_ports_{rate}", count, note=f"ports of {rate} Gbit/s") for rate, count in sorted(rates.items())]
    if not any(check == "check_gpu_ecc" for check, _ in checks):
        facts.append(Fact("gpu_ecc_check", "none"))
    return Look(lines_ledger(text, len(checks)), tuple(facts))


def _figures(checks: list[tuple[str, str]]) -> Iterator[Fact]:
    yield Fact("checks", len(checks))
    for check, given in checks:
        words = given.split()
        for name, place, unit in _FIGURES.get(check, ()):
            if place < len(words):
                yield Fact(name, words[place].removesuffix(".0"), unit)


def look_at_table(content: Content) -> Look:
    """The published values, and those whose unit cannot be right."""
    text = content.head_text
    rows = [(check, [cell.strip() for cell in cells.split("|")]) for check, cells in _ROW.findall(text)]
    facts = [Fact("checks", len(rows))]
    findings = []
    for check, cells in rows:
        values = tuple(cell for cell in cells[1:] if re.search(r"\d", cell))
        if values:
            facts.append(Fact(check, values))
        for value in values if check in _ADAPTER else ():
            found = _BYTES.match(value)
            if found is not None:
                message = (
                    f"{check} expects {value}, but the test reports Gbit/s: {found.group(1)} Gbit/s is meant; "
                    "a node that reaches it must not fail for it"
                )
                findings.append(Finding("unit_conflict", "error", None, check, value, message))
    return Look(lines_ledger(text, len(rows)), tuple(facts), tuple(findings))
