"""The RAID log: risks, issues, actions, decisions, changes and waivers, with the week each was opened and closed.

Belongs here: the entries. Does not: the weekly file (``governance_files``).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Entry:
    """One entry; blank fields do not apply to its type."""

    id: str
    type: str
    title: str
    system: str
    owner: str
    opened: date
    closed: date | None = None
    gate: str = ""
    criterion: str = ""
    scope: str = ""
    severity: str = "medium"
    probability: str = ""
    days: str = ""
    units: str = ""
    options: str = ""
    decider: str = ""
    needed_by: date | None = None
    consequence: str = ""
    recommended: str = ""
    approver: str = ""
    expiry: date | None = None
    compensating: str = ""
    due: date | None = None
    outcome: str = ""


def _d(month: int, day: int) -> date:
    return date(2026, month, day)


ENTRIES: tuple[Entry, ...] = (
    Entry("R-011", "risk", "Twin-port optics allocation slips into Q4", "ABL-GPU-2", "Grace Okafor", _d(7, 27),
          severity="critical", probability="0.6", days="35", units="256", due=_d(11, 6)),
    Entry("R-012", "risk", "Hall B power energised later than 16 October", "ABL-GPU-2", "Luis Ortega", _d(7, 27),
          _d(10, 15), severity="high", probability="0.3", days="14", units="256", due=_d(10, 16),
          outcome="Energised 14 October"),
    Entry("R-014", "risk", "Single freight forwarder for both US campuses", "", "Grace Okafor", _d(8, 3),
          severity="low",
          probability="0.2", days="7", units="64", due=_d(9, 30)),
    Entry("R-015", "risk", "Dublin customs classification of routers disputed", "DUB-POP-1", "Grace Okafor", _d(8, 24),
          _d(9, 23), severity="high", probability="0.5", days="14", units="72", due=_d(9, 30),
          outcome="Released 22 September"),
    Entry("R-017", "risk", "Northern wave route shares a conduit near Columbus", "WAN-ABL-IAD", "Renata Silva", _d(9,
                                                                                                                   21),
          severity="medium", probability="0.15", days="21", units="800", due=_d(11, 13)),
    Entry("I-021", "issue", "Flapping rails on two nodes of SU1", "ABL-GPU-2", "Tomasz Nowak", _d(10, 1), gate="l1",
          severity="high", days="7", units="16", due=_d(11, 6)),
    Entry("I-022", "issue", "CDU-2 leak: six nodes drained", "HIL-GPU-1", "Marcus Feld", _d(10, 19), gate="schedulable",
          severity="critical", days="10", units="48", due=_d(11, 4)),
    Entry("I-023", "issue", "Two nodes below the all-reduce limit", "HIL-GPU-1", "Marcus Feld", _d(10, 22),
          gate="acceptance",
          severity="high", days="5", units="16", due=_d(11, 5)),
    Entry("I-024", "issue", "Enclosure firmware 4.2 refuses the mount helper", "DUB-STO-1", "Wen Zhao", _d(10, 5),
          gate="power_bringup", severity="high", days="21", units="10", due=_d(10, 30)),
    Entry("A-031", "action", "Agree weekly optics release with Lumaray", "ABL-GPU-2", "Grace Okafor", _d(8, 17), _d(9,
                                                                                                                    18),
          due=_d(9, 18), outcome="Weekly release agreed"),
    Entry("A-032", "action", "Retest SU1 rails after re-seating", "ABL-GPU-2", "Tomasz Nowak", _d(10, 12), due=_d(10,
                                                                                                                  26)),
    Entry("A-033", "action", "Book remote hands for DUB router 2", "DUB-POP-1", "Sean Gallagher", _d(10, 12),
          due=_d(11, 2)),
    Entry("A-034", "action", "Confirm spare CDU pump stock", "HIL-GPU-1", "Ingrid Solberg", _d(10, 26), due=_d(11, 6)),
    Entry("D-041", "decision", "Second source for 400G optics", "ABL-GPU-2", "Grace Okafor", _d(9, 14),
          options="A: qualify Fenwick SR4 (USD 180k); B: wait for Lumaray", decider="Helen Castellanos, CPO",
          needed_by=_d(10, 28), gate="deliver", consequence="SU3 and SU4 slip by up to 35 days", days="35", units="256",
          recommended="A",
          severity="critical"),
    Entry("D-042", "decision", "Extend or replace CDU-2 at Hillsboro", "HIL-GPU-1", "Marcus Feld", _d(10, 21),
          options="A: replace pump skid (9 days); B: run at 60 % flow", decider="Arun Mehta, VP Infrastructure",
          needed_by=_d(11, 3), gate="schedulable", consequence="32 accelerators stay drained", days="9",
          units="32", recommended="A", severity="high"),
    Entry("D-043", "decision", "Accept HIL-BBN-1 under waiver W-052 or hold", "HIL-BBN-1", "Tomasz Nowak", _d(10, 19),
          options="A: accept with LR4 optics to follow; B: hold", decider="Arun Mehta, VP Infrastructure",
          needed_by=_d(11, 6), gate="acceptance", consequence="72 ports miss the contract date", days="21",
          units="72", recommended="A", severity="high"),
    Entry("D-040", "decision", "Exercise option P3 at Abilene", "ABL-GPU-2", "Joanna Petrov", _d(8, 17), _d(10, 27),
          options="A: exercise; B: let it lapse", decider="Helen Castellanos, CPO", needed_by=_d(10, 30), days="0",
          units="256", consequence="Price lapses", recommended="B", outcome="B: not exercised"),
    Entry("C-045", "change", "SU1 contract date moved to 30 October", "ABL-GPU-2", "Joanna Petrov", _d(8, 31), _d(8,
                                                                                                                  31),
          scope="MSA-2025-117/020/P1", days="14", units="256", due=_d(8, 31), approver="Helen Castellanos",
          outcome="Amendment 1 signed"),
    Entry("C-046", "change", "Internal date of the second waves moved to 13 November", "WAN-ABL-IAD", "Renata Silva",
          _d(9, 28), _d(10, 6), scope="WAN-2026-007/010/P2", days="7", units="800", due=_d(10, 9),
          approver="Arun Mehta", outcome="Approved"),
    Entry("W-050", "waiver", "CPU burn-in report to be sent on paper", "HIL-CPU-1", "Marcus Feld", _d(9, 21),
          _d(10, 29),
          gate="acceptance", severity="low", approver="Arun Mehta", expiry=_d(10, 16), units="7680",
          compensating="Figures kept on the build host", outcome="Report received"),
    Entry("W-051", "waiver", "SU1 goes ahead while later blocks lack optics", "ABL-GPU-2", "Grace Okafor", _d(9, 14),
          gate="deliver", criterion="no_part_short", scope="SU1", severity="medium", approver="Arun Mehta",
          expiry=_d(11, 20),
          units="128", compensating="Optics for SU1 set aside and counted"),
    Entry("W-052", "waiver", "LR4 optics still to be selected", "HIL-BBN-1", "Tomasz Nowak", _d(10, 12), gate="procure",
          criterion="bom_orderable", scope="N1", severity="medium", approver="Arun Mehta", expiry=_d(11, 30),
          units="72",
          compensating="Loan optics from Ashburn"),
    Entry("W-053", "waiver", "hil-g1-030: one rail at 200G until its optic is replaced", "HIL-GPU-1", "Marcus Feld",
          _d(10, 15), gate="l1", criterion="links_up", scope="H4", severity="medium", approver="Arun Mehta",
          expiry=_d(11, 13), units="8", compensating="Node kept to single-node jobs"),
    Entry("W-054", "waiver", "Two shelves short, to be swapped in later", "DUB-STO-1", "Wen Zhao", _d(10, 21),
          gate="deliver", criterion="no_part_short", severity="medium", approver="Wen Zhao", expiry=_d(12, 4),
          compensating="Shelves of the spare pool reserved"),
)  # fmt: skip
