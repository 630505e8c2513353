"""Named limits of gates, status rules and data checks, as ``programme.yaml`` says them.

Does not belong here: what judges by them.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from turnup.strict import Strict


class Thresholds(Strict):
    """Named limits used by gates, status rules and data checks."""

    overdue_tolerance_days: Annotated[int, Field(ge=0)] = 14
    waiver_warning_days: Annotated[int, Field(ge=0)] = 30
    scheduler_snapshot_hours: Annotated[float, Field(gt=0)] = 24
    first_schedulable_hours: Annotated[float, Field(ge=0)] = 72
    raid_review_days: Annotated[int, Field(ge=1)] = 14
    quarantine_share_warning: Annotated[float, Field(ge=0, le=1)] = 0.05
    late_shipments_listed: Annotated[int, Field(ge=1)] = 50
    utilisation_share: Annotated[float, Field(gt=0, le=1)] = 0.4
    spares_service_level: Annotated[float, Field(gt=0, lt=1)] = 0.95
    spares_lead_days: Annotated[int, Field(ge=1)] = 30
    judged_from: Annotated[int, Field(ge=1)] = 5
    promise_pushed_days: Annotated[int, Field(ge=0)] = 14
    customs_hold_days: Annotated[int, Field(ge=0)] = 3
    shipment_silence_days: Annotated[int, Field(ge=1)] = 7
    receipt_days: Annotated[int, Field(ge=0)] = 3
    pre_fec_ber: Annotated[float, Field(gt=0, lt=1)] = 2.4e-4
    post_fec_ber: Annotated[float, Field(gt=0, lt=1)] = 1e-12
    link_flaps_24h: Annotated[int, Field(ge=1)] = 5
