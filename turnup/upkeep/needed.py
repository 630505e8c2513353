"""What the weeks that are kept need of the store, said once for pruning and for finding faults.

A result is needed by the week that it is, by the later weeks that compare themselves with it, and by every week to
come, which compares itself with the newest result of each week. Rows are needed by the kept weeks themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnup.durable import StoreDamaged
from turnup.ingest import claims
from turnup.kept_configuration import kept_programme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from expectations.contract import Contract
    from turnup.ingest import Claim
    from turnup.landing import Landing
    from turnup.programme import Home, Programme
    from turnup.warehouse.manifest import Manifest, ManifestStore


@dataclass(frozen=True)
class Needed:
    """Manifests by name: those that can be made again, and those whose results others compare themselves with."""

    rebuilt: dict[str, Manifest]
    compared: dict[str, Manifest]

    @property
    def results(self) -> dict[str, Manifest]:
        """Every manifest whose results stay."""
        return self.compared | self.rebuilt


def needed(store: ManifestStore, weeks: int | None) -> Needed:
    """What the newest ``weeks`` weeks need; None keeps all of them.

    Raises:
        StoreDamaged: a manifest cannot be read back.
    """
    newest = dict(store.names())
    labels = sorted(newest)
    kept = labels if weeks is None else labels[-weeks:]
    rebuilt = {item.name: item for label in kept for item in _issued(store, label, newest[label])}
    named = {name for item in rebuilt.values() for name in item.history}
    named |= {f"{label}.{ordinal}" for label, ordinal in newest.items()}
    compared = {name: store.named(name) for name in sorted(named - rebuilt.keys())}
    firsts = (store.first_issued(item.week, item.ordinal) for item in (*rebuilt.values(), *compared.values()))
    compared |= {first.name: first for first in firsts if first is not None and first.name not in rebuilt}
    return Needed(rebuilt, compared)


def _issued(store: ManifestStore, week: str, ordinal: int) -> Iterator[Manifest]:
    yield store.read(week, ordinal)
    first = store.first_issued(week, ordinal)
    if first is not None:
        yield first


def readings(
    home: Home, programme: Programme, contracts: dict[str, Contract], landing: Landing, manifests: dict[str, Manifest]
) -> dict[str, Claim]:
    """Every way in which this version of turnup reads a received file, now or for a week, by the id of its ingest."""
    deliveries = landing.deliveries()
    configurations = {programme.fingerprint: programme}
    for manifest in manifests.values():
        if manifest.inputs["configuration"] not in configurations:
            try:
                kept = kept_programme(home, manifest.inputs, programme)
            except StoreDamaged:
                continue
            configurations[manifest.inputs["configuration"]] = kept
    return {
        claim.ingest: claim
        for _, each in sorted(configurations.items())
        for claim in claims(each, deliveries, contracts, landing)
    }
