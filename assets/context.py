"""What every asset needs to know of the run it is in: the programme, the week and the candidate database."""

from datetime import UTC, date, datetime
from pathlib import Path

from dagster import AssetCheckExecutionContext, AssetExecutionContext, ConfigurableResource
from pydantic import Field

from turnup.plan import WeekPlan
from turnup.programme import Home
from turnup.refresh import Refresh
from turnup.warehouse.base import discard
from turnup.warehouse.connection import connect, table_exists
from turnup.warehouse.manifest import Manifest, ManifestStore
from turnup.warehouse.steps import is_finished
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
    rewrite: bool = Field(
        default=False,
        description="Write the week's report files again with this version of turnup, although they were issued.",
    )


class WeekRun:
    """One run's refresh: every step of the run works at one instant, by one configuration and one plan."""

    def __init__(
        self,
        context: AssetExecutionContext | AssetCheckExecutionContext,
        programme: ProgrammeResource,
        options: RefreshOptions,
    ) -> None:
        """Find the run's refresh, or begin it for the week of the partition."""
        run_id = context.run.run_id
        if run_id not in _BEGUN:
            week = Calendar(programme.folders.load()).starting(date.fromisoformat(context.partition_key))
            while len(_BEGUN) >= _REMEMBERED:
                del _BEGUN[next(iter(_BEGUN))]
            _BEGUN[run_id] = Refresh(
                programme.folders, week.label, programme.instant(), reason=options.reason, restate=options.restate
            )
        self.refresh = _BEGUN[run_id]
        self.week = Calendar(self.refresh.programme).week(self.refresh.week)
        self.candidate = self.refresh.candidate(_token(run_id))

    def plan(self) -> WeekPlan:
        """What the week is made from."""
        return self.refresh.plan()

    def staged(self) -> Path:
        """The candidate with the staged week, made here when the run began at a later step."""
        if not self.candidate.exists():
            self.refresh.ingest_all()
            self.refresh.stage(self.plan(), self.candidate)
        return self.candidate

    def checked(self) -> Path:
        """The candidate with the results of its expectations, made here when the run began at a later step."""
        candidate = self.staged()
        with connect(candidate, read_only=True) as con:
            checked = table_exists(con, "meta", "expectations")
        if not checked:
            self.refresh.expect(self.plan(), candidate)
        return candidate

    def judged(self) -> Path:
        """The candidate with its result tables, made here when the run began at a later step."""
        candidate = self.checked()
        with connect(candidate, read_only=True) as con:
            judged = is_finished(con)
        if not judged:
            self.refresh.judge(self.plan(), candidate)
        return candidate

    def database(self) -> Path:
        """What there is to check of the week: the candidate while it is made, else the published file."""
        return self.checked() if self.candidate.exists() else self.refresh.restore()

    def manifest(self) -> Manifest:
        """The week's committed result.

        Raises:
            RuntimeError: there is none.
        """
        manifest = ManifestStore(self.refresh.home.store).latest(self.week.label)
        if manifest is None:
            raise RuntimeError(f"week {self.week.label} has no result; materialize published_week first")
        return manifest


def _token(run_id: str) -> str:
    return run_id.replace("-", "")[:16]


_REMEMBERED = 4
_BEGUN: dict[str, Refresh] = {}
"""Refreshes of this process by run id; all steps of a run are in one process."""


def refresh_of(run_id: str) -> Refresh | None:
    """The refresh that a run of this process made."""
    return _BEGUN.get(run_id)


def discard_candidate(run_id: str) -> None:
    """Remove what a failed run of this process was making."""
    refresh = refresh_of(run_id)
    if refresh is not None:
        discard(refresh.candidate(_token(run_id)))
