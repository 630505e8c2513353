"""What a week's result will be made from, decided before anything is computed.

Belongs here: the identity of a week's result (its fingerprint), whether it is already there, and whether it may be
made. Does not: computing it (``turnup.refresh``).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnup.ingest import Claim, claims
from turnup.version import code_version
from turnup.warehouse.connection import connect
from turnup.warehouse.manifest import InForce, Manifest, ManifestStore, State, fingerprint
from turnup.warehouse.parts import PartStore
from turnup.warehouse.stage import in_force
from turnup.week import Calendar, Week

if TYPE_CHECKING:
    from datetime import datetime

    from expectations.contract import Contract
    from turnup.landing import Delivery, Landing
    from turnup.programme import Home, Programme


@dataclass(frozen=True)
class WeekPlan:
    """Everything a week's result depends on.

    Attributes:
        week: the week.
        state: open before the cut-off, closed after it, restated when a closed week is re-opened on request.
        ordinal: number that the result will take.
        fingerprint: hash of the inputs.
        inputs: cut-off, configuration, playbooks, code version and the week before, as hashes and names.
        in_force: deliveries that count.
        claimed: every claim of the register, in order of receipt.
        unclaimed: files received in the window that no source takes.
        batches: ingest to the batch that holds it.
        history: the newest manifest of every earlier week, oldest first.
        standing: the week's manifest as it is now, or None.
        late: deliveries received before the cut-off that a closed week does not hold.
        reason: why a person asked.
    """

    week: Week
    state: State
    ordinal: int
    fingerprint: str
    inputs: dict[str, str]
    in_force: tuple[InForce, ...]
    claimed: tuple[Claim, ...]
    unclaimed: tuple[Delivery, ...]
    batches: dict[str, str]
    history: tuple[Manifest, ...]
    standing: Manifest | None
    late: tuple[InForce, ...]
    reason: str

    @property
    def previous_week(self) -> str | None:
        """Label of the newest earlier week with a result, or None."""
        return self.history[-1].week if self.history else None

    @property
    def unchanged(self) -> bool:
        """Whether the standing result is kept: nothing changed, or the week is closed and not to be restated."""
        if self.standing is None:
            return False
        if self.standing.fingerprint == self.fingerprint:
            return True
        return self.standing.state != "open" and self.state != "restated"


def plan_week(
    home: Home,
    programme: Programme,
    contracts: dict[str, Contract],
    landing: Landing,
    label: str,
    now: datetime,
    *,
    restate: bool = False,
    reason: str = "",
) -> WeekPlan:
    """Decide what a week's result is made from, from the register, the parts and the configuration as they are now."""
    week = Calendar(programme).week(label)
    deliveries = landing.deliveries()
    claimed = tuple(claims(programme, deliveries, contracts))
    taken = {claim.delivery.delivery_id for claim in claimed}
    store = PartStore(home.store)
    batches = {ingest: batch for dataset in contracts for ingest, batch in store.known(dataset).items()}
    counted = in_force(claimed, _readable(store, contracts, batches), week.cut_off)
    manifests = ManifestStore(home.store)
    standing = manifests.latest(label)
    history = tuple(manifests.latest_before(label))
    state = _state(week, standing, now, restate=restate)
    inputs = {
        "cut_off": week.cut_off.isoformat(),
        "state": "open" if state == "open" else "closed",
        "configuration": programme.fingerprint,
        "playbooks": _folder_hash(home),
        "code_version": code_version(),
        "previous": " ".join(f"{item.name}:{item.fingerprint}" for item in history[-1:]),
    }
    identity = fingerprint(inputs, counted)
    held = {(item.delivery_id, item.source) for item in standing.in_force} if standing else set()
    late = tuple(item for item in counted if (item.delivery_id, item.source) not in held)
    in_window = (item for item in deliveries if week.start <= item.received_at < week.cut_off)
    return WeekPlan(
        week=week,
        state=state,
        ordinal=(standing.ordinal if standing else 0) + 1,
        fingerprint=identity,
        inputs=inputs,
        in_force=counted,
        claimed=claimed,
        unclaimed=tuple(item for item in in_window if item.delivery_id not in taken),
        batches=batches,
        history=history,
        standing=standing,
        late=late if standing and standing.state != "open" else (),
        reason=reason,
    )


def _state(week: Week, standing: Manifest | None, now: datetime, *, restate: bool) -> State:
    if now < week.cut_off:
        return "open"
    if restate and standing is not None and standing.state != "open":
        return "restated"
    return "closed"


def _readable(store: PartStore, contracts: dict[str, Contract], batches: dict[str, str]) -> dict[str, str]:
    """Ingest to batch, for files that were not refused as a whole."""
    scan = store.scan("_ledger", contracts)
    if scan is None:
        return {}
    with connect() as con:
        refused = {row[0] for row in con.sql(f"SELECT _ingest FROM {scan} WHERE status = 'rejected'").fetchall()}
    return {ingest: batch for ingest, batch in batches.items() if ingest not in refused}


def _folder_hash(home: Home) -> str:
    digest = hashlib.sha256()
    for file in sorted(home.playbooks.glob("*.yaml")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]
