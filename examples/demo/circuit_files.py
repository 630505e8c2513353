"""Files on the orders of circuits: cross-connects, turn-up tests, and the public list of facilities.

Belongs here: what the building's operators, the testers and PeeringDB tell. Does not: the circuits (``network_files``).
"""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Any

from examples.demo.fleet import reached
from examples.demo.sheet import Dialect, Drop, Table
from examples.demo.weeks import FRI, MON, TUE, WED, at, day, utc

SOURCES: dict[str, dict[str, Any]] = {
    "cross-connects": {
        "dataset": "cross_connects", "files": "*cross_connects_*.csv", "owner": "Renata Silva", "max_age_days": 15,
        "columns": {
            "XC": "cross_connect", "Circuit ID": "circuit", "End": "end", "Project": "system_id", "Site": "site_id",
            "Operator": "provider", "CFA": "panel", "Ordered": "ordered", "LOA issued": "loa_cfa_issued",
            "LOA expires": "loa_cfa_expiry", "First FOC": "first_firm_date", "FOC": "firm_date",
            "Installed": "installed", "Light": "light",
        },
    },
    "turn-up-tests": {
        "dataset": "circuit_tests", "files": "*turn_up_test_*.csv", "mode": "events", "owner": "Tomasz Nowak",
        "columns": {
            "Circuit ID": "circuit", "Test": "test", "Direction": "direction", "Frame (B)": "frame_bytes",
            "Time": "measured_at", "Layer": "layer", "Throughput (Mbps)": "throughput_mbps", "FLR (%)": "loss_percent",
            "Delay (ms)": "latency_ms", "Verdict": "outcome",
        },
        "values": {
            "test": {"RFC 2544": "rfc2544", "Y.1564": "y1564"}, "direction": {"A to Z": "a_to_z", "Z to A": "z_to_a"},
        },
    },
    "throughput-logs": {
        "dataset": "benchmarks", "files": "*iperf3_*.json", "format": "iperf3", "mode": "events",
        "owner": "Tomasz Nowak", "values": {"node": {"abl-tst-01": "BRL-W-20533"}},
    },
    "facility-list": {
        "dataset": "facilities", "files": "*peeringdb_fac*.json", "format": "peeringdb", "owner": "Tomasz Nowak",
    },
}  # fmt: skip


def _d(month: int, number: int) -> date:
    return date(2026, month, number)


_IAD, _DUB, _OWN = "Piedmont Colocation", "Liffey Data Centres", "Own campus"
# number, circuit, end, system, site, operator, panel, ordered, letter issued, its expiry, firm, installed, light
_CROSS_CONNECTS: tuple[tuple[Any, ...], ...] = (
    ("XC-IAD-2101", None, None, "IAD-POP-1", "IAD", _IAD, "MMR-1 PP-12 1/2", _d(7, 2), _d(7, 1), _d(8, 30), _d(7, 24),
     _d(7, 22), _d(7, 30)),
    ("XC-IAD-2102", None, None, "IAD-POP-1", "IAD", _IAD, "MMR-2 PP-31 3/4", _d(7, 2), _d(7, 1), _d(8, 30), _d(7, 24),
     _d(7, 23), _d(7, 30)),
    ("XC-IAD-2114", "TPF-400-11871", "z", None, "IAD", _IAD, "MMR-1 PP-12 5/6", _d(7, 22), _d(7, 20), _d(9, 20),
     _d(8, 14), _d(8, 13), day(36, MON)),
    ("XC-IAD-2115", "TPF-400-11872", "z", None, "IAD", _IAD, "MMR-1 PP-12 7/8", _d(7, 22), _d(7, 20), _d(9, 20),
     _d(8, 14), _d(8, 18), day(37, MON)),
    ("XC-IAD-2131", "ERD-IAD-0381-A", "a", None, "IAD", _IAD, "MMR-1 PP-40 1/2", _d(8, 25), _d(8, 24), _d(10, 24),
     _d(9, 8), _d(9, 8), day(38, MON)),
    ("XC-IAD-2132", "ERD-IAD-0381-B", "a", None, "IAD", _IAD, "MMR-2 PP-40 1/2", _d(8, 25), _d(8, 24), _d(10, 24),
     _d(9, 8), _d(9, 7), day(38, MON)),
    ("XC-IAD-2140", "BRL-W-20533", "z", None, "IAD", _IAD, "MMR-2 PP-33 1/2", _d(9, 15), _d(9, 14), _d(11, 14),
     _d(9, 29), _d(9, 30), day(43, MON)),
    ("XC-IAD-2141", "BRL-W-20534", "z", None, "IAD", _IAD, "MMR-2 PP-33 3/4", _d(8, 18), _d(8, 17), _d(10, 17),
     _d(10, 9), None, None),
    ("XC-HIL-0007", None, None, "HIL-BBN-1", "HIL", _OWN, "ENT-A ODF-2 1/2", _d(9, 1), _d(9, 1), _d(10, 30), _d(9, 25),
     _d(9, 24), _d(9, 29)),
    ("XC-HIL-0008", None, None, "HIL-BBN-1", "HIL", _OWN, "ENT-B ODF-1 1/2", _d(9, 1), _d(9, 1), _d(10, 30), _d(9, 25),
     _d(9, 24), _d(9, 29)),
    ("XC-DUB-0411", None, None, "DUB-POP-1", "DUB", _DUB, "MMR-A PP-3 1/2", _d(9, 29), _d(9, 28), _d(11, 27),
     _d(11, 13), None, None),
    ("XC-DUB-0412", None, None, "DUB-POP-1", "DUB", _DUB, "MMR-B PP-5 1/2", _d(9, 29), _d(9, 28), _d(11, 27),
     _d(11, 13), None, None),
)  # fmt: skip
MOVED, MOVED_TO, MOVED_IN = "XC-IAD-2141", _d(11, 10), 42
"""The operator of the building moved this promise beyond the last day of the letter."""


def drops() -> list[Drop]:
    """Return the operator's lists, the testers' exports and the list of facilities."""
    lists = [
        Drop(at(week, FRI, "09:25"), f"cross_connects_{day(week, FRI):%Y%m%d}.csv", "cross-connects", _ordered(week))
        for week in (33, 35, 36, 37, 38, 39, 40, 42, 43, 44)
    ]
    return [*lists, *_tests(), *_throughputs(), _facilities()]


def _ordered(week: int) -> Table:
    today = day(week, FRI)
    rows: list[list[Any]] = []
    for *head, ordered, issued, expiry, firm, installed, light in _CROSS_CONNECTS:
        if not reached(ordered, today):
            continue
        given = reached(issued, today)
        moved = head[0] == MOVED and week >= MOVED_IN
        rows.append([*head, ordered, issued if given else None, expiry if given else None, firm if moved else None,
                     MOVED_TO if moved else firm, *(when if reached(when, today) else None for when in
                                                    (installed, light))])  # fmt: skip
    return Table(list(SOURCES["cross-connects"]["columns"]), rows)


SHORT = ("BRL-W-20533", 43)
"""A wave that loses frames from Z to A in its first test, and the week of that test."""


def _tests() -> list[Drop]:
    waves = (("TPF-400-11871", 36, TUE), ("TPF-400-11872", 37, TUE), ("BRL-W-20533", 43, WED), ("BRL-W-20533", 44, MON))
    return [
        *(_test(circuit, at(week, weekday, "06:30"), _wave(circuit, week)) for circuit, week, weekday in waves),
        *(_test(f"ERD-IAD-0381-{leg}", at(38, TUE, "07:00"), _cloud_port()) for leg in "AB"),
    ]


def _test(circuit: str, moment: datetime, results: list[list[Any]]) -> Drop:
    rows = [[circuit, test, direction, frame, utc(moment), *rest] for test, direction, frame, *rest in results]
    name = f"turn_up_test_{circuit}_{moment:%Y%m%d}.csv"
    return Drop(moment.replace(hour=11), name, "turn-up-tests", Table([*SOURCES["turn-up-tests"]["columns"]], rows))


def _wave(circuit: str, week: int) -> list[list[Any]]:
    """RFC 2544 of a wave of 400 Gbit/s: rates of frames, which fill the line with their preamble and gap."""
    short = (circuit, week) == SHORT
    delay = "13.9" if circuit.startswith("BRL") else "12.1"
    found: list[list[Any]] = []
    for direction in ("A to Z", "Z to A"):
        for frame, rate in ((64, "304761.9"), (1518, "394798.4"), (9000, "399113.1")):
            bad = short and direction == "Z to A" and frame == 9000
            found.append(["RFC 2544", direction, frame, 2, "351880.0" if bad else rate, "0", delay,
                          "fail" if bad else "pass"])  # fmt: skip
    return found


def _cloud_port() -> list[list[Any]]:
    return [["Y.1564", "loop", 0, 1, "99990.0", "0", "1.9", "pass"]]


def _throughputs() -> list[Drop]:
    """Logs of iperf3 both ways over the third wave, in Gbit/s: TCP fills 94 % of a line that loses nothing."""
    return [_throughput(at(43, WED, "08:30"), 376.2, 331.4), _throughput(at(44, MON, "08:30"), 376.3, 376.1)]


def _throughput(moment: datetime, forward: float, backward: float) -> Drop:
    seconds = 60.0
    ways = {"": forward, "_bidir_reverse": backward}
    end: dict[str, Any] = {}
    for way, gbps in ways.items():
        octets = round(gbps * 1e9 * seconds / 8)
        rate = {
            "start": 0,
            "end": seconds,
            "seconds": seconds,
            "bytes": octets,
            "bits_per_second": octets * 8 / seconds,
        }
        end |= {f"{name}{way}": rate for name in ("sum_sent", "sum_received")}
    start = {
        "connected": [{"socket": 5, "local_host": "10.40.0.1", "remote_host": "10.40.0.2", "remote_port": 5201}],
        "version": "iperf 3.17.1", "system_info": "Linux abl-tst-01 6.8.0-45-generic x86_64",
        "timestamp": {"timesecs": int(utc(moment).replace(tzinfo=UTC).timestamp())},
        "test_start": {"protocol": "TCP", "num_streams": 32, "duration": 60, "reverse": 0, "bidir": 1},
    }  # fmt: skip
    text = json.dumps({"start": start, "intervals": [], "end": end}, indent=1) + "\n"
    name = f"iperf3_BRL-W-20533_{moment:%Y%m%dT%H%M}.json"
    return Drop(moment.replace(hour=11, minute=5), name, "throughput-logs", text, Dialect("text"))


def _facilities() -> Drop:
    """Facilities as PeeringDB's API gives them; of Dublin the coordinates were never captured."""
    places = (
        (9001, "Piedmont Colocation Ashburn", "Piedmont", "Ashburn", "VA", "US", 39.02, -77.46),
        (9002, "Liffey Data Centres Clondalkin", "Liffey", "Dublin", "", "IE", 0.0, 0.0),
        (9003, "Own campus Hillsboro", "Own", "Hillsboro", "OR", "US", 45.54, -122.96),
    )
    names = ("id", "name", "org_name", "city", "state", "country", "latitude", "longitude")
    data = [dict(zip(names, place, strict=True)) | {"org_id": place[0] - 8000} for place in places]
    text = json.dumps({"meta": {}, "data": data}, indent=1) + "\n"
    return Drop(at(33, MON, "10:05"), "peeringdb_fac.json", "facility-list", text, Dialect("text"))
