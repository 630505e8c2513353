"""Cable plans and discovered topologies."""

from turnup.formats.model import Format
from turnup.formats.profiles import Profile

FORMATS: tuple[Format, ...] = ()
PROFILES: tuple[Profile, ...] = ()
