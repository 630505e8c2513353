"""What a node's library says, as rows that are accepted; what it does not know is left out."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from expectations.contract import load_contracts
from pipelines.commands.probe import write_files
from turnup.acceptance.probe import NoAccelerator, probe
from turnup.trial import inspect_and_try

NOW = datetime(2026, 10, 2, 6, 0, tzinfo=UTC)


class NVMLError(Exception):
    pass


class Library:
    """A library with two devices, the second without serial, power and performance monitor."""

    NVMLError = NVMLError
    NVML_GPM_METRICS_GET_VERSION = 1
    NVML_GPM_METRIC_SM_UTIL, NVML_GPM_METRIC_SM_OCCUPANCY, NVML_GPM_METRIC_DRAM_BW_UTIL = 2, 3, 10

    def __init__(self, devices=2):
        self.devices, self.open = devices, False

    def nvmlInit(self):
        if self.devices is None:
            raise NVMLError("Driver Not Loaded")
        self.open = True

    def nvmlShutdown(self):
        self.open = False

    def nvmlDeviceGetCount(self):
        return self.devices

    def nvmlDeviceGetHandleByIndex(self, index):
        return index

    def nvmlSystemGetDriverVersion(self):
        return "550.90.07"

    def nvmlSystemGetCudaDriverVersion(self):
        return 12040

    def nvmlDeviceGetName(self, device):
        return b"NVIDIA H200"

    def nvmlDeviceGetSerial(self, device):
        if device == 1:
            raise NVMLError("Not Supported")
        return "0012345"

    def nvmlDeviceGetPowerUsage(self, device):
        if device == 1:
            raise NVMLError("Not Supported")
        return 67030

    def nvmlDeviceGetUtilizationRates(self, device):
        return SimpleNamespace(gpu=40, memory=7)

    def nvmlDeviceGetMemoryInfo(self, device):
        return SimpleNamespace(total=141 << 30, used=3 << 30)

    def nvmlDeviceGetComputeRunningProcesses(self, device):
        return ["job"] if device == 0 else []

    def nvmlGpmQueryDeviceSupport(self, device):
        return SimpleNamespace(isSupportedDevice=device == 0)

    def nvmlGpmSampleAlloc(self):
        return object()

    def nvmlGpmSampleGet(self, device, sample):
        return sample

    def nvmlGpmSampleFree(self, sample):
        return None

    def c_nvmlGpmMetricsGet_t(self):
        return SimpleNamespace(metrics=[SimpleNamespace(value=0.0, nvmlReturn=99) for _ in range(3)])

    def nvmlGpmMetricsGet(self, request):
        for metric, value in zip(request.metrics, (37.5, 21.0, 0.4), strict=True):
            metric.value, metric.nvmlReturn = value, 0 if metric.metricId != 3 else 3
        return request


def probed(library):
    waited = []
    found = probe(library, "gpu001", NOW, waited.append, 2.0)
    assert not library.open
    return found, waited


def test_devices_software_and_use():
    found, waited = probed(Library())
    assert waited == [2.0]
    assert [(row["asset_id"], row.get("serial")) for row in found.installs] == [
        ("gpu001/GPU 0", "0012345"), ("gpu001/GPU 1", None),
    ]  # fmt: skip
    assert {row["component"]: row["version"] for row in found.versions} == {"driver": "550.90.07", "cuda": "12.4"}
    first = {row["counter"]: row["value"] for row in found.utilization if row["device"] == "0"}
    assert first == {
        "gpu_utilization_percent": "40", "memory_utilization_percent": "7", "memory_total_mib": "144384",
        "memory_used_mib": "3072", "power_w": "67.03", "sm_active_percent": "37.5", "dram_active_percent": "0.4",
    }  # fmt: skip
    second = {row["counter"] for row in found.utilization if row["device"] == "1"}
    assert "power_w" not in second
    assert "sm_active_percent" not in second
    assert {row["device"]: row["allocated"] for row in found.utilization} == {"0": "true", "1": "false"}


def test_the_files_are_accepted_as_they_are(tmp_path):
    found, _ = probed(Library())
    contracts = load_contracts()
    for file in write_files(found, tmp_path, "gpu001", NOW):
        seen = inspect_and_try(file, file.name, contracts)
        dataset = file.name.split("_")[2]
        assert (seen.dataset, seen.quarantined) == (dataset, 0)
        assert seen.accepted == len(found.datasets[dataset])


@pytest.mark.parametrize("devices", [None, 0])
def test_without_an_accelerator_that_is_said(devices):
    library = Library(devices)
    with pytest.raises(NoAccelerator, match="no compatible accelerator on gpu001"):
        probe(library, "gpu001", NOW, lambda _: None)
    assert not library.open
