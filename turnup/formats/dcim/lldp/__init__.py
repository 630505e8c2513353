"""What neighbours announce by LLDP, as lldpd, Cumulus Linux and NAPALM tell it: observed links of one host."""

from turnup.formats.dcim.lldp.documents import is_cumulus, is_lldpcli, is_napalm
from turnup.formats.dcim.lldp.keyvalue import is_keyvalue
from turnup.formats.dcim.lldp.rows import parse_lldp
from turnup.formats.model import Format

FORMATS: tuple[Format, ...] = tuple(
    Format(name, claims, parse_lldp, feeds=("links",), family="lldp", adds_up=True)
    for name, claims in (
        ("lldp_json", is_lldpcli),
        ("lldp_cumulus", is_cumulus),
        ("lldp_napalm", is_napalm),
        ("lldp_keyvalue", is_keyvalue),
    )
)
