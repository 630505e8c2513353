"""What stands where: exports of asset registers, dumps of machines, what neighbours announce, what a model has."""

from turnup.formats.dcim import device_types, dmidecode, lldp, netbox, netbox_tables, nvidia_smi, ralph
from turnup.formats.model import Format
from turnup.formats.profiles import Profile

FORMATS: tuple[Format, ...] = (
    Format("netbox", netbox.feeds_a_dataset, netbox.parse_netbox, feeds=tuple(netbox.FEEDS)),
    Format("netbox_others", netbox.holds_others, netbox.parse_netbox, look=netbox.look_at_others, family="netbox"),
    Format("dmidecode", dmidecode.is_dmidecode, dmidecode.parse_dmidecode, feeds=dmidecode.FEEDS, adds_up=True),
    *nvidia_smi.FORMATS,
    *lldp.FORMATS,
    Format(
        "device_type",
        device_types.is_device_type,
        device_types.parse_device_type,
        look=device_types.look_at_device_type,
    ),
)
PROFILES: tuple[Profile, ...] = (*netbox_tables.PROFILES, *ralph.PROFILES)
