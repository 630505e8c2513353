"""Logs that were cut, tagged, edited or joined: the right figures, or a result that is no verdict; never a wrong one.

Every kind of log of ``logs.EVERY`` is mutated. What a mutation may leave is either the figures of the whole log, or a
file that is refused, incomplete, unverified or in conflict.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from expectations.contract import load_contracts
from tests.formats.benchmarks.logs import EVERY
from turnup.formats import FileRejected, RawTable, inspect, parse
from turnup.formats.benchmarks.results import results_of
from turnup.programme import Source

CONTRACTS = load_contracts()
BENCHMARKS = CONTRACTS["benchmarks"]
FORMS = sorted(EVERY)
QUICK = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
PREFIXES = (
    "[1,0]<stdout>:", "0: ", "2026-10-02T06:00:00.123Z ", "\x1b[32m", "[1,0]<stdout>:\x1b[0m", "0: 2026-10-02 06:00:00 "
)  # fmt: skip


def read(content: bytes, name: str) -> RawTable | None:
    """The rows of a file, or None when it is refused."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "content"
        path.write_bytes(content)
        try:
            table = parse(path, name, Source.model_construct(dataset="benchmarks", files="*"), BENCHMARKS)
        except FileRejected:
            return None
    assert table.ledger.balanced
    return table


def figures(table: RawTable) -> set[tuple]:
    """What a table says was measured well: the figure and all that tells it from others."""
    keys = ("test", "metric", "statistic", "size_bytes", "placement", "direction", "member", "unit")
    return {
        (*(row[key] for key in keys), float(row["value"]))
        for row in table.frame.rows(named=True)
        if row["status"] == "valid" and row["complete"] == "true" and row["correctness"] in ("clean", "not_applicable")
    }


WHOLE = {form: figures(read(text.encode(), name)) for form, (text, name) in EVERY.items()}


def never_wrong(form: str, content: bytes, name: str | None = None) -> RawTable | None:
    table = read(content, name or EVERY[form][1])
    if table is not None:
        assert figures(table) <= WHOLE[form]
    return table


@pytest.mark.parametrize("form", FORMS)
@QUICK
@given(share=st.floats(0.02, 0.999), newline=st.booleans())
@example(share=0.25, newline=False)
@example(share=0.5, newline=False)
@example(share=0.75, newline=False)
@example(share=0.99, newline=False)
@example(share=0.99609375, newline=True)
def test_a_cut_log_is_never_ready_with_less_than_all(form, share, newline):
    data = EVERY[form][0].encode()
    kept = data[: int(len(data) * share)] + (b"\n" if newline else b"")
    table = never_wrong(form, kept)
    # Lines of SuperBench stand for themselves: what is lost is a node, which coverage finds.
    if table is not None and form != "superbench" and figures(table) != WHOLE[form]:
        assert not results_of(table).verdict_ready


@pytest.mark.parametrize("form", FORMS)
@QUICK
@given(
    prefix=st.sampled_from(PREFIXES), end=st.sampled_from(("\n", "\r\n")), mark=st.booleans(), padding=st.integers(0, 9)
)
@example(prefix="", end="\r\n", mark=True, padding=0)
def test_what_transports_add_changes_nothing(form, prefix, end, mark, padding):
    text, name = EVERY[form]
    lines = text.removesuffix("\n").split("\n")
    changed = ("\ufeff" if mark else "") + end.join(prefix + line for line in lines) + end + "\x00" * padding
    table = never_wrong(form, changed.encode(), name)
    assert table is not None
    assert figures(table) == WHOLE[form]
    assert results_of(table).verdict_ready


EDITED = {
    "nccl": r"(?<=  )\d+\.\d\d(?=\s+(?:0|\d))",
    "nccl-json": r'(?<="(?:bus)_bw": )\d+\.\d+|(?<="alg_bw": )\d+\.\d+',
    "nvbandwidth": r"(?<=    )\d+\.\d\d\b|(?<=_ce )\d+\.\d\d",
    "nvbandwidth-json": r'(?<=")\d+\.\d+(?=")|(?<="sum": )[\d.]+',
    "perftest": r"(?<= )39\d\.\d\d(?=\s+0\.)",
    "perftest-json": r"(?<=BW_average\": )[\d.]+",
    "fio": r'(?<="bw_bytes": )[1-9]\d*|(?<="iops": )[1-9][\d.]*',
    "iperf3": r'(?<="bits_per_second": )[\d.]+',
    "hpl": r"7\.9996e\+03",
    "hpcg": r"(?<=final =  )202\.6",
    "stream": r"3\d{5}\.\d(?=     0)",
    "io500": r"(?<=write        )[\d.]+(?= GiB)|(?<=TOTAL )[\d.]+|(?<=Bandwidth )[\d.]+",
    "ior": r"(?<=Write: )[\d.]+",
    "mlperf-storage": r'(?<="train_au_mean_percentage": )[\d.]+',
}
"""Figures that other figures of the same log vouch for."""


@pytest.mark.parametrize("form", sorted(EDITED))
@QUICK
@given(
    factor=st.sampled_from((8, 0.125, 1.024, 1.048576, 1.073741824, 1000, 0.5)), which=st.integers(0, 40),
)  # fmt: skip
def test_an_edited_figure_is_not_believed(form, factor, which):
    text, name = EVERY[form]
    found = list(re.finditer(EDITED[form].replace("(?:bus)", "bus"), text))
    assert found, form
    hit = found[which % len(found)]
    if float(hit.group()) < 1:
        return
    value = float(hit.group()) * factor
    shown = f"{value:.4e}" if "e" in hit.group() else f"{value:.{len(hit.group().partition('.')[2])}f}"
    table = never_wrong(form, (text[: hit.start()] + shown + text[hit.end() :]).encode(), name)
    assert table is None or not results_of(table).verdict_ready


@pytest.mark.parametrize("form", sorted(EDITED))
@QUICK
@given(word=st.sampled_from(("nan", "-nan", "N/A", "-1", "480,87", '"nan"', "null", "inf")), which=st.integers(0, 40))
def test_what_is_no_number_is_no_figure(form, word, which):
    text, name = EVERY[form]
    found = list(re.finditer(EDITED[form], text))
    hit = found[which % len(found)]
    table = never_wrong(form, (text[: hit.start()] + word + text[hit.end() :]).encode(), name)
    if table is not None:
        lost = WHOLE[form] - figures(table)
        assert lost or not results_of(table).verdict_ready


@pytest.mark.parametrize("form", ["nccl", "nvbandwidth", "perftest"])
@pytest.mark.parametrize("label", ["GiB/s", "Gb/s", "MB/s", "Gb/sec", "TB/s", "MB/sec"])
def test_another_unit_label_is_not_believed(form, label):
    text, name = EVERY[form]
    pattern = {"nccl": r"\(GB/s\)", "nvbandwidth": r"\(GB/s\)", "perftest": r"\[Gb/sec\]"}[form]
    theirs = f"[{label}]" if form == "perftest" else f"({label})"
    changed = re.sub(pattern, theirs, text)
    if changed == text:
        return
    table = never_wrong(form, changed.encode(), name)
    assert table is None or not results_of(table).verdict_ready


@pytest.mark.parametrize("wrong", ["1", "N/A", "4096"])
def test_one_wrong_or_unchecked_row_is_not_clean(wrong):
    text, name = EVERY["nccl"]
    at = text.rindex("      0\n")
    table = never_wrong("nccl", (text[:at] + f"{wrong:>7}\n" + text[at + 8 :]).encode(), name)
    assert not figures(table) or wrong == "N/A"
    assert not any(row["correctness"] == "clean" for row in table.frame.rows(named=True)) or wrong == "N/A"
    ready = results_of(table)
    assert not ready.verdict_ready or wrong != "N/A"


def test_placements_follow_their_header():
    text, name = EVERY["nccl"]
    swapped = text.replace("out-of-place", "~").replace("in-place", "out-of-place").replace("~", "in-place")
    table = read(swapped.encode(), name)
    straight = read(text.encode(), name)
    out = {
        (row["size_bytes"], row["value"]) for row in straight.frame.rows(named=True) if row["placement"] == "in_place"
    }
    into = {(row["size_bytes"], row["value"]) for row in table.frame.rows(named=True) if row["placement"] != "in_place"}
    assert out <= into


@pytest.mark.parametrize("form", FORMS)
def test_the_same_document_twice_is_no_other_figure(form):
    text, name = EVERY[form]
    table = read((text + ("" if text.endswith("\n") else "\n") + text).encode(), name)
    if table is not None:
        measured = {(*figure[:2], *figure[3:6], *figure[7:]) for figure in figures(table)}
        assert measured <= {(*figure[:2], *figure[3:6], *figure[7:]) for figure in WHOLE[form]}


@pytest.mark.parametrize("form", FORMS)
def test_twins_and_empty_copies_are_refused(form, tmp_path):
    text, name = EVERY[form]
    for content, theirs in (
        (b"\x00\x05\x16\x07" + b"\x00" * 60, f"._{name}"), (text.encode(), f"._{name}"), (b"\x00" * 512, name),
        (b"", name),
    ):  # fmt: skip
        assert read(content, theirs) is None
        path = tmp_path / "content"
        path.write_bytes(content)
        found = inspect(path, theirs, CONTRACTS)
        assert [finding.code for finding in found.findings] in (["apple_double"], ["empty_file"])


@pytest.mark.parametrize("form", ["iperf3", "fio", "nvbandwidth-json", "dcgm-diag", "nccl-json", "mlperf-storage"])
def test_valid_json_without_its_results_is_no_measurement(form):
    text, name = EVERY[form]
    inner = {
        "iperf3": r'"end": \{', "fio": r'"jobs": \[', "nvbandwidth-json": r'"testcases": \[',
        "dcgm-diag": r'"test_categories": \[', "nccl-json": r'"results": \[', "mlperf-storage": r'"metric": \{',
    }[form]  # fmt: skip
    opened = re.search(inner, text)
    bracket = text[opened.end() - 1]
    depth, at = 0, opened.end() - 1
    closing = {"[": "]", "{": "}"}[bracket]
    while True:
        depth += {bracket: 1, closing: -1}.get(text[at], 0)
        at += 1
        if depth == 0:
            break
    table = read((text[: opened.end()] + text[at - 1 :]).encode(), name)
    if table is not None:
        assert figures(table) == set()
        assert not results_of(table).verdict_ready


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("share", [0.6, 0.93])
def test_a_cut_log_behind_a_whole_one_is_noticed(form, share):
    text, name = EVERY[form]
    whole = text if text.endswith("\n") else text + "\n"
    cut = whole[: int(len(whole) * share)]
    table, alone = read((whole + cut).encode(), name), read(cut.encode(), name)
    if table is not None and form not in ("superbench", "perftest"):
        ended = alone is not None and figures(alone) == WHOLE[form]
        assert ended or not results_of(table).verdict_ready


def test_two_hosts_in_one_file_keep_their_figures():
    text, name = EVERY["nccl"]
    table = read((text + text.replace(" on gpu-1 ", " on gpu-2 ")).encode(), name)
    assert table.frame.select("run", "node", "ranks").unique(maintain_order=True).select("node", "ranks").rows() == [
        ("gpu-1", "8"), ("gpu-2", "8")
    ]  # fmt: skip
    assert results_of(table).verdict_ready


def test_a_faulty_gpu_of_the_first_log_is_not_lost_behind_the_second():
    text, name = EVERY["gpu-burn"]
    table = read((text.replace("GPU 1: OK", "GPU 1: FAULTY") + text).encode(), name)
    faulty = table.frame.filter(table.frame["outcome"] == "fail")
    assert faulty.select("member", "value").rows() == [("gpu1", "0")]
