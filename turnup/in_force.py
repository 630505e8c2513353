"""Which deliveries count at a cut-off: of a snapshot source the newest readable one, of an event source all.

A returned send-back counts as long as a delivery of the content that it corrects does, and replaces no delivery.

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
        For a snapshot source its newest readable delivery; for an event source all of them, in order of receipt; then
        the returned send-backs that correct any of these.
    """
    usable = [claim for claim in claimed if claim.delivery.received_at < cut_off and claim.ingest in accepted]
    chosen: dict[tuple[str, str], Claim] = {}
    for claim in usable:
        if not claim.corrects:
            place = "" if claim.source.mode == "snapshot" else claim.delivery.delivery_id
            chosen.pop((claim.source_name, place), None)
            chosen[claim.source_name, place] = claim
    counting = {(claim.source_name, claim.delivery.sha256) for claim in chosen.values()}
    corrections = [claim for claim in usable if claim.corrects and (claim.source_name, claim.corrects) in counting]
    return tuple(
        InForce(
            claim.delivery.delivery_id, claim.source_name, claim.source.dataset, claim.ingest, accepted[claim.ingest],
            claim.corrects,
        )
        for claim in (*chosen.values(), *corrections)
    )  # fmt: skip
