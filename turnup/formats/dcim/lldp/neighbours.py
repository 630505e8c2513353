"""One neighbour on one port, whatever tool told it: chassis, port and addresses under one name each."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

_SPEED = re.compile(r"(?i)^(\d+(?:\.\d+)?)\s*(g|m)(?:ig|bit|b)?(?:base|b/s|bps|\b)|^(\d+)base")
_OWN_NUMBER = re.compile(r"^\d+$")


@dataclass
class Neighbour:
    """A neighbour as announced.

    Attributes:
        interface: our own port.
        row: line, or number of the record.
        name: system name, or None when none was announced.
        chassis: identifier of the chassis, usually a MAC address.
        port: the port identifier, and its kind (ifname, mac, local).
        description: of the port.
        management: addresses, IPv4 and IPv6.
        speed: the port's present speed as told.
        linked: whether the interface was up; None when not told.
        given: all that was told.
    """

    interface: str
    row: int
    name: str | None = None
    chassis: str | None = None
    port: str | None = None
    port_kind: str | None = None
    description: str | None = None
    management: tuple[str, ...] = ()
    speed: str | None = None
    linked: bool | None = None
    given: dict[str, Any] = field(default_factory=dict)

    @property
    def device(self) -> str | None:
        """Its name, else its chassis identifier."""
        return self.name or self.chassis

    @property
    def port_name(self) -> str | None:
        """The port as people name it.

        A MAC address or a bare number is the agent's own identifier; the port's description then names the port.
        """
        internal = self.port_kind == "mac" or (self.port is not None and _OWN_NUMBER.match(self.port) is not None)
        return (self.description or self.port) if internal else (self.port or self.description)


def gbps_of(text: str | None) -> str | None:
    """Gbit/s in the words of a port (``10GigBaseLR - ...``, ``1000BaseTFD``, ``100G``), or None."""
    found = _SPEED.match(text.strip()) if text else None
    if found is None:
        return None
    if found[1] and found[2].lower() == "g":
        return found[1]
    return _thousandth(found[1] or found[3])


def _thousandth(mbps: str) -> str:
    whole = int(float(mbps))
    return str(whole // 1000) if whole % 1000 == 0 else f"{whole / 1000:g}"


def said(value: Any) -> str | None:
    """A text that says something; "not advertised" does not."""
    if not isinstance(value, str):
        return None
    text = value.strip()
    return None if text.casefold() in ("", "not advertised", "null", "none") else text
