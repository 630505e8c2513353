"""Random networks for property tests: calendars, milestones, all link types, lags, dates, risks, pools."""

from datetime import date, datetime

import numpy as np
from hypothesis import strategies as st

from turnup.schedule.model import DAY, HOUR, WorkCalendar
from turnup.schedule.simulation import (
    NEVER,
    ActivityNetwork,
    BetaPert,
    CorrelationGroup,
    Empirical,
    Fixed,
    Lognormal,
    Pool,
    PoolUse,
    RiskEvent,
    Triangular,
    Uncertainty,
    Uniform,
)
from turnup.schedule.working_time import ALWAYS, clocks_of, seconds_of

START = datetime(2026, 1, 7, 8)
OFFICE = WorkCalendar(
    "office", (((8 * HOUR, 12 * HOUR), (13 * HOUR, 17 * HOUR)),) * 5 + ((), ()), {date(2026, 1, 12): ()}
)
SHIFTS = WorkCalendar(
    "odd shifts",
    (((0, 2 * HOUR), (7 * HOUR + 420, 15 * HOUR + 61), (22 * HOUR, DAY)),) * 6 + ((),),
    {date(2026, 1, 18): ((9 * HOUR, 10 * HOUR),), date(2026, 1, 20): ()},
)
CALENDARS = (OFFICE, SHIFTS, WorkCalendar("office again", OFFICE.week, OFFICE.exceptions), ALWAYS)
ELAPSED = 3
FIRST = seconds_of(START)

whole_hours = st.integers(0, 60).map(lambda hours: hours * HOUR)
seconds = st.one_of(whole_hours, st.integers(0, 300_000))


@st.composite
def networks(draw, *, calendars=True, most=9):
    """A network whose links lead from smaller to larger rows, rows shuffled by their ids only."""
    count = draw(st.integers(1, most))
    some = st.integers(0, 3) if calendars else st.just(ELAPSED)
    side = np.array(draw(st.lists(st.sampled_from((0, 0, 0, 1, 2)), min_size=count, max_size=count)), dtype=np.int8)
    own = np.array(draw(st.lists(some, min_size=count, max_size=count)), dtype=np.int32)
    ends = draw(st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=2 * count))
    links = [(min(pair), max(pair)) for pair in ends if pair[0] != pair[1]]
    kinds = draw(st.lists(st.integers(0, 3), min_size=len(links), max_size=len(links)))
    lags = draw(st.lists(st.sampled_from((0, 0, HOUR, -5 * HOUR, 90_061)), min_size=len(links), max_size=len(links)))
    lag_calendar = draw(st.lists(some, min_size=len(links), max_size=len(links)))
    instants = st.sampled_from((NEVER, FIRST, FIRST + 5 * HOUR, FIRST + 4 * DAY + 11, FIRST + 11 * DAY))
    later = st.sampled_from((NEVER, NEVER, FIRST + 3 * DAY, FIRST + 9 * DAY))
    finished = st.sampled_from((NEVER,) * 9 + (FIRST - DAY, FIRST + 30 * DAY))
    return ActivityNetwork(
        ids=tuple(draw(st.permutations([f"A{row}" for row in range(count)]))),
        remaining=np.where(side == 0, _many(draw, seconds, count), 0),
        calendar=np.where(side == 0, own, ELAPSED).astype(np.int32),
        start_from=_many(draw, instants, count),
        finish_from=_many(draw, later, count),
        finished=_many(draw, finished, count),
        started=np.array(draw(st.lists(st.sampled_from((False, False, True)), min_size=count, max_size=count))),
        side=side,
        own=own,
        pred=np.array([pred for pred, _ in links], dtype=np.int32),
        succ=np.array([succ for _, succ in links], dtype=np.int32),
        link_type=np.array(kinds, dtype=np.int8),
        lag=np.array(lags, dtype=np.int64),
        lag_calendar=np.array(lag_calendar, dtype=np.int32),
        binds=np.array(draw(st.lists(st.booleans(), min_size=len(links), max_size=len(links))), dtype=np.bool_),
        clocks=clocks_of(CALENDARS, FIRST, FIRST + 20 * DAY),
    )


def _many(draw, values, count):
    return np.array(draw(st.lists(values, min_size=count, max_size=count)), dtype=np.int64)


@st.composite
def distributions(draw):
    """One of the kinds, in seconds."""
    low, likely, high = sorted(draw(st.tuples(seconds, seconds, seconds)))
    kind = draw(st.integers(0, 5))
    return (
        Fixed(low), Uniform(low, high), Triangular(low, likely, high), BetaPert(low, likely, high + 1),
        Lognormal(likely + 1, 0.5), Empirical((low, likely, high)),
    )[kind]  # fmt: skip


@st.composite
def uncertainties(draw, ids, *, pools):
    """Distributions, risks, one correlation group and, where asked for, pools."""
    some = st.lists(st.sampled_from(ids), unique=True)
    uses, capacity = [], draw(st.lists(st.integers(1, 3), min_size=2, max_size=2))
    if pools:
        uses = [
            PoolUse(name, f"pool {pool}", min(draw(st.integers(1, 3)), capacity[pool]))
            for pool in range(2)
            for name in draw(st.lists(st.sampled_from(ids), unique=True, min_size=1))
        ]
    return Uncertainty(
        durations={name: draw(distributions()) for name in draw(some)},
        correlations=(CorrelationGroup("group", tuple(draw(some)), draw(st.sampled_from((0.0, 0.4, 1.0)))),),
        risks=tuple(
            RiskEvent(name, draw(st.sampled_from((0.0, 0.3, 1.0))), draw(distributions()), tuple(draw(some)))
            for name in ("storm", "strike")
        ),
        pools=tuple(Pool(f"pool {pool}", capacity[pool]) for pool in range(2)) if pools else (),
        uses=tuple(uses),
        priorities={name: draw(st.integers(1, 3)) for name in draw(some)},
    )
