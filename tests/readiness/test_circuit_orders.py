"""Orders of circuits from quote to service: letters, both ends, promises kept, and tests against the rate ordered."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from tests.readiness.tiny import built, rows

# The data date is Friday 30 October 2026.
SITES = [
    {"site_id": "ABL", "name": "Abilene", "region": "us-central", "country": "US", "facility": "first_party"},
    {"site_id": "IAD", "name": "Ashburn", "region": "us-east", "country": "US", "facility": "colo"},
    {"site_id": "ATL", "name": "Atlanta", "region": "us-south", "country": "US", "facility": "colo"},
]
ORDERED = {"quoted": date(2026, 5, 20), "ordered": date(2026, 6, 1)}
LETTER = {"loa_cfa_issued": date(2026, 9, 1), "loa_cfa_expiry": date(2026, 11, 30)}
FIRM = {"firm_date": date(2026, 11, 20)}
DONE = {"tested": date(2026, 10, 5), "in_service": date(2026, 10, 8), "customer_state": "active",
        "provider_state": "active"}  # fmt: skip


def circuit(name, *parts, **changes):
    row = {"circuit": name, "system_id": name, "a_site": "ABL", "z_site": "IAD", "gbps": 100, "provider": "Fibre Ltd",
           "spans": "ABL-IAD"}  # fmt: skip
    return row | {key: value for part in parts for key, value in part.items()} | changes


def cross(name, of, end, **changes):
    row = {"cross_connect": name, "circuit": of, "end": end, "site_id": "IAD" if end == "z" else "ABL",
           "provider": "Colo Inc", "ordered": date(2026, 9, 2)}  # fmt: skip
    return row | LETTER | changes


def link(name):
    return {"system_id": name, "name": name, "kind": "wan_link", "site_id": "IAD", "supply_model": "leased",
            "owner": "Ana"}  # fmt: skip


def promise(name):
    return {"contract": name, "line": "1", "phase": "1", "amendment": 0, "system_id": name, "quantity": 100,
            "unit": "Gbit/s", "contract_date": date(2026, 12, 1)}  # fmt: skip


INSTALLED = {"installed": date(2026, 9, 20)}
LIT = INSTALLED | {"light": date(2026, 9, 21)}
# Per case: the circuit, its cross-connects; then step, next step and what it waits for, and the state of the letter.
LIFE = {
    "nothing": (circuit("nothing"), (), None, "quoted", "a quote", "not issued"),
    "quoted": (circuit("quoted", {"quoted": date(2026, 10, 1)}), (), "quoted", "ordered", "our order", "not issued"),
    "to come": (circuit("to come", {"quoted": date(2026, 11, 1)}), (), None, "quoted", "a quote", "not issued"),
    "ordered": (circuit("ordered", ORDERED), (), "ordered", "LOA-CFA", "LOA-CFA", "not issued"),
    "letter": (circuit("letter", ORDERED, LETTER), (), "LOA-CFA", "firm date", "a firm date", "valid"),
    "last day": (circuit("last day", ORDERED, LETTER, loa_cfa_expiry=date(2026, 10, 30)), (), "LOA-CFA", "firm date",
                 "a firm date", "expiring"),
    "expired": (circuit("expired", ORDERED, LETTER, FIRM, loa_cfa_expiry=date(2026, 10, 29)), (), "firm date",
                "LOA-CFA", "LOA-CFA (expired 2026-10-29)", "expired"),
    "firm": (circuit("firm", ORDERED, LETTER, FIRM), (), "firm date", "cross-connected", "the provider", "valid"),
    "delivered": (circuit("delivered", ORDERED, FIRM, delivered=date(2026, 10, 28)), (), "cross-connected", "light",
                  "light", "not needed"),
    "light": (circuit("light", ORDERED, FIRM, light=date(2026, 10, 28)), (), "light", "tested", "a test",
              "not needed"),
    "tested": (circuit("tested", ORDERED, FIRM, tested=date(2026, 10, 28)), (), "tested", "in service",
               "going into service", "not needed"),
    "live": (circuit("live", ORDERED, FIRM, DONE), (), "in service", None, None, "not needed"),
    # The circuit's own letter does not count where those of its cross-connects are known: one of the two is too old.
    "one end": (circuit("one end", ORDERED, LETTER, FIRM),
                (("xa", "a", INSTALLED), ("xz", "z", {"loa_cfa_expiry": date(2026, 10, 17)})), "firm date", "LOA-CFA",
                "LOA-CFA of xz (expired 2026-10-17)", "expired"),
    "no letter": (circuit("no letter", ORDERED, FIRM), (("na", "a", {}), ("nz", "z", {"loa_cfa_issued": None})),
                  "firm date", "LOA-CFA", "LOA-CFA of nz (not issued)", "not issued"),
    "half": (circuit("half", ORDERED, FIRM, delivered=date(2026, 10, 1)), (("ha", "a", LIT), ("hz", "z", {})),
             "firm date", "cross-connected", "cross-connect hz", "valid"),
    "dark": (circuit("dark", ORDERED, FIRM, delivered=date(2026, 10, 1)), (("da", "a", LIT), ("dz", "z", INSTALLED)),
             "cross-connected", "light", "light on dz", "not needed"),
    "lit": (circuit("lit", ORDERED, FIRM, delivered=date(2026, 10, 1)), (("la", "a", LIT), ("lz", "z", LIT)), "light",
            "tested", "a test", "not needed"),
}  # fmt: skip


def result(of, direction, mbps, test="rfc2544", frame=1518, day=12, **changes):
    row = {"circuit": of, "test": test, "direction": direction, "frame_bytes": frame, "layer": 1,
           "measured_at": datetime(2026, 10, day, 6), "throughput_mbps": mbps, "loss_percent": 0}  # fmt: skip
    return row | changes


def iperf(of, direction, bits, **changes):
    row = {"run": f"{of} {direction}", "node": of, "test": "iperf3_tcp", "metric": "throughput", "value": bits,
           "unit": "bit/s", "direction": direction, "status": "valid", "complete": True,
           "measured_at": datetime(2026, 10, 12, 6)}  # fmt: skip
    return row | changes


def both(of, mbps, **changes):
    return [result(of, "a_to_z", mbps, **changes), result(of, "z_to_a", mbps, **changes)]


# Ordered are 100 Gbit/s. Per case: results of the tester, logs of iperf3, the verdict, the least share.
TESTS = {
    "t full": (both("t full", 100_000), [], "pass", 1),
    "t resolution": (both("t resolution", 98_000), [], "pass", 0.98),
    "t short": ([result("t short", "a_to_z", 100_000), result("t short", "z_to_a", 97_900)], [], "fail", 0.979),
    # Frames of 64 bytes at line rate: 100,000 x 64 / 84 = 76,190.5 Mbit/s of frames are the whole line.
    "t frames": (both("t frames", 76_190.5, frame=64, layer=2), [], "pass", 1),
    "t frames short": (both("t frames short", 70_000, frame=64, layer=2), [], "fail", 0.91875),
    "t lossy": (both("t lossy", 100_000, loss_percent=0.01), [], "fail", 1),
    "t service": ([result("t service", "loop", 99_000, "y1564", 0, loss_percent=0.001, outcome="pass")], [],
                  "pass", 0.99),
    "t service lossy": ([result("t service lossy", "loop", 99_000, "y1564", 0, loss_percent=0.001)], [], "fail", 0.99),
    "t refused": ([result("t refused", "loop", 100_000, "y1564", 0, outcome="fail")], [], "fail", 1),
    "t one way": ([result("t one way", "a_to_z", 100_000)], [], "partial", 1),
    "t again": ([*both("t again", 60_000, day=10), *both("t again", 100_000, day=14)], [], "pass", 1),
    "t later": ([*both("t later", 100_000, day=10), result("t later", "z_to_a", 60_000, day=14)], [], "fail", 0.6),
    "t to come": ([*both("t to come", 100_000, day=10), *both("t to come", 5, day=31)], [], "pass", 1),
    "t iperf": ([], [("forward", 94.1e9), ("reverse", 90e9)], "pass", 0.9),
    "t iperf short": ([], [("forward", 94.1e9), ("reverse", 89e9)], "fail", 0.89),
    "t iperf one way": ([], [("forward", 94.1e9)], "partial", 0.941),
    # A run that broke off is no result, so only the tester's counts.
    "t broken": (both("t broken", 100_000), [("reverse", 1e9, {"complete": False})], "pass", 1),
}  # fmt: skip


@pytest.fixture(scope="module")
def con():
    circuits = [case[0] for case in LIFE.values()]
    circuits += [circuit(name, ORDERED, FIRM, tested=date(2026, 10, 12)) for name in TESTS]
    crosses = [cross(name, of, end, **more) for of, case in LIFE.items() for name, end, more in case[1]]
    logs = [iperf(of, way, bits, **dict(*more)) for of, case in TESTS.items() for way, bits, *more in case[1]]
    names = [*LIFE, *TESTS]
    return built({
        "sites": SITES,
        "systems": [link(name) for name in names],
        "commitments": [promise(name) for name in names],
        "circuits": circuits, "cross_connects": crosses, "benchmarks": logs,
        "circuit_tests": [row for case in TESTS.values() for row in case[0]],
    })  # fmt: skip


@pytest.mark.parametrize("case", LIFE)
def test_how_far_an_order_has_come(con, case):
    _, _, step, following, waits, letter = LIFE[case]
    (row,) = rows(con, f"FROM mart.circuit_orders WHERE circuit = '{case}'")
    assert (row["step"], row["next_step"], row["waits_for"], row["letter"]) == (step, following, waits, letter)


def states(con, case):
    query = "SELECT stage, has FROM core.unit_stages WHERE unit_key = $1"
    return dict(con.sql(query, params=[case]).fetchall())


def test_a_circuit_is_delivered_when_both_ends_are(con):
    installed = {case: states(con, case)["installed"] for case in ("delivered", "half", "dark", "lit", "firm")}
    assert installed == {"delivered": True, "half": False, "dark": True, "lit": True, "firm": False}


@pytest.mark.parametrize("case", TESTS)
def test_a_test_is_judged_against_the_rate_ordered(con, case):
    *_, verdict, share = TESTS[case]
    (row,) = rows(con, f"FROM core.circuit_test_now WHERE circuit_key = '{case}'")
    assert row["verdict"] == verdict
    assert float(row["least_share"]) == pytest.approx(share, rel=1e-6)
    # A date says tested; a result that falls short outweighs it. One direction alone refutes nothing.
    assert states(con, case)["accepted"] is (verdict != "fail")
    query = "SELECT metric, value FROM mart.metrics WHERE system_id = $1 AND metric LIKE 'circuit_test_%'"
    assert dict(con.sql(query, params=[case]).fetchall()) == {
        "circuit_test_coverage": verdict != "partial", "circuit_test_pass_share": verdict == "pass",
    }  # fmt: skip


def test_a_result_proves_what_comes_before_it_whatever_it_says():
    # No date tells of a test: the results alone say that the circuit is there, has light, and reaches its rate or not.
    circuits = [circuit(name, ORDERED, FIRM, system_id="W") for name in ("pass", "fail", "quiet")]
    results = [result("pass", "loop", 100_000), result("fail", "loop", 50_000)]
    con = built({"sites": SITES, "systems": [link("W")], "commitments": [promise("W")], "circuits": circuits,
                 "circuit_tests": results})  # fmt: skip
    query = "SELECT unit_key, list(stage ORDER BY stage_no) FROM core.unit_stages WHERE applicable AND has GROUP BY 1"
    assert dict(con.sql(query).fetchall()) == {
        "pass": ["ordered", "installed", "l1_valid", "accepted"], "fail": ["ordered", "installed", "l1_valid"],
        "quiet": ["ordered"],
    }  # fmt: skip
    assert con.sql("SELECT count(*) FROM mart.findings WHERE code = 'stage_skipped'").fetchall() == [(0,)]


def test_no_result_is_no_data_and_not_a_failure(con):
    query = """SELECT criterion, state FROM mart.criteria
    WHERE system_id = 'tested' AND criterion IN ('measured', 'rate_reached')"""
    assert dict(con.sql(query).fetchall()) == {"measured": "not met", "rate_reached": "no data"}
    assert states(con, "tested")["accepted"] is True


def test_findings_of_orders_and_tests(con):
    query = """SELECT code, subject FROM mart.findings
    WHERE dataset IN ('circuits', 'cross_connects', 'circuit_tests', 'benchmarks') AND code <> 'stage_skipped'
    ORDER BY ALL"""
    found = [(code, subject) for code, subject in con.sql(query).fetchall() if code != "circuit_without_spans"]
    short = sorted(("circuit_test_short", name) for name, case in TESTS.items() if case[2] == "fail")
    one_way = sorted(("circuit_test_one_way", name) for name, case in TESTS.items() if case[2] == "partial")
    assert found == [*one_way, *short, ("loa_expired", "expired"), ("loa_expired", "xz")]


def promised(name, first, last, done, provider="Fibre Ltd", **more):
    return circuit(name, {"ordered": date(2026, 7, 1), "first_firm_date": first, "firm_date": last, "delivered": done},
                   provider=provider, system_id="W", **more)  # fmt: skip


def test_providers_are_judged_on_what_they_promised_first():
    first = date(2026, 9, 1)
    circuits = [
        promised("early", None, first, date(2026, 8, 30)),  # 2 days early
        promised("moved", first, date(2026, 9, 15), date(2026, 9, 15)),  # 14 days late, in time after it moved
        promised("late", None, first, date(2026, 9, 11), provider="fibre ltd "),  # 10 days late, the same provider
        promised("open", None, date(2026, 10, 1), None),  # overdue
        promised("unpromised", None, None, None),
        promised("other", None, first, first, provider="Waves"),
        promised("undated", None, None, date(2026, 9, 3), provider="Waves"),  # delivered without a promise: not judged
    ]
    crosses = [cross("x", "early", "z", firm_date=date(2026, 9, 10), installed=date(2026, 9, 12))]
    con = built({"sites": SITES, "circuits": circuits, "cross_connects": crosses, "systems": [link("W")]})  # fmt: skip
    columns = "provider, delivers, known, delivered, on_time, on_time_last, median_days, worst_days, promises_moved"
    assert con.sql(
        f"SELECT {columns}, overdue, without_promise FROM mart.circuit_providers ORDER BY ALL"
    ).fetchall() == [
        ("Colo Inc", "cross-connects", 1, 1, 0, 0, 2, 2, 0, 0, 0),
        ("Fibre Ltd", "circuits", 5, 3, 1, 2, 10, 14, 1, 1, 1),
        ("Waves", "circuits", 2, 1, 1, 1, 0, 0, 0, 0, 0),
    ]
    # From order to delivery: 60, 76 and 72 days of three.
    lead = "SELECT lead_n, median_lead_days FROM mart.circuit_providers WHERE provider_key = 'fibre ltd'"
    assert con.sql(lead).fetchall() == [(3, 72)]


def test_contradictions_between_a_circuit_and_its_cross_connects():
    circuits = [circuit("c1", ORDERED, FIRM, a_site="ATL", system_id="W"),
                circuit("c2", ORDERED, FIRM, system_id="W", tested=date(2026, 10, 20)),
                circuit("c3", ORDERED, FIRM, system_id="W")]  # fmt: skip
    crosses = [
        cross("x1", "c1", "z", firm_date=date(2026, 12, 5)),  # promised after the last day of its letter; no end at ATL
        cross("x2", "c2", "z"),  # the circuit is tested over a cross-connect that is not there
        cross("x3", "c3", "z", loa_cfa_expiry=date(2026, 11, 13)),  # expires within two weeks and nobody promised a day
    ]
    con = built({"sites": SITES, "circuits": circuits, "cross_connects": crosses, "systems": [link("W")]})  # fmt: skip
    query = """SELECT code, subject FROM mart.findings WHERE code LIKE 'loa%' OR code LIKE '%connect%' ORDER BY ALL"""
    assert con.sql(query).fetchall() == [
        ("cross_connect_unknown", "c1"), ("loa_expiring", "x1"), ("loa_expiring", "x3"),
        ("tested_before_connected", "c2"),
    ]  # fmt: skip
