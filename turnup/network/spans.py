"""Which spans a circuit rides on, read from the route as a provider writes it.

Belongs here: taking a route apart. Does not: what fails together (``failures``). A route is a list of spans
(``ORD-STL; STL-DAL``) or of places (``ABL > DFW > IAD``); a span has no direction, so ``STL-ORD`` is ``ORD-STL``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from turnup.identity import normal_form

_LISTED = re.compile(r"[;|\n]")
_LEG = re.compile(r"\s*(?:<?[-=]+>|<-+|[>\u2192\u2194\u21d2\u2794\u2013\u2014])\s*|\s+-+\s+")
_NO_ROUTE = frozenset(
    {"-", "--", "?", "any", "diverse", "n/a", "na", "nil", "none", "not applicable", "not known", "tba", "tbc", "tbd",
     "to be confirmed", "unknown", "various"}
)  # fmt: skip


@dataclass(frozen=True, order=True)
class Span:
    """A stretch of cable that several circuits may share: the key that they compare by, and its spelling."""

    key: str
    spelled: str


@dataclass(frozen=True)
class Route:
    """The spans of one circuit by key; ``unread`` holds texts that may be a list of places and were taken as a name."""

    spans: tuple[Span, ...] = ()
    unread: tuple[str, ...] = ()


def route_of(text: str | None, a_site: str | None, z_site: str | None) -> Route:
    """Read a route.

    Args:
        text: the route as given.
        a_site: key of the site at one end of the circuit.
        z_site: key of the site at its other end.

    ``ABL-DFW-IAD`` is a list of places where it begins and ends at the circuit's own sites, because only then is it
    sure that its hyphens part places; any other text with several hyphens is the name of one span.
    """
    spans: dict[str, Span] = {}
    unread: list[str] = []
    for token in _tokens(text or ""):
        places = _places(token, a_site, z_site)
        if places is None:
            key = normal_form(token)
            found = [Span(key, token)] if key else []
            unread += [token] if token.count("-") > 1 else []
        else:
            found = [_between(first, second) for first, second in pairwise(places)]
        spans.update((span.key, span) for span in found if span.key not in spans)
    return Route(tuple(sorted(spans.values())), tuple(unread))


def _tokens(text: str) -> list[str]:
    """The listed texts; a comma parts them unless it belongs to places such as ``St. Louis, MO - Dallas, TX``."""
    found: list[str] = []
    for part in _LISTED.split(text):
        pieces = part.split(",")
        legs = [_LEG.search(piece.strip()) is not None for piece in pieces]
        found += pieces if not any(legs) or all(legs) else [part]
    stripped = (token.strip() for token in found)
    return [token for token in stripped if token and normal_form(token) not in _NO_ROUTE]


def _places(token: str, a_site: str | None, z_site: str | None) -> list[str] | None:
    """The places along a token, at least two; None when it is a name."""
    by_arrows = [place for place in _LEG.split(token) if place.strip()]
    if len(by_arrows) > 1:
        return by_arrows
    if a_site and z_site:
        for first, last in ((a_site, z_site), (z_site, a_site)):
            if token.casefold().startswith(f"{first}-") and token.casefold().endswith(f"-{last}"):
                between = token[len(first) + 1 : max(len(first), len(token) - len(last) - 1)]
                return [token[: len(first)], *(place for place in between.split("-") if place), token[-len(last) :]]
    parts = token.split("-")
    return parts if len(parts) == 2 and all(part.strip() for part in parts) else None


def _between(first: str, second: str) -> Span:
    ends = sorted((normal_form(first) or "", normal_form(second) or ""))
    return Span("-".join(ends), f"{first.strip()}-{second.strip()}")
