"""What goes wrong in the RAID log and the contract register, and the escalations that the story raises.

Belongs here: planted faults of governance, and who must be asked what in which week. Does not: the entries (``raid``).
"""

from __future__ import annotations

from examples.demo.planter import Planter
from examples.demo.weeks import FRI, day, label


def neglect(p: Planter) -> None:
    """Plant every fault of governance and record it with the escalations."""
    _register(p)
    _dates_moved(p)
    _escalated(p)


def _register(p: Planter) -> None:
    p.contradiction("F71", "entry_refused", "raid", 35, 36, "its only row was refused for its date (D01)",
                    subject="R-011", system_id="ABL-GPU-2")  # fmt: skip
    table = p.file(f"RAID log {label(43)}.xlsx").table
    table.rows.pop(table.find(ID="R-014"))
    p.contradiction("F71", "missing_from_log", "raid", 43, 44, "an open risk that left the log for a week",
                    subject="R-014")  # fmt: skip
    p.cell(p.place(f"RAID log {label(42)}.xlsx", ID="I-024"), "Days", None)
    p.contradiction("F72", "raid_incomplete", "raid", 42, 43, "an impact in units only",
                    subject="I-024", system_id="DUB-STO-1")  # fmt: skip
    p.cell(p.place(f"RAID log {label(43)}.xlsx", ID="A-032"), "Owner", "Rail team")
    p.contradiction("F73", "owner_not_a_person", "raid", 43, 44, "a team for an owner",
                    subject="A-032", system_id="ABL-GPU-2")  # fmt: skip


def _dates_moved(p: Planter) -> None:
    name = f"Contract register {day(41):%Y-%m-%d}.xlsx"
    p.cell(p.place(name, Contract="NET-2026-031", Line="030"), "Contract date", day(46, FRI))
    p.contradiction("F74", "date_moved_without_decision", "commitments", 41, None, "a date moved in the register only",
                    subject="NET-2026-031/030/P1", system_id="HIL-BBN-1")  # fmt: skip
    # No finding: change C-046 names this line and was approved before.
    p.cell(p.place(name, Contract="WAN-2026-007", Phase="P2"), "Internal commit", day(46, FRI))


def _escalated(p: Planter) -> None:
    p.escalation("E01", "expired_waiver", "W-050 CPU burn-in report to be sent on paper", 43, 44,
                 "expired on 16 October, closed on the 29th")  # fmt: skip
    p.escalation("E02", "overdue_decision", "D-041 Second source for 400G optics", 44, None, "needed by 28 October")
    p.escalation("E03", "regression", "EUS2-GPU-1 R, acceptance", 36, 37, "the second half of the nodes has no result")
    p.escalation("E04", "regression", "ABL-STO-1 S1, schedulable", 41, 42, "the storage system rebuilds")
    p.escalation("E05", "regression", "HIL-GPU-1 H4, l1", 41, 42, "one rail down (F09), waived a week later")
    # HIL-GPU-1 H2 is drained after a leak; its gate had not passed, as it needs HIL-BBN-1, which is not there.
    p.escalation("E07", "regression", "HIL-BBN-1 N1, deliver", 35, None, "an optic not yet chosen (F02)")
    p.escalation("E07", "regression", "HIL-BBN-1 N1, procure", 35, 42, "the same optic, waived by W-052 from week 42")
    for gate in ("acceptance", "schedulable"):
        p.escalation("E08", "regression", f"ABL-GPU-1 B2, {gate}", 39, 40, "a swapped board, not retested")
    p.escalation("E09", "old_blocker", "WAN-ABL-IAD W, install: installed_in_full", 38, None,
                 "two of four waves are not delivered since week 33")  # fmt: skip
