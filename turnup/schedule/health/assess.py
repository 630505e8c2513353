"""The judgement of a schedule: all checks and what is told beside them.

Belongs here: which checks there are, in which order. Does not: any check.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnup.schedule.earned_value import earned_to_date
from turnup.schedule.health import density, overrides, progress
from turnup.schedule.health.baseline import check_execution, check_missed
from turnup.schedule.health.constraints import check_hard_constraints
from turnup.schedule.health.critical_path import check_critical_path
from turnup.schedule.health.dates import check_actuals, check_forecasts
from turnup.schedule.health.durations import check_high_duration, check_resources
from turnup.schedule.health.facts import facts_of
from turnup.schedule.health.floats import check_high_float, check_negative_float
from turnup.schedule.health.logic import check_finish_to_start, check_lags, check_leads, check_logic
from turnup.schedule.health.path_length import check_path_length
from turnup.schedule.health.practices import practices_of
from turnup.schedule.health.redundant import redundant_links
from turnup.schedule.health.results import Health
from turnup.schedule.health.settings import HealthSettings

if TYPE_CHECKING:
    from collections.abc import Callable

    from turnup.schedule.health.facts import Facts
    from turnup.schedule.health.results import Check, Observation
    from turnup.schedule.model import Project
    from turnup.schedule.passes import Schedule

CHECKS: tuple[Callable[[Facts], Check], ...] = (
    check_logic,
    check_leads,
    check_lags,
    check_finish_to_start,
    check_hard_constraints,
    check_high_float,
    check_negative_float,
    check_high_duration,
    check_forecasts,
    check_actuals,
    check_resources,
    check_missed,
    check_critical_path,
    check_path_length,
    check_execution,
)
BESIDE: tuple[Callable[[Facts], Observation], ...] = (
    density.links_per_activity,
    density.logic_density,
    density.merge_hot_spots,
    density.divergence_hot_spots,
    density.dangling_starts,
    density.dangling_finishes,
    density.start_to_finish_links,
    density.long_lags,
    density.summary_links,
    density.external_links,
    redundant_links,
    progress.out_of_sequence,
    progress.riding_data_date,
    overrides.dates_over_logic,
    overrides.calendars_without_work,
)


def assess(project: Project, schedule: Schedule | None, settings: HealthSettings | None = None) -> Health:
    """Judge a project.

    Args:
        project: as read.
        schedule: dates computed for it, alone or with the other projects of its file; none where they could not be
            computed: what needs them has no data.
        settings: how to judge; by default as the DCMA does.

    Raises:
        ValueError: the schedule is one of other projects.
    """
    facts = facts_of(project, schedule, settings or HealthSettings())
    checks = tuple(check(facts) for check in CHECKS)
    return Health(
        project=project.id,
        settings=facts.settings,
        checks=checks,
        beside=tuple(look(facts) for look in BESIDE),
        practices=practices_of(facts, checks),
        earned=earned_to_date(project),
    )
