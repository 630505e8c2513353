"""What can fail at once: a span, a diversity group, a site, or a circuit of which no span is known.

Belongs here: which circuits one failure takes. Does not: what is left afterwards (``capacity``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from turnup.network.circuits import Network

Kind = Literal["span", "diversity group", "site", "circuit"]
KINDS: tuple[Kind, ...] = ("span", "diversity group", "site", "circuit")


@dataclass(frozen=True)
class Failure:
    """One thing that fails, its key and spelling, and the numbers of the circuits that go with it."""

    kind: Kind
    key: str
    name: str
    circuits: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True)
class Failures:
    """All single failures of a network; the arrays hold them one after the other for the compiled loops.

    ``site`` is the number of the site that fails, -1 for other kinds.
    """

    items: tuple[Failure, ...]
    first: np.ndarray
    circuit: np.ndarray
    site: np.ndarray


def failures_of(network: Network) -> Failures:
    """Every single failure of a network, spans first, then groups, sites and circuits, each by name."""
    taken: dict[tuple[Kind, str], set[int]] = defaultdict(set)
    names: dict[tuple[Kind, str], str] = {}
    for number, circuit in enumerate(network.circuits):
        risks: list[tuple[Kind, str, str]] = [("span", span.key, span.spelled) for span in circuit.spans]
        risks += [("diversity group", circuit.group.casefold(), circuit.group)] if circuit.group else []
        risks += [] if circuit.spans else [("circuit", circuit.key, circuit.label)]
        for kind, key, name in risks:
            taken[kind, key].add(number)
            names[kind, key] = min(names.get((kind, key), name), name)
        for site in (circuit.a_site, circuit.z_site):
            taken["site", site].add(number)
            names["site", site] = site
    order = sorted(taken, key=lambda risk: (KINDS.index(risk[0]), risk[1]))
    items = tuple(Failure(kind, key, names[kind, key], tuple(sorted(taken[kind, key]))) for kind, key in order)
    return _arrays(network, items)


def _arrays(network: Network, items: tuple[Failure, ...]) -> Failures:
    place = {site: number for number, site in enumerate(network.sites)}
    lengths = [len(item.circuits) for item in items]
    return Failures(
        items=items,
        first=np.concatenate(([0], np.cumsum(lengths))).astype(np.int32),
        circuit=np.array([number for item in items for number in item.circuits], np.int32),
        site=np.array([place[item.key] if item.kind == "site" else -1 for item in items], np.int32),
    )


def sharing(failures: Failures, circuits: Iterable[int]) -> set[int]:
    """The circuits that share a span or a diversity group with one of some circuits, those themselves included."""
    wanted = set(circuits)
    shared = set(wanted)
    for item in failures.items:
        if item.kind in ("span", "diversity group") and not wanted.isdisjoint(item.circuits):
            shared.update(item.circuits)
    return shared
