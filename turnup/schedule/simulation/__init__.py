"""Monte Carlo of activity networks: what finishes when, with which odds, and what drives it.

Belongs here: distributions, draws, the kernels and what is read from a run. Does not: reading schedules, evidence,
warehouse tables or reports. Everything is plain arrays and dataclasses; nothing knows of a programme.

How it is used::

    from turnup.schedule.simulation import ActivityNetwork, BetaPert, Uncertainty, simulate

    DAY = 86_400
    network = ActivityNetwork.of({"install": 20 * DAY, "test": 5 * DAY}, links=[("install", "test")], start=data_date)
    inputs = Uncertainty(durations={"install": BetaPert(15 * DAY, 20 * DAY, 40 * DAY)})
    run = simulate(network, inputs, targets=["test"], iterations=10_000, seed=7)
    run.percentile("test", 80)        # instant: seconds since 1970-01-01 of local time
    run.probability("test", commit)   # share of iterations at or before that instant

Network (``inputs``)
    ActivityNetwork             arrays by activity row: by hand, by ``ActivityNetwork.of`` (one calendar of all hours),
                                or by ``activity_network(compile_network(projects))``
Inputs (``inputs``, ``distributions``); durations in seconds of the activity's own working time
    Uncertainty(durations, correlations, risks, pools, uses, priorities)
    Fixed(value) Uniform(low, high) Triangular(low, likely, high) BetaPert(low, likely, high, weight=4)
    Lognormal(median, sigma), Lognormal.from_median_p90(median, p90), Lognormal.from_mean_sd(mean, sd)
    Empirical(values, cases), Empirical.of_ratios(ratios, plan)     reference class: actual / plan, times the plan
    Throughput(history, units, day)                                 until the units are done, days like those seen
    CorrelationGroup(id, activities, rho)  RiskEvent(id, probability, impact, activities)
    Pool(id, capacity)  PoolUse(activity, pool, units=1)            priorities: smaller first
Run (``simulate``) and what is read from it (``results``)
    simulate(network, uncertainty, targets=(), *, iterations=10_000, seed=1, trace=True, threads=None) -> Simulation
                                targets: activity ids, or by name the activities whose latest finish counts
    Simulation.samples(target) .percentile(target, percent) .probability(target, instant)
    Simulation.criticality_index() .driving_share(target)           by activity row
    inverse_ecdf(ordered, percent), percentile_error(ordered, percent), mean_error(values)
    shares_within(values, instants), probability_interval(held, count)
    PROJECT                                                         target of the whole network's finish
Large networks (``joined``)
    simulate_parts(network, uncertainty, targets, joins, *, iterations, seed, trace) -> Joined
                                parts that share nothing, one after the other; joins wait for targets of several parts
What matters (``sensitivity``, ``merge``, ``tornado``); instants and seconds
    sensitivities(run, target) -> Sensitivity                       SSI, Pearson and Spearman cruciality by activity row
    merge_bias(run, target) -> MergeBias                            against the deterministic finish and the single path
    tornado(run, target, top=10, percent=80) -> list[Bar]           an input at its own P10 and P90
                                (merge bias and tornado of a target need a run that traced it)
Classic PERT of one path (``pert``)
    classic_pert(durations) -> PathEstimate: mean, sd, probability(length), percentile(percent)
Throughput both ways (``throughput``)
    days_to_finish(history, units), units_within(history, days, percent)
"""

from turnup.schedule.simulation.distributions import (
    BetaPert,
    Distribution,
    Empirical,
    Fixed,
    Lognormal,
    Throughput,
    Triangular,
    Uniform,
)
from turnup.schedule.simulation.inputs import (
    NEVER,
    ActivityNetwork,
    CorrelationGroup,
    Pool,
    PoolUse,
    RiskEvent,
    Uncertainty,
)
from turnup.schedule.simulation.merge import MergeBias, merge_bias
from turnup.schedule.simulation.networks import activity_network
from turnup.schedule.simulation.pert import PathEstimate, classic_pert
from turnup.schedule.simulation.results import (
    PROJECT,
    Simulation,
    inverse_ecdf,
    mean_error,
    percentile_error,
    probability_interval,
    shares_within,
)
from turnup.schedule.simulation.sensitivity import Sensitivity, sensitivities
from turnup.schedule.simulation.simulate import simulate
from turnup.schedule.simulation.throughput import days_to_finish, units_within
from turnup.schedule.simulation.tornado import Bar, tornado

__all__ = [
    "NEVER",
    "PROJECT",
    "ActivityNetwork",
    "Bar",
    "BetaPert",
    "CorrelationGroup",
    "Distribution",
    "Empirical",
    "Fixed",
    "Lognormal",
    "MergeBias",
    "PathEstimate",
    "Pool",
    "PoolUse",
    "RiskEvent",
    "Sensitivity",
    "Simulation",
    "Throughput",
    "Triangular",
    "Uncertainty",
    "Uniform",
    "activity_network",
    "classic_pert",
    "days_to_finish",
    "inverse_ecdf",
    "mean_error",
    "merge_bias",
    "percentile_error",
    "probability_interval",
    "sensitivities",
    "shares_within",
    "simulate",
    "tornado",
    "units_within",
]
