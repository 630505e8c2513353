"""Both kernels against a plain slow simulation that is given the same durations, on random networks."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.schedule.simulation.networks import networks, uncertainties
from tests.schedule.simulation.reference import Reference
from turnup.schedule.simulation import PROJECT, simulate
from turnup.schedule.simulation.plan import plan_of
from turnup.schedule.simulation.sensitivity import durations_of

ITERATIONS = 5


def drawn(network, uncertainty, seed):
    plan = plan_of(network, uncertainty, {}, seed)
    found = durations_of(plan, list(range(len(plan.rows))), ITERATIONS)
    return [{network.ids[row]: int(found[place, k]) for place, row in enumerate(plan.rows)} for k in range(ITERATIONS)]


def compared(network, uncertainty, seed):
    """Run both; every finish, driving path and criticality is the same."""
    targets = {name: (name,) for name in network.ids} | {"some": network.ids[::2], PROJECT: network.ids}
    run = simulate(network, uncertainty, targets, iterations=ITERATIONS, seed=seed)
    reference = Reference(network, uncertainty)
    critical, driving = np.zeros_like(run.critical), np.zeros_like(run.driving)
    for k, durations in enumerate(drawn(network, uncertainty, seed)):
        found = reference.run(durations)
        for name, members in targets.items():
            assert run.samples(name)[k] == max(found.finish[member] for member in members), (name, k)
            for member in found.driving(members):
                driving[list(targets).index(name), network.ids.index(member)] += 1
        for name in found.critical:
            critical[network.ids.index(name)] += 1
    assert run.driving.tolist() == driving.tolist()
    if not uncertainty.pools:
        assert run.critical.tolist() == critical.tolist()


@given(st.data(), st.integers(0, 1000))
@settings(max_examples=150, deadline=None)
def test_calendars_links_lags_dates_risks(data, seed):
    network = data.draw(networks())
    compared(network, data.draw(uncertainties(network.ids, pools=False)), seed)


@given(st.data(), st.integers(0, 1000))
@settings(max_examples=150, deadline=None)
def test_pools_by_priority(data, seed):
    network = data.draw(networks())
    compared(network, data.draw(uncertainties(network.ids, pools=True)), seed)


@given(st.data(), st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_pools_on_one_calendar(data, seed):
    network = data.draw(networks(calendars=False, most=14))
    compared(network, data.draw(uncertainties(network.ids, pools=True)), seed)
