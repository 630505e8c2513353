"""Cables beyond where they end: light, lanes, error ratios with their bound, flaps, swaps, jobs in walking order."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import duckdb
import pytest

from tests.readiness.test_link_check import PLAN, plan, seen
from tests.readiness.tiny import AS_OF, modelled, rows
from turnup.warehouse.macros import write_macros

GOOD = ("gpu1", "eth0", "leaf1", "Ethernet1/1")
ONE = dict(plan(*GOOD), speed_gbps=400, lanes=4)
SAME_PLUGS = ("leaf1", "Ethernet1/1", "gpu1", "eth0")


@pytest.fixture(scope="module")
def con():
    made = duckdb.connect()
    write_macros(made)
    return made


@pytest.mark.parametrize(
    ("ber", "bits", "bound"),
    [
        (0, 3e12, 2.9957323e0 / 3e12),
        (15e-255, 3e12, 2.9957323e0 / 3e12),
        (1e-12, 1e12, 4.7439e-12),  # one error: half of chi-square 0.95 with 4 degrees of freedom, 9.4877
        (1e-11, 1e12, 16.962e-12),  # ten errors: half of 33.924, 22 degrees of freedom
        (0, None, None),
        (0, 0, None),
        (None, 1e12, None),
    ],
)
def test_upper_bound_of_an_error_ratio_at_95_percent(con, ber, bits, bound):
    (found,) = con.execute("SELECT ber_bound($ber::DOUBLE, $bits::DOUBLE)", {"ber": ber, "bits": bits}).fetchone()
    assert found == (None if bound is None else pytest.approx(bound, rel=0.005))


@pytest.mark.parametrize(
    ("ber", "bits", "verdict"),
    [
        (0, 3e12, "ok"),
        (0, 2.9e12, "no data"),
        (0, None, "no data"),
        (15e-255, None, "no data"),
        (1e-13, None, "no data"),
        (1e-9, None, "fault"),
        (1e-9, 1e12, "fault"),
        (2e-12, 1e11, "no data"),
    ],
)
def test_a_zero_is_not_a_measured_zero(con, ber, bits, verdict):
    told = {"ber": ber, "bits": bits}
    assert con.execute("SELECT ber_verdict($ber::DOUBLE, $bits::DOUBLE, 1e-12)", told).fetchone() == (verdict,)


def health(*links, failures=(), **changes):
    data = {"links": list(links), "failures": list(failures)}
    (row,) = rows(modelled(data, "core.link_health", **changes), "FROM core.link_health")
    return row


CHECKS = ("state_check", "speed_check", "lanes_check", "rx_check", "pre_fec_check", "post_fec_check", "flaps_check")


@pytest.mark.parametrize(
    ("told", "wrong", "faults"),
    [
        ({"state": "down"}, {"state_check": "fault"}, "down"),
        ({"speed_gbps": 100}, {"speed_check": "fault"}, "100 of 400 Gbit/s"),
        ({"speed_gbps": 400, "lanes": 1}, {"speed_check": "ok", "lanes_check": "fault"}, "1 of 4 lanes"),
        (
            {"rx_power_dbm": -9, "rx_min_dbm": -6.3, "rx_max_dbm": 5},
            {"rx_check": "fault"},
            "receives -9 dBm, at least -6.3 needed",
        ),
        (
            {"rx_power_dbm": 6, "rx_min_dbm": -6.3, "rx_max_dbm": 5},
            {"rx_check": "fault"},
            "receives 6 dBm, at most 5 allowed",
        ),
        ({"rx_power_dbm": -2, "rx_min_dbm": -6.3, "rx_max_dbm": 5}, {"rx_check": "ok"}, ""),
        ({"rx_power_dbm": -2}, {}, ""),
        ({"pre_fec_ber": 1e-3}, {"pre_fec_check": "fault"}, "pre-FEC bit error ratio 1.0e-03"),
        ({"post_fec_ber": 0, "bits_counted": 3e12}, {"post_fec_check": "ok"}, ""),
        (
            {"post_fec_ber": 0, "counted_s": 7.5, "speed_gbps": 400},
            {"speed_check": "ok", "post_fec_check": "ok"},
            "",
        ),
        ({"post_fec_ber": 0, "counted_s": 7.4, "speed_gbps": 400}, {"speed_check": "ok"}, ""),
        ({"post_fec_ber": 0}, {}, ""),
        ({"flaps_24h": 5}, {"flaps_check": "fault"}, "down 5 times in 24 h"),
        ({"flaps_24h": 4}, {"flaps_check": "ok"}, ""),
    ],
)
def test_each_check(told, wrong, faults):
    row = health(ONE, seen(*GOOD) | told)
    usual = dict.fromkeys(CHECKS, "no data") | {"state_check": "ok"}
    assert {name: row[name] for name in CHECKS} == usual | wrong
    assert row["faults"] == faults


def test_the_worse_of_two_ends_counts_and_the_newest_report_of_each():
    window = {"rx_min_dbm": -6, "rx_max_dbm": 5}
    row = health(
        ONE,
        seen(*GOOD, rx_power_dbm=-8, observed_at=date(2026, 10, 20), **window),
        seen(*GOOD, rx_power_dbm=-2, observed_at=date(2026, 10, 28), **window),
        seen(*SAME_PLUGS, rx_power_dbm=-7, observed_at=date(2026, 10, 28), **window),
    )
    assert (row["reports"], row["rx_check"], float(row["rx_low"])) == (2, "fault", -7)
    assert row["darkest_end"] == "leaf1\x1fe1/1"


def test_flaps_of_a_log_without_times_count_on_one_day_and_the_programme_sets_the_limit():
    def flaps(count, day=AS_OF):
        return [{"failure_id": f"f{n}", "node": "GPU1.example.net", "kind": "link flap eth0", "opened": day}
                for n in range(count)]  # fmt: skip

    assert health(ONE, seen(*GOOD), failures=flaps(5))["flaps_check"] == "fault"
    assert health(ONE, seen(*GOOD), failures=flaps(4))["flaps_check"] == "ok"
    assert health(ONE, seen(*GOOD), failures=flaps(5, date(2026, 10, 20)))["flaps_check"] == "no data"
    assert health(ONE, seen(*GOOD), failures=flaps(2), thresholds={"link_flaps_24h": 2})["flaps_check"] == "fault"


MIDNIGHT = datetime(2026, 10, 30)  # of the data date


@pytest.mark.parametrize(
    ("hours", "verdict", "times"),
    [
        ((-2, -1, 0.5, 1, 2), "fault", 5),  # three of each day: none of the two has five
        ((-20, -19, 5, 6, 7), "ok", 3),  # the first of five is 27 h before the last
        ((-18, -17, -16, 5, 5.9), "fault", 5),  # 23.9 h
        ((-50, -49, -48, -47, -46), "no data", None),  # the day before yesterday
    ],
)
def test_flaps_count_within_any_24_hours_across_midnight(hours, verdict, times):
    moments = [MIDNIGHT + timedelta(hours=hour) for hour in hours]
    told = [{"failure_id": f"f{n}", "node": "gpu1", "kind": "link flap eth0", "opened": moment.date(),
             "opened_at": moment} for n, moment in enumerate(moments)]  # fmt: skip
    row = health(ONE, seen(*GOOD), failures=told)
    assert (row["flaps_check"], row["flaps_24h"]) == (verdict, times)


def test_one_flap_that_both_ends_log_is_one():
    moments = [MIDNIGHT + timedelta(hours=hour) for hour in (1, 2, 3)]
    ends = (("gpu1", "eth0"), ("leaf1", "Ethernet1/1"))
    told = [{"failure_id": f"{node}-{n}", "node": node, "kind": f"link flap {port}", "opened": moment.date(),
             "opened_at": moment} for node, port in ends for n, moment in enumerate(moments)]  # fmt: skip
    assert health(ONE, seen(*GOOD), failures=told)["flaps_24h"] == 3


def findings(*links, **changes):
    con = modelled({"links": list(links)}, "core.found_link_faults", **changes)
    return rows(con, "SELECT code, subject, _row, message FROM core.found_link_faults ORDER BY code, item")


WINDOW = {"rx_min_dbm": -6, "rx_max_dbm": 5}
CABLE = "(cable gpu1:eth0 - leaf1:Ethernet1/1)"


@pytest.mark.parametrize(
    ("told", "code", "subject", "message"),
    [
        ([seen(*GOOD, rx_power_dbm=-2, **WINDOW), seen(*SAME_PLUGS, rx_power_dbm=-9, **WINDOW)], "link_light",
         "leaf1:Ethernet1/1", "leaf1:Ethernet1/1 receives -9 dBm, at least -6 needed"),
        ([seen(*GOOD, rx_power_dbm=6.5, **WINDOW), seen(*SAME_PLUGS)], "link_light", "gpu1:eth0",
         "gpu1:eth0 receives 6.5 dBm, at most 5 allowed"),
        ([seen(*GOOD), seen(*SAME_PLUGS, post_fec_ber=3e-9)], "link_errors", "leaf1:Ethernet1/1",
         "leaf1:Ethernet1/1 has a post-FEC bit error ratio of 3.0e-09, at most 1.0e-12 allowed"),
        ([seen(*GOOD, lanes=1)], "link_narrow", "gpu1:eth0", "gpu1:eth0 runs on 1 of 4 lanes"),
        ([seen(*GOOD, flaps_24h=6)], "link_flapping", "gpu1:eth0", "gpu1:eth0 went down 6 times in 24 h"),
    ],
)  # fmt: skip
def test_a_link_that_passes_for_up_and_carries_badly_is_a_finding_at_the_end_that_shows_it(
    told, code, subject, message
):
    (found,) = findings(ONE, *told)
    place = next(n for n, row in enumerate(told, start=3) if f"{row['a_device']}:{row['a_port']}" == subject)
    assert found == {"code": code, "subject": subject, "_row": place, "message": f"{message} {CABLE}"}


def test_what_is_sound_unmeasured_dark_or_elsewhere_is_no_such_finding():
    assert findings(ONE, seen(*GOOD, rx_power_dbm=-2, post_fec_ber=0, flaps_24h=4, **WINDOW)) == []
    assert findings(ONE, seen(*GOOD) | {"state": "down"}) == []
    assert findings(ONE) == []
    assert findings(ONE, seen("gpu1", "eth0", "leaf1", "Ethernet1/9", rx_power_dbm=-9, **WINDOW)) == []


def test_many_faults_of_a_kind_in_a_system_are_one_finding():
    links = []
    for number in range(4):
        ends = (f"h{number}", "eth0", "leaf1", f"p{number}")
        links += [plan(*ends), seen(*ends, rx_power_dbm=-9, **WINDOW)]
    (found,) = findings(*links, thresholds={"late_shipments_listed": 3})
    assert found["message"] == "4 cables have such a fault, for example h0:eth0 receives -9 dBm, at least -6 needed"


def test_a_cable_nobody_saw_has_no_checks():
    row = health(ONE)
    assert {row[name] for name in CHECKS} == {"no data"}
    assert row["faults"] == ""


def rework(*links, **data):
    con = modelled({"links": list(links), **data}, "mart.link_rework", "mart.link_health")
    return rows(con, "FROM mart.link_rework ORDER BY step"), con


SECOND = plan("gpu2", "eth0", "leaf1", "Ethernet1/2")


def test_a_swap_is_one_job_at_the_switch():
    (job,), con = rework(
        PLAN, SECOND, seen("gpu1", "eth0", "leaf1", "Ethernet1/2"), seen("gpu2", "eth0", "leaf1", "Ethernet1/1")
    )
    assert (job["device"], job["port"], job["fault"]) == ("leaf1", "Ethernet1/1", "swapped")
    assert job["task"] == "exchange with gpu2:eth0 - leaf1:Ethernet1/2"
    assert rows(con, "SELECT swaps, wrong_port, ok FROM mart.link_health") == [{"swaps": 1, "wrong_port": 2, "ok": 0}]


@pytest.mark.parametrize(
    ("found", "at", "fault", "task"),
    [
        (seen("gpu1", "eth0", "leaf1", "Ethernet1/9"), ("leaf1", "Ethernet1/1"), "wrong port",
         "move; found gpu1:eth0 - leaf1:Ethernet1/9"),
        (seen("gpu1", "eth7", "leaf1", "Ethernet1/1"), ("gpu1", "eth0"), "wrong port",
         "move; found leaf1:Ethernet1/1 - gpu1:eth7"),
        (seen("gpu1", "eth0", "leaf7", "Ethernet1/1"), ("leaf1", "Ethernet1/1"), "wrong device",
         "move; found gpu1:eth0 - leaf7:Ethernet1/1"),
        (seen(*GOOD) | {"state": "down"}, ("gpu1", "eth0"), "down", "down"),
        (seen(*SAME_PLUGS, rx_power_dbm=-9, rx_min_dbm=-6), ("leaf1", "Ethernet1/1"), "faulty",
         "receives -9 dBm, at least -6 needed"),
    ],
)  # fmt: skip
def test_the_technician_goes_to_the_plug_that_sits_wrong(found, at, fault, task):
    (job,), _ = rework(PLAN, found)
    assert ((job["device"], job["port"]), job["fault"], job["task"]) == (at, fault, task)


def test_missing_and_unplanned_cables_are_jobs_and_what_nobody_reported_is_none():
    jobs, _ = rework(
        PLAN, SECOND, plan("gpu9", "eth0", "leaf9", "p1"), seen(*GOOD), seen("leaf1", "x", "stranger", "y")
    )
    assert [(job["device"], job["fault"], job["task"]) for job in jobs] == [
        ("gpu2", "missing", "connect"), ("leaf1", "unplanned", "take out, or put into the plan")
    ]  # fmt: skip


def test_jobs_come_as_one_walks():
    places = [("DH1-A10-01", "U3"), ("DH1-A2-11", "U10"), ("DH1-A2-2", "U40"), ("DH1-A2-11", "U9"), ("DH2-A1-1", "U1")]
    links = []
    for number, (rack, position) in enumerate(places):
        ends = (f"h{number}", "eth0", "leaf1", f"p{number}")
        links += [dict(plan(*ends), a_rack=rack, a_position=position), seen(*ends) | {"state": "down"}]
    jobs, _ = rework(*links)
    assert [(job["hall"], job["row"], job["rack"], job["position"]) for job in jobs] == [
        ("DH1", "A2", "DH1-A2-2", "U40"),
        ("DH1", "A2", "DH1-A2-11", "U9"),
        ("DH1", "A2", "DH1-A2-11", "U10"),
        ("DH1", "A10", "DH1-A10-01", "U3"),
        ("DH2", "A1", "DH2-A1-1", "U1"),
    ]


def test_the_register_knows_better_than_the_plan_where_a_device_stands():
    asset = {"asset_id": "A1", "name": "gpu1.example.net", "site_id": "DFW1", "rack": "B7", "position": "U12",
             "status": "active", "part_number": "X"}  # fmt: skip
    (job,), _ = rework(
        dict(PLAN, a_rack="A1", a_position="U1"), seen(*GOOD) | {"state": "down"}, installs=[asset],
        sites=[{"site_id": "DFW1", "name": "Dallas"}],
    )  # fmt: skip
    assert (job["site_id"], job["rack"], job["position"]) == ("DFW1", "B7", "U12")
