"""Which deliveries count at a cut-off: of a snapshot source the newest readable one, of an event source all.

Belongs here: that choice. Does not: what is made of the rows (``turnup.warehouse.stage``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnup.warehouse.manifest import InForce

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from turnup.ingest import Claim


def in_force(claimed: Iterable[Claim], accepted: dict[str, str], cut_off: datetime) -> tuple[InForce, ...]:
    """Choose the deliveries that count at a cut-off.

    Args:
        claimed: every claim of the register, in order of receipt.
        accepted: ingest to batch, for ingests that were read (not refused as a whole).
        cut_off: deliveries received at or after it do not count.

    Returns:
        For a snapshot source its newest readable delivery; for an event source all of them, in order of receipt.
    """
    chosen: dict[tuple[str, str], InForce] = {}
    for claim in claimed:
        if claim.delivery.received_at >= cut_off or claim.ingest not in accepted:
            continue
        place = "" if claim.source.mode == "snapshot" else claim.delivery.delivery_id
        chosen.pop((claim.source_name, place), None)
        chosen[claim.source_name, place] = InForce(
            claim.delivery.delivery_id, claim.source_name, claim.source.dataset, claim.ingest, accepted[claim.ingest]
        )
    return tuple(chosen.values())
