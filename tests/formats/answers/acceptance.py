"""What the table of answers says about the measurement files."""

EXPECTED = {
    "nccl/superbench_allreduce_8xA100_2.8_fmt.log": {
        "format": "nccl", "dataset": "benchmarks",
        "ledger": {"data": 34 * 4 + 1, "rejected": 0},
        "facts": {
            "runs": 1, "complete_runs": 1, "rows": 34, "largest_size": "8589934592", "busbw_out_of_place": "235.26",
            "busbw_in_place": "235.03", "average_busbw": "68.4048",
        },
        "findings": {"unverified_results": 1, "wrong_results": 0, "average_mismatch": 0},
    },
    "nccl/pkb_allreduce_2xK80_tcp.txt": {
        "format": "nccl", "dataset": "benchmarks",
        "facts": {
            "rows": 11, "largest_size": "1073741824", "busbw_out_of_place": "0.61", "busbw_in_place": "0.61",
            "average_busbw": "0.565546", "ranks": 2, "hosts": 2,
        },
        "findings": {"unverified_results": 1},
    },
    "nccl/aws_eks_blueprints_mpirun_prefixed_README.md": {
        "format": "nccl", "dataset": "benchmarks",
        "facts": {
            "rows": 32, "largest_size": "17179869184", "busbw_out_of_place": "480.87", "busbw_in_place": "482.82",
            "average_busbw": "123.343", "complete_runs": 1,
        },
        "findings": {"prose_contradicts": 3, "unverified_results": 0, "wrong_results": 0},
    },
    "nvbandwidth/superbench_nvbandwidth_v0.6_GH200.log": {
        "format": "nvbandwidth", "dataset": "benchmarks",
        "facts": {
            "sums": 15, "latency_tests": 1, "waived": 17, "devices": 1, "sum_host_to_device_memcpy_ce": "1985.60",
            "sum_device_to_host_memcpy_ce": "607.26", "sum_host_device_latency_sm": "772.58", "complete_runs": 1,
        },
        "findings": {"device_count": 1, "sum_mismatch": 0},
    },
    "fio/superbench_fio-3.16_nvme_randrw.json": {
        "format": "fio", "dataset": "benchmarks",
        "facts": {
            "job_entries": 1, "rand_read_write_read_bw_bytes": "348743777", "rand_read_write_read_iops": "85138.89",
            "rand_read_write_write_bw_bytes": "348450387", "rand_read_write_write_iops": "85066.13",
        },
        "findings": {"job_error": 0, "bandwidth_pair": 0, "bandwidth_time": 0},
    },
    "fio/pkb_fio-2.1.4_seq_rand.json": {
        "format": "fio", "dataset": "benchmarks",
        "facts": {
            "job_entries": 5, "sequential_write_write_bw": "68118", "sequential_read_read_bw": "129836",
            "sequential_read_read_iops": "253",
        },
        "findings": {"duplicate_key": 1},
    },
    "fio/local_fio-3.33_jsonplus_2jobs_nogroup.json": {
        "format": "fio", "facts": {"job_entries": 2, "seqwrite_write_bw_bytes": str(1677721600 + 1016800969)},
    },
    "fio/local_fio-3.33_enospc_job_error_28.json": {
        "format": "fio", "dataset": "benchmarks", "ledger": {"data": 1},
        "facts": {"complete_runs": 0, "job_entries": 1}, "findings": {"job_error": 1, "tool_error": 1},
    },
    "fio/local_fio-3.33_status_interval_many_docs.json": {
        "format": "fio",
        "facts": {"documents": 4, "superseded_documents": 3, "runs": 1, "mix_read_bw_bytes": "26387193"},
    },
    "iperf3/local_iperf-3.12_bidir.json": {
        "format": "iperf3", "dataset": "benchmarks",
        "facts": {
            "streams": 1, "throughput_forward": "5016076001.5831175", "throughput_reverse": "4556177681.52955",
        },
    },
    "iperf3/local_iperf-3.12_P4.json": {
        "format": "iperf3", "facts": {"streams": 4, "throughput_forward": "8571209434.9023762"},
    },
    "iperf3/local_iperf-3.12_refused.json": {
        "format": "iperf3", "ledger": {"data": 1}, "facts": {"complete_runs": 0}, "findings": {"tool_error": 1},
    },
    "perftest/superbench_ib_write_bw_8M_HDR.log": {
        "format": "perftest", "dataset": "benchmarks",
        "facts": {
            "runs": 1, "rows_printed": 2, "twins": 1, "result_rows": 1, "largest_size": "8388608",
            "bandwidth_mean": "24056.72", "bandwidth_mean_gbit": "201.80",
        },
        "findings": {"unit_relabelled": 1, "message_rate": 0},
    },
    "hpl/superbench_hpl_N384000_P1Q2.log": {
        "format": "hpl", "dataset": "benchmarks", "ledger": {"data": 2},
        "facts": {
            "N": "384000", "NB": "384", "P": "1", "Q": "2", "time": "4645.37", "performance": "8.1261e+03",
            "residual": "4.12139792e-03", "tests": 1, "tests_failed": 0, "complete_runs": 1,
        },
        "findings": {"wrong_results": 0, "unverified_results": 0, "rate_time": 0},
    },
    "hpl/pkb_hpcc-1.5.0_sample.txt": {
        "format": "hpcc", "dataset": "benchmarks",
        "facts": {
            "Success": "1", "HPL_Tflops": "0.0331844", "HPL_N": "39552", "StarSTREAM_Triad": "5.92076",
            "complete_runs": 1,
        },
    },
    "hpcg/pkb_hpcg_results_1.txt": {
        "format": "hpcg", "dataset": "benchmarks", "ledger": {"data": 1},
        "facts": {"final": "202.6", "total": "228.0", "SpMV": "178.3", "ranks": 8, "total_time": "71.27"},
        "findings": {"short_run": 1},
    },
    "stream/superbench_stream_zen3_32t.log": {
        "format": "stream", "dataset": "benchmarks",
        "facts": {"stream_triad": "363208.7", "threads": 32, "complete_runs": 1}, "findings": {"rate_time": 0},
    },
    "gpcnet/superbench_gpcnet_error_only.log": {
        "format": "gpcnet", "dataset": "benchmarks",
        "facts": {"tables": 0, "exit_code": 1, "complete_runs": 0}, "findings": {"tool_error": 1},
    },
    "gpu_burn/superbench_gpu_burn.log": {
        "format": "gpu-burn", "dataset": "benchmarks",
        "facts": {"gpus_tested": 8, "gpus_ok": 8, "gpus_faulty": (), "complete_runs": 1},
    },
    "dcgm/glimmer_gb10_level1_persistence_fail.json": {
        "format": "dcgm-diag", "dataset": "benchmarks",
        "facts": {"tests": 1, "tests_fail": ("software",), "tests_skip": (), "error_ids": ("29",)},
        "findings": {"node_setting": 1, "hardware_fault": 0, "nothing_judged": 1},
    },
    "dcgm/glimmer_gb10_level2_partial_skip.json": {
        "format": "dcgm-diag", "dataset": "benchmarks", "ledger": {"data": 3},
        "facts": {
            "tests": 3, "tests_pass": (), "tests_fail": ("software",), "tests_skip": ("memory", "pcie"),
            "error_ids": ("29",),
        },
        "findings": {"node_setting": 1, "hardware_fault": 0, "nothing_judged": 1},
    },
    "superbench/results-summary_3nodes.jsonl": {
        "format": "superbench", "dataset": "benchmarks", "ledger": {"data": 462 + 462 + 438},
        "facts": {
            "nodes": ("sb-validation-01", "sb-validation-02", "sb-validation-03"), "keys_sb-validation-01": 463,
            "keys_sb-validation-02": 463, "keys_sb-validation-03": 439,
        },
        "findings": {"failed_benchmark": 1, "missing_metrics": 1},
    },
    "mlperf_storage/ddn_unet3d-h100_report.json": {
        "format": "mlperf-storage", "dataset": "benchmarks",
        "facts": {
            "accelerators": "36", "report_runs": 5, "mean_throughput": "99017.79", "mean_sample_rate": "708.23",
        },
        "findings": {"mean_mismatch": 0},
    },
    "mlperf_storage/ddn_unet3d-h100_run1_summary.json": {
        "format": "mlperf-storage", "dataset": "benchmarks",
        "facts": {
            "accelerator_utilization": "93.585", "throughput": "99104.222", "expectation": "success", "hosts": 18,
            "hosts_not_collected": 9,
        },
        "findings": {"hosts_not_collected": 1, "potential_caching": 0},
    },
    "fabric/superbench_ibnetdiscover_faked.txt": {
        "format": "ibnetdiscover", "dataset": "links",
        "facts": {"rates": ("4xHDR: 18",), "switches": 8, "adapters": 10, "one_sided_links": 1},
    },
    "fabric/gcm_sysfs_ib_bad_rate.json": {
        "format": "sysfs-ib", "dataset": "benchmarks",
        "facts": {"ports": 8, "rates": ("100 Gb/sec (4X EDR): 8",), "states": ("4: ACTIVE, 5: LinkUp: 8",)},
    },
    "synthetic_from_writer_source/nccl_tests_json_v3.json": {
        "format": "nccl", "dataset": "benchmarks", "ledger": {"data": 9},
        "facts": {"rows": 2, "largest_size": "17179869184", "busbw_out_of_place": "481.040000",
                  "busbw_in_place": "481.470000", "average_busbw": "479.555000"},
        "findings": {"wrong_results": 0, "unverified_results": 0, "average_mismatch": 0},
    },
    "synthetic_from_writer_source/nccl_tests_json_v3_wrong_values_but_bw_ok.json": {
        "format": "nccl", "facts": {"rows": 2}, "findings": {"wrong_results": 1},
    },
    "synthetic_from_writer_source/nvbandwidth_v0.8_json.json": {
        "format": "nvbandwidth", "dataset": "benchmarks",
        "facts": {
            "tests": 3, "waived": 1, "sum_host_to_device_memcpy_ce": "110.6388",
            "sum_device_to_device_memcpy_read_ce": "791.445",
        },
        "findings": {"sum_mismatch": 0},
    },
    "synthetic_from_writer_source/perftest_out_json_duration_peak_zero.json": {
        "format": "perftest", "dataset": "benchmarks",
        "facts": {"bandwidth_mean": "195.69", "bandwidth_peak": "not_measured"},
        "findings": {"unit_derived": 1, "unit_unknown": 0},
    },
}  # fmt: skip
