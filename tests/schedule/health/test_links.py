"""Checks 2 to 4: leads, lags and types of links, and which links count at all."""

import itertools

from tests.schedule.health.judging import begun, check, counts, done, seen
from tests.schedule.projects import activity, link, project, workday


def pairs(found):
    return found.offenders.select("pred_code", "succ_code", "type", "why").rows()


def six(links):
    return project([activity(code, 2) for code in "ABCDEF"], links)


def test_a_lead_fails_and_no_lead_passes():
    assert counts(check(six([link("A", "B"), link("B", "C")]), "2")) == ("pass", 0, 2)
    found = check(six([link("A", "B"), link("B", "C", lag_days=-1)]), "2")
    assert counts(found) == ("fail", 1, 2)
    assert pairs(found) == [("B", "C", "FS", "lag -8.0 h")]


def test_lags_pass_up_to_one_of_twenty():
    names = [f"{number:02d}" for number in range(22)]
    plain = [link(before, after) for before, after in itertools.pairwise(names)]
    activities = [activity(name, 1) for name in names]
    assert counts(check(project(activities, [*plain[:19], link("00", "01", lag_days=1)]), "3")) == ("pass", 1, 20)
    assert counts(check(project(activities, [*plain[:18], link("00", "01", lag_days=1)]), "3")) == ("fail", 1, 19)


def test_finish_to_start_below_nine_of_ten_fails():
    names = [f"{number:02d}" for number in range(11)]
    links = [link(before, after) for before, after in itertools.pairwise(names)]
    activities = [activity(name, 1) for name in names]
    assert counts(check(project(activities, [*links[:9], link("09", "10", "SS")]), "4")) == ("pass", 9, 10)
    found = check(project(activities, [*links[:8], link("08", "09", "FF"), link("09", "10", "SS")]), "4")
    assert counts(found) == ("fail", 8, 10)
    assert pairs(found) == [("08", "09", "FF", "FF link"), ("09", "10", "SS", "SS link")]


def test_no_links_are_no_data():
    for number in ("2", "3", "4"):
        assert counts(check(six([]), number)) == ("no data", None, None)


def test_percent_and_elapsed_lags_are_lags():
    percent = link("A", "B", "SS") | {"lag_percent": -50.0}
    elapsed = link("B", "C") | {"lag_s": 86_400, "elapsed": True}
    network = six([percent, elapsed, link("C", "D")])
    assert pairs(check(network, "2")) == [("A", "B", "SS", "lag -50.0 % of the predecessor")]
    assert pairs(check(network, "3")) == [("B", "C", "FS", "lag 24.0 elapsed h")]


def test_leads_and_lags_by_activity():
    network = six([link("A", "C", lag_days=1), link("B", "C", lag_days=1), link("C", "D"), link("D", "E")])
    assert counts(check(network, "3")) == ("fail", 2, 4)
    assert counts(check(network, "3", links={"unit": "activities"})) == ("fail", 1, 6)


def test_which_links_count():
    network = project(
        [
            done("A", 1, 1),
            done("B", 2, 2),
            begun("C", 3, 3, 2),
            activity("D", 1),
            activity("L", 2, kind="level_of_effort"),
        ],
        [
            link("A", "B", lag_days=1),
            link("B", "C", lag_days=1),
            link("C", "D"),
            link("C", "B", "SS"),
            link("D", "L", "SS"),
        ],
        data_date=workday(4, 8),
    )
    # Into B nothing can happen any more; C to B leads from unfinished work into completed work.
    assert counts(check(network, "3"))[1:] == (1, 2)
    assert counts(check(network, "3", links={"count": "open"}))[1:] == (1, 4)
    assert counts(check(network, "3", links={"count": "all"}))[1:] == (2, 5)


def test_long_lags_and_start_to_finish_links_are_told_beside():
    network = six([link("A", "B", lag_days=44), link("B", "C", lag_days=45), link("C", "D", "SF")])
    assert seen(network, "long_lags") == (1, [("B", "C")])
    assert seen(network, "long_lags", links={"long_lag_days": 43}) == (2, [("A", "B"), ("B", "C")])
    assert seen(network, "start_to_finish_links") == (1, [("C", "D")])


def test_links_at_summaries_are_told_beside():
    network = project([activity("S", kind="summary"), activity("A", 1, parent="S"), activity("B", 1)], [link("S", "B")])
    assert seen(network, "summary_links") == (1, [("S", "B")])
