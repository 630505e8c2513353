"""Cloud interconnects as the clouds' own tools list them: circuits with both sides' states, and BGP sessions."""

from turnup.formats.cloud.aws import is_connections, is_interfaces, parse_connections, parse_interfaces
from turnup.formats.cloud.azure import is_expressroute, parse_expressroute
from turnup.formats.cloud.google import is_interconnects, parse_interconnects
from turnup.formats.model import Format
from turnup.formats.profiles import Profile

FORMATS: tuple[Format, ...] = (
    Format("azure_expressroute", is_expressroute, parse_expressroute, feeds=("circuits",)),
    Format("aws_direct_connect", is_connections, parse_connections, feeds=("circuits",)),
    Format("aws_virtual_interfaces", is_interfaces, parse_interfaces, feeds=("sessions",)),
    Format("google_interconnect", is_interconnects, parse_interconnects, feeds=("circuits",)),
)
PROFILES: tuple[Profile, ...] = ()
