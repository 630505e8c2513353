"""Logs and documents of acceptance tests. A format is one module and one line here."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from turnup.formats.benchmarks import (
    dcgm_diag,
    fabric,
    fio,
    gpcnet,
    gpu_burn,
    hpl,
    io500,
    iperf3,
    lines,
    link_flaps,
    mlperf,
    nccl_json,
    nccl_text,
    nvbandwidth,
    perftest,
    stream,
    superbench,
)
from turnup.formats.model import Format
from turnup.formats.profiles import Profile

if TYPE_CHECKING:
    from turnup.formats.content import Content
    from turnup.formats.model import RawTable, Request


def _measured(
    name: str, claims: Callable[["Content"], bool], parse: Callable[["Request"], "RawTable"], family: str = ""
) -> Format:
    return Format(name, claims, parse, ("benchmarks",), family=family, adds_up=True)


FORMATS: tuple[Format, ...] = (
    _measured("debris", lines.is_debris, lines.refuse_debris),
    _measured("nccl", nccl_text.is_nccl_text, nccl_text.parse_nccl_text, "nccl"),
    _measured("nccl-json", nccl_json.is_nccl_json, nccl_json.parse_nccl_json, "nccl"),
    _measured("rccl-lines", nccl_json.is_rccl_lines, nccl_json.parse_rccl_lines, "nccl"),
    _measured("superbench", superbench.is_superbench, superbench.parse_superbench),
    _measured("nvbandwidth", nvbandwidth.is_nvbandwidth, nvbandwidth.parse_nvbandwidth, "nvbandwidth"),
    _measured("nvbandwidth-json", nvbandwidth.is_nvbandwidth_json, nvbandwidth.parse_nvbandwidth_json, "nvbandwidth"),
    _measured("perftest", perftest.is_perftest, perftest.parse_perftest, "perftest"),
    _measured("perftest-json", perftest.is_perftest_json, perftest.parse_perftest_json, "perftest"),
    _measured("fio", fio.is_fio, fio.parse_fio),
    _measured("iperf3", iperf3.is_iperf3, iperf3.parse_iperf3),
    _measured("hpcc", hpl.is_hpcc, hpl.parse_hpcc),
    _measured("hpl", hpl.is_hpl, hpl.parse_hpl),
    _measured("hpcg", hpl.is_hpcg, hpl.parse_hpcg),
    _measured("stream", stream.is_stream, stream.parse_stream),
    _measured("babelstream", stream.is_babelstream, stream.parse_babelstream),
    _measured("gpu-stream", stream.is_gpu_stream, stream.parse_gpu_stream),
    _measured("cuda-bandwidth", stream.is_cuda_bandwidth, stream.parse_cuda_bandwidth),
    _measured("gpu-burn", gpu_burn.is_gpu_burn, gpu_burn.parse_gpu_burn),
    _measured("gpcnet", gpcnet.is_gpcnet, gpcnet.parse_gpcnet),
    _measured("io500", io500.is_io500, io500.parse_io500),
    _measured("ior", io500.is_ior, io500.parse_ior),
    _measured("mlperf-storage", mlperf.is_storage_report, mlperf.parse_storage_report, "mlperf-storage"),
    _measured("dlio", mlperf.is_dlio_summary, mlperf.parse_dlio_summary, "mlperf-storage"),
    _measured("mlperf-training", mlperf.is_training_log, mlperf.parse_training_log),
    _measured("dcgm-diag", dcgm_diag.is_dcgm, dcgm_diag.parse_dcgm, "dcgm-diag"),
    _measured("dcgm-failure", dcgm_diag.is_dcgm_failure, dcgm_diag.parse_dcgm_failure, "dcgm-diag"),
    _measured("sysfs-ib", fabric.is_sysfs_dump, fabric.parse_sysfs_dump),
    Format("ibnetdiscover", fabric.is_ibnetdiscover, fabric.parse_ibnetdiscover, ("links",)),
    Format("link-flaps", link_flaps.is_link_log, link_flaps.parse_link_log, ("failures",)),
)
"""In the order in which they are tried."""

PROFILES: tuple[Profile, ...] = ()
