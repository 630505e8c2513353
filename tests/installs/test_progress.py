"""Install progress: places, backlog by age, rates of crews, first passes, stock. The data date is 30 October 2026."""

from datetime import date, datetime

import pytest

from tests.readiness.cluster import BASELINES, PART, cluster
from tests.readiness.tiny import modelled, rows


def day(number, month=10):
    return date(2026, month, number)


def device(name, **changes):
    """Return a production device of the cluster, in stock, without any step."""
    return {"asset_id": f"A-{name}", "serial": f"SN-{name}", "name": name, "part_number": PART, "system_id": "TRAIN-1",
            "site_id": "DFW1", "status": "inventory", "crew": "Day"} | changes  # fmt: skip


def steps(racked=None, cabled=None, powered=None, provisioned=None, **changes):
    return {"racked": racked, "cabled": cabled, "powered": powered, "provisioned": provisioned, "status": "staged"} | (
        changes
    )


def programme(*devices, **more):
    data = cluster(1)
    return data | {"installs": list(devices), "receipts": [], **more}


BACKLOG = [
    device("in stock", serial="S-1"),  # received on 20 October: waits to be racked for 10 days
    device("lost", serial="S-2"),  # in stock, on no receipt: its age is unknown
    device("planned", status="planned"),  # not here
    device("booked", status="planned", serial="S-3"),  # planned, and received on 28 October
    device("staged", staged=day(1), status="staged"),  # 29 days
    device("racked", **steps(day(10))),  # 20 days
    device("cabled", **steps(day(10), day(23))),  # 7 days
    device("gap", **steps(day(10), None, day(22))),  # powered: its cabling was not written down, nor awaited
    device("done", **steps(day(1), day(2), day(3), day(4), status="active")),
    device("undated", status="active"),  # in use, nothing dated: not known to wait
    device("spare", purpose="spare"),
    device("broken", **steps(day(1), status="failed")),
    device("early", **steps(date(2026, 11, 3))),  # what is to come has not happened
    device("gone", status="decommissioning"),
    {"asset_id": "A-gpu", "part_number": "GPU", "parent_serial": "SN-racked", "racked": day(10), "status": "active"},
]
BOOKED = [
    {"receipt": "R", "line": str(place), "part_number": PART, "site_id": "DFW1", "place": "site", "qty_good": 1,
     "serials": serial, "received": received} for place, (serial, received) in enumerate((("S-1", day(20)), ("S-3",
     day(28))))
]  # fmt: skip


@pytest.fixture(scope="module")
def backlog():
    return modelled(programme(*BACKLOG, receipts=BOOKED), "mart.install_backlog")


def test_a_device_waits_for_the_step_after_its_last_one(backlog):
    query = "SELECT device, step, age_days FROM core.install_waits ORDER BY device"
    assert {row["device"]: (row["step"], row["age_days"]) for row in rows(backlog, query)} == {
        "in stock": ("racked", 10),
        "lost": ("racked", None),
        "booked": ("racked", 2),
        "staged": ("racked", 29),
        "early": ("racked", None),
        "racked": ("cabled", 20),
        "cabled": ("powered", 7),
        "gap": ("provisioned", 8),
    }


def test_the_backlog_is_in_classes_of_age_and_adds_up(backlog):
    query = """SELECT step, waiting, to_7_days, to_14_days, to_28_days, over_28_days, unknown_age, median_days,
        oldest_days, oldest FROM mart.install_backlog ORDER BY step_no"""
    held = [tuple(row.values()) for row in rows(backlog, query)]
    assert held == [
        ("racked", 5, 1, 1, 0, 1, 2, 10, 29, "staged"),  # ages 2, 10, 29, and two unknown
        ("cabled", 1, 0, 0, 1, 0, 0, 20, 20, "racked"),
        ("powered", 1, 1, 0, 0, 0, 0, 7, 7, "cabled"),
        ("provisioned", 1, 0, 1, 0, 0, 0, 8, 8, "gap"),
    ]
    assert all(row[1] == sum(row[2:7]) for row in held)


def test_a_step_that_nobody_records_is_not_waited_for():
    con = modelled(programme(device("a", **steps(day(10)))), "core.install_waits")
    assert rows(con, "SELECT device, step FROM core.install_waits") == []  # only racking is ever written down


@pytest.fixture(scope="module")
def rates():
    devices = [
        *(device(f"a{n}", **steps(day(20), day(22))) for n in range(4)),
        *(device(f"b{n}", **steps(day(21))) for n in range(2)),
        *(device(f"c{n}", crew="Night", **steps(day(21))) for n in range(3)),
        device("d", crew=None, **steps(day(29))),
        device("old", **steps(day(2))),  # exactly 28 days ago: outside
        device("spare", purpose="spare", **steps(day(21))),  # work all the same
        device("no crew site", site_id=None, system_id=None, crew=" ", part_number="X", **steps(day(29))),
    ]
    return modelled(programme(*devices), "mart.install_rates", "mart.install_days")


def test_a_rate_is_per_day_on_which_the_crew_worked(rates):
    query = "SELECT site_id, crew, step, devices, days_worked, per_day, best_day FROM mart.install_rates ORDER BY ALL"
    assert [tuple(row.values()) for row in rows(rates, query)] == [
        ("(no site)", "(no crew)", "racked", 1, 1, None, 1),
        ("DFW1", "(no crew)", "racked", 1, 1, None, 1),
        ("DFW1", "Day", "cabled", 4, 1, None, 4),  # four devices are no rate yet
        ("DFW1", "Day", "racked", 7, 2, 3.5, 4),
        ("DFW1", "Night", "racked", 3, 1, None, 3),
    ]


def test_rates_and_days_count_the_same_devices(rates):
    (rate,) = rows(rates, "SELECT sum(devices)::INT AS n FROM mart.install_rates WHERE step = 'racked'")
    (days,) = rows(rates, "SELECT sum(racked)::INT AS n FROM mart.install_days")
    (every,) = rows(rates, "SELECT count(*) AS n FROM core.install_steps WHERE step = 'racked'")
    assert (rate["n"], days["n"], every["n"]) == (12, 12, 13)


def test_planned_places_against_actual_ones():
    plan = {"planned_rack": "B-07", "planned_position": "U21"}
    devices = [
        device("same", rack="b07", position="21", **plan, **steps(day(1))),
        device("padded", rack="B-07", position="U021", **plan, **steps(day(1))),
        device("higher", rack="B-07", position="U22", **plan, **steps(day(1))),
        device("elsewhere", rack="B-08", position="U21", **plan, **steps(day(1))),
        device("untold", rack="B-07", **plan, **steps(day(1))),
        device("nowhere", **plan, **steps(day(1))),
        device("to come", **plan),
        device("unplanned", rack="B-07", position="U1", **steps(day(1))),
        device("rack only", planned_rack="B-07", rack="B-07", position="U9", **steps(day(1))),
        device("undated", rack="B-07", position="U21", status="active", **plan),
    ]
    con = modelled(programme(*devices), "mart.positions", "core.found_installs")
    held = {row["device"]: row["state"] for row in rows(con, "SELECT device, state FROM core.device_positions")}
    assert held == {
        "same": "as planned", "padded": "as planned", "higher": "other position", "elsewhere": "other rack",
        "untold": "no position", "nowhere": "no position", "to come": "not placed", "unplanned": "no plan",
        "rack only": "as planned", "undated": "as planned",
    }  # fmt: skip
    (sums,) = rows(con, "SELECT * EXCLUDE (system_key, system_id) FROM mart.positions")
    assert tuple(sums.values()) == (10, 4, 1, 1, 2, 1, 1)
    found = rows(con, "SELECT subject, message FROM core.found_installs ORDER BY 1")
    assert [row["subject"] for row in found] == ["elsewhere", "higher"]
    assert found[1]["message"] == "higher is planned in B-07 U21 and stands in B-07 U22"


def test_many_wrong_places_of_a_system_are_one_finding():
    devices = [device(f"n{n}", planned_rack="A", rack="B", **steps(day(1))) for n in range(4)]
    con = modelled(programme(*devices), "core.found_installs", thresholds={"late_shipments_listed": 3})
    (one,) = rows(con, "SELECT subject, message FROM core.found_installs")
    assert one["subject"] == "TRAIN-1"
    assert one["message"].startswith("TRAIN-1: 4 cases of position differs, for example n3 is planned in A")


def test_only_production_bears_capacity_and_the_rest_stands_apart():
    devices = [
        *(device(f"p{n}", **steps(day(1))) for n in range(3)),
        device("p-planned", status="planned"),
        device("s1", purpose="spare"),
        device("s2", purpose="spare", system_id=None),
        device("l1", purpose="loan", return_due=day(20), owner="Ostler", status="active"),
        device("l2", purpose="loan", return_due=day(30), status="active"),
        device("l3", purpose="loan", status="active"),
        device("l4", purpose="loan", return_due=day(1), status="decommissioning"),  # went back
        device("e", purpose="evaluation", part_number="OTHER", status="active"),
        device("cable", part_number="CABLE"),
    ]
    con = modelled(programme(*devices), "mart.stock", "core.found_installs")
    query = """SELECT coalesce(system_id, ''), part_number, purpose, pieces, planned, in_stock, capacity::INT,
        capacity_aside::INT, overdue, without_return FROM mart.stock ORDER BY ALL"""
    assert [tuple(row.values()) for row in rows(con, query)] == [
        ("", PART, "spare", 1, 0, 1, 0, 8, 0, 0),
        ("TRAIN-1", "OTHER", "evaluation", 1, 0, 0, 0, 0, 0, 0),
        ("TRAIN-1", PART, "loan", 3, 0, 0, 0, 24, 1, 1),
        ("TRAIN-1", PART, "production", 4, 1, 0, 24, 0, 0, 0),
        ("TRAIN-1", PART, "spare", 1, 0, 1, 0, 8, 0, 0),
    ]
    found = rows(con, "SELECT code, subject, message FROM core.found_installs")
    assert found == [
        {"code": "loan_overdue", "subject": "l1",
         "message": "l1 is on loan from Ostler and was to go back on 2026-10-20, 10 days ago"}
    ]  # fmt: skip


def fault(name, opened, **changes):
    return {"failure_id": f"F-{name}-{opened}", "serial": f"SN-{name}", "kind": "ECC", "opened": opened} | changes


def test_first_pass_of_bring_up_is_without_a_fault_until_provisioned():
    up = steps(day(1), day(2), day(3), day(4), status="active")
    names = ("clean", "dead", "later", "before", "open", "dying")
    devices = [device(name, **up) for name in names[:4]]
    devices += [device("open", **steps(day(5))), device("dying", **steps(day(5)))]
    devices += [device("long ago", **steps(day(1, 8), day(2, 8), day(3, 8), day(4, 8), status="active"))]
    failures = [fault("dead", day(3)), fault("later", day(9)), fault("before", day(20, 9)), fault("dying", day(6))]
    con = modelled(programme(*devices, failures=failures), "mart.first_pass", thresholds={"judged_from": 5})
    held = {row["unit_key"]: row["passed"] for row in rows(con, "SELECT unit_key, passed FROM core.first_attempts")}
    assert held == {
        "a-clean": True, "a-dead": False, "a-later": True, "a-before": True, "a-dying": False, "a-long ago": True,
    }  # fmt: skip
    query = "SELECT finished, passed, yield::DOUBLE AS share FROM mart.first_pass"
    assert rows(con, query) == [{"finished": 5, "passed": 3, "share": 0.6}]  # the last six weeks


def test_without_any_record_of_faults_bring_up_has_no_yield():
    up = steps(day(1), day(2), day(3), day(4), status="active")
    con = modelled(programme(device("clean", **up)), "mart.first_pass")
    assert rows(con, "SELECT * FROM mart.first_pass") == []


def test_first_pass_of_acceptance_is_the_first_complete_run():
    data = cluster(5)
    first = {row["node"]: row for row in data["benchmarks"]}
    retest = {"run": "again", "value": 470.0, "measured_at": datetime(2026, 10, 2)}
    low, cut, wrong, stale = (first[f"TRAIN-1-n{number}"] for number in range(4))
    for row in data["benchmarks"]:
        row["measured_at"] = datetime(2026, 10, 1)
    low |= {"value": 440.0}  # the limit is 460 GB/s; passes later
    cut |= {"complete": False, "value": 10.0}  # no measurement: the next one is the first
    wrong |= {"correctness": "wrong"}
    stale |= {"measured_at": datetime(2026, 9, 1)}  # passed more than six weeks ago
    data["benchmarks"] += [dict(low) | retest, dict(cut) | retest | {"complete": True}, dict(wrong) | retest]
    con = modelled(data, "mart.first_pass", acceptance=BASELINES, thresholds={"judged_from": 4})
    query = "SELECT unit_key, passed, note FROM core.first_attempts ORDER BY 1"
    assert [(row["unit_key"], row["passed"]) for row in rows(con, query)] == [
        ("a-train-1-n0", False),
        ("a-train-1-n1", True),
        ("a-train-1-n2", False),
        ("a-train-1-n3", True),
        ("a-train-1-n4", True),
    ]
    query = "SELECT gate, finished, passed, yield::DOUBLE AS share FROM mart.first_pass"
    assert rows(con, query) == [{"gate": "acceptance", "finished": 4, "passed": 2, "share": 0.5}]
