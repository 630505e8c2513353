"""Which source takes which delivery, and the id that its rows carry.

Belongs here: pairing deliveries with sources. Does not: reading them (``turnup.ingest.reading``).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from turnup.formats.file_names import fits_pattern
from turnup.returns.marker import Correction, marker_of
from turnup.version import reading_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from expectations.contract import Contract
    from turnup.landing import Delivery, Landing
    from turnup.programme import Programme, Source
    from turnup.returns.marker import Marker


@dataclass(frozen=True)
class Claim:
    """A delivery taken by a source, and the id of the ingest that its rows carry.

    A returned send-back is taken by the sources whose rows it holds, once for each file that it corrects.
    """

    delivery: Delivery
    source_name: str
    source: Source
    ingest: str
    correction: Correction | None = None

    @property
    def corrects(self) -> str:
        """Content of the file that the delivery corrects; empty for a delivery of its own."""
        return self.correction.sha256 if self.correction else ""

    @property
    def file(self) -> str:
        """Name of the file whose rows these are; a send-back's own name says nothing."""
        return self.correction.original_name if self.correction else self.delivery.name


def claims(
    programme: Programme, deliveries: Iterable[Delivery], contracts: dict[str, Contract], landing: Landing
) -> list[Claim]:
    """Pair every delivery with every source whose pattern fits its inbox path, however either spells its accents.

    A returned send-back is known by its content, and its name means nothing.
    """
    found: list[Claim] = []
    for delivery in deliveries:
        marker = marker_of(landing.content(delivery.sha256), delivery.name)
        if marker is not None:
            found += _corrections(programme, delivery, contracts, landing, marker)
            continue
        for name, source in sorted(programme.sources.items()):
            if fits_pattern(delivery.path, source.files):
                found.append(Claim(delivery, name, source, _ingest_id(delivery, source, contracts[source.dataset])))
    return found


def _corrections(
    programme: Programme, delivery: Delivery, contracts: dict[str, Contract], landing: Landing, marker: Marker
) -> Iterator[Claim]:
    names = {(item.source, item.sha256): PurePosixPath(item.path).name for item in marker.originals}
    for (name, sha256), original_name in sorted(names.items()):
        source = programme.sources.get(name)
        if source is not None:
            corrected = Correction(delivery.name, marker, name, sha256, landing.content(sha256), original_name)
            ingest = _ingest_id(delivery, source, contracts[source.dataset], name, sha256)
            yield Claim(delivery, name, source, ingest, corrected)


def _ingest_id(delivery: Delivery, source: Source, contract: Contract, *corrected: str) -> str:
    identity = (delivery.sha256, delivery.name, source.fingerprint, contract.fingerprint, reading_version(), *corrected)
    return hashlib.sha256("\0".join(identity).encode()).hexdigest()[:16]
