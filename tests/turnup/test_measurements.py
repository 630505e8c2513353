"""Logs of every tool from the inbox to the warehouse: every figure with its unit, and nothing that was not measured."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.formats.benchmarks.logs import EVERY, nccl
from tests.formats.benchmarks.test_tools import IBNET, SYSLOG
from tests.turnup.small_programme import CONFIGURATION, ask, drop, made
from turnup.refresh import refresh

SOURCES = """
  logs:
    {dataset: benchmarks, files: "logs/*", mode: events, owner: Wen Zhao, time_zone: UTC, defaults: {system_id: GPU-1}}
  fabric: {dataset: links, files: "ibnet*", owner: Wen Zhao}
  flaps: {dataset: failures, files: "messages*", mode: events, owner: Wen Zhao}
"""


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory):
    home = made(tmp_path_factory.mktemp("measured"))
    home.configuration.write_text(CONFIGURATION + SOURCES.lstrip("\n"), encoding="utf-8")
    for form, (text, name) in EVERY.items():
        drop(home, f"2026-09-29/logs/{form}-{name}", text)
    whole = nccl()
    drop(home, "2026-09-29/logs/all_reduce_cut.log", whole[: whole.index("# Out of bounds")])
    drop(home, "2026-09-29/logs/twin.log", "\x00\x05\x16\x07" + "\x00" * 60)
    drop(home, "2026-09-29/ibnetdiscover.txt", IBNET)
    drop(home, "2026-09-29/messages-2026.log", SYSLOG.replace("Oct", "Sep"))
    return refresh(home, "2026-W40", datetime(2026, 10, 2, 18, 30, tzinfo=UTC)).database


def test_every_tool_has_its_figures(warehouse):
    tools = {tool for (tool,) in ask(warehouse, "SELECT DISTINCT tool FROM stg.benchmarks WHERE value IS NOT NULL")}
    assert tools == {
        "nccl-tests", "nvbandwidth", "perftest", "fio", "iperf3", "hpl", "hpcg", "stream", "babelstream", "gpu-burn",
        "gpcnet", "io500", "ior", "mlperf-training", "dlio", "dcgm-diag", "superbench",
    }  # fmt: skip


def test_what_was_not_measured_has_no_value(warehouse):
    assert ask(
        warehouse,
        "SELECT status, bool_and(value IS NULL), bool_or(value IS NULL) FROM stg.benchmarks GROUP BY 1 ORDER BY 1",
    ) == [("incomplete", False, False), ("not_measured", True, True), ("valid", False, False), ("waived", True, True)]


def test_a_cut_log_is_there_and_not_complete(warehouse):
    rows = ask(warehouse, "SELECT DISTINCT complete, status FROM stg.benchmarks WHERE run LIKE 'all_reduce_cut%'")
    assert rows == [(False, "incomplete")]


def test_figures_keep_unit_direction_and_member(warehouse):
    query = "SELECT value, unit, size_bytes, direction, planned_s FROM stg.benchmarks WHERE test = 'seqread'"
    assert ask(warehouse, f"{query} AND metric = 'bandwidth'") == [(2097152000.0, "B/s", 1048576, "read", 60.0)]
    query = "SELECT value, member FROM stg.benchmarks WHERE tool = 'gpu-burn' AND metric = 'passed' ORDER BY 2"
    assert ask(warehouse, query) == [(1.0, "gpu0"), (1.0, "gpu1")]


def test_nothing_was_set_aside_but_the_twin(warehouse):
    assert ask(warehouse, "SELECT rule, count(*) FROM meta.quarantine GROUP BY 1") == [("apple_double", 1)]
    (lines,) = ask(
        warehouse, "SELECT sum(lines), sum(data + other), sum(accepted) FROM meta.ledger WHERE format = 'nccl'"
    )
    assert lines[0] == lines[1]


def test_links_and_flaps(warehouse):
    query = "SELECT count(*), sum(speed_gbps)::INT FROM stg.links WHERE view = 'observed'"
    assert ask(warehouse, query) == [(3, 500)]
    query = "SELECT node, count(*) FROM stg.failures GROUP BY 1 ORDER BY 1"
    assert ask(warehouse, query) == [("gpu001", 5), ("gpu002", 1)]
