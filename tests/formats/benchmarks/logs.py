"""Small logs of our own, one of each tool, in the layout that the tool writes."""

from __future__ import annotations

import json


def rank(number: int, host: str = "gpu-1", group: str = " Group  0") -> str:
    return f"#  Rank  {number}{group} Pid  100{number} on {host} device  {number} [0000:{number}b:00] NVIDIA H100"


HEADER = """#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
"""


def preamble(test: str = "all_reduce", ranks: int = 8) -> str:
    return (
        "# nccl-tests version 2.17.6 nccl-headers=22907 nccl-library=22907\n"
        f"# Collective test starting: {test}_perf\n"
        f"# nThread 1 nGpus {ranks} minBytes 8589934592 maxBytes 17179869184 step: 2(factor) iters: 20\n"
        "#\n# Using devices\n" + "".join(rank(number) + "\n" for number in range(ranks))
    )


def row(size: int, out: float, into: float, wrong: str = "0", *, factor: float = 1.75, redop: str = "sum") -> str:
    """A row of a table: bus bandwidths in GB/s, with the times that belong to them."""
    halves = []
    for bus in (out, into):
        algorithm = bus / factor
        time = size / algorithm / 1000
        shown = f"{time:7.0f}" if time >= 10000 else f"{time:7.1f}"
        halves.append(
            f"{shown}  {size / float(shown) / 1000:6.2f}  {size / float(shown) / 1000 * factor:6.2f}  {wrong:>5}"
        )
    return f"{size:12d}  {size // 4:12d}     float  {redop:>6}      -1  {halves[0]}  {halves[1]}\n"


def footer(average: str, bounds: str = "0 OK") -> str:
    return f"# Out of bounds values : {bounds}\n# Avg bus bandwidth    : {average} \n#\n# Collective test concluded\n"


def average_of(rows: str) -> str:
    """The mean of the bus bandwidths that rows show."""
    cells = [float(cells[index]) for line in rows.splitlines() for cells in [line.split()] for index in (7, 11)]
    return f"{sum(cells) / len(cells):g}"


def nccl(test: str = "all_reduce", rows: str | None = None, **changes: str) -> str:
    body = rows if rows is not None else row(8589934592, 478.5, 477.2) + row(17179869184, 481.0, 481.5)
    return (
        preamble(test)
        + HEADER
        + body
        + footer(changes.get("average") or average_of(body), changes.get("bounds", "0 OK"))
    )


NCCL_JSON = json.dumps(
    {
        "version": 3, "start_time": "2026-07-10 09:12:44", "args": ["all_reduce_perf", "-b", "16G", "-e", "16G"],
        "env": ["PATH=/usr/bin", "API_TOKEN=do-not-keep"], "nccl_version": 22907,
        "config": {"nthreads": 1, "ngpus": 8, "devices": [{"rank": 0, "hostname": "n1", "device_info": "NVIDIA H100"}]},
        "results": [
            {"size": 17179869184, "count": 4294967296, "type": "float", "redop": "sum", "root": "    -1",
             "out_of_place": {"time": 62500.0, "alg_bw": 274.88, "bus_bw": 481.04, "nwrong": 0.0},
             "in_place": {"time": 62444.0, "alg_bw": 275.12, "bus_bw": 481.46, "nwrong": 0.0}}
        ],
        "out_of_bounds": {"count": 0, "okay": "true"},
        "average_bus_bandwidth": {"bandwidth": 481.25, "okay": "unchecked"}, "errors": [],
        "end_time": "2026-07-10 09:12:59",
    }
)  # fmt: skip

NVBANDWIDTH = """nvbandwidth Version: v0.8
Built from Git version: v0.8

CUDA Runtime Version: 12080
Driver Version: 570.86.15

gpu-1
Device 0: NVIDIA H100 80GB HBM3 (00000000:19:00)
Device 1: NVIDIA H100 80GB HBM3 (00000000:3B:00)

Running host_to_device_memcpy_ce.
memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)
           0         1
 0     55.34     55.21

SUM host_to_device_memcpy_ce 110.55

Waived:
Running device_to_device_memcpy_read_ce.
memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)
           0         1
 0       N/A    395.81
 1    395.63       N/A

SUM device_to_device_memcpy_read_ce 791.44

NOTE: The reported results may not reflect the full capabilities of the platform.
Performance can vary with software drivers, hardware clocks, and system topology.
"""

NVBANDWIDTH_JSON = json.dumps(
    {"nvbandwidth": {
        "CUDA Runtime Version": 12080, "Driver Version": "570.86.15", "version": "v0.8",
        "GPU Device list": ["0: NVIDIA H100 (00000000:19:00): (n1)", "1: NVIDIA H100 (00000000:3B:00): (n1)"],
        "testcases": [
            {"name": "device_to_device_memcpy_read_ce", "status": "Passed",
             "bandwidth_description": "memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)",
             "bandwidth_matrix": [["N/A", "395.81"], ["395.63", "N/A"]], "sum": 791.44},
            {"name": "multinode_copy", "status": "Waived"},
        ]}},
    indent=1,
)  # fmt: skip

PERFTEST = """---------------------------------------------------------------------------------------
                    RDMA_Write BW Test
 Dual-port       : OFF\t\tDevice         : mlx5_0
 Number of qps   : 1\t\tTransport type : IB
---------------------------------------------------------------------------------------
 local address: LID 0x01 QPN 0x0101 PSN 0x11
 remote address: LID 0x02 QPN 0x0202 PSN 0x22
---------------------------------------------------------------------------------------
 #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
 65536      5000             392.71             391.94             0.747566
 8388608    5000             393.28             393.21             0.005859
---------------------------------------------------------------------------------------
"""

PERFTEST_JSON = """{
"test_info": {
"test": "RDMA_Write_BW_Test",
"Device": "mlx5_0"
},
"results": {
"MsgSize": 65536,
"n_iterations": 186641,
"BW_peak": 0.00,
"BW_average": 195.69,
"MsgRate": 0.373258
}
}
"""


def fio_job(name: str = "seqread", bw: int = 2048000, runtime: int = 60000, **changes: object) -> dict:
    moved = bw * 1024 * runtime // 1000
    part = {
        "io_bytes": moved, "io_kbytes": moved // 1024, "bw_bytes": bw * 1024, "bw": bw,
        "iops": moved / 1048576 * 1000 / runtime, "runtime": runtime, "total_ios": moved // 1048576,
        "clat_ns": {
            "min": 100, "max": 900000, "mean": 250000.5, "percentile": {"50.000000": 200000, "99.000000": 700000},
        },
    }  # fmt: skip
    idle = {"io_bytes": 0, "io_kbytes": 0, "bw_bytes": 0, "bw": 0, "iops": 0.0, "runtime": 0, "total_ios": 0}
    options = {"rw": "read", "bs": "1m", "runtime": "60", "time_based": "1"}
    return {"jobname": name, "groupid": 0, "error": 0, "job options": options, "read": part, "write": idle} | changes


def fio(*jobs: dict, **changes: object) -> str:
    document = {
        "fio version": "fio-3.33", "timestamp": 1796030439, "timestamp_ms": 1796030439783,
        "jobs": list(jobs) or [fio_job()],
    }  # fmt: skip
    return json.dumps(document | changes, indent=2)


def iperf3(end: dict | None = None, **test: object) -> str:
    received = {"start": 0, "end": 10.0, "seconds": 10.0, "bytes": 12500000000, "bits_per_second": 10000000000.0}
    sent = {
        "start": 0,
        "end": 10.0,
        "seconds": 10.0,
        "bytes": 16125000000,
        "bits_per_second": 12900000000.0,
        "retransmits": 7,
    }
    document = {
        "start": {
            "connected": [{"socket": 5, "local_host": "10.0.0.1", "remote_host": "10.0.0.2"}],
            "version": "iperf 3.16", "system_info": "Linux n1 6.8.0 x86_64", "timestamp": {"timesecs": 1796030445},
            "test_start": {"protocol": "TCP", "num_streams": 1, "duration": 10, "reverse": 0, "omit": 0} | test,
        },
        "intervals": [], "end": end if end is not None else {"sum_sent": sent, "sum_received": received},
    }  # fmt: skip
    return json.dumps(document, indent=1)


HPL = """================================================================================
HPLinpack 2.3  --  High-Performance Linpack benchmark  --   December 2, 2018
================================================================================
Column=000000384 Fraction= 0.1% Gflops=9.818e+03
================================================================================
T/V                N    NB     P     Q               Time                 Gflops
--------------------------------------------------------------------------------
WR0XR8C48      100000   384     2     4              83.34             7.9996e+03
HPL_pdgesv() start time Fri Feb  3 16:33:45 2023

HPL_pdgesv() end time   Fri Feb  3 16:35:08 2023

--------------------------------------------------------------------------------
||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=   4.12139792e-03 ...... PASSED
================================================================================

Finished      1 tests with the following results:
              1 tests completed and passed residual checks,
              0 tests completed and failed residual checks,
--------------------------------------------------------------------------------

End of Tests.
================================================================================
"""

HPCG = """start of application (16 OMP threads)...
2026-06-09 20:50:03.416
2x2x2 process grid
Reference SpMV+MG...
Total Time: 1.860000e+03 sec
SpMV  =  178.3 GF (1123.1 GB/s Effective)   22.3 GF_per ( 140.4 GB/s Effective)
total =  228.0 GF (1729.0 GB/s Effective)   28.5 GF_per ( 216.1 GB/s Effective)
final =  202.6 GF (1536.3 GB/s Effective)   25.3 GF_per ( 192.0 GB/s Effective)

end of application...
2026-06-09 21:21:23.059
"""

STREAM = """-------------------------------------------------------------
STREAM version $Revision: 5.10 $
-------------------------------------------------------------
This system uses 8 bytes per array element.
Array size = 400000000 (elements), Offset = 0 (elements)
Number of Threads counted = 32
Function    Best Rate MB/s  Avg time     Min time     Max time
Copy:          342024.5     0.018755     0.018712     0.018895
Scale:         342408.7     0.018737     0.018691     0.018802
Add:           343827.1     0.028050     0.027921     0.028269
Triad:         363210.6     0.026599     0.026431     0.026855
-------------------------------------------------------------
Solution Validates: avg error less than 1.000000e-13 on all three arrays
-------------------------------------------------------------
"""

BABELSTREAM = """BabelStream
Version: 4.0
Implementation: CUDA
Running kernels 100 times
Precision: double
Array size: 268.4 MB (=0.3 GB)
Using CUDA device NVIDIA H100 80GB HBM3
Function    MBytes/sec  Min (sec)   Max         Average
Copy        3047041.712 0.00018     0.00018     0.00018
Mul         3016512.034 0.00018     0.00018     0.00018
Add         3099341.101 0.00026     0.00026     0.00026
Triad       3098912.412 0.00026     0.00026     0.00026
Dot         3161012.912 0.00017     0.00017     0.00017
"""

GPU_BURN = (
    "Burning for 60 seconds.\n"
    "GPU 0: NVIDIA H100 (UUID: GPU-1)\nGPU 1: NVIDIA H100 (UUID: GPU-2)\n"
    "\r50.0%  proc'd: 10 (7150 Gflop/s) - 10 (7100 Gflop/s)   errors: 0 - 0   temps: 38 C - 36 C "
    "\r100.0%  proc'd: 20 (7150 Gflop/s) - 20 (7100 Gflop/s)   errors: 0 - 0   temps: 38 C - 36 C \n"
    "Killing processes with SIGTERM (soft kill)\ndone\n\nTested 2 GPUs:\n\tGPU 0: OK\n\tGPU 1: OK\n"
)

_BAR = "+---------------------------------+--------------+--------------+--------------+"
GPCNET = f"""Network Tests v1.3
  Test with 80 MPI ranks (10 nodes)

  Legend
   RR = random ring communication pattern
{_BAR}
|                           Isolated Network Tests                           |
{_BAR}
|                            Name |          Avg |          99% |        Units |
{_BAR}
|          RR Two-sided Lat (8 B) |          2.4 |          4.1 |         usec |
{_BAR}
|     RR Two-sided BW (131072 B) |       4812.6 |       3911.2 |   MiB/s/rank |
{_BAR}
|        Multiple Allreduce (8 B) |         21.3 |         32.8 |         usec |
{_BAR}
"""

IO500 = """IO500 version io500-sc23 (standard)
[RESULT]       ior-easy-write        4.000000 GiB/s : time 312.345 seconds
[RESULT]    mdtest-easy-write       16.000000 kIOPS : time 301.123 seconds
[      ]            timestamp        0.000000 kIOPS : time 0.001 seconds
[RESULT]       ior-hard-write        1.000000 GiB/s : time 340.111 seconds
[RESULT]    mdtest-hard-write        8.000000 kIOPS : time 305.010 seconds
[RESULT]                 find      256.000000 kIOPS : time 10.500 seconds
[RESULT]        ior-easy-read        4.000000 GiB/s : time 310.000 seconds
[RESULT]     mdtest-easy-stat       32.000000 kIOPS : time 150.000 seconds
[RESULT]        ior-hard-read        1.000000 GiB/s : time 330.000 seconds
[RESULT]     mdtest-hard-stat       16.000000 kIOPS : time 152.000 seconds
[RESULT]   mdtest-easy-delete       16.000000 kIOPS : time 301.000 seconds
[RESULT]     mdtest-hard-read       16.000000 kIOPS : time 152.000 seconds
[RESULT]   mdtest-hard-delete       16.000000 kIOPS : time 302.000 seconds
[SCORE ] Bandwidth 2.000000 GiB/s : IOPS 22.627417 kiops : TOTAL 6.727171
"""

IOR = """IOR-4.0.0: MPI Coordinated Test of Parallel I/O
Began               : Thu Mar 30 16:09:19 2023
Command line        : /usr/bin/ior -w -r -D 45 -t 1m
write     2100.10    stonewall 2250.50 MiB/s
Max Write: 2100.10 MiB/sec (2202.12 MB/sec)
Max Read:  3000.00 MiB/sec (3145.73 MB/sec)

Finished            : Thu Mar 30 16:12:01 2023
"""


def event(key: str, stamp: int, value: object = None, **metadata: object) -> str:
    held = {"namespace": "", "time_ms": stamp, "event_type": "INTERVAL_START", "key": key, "value": value}
    return ":::MLLOG " + json.dumps(held | {"metadata": {"file": "train.py", "lineno": 1} | metadata}) + "\n"


def mlperf_run(start: int = 1700000000000, seconds: int = 600, status: str = "success") -> str:
    return (
        event("submission_benchmark", start - 1000, "llama2_70b_lora")
        + event("run_start", start)
        + event("eval_accuracy", start + 500_000, 0.924, samples_count=3072)
        + event("run_stop", start + seconds * 1000, None, status=status)
    )


def dcgm(results: list[dict], *, version: int = 4, name: str = "memory", **summary: object) -> str:
    test: dict = {"name": name, "results": results}
    if version == 4:
        test["test_summary"] = {"status": "Pass"} | summary
    top = "DCGM Diagnostic" if version == 4 else "DCGM GPU Diagnostic"
    body: dict = {top: {"test_categories": [{"category": "Hardware", "tests": [test]}]}}
    if version == 4:
        body["metadata"] = {"version": "4.2.3", "Driver Version Detected": "580.82.09"}
    else:
        body[top] |= {"version": "3.3.5", "Driver Version Detected": "535.54.03"}
    return json.dumps(body, indent=1)


def entity(number: int, status: str = "Pass", **more: object) -> dict:
    return {"entity_group": "GPU", "entity_group_id": 1, "entity_id": number, "status": status} | more


DCGM = dcgm([entity(0), entity(1)])

SUPERBENCH = "".join(
    json.dumps({"node": node, "mem-bw/H2D_Mem_BW:0": 25.6, "mem-bw/H2D_Mem_BW:1": 25.1, "mem-bw/return_code": 0,
                "kernel-launch/event_overhead:0": 0.006, "kernel-launch/return_code": 0}) + "\n"
    for node in ("n1", "n2")
)  # fmt: skip

DLIO = json.dumps(
    {
        "start": "2024-08-07T14:23:23.78", "num_accelerators": 4, "num_hosts": 2, "hostname": "c1",
        "metric": {
            "train_au_percentage": [93.0, 95.0], "train_au_mean_percentage": 94.0,
            "train_au_meet_expectation": "success",
            "train_throughput_samples_per_second": [700.0, 702.0], "train_throughput_mean_samples_per_second": 701.0,
            "train_io_mean_MB_per_second": 99104.22,
        },
        "host_cpu_count": [80, 80], "potential_caching": [0, 0], "end": "2024-08-07T14:38:31.09",
    },
    indent=1,
)  # fmt: skip

EVERY = {
    "nccl": (nccl(), "all_reduce.log"),
    "nccl-json": (NCCL_JSON, "out.json"),
    "nvbandwidth": (NVBANDWIDTH, "nvbandwidth.log"),
    "nvbandwidth-json": (NVBANDWIDTH_JSON, "nvbandwidth.json"),
    "perftest": (PERFTEST, "ib_write_bw.log"),
    "perftest-json": (PERFTEST_JSON, "ib_write_bw.json"),
    "fio": (fio(), "fio.json"),
    "iperf3": (iperf3(), "iperf3.json"),
    "hpl": (HPL, "hpl.log"),
    "hpcg": (HPCG, "hpcg.txt"),
    "stream": (STREAM, "stream.log"),
    "babelstream": (BABELSTREAM, "babel.log"),
    "gpu-burn": (GPU_BURN, "burn.log"),
    "gpcnet": (GPCNET, "gpcnet.log"),
    "io500": (IO500, "result_summary.txt"),
    "ior": (IOR, "ior.log"),
    "mlperf-training": (mlperf_run(), "result_0.txt"),
    "dcgm-diag": (DCGM, "diag.json"),
    "superbench": (SUPERBENCH, "results-summary.jsonl"),
    "mlperf-storage": (DLIO, "summary.json"),
}
"""Every kind of log, with a name that its tool gives it."""
