"""Bills of material beyond plain tables."""

from turnup.formats.model import Format
from turnup.formats.profiles import Profile

FORMATS: tuple[Format, ...] = ()
PROFILES: tuple[Profile, ...] = ()
