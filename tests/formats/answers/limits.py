"""Figures of the real files that hold limits, from the answers that came with them."""

EXPECTED: dict[str, dict] = {
    "superbench/diagnosis-rules.yaml": {
        "format": "superbench-rules", "dataset": None,
        "facts": {"rules": 3, "functions": ("variance", "variance", "value"), "metric_patterns": 6},
    },
    "superbench/diagnosis-rules_multi.yaml": {
        "format": "superbench-rules", "facts": {"rules": 3, "functions": ("value", "store", "multi_rules")},
    },
    "superbench/baseline.json": {
        "format": "superbench-baseline",
        "facts": {"metrics": 7, "mem-bw/H2D_Mem_BW": "25.6", "mem-bw/D2H_Mem_BW": "24.3", "mem-bw/D2D_Mem_BW": "1118"},
    },
    "superbench/summary-rules.yaml": {
        "format": "superbench-rules", "facts": {"rules": 3, "statistics": ("max", "mean", "min", "p90")},
    },
    "superbench/diagnosis_summary_expected.jsonl": {
        "format": "superbench-diagnosis",
        "facts": {"defective_nodes": 2, "nodes": ("sb-validation-01 KernelLaunch", "sb-validation-03 FailedTest")},
    },
    "azure_nhc/nd96isr_h100_v5.conf": {
        "format": "azure-nhc", "dataset": None,
        "facts": {"all_reduce_busbw": "460", "all_reduce_size": "16G", "gpu_host_copy": "48", "gpu_peer_copy": "335",
                  "ib_bw_gdr": "380", "gpus": "8", "ib_ports_400": 8, "nvme_drives": "8", "memory": "1915071MB",
                  "memory_tolerance": "5%", "ecc_dram_corrected": "20000000", "ecc_sram_corrected": "10000"},
    },
    "azure_nhc/nd96isr_h200_v5.conf": {
        "format": "azure-nhc", "facts": {"all_reduce_busbw": "431", "ib_bw_gdr": "360", "gpu_host_copy": "48"},
    },
    "azure_nhc/nd96isr_mi300x_v5.conf": {
        "format": "azure-nhc",
        "facts": {"all_reduce_busbw": "314", "all_reduce_size": "16G", "gpu_host_copy": "48", "gpu_peer_copy": "44",
                  "ib_bw_non_gdr": "390", "gpu_ecc_check": "none"},
    },
    "azure_nhc/nd96amsr_a100_v4.conf": {
        "format": "azure-nhc",
        "facts": {"all_reduce_busbw": "228", "gpu_host_copy": "21", "gpu_peer_copy": "238", "ib_bw_gdr": "180",
                  "ib_loopback_busbw": "18"},
    },
    "azure_nhc/README_expected_table.md": {
        "format": "azure-nhc-table",
        "facts": {"check_ib_bw_gdr": ("180 GB/s", "180 GB/s", "380 GB/s", "400 GB/s"),
                  "check_ib_bw_non_gdr": ("390 GB/s", "390 GB/s")},
        "findings": {"unit_conflict": 6},
    },
    "fabric/gcm_manifest_DGX_A100.json": {
        "format": "machine-manifest",
        "facts": {"devices": 36, "gpu_devices": 8, "ib_devices": 8, "nvme_devices": 10},
    },
}  # fmt: skip
