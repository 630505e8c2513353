"""Track and trace of shipments: DCSA, EPCIS, the answers of carriers, and histories of deliveries."""

from turnup.formats.model import Format
from turnup.formats.profiles import Profile
from turnup.formats.tracking.carriers import CARRIERS, claims_as, parse_carrier
from turnup.formats.tracking.dcsa import is_dcsa, parse_dcsa
from turnup.formats.tracking.delivery_history import DELIVERY_HISTORY
from turnup.formats.tracking.epcis import is_epcis, parse_epcis

_FEEDS = ("logistics_events",)

FORMATS: tuple[Format, ...] = (
    Format("epcis", is_epcis, parse_epcis, feeds=_FEEDS, family="tracking", adds_up=True),
    *(Format(name, claims_as(name), parse_carrier, feeds=_FEEDS, family="tracking", adds_up=True) for name in CARRIERS),
    Format("dcsa", is_dcsa, parse_dcsa, feeds=_FEEDS, family="tracking", adds_up=True),
)
PROFILES: tuple[Profile, ...] = (DELIVERY_HISTORY,)
