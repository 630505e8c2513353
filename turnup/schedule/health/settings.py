"""How a schedule is judged: every choice that definitions and tools of the trade make differently, with its default.

Belongs here: the choices and their limits. Does not: presets (``presets``) or judging. Where a default needs a reason,
it stands beside the choice; ``docs/schedule-health.md`` says the same for readers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from turnup.schedule.health.limits import Limit
from turnup.schedule.health.presets import NAMES, PRESETS
from turnup.strict import Strict

if TYPE_CHECKING:
    from collections.abc import Iterator


def _limit(text: str) -> str:
    return Limit.of(text).text


LimitText = Annotated[str, AfterValidator(_limit)]
Hard = Literal["mandatory", "on", "no_later"]
Links = Literal["all", "open", "into_incomplete"]
Compare = Literal["instant", "date", "working_time"]
Preset = Literal["dcma", "oracle", "powerproject"]
Results = Literal["computed", "stored"]
Days = Annotated[float, Field(ge=0, le=100_000)]


class Limits(Strict):
    """What a check must reach, such as ``<= 5%``, ``< 1%`` or ``>= 0.95``; by default the limits of the PAM."""

    logic: LimitText = "<= 5%"
    leads: LimitText = "<= 0%"
    lags: LimitText = "<= 5%"
    finish_to_start: LimitText = ">= 90%"
    hard_constraints: LimitText = "<= 5%"
    high_float: LimitText = "<= 5%"
    negative_float: LimitText = "<= 0%"
    high_duration: LimitText = "<= 5%"
    invalid_forecast: LimitText = "<= 0%"
    invalid_actual: LimitText = "<= 0%"
    resources: LimitText = "<= 0%"
    missed: LimitText = "<= 5%"
    critical_path_length: LimitText = ">= 0.95"
    baseline_execution: LimitText = ">= 0.95"

    def of(self, name: str) -> Limit:
        """The limit of a check by its field name."""
        return Limit.of(getattr(self, name))


class LogicSettings(Strict):
    """Check 1, missing logic.

    Attributes:
        started_need_predecessors: a started activity without predecessor counts. P6 exempts it.
        start_milestones_need_predecessors: a start milestone without predecessor counts. P6 exempts it.
        exempt_ends: the first start and the last finish of the project do not count. The PAM counts them, so that a
            chain of fewer than 40 activities fails.
        level_of_effort: levels of effort are judged too, as P6 does.
        dangling: an activity whose start no link drives (finish-to-finish only) or whose finish drives nothing
            (start-to-start only) counts, as in Fuse and in Winter's reading. They are listed beside in any case.
        external: a link to an activity outside the file is logic. It is listed beside in any case.
    """

    started_need_predecessors: bool = True
    start_milestones_need_predecessors: bool = True
    exempt_ends: bool = False
    level_of_effort: bool = False
    dangling: bool = False
    external: bool = True


class LinkSettings(Strict):
    """Checks 2 to 4.

    Attributes:
        count: links into incomplete activities (the PAM judges "predecessor relationships for incomplete tasks"), all
            except those between two completed activities (P6), or all.
        unit: whether leads and lags are counted by link, or by activity that has one.
        long_lag_days: lags above this are listed beside, in days of 8 hours.
    """

    count: Links = "into_incomplete"
    unit: Literal["links", "activities"] = "links"
    long_lag_days: Days = 44


class FloatSettings(Strict):
    """Checks 6 and 7.

    Attributes:
        results: float as computed here, or as the tool stored it. Computed: the stored one is of the last time that
            somebody pressed the key.
        high_days: float above this is high.
    """

    results: Results = "computed"
    high_days: Days = 44


class DurationSettings(Strict):
    """Checks 8 and 10.

    Attributes:
        measure: which duration is judged. The PAM takes the baseline's; without a baseline the current one stands in.
        high_days: a duration above this is high.
        milestones: whether milestones count in the denominator of check 8, as in P6.
        exempt_rolling_wave: planning packages that are detailed later are not judged.
        resourced_from_days: check 10 judges activities of at least this duration.
        resourced_completed: check 10 judges completed activities too, as P6 does.
    """

    measure: Literal["baseline_else_current", "baseline", "current", "remaining"] = "baseline_else_current"
    high_days: Days = 44
    milestones: bool = False
    exempt_rolling_wave: bool = True
    resourced_from_days: Days = 1
    resourced_completed: bool = False


class DateSettings(Strict):
    """Check 9.

    Attributes:
        forecasts: whose forecast dates. The file's: recomputed ones never lie before the data date.
        compare_forecasts: before the data date in working time: Friday 17:00 is not before Monday 08:00.
        compare_actuals: after the data date by day: who reports the finish of the data date's own day is no liar,
            and a data date at 00:00 would make one of him.
        remaining_start: the restart of an activity in progress is a forecast too, as in P6.
    """

    forecasts: Results = "stored"
    compare_forecasts: Compare = "working_time"
    compare_actuals: Compare = "date"
    remaining_start: bool = False


class BaselineSettings(Strict):
    """Checks 11 and 14.

    Attributes:
        compare: how baseline finishes are compared with data date and actual finish. By instant: P6's data date of
            00:00 is the start of that day. Take ``date`` for sheets whose dates have no time.
        missed: of the activities that were due, those not finished or finished late (PAM); or of the unfinished ones,
            those forecast to finish after their baseline (P6).
        execution: completed over due plus those without baseline (PAM); baselined ones only (before 2012); or those
            without baseline only once completed, above and below the line.
        execution_milestones: whether milestones count in check 14; P6 leaves them out.
    """

    compare: Literal["instant", "date"] = "instant"
    missed: Literal["due", "late_forecast"] = "due"
    execution: Literal["pam", "baselined_only", "completed_in_both"] = "pam"
    execution_milestones: bool = True


class PathSettings(Strict):
    """Checks 12 and 13.

    Attributes:
        delay_days: what is added to a critical activity, in days of its calendar (600 in the PAM).
        critical: what is critical: the least total float, as tools show it, so that what constraints alone make
            critical is found out; or the longest path, which hardly ever fails.
        activities: the earliest critical activity, or each of them in turn (Powerproject).
        tolerance_days: how much less the finish may move. Nothing: the path is then not the critical one.
        calendar_tolerance_days: the same where unfinished activities have different calendars, whose days off
            fall differently after the delay.
        length_index: float of check 13: to the baseline finish (PAM), to the must-finish date, or the least
            total float.
    """

    delay_days: Annotated[float, Field(gt=0, le=100_000)] = 600
    critical: Literal["least_float", "longest_path"] = "least_float"
    activities: Literal["first", "all"] = "first"
    tolerance_days: Days = 0
    calendar_tolerance_days: Days = 5
    length_index: Literal["baseline", "must_finish", "least_float"] = "baseline"


class BesideSettings(Strict):
    """What is told beside the fourteen checks.

    Attributes:
        merge_above: more links into an activity than this are a merge hot spot: of six feeders that each keep their
            date at 80 %, all do at 26 %.
        diverge_above: more links out of an activity than this are a divergence hot spot.
        redundant_steps: how many links the search for redundant ones may follow before it says that it stopped.
    """

    merge_above: Annotated[int, Field(ge=1)] = 5
    diverge_above: Annotated[int, Field(ge=1)] = 5
    redundant_steps: Annotated[int, Field(ge=0)] = 20_000_000


class HealthSettings(Strict):
    """All choices; ``HealthSettings(preset="oracle")`` begins with those of P6's Check Schedule.

    Attributes:
        preset: where the choices come from that are not given.
        milestones: whether milestones belong to the activities judged. Never where a duration or a resource is
            judged; elsewhere the PAM counts them, some tools do not.
        day_hours: hours of a day for everybody; none: each activity's calendar has its own.
        hard: mandatory dates only (P6), also Start On and Finish On (Powerproject), or also dates not to be exceeded
            (PAM: must start on, must finish on, start no later than, finish no later than).
        hard_starts_of_started: a start constraint of a started activity counts. P6 ignores it.
    """

    preset: Preset = "dcma"
    milestones: bool = True
    day_hours: Annotated[float, Field(gt=0, le=24)] | None = None
    hard: Hard = "no_later"
    hard_starts_of_started: bool = True
    limits: Limits = Limits()
    logic: LogicSettings = LogicSettings()
    links: LinkSettings = LinkSettings()
    floats: FloatSettings = FloatSettings()
    durations: DurationSettings = DurationSettings()
    dates: DateSettings = DateSettings()
    baseline: BaselineSettings = BaselineSettings()
    path: PathSettings = PathSettings()
    beside: BesideSettings = BesideSettings()

    @model_validator(mode="before")
    @classmethod
    def _begin_with_the_preset(cls, data: Any) -> Any:
        preset = data.get("preset") if isinstance(data, dict) else None
        if not isinstance(preset, str) or preset not in PRESETS:
            return data
        return _over(PRESETS[preset], data)

    @property
    def described(self) -> str:
        """By whom it is judged so, and every choice made otherwise."""
        theirs = dict(_flat(HealthSettings(preset=self.preset).model_dump()))
        changed = [f"{name} {value}" for name, value in _flat(self.model_dump()) if value != theirs[name]]
        return "; ".join([NAMES[self.preset], *changed])


def _flat(values: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", f"{value:g}" if isinstance(value, float) else str(value).lower()


def _over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Nested keys of ``above`` win; what it does not name stays."""
    merged = dict(below)
    for key, value in above.items():
        lower = merged.get(key)
        merged[key] = _over(lower, value) if isinstance(lower, dict) and isinstance(value, dict) else value
    return merged
