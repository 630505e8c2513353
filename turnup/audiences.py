"""Who may see what of a report: the redaction profiles of ``programme.yaml``.

Belongs here: the profiles and their defaults. Does not: how a report leaves out what a profile hides
(``reports.build.redaction``).
"""

from __future__ import annotations

from typing import Literal

from turnup.strict import Strict

Hides = Literal["money", "persons", "vendors"]


class Audiences(Strict):
    """What each profile hides.

    Attributes:
        leadership: readers of the executive report.
        working: readers of the governance report and of the sheets of systems and sites.
        vendor: one vendor, who gets a report of its own work; ``vendors`` means all others.
    """

    leadership: tuple[Hides, ...] = ()
    working: tuple[Hides, ...] = ("money",)
    vendor: tuple[Hides, ...] = ("money", "persons", "vendors")
