"""The whole examination: every search, in an order in which what is found first explains what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnup.upkeep.doctor.leftovers import leftovers
from turnup.upkeep.doctor.received import received
from turnup.upkeep.doctor.rows import rows
from turnup.upkeep.doctor.shown import link, reports
from turnup.upkeep.doctor.weeks import torn_manifests, weeks
from turnup.upkeep.needed import needed

if TYPE_CHECKING:
    from turnup.upkeep.doctor.fault import Fault, Patient


def examine(patient: Patient) -> tuple[Fault, ...]:
    """Every fault, once each. Manifests that cannot be read hide the faults of what they name."""
    found = [*leftovers(patient), *received(patient)]
    torn = list(torn_manifests(patient))
    found += torn
    if not torn:
        wanted = needed(patient.manifests, patient.programme.retention.weeks)
        found += [*rows(patient, wanted.rebuilt), *weeks(patient, wanted), *link(patient), *reports(patient)]
    return tuple(found)
