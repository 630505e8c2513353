"""What the logs of each tool hold beyond a plain run: failures, other layouts and versions, parts that are missing."""

from __future__ import annotations

import json

import pytest

from expectations.contract import load_contracts
from tests.formats.benchmarks import logs

CONTRACTS = load_contracts()

RCCL = """# nThread 1 nGpus 8 minBytes 8589934592 maxBytes 17179869184 step: 2(factor) warmup iters: 5 iters: 20
#
rccl-tests: Version develop:ae3e635
# Using devices
""" + "".join(f"# Rank {n} Pid 8{n} on smc-19 device {n} [0{n}:00.0] AMD Instinct MI300X\n" for n in range(8)) + """\
RCCL version : 2.22.3-develop:f5b15f2
HIP version  : 6.3.42131-fa1d09cbd
ROCm version : 6.3.0.0-39-ce2be3b
Hostname     : smc-19
"""  # fmt: skip


def test_rccl_versions_footer_and_rank_lines_without_group(log):
    header = logs.HEADER.replace("busbw #wrong\n", "busbw #wrong     algo     proto   nchannels\n")
    body = logs.row(17179869184, 315.7, 314.2).replace("\n", "  Direct    SIMPLE          32\n")
    end = "# Errors with asterisks indicate errors that have exceeded the maximum threshold.\n"
    read = log(RCCL + header + body + end + logs.footer(logs.average_of(body)), "all_reduce.log")
    first = read.rows[0]
    assert (first["tool"], first["tool_version"], first["node"], first["ranks"]) == (
        "rccl-tests", "develop:ae3e635", "smc-19", "8"
    )  # fmt: skip
    assert first["stack"] == "rccl 2.22.3-develop:f5b15f2, HIP 6.3.42131-fa1d09cbd, ROCm 6.3.0.0-39-ce2be3b"
    assert first["sku"] == "AMD Instinct MI300X"
    assert float(read.one(metric="busbw", placement="out_of_place")["value"]) == pytest.approx(315.7, abs=0.1)
    assert read.results.verdict_ready


def test_rccl_json_lines_have_no_end_mark_and_a_list_has(log):
    rows = [
        {"#wrong": wrong, "algBw": 182.0, "busBw": 318.5, "gpus": 8, "inPlace": place, "name": "AllReduce",
         "redop": "sum", "size": 1048576000, "time": 5761.4, "type": "float"}
        for place, wrong in ((0, "0"), (1, "N/A"))
    ]  # fmt: skip
    lines = log("".join(json.dumps(row) + "\n" for row in rows), "out.json")
    assert [(row["placement"], row["correctness"]) for row in lines.rows if row["metric"] == "busbw"] == [
        ("out_of_place", "clean"), ("in_place", "unverified")
    ]  # fmt: skip
    assert "footer" in lines.results.incomplete
    listed = log(json.dumps(rows[:1]), "out.json")
    assert (listed.rows[0]["test"], listed.rows[0]["tool"], listed.results.verdict_ready) == (
        "all_reduce",
        "rccl-tests",
        True,
    )


def test_per_iteration_columns(log):
    names = "  i_min    i_max    i_p99    i_cv%"
    header = logs.HEADER.replace("#wrong     time", f"#wrong {names}     time").replace("#wrong\n", f"#wrong {names}\n")
    plain = logs.row(8589934592, 478.0, 470.0).split()
    extra = ["31000", "33000", "32900", "1.2"]
    body = "  ".join([*plain[:9], *extra, *plain[9:], *extra]) + "\n"
    read = log(logs.preamble() + header + body + logs.footer(logs.average_of(" ".join(plain) + "\n")))
    assert len(body.split()) == 21
    values = read.values(metric="busbw", statistic="value")
    assert [float(value) for value in values] == pytest.approx([478.0, 470.0], abs=0.1)
    assert read.results.verdict_ready


def test_an_error_line_of_the_tool_makes_the_run_incomplete(log):
    read = log(logs.nccl() + "# error: unhandled cuda error\n")
    assert not read.results.verdict_ready
    assert "unhandled cuda error" in read.results.incomplete


def test_the_environment_is_never_kept(log):
    read = log(logs.NCCL_JSON, "out.json")
    assert "do-not-keep" not in read.table.frame.write_json()
    assert read.rows[0]["command"] == "all_reduce_perf -b 16G -e 16G"
    shown = log(
        logs.nccl().replace("# Using", "mpirun -x API_TOKEN=hunter2 all_reduce_perf -b 8G API_TOKEN=hunter2\n# Using")
    )
    assert shown.rows[0]["command"] == "all_reduce_perf -b 8G API_TOKEN=[redacted]"
    assert (read.rows[0]["measured_at"], read.rows[0]["ended_at"]) == ("2026-07-10 09:12:44", "2026-07-10 09:12:59")


def test_nvbandwidth_latency_takes_the_largest_cell(log):
    text = logs.NVBANDWIDTH.replace(
        "NOTE:",
        """Running device_to_device_latency_sm.
Device to Device Latency SM GPU(row) <-> GPU(column) (ns)
latency SM GPU(row) <-> GPU(column) (ns)
           0         1
 0       N/A    680.10
 1    691.30       N/A

SUM device_to_device_latency_sm 1371.40

NOTE:""",
    )
    read = log(text, "nvbandwidth.log")
    assert read.values(test="device_to_device_latency_sm", statistic="max") == ["691.30"]
    assert read.one(test="device_to_device_latency_sm", statistic="max")["unit"] == "ns"
    assert read.values(test="device_to_device_latency_sm", statistic="min") == []


def test_nvbandwidth_errors_and_tests_that_were_not_found(log):
    document = json.loads(logs.NVBANDWIDTH_JSON)
    document["nvbandwidth"]["testcases"] += [
        {"name": "device_local_copy", "status": "Error"}, {"name": "no_such", "status": "Not Found"}
    ]  # fmt: skip
    read = log(json.dumps(document), "nvbandwidth.json")
    assert read.one(test="device_local_copy")["status"] == "tool_error"
    assert read.one(test="no_such")["status"] == "skipped"
    assert "test_failed" in read.codes


def test_perftest_latency_and_both_directions(log):
    dashes = "-" * 87
    names = "t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   "
    text = (
        " " * 20 + f"RDMA_Write Latency Test\n Dual-port       : OFF          Device         : mlx5_1\n{dashes}\n"
        f" #bytes #iterations    {names}99.9% percentile[usec]\n"
        f" 2       1000          1.01     3.55      1.03      1.05      0.07      1.22      3.55\n{dashes}\n"
    )
    read = log(text, "lat.log")
    assert {row["statistic"]: row["value"] for row in read.rows} == {
        "min": "1.01", "max": "3.55", "typical": "1.03", "mean": "1.05", "stdev": "0.07", "p99": "1.22", "p99.9": "3.55"
    }  # fmt: skip
    assert {(row["unit"], row["member"], row["size_bytes"]) for row in read.rows} == {("us", "mlx5_1", "2")}
    both = log(logs.PERFTEST.replace("RDMA_Write BW", "RDMA_Write Bidirectional BW"), "bw.log")
    assert {row["direction"] for row in both.rows} == {"both"}


def test_perftest_mebibytes_are_named_as_such(log):
    text = logs.PERFTEST.replace("Gb/sec", "MB/sec").replace("393.28", "46883.6").replace("393.21", "46872.0")
    text = text.replace("392.71", "46815.6").replace("391.94", "46722.9")
    read = log(text, "bw.log")
    assert {row["unit"] for row in read.rows if row["metric"] == "bandwidth"} == {"MiB/s"}
    assert "unit_relabelled" in read.codes
    assert read.results.verdict_ready


def test_fio_sums_jobs_that_ran_together(log):
    jobs = [logs.fio_job(bw=bw) for bw in (1638400, 992968)]
    read = log(logs.fio(*jobs), "fio.json")
    assert read.values(metric="bandwidth", statistic="sum") == [str((1638400 + 992968) * 1024)]
    assert read.values(metric="bandwidth", statistic="value") == [str(1638400 * 1024), str(992968 * 1024)]
    assert [row["member"] for row in read.rows if row["metric"] == "bandwidth"] == ["job 1", "job 2", "all"]
    assert read.values(metric="clat", statistic="p99") == ["700000", "700000"]


def test_fio_one_of_two_jobs_failed(log):
    read = log(logs.fio(logs.fio_job(), logs.fio_job(error=5)), "fio.json")
    assert read.values(metric="bandwidth") == [None]
    assert not read.results.verdict_ready


def test_fio_that_ran_shorter_than_planned_is_incomplete(log):
    read = log(logs.fio(logs.fio_job(runtime=41000)), "fio.json")
    assert "41 s of 60 s" in read.results.incomplete


def test_fio_states_on_the_way_are_superseded_and_other_runs_are_not(log):
    way = json.loads(logs.fio(logs.fio_job(runtime=20000)))
    way |= {"timestamp_ms": 1796030439783 - 40000}
    read = log(json.dumps(way) + "\n" + logs.fio(), "fio.json")
    assert (read.facts["documents"], read.facts["superseded_documents"], read.facts["runs"]) == (2, 1, 1)
    assert read.rows[0]["duration_s"] == "60"
    other = json.loads(logs.fio(logs.fio_job(bw=1000000)))
    two = log(logs.fio() + "\n" + json.dumps(other), "fio.json")
    assert two.facts["runs"] == 2
    cut = log(json.dumps(way) + "\n" + logs.fio()[:900], "fio.json")
    assert "on the way" in cut.results.incomplete


def test_iperf3_reversed_and_shorter_than_planned(log):
    read = log(logs.iperf3(reverse=1), "iperf3.json")
    assert {row["direction"] for row in read.rows} == {"reverse"}
    assert read.one(metric="throughput")["value"] == "10000000000.0"
    assert read.one(metric="throughput_sent")["value"] == "12900000000.0"
    assert read.rows[0]["node"] == "n1"
    short = log(logs.iperf3(duration=60), "iperf3.json")
    assert "10 s of 60 s" in short.results.incomplete
    empty = log(logs.iperf3({}), "iperf3.json")
    assert [(row["value"], row["status"]) for row in empty.rows] == [(None, "tool_error")]


def test_hpl_residuals_decide_correctness(log):
    assert {row["correctness"] for row in log(logs.HPL.replace("PASSED", "FAILED"), "hpl.log").rows} == {"wrong"}
    line = next(line for line in logs.HPL.splitlines() if line.startswith("||Ax-b||"))
    read = log(logs.HPL.replace(line + "\n", ""), "hpl.log")
    assert {row["correctness"] for row in read.rows} == {"unverified"}
    assert (read.rows[0]["measured_at"], read.rows[0]["ended_at"]) == ("2023-02-03 16:33:45", "2023-02-03 16:35:08")
    assert read.rows[0]["ranks"] == "8"


def test_hpcg_times_stand_on_lines_of_their_own(log):
    row = log(logs.HPCG, "hpcg.txt").rows[0]
    assert (row["measured_at"], row["ended_at"], row["duration_s"]) == (
        "2026-06-09 20:50:03", "2026-06-09 21:21:23", "1.860000e+03"
    )  # fmt: skip


def test_hpcg_of_the_reference_code(log):
    text = """HPCG-Benchmark
version=3.1
Benchmark Time Summary::Total=1801.22
Final Summary::HPCG result is VALID with a GFLOP/s rate of=203.118
Final Summary::Please upload results from the YAML file contents to=http://hpcg-benchmark.org
"""
    read = log(text, "HPCG-Benchmark_3.1.txt")
    assert (read.rows[0]["value"], read.rows[0]["outcome"], read.rows[0]["correctness"]) == (
        "203.118",
        "valid",
        "clean",
    )
    assert "short_run" not in read.codes
    assert not log(text[: text.index("Final")], "HPCG-Benchmark_3.1.txt").results.verdict_ready


def test_hpcc_takes_the_summary_only(log):
    text = (
        "This is the DARPA/DOE HPC Challenge Benchmark version 1.5.0\nHostname: 'n7'\nBegin of Summary section.\n"
        "CommWorldProcs=4\nSuccess=1\nHPL_Tflops=0.0331844\nStarSTREAM_Triad=5.92076\nMPIFFT_time0=9.5e-07\n"
        "End of Summary section.\nEnd of HPC Challenge tests.\n"
    )
    read = log(text, "hpccoutf.txt")
    assert {row["metric"]: (row["value"], row["unit"]) for row in read.rows} == {
        "HPL_Tflops": ("0.0331844", "TFLOPS"), "StarSTREAM_Triad": ("5.92076", "GB/s")
    }  # fmt: skip
    assert (read.rows[0]["node"], read.rows[0]["correctness"]) == ("n7", "clean")
    assert {row["correctness"] for row in log(text.replace("Success=1", "Success=0"), "o.txt").rows} == {"wrong"}


def test_stream_that_does_not_validate_is_wrong(log):
    text = logs.STREAM.replace("Solution Validates: avg", "Failed Validation on array a[]: avg")
    assert {row["correctness"] for row in log(text, "stream.log").rows} == {"wrong"}


def test_babelstream_as_csv_in_its_own_unit(log):
    rows = "".join(f"{kernel},100,33554432,8,{rate},0.0002,0.0003,0.0002\n" for kernel, rate in (
        ("Copy", "2684354.56"), ("Mul", "2684354.56"), ("Add", "4026531.84"), ("Triad", "4026531.84"),
        ("Dot", "2684354.56"),
    ))  # fmt: skip
    head = "function,num_times,n_elements,sizeof,max_mbytes_per_sec,min_runtime,max_runtime,avg_runtime\n"
    read = log(head + rows, "babel.csv")
    assert {row["unit"] for row in read.rows} == {"MB/s"}
    assert read.results.verdict_ready
    binary = log((head + rows).replace("mbytes", "mibytes"), "babel.csv")
    assert {row["unit"] for row in binary.rows} == {"MiB/s"}
    wrong = log(logs.BABELSTREAM + "Validation failed on a[]. Average error 0.1\n", "babel.log")
    assert {row["correctness"] for row in wrong.rows} == {"wrong"}


def test_gpu_burn_names_the_faulty_gpu(log):
    read = log(logs.GPU_BURN.replace("GPU 1: OK", "GPU 1: FAULTY"), "burn.log")
    assert [(row["member"], row["value"], row["outcome"]) for row in read.rows if row["metric"] == "passed"] == [
        ("gpu0", "1", "pass"), ("gpu1", "0", "fail")
    ]  # fmt: skip
    assert {row["correctness"] for row in read.rows if row["member"] == "gpu1" and row["metric"] == "passed"} == {
        "wrong"
    }
    short = log(logs.GPU_BURN.replace("\tGPU 1: OK\n", ""), "burn.log")
    assert "1 of 2 GPUs" in short.results.incomplete


def test_gpcnet_key_results_end_a_load_test_and_constants_are_placeholders(log):
    bar = "+---------------------------------+----------------------+---------------------+\n"
    keys = (
        bar + "|          Network Tests running with Congestion Tests - Key Results           |\n" + bar
        + "|                            Name |                   Congestion Impact Factor |\n" + bar
        + "|                                 |                  Avg |                 99% |\n" + bar
        + "|        Multiple Allreduce (8 B) |                 1.2X |                3.4X |\n" + bar
    )  # fmt: skip
    load = logs.GPCNET.replace("Network Tests v1.3", "NetworkLoad Tests v1.3")
    assert "key results" in log(load, "load.log").results.incomplete
    read = log(load + keys, "load.log")
    assert read.values(metric="slowdown") == ["1.2", "3.4"]
    assert read.results.verdict_ready
    flat = logs.GPCNET
    for value in ("2.4", "4.1", "4812.6", "3911.2", "21.3", "32.8"):
        flat = flat.replace(f" {value} ", " 10000.0 ")
    placeholders = log(flat, "net.log")
    assert {row["status"] for row in placeholders.rows} == {"conflict"}
    assert "placeholder" in placeholders.codes


def test_io500_scores_only_results_and_invalid_is_not_valid(log):
    read = log(logs.IO500, "result_summary.txt")
    assert read.one(test="io500", metric="score")["value"] == "6.727171"
    assert read.one(test="io500_timestamp", metric="iops")["outcome"] == "not scored"
    extended = log(logs.IO500 + "[SCOREX] Bandwidth 9.000000 GiB/s : IOPS 90.000000 kiops : TOTAL 28.460499\n", "r.txt")
    assert extended.values(test="io500", metric="score") == ["6.727171"]
    assert extended.values(test="io500_extended", metric="score") == ["28.460499"]
    invalid = log(logs.IO500.replace("TOTAL 6.727171", "TOTAL 6.727171 [INVALID]"), "r.txt")
    assert "INVALID" in invalid.results.incomplete
    old = "[RESULT] BW   phase 1            ior_easy_write                6.129 GB/s : time 362.67 seconds\n"
    older = log(old + logs.IO500[logs.IO500.index("[SCORE") :], "r.txt")
    assert older.one(test="io500_ior-easy-write", metric="bandwidth")["unit"] == "GB/s"


def test_mlperf_runs_that_failed_or_never_stopped(log):
    aborted = log(logs.mlperf_run(status="aborted"), "result.txt")
    assert aborted.one(metric="time_to_train")["outcome"] == "fail"
    assert {row["correctness"] for row in aborted.rows} == {"wrong"}
    text = logs.mlperf_run()
    stopped = log(text[: text.index(':::MLLOG {"namespace": "", "time_ms": 1700000600000')], "result.txt")
    assert "run_stop" in stopped.results.incomplete


def test_mlperf_storage_counts_hosts_and_caching(log):
    document = json.loads(logs.DLIO)
    document |= {"host_cpu_count": [80, 0], "potential_caching": [0, 1]}
    document["metric"]["train_au_meet_expectation"] = "fail"
    read = log(json.dumps(document), "summary.json")
    assert {"hosts_not_collected", "potential_caching"} <= set(read.codes)
    assert {row["outcome"] for row in read.rows} == {"fail"}
    del document["end"]
    assert "no end" in log(json.dumps(document), "summary.json").results.incomplete


def test_dcgm_tells_settings_from_hardware(log):
    setting = {"error_category": 8, "error_id": 29, "error_severity": 5, "warning": "Persistence Mode is disabled"}
    broken = {"error_category": 13, "error_id": 5, "error_severity": 2, "warning": "PCIe replay errors"}
    read = log(
        logs.dcgm([logs.entity(0, "Fail", warnings=[setting]), logs.entity(1, "Fail", warnings=[broken])]), "d.json"
    )
    assert [code for code in read.codes if code in ("node_setting", "hardware_fault")] == [
        "node_setting",
        "hardware_fault",
    ]
    skipped = log(logs.dcgm([logs.entity(0, "Skip")], status="Skip"), "d.json")
    assert [(row["value"], row["status"]) for row in skipped.rows] == [(None, "skipped")]
    assert not skipped.results.verdict_ready
    broken_run = json.dumps({"DCGM Diagnostic": {"runtime_error": "Unable to connect to host engine"}})
    assert [row["status"] for row in log(broken_run, "d.json").rows] == ["tool_error"]


def test_superbench_names_what_a_node_lacks(log):
    lines = [json.loads(line) for line in logs.SUPERBENCH.splitlines()]
    del lines[1]["mem-bw/H2D_Mem_BW:0"], lines[1]["mem-bw/H2D_Mem_BW:1"]
    lines[1]["mem-bw/return_code"] = 1
    read = log("".join(json.dumps(line) + "\n" for line in lines), "results-summary.jsonl")
    lacking = next(finding for finding in read.table.findings if finding.code == "missing_metrics")
    assert lacking.value == "2"
    assert "failed_benchmark" in read.codes
    one = read.one(node="n1", metric="H2D_Mem_BW", member="1")
    assert (one["test"], one["value"], one["unit"]) == ("mem-bw", "25.1", "GB/s")


IBNET = """vendid=0x2c9
switchguid=0xb1
Switch\t41 "S-00000000000000b1"\t\t# "MF0;leaf-1:MQM8700/U1" enhanced port 0 lid 1 lmc 0
[1]\t"H-00000000000000a1"[1](a1)\t\t# "gpu001 mlx5_0" lid 2 4xHDR s=4 w=2 v=4 e=4
[2]\t"H-00000000000000a2"[1](a2)\t\t# "gpu002 mlx5_0" lid 3 4xEDR s=4 w=2 v=4 e=4
[3]\t"H-00000000000000a3"[1](a3)\t\t# "gpu003 mlx5_0" lid 4 4xHDR s=4 w=2 v=4 e=4

caguid=0xa1
Ca\t1 "H-00000000000000a1"\t\t# "gpu001 mlx5_0"
[1](a1)\t"S-00000000000000b1"[1]\t\t# lid 2 lmc 0 "MF0;leaf-1:MQM8700/U1" lid 1 4xHDR s=4 w=2 v=3 e=4
"""


def test_a_map_of_a_fabric_gives_each_link_once(read):
    table = read(IBNET, contract=CONTRACTS["links"], name="ibnetdiscover.txt")
    rows = table.frame.select("a_device", "a_port", "b_device", "b_port", "speed_gbps", "state", "view").rows()
    assert rows == [
        ("leaf-1", "1", "gpu001", "mlx5_0", "200", "up", "observed"),
        ("leaf-1", "2", "gpu002", "mlx5_0", "100", "up", "observed"),
        ("leaf-1", "3", "gpu003", "mlx5_0", "200", "up", "observed"),
    ]
    assert table.frame["lanes"].to_list() == ["4", "4", "4"]
    assert [finding.code for finding in table.findings] == ["link_rate", "one_sided_links"]
    assert table.ledger.balanced


def test_a_port_that_is_up_may_be_slow(log):
    base = "/sys/bus/pci/devices/0000:ba:00.0/infiniband/mlx5_8"
    document = {
        f"{base}/node_desc": "gpu009 HCA-8\n", f"{base}/ports/1/rate": "50 Gb/sec (2X EDR)\n",
        f"{base}/ports/1/state": "4: ACTIVE\n", f"{base}/ports/1/phys_state": "5: LinkUp\n",
    }  # fmt: skip
    read = log(json.dumps(document), "sysfs.json")
    assert [(row["metric"], row["value"], row["unit"], row["outcome"]) for row in read.rows] == [
        ("rate", "50", "Gbit/s", "active"), ("width", "2", "count", "active")
    ]  # fmt: skip
    assert {row["node"] for row in read.rows} == {"gpu009"}
    document[f"{base}/ports/1/state"] = "1: DOWN\n"
    assert "port_not_active" in log(json.dumps(document), "sysfs.json").codes


SYSLOG = "".join(
    f"Oct  2 0{hour}:15:0{hour} gpu001 kernel: mlx5_core 0000:1a:00.0 ib0: Link down\n"
    f"Oct  2 0{hour}:15:0{hour} gpu001 kernel: mlx5_core 0000:1a:00.0 ib0: Link up\n"
    for hour in range(5)
) + "Oct  2 07:00:00 gpu002 systemd-networkd[812]: ib3: Lost carrier"  # fmt: skip


def test_link_flaps_are_failures_with_the_year_of_the_file(read):
    table = read(SYSLOG, contract=CONTRACTS["failures"], name="messages-2026.log")
    # What came up again is over; gpu002's link is still down at the end of the log.
    assert table.frame.select("node", "kind", "opened", "closed").unique(maintain_order=True).rows() == [
        ("gpu001", "link flap ib0", "2026-10-02", "2026-10-02"), ("gpu002", "link flap ib3", "2026-10-02", None)
    ]  # fmt: skip
    assert table.frame["opened_at"].to_list()[::5] == ["2026-10-02 00:15:00", "2026-10-02 07:00:00"]
    assert (table.ledger.data, table.ledger.lines, table.ledger.balanced) == (6, 11, True)
    assert [finding.code for finding in table.findings] == ["flapping"]
    assert {fact.name: fact.value for fact in table.facts} == {"flaps": 6, "links": 2, "came_up": 5, "most_in_24_h": 5}


def test_a_time_without_its_year_is_refused_not_guessed(read):
    table = read(SYSLOG, contract=CONTRACTS["failures"], name="messages.log")
    assert table.frame.height == 0
    assert {refused.rule for refused in table.rejected} == {"year_missing"}
    assert table.ledger.balanced
    iso = SYSLOG.replace("Oct  2 ", "2026-10-02T")
    assert read(iso, contract=CONTRACTS["failures"], name="messages.log").ledger.data == 6


def test_a_table_of_failures_is_no_system_log(read):
    rows = "failure_id\topened\tnode\tkind\nF-1\t2026-10-02\tgpu001\tib0: link down\n"
    table = read(rows, contract=CONTRACTS["failures"], name="failures.tsv")
    assert (table.format, table.frame.height) == ("tsv", 1)
    comma = "opened,failure_id,node,kind\n" + "2026-10-02 06:00:00,F-1,gpu001,ib0: link down\n" * 3
    assert read(comma, contract=CONTRACTS["failures"], name="failures.csv").format == "csv"
