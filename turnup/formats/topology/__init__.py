"""Maps of networks and facilities, and lists of codes: reference data, described and checked."""

from turnup.formats.model import Format
from turnup.formats.profiles import Profile
from turnup.formats.topology import code_lists, gml, peeringdb
from turnup.formats.topology.places import examined

FORMATS: tuple[Format, ...] = (
    Format("gml", gml.is_gml, gml.parse_gml, look=gml.look_at_gml),
    Format("peeringdb", peeringdb.is_peeringdb, peeringdb.parse_peeringdb, look=peeringdb.look_at_peeringdb),
)
PROFILES: tuple[Profile, ...] = code_lists.PROFILES

__all__ = ["FORMATS", "PROFILES", "examined"]
