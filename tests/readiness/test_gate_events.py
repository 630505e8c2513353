"""The history of gates: entered, passed, regressed, waived, expired, worked out by hand and for random weeks."""

from datetime import date, timedelta
from itertools import pairwise

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.readiness.gate_weeks import FIRST, events, label, lived
from tests.readiness.tiny import rows


def day(week: int) -> date:
    return FIRST + timedelta(weeks=week)


def test_a_waiver_that_ends_within_a_week_fails_its_criterion_at_once():
    # W-1 carries the gate until Tuesday 13 October; the cut-off of W42 is Friday the 16th; the part comes a week later.
    con = lived(
        [
            [("procure.bom", "met"), ("procure.ordered", "waived by W-1")],
            [("procure.bom", "met"), ("procure.ordered", "waived by W-1")],
            [("procure.bom", "met"), ("procure.ordered", "not met")],
            [("procure.bom", "met"), ("procure.ordered", "met")],
        ],
        {"W-1": date(2026, 10, 13)},
        ("procure",),
    )
    assert events(con) == [
        ("W40", "procure", "entered", date(2026, 10, 2)),
        ("W40", "procure", "waived", date(2026, 10, 2)),
        ("W42", "procure", "expired", date(2026, 10, 14)),
        ("W42", "procure", "regressed", date(2026, 10, 16)),
        ("W43", "procure", "passed", date(2026, 10, 23)),
    ]
    told = rows(
        con, "SELECT cause, evidence, waiver_id FROM mart.gate_events WHERE week = '2026-W42' ORDER BY event_no"
    )
    assert told == [
        {"cause": "waiver W-1 ended on 2026-10-13; ordered fails at once", "evidence": "ordered", "waiver_id": "W-1"},
        {"cause": "ordered is not met", "evidence": "ordered", "waiver_id": "W-1"},
    ]
    (now,) = rows(con, "SELECT state, entered_on, passed_on FROM mart.gates")
    assert now == {"state": "passed", "entered_on": date(2026, 10, 2), "passed_on": date(2026, 10, 23)}


def test_a_waiver_that_ends_when_the_evidence_is_there_takes_nothing_away():
    con = lived(
        [[("procure.ordered", "waived by W-1")], [("procure.ordered", "met")]], {"W-1": date(2026, 10, 5)}, ("procure",)
    )
    assert [event for week, _, event, _ in events(con) if week == "W41"] == ["expired", "passed"]
    assert rows(con, "SELECT cause FROM mart.gate_events WHERE event = 'expired'") == [
        {"cause": "waiver W-1 ended on 2026-10-05"}
    ]


def test_the_gate_behind_one_that_fell_back_begins_again():
    con = lived(
        [
            [("procure.bom", "met"), ("deliver.received", "not met")],
            [("procure.bom", "met"), ("deliver.received", "met")],
            [("procure.bom", "no data"), ("deliver.received", "met")],
            [("procure.bom", "met"), ("deliver.received", "met")],
        ]
    )
    assert events(con) == [
        ("W40", "procure", "entered", day(0)),
        ("W40", "procure", "passed", day(0)),
        ("W40", "deliver", "entered", day(0)),
        ("W41", "deliver", "passed", day(1)),
        ("W42", "procure", "regressed", day(2)),
        ("W42", "deliver", "entered", day(2)),
        ("W43", "procure", "passed", day(3)),
        ("W43", "deliver", "passed", day(3)),
    ]
    (told,) = rows(con, "SELECT cause FROM mart.gate_events WHERE week = '2026-W42' AND gate = 'deliver'")
    assert told == {"cause": "no longer passed: waits for gate procure; 1 of 1 criteria met"}


def test_a_gate_once_entered_stays_entered_when_its_first_evidence_is_withdrawn():
    con = lived(
        [
            [("procure.bom", "not met"), ("deliver.received", "met")],
            [("procure.bom", "not met"), ("deliver.received", "no data")],
        ]
    )
    (found,) = rows(con, "SELECT state, entered_on, days_waiting FROM mart.gates WHERE gate = 'deliver'")
    assert found == {"state": "in progress", "entered_on": day(0), "days_waiting": 7}


def test_another_version_of_the_playbook_is_named_as_the_cause():
    weeks = [[("procure.bom", "met")], [("procure.bom", "met"), ("procure.ordered", "no data")]]
    con = lived(weeks, gates=("procure",), version={1: "2"})
    (told,) = rows(con, "SELECT event, cause FROM mart.gate_events WHERE week = '2026-W41'")
    assert told == {"event": "regressed", "cause": "playbook mine 1 gave way to mine 2; ordered is no data"}


_GATES = ("procure", "deliver", "install")
_CRITERIA = ("procure.bom", "procure.ordered", "deliver.received", "install.racked")
_STATES = st.sampled_from(("met", "met", "met", "not met", "no data", "stale", "waived by W-1", "waived by W-2"))
_WEEKS = st.lists(
    st.tuples(*(_STATES for _ in _CRITERIA)).map(lambda states: list(zip(_CRITERIA, states, strict=True))),
    min_size=1, max_size=5,
)  # fmt: skip
_WAIVERS = {"W-1": date(2026, 10, 13), "W-2": date(2027, 1, 1)}
LEGAL = {
    "entered": ({"not started", "passed", "waived", "regressed"}, {"in progress", "passed", "waived"}),
    "passed": ({"not started", "in progress", "waived", "regressed"}, {"passed"}),
    "waived": ({"not started", "in progress", "passed", "waived", "regressed"}, {"waived"}),
    "regressed": ({"passed", "waived"}, {"regressed"}),
    "expired": ({"in progress", "waived", "regressed"}, {"in progress", "passed", "waived", "regressed"}),
}
MANY = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@MANY
@given(_WEEKS)
def test_every_sequence_of_events_is_legal_and_ends_in_the_state_of_the_gate(weeks):
    con = lived(weeks, _WAIVERS, _GATES)
    now = {row["gate"]: row["state"] for row in rows(con, "SELECT gate, state FROM mart.gates")}
    last: dict[str, str] = {}
    for row in rows(con, "SELECT * FROM mart.gate_events ORDER BY gate_no, week, event_no"):
        before, after = LEGAL[row["event"]]
        assert row["state_before"] in before, row
        assert row["state"] in after, row
        assert row["gate"] in last or row["event"] == "entered", row
        assert row["state_before"] == last.get(row["gate"], "not started") or row["event_no"] > 1, row
        assert day(0) <= row["occurred_on"] <= date.fromisocalendar(2026, int(row["week"][6:]), 5)
        assert row["cause"]
        last[row["gate"]] = row["state"]
    assert {gate: state for gate, state in now.items() if state != "not started"} == last


@MANY
@given(_WEEKS)
def test_a_gate_whose_predecessor_has_not_passed_never_passes(weeks):
    con = lived(weeks, _WAIVERS, _GATES)
    states = {r["gate"]: r["state"] for r in rows(con, "SELECT gate, state FROM mart.gates")}
    for before, gate in pairwise(_GATES):
        if states[gate] in ("passed", "waived"):
            assert states[before] in ("passed", "waived")


@MANY
@given(_WEEKS, st.randoms(use_true_random=False))
def test_a_week_made_again_and_rows_in_another_order_give_the_same_history(weeks, random):
    whole = events(lived(weeks, _WAIVERS, _GATES))
    shuffled = [random.sample(week, len(week)) for week in weeks]
    places = {what: place for place, what in enumerate(_CRITERIA)}
    assert {what for week in shuffled for what, _ in week} <= set(places)
    assert events(lived(shuffled, _WAIVERS, _GATES)) == whole
    cut = len(weeks) - 1
    if cut:
        earlier = events(lived(weeks[:cut], _WAIVERS, _GATES))
        assert [event for event in whole if f"2026-{event[0]}" <= label(cut - 1)] == earlier
