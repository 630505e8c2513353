"""nccl-tests logs: every layout, prefixes and noise, cut logs, wrong and unchecked results."""

from __future__ import annotations

import json

import pytest

from expectations.contract import load_contracts
from tests.formats.benchmarks import logs
from turnup.formats import FileRejected

BENCHMARKS = load_contracts()["benchmarks"]
RANKS = "\n".join(
    f"#  Rank  {rank} Group  0 Pid  1 on gpu-{rank // 2 + 1} device  {rank} [0x00] NVIDIA H100" for rank in range(4)
)
HEAD = """# nccl-tests version 2.17.6 nccl-headers=22807 nccl-library=22807
# Collective test starting: all_reduce_perf
{ranks}
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
"""
ROWS = """\
    33554432       8388608     float     sum      -1    419.4   80.00  120.00      0    409.2   82.00  123.00      0
    67108864      16777216     float     sum      -1  6.7e+02  100.00  150.00      0    657.9  102.00  153.00      0
"""
FOOT = """# Out of bounds values : 0 OK
# Avg bus bandwidth    : 136.5
"""
LOG = HEAD.format(ranks=RANKS) + ROWS + FOOT


def parse_log(read, text, name="run.log", **settings):
    return read(text, contract=BENCHMARKS, name=name, **settings)


def busbw(table):
    """Size, placement, value of each bus bandwidth, in file order."""
    measured = table.frame.filter(table.frame["value"].is_not_null())
    rows = measured.filter((measured["metric"] == "busbw") & (measured["statistic"] == "value"))
    return rows.select("size_bytes", "placement", "value").rows()


FIGURES = [
    ("33554432", "out_of_place", "120.00"),
    ("33554432", "in_place", "123.00"),
    ("67108864", "out_of_place", "150.00"),
    ("67108864", "in_place", "153.00"),
]


def test_a_whole_log(read):
    table = parse_log(read, LOG)
    assert busbw(table) == FIGURES
    first = table.frame.row(0, named=True)
    assert (first["test"], first["node"], first["ranks"], first["sku"]) == (
        "all_reduce",
        "gpu-1,gpu-2",
        "4",
        "NVIDIA H100",
    )
    assert (first["tool"], first["tool_version"], first["unit"]) == ("nccl-tests", "2.17.6", "GB/s")
    assert (first["complete"], first["correctness"]) == ("true", "clean")
    mean = table.frame.filter(table.frame["statistic"] == "mean").row(0, named=True)
    assert (mean["value"], mean["size_bytes"], mean["placement"], mean["_row"]) == ("136.5", "0", "none", 14)
    assert (table.ledger.data, table.ledger.balanced) == (9, True)
    assert table.frame.select("_row", "_sheet").is_unique().all()
    assert table.findings == ()


@pytest.mark.parametrize(
    "prefix", ["[1,0]<stdout>:", "0: ", "    [1,12]<stderr>: ", "2026-10-02T06:00:00.123Z ", "\x1b[32m", "12: \x1b[0m"]
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_prefixes_of_launchers_change_nothing(read, prefix, end):
    text = "\ufeff" + "".join(prefix + line + end for line in LOG.splitlines())
    assert busbw(parse_log(read, text)) == FIGURES


def test_noise_and_prose_around_the_table(read):
    noisy = LOG.replace(ROWS.splitlines()[1], "gpu-1:1:1 [0] NCCL INFO Launch mode Parallel\n" + ROWS.splitlines()[1])
    text = "# Results\n\nWe measured 444.31 GB/s at most.\n\n```\n" + noisy + "```\n\nThe average was 79.9352 GB/s.\n"
    assert busbw(parse_log(read, text, name="README.md")) == FIGURES


def test_the_old_layout_without_root(read):
    text = LOG.replace("   root ", " ").replace("      -1 ", " ").replace("#wrong", " error").replace(" 0\n", " N/A\n")
    text = text.replace("    0    ", "  N/A    ")
    table = parse_log(read, text)
    assert busbw(table) == FIGURES
    assert set(table.frame["correctness"]) == {"unverified"}
    assert [finding.code for finding in table.findings] == ["unverified_results"]


def test_a_blank_operation_and_trailing_times(read):
    text = LOG.replace("     sum ", "         ").replace("all_reduce", "alltoall")
    text = "\n".join(f"{line} 2026-10-02 06:00:00" if "float" in line else line for line in text.splitlines()) + "\n"
    table = parse_log(read, text)
    assert busbw(table) == FIGURES
    assert set(table.frame["test"]) == {"alltoall"}


def test_rows_of_one_placement_only(read):
    blanked = [line[:53] + " " * 36 + line[89:] if "float" in line else line for line in LOG.splitlines()]
    table = parse_log(read, "\n".join(blanked) + "\n")
    assert busbw(table) == [FIGURES[1], FIGURES[3]]


def test_wrong_results_spoil_the_whole_run(read):
    table = parse_log(read, LOG.replace("120.00      0", "120.00     17"))
    assert set(table.frame["correctness"]) == {"wrong"}
    assert [(finding.code, finding.severity) for finding in table.findings] == [("wrong_results", "error")]
    bounds = parse_log(read, LOG.replace(": 0 OK", ": 3 FAILED"))
    assert set(bounds.frame["correctness"]) == {"wrong"}


def test_unchecked_is_not_clean(read):
    table = parse_log(read, LOG.replace("      0\n", "    N/A\n").replace("      0    ", "    N/A    "))
    assert set(table.frame["correctness"]) == {"unverified"}


def test_a_cut_log_is_incomplete_and_its_broken_row_is_named(read):
    whole = LOG[: LOG.index("# Out of bounds")]
    table = parse_log(read, whole)
    assert busbw(table) == FIGURES
    assert set(table.frame["complete"]) == {"false"}
    assert [finding.code for finding in table.findings] == ["incomplete"]
    broken = parse_log(read, whole[: whole.rindex("153.00") + 4])
    assert busbw(broken) == FIGURES[:2]
    assert [(refused.row, refused.rule) for refused in broken.rejected] == [(12, "nccl_row")]
    assert broken.ledger.balanced


@pytest.mark.parametrize("share", range(5, 100, 5))
def test_a_cut_anywhere_never_invents_a_figure(read, share):
    text = LOG[: len(LOG) * share // 100]
    try:
        table = parse_log(read, text, format="nccl")
    except FileRejected as refused:
        assert refused.code == "no_result"
        return
    assert set(busbw(table)) <= set(FIGURES)
    assert table.ledger.balanced
    results = sum("float" in line for line in text.splitlines())
    assert len({row[0] for row in busbw(table)}) + len(table.rejected) >= results - 1


def test_a_line_broken_by_other_output_is_refused(read):
    broken = LOG.replace("6.7e+02  100.00  150.00      0 ", "6.7e+02  100.0NCCL WARN x ")
    table = parse_log(read, broken)
    assert busbw(table) == FIGURES[:2]
    assert [refused.row for refused in table.rejected] == [12]


def test_two_tables_are_two_runs(read):
    table = parse_log(read, LOG + LOG.replace("all_reduce", "all_gather"))
    runs = table.frame.select("run", "test").unique(maintain_order=True).rows()
    assert [test for _, test in runs] == ["all_reduce", "all_gather"]
    assert runs[1][0] == f"{runs[0][0]}.2"


def test_a_size_run_twice_keeps_both(read):
    row = ROWS.splitlines()[1]
    table = parse_log(read, LOG.replace(row, f"{row}\n{row}"))
    statistics = table.frame.filter(table.frame["size_bytes"] == "67108864")["statistic"].to_list()
    assert sorted(set(statistics)) == ["repeat 2", "value"]


def test_equal_names_with_other_content_are_other_runs(read):
    one, two = parse_log(read, LOG), parse_log(read, LOG.replace("gpu-", "node-"))
    assert one.frame["run"][0] != two.frame["run"][0]


def test_the_unit_is_read_from_the_table(read):
    assert set(parse_log(read, LOG.replace("GB/s", "GiB/s")).frame["unit"]) == {"GiB/s"}


def test_a_figure_that_does_not_follow_from_the_algorithm_is_named(read):
    table = parse_log(read, LOG.replace("153.00", "306.00").replace("136.5", "174.75"))
    assert [finding.code for finding in table.findings] == ["busbw_factor"]


def test_the_test_comes_from_the_file_name_when_the_log_is_silent(read):
    text = LOG.replace("# Collective test starting: all_reduce_perf\n", "")
    assert set(parse_log(read, text, name="reduce-scatter_h100.log").frame["test"]) == {"reduce_scatter"}
    unknown = parse_log(read, text)
    assert set(unknown.frame["test"]) == {"unknown"}
    assert "test_unknown" in {finding.code for finding in unknown.findings}


def test_no_host_means_unknown_unless_the_source_says(read):
    text = LOG.replace(RANKS + "\n", "")
    assert set(parse_log(read, text).frame["node"]) == {"unknown"}
    assert set(parse_log(read, text, defaults={"node": "gpu-7"}).frame["node"]) == {"gpu-7"}


def test_a_log_without_results_is_no_measurement(read):
    (row,) = parse_log(read, HEAD.format(ranks=RANKS)).frame.rows(named=True)
    assert (row["value"], row["status"], row["complete"], row["node"]) == (None, "incomplete", "false", "gpu-1,gpu-2")
    with pytest.raises(FileRejected, match="nothing was evaluated"):
        parse_log(read, "make: *** No rule to make target\n", format="nccl")


def document(**changes):
    result = {"time": 62500.0, "alg_bw": 274.88, "bus_bw": 481.04, "nwrong": 0.0}
    return {
        "version": 3, "start_time": "2026-07-10 09:12:44", "end_time": "2026-07-10 09:12:59",
        "args": ["/opt/all_reduce_perf"], "env": ["SECRET_TOKEN=hunter2"], "nccl_version": 22907,
        "config": {"nthreads": 1, "ngpus": 8,
                   "devices": [{"rank": 0, "hostname": "node001", "device_info": "NVIDIA H100"}]},
        "results": [{"size": 17179869184, "type": "float", "root": "    -1", "out_of_place": result,
                     "in_place": result | {"bus_bw": 481.47}}],
        "out_of_bounds": {"count": 0, "okay": "true"},
        "average_bus_bandwidth": {"bandwidth": 481.255, "okay": "unchecked"},
    } | changes  # fmt: skip


def test_a_json_document(read):
    table = parse_log(read, json.dumps(document()), name="out.json")
    assert busbw(table) == [("17179869184", "out_of_place", "481.04"), ("17179869184", "in_place", "481.47")]
    first = table.frame.row(0, named=True)
    assert (first["node"], first["ranks"], first["stack"], first["duration_s"]) == ("node001", "8", "nccl 2.29.7", "15")
    assert (first["correctness"], first["complete"], first["measured_at"]) == ("clean", "true", "2026-07-10 09:12:44")
    assert "hunter2" not in table.frame.write_json()


def test_okay_is_a_word_and_not_a_truth_value(read):
    table = parse_log(read, json.dumps(document(out_of_bounds={"count": 1, "okay": "false"})), name="out.json")
    assert set(table.frame["correctness"]) == {"wrong"}


def test_unchecked_json_results(read):
    text = json.dumps(document()).replace('"nwrong": 0.0', '"nwrong": null')
    assert set(parse_log(read, text, name="out.json").frame["correctness"]) == {"unverified"}
    assert parse_log(read, json.dumps(document(end_time=None)), name="out.json").frame["complete"][0] == "false"


def test_figures_that_are_no_numbers_are_refused(read):
    text = json.dumps(document()).replace('"bus_bw": 481.04', '"bus_bw": "nan"')
    table = parse_log(read, text, name="out.json")
    assert busbw(table) == [("17179869184", "in_place", "481.47")]
    assert [(refused.row, refused.sheet, refused.value) for refused in table.rejected] == [(1, "out_of_place", "nan")]
    assert table.ledger.balanced


def test_a_run_whose_rows_do_not_give_its_average_is_in_conflict(log):
    """The slowest rows were taken out, and the footer kept."""
    rows = [logs.row(8589934592, 478.5, 477.2), logs.row(17179869184, 300.0, 301.5)]
    cut = log(logs.nccl(rows=rows[0], average=logs.average_of("".join(rows))))
    assert "average_mismatch" in cut.codes
    assert {row["status"] for row in cut.rows} == {"conflict"}


def test_localhost_names_no_machine(log):
    read = log(logs.nccl().replace("gpu-1", "localhost"))
    assert {row["node"] for row in read.rows} == {"unknown"}
    assert "node_unknown" in read.codes


def test_a_source_that_declares_the_node_answers_for_logs_that_name_none(log):
    read = log(logs.nccl().replace("gpu-1", "localhost"), defaults={"node": "gpu-9"})
    assert {row["node"] for row in read.rows} == {"gpu-9"}
    assert "node_unknown" not in read.codes
