"""What a machine must have on its PCIe bus: slot, device, and the link speeds and widths that are right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from turnup.formats.content import Content
from turnup.formats.model import Fact, Ledger, Look


def is_manifest(content: Content) -> bool:
    """Whether a document lists PCIe addresses with their link speed and width."""
    held = content.json
    devices = held.get("pci") if isinstance(held, dict) else None
    if not isinstance(devices, dict) or not devices:
        return False
    first = next(iter(devices.values()))
    return isinstance(first, Mapping) and "link_speed" in first and "link_width" in first


def look_at_manifest(content: Content) -> Look:
    """How many devices of which type, and where several spellings of one speed are accepted."""
    held: Mapping[str, Any] = content.document.value
    devices: Mapping[str, Mapping[str, Any]] = held["pci"]
    types = Counter(str(device.get("type")) for device in devices.values())
    several = sum(isinstance(device.get("link_speed"), list) for device in devices.values())
    facts = [
        Fact("devices", len(devices)),
        *(Fact(f"{kind}_devices", count) for kind, count in sorted(types.items())),
        Fact("several_speed_spellings", several),
    ]
    others = sum(len(part) for name, part in held.items() if name != "pci" and isinstance(part, (dict, list)))
    return Look(Ledger(lines=len(devices) + others, data=len(devices), other=others), tuple(facts))
