"""What would follow: the forecast with and without what somebody asks, on the same draws, changing nothing.

Belongs here: the comparison. Does not: what a question changes (``answers``), its words (``questions``), reading or
writing anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from turnup.readiness.forecasting.answers import asked
from turnup.readiness.forecasting.build import planned, simulated
from turnup.readiness.forecasting.outcomes import odds, quantile_day, reached_by
from turnup.readiness.forecasting.questions import read_question

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from turnup.readiness.forecasting.build import Ground
    from turnup.readiness.forecasting.made import Forecast
    from turnup.readiness.forecasting.targets import Target


@dataclass(frozen=True)
class Figures:
    """Dates and odds of one target; None where there are none, and ``note`` says why."""

    p50: date | None
    p80: date | None
    p95: date | None
    contract: Decimal | None
    commit: Decimal | None
    need: Decimal | None
    note: str


@dataclass(frozen=True)
class Compared:
    """A target before and after."""

    target: Target
    before: Figures
    after: Figures

    @property
    def days(self) -> dict[str, int | None]:
        """Calendar days by which P50, P80 and P95 move; positive is later."""
        names = ("p50", "p80", "p95")
        pairs = {name: (getattr(self.before, name), getattr(self.after, name)) for name in names}
        return {name: None if None in pair else (pair[1] - pair[0]).days for name, pair in pairs.items()}

    @property
    def changed(self) -> bool:
        """Whether anything is different."""
        return self.before != self.after


def what_if(ground: Ground, texts: Sequence[str]) -> tuple[Compared, ...]:
    """Compare the forecast with and without some questions, asked together.

    Raises:
        QuestionError: a text cannot be read, or names what the programme does not have.
    """
    questions = [read_question(text) for text in texts]
    base = simulated(planned(ground), ground)
    after = simulated(asked(planned(ground), questions), ground)
    return tuple(
        Compared(target, figures_of(base, target, ground), figures_of(after, target, ground))
        for target in ground.targets
    )


def figures_of(made: Forecast, target: Target, ground: Ground) -> Figures:
    """Dates and odds of a target."""
    if target.remaining == 0:
        return Figures(None, None, None, None, None, None, "reached")
    members = [one for one in ground.targets if one.scope_type == "system" and one.kind == target.kind]
    found = reached_by(made, target, members)
    if isinstance(found, str):
        return Figures(None, None, None, None, None, None, f"no forecast: {found}")
    ordered = np.sort(found)
    last = ground.kept.as_of + timedelta(weeks=ground.kept.settings.horizon_weeks)
    p50, p80, p95 = (quantile_day(ordered, percent, last) for percent in (50, 80, 95))
    contract, commit, need = (
        odds(ordered, due) for due in (target.contract_date, target.commit_date, target.need_date)
    )
    return Figures(p50, p80, p95, contract, commit, need, "")
