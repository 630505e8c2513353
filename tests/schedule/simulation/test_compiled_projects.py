"""Networks of compiled projects: with planned durations a run gives the dates of the passes."""

from datetime import timedelta

import numpy as np
import pytest

from tests.schedule.projects import MONDAY, WORKDAY, activity, link, project, workday
from turnup.formats.schedule.xer import read_xer
from turnup.schedule.model import Options
from turnup.schedule.network import NO_INSTANT, compile_network
from turnup.schedule.passes import computed
from turnup.schedule.simulation import PROJECT, Fixed, Triangular, Uncertainty, activity_network, simulate
from turnup.schedule.working_time import moment_of

ONE = {"iterations": 1}


def both(*projects):
    """Network, schedule of the passes, and ids in the order of positions."""
    network = compile_network(projects)
    return activity_network(network), computed(network), network


def finishes(network, uncertainty=None):
    run = simulate(network, uncertainty or Uncertainty(), list(network.ids), iterations=1, trace=False)
    return dict(zip(network.ids, (moment_of(int(instant)) for instant in run.finishes[:, 0]), strict=True))


def test_links_lags_and_calendars():
    given = project(
        [activity("a", 5), activity("b", 4, calendar="every day"), activity("c", 6), activity("m")],
        [link("a", "b", "SS", 2), link("a", "c", "FF", 1), link("b", "m"), link("c", "m", lag_days=-1)],
    )
    network, schedule, compiled = both(given)
    expected = [moment_of(int(at)) for at in schedule.early_finish[compiled.row]]
    assert list(finishes(network).values()) == expected
    # b starts on Wednesday and works on Saturday.
    assert finishes(network)["b"] == workday(5) + timedelta(days=1)


def test_progress_counts_remaining_work_from_the_data_date():
    """Data date Wednesday 08:00: a is done, b has 2 of 5 days left, c follows b, d follows a with a lag of 4 days."""
    given = project(
        [
            activity("a", 2, status="completed", actual_start=MONDAY.replace(hour=8), actual_finish=workday(2)),
            activity("b", 5, status="in_progress", actual_start=MONDAY.replace(hour=8), remaining_s=2 * WORKDAY),
            activity("c", 3),
            activity("d", 1),
        ],
        [link("b", "c"), link("a", "d", lag_days=4)],
        data_date=workday(3, 8),
    )  # fmt: skip
    network, schedule, compiled = both(given)
    found = finishes(network)
    assert found == {"a": workday(2), "b": workday(4), "c": workday(7), "d": workday(7)}
    assert list(found.values()) == [moment_of(int(at)) for at in schedule.early_finish[compiled.row]]
    run = simulate(
        network, Uncertainty({"b": Triangular(WORKDAY, 2 * WORKDAY, 4 * WORKDAY)}), ["a", "b"], iterations=200
    )
    assert set(run.samples("a").tolist()) == {run.samples("a")[0]}
    assert workday(3) <= moment_of(int(run.samples("b").min())) < moment_of(int(run.samples("b").max())) <= workday(6)
    assert run.critical[network.ids.index("a")] == 0


def test_dates_hold_back_and_never_pull():
    """A mandatory start on day 4 waits for a predecessor of 6 days; a start no earlier than day 9 is kept."""
    given = project(
        [
            activity("before", 6),
            activity("pinned", 2, constraint="mandatory_start", constraint_date=workday(4, 8)),
            activity("later", 1, constraint="start_no_earlier", constraint_date=workday(9, 8)),
            activity("ends", 1, constraint="finish_no_earlier", constraint_date=workday(12)),
        ],
        [link("before", "pinned")],
    )  # fmt: skip
    found = finishes(both(given)[0])
    assert found == {"before": workday(6), "pinned": workday(8), "later": workday(9), "ends": workday(12)}
    short = Uncertainty({"before": Fixed(WORKDAY)})
    assert finishes(both(given)[0], short)["pinned"] == workday(5)


def test_out_of_sequence_progress():
    """b began before a was done: retained logic makes its rest wait, progress override does not."""
    rows = [
        activity("a", 4),
        activity("b", 5, status="in_progress", actual_start=MONDAY.replace(hour=8), remaining_s=2 * WORKDAY),
    ]
    for progress, day in (("retained_logic", 6), ("progress_override", 2)):
        given = project(rows, [link("a", "b")], options=Options(progress=progress))
        network, schedule, compiled = both(given)
        assert finishes(network)["b"] == workday(day)
        assert list(finishes(network).values()) == [moment_of(int(at)) for at in schedule.early_finish[compiled.row]]


def test_summaries_and_levels_of_effort_are_left_out():
    given = project(
        [activity("s", 3, kind="summary"), activity("a", 3, parent="s"), activity("l", 1, kind="level_of_effort")]
    )
    assert both(given)[0].ids == ("a",)


@pytest.mark.parametrize("name", ["hotel_4projects_trim", "airport_66", "mdl4ra_62", "mdl4d_62_mso"])
def test_real_files_with_planned_durations(cases, name):
    """Early finishes of all activities but those as late as possible; and the driving path is the longest path."""
    file = cases / f"schedule/xer/{name}.xer"
    for given in read_xer(file.read_bytes(), file.name):
        if not given.activities.height:
            continue
        network, schedule, compiled = both(given)
        run = simulate(network, Uncertainty(), {PROJECT: network.ids}, **ONE)
        every = simulate(network, Uncertainty(), list(network.ids), **ONE, trace=False)
        late = compiled.activities["constraint"].fill_null("").eq("as_late_as_possible").to_numpy()[compiled.row]
        assert (every.finishes[:, 0] == schedule.early_finish[compiled.row])[~late].all()
        assert run.project_finish[0] == schedule.finish[0]
        assert ((run.driving[0] > 0) == schedule.longest_path[compiled.row])[~late].all()
        total = schedule.total_float[compiled.row]
        if given.must_finish is None and name != "mdl4d_62_mso":
            assert ((run.critical > 0) == ((total <= 0) & (total != NO_INSTANT)))[~late].all()


def test_a_real_network_at_random(cases):
    """1,000 iterations of 4,217 activities: nothing ends before the plan's shortest, percentiles rise."""
    file = cases / "schedule/xer/hotel_4projects_trim.xer"
    given = max(read_xer(file.read_bytes(), file.name), key=lambda one: one.activities.height)
    network, _, _ = both(given)
    durations = {
        name: Triangular(0.9 * left, left, 1.6 * left)
        for name, left, done in zip(network.ids, network.remaining.tolist(), network.finished, strict=True)
        if left and done == NO_INSTANT
    }
    run = simulate(network, Uncertainty(durations), [PROJECT], iterations=1000, seed=1)
    planned = simulate(network, Uncertainty(), **ONE).project_finish[0]
    assert planned < run.percentile(PROJECT, 10) < run.percentile(PROJECT, 50) < run.percentile(PROJECT, 95)
    assert np.ptp(run.project_finish) > 0
    assert run.driving_share(PROJECT).max() <= 1
