"""opening + flow in - withdrawn + restated + scope + definition = closing, split by hand."""

import pytest

from tests.readiness.cluster import BASELINES, cluster
from tests.readiness.past import systems
from tests.readiness.tiny import built, rows
from turnup.readiness.checks import ClosingError, check_change_closes, check_funnel_closes

PARTS = ("opening", "flow_in", "withdrawn", "scope", "definition", "closing")


def change(data, past=None):
    """Return the parts of the change of accelerators."""
    con = built(data, past, acceptance=BASELINES)
    (found,) = rows(con, f"SELECT {', '.join(PARTS)} FROM mart.change")
    return tuple(int(found[name]) for name in PARTS)


def test_the_first_week_has_nothing_to_compare_with():
    assert change(cluster(4)) == (32, 0, 0, 0, 0, 32)


@pytest.mark.parametrize(
    ("before", "contracted", "quantity", "expected"),
    [
        (24, 32, 32, (24, 8, 0, 0, 0, 32)),  # one node came
        (32, 32, 32, (32, 0, 0, 0, 0, 32)),
        (16, 16, 32, (16, 0, 0, 16, 0, 32)),  # the capacity was there; an amendment lets it count
        (8, 16, 32, (8, 8, 0, 16, 0, 32)),
        (32, 32, 24, (32, 0, 0, -8, 0, 24)),  # the commitment was cut
    ],
)
def test_flow_and_scope(before, contracted, quantity, expected):
    data = cluster(4)
    data["commitments"][0].update(quantity=quantity)
    assert change(data, {"systems": systems([before], contracted)}) == expected


def test_what_is_no_longer_schedulable_is_withdrawn():
    data = cluster(4)
    data["scheduler_nodes"][3].update(allocatable=False)
    assert change(data, {"systems": systems([32], 32)}) == (32, 0, 8, 0, 0, 24)


def test_another_playbook_is_a_change_of_definition():
    past = {"systems": systems([24], 32, playbook="gpu_cluster 0")}
    assert change(cluster(4), past) == (24, 0, 0, 0, 8, 32)


def test_a_system_that_left_is_scope():
    past = {"systems": systems([32], 32) + systems([16], 16, system="OLD-1")}
    assert change(cluster(4), past) == (48, 0, 0, -16, 0, 32)
    con = built(cluster(4), past, acceptance=BASELINES)
    found = rows(con, "SELECT system_id, component, quantity, cause FROM mart.change_rows")
    assert found == [
        {"system_id": "OLD-1", "component": "scope", "quantity": -16, "cause": "system left the programme"}
    ]


def test_a_restatement_of_the_week_before_is_a_part_of_its_own():
    past = {"systems": systems([24], 32), "issued.systems": systems([16], 32)}
    con = built(cluster(4), past, acceptance=BASELINES)
    (found,) = rows(con, "SELECT opening, flow_in, restated, closing FROM mart.change")
    assert found == {"opening": 16, "flow_in": 8, "restated": 8, "closing": 32}
    assert rows(con, "SELECT previous_schedulable, delta FROM mart.classes") == [
        {"previous_schedulable": 16, "delta": 16}
    ]


def test_sums_that_do_not_close_stop_the_build():
    con = built(cluster(1), acceptance=BASELINES)
    con.execute("UPDATE core.funnel SET held = held + 1 WHERE stage = 'shipped'")
    with pytest.raises(ClosingError, match="train-1"):
        check_funnel_closes(con)
    con.execute("UPDATE mart.change SET closing = closing + 1")
    with pytest.raises(ClosingError, match="gpu_cluster"):
        check_change_closes(con)
