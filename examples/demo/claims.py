"""What owners say of their systems each week; the pipeline keeps it beside what the evidence says.

Belongs here: claimed status and stage. Does not: any truth.
"""

from __future__ import annotations

# system -> list of (from week, owner's colour, owner's stage); a claim holds until the next one
_CLAIMS: dict[str, tuple[tuple[int, str, str], ...]] = {
    "ABL-GPU-1": ((33, "A", "Bring-up"), (37, "G", "In production"), (39, "A", "One node at RMA"),
                  (40, "G", "In production")),
    "ABL-GPU-2": ((33, "A", "Procurement"), (40, "R", "Waiting for optics"), (44, "R", "Waiting for optics")),
    "HIL-GPU-1": ((33, "A", "Rack and stack"), (38, "A", "Ramp"), (43, "R", "CDU leak, nodes drained")),
    "EUS2-GPU-1": ((33, "A", "Quota granted"), (38, "G", "In production")),
    "HIL-CPU-1": ((33, "A", "Burn-in"), (37, "G", "In production")),
    "ABL-STO-1": ((33, "A", "Install"), (38, "A", "S1 serving, S2 in install")),
    "DUB-STO-1": ((33, "A", "On order"), (40, "G", "Installed, on track")),
    "IAD-POP-1": ((33, "A", "Turn-up"), (37, "G", "In production")),
    "DUB-POP-1": ((33, "A", "On order"), (37, "R", "Held in customs")),
    "HIL-BBN-1": ((33, "A", "Install"),),
    "WAN-ABL-IAD": ((33, "A", "Ordered"), (38, "A", "2 of 4 waves in service")),
    "IAD-AZX-1": ((33, "A", "Ordered"), (40, "G", "In production")),
}  # fmt: skip


def claim(system_id: str, week: int) -> tuple[str, str]:
    """Return the owner's colour (G, A, R) and stage for a system in a week."""
    status, stage = "", ""
    for since, colour, words in _CLAIMS[system_id]:
        if since <= week:
            status, stage = colour, words
    return status, stage
