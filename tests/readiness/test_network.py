"""From delivered circuits to region pairs by week, relief, both sides of an interconnect, and what contradicts what."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

import pytest

from tests.readiness.tiny import built, rows

SITES = [
    {"site_id": "ABL", "name": "Abilene", "region": "us-central", "facility": "first_party"},
    {"site_id": "IAD", "name": "Ashburn", "region": "us-east", "facility": "colo"},
    {"site_id": "EUS2", "name": "East US 2", "region": "us-east", "facility": "cloud"},
    {"site_id": "DUB", "name": "Dublin", "region": "eu-west", "facility": "colo"},
]
LIVE = {
    "tested": date(2026, 9, 1),
    "in_service": date(2026, 9, 7),
    "customer_state": "active",
    "provider_state": "active",
    "ordered": date(2026, 6, 1),
}


def system(name, kind="wan_link"):
    return {"system_id": name, "name": name, "kind": kind, "site_id": "IAD", "supply_model": "leased", "owner": "Ana"}


def wave(circuit, spans, group=None, **changes):
    row = {
        "circuit": circuit, "system_id": "WAN-1", "a_site": "ABL", "z_site": "IAD", "gbps": 400, "latency_ms": 24,
        "spans": spans, "diversity_group": group,
    }  # fmt: skip
    return row | LIVE | changes


def programme(*circuits, kind="wan_link", **datasets):
    return {
        "sites": SITES,
        "systems": [system("WAN-1", kind)],
        "commitments": [
            {
                "contract": "C", "line": "1", "phase": "1", "amendment": 0, "system_id": "WAN-1", "quantity": 800,
                "unit": "Gbit/s", "contract_date": date(2026, 10, 1),
            }
        ],
        "circuits": list(circuits),
        **datasets,
    }  # fmt: skip


SOUTH = wave("S-1", "ABL-DFW-IAD", "south")
NORTH = wave("N-1", "ABL-MCI-IAD", "north", latency_ms=Decimal("27.5"))
WAITING = {"tested": None, "in_service": None, "customer_state": "ordered", "provider_state": "ordered"}
COMING = wave("N-2", "ABL-MCI-CMH-IAD", "north", latency_ms=28, firm_date=date(2026, 11, 20), **WAITING)
DEMAND = [
    {"scope": "US-East:us-central", "week": week, "low": 100, "mid": mid, "high": high}
    for week, mid, high in (("2026-W40", 300, 500), ("2026-W47", 700, 900))
]


def pairs(con, *columns):
    listed = ", ".join(columns)
    return con.sql(f"SELECT in_week, {listed} FROM mart.wan_pairs ORDER BY region_a, region_b, week_no").fetchall()


def found(con):
    """Findings of circuits, sessions and demand; how far a circuit has come is told elsewhere."""
    query = "SELECT code, subject, severity FROM mart.findings WHERE dataset IN ('circuits', 'sessions', 'demand')"
    return con.sql(f"{query} AND code <> 'stage_skipped' ORDER BY ALL").fetchall()


def metric(con, name, system_key="wan-1"):
    query = "SELECT value FROM mart.metrics WHERE metric = $1 AND system_key = $2"
    return con.sql(query, params=[name, system_key]).fetchall()[0][0]


class TestWeeks:
    def test_a_planned_circuit_counts_from_its_week_and_demand_says_what_is_covered(self):
        con = built(programme(SOUTH, wave("S-2", "ABL-DFW-IAD", "south"), NORTH, COMING, demand=DEMAND))
        assert pairs(con, "region_a", "region_b", "capacity_gbps", "n1_gbps", "state") == [
            # Two circuits of the south share their spans: one failure leaves the northern 400.
            ("2026-W44", "us-central", "us-east", 1200, 400, "covered to mid"),
            ("2026-W45", "us-central", "us-east", 1200, 400, "covered to mid"),
            ("2026-W46", "us-central", "us-east", 1200, 400, "covered to mid"),
            # From its firm date on the second northern circuit counts: 800 of 1600 are left.
            ("2026-W47", "us-central", "us-east", 1600, 800, "covered to mid"),
        ]
        assert con.sql("FROM mart.wan_relief").fetchall() == [
            ("us-central", "us-east", "N-2", "2026-W47", 3, date(2026, 11, 20), 400, 400, "N-1; S-1; S-2", None, None)
        ]
        assert (metric(con, "wan_capacity"), metric(con, "wan_n1_capacity")) == (1200, 400)
        assert metric(con, "wan_n1_demand_share") == pytest.approx(4 / 3)
        assert metric(con, "circuit_spans_share") == 1
        (row, *_) = rows(con, "FROM mart.wan_pairs ORDER BY week_no")
        assert (row["worst_failure"], row["separate_paths"]) == ("span ABL-DFW", 2)
        assert (row["best_ms"], row["best_path"]) == (24, "S-1")
        assert (row["second_ms"], row["second_path"]) == (Decimal("27.5"), "N-1")
        assert (row["bound_by"], row["n1_bound_by"]) == ("N-1; S-1; S-2", "N-1")
        assert found(con) == []

    def test_what_is_not_known_is_never_assumed(self):
        odd = [
            {"scope": "us-east:mars", "week": "2026-W40", "mid": 1},
            {"scope": "us-east:eu-west", "week": "soon", "mid": 1},
            {"scope": "eu-west:us-central", "week": "2026-W44", "mid": 5},
            {"scope": "WAN-1", "week": "2026-W44", "mid": 5},
        ]
        # Ashburn and East US 2 are one region: the circuit between them is no pair of regions.
        metro = wave("M", "IAD-EUS2", a_site="IAD", z_site="EUS2", system_id="WAN-2")
        other = wave("X", "ABL-SEA", z_site="Sea1", system_id="WAN-2")
        data = programme(SOUTH, wave("N-9", None, "north"), metro, other, demand=odd)
        data["systems"] = [system("WAN-1"), system("WAN-2")]
        con = built(data)
        assert pairs(con, "region_a", "region_b", "n1_gbps", "n1_least_gbps", "n1_most_gbps", "state") == [
            ("2026-W44", "Sea1", "us-central", 0, 0, 0, "no demand known"),
            ("2026-W44", "Sea1", "us-east", 0, 0, 0, "no demand known"),
            ("2026-W44", "eu-west", "us-central", 0, 0, 0, "no path"),
            ("2026-W44", "us-central", "us-east", None, 0, 400, "no demand known"),
        ]
        assert found(con) == [
            ("circuit_without_spans", "WAN-1", "warning"),
            ("demand_unread", "us-east:eu-west", "warning"),
            ("demand_unread", "us-east:mars", "warning"),
        ]
        assert (metric(con, "circuit_spans_share"), metric(con, "wan_n1_capacity")) == (0.5, 0)
        assert metric(con, "wan_n1_demand_share") is None

    def test_a_circuit_counts_only_when_it_serves(self):
        changes = {
            "untested": {"tested": None},
            "down": {"provider_state": "down"},
            "ours unknown": {"customer_state": None},
            "promise passed": {"in_service": None, "firm_date": date(2026, 10, 1)},
            "promised again": {"in_service": date(2026, 12, 1), "firm_date": date(2026, 10, 1)},
            "this friday": {"in_service": date(2026, 11, 6), "tested": None},
        }
        con = built(programme(*(wave(name, f"span {name}", **change) for name, change in changes.items())))
        assert {row[1] for row in pairs(con, "capacity_gbps") if row[0] == "2026-W44"} == {0}
        assert dict(con.sql("SELECT circuit, in_week FROM mart.wan_relief").fetchall()) == {
            "this friday": "2026-W45", "promised again": "2026-W49",
            **dict.fromkeys(("untested", "down", "ours unknown", "promise passed")),
        }  # fmt: skip

    def test_in_an_open_week_weeks_still_end_at_their_cut_off(self):
        # Data of a Tuesday: what is promised for this Friday counts from the next row on, what for Saturday too.
        promised = {"today": 27, "friday": 30, "saturday": 31}
        rows_of = [wave(n, f"s {n}", firm_date=date(2026, 10, d), **WAITING) for n, d in promised.items()]
        con = built(programme(*rows_of, wave("later", "s later", firm_date=date(2026, 11, 7), **WAITING)),
                    as_of=date(2026, 10, 27))  # fmt: skip
        assert dict(con.sql("SELECT circuit, in_week FROM mart.wan_relief").fetchall()) == {
            "today": None, "friday": "2026-W45", "saturday": "2026-W45", "later": "2026-W46",
        }  # fmt: skip
        assert con.sql("SELECT min(week_end), max(week_end) FROM mart.wan_pairs").fetchall() == [
            (date(2026, 10, 30), date(2026, 11, 13))
        ]

    def test_the_order_of_rows_never_matters(self):
        circuits = [SOUTH, wave("S-2", "IAD-DFW-ABL", "south"), NORTH, COMING]
        queries = ("FROM mart.wan_pairs ORDER BY ALL", "FROM mart.wan_relief ORDER BY ALL",
                   "SELECT * EXCLUDE (\"row\") FROM mart.findings ORDER BY ALL")  # fmt: skip
        one, other = (built(programme(*order, demand=DEMAND)) for order in (circuits, circuits[::-1]))
        for query in queries:
            assert one.sql(query).fetchall() == other.sql(query).fetchall()


def report(circuit, **changes):
    """What a cloud's own list says of a circuit."""
    row = {
        "circuit": circuit, "view": "observed", "gbps": 100, "customer_state": "Enabled",
        "provider_state": "Provisioned", "provider_location": "Washington DC", "provider_device": f"dev-{circuit}",
    }  # fmt: skip
    return row | changes


def port(circuit, **changes):
    """Our own record of a circuit of an interconnect."""
    return wave(circuit, circuit, a_site="IAD", z_site="EUS2", gbps=100) | changes


def session(circuit, state, peer="vif-0", day=30):
    return {"device": circuit.casefold(), "peer": peer, "observed_at": datetime(2026, 10, day, 6), "state": state}


NO_STATE = {"customer_state": None}
# Per case: our record, the cloud's report, the states of its sessions; then what must come of it.
SIDES = {
    "both": ({}, {}, (), 100, 100, None),
    "provider works": ({}, {"provider_state": "Provisioning"}, (), 100, 0, "{}: provider Provisioning"),
    "no peering": ({}, {"customer_state": "enabled without peering"}, (), 0, 100,
                   "{}: customer enabled without peering"),
    "we test": ({"customer_state": "testing"}, {}, (), 0, 100, "{}: customer testing"),
    "nobody says": (NO_STATE, NO_STATE, (), 0, 100, "{}: customer not known"),
    "neither": ({"customer_state": "ordered"}, {"provider_state": "pending"}, (), 0, 0, "{}: neither side"),
    "google": ({"provider_state": None}, {"provider_state": "OS_ACTIVE"}, (), 100, 100, None),
    "report wins": ({"provider_state": "down"}, {"provider_state": "available"}, (), 100, 100, None),
    "other words": ({"customer_state": "In Service"}, NO_STATE, (), 100, 100, None),
    "session up": ({}, {}, ("up",), 100, 100, None),
    "one down": ({}, {}, ("up", "down"), 100, 100, "{}: BGP down (vif-1)"),
    "idle": ({}, {}, ("idle",), 100, 100, "{}: BGP down (vif-0)"),
    "bgp speaks": (NO_STATE, NO_STATE, ("up",), 100, 100, None),
    "bgp is old": (NO_STATE, NO_STATE, ("old",), 0, 100, "{}: customer not known"),
}  # fmt: skip
TWO = ("1", "2")
# Per case: changes of the reports of two circuits (None: no report at all), devices, locations, redundancy.
REDUNDANCY = {
    "devices": ({}, {}, 2, 1, "devices"),
    "locations": ({}, {"provider_location": "Ashburn 2"}, 2, 2, "locations"),
    "none": ({"provider_device": "a"}, {"provider_device": "A", "provider_location": "washington dc "}, 1, 1, "none"),
    "one unknown": ({}, {"provider_device": None}, 1, 1, "unknown"),
    "pairs of ports": ({"provider_device": "p1; p2"}, {"provider_device": "P2;p1"}, 2, 1, "devices"),
    "no report": (None, None, None, None, "unknown"),
}


@pytest.fixture(scope="module")
def interconnects():
    """Every case as a system of its own, judged together."""
    circuits, sessions, names = [], [], [*SIDES, *REDUNDANCY]
    for case, (ours, theirs, states, *_) in SIDES.items():
        circuits += [port(case, system_id=case, **ours), report(case, **theirs)]
        sessions += [
            session(case, "up" if state == "old" else state, f"vif-{n}", 12 if state == "old" else 30)
            for n, state in enumerate(states)
        ]
    for case, (first, second, *_) in REDUNDANCY.items():
        for number, changes in zip(TWO, (first, second), strict=True):
            circuits.append(port(f"{case} {number}", system_id=case))
            circuits += [] if changes is None else [report(f"{case} {number}", **changes)]
    data = programme(*circuits, sessions=sessions)
    data["systems"] = [system(name, "cloud_interconnect") for name in names]
    data["commitments"] = [dict(data["commitments"][0], contract=name, system_id=name) for name in names]
    return built(data)


class TestInterconnects:
    def readiness(self, con, system_id):
        (row,) = rows(con, f"FROM mart.interconnects WHERE system_id = '{system_id}'")
        return row

    @pytest.mark.parametrize("case", SIDES)
    def test_both_sides_must_be_active_and_no_session_down(self, interconnects, case):
        *_, states, customer, provider, why = SIDES[case]
        row = self.readiness(interconnects, case)
        assert (row["circuits"], row["reported"], row["gbps"]) == (1, 1, 100)
        assert (row["customer_gbps"], row["provider_gbps"]) == (customer, provider)
        assert row["not_ready"] == (why and why.format(case))
        assert row["both_sides_gbps"] == row["in_service_gbps"] == (0 if why else 100)
        assert metric(interconnects, "circuits_both_sides_share", case) == (not why)
        known = [state for state in states if state != "old"]
        assert row["sessions"] == len(known)
        if known:
            up = metric(interconnects, "circuit_sessions_up_share", case)
            assert up == known.count("up") / len(known)

    @pytest.mark.parametrize("case", REDUNDANCY)
    def test_redundancy(self, interconnects, case):
        *_, devices, locations, redundancy = REDUNDANCY[case]
        assert self.readiness(interconnects, case)["redundancy"] == redundancy
        assert metric(interconnects, "interconnect_devices", case) == devices
        assert metric(interconnects, "interconnect_locations", case) == locations

    def test_the_playbook_asks_for_both_sides_and_for_two_devices(self, interconnects):
        query = "SELECT system_id, criterion, state FROM mart.criteria WHERE criterion IN ('both_sides', 'redundant')"
        states = {(system_id, criterion): state for system_id, criterion, state in interconnects.sql(query).fetchall()}
        assert {case: states[case, "both_sides"] for case in SIDES} == {
            case: "not met" if row[-1] else "met" for case, row in SIDES.items()
        }
        assert {case: states[case, "redundant"] for case in REDUNDANCY} == {
            "devices": "met", "locations": "met", "none": "not met", "one unknown": "not met", "pairs of ports": "met",
            "no report": "no data",
        }  # fmt: skip

    def test_findings(self, interconnects):
        assert found(interconnects) == [
            ("circuit_session_down", "idle", "warning"),
            ("circuit_session_down", "one down", "warning"),
            ("circuit_state_contradicted", "neither", "error"),
            ("circuit_state_contradicted", "provider works", "error"),
        ]


def test_findings_of_circuits():
    data = programme(
        SOUTH,
        wave("N-1", "ABL-MCI; DFW-ABL; MCI-IAD", "north"),
        wave("S-2", "ABL-DFW-IAD", "South "),
        wave("no end", "a-b", z_site=None),
        wave("odd", "TPF-SPAN-7"),
        wave("far", "s2", "A", a_site="DUB", z_site="EUS2", system_id="WAN-2"),
        wave("near", "s1", "A"),
        port("less"),
        report("less", gbps=50),
        report("only seen", system_id="WAN-2"),
        report("nobody's"),
        # Two ports within a region, called diverse by two systems.
        port("E-1", diversity_group="primary", spans="metro", system_id="WAN-2"),
        port("E-2", diversity_group="secondary", spans="Metro; ring"),
    )
    data["systems"] = [system("WAN-1"), system("WAN-2")]
    con = built(data)
    assert found(con) == [
        ("circuit_capacity_differs", "less", "warning"),
        ("circuit_without_ends", "no end", "warning"),
        ("circuit_without_ends", "only seen", "warning"),
        ("circuit_without_system", "nobody's", "error"),
        ("diverse_circuits_share_span", "ABL-DFW", "error"),
        ("diverse_circuits_share_span", "Metro", "error"),
        ("diversity_group_apart", "A", "warning"),
        ("route_unread", "odd", "info"),
    ]
    (message,) = con.sql("SELECT message FROM mart.findings WHERE subject = 'ABL-DFW'").fetchall()[0]
    expected = "N-1 (north), S-1 (south), S-2 (South); they fail together"
    assert message == f"circuits of different diversity groups ride on span ABL-DFW: {expected}"
    assert con.sql("SELECT capacity FROM core.units WHERE unit_key = 'less'").fetchall() == [(50,)]
