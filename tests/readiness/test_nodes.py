"""What a point of presence needs besides its devices, and facilities of a public list: compared, not believed."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from tests.readiness.test_kinds import boxes
from tests.readiness.tiny import built

# Per need: which datasets are laid beside two devices, box-0 and box-1; then what the criterion says.
XC = {"system_id": "S-1", "site_id": "LON1", "loa_cfa_issued": date(2026, 9, 1)}
DONE = {"installed": date(2026, 9, 20), "light": date(2026, 9, 22)}


def talk(device, peer, kind, state="up", day=29):
    return {"device": device, "peer": peer, "kind": kind, "state": state, "observed_at": datetime(2026, 10, day)}


def console(*states):
    return [talk(f"box-{n}", "console", "out_of_band", state) for n, state in enumerate(states)]


CASES = {
    "all": (
        {"cross_connects": [{"cross_connect": "x1"} | XC | DONE, {"cross_connect": "x2"} | XC | DONE],
         "sessions": [talk("box-0", "t", "transit"), talk("box-1", "ix", "peering"), talk("box-0", "box-1", "core"),
                      *console("up", "up")]},
        {"cross_connects": "met", "light": "met", "out_of_band": "met", "routing": "met", "transit_or_peering": "met"},
        96,
    ),
    "none": (
        {},
        {"cross_connects": "no data", "light": "no data", "out_of_band": "no data", "routing": "no data",
         "transit_or_peering": "no data"},
        0,
    ),
    "half": (
        {"cross_connects": [{"cross_connect": "x1"} | XC | DONE, {"cross_connect": "x2"} | XC,
                            {"cross_connect": "of another"} | XC | DONE | {"system_id": "S-2"}],
         "sessions": [talk("box-0", "t", "transit"), talk("box-1", "ix", "peering", "idle"),
                      talk("box-0", "box-1", "core", "down"), *console("up")]},
        {"cross_connects": "not met", "light": "not met", "out_of_band": "not met", "routing": "not met",
         "transit_or_peering": "not met"},
        0,
    ),
    # A console network that is down is told, and takes nothing from the ports in service.
    "console down": (
        {"sessions": [talk("box-0", "t", "transit"), talk("box-1", "t", "transit"), *console("up", "down")]},
        {"cross_connects": "no data", "light": "no data", "out_of_band": "not met", "routing": "no data",
         "transit_or_peering": "met"},
        96,
    ),
    # Sessions of no kind say that ports are in service, and nothing of what they are for.
    "kind unknown": (
        {"sessions": [talk("box-0", "a", None), talk("box-1", "b", None)]},
        {"cross_connects": "no data", "light": "no data", "out_of_band": "no data", "routing": "no data",
         "transit_or_peering": "no data"},
        96,
    ),
    # What was installed after the data date is not installed yet; sessions of three weeks ago are stale.
    "not now": (
        {"cross_connects": [{"cross_connect": "x1"} | XC | {"installed": date(2026, 11, 2)}],
         "sessions": [talk("box-0", "t", "transit", day=8), talk("box-1", "u", "peering", day=8),
                      talk("box-0", "box-1", "core", day=8),
                      *(row | {"observed_at": datetime(2026, 10, 8)} for row in console("up", "up"))]},
        {"cross_connects": "not met", "light": "not met", "out_of_band": "stale", "routing": "stale",
         "transit_or_peering": "stale"},
        0,
    ),
}  # fmt: skip


# Each case builds a warehouse, so those that another test nearly covers wait for the campaigns.
QUICK = ("all", "half", "console down")


@pytest.mark.parametrize(
    "case", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in CASES]
)
def test_a_point_of_presence_is_complete_when_every_need_is_met(case):
    laid, wanted, serving = CASES[case]
    con = built(boxes("pop", 2, 96, "ports", 48) | laid)
    query = "SELECT criterion, state FROM mart.criteria WHERE list_contains($1, criterion)"
    assert dict(con.sql(query, params=[list(wanted)]).fetchall()) == wanted
    ports = "SELECT count(*) * 48 FROM core.unit_stages WHERE stage = 'schedulable' AND has"
    assert con.sql(ports).fetchall() == [(serving,)]


def test_optics_are_counted_apart_from_other_parts():
    data = boxes("backbone_node", 1, 48, "ports", 48)
    data["bom"] += [
        {"system_id": "S-1", "line": "2", "part_number": "ZR", "quantity": 8, "category": "Optic"},
        {"system_id": "S-1", "line": "3", "part_number": "AOC", "quantity": 2, "category": "AOC cable"},
        {"system_id": "S-1", "line": "4", "part_number": "RAIL", "quantity": 4, "category": "kit"},
    ]
    query = "SELECT criterion, value, state FROM mart.criteria WHERE criterion = 'optics'"
    # Eight transceivers and two active cables are fitted, none was received; the rails are no optics.
    assert built(data).sql(query).fetchall() == [("optics", 10, "not met")]


def site(name, **changes):
    return {"site_id": name, "name": name, "facility": "colo"} | changes


def test_facilities_are_compared_with_the_register_of_sites():
    fault = "0, 0 is a point in the Gulf of Guinea: not captured"
    facilities = [
        {"facility_id": "1", "name": "Ash 1", "city": "Ashburn", "country": "us"},
        {"facility_id": "2", "name": "Dub 1", "city": "Dublin", "country": "IE", "place_fault": fault},
    ]
    sites = [
        site("same", country="US", peeringdb_id="1"),
        site("elsewhere", country="DE", peeringdb_id="1"),
        site("in words", country="Ireland", peeringdb_id="2"),  # a name is not compared with a code
        site("absent", country="US", peeringdb_id="77"),
        site("names none", country="FR"),
    ]
    query = "SELECT code, severity, subject FROM mart.findings WHERE code LIKE 'facility_%' ORDER BY ALL"
    assert built({"sites": sites, "facilities": facilities}).sql(query).fetchall() == [
        ("facility_elsewhere", "error", "elsewhere"),
        ("facility_misplaced", "warning", "in words"),
        ("facility_unknown", "warning", "absent"),
    ]
    assert built({"sites": sites}).sql(query).fetchall() == []
