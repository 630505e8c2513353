"""What a node says of its accelerators, through NVML: inventory, software and use, as rows of our datasets.

Belongs here: asking the library that is handed in. Does not: the clock, files, or which library that is. A figure that
a device does not support is left out; nothing is replaced by zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

Row = dict[str, str]
_MIB = 1 << 20
_ON_DIE = 0


class NoAccelerator(Exception):
    """There is no device here that can be asked; the message says why."""


@dataclass
class Probed:
    """Rows by dataset: ``installs``, ``versions``, ``utilization``; values as text."""

    installs: list[Row] = field(default_factory=list)
    versions: list[Row] = field(default_factory=list)
    utilization: list[Row] = field(default_factory=list)

    @property
    def datasets(self) -> dict[str, list[Row]]:
        """The rows under the name of their dataset."""
        return {"installs": self.installs, "versions": self.versions, "utilization": self.utilization}


def probe(nvml: Any, node: str, now: datetime, wait: Callable[[float], None], interval_s: float = 1.0) -> Probed:
    """Ask every device once, and its performance monitor over an interval.

    Args:
        nvml: the module ``pynvml`` (nvidia-ml-py).
        node: name under which the node appears.
        now: instant of the observation (aware).
        wait: lets an interval pass between two samples of the performance monitor.
        interval_s: length of that interval.

    Raises:
        NoAccelerator: the driver is not there, or it has no device.
    """
    try:
        nvml.nvmlInit()
    except nvml.NVMLError as error:
        raise NoAccelerator(f"no compatible accelerator on {node}: {error}") from error
    try:
        devices = [nvml.nvmlDeviceGetHandleByIndex(index) for index in range(nvml.nvmlDeviceGetCount())]
        if not devices:
            raise NoAccelerator(f"no compatible accelerator on {node}: the driver has no device")
        samples = _samples(nvml, devices, wait, interval_s)
        found = Probed()
        at = now.isoformat()
        found.versions += [
            {"node": node, "component": name, "version": text, "observed_at": at}
            for name, text in _software(nvml, devices)
        ]
        for index, device in enumerate(devices):
            found.installs.append(_install(nvml, node, index, device))
            allocated = _allocated(nvml, device)
            found.utilization += [
                {"node": node, "device": str(index), "observed_at": at, "counter": counter, "value": value}
                | ({"allocated": allocated} if allocated else {})
                for counter, value in (*_counters(nvml, device), *samples.get(index, ()))
            ]
        return found
    finally:
        nvml.nvmlShutdown()


def _asked(nvml: Any, name: str, *arguments: Any) -> Any:
    """An answer of the library, or None where the device or the driver does not support the question."""
    try:
        return getattr(nvml, name)(*arguments)
    except (AttributeError, nvml.NVMLError):
        return None


def _text(value: Any) -> str | None:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value) if value is not None else None


def _software(nvml: Any, devices: list[Any]) -> Iterator[tuple[str, str]]:
    cuda = _asked(nvml, "nvmlSystemGetCudaDriverVersion")
    asked = {
        "driver": _text(_asked(nvml, "nvmlSystemGetDriverVersion")),
        "nvml": _text(_asked(nvml, "nvmlSystemGetNVMLVersion")),
        "cuda": f"{cuda // 1000}.{cuda % 1000 // 10}" if isinstance(cuda, int) else None,
    }
    yield from ((name, text) for name, text in asked.items() if text)
    for index, device in enumerate(devices):
        vbios = _text(_asked(nvml, "nvmlDeviceGetVbiosVersion", device))
        if vbios:
            yield f"gpu{index} vbios", vbios


def _install(nvml: Any, node: str, index: int, device: Any) -> Row:
    pci = _asked(nvml, "nvmlDeviceGetPciInfo", device)
    serial = _text(_asked(nvml, "nvmlDeviceGetSerial", device))
    row = {
        "asset_id": f"{node}/GPU {index}",
        "manufacturer": "NVIDIA",
        "part_number": _text(_asked(nvml, "nvmlDeviceGetName", device)) or "unknown",
        "parent_asset": node,
        "position": (_text(pci.busId) if pci is not None else None) or str(index),
        "status": "active",
    }
    return row | ({"serial": serial} if serial else {})


def _allocated(nvml: Any, device: Any) -> str:
    """Whether a process computes on the device; empty where that cannot be asked."""
    running = _asked(nvml, "nvmlDeviceGetComputeRunningProcesses", device)
    return "" if running is None else "true" if running else "false"


def _counters(nvml: Any, device: Any) -> Iterator[tuple[str, str]]:
    rates = _asked(nvml, "nvmlDeviceGetUtilizationRates", device)
    memory = _asked(nvml, "nvmlDeviceGetMemoryInfo", device)
    power = _asked(nvml, "nvmlDeviceGetPowerUsage", device)
    limit = _asked(nvml, "nvmlDeviceGetEnforcedPowerLimit", device)
    temperature = _asked(nvml, "nvmlDeviceGetTemperature", device, _ON_DIE)
    if rates is not None:
        yield "gpu_utilization_percent", str(rates.gpu)
        yield "memory_utilization_percent", str(rates.memory)
    if memory is not None:
        yield "memory_total_mib", f"{memory.total / _MIB:g}"
        yield "memory_used_mib", f"{memory.used / _MIB:g}"
    for name, milliwatts in (("power_w", power), ("power_limit_w", limit)):
        if milliwatts is not None:
            yield name, f"{milliwatts / 1000:g}"
    if temperature is not None:
        yield "temperature_c", str(temperature)


_MONITORED = (
    ("sm_active_percent", "NVML_GPM_METRIC_SM_UTIL"),
    ("sm_occupancy_percent", "NVML_GPM_METRIC_SM_OCCUPANCY"),
    ("dram_active_percent", "NVML_GPM_METRIC_DRAM_BW_UTIL"),
)
"""Figures of the performance monitor (Hopper and later): percent of the interval or of the peak."""


def _samples(
    nvml: Any, devices: list[Any], wait: Callable[[float], None], interval_s: float
) -> dict[int, list[tuple[str, str]]]:
    """The performance monitor's figures of each device that has one."""
    first = {index: _sample(nvml, device) for index, device in enumerate(devices)}
    started = {index: sample for index, sample in first.items() if sample is not None}
    if not started:
        return {}
    wait(interval_s)
    found: dict[int, list[tuple[str, str]]] = {}
    for index, before in started.items():
        after = _sample(nvml, devices[index])
        if after is not None:
            found[index] = list(_monitored(nvml, before, after))
            _asked(nvml, "nvmlGpmSampleFree", after)
        _asked(nvml, "nvmlGpmSampleFree", before)
    return found


def _sample(nvml: Any, device: Any) -> Any:
    support = _asked(nvml, "nvmlGpmQueryDeviceSupport", device)
    if support is None or not support.isSupportedDevice:
        return None
    allocated = _asked(nvml, "nvmlGpmSampleAlloc")
    return _asked(nvml, "nvmlGpmSampleGet", device, allocated) if allocated is not None else None


def _monitored(nvml: Any, before: Any, after: Any) -> Iterator[tuple[str, str]]:
    request = nvml.c_nvmlGpmMetricsGet_t()
    request.version = nvml.NVML_GPM_METRICS_GET_VERSION
    request.sample1, request.sample2, request.numMetrics = before, after, len(_MONITORED)
    for place, (_, metric) in enumerate(_MONITORED):
        request.metrics[place].metricId = getattr(nvml, metric)
    if _asked(nvml, "nvmlGpmMetricsGet", request) is None:
        return
    for place, (name, _) in enumerate(_MONITORED):
        answer = request.metrics[place]
        if answer.nvmlReturn == 0:
            yield name, f"{answer.value:g}"
