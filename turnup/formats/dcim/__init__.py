"""What stands where: exports of asset registers and dumps of machines."""

from turnup.formats.dcim.netbox import groups_of, parse_netbox
from turnup.formats.model import Format
from turnup.formats.profiles import Profile

FORMATS: tuple[Format, ...] = (
    Format(
        "netbox",
        lambda content: groups_of(content.json) is not None,
        parse_netbox,
        feeds=("installs", "links", "node_names"),
    ),
)
PROFILES: tuple[Profile, ...] = ()
