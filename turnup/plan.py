"""What a week's result will be made from, decided before anything is computed.

Belongs here: the identity of a week's result (its fingerprint), whether it is already there, and whether it may be
made. Does not: computing it (``turnup.refresh``).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from turnup.in_force import in_force
from turnup.ingest import Claim, claims
from turnup.kept_configuration import playbooks_hash
from turnup.version import code_version
from turnup.warehouse.connection import connect
from turnup.warehouse.manifest import InForce, Manifest, ManifestStore, State, fingerprint
from turnup.warehouse.store import open_store
from turnup.week import Calendar, Week

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date, datetime

    from expectations.contract import Contract
    from turnup.landing import Delivery, Landing
    from turnup.programme import Home, Programme
    from turnup.warehouse.batches import Store


@dataclass(frozen=True)
class WeekPlan:
    """Everything a week's result depends on.

    Attributes:
        week: the week.
        state: open before the cut-off, closed after it, restated when a closed week is re-opened on request.
        ordinal: number that the result will take.
        fingerprint: hash of the inputs.
        inputs: cut-off, configuration, playbooks, code version, the week before and all files known, as hashes.
        in_force: deliveries that count.
        claimed: every claim of the register, in order of receipt.
        unclaimed: files received in the window that no source takes.
        batches: ingest to the batch that holds it.
        history: the newest manifest of every earlier week, oldest first.
        standing: the week's manifest as it is now, or None.
        late: deliveries received before the cut-off of a closed week that became known after it was closed.
        reason: why a person asked.
        register: number of the last segment of the register that is known here.
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
    late: tuple[Delivery, ...]
    reason: str
    register: int

    @property
    def previous_week(self) -> str | None:
        """Label of the newest earlier week with a result, or None."""
        return self.history[-1].week if self.history else None

    @property
    def data_at(self) -> datetime:
        """Instant up to which the data goes: the cut-off; while the week is open, the newest receipt.

        An open week must not call overdue today what is due at its end, and its result may not depend on a clock.
        """
        if self.state != "open":
            return self.week.cut_off
        received = (claim.delivery.received_at for claim in self.claimed)
        return max((at for at in received if self.week.start <= at < self.week.cut_off), default=self.week.start)

    def as_of(self, time_zone: str) -> date:
        """Local date of ``data_at``."""
        return self.data_at.astimezone(ZoneInfo(time_zone)).date()

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
    week = Calendar(programme).reportable(label, now)
    register = landing.last_segment()
    deliveries = landing.deliveries(register)
    claimed = tuple(claims(programme, deliveries, contracts, landing))
    store = open_store(home, programme)
    batches = store.known(contracts)
    counted = in_force(claimed, _readable(store, contracts, batches), week.cut_off)
    unclaimed = _unclaimed(deliveries, claimed, week)
    manifests = ManifestStore(home.store)
    standing = manifests.latest(label)
    history = tuple(manifests.latest_before(label))
    state = _state(week, standing, now, restate=restate)
    inputs = {
        "cut_off": week.cut_off.isoformat(),
        "state": "open" if state == "open" else "closed",
        "configuration": programme.fingerprint,
        "playbooks": playbooks_hash(home.playbooks),
        "code_version": code_version(),
        "previous": " ".join(f"{item.name}:{item.fingerprint}" for item in history[-1:]),
        "received": _received_hash(claimed, unclaimed, week),
    }
    return WeekPlan(
        week=week,
        state=state,
        ordinal=(standing.ordinal if standing else 0) + 1,
        fingerprint=fingerprint(inputs, counted),
        inputs=inputs,
        in_force=counted,
        claimed=claimed,
        unclaimed=unclaimed,
        batches=batches,
        history=history,
        standing=standing,
        late=_late(landing, deliveries, standing, week),
        reason=reason,
        register=register,
    )


def plan_as_committed(
    home: Home, programme: Programme, contracts: dict[str, Contract], landing: Landing, manifest: Manifest
) -> WeekPlan:
    """The plan that a manifest was made from: the files, the earlier weeks and the number of then, not those of today.

    Args:
        home: the programme's folders.
        programme: the configuration that the manifest names.
        contracts: every dataset's contract.
        landing: the register.
        manifest: the committed result.
    """
    week = Calendar(programme).week(manifest.week)
    deliveries = landing.deliveries(manifest.register)
    counted = {(item.delivery_id, item.source, item.corrects): item.ingest for item in manifest.in_force}
    claimed = tuple(
        replace(
            claim, ingest=counted.get((claim.delivery.delivery_id, claim.source_name, claim.corrects), claim.ingest)
        )
        for claim in claims(programme, deliveries, contracts, landing)
    )
    store = ManifestStore(home.store)
    return WeekPlan(
        week=week,
        state=manifest.state,
        ordinal=manifest.ordinal,
        fingerprint=manifest.fingerprint,
        # A file made again by other code says so.
        inputs=manifest.inputs | {"code_version": code_version()},
        in_force=manifest.in_force,
        claimed=claimed,
        unclaimed=_unclaimed(deliveries, claimed, week),
        batches={item.ingest: item.batch for item in manifest.in_force} | open_store(home, programme).known(contracts),
        history=tuple(store.named(name) for name in manifest.history),
        standing=manifest,
        late=(),
        reason=manifest.reason,
        register=manifest.register or 0,
    )


def _unclaimed(deliveries: Iterable[Delivery], claimed: Iterable[Claim], week: Week) -> tuple[Delivery, ...]:
    taken = {claim.delivery.delivery_id for claim in claimed}
    in_window = (item for item in deliveries if week.start <= item.received_at < week.cut_off)
    return tuple(item for item in in_window if item.delivery_id not in taken)


def _late(
    landing: Landing, deliveries: Iterable[Delivery], standing: Manifest | None, week: Week
) -> tuple[Delivery, ...]:
    if standing is None or standing.state == "open":
        return ()
    known = {item.delivery_id for item in landing.deliveries(standing.register)}
    return tuple(item for item in deliveries if item.received_at < week.cut_off and item.delivery_id not in known)


def _received_hash(claimed: Iterable[Claim], unclaimed: Iterable[Delivery], week: Week) -> str:
    """Hash of every file the week knows of: one that was refused, replaced or not wanted is part of what it says."""
    known = [
        (claim.delivery.delivery_id, claim.source_name, claim.ingest)
        for claim in claimed
        if claim.delivery.received_at < week.cut_off
    ]
    known += [(item.delivery_id, "", "") for item in unclaimed]
    return hashlib.sha256(repr(sorted(known)).encode()).hexdigest()[:16]


def _state(week: Week, standing: Manifest | None, now: datetime, *, restate: bool) -> State:
    if now < week.cut_off:
        return "open"
    if restate and standing is not None and standing.state != "open":
        return "restated"
    return "closed"


def _readable(store: Store, contracts: dict[str, Contract], batches: dict[str, str]) -> dict[str, str]:
    """Ingest to batch, for files that were not refused as a whole."""
    with connect() as con:
        store.attach(con)
        scan = store.scan(con, "_ledger", contracts)
        if scan is None:
            return {}
        refused = {row[0] for row in con.sql(f"SELECT _ingest FROM {scan} WHERE status = 'rejected'").fetchall()}
    return {ingest: batch for ingest, batch in batches.items() if ingest not in refused}
