"""What a report of nvidia-smi says, whatever its form and driver: fields under one name, values as number and unit.

A driver may rename a field (``power_readings`` became ``gpu_power_readings``) or split it (the ECC counters); each is
one field here. "N/A" and "Not Supported" are unknown, never 0; "Unknown Error" is a sign of a fault.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal

FIELDS: dict[str, tuple[str, ...]] = {
    "index": ("index",),
    "minor": ("minor_number",),
    "serial": ("serial", "serial_number", "gpu_serial"),
    "uuid": ("uuid", "gpu_uuid"),
    "pci": ("pci.pci_bus_id", "pci.bus_id", "gpu_bus_id", "pci.bus_id"),
    "product": ("product_name", "name", "gpu_name"),
    "brand": ("product_brand",),
    "vbios": ("vbios_version",),
    "inforom": ("inforom_version.img_version", "inforom_version.image_version", "inforom.img"),
    "driver": ("driver_version",),
    "timestamp": ("timestamp",),
    "mig": ("mig_mode.current_mig", "mig_mode.current", "mig.mode.current"),
    "power_w": (
        "gpu_power_readings.power_draw", "power_readings.power_draw", "power.draw",
        "gpu_power_readings.average_power_draw", "power.draw.average",
        "gpu_power_readings.instant_power_draw", "power.draw.instant",
    ),
    "temperature_c": ("temperature.gpu_temp", "temperature.gpu_current_temp", "temperature.gpu"),
    "memory_temperature_c": ("temperature.memory_temp", "temperature.memory_current_temp", "temperature.memory"),
    "gpu_utilization_percent": ("utilization.gpu_util", "utilization.gpu"),
    "memory_utilization_percent": ("utilization.memory_util", "utilization.memory"),
    "memory_total_mib": ("fb_memory_usage.total", "memory.total"),
    "memory_used_mib": ("fb_memory_usage.used", "memory.used"),
    "retired_single_bit": (
        "retired_pages.multiple_single_bit_retirement.retired_count", "retired_pages.single_bit_ecc",
        "retired_pages.single_bit_ecc.count", "retired_pages.sbe",
    ),
    "retired_double_bit": (
        "retired_pages.double_bit_retirement.retired_count", "retired_pages.double_bit_ecc",
        "retired_pages.double_bit.count", "retired_pages.dbe",
    ),
    "retired_pending": (
        "retired_pages.pending_blacklist", "retired_pages.pending_page_blacklist",
        "retired_pages.pending_retirement", "retired_pages.pending",
    ),
    "remapped_uncorrectable": (
        "remapped_rows.remapped_row_unc", "remapped_rows.uncorrectable_error", "remapped_rows.uncorrectable",
    ),
    "remapped_pending": ("remapped_rows.remapped_row_pending", "remapped_rows.pending"),
    "remapped_failure": (
        "remapped_rows.remapped_row_failure", "remapped_rows.remapping_failure_occurred", "remapped_rows.failure",
    ),
}  # fmt: skip
"""One name per field, and the paths under which drivers and forms give it; the first that is there counts."""

COUNTERS = (
    "power_w", "temperature_c", "memory_temperature_c", "gpu_utilization_percent", "memory_utilization_percent",
    "memory_total_mib", "memory_used_mib",
)  # fmt: skip
UNITS = {"power_w": "W", "temperature_c": "C", "memory_temperature_c": "C", "gpu_utilization_percent": "%",
         "memory_utilization_percent": "%", "memory_total_mib": "MiB", "memory_used_mib": "MiB"}  # fmt: skip

_UNKNOWN = re.compile(
    r"(?i)^\[?\s*(?:n/?a|not supported|not available|unknown|insufficient permissions|"
    r"requested functionality has been deprecated|deprecated|none)?\s*\]?$"
)
_FAULT = re.compile(r"(?i)^\[?\s*(?:unknown error|err!|gpu is lost|gpu requires reset|.*\berror\b.*)\s*\]?$")
_NUMBER = re.compile(r"^([-+]?\d+(?:\.\d+)?)\s*([A-Za-z%/]*)$")


@dataclass(frozen=True)
class Value:
    """A value as written, and the line it stands in."""

    text: str
    row: int

    @property
    def known(self) -> bool:
        """Whether it says anything."""
        return not _UNKNOWN.match(self.text) and not self.faulty

    @property
    def faulty(self) -> bool:
        """Whether the tool could not read it because of an error."""
        return _FAULT.match(self.text) is not None

    def number(self, unit: str = "") -> str | None:
        """The number as text when it is one in this unit (or without a unit), else None."""
        found = _NUMBER.match(self.text)
        if found is None or found[2] not in ("", unit):
            return None
        return found[1]


@dataclass
class Gpu:
    """One GPU of a report: its values by path."""

    ordinal: int
    row: int
    bus: str = ""
    values: dict[str, Value] = field(default_factory=dict)

    def get(self, name: str) -> Value | None:
        """A field under any of its paths; a path that says something goes before one that does not."""
        held = [self.values[path] for path in FIELDS[name] if path in self.values]
        return next((value for value in held if value.known), held[0] if held else None)

    def said(self, name: str) -> str | None:
        """The text of a field that says something."""
        value = self.get(name)
        return value.text if value is not None and value.known else None

    def count(self, name: str) -> int | None:
        """A whole number, or None when it is unknown."""
        value = self.get(name)
        number = value.number() if value is not None else None
        return int(Decimal(number)) if number is not None else None

    @property
    def label(self) -> str:
        """What the device is called on its node."""
        return self.said("index") or self.said("minor") or self.bus or str(self.ordinal)

    @property
    def identity(self) -> str:
        """Serial number, else UUID, else PCI address."""
        return self.said("serial") or self.said("uuid") or self.bus or str(self.ordinal)

    @property
    def faulty(self) -> list[str]:
        """Paths that the tool could not read because of an error."""
        return sorted(path for path, value in self.values.items() if value.faulty)

    def ecc_uncorrectable(self) -> int | None:
        """Uncorrectable memory errors since the driver was loaded, in the tree of any driver; None when unknown."""
        return self._ecc("volatile", ("uncorrectable", "double_bit.total", "uncorrected"))

    def ecc_errors(self) -> int | None:
        """All memory errors that were counted, of either kind and since either beginning."""
        parts = [
            self._ecc(span, ("correct", "single_bit.total", "double_bit.total")) for span in ("volatile", "aggregate")
        ]
        known = [part for part in parts if part is not None]
        return sum(known) if known else None

    def _ecc(self, span: str, marks: tuple[str, ...]) -> int | None:
        found = [
            number
            for path, value in self.values.items()
            if path.startswith(("ecc_errors.", "ecc.errors.")) and span in path and any(mark in path for mark in marks)
            if (number := value.number()) is not None
        ]
        return sum(int(Decimal(number)) for number in found) if found else None


@dataclass
class Report:
    """A whole file: its GPUs (of a CSV, one for each row) and what it says about the host."""

    lines: int
    gpus: list[Gpu] = field(default_factory=list)
    timestamp: Value | None = None
    driver: Value | None = None
    cuda: Value | None = None
    attached: Value | None = None


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_CTIME = re.compile(r"^[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) (\d\d:\d\d:\d\d) (\d{4})$")
_SLASHED = re.compile(r"^(\d{4})/(\d\d)/(\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)$")


def iso_time(text: str | None) -> str | None:
    """The tool's time of day (``Thu Mar 14 20:46:07 2024``, ``2024/03/14 20:46:07.123``) in ISO 8601, without zone."""
    if text is None:
        return None
    found = _CTIME.match(text)
    if found and found[1] in _MONTHS:
        return f"{found[4]}-{_MONTHS.index(found[1]) + 1:02d}-{int(found[2]):02d}T{found[3]}"
    found = _SLASHED.match(text)
    return f"{found[1]}-{found[2]}-{found[3]}T{found[4]}" if found else text
