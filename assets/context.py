"""What every asset needs to know of the run it is in: the programme, the week and the candidate database."""

from datetime import UTC, date, datetime
from pathlib import Path

from dagster import AssetCheckExecutionContext, AssetExecutionContext, ConfigurableResource
from pydantic import Field

from turnup.plan import WeekPlan
from turnup.programme import Home
from turnup.refresh import Refresh
from turnup.week import Calendar


class ProgrammeResource(ConfigurableResource):
    """The programme that the code location serves."""

    home: str = Field(description="Folder of the programme.")
    now: str = Field(default="", description="Instant to work at, ISO 8601 with zone; empty: the present one.")

    @property
    def folders(self) -> Home:
        """The programme's folders."""
        return Home(Path(self.home))

    def instant(self) -> datetime:
        """The instant to work at."""
        return datetime.fromisoformat(self.now) if self.now else datetime.now(UTC)  # noqa: TID251


class RefreshOptions(ConfigurableResource):
    """What a person may say about an ad hoc refresh; the defaults are right for a plain one."""

    reason: str = Field(default="", description="Why this refresh was asked for; kept in the week's manifest.")
    restate: bool = Field(
        default=False,
        description="Re-open a closed week with the files that came late; the difference is a numbered restatement.",
    )


class WeekRun:
    """One run's refresh: the steps, the plan and the candidate database, found again by every step from the run id."""

    def __init__(
        self,
        context: AssetExecutionContext | AssetCheckExecutionContext,
        programme: ProgrammeResource,
        options: RefreshOptions,
    ) -> None:
        """Find the week from the partition."""
        calendar = Calendar(programme.folders.load())
        self.week = calendar.starting(date.fromisoformat(context.partition_key))
        self.refresh = Refresh(
            programme.folders, self.week.label, programme.instant(), reason=options.reason, restate=options.restate
        )
        self.token = context.run.run_id.replace("-", "")[:16]

    @property
    def candidate(self) -> Path:
        """The candidate database of this run."""
        return self.refresh.candidate(self.token)

    def plan(self) -> WeekPlan:
        """What the week is made from."""
        return self.refresh.plan()
