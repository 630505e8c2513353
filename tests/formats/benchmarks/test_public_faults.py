"""Faults of public tools, each on a small input: what they misread is read right (A: their code, B: their users)."""

from __future__ import annotations

import json

import pytest

from tests.formats.benchmarks import logs
from turnup.formats import FileRejected

G8, G16 = "8589934592", "17179869184"


def tagged(text: str, tag: str) -> str:
    return "".join(f"{tag}{line}\n" for line in text.splitlines())


AWS = logs.nccl(average=None)
AVERAGE = logs.average_of(logs.row(8589934592, 478.5, 477.2) + logs.row(17179869184, 481.0, 481.5))


@pytest.mark.parametrize("tag", ["[1,0]<stdout>:", "[1,0]<stdout>: ", "0: ", "12: ", "[0] ", "2026-10-02T06:00:00Z "])
def test_a1_a_tag_before_the_average_is_not_the_average(log, tag):
    read = log(tagged(logs.nccl(), tag))
    assert read.values(statistic="mean") == [AVERAGE]
    assert read.results.verdict_ready


def test_a2_a_colon_in_the_prefix_hides_nothing(log):
    for tag in ("0: ", "[1,0]<stdout>:", "gpu-0017: "):
        read = log(tagged(logs.nccl(), tag))
        assert read.values(statistic="mean") == [AVERAGE]
    assert read.rows[0]["node"].split(",")[0] == "gpu-0017"


def test_a3_an_average_keeps_its_decimals_and_every_table_its_own(log):
    low = logs.row(8589934592, 40.1, 40.1)
    high = logs.row(8589934592, 99.6, 99.6)
    read = log(logs.nccl(rows=low) + logs.nccl(rows=high))
    means = read.values(statistic="mean")
    assert [float(mean) for mean in means] == pytest.approx([40.1, 99.6], abs=0.02)
    assert float(means[1]) < 100
    assert read.facts["runs"] == 2
    assert len({row["run"] for row in read.rows}) == 2


@pytest.mark.parametrize("average", ["249.99", "250.01"])
def test_a4_no_digit_is_lost(log, average):
    body = logs.row(8589934592, float(average), float(average))
    read = log(logs.nccl(rows=body, average=average))
    assert read.values(statistic="mean") == [average]


def test_a5_a_log_without_its_footer_says_nothing_about_nodes(log):
    text = logs.nccl()
    read = log(text[: text.index("# Out of bounds")])
    assert {row["complete"] for row in read.rows} == {"false"}
    assert {row["status"] for row in read.rows} == {"incomplete"}
    assert not read.results.verdict_ready
    assert "footer" in read.results.incomplete


def test_a6_bus_bandwidth_is_graded_not_algorithm_bandwidth(log):
    body = logs.row(17179869184, 350.0, 352.0, factor=0.875, redop="none")
    read = log(logs.nccl("all_gather", rows=body))
    (bus,) = read.values(metric="busbw", placement="in_place", size_bytes=G16)
    (algorithm,) = read.values(metric="algbw", placement="in_place", size_bytes=G16)
    assert float(bus) == pytest.approx(352.0, abs=0.1)
    assert float(algorithm) == pytest.approx(402.3, abs=0.1)
    assert read.results.verdict_ready


def test_a7_old_columns_blank_operations_and_tags_are_rows_too(log):
    body = logs.row(8589934592, 100.0, 101.0, factor=0.875, redop="").replace("     -1  ", "      ")
    text = (
        logs.preamble("alltoall")
        + logs.HEADER.replace("    root ", " ").replace("#wrong", " error")
        + body.replace("      0", "    N/A")
    )
    read = log(tagged(text + logs.footer("100.5"), "[1,0]<stdout>:"))
    assert len(read.values(metric="busbw", statistic="value")) == 2
    assert {row["correctness"] for row in read.rows} == {"unverified"}


def test_a8_a_collapsed_row_in_exponent_form_is_the_largest_size(log):
    good, bad = logs.row(8589934592, 333.47, 333.47), logs.row(17179869184, 24.09, 24.09)
    time = bad.split()[5]
    bad = bad.replace(f"{time:>7}", "1.2e+06")
    read = log(logs.nccl(rows=good + bad))
    (bus,) = read.values(metric="busbw", placement="out_of_place", size_bytes=G16)
    assert float(bus) == pytest.approx(24.09, abs=0.02)
    assert read.facts["largest_size"] == G16


def test_a8_wrong_values_spoil_good_bandwidth(log):
    body = logs.row(8589934592, 478.0, 478.0) + logs.row(17179869184, 480.0, 480.0, wrong="4096")
    read = log(logs.nccl(rows=body))
    assert {row["correctness"] for row in read.rows} == {"wrong"}


def test_a8_a_sweep_killed_early_is_incomplete(log):
    text = logs.nccl()
    read = log(text[: text.rindex(f" {G16}")])
    assert not read.results.verdict_ready
    assert G16 not in {row["size_bytes"] for row in read.rows}


def test_a11_every_entity_counts_in_both_versions_and_behind_a_banner(log):
    third = logs.dcgm([logs.entity(0), logs.entity(1), logs.entity(2, "Fail")])
    read = log("Successfully ran diagnostic for group.\n" + third, "diag.json")
    assert [(row["member"], row["value"]) for row in read.rows] == [("gpu0", "1"), ("gpu1", "1"), ("gpu2", "0")]
    assert read.facts["tests_fail"] == ("memory",)
    old = logs.dcgm(
        [{"gpu_ids": "0,1", "status": "Pass"}, {"gpu_id": "2", "status": "Fail", "warnings": "bad"}], version=3
    )
    assert [(row["member"], row["outcome"]) for row in log(old, "diag.json").rows] == [
        ("gpu0", "pass"), ("gpu1", "pass"), ("gpu2", "fail")
    ]  # fmt: skip


def test_a12_corruption_is_not_the_same_as_not_having_run(log):
    body = logs.row(8589934592, 478.0, 478.0, wrong="17")
    wrong = log(logs.nccl(rows=body, bounds="17 FAILED") + "srun: error: Exited with exit code 1\n")
    assert {row["correctness"] for row in wrong.rows} == {"wrong"}
    assert {row["complete"] for row in wrong.rows} == {"true"}
    failed = log(logs.preamble() + logs.HEADER + "gpu-1: Test NCCL failure common.cu:1005 'unhandled cuda error'\n")
    assert {row["correctness"] for row in failed.rows} == {"unverified"}
    assert [(row["value"], row["status"]) for row in failed.rows] == [(None, "incomplete")]
    assert "error in line" in failed.results.incomplete


def test_a13_both_tables_and_the_right_columns_with_time_stamps(log):
    gather = logs.row(8589934592, 350.0, 352.0, factor=0.875, redop="none")
    read = log(logs.nccl() + logs.nccl("all_gather", rows=gather))
    assert [read.facts["rows"], read.facts["table_2_rows"]] == [2, 1]
    assert {row["test"] for row in read.rows} == {"all_reduce", "all_gather"}
    header = logs.HEADER.replace("busbw #wrong\n", "busbw #wrong           timestamp\n")
    body = "".join(f"{line}  2026-10-02 06:00:00\n" for line in logs.row(8589934592, 478.0, 470.0).splitlines())
    stamped = log(logs.preamble() + header + body + logs.footer(logs.average_of(body)))
    assert [float(value) for value in stamped.values(metric="busbw", statistic="value")] == pytest.approx(
        [478, 470], abs=0.2
    )
    assert {row["correctness"] for row in stamped.rows} == {"clean"}


def test_a17_rows_win_over_prose_that_contradicts_them(log):
    prose = "In this run it is at maximum 444.31 and 444.41 GB/s.\nThe average bus bandwidth was 79.9352 GB/s.\n"
    read = log(logs.nccl() + prose, "README.md")
    assert read.codes.count("prose_contradicts") == 3
    assert read.values(statistic="mean") == [AVERAGE]
    assert read.results.verdict_ready


def test_accept_b1_a_failed_fio_job_behind_messages_measured_nothing(log):
    failed = logs.fio_job("err", bw=0, error=28) | {"job options": {"rw": "write", "bs": "4k"}}
    read = log("fio: io_u error on file /dev/full: No space left on device\nfio: pid=1, err=28\n" + logs.fio(failed))
    assert [(row["value"], row["status"], row["outcome"]) for row in read.rows] == [
        (None, "tool_error", "error 28")
    ] * len(read.rows)
    assert {"job_error", "tool_error", "text_around_json"} <= set(read.codes)
    assert not read.results.verdict_ready


def test_accept_b2_repeated_keys_are_reported(log):
    text = logs.fio().replace('"rw": "read"', '"filename": "/a",\n "filename": "/b",\n "rw": "read"')
    read = log(text, "fio.json")
    found = next(finding for finding in read.table.findings if finding.code == "duplicate_key")
    assert found.value == "filename"
    assert read.values(metric="bandwidth") == [str(2048000 * 1024)]


def test_accept_b3_bandwidth_is_kibibytes_and_the_pair_must_agree(log):
    job = logs.fio_job()
    job["read"] |= {"bw": 340570, "bw_bytes": 348743777, "io_bytes": 348743777 * 60}
    read = log(logs.fio(job), "fio.json")
    assert (read.one(metric="bandwidth")["value"], read.one(metric="bandwidth")["unit"]) == ("348743777", "B/s")
    del job["read"]["bw_bytes"], job["read"]["io_kbytes"]
    job["read"]["io_bytes"] = 340570 * 60
    old = log(logs.fio(job), "fio.json").one(metric="bandwidth")
    assert (old["value"], old["unit"], old["status"]) == ("340570", "KiB/s", "valid")
    job["read"] |= {"bw": 340570, "bw_bytes": 340570000}
    assert log(logs.fio(job), "fio.json").one(metric="bandwidth")["status"] == "conflict"


def test_accept_b4_waived_tests_and_empty_cells_are_not_zero(log):
    read = log(logs.NVBANDWIDTH, "nvbandwidth.log")
    waived = [row for row in read.rows if row["status"] == "waived"]
    assert [(row["test"], row["value"]) for row in waived] == [("unnamed", None)]
    cells = read.values(test="device_to_device_memcpy_read_ce", statistic="value")
    assert cells == [None, "395.81", "395.63", None]
    assert read.values(test="device_to_device_memcpy_read_ce", statistic="min") == ["395.63"]
    assert "None" not in {row["test"] for row in read.rows}


def test_accept_b5_a_malformed_document_is_kept_and_a_peak_of_zero_not_measured(log):
    bare = log(logs.PERFTEST_JSON.replace('"mlx5_0"', "mlx5_0").replace("0.373258", "0.373258,"), "out.json")
    assert [(row["value"], row["status"], row["outcome"]) for row in bare.rows] == [(None, "tool_error", "malformed")]
    assert "195.69" in bare.rows[0]["_given"]
    good = log(logs.PERFTEST_JSON, "out.json")
    average = good.one(statistic="mean", metric="bandwidth")
    assert (average["value"], average["unit"]) == ("195.69", "Gbit/s")
    assert good.one(statistic="peak")["status"] == "not_measured"


def test_accept_b6_repeated_sums_are_two_directions_and_nan_is_malformed(log):
    first = {"seconds": 10.0, "bytes": 5625000000, "bits_per_second": 4.5e9}
    text = logs.iperf3({"sum_received": first})
    second = json.dumps({"seconds": 10.0, "bytes": 6250000000, "bits_per_second": 5.0e9})
    text = text.replace('"end": {', '"end": {"sum_received": ' + second + ",", 1)
    read = log(text, "iperf3.json")
    assert [(row["direction"], float(row["value"])) for row in read.rows] == [("forward", 5.0e9), ("reverse", 4.5e9)]
    bad = log(logs.iperf3().replace("10000000000.0", "-nan"), "iperf3.json")
    assert [(row["value"], row["status"]) for row in bad.rows] == [(None, "tool_error")]
    assert "malformed" in bad.codes


def test_accept_b7_a_udp_document_with_its_sum_only(log):
    total = {
        "seconds": 10.0, "bytes": 1250000000, "bits_per_second": 1e9, "jitter_ms": 0.02, "lost_packets": 10,
        "packets": 1000, "lost_percent": 1.0, "sender": True,
    }  # fmt: skip
    read = log(logs.iperf3({"sum": total}, protocol="UDP"), "iperf3.json")
    assert float(read.one(metric="throughput")["value"]) == pytest.approx(0.99e9)
    assert (read.one(metric="loss")["value"], read.one(metric="loss")["unit"]) == ("1.0", "%")
    assert read.one(metric="jitter")["unit"] == "ms"


def test_accept_b8_a_row_broken_by_a_warning_leaves_the_run_incomplete(log):
    text = logs.nccl(rows=logs.row(8589934592, 478.0, 478.0) + logs.row(17179869184, 480.0, 480.0))
    last = text.rindex(G16) + 60
    broken = text[:last] + "NCCL WARN Call to ibv_modify_qp failed\n" + text[text.index("# Out of bounds") :]
    broken = broken[: broken.index("# Avg")] + "# Avg bus bandwidth    : 0 \n#\n"
    read = log(broken)
    assert not read.results.verdict_ready
    assert {row["complete"] for row in read.rows} == {"false"}
    mean = read.one(statistic="mean")
    assert mean["status"] == "conflict"
    assert [refused.rule for refused in read.table.rejected] == ["nccl_row"]


def test_accept_b9_a_header_without_rows_is_not_evaluated(log):
    read = log(logs.preamble() + logs.HEADER + "exit code 0\n")
    (row,) = read.rows
    assert (row["value"], row["status"], row["complete"]) == (None, "incomplete", "false")
    assert "no row" in read.results.incomplete


def test_accept_b10_a_pass_with_an_error_text_and_an_exit_code_without_a_document(log):
    text = logs.dcgm([logs.entity(0)], info=["Unable to allocate memory for the test on GPU 0: error"])
    read = log(text, "diag.json")
    assert [(row["value"], row["status"], row["outcome"]) for row in read.rows] == [(None, "conflict", "pass")]
    assert "inconsistent" in read.codes
    gone = log("$ dcgmi diag -r 3 -j\ndcgmi diag exited with exit code 226\n", "diag.log")
    assert [(row["value"], row["status"]) for row in gone.rows] == [(None, "tool_error")]
    assert gone.facts["dcgm_error"] == -30


def test_accept_b10_one_serial_number_for_all_is_named(log):
    document = json.loads(logs.DCGM)
    document["entity_groups"] = [{"entity_group": "GPU", "entities": [{"serial_num": "165"}, {"serial_num": "165"}]}]
    assert "duplicate_serials" in log(json.dumps(document), "diag.json").codes


def test_accept_b15_two_training_runs_in_one_log_are_two(log):
    read = log(logs.mlperf_run(seconds=600) + logs.mlperf_run(1700001000000, 660), "result_0.txt")
    assert read.values(metric="time_to_train") == ["600.000", "660.000"]
    assert len({row["run"] for row in read.rows}) == 2
    stopped = log(logs.mlperf_run() + logs.event("run_start", 1700002000000), "result_0.txt")
    assert [row["status"] for row in stopped.rows if row["metric"] == "time_to_train"] == ["valid", "incomplete"]
    assert not stopped.results.verdict_ready


def test_accept_b16_what_cannot_be_read_is_never_healthy(log):
    with pytest.raises(FileRejected, match="nothing was evaluated"):
        log("#!/bin/sh\necho all good\n", "x.log", format="fio")


def test_accept_b17_the_bandwidth_up_to_the_stonewall_and_the_total_are_told_apart(log):
    read = log(logs.IOR, "ior.log")
    assert read.values(direction="write", statistic="total") == ["2100.10"]
    assert read.values(direction="write", statistic="stonewall") == ["2250.50"]


def test_accept_b18_server_and_client_print_one_result(log):
    client = logs.PERFTEST
    server = client.replace("local address: LID 0x01 QPN 0x0101 PSN 0x11", "local address: A")
    server = server.replace(
        "remote address: LID 0x02 QPN 0x0202 PSN 0x22", "remote address: LID 0x01 QPN 0x0101 PSN 0x11"
    )
    server = server.replace("local address: A", "local address: LID 0x02 QPN 0x0202 PSN 0x22")
    read = log(client + server, "ib.log")
    assert read.facts["runs"] == 1
    assert read.facts["twins"] == 1
    assert read.values(metric="bandwidth", statistic="mean", size_bytes="8388608") == ["393.21"]
