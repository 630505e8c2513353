"""Network files: cable plan, links seen, circuits and routing sessions.

Belongs here: what the network team exports, and the circuits' dates. Does not: which link came up when (``fabric``).
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from examples.demo.fabric import Link, links
from examples.demo.fleet import Unit, reached
from examples.demo.sheet import Drop, Table
from examples.demo.weeks import FRI, MON, THU, TUE, WED, WEEKS, at, day, utc

SOURCES: dict[str, dict[str, Any]] = {
    "cable-plan": {
        "dataset": "links", "files": "*cable_plan_*.csv", "defaults": {"view": "planned"},
        "columns": {
            "StartDevice": "a_device", "StartPort": "a_port", "EndDevice": "b_device", "EndPort": "b_port",
            "Project": "system_id", "CableType": "media", "Gbps": "speed_gbps", "State": "state",
        },
        "owner": "Tomasz Nowak", "required": True, "max_age_days": 60,
    },
    "links-seen": {
        "dataset": "links", "files": "*links_seen_*.csv", "defaults": {"view": "observed"},
        "columns": {
            "device": "a_device", "port": "a_port", "peer": "b_device", "peer_port": "b_port", "project": "system_id",
            "rate_gbps": "speed_gbps", "state": "state", "rx_dbm": "rx_power_dbm", "rx_low_alarm": "rx_min_dbm",
            "rx_high_alarm": "rx_max_dbm", "pre_fec_ber": "pre_fec_ber", "post_fec_ber": "post_fec_ber",
            "counted_s": "counted_s", "flaps_24h": "flaps_24h", "seen_at": "observed_at",
        },
        "values": {"state": {"LinkUp": "up", "LinkDown": "down"}},
        "owner": "Tomasz Nowak", "required": True, "expected": "thursday", "max_age_days": 8,
    },
    "circuits": {
        "dataset": "circuits", "files": "*circuit_inventory_*.csv", "owner": "Renata Silva", "required": True,
        "max_age_days": 15,
    },
    "sessions": {
        "dataset": "sessions", "files": "*bgp_sessions_*.csv", "mode": "events", "owner": "Tomasz Nowak",
        "max_age_days": 8,
    },
}  # fmt: skip


MEASURED = ("rx_dbm", "rx_low_alarm", "rx_high_alarm", "pre_fec_ber", "post_fec_ber", "counted_s", "flaps_24h")
"""What a scan measures on a link that is up."""


def drops(units: list[Unit]) -> list[Drop]:
    """Return all network files of all weeks."""
    planned = links(units)
    found = [
        Drop(at(week, MON, "16:00"), f"cable_plan_{revision}.csv", "cable-plan", _plan(planned))
        for week, revision in ((33, "r07"), (40, "r08"))
    ]
    for week in WEEKS:
        seen = at(week, THU, "14:00")
        name = f"links_seen_{seen:%Y%m%d}.csv"
        found.append(Drop(at(week, THU, "15:10"), name, "links-seen", _seen(planned, week)))
    found += [
        Drop(
            at(week, FRI, "09:15"),
            f"circuit_inventory_{day(week, FRI):%Y%m%d}.csv",
            "circuits",
            _circuits(day(week, FRI)),
        )
        for week in (33, 35, 37, 38, 39, 40, 42, 43, 44)
    ]
    found += [
        Drop(at(week, FRI, "10:10"), f"bgp_sessions_{day(week, FRI):%Y%m%d}.csv", "sessions", _sessions(week))
        for week in WEEKS
        if week >= 36
    ]
    return found


def _plan(planned: list[Link]) -> Table:
    columns = [*SOURCES["cable-plan"]["columns"]]
    return Table(columns, [[k.a, k.a_port, k.b, k.b_port, k.system_id, k.media, k.gbps, "planned"] for k in planned])


def _seen(planned: list[Link], week: int) -> Table:
    today, moment = day(week, THU), utc(at(week, THU, "14:00"))
    rows: list[list[Any]] = []
    for number, k in enumerate(planned):
        if not reached(k.cabled, today):
            continue
        up = reached(k.up, today)
        # Optics of 400 Gbit/s tell light, window, and errors: none is left after correction, counted over a minute.
        light = [f"{1.2 + (number % 9) / 10:.1f}", "-6.0", "5.0", f"{2 + number % 7}e-9", "0", 60, 0]
        told = light if up and k.gbps == 400 else [None] * len(MEASURED)
        row = [k.a, k.a_port, k.b, k.b_port, k.system_id, k.gbps if up else None, "LinkUp" if up else "LinkDown"]
        rows.append([*row, *told, moment])
    return Table(list(SOURCES["links-seen"]["columns"]), rows)


def _d(month: int, number: int) -> date:
    return date(2026, month, number)


# id, system, a, z, provider, type, Gbit/s, ms, spans, LOA issued, tested, in service, (unused), ordered, diversity
CIRCUITS: tuple[tuple[Any, ...], ...] = (
    ("TPF-400-11871", "WAN-ABL-IAD", "ABL", "IAD", "TransPlains Fibre", "wave", 400, "24.1", "ABL-DFW-ATL-IAD",
     _d(7, 20), _d(6, 8), _d(8, 28), day(36, TUE), day(37, MON), "south"),
    ("TPF-400-11872", "WAN-ABL-IAD", "ABL", "IAD", "TransPlains Fibre", "wave", 400, "24.1", "ABL-DFW-ATL-IAD",
     _d(7, 20), _d(6, 8), _d(9, 4), day(37, TUE), day(38, MON), "south"),
    ("BRL-W-20533", "WAN-ABL-IAD", "ABL", "IAD", "Blue Ridge Lambda", "wave", 400, "27.8", "ABL-MCI-CMH-IAD",
     _d(9, 14), _d(6, 22), _d(10, 16), day(43, WED), day(44, MON), "north"),
    ("BRL-W-20534", "WAN-ABL-IAD", "ABL", "IAD", "Blue Ridge Lambda", "wave", 400, "27.8", "ABL-MCI-CMH-IAD",
     _d(10, 5), _d(6, 22), _d(11, 20), None, None, "north"),
    ("ERD-IAD-0381-A", "IAD-AZX-1", "IAD", "EUS2", "Microsoft", "expressroute_direct", 100, "1.9", "IAD-EUS2",
     _d(8, 24), _d(7, 6), _d(9, 11), day(38, TUE), day(39, MON), "primary"),
    ("ERD-IAD-0381-B", "IAD-AZX-1", "IAD", "EUS2", "Microsoft", "expressroute_direct", 100, "1.9", "IAD-EUS2",
     _d(8, 24), _d(7, 6), _d(9, 11), day(38, TUE), day(39, MON), "secondary"),
)  # fmt: skip
# Where a circuit meets the cloud: peering location and Microsoft's edge router.
_AT_THE_CLOUD = {
    "ERD-IAD-0381-A": ("Washington DC", "ash-09xgmr-cis-1"), "ERD-IAD-0381-B": ("Washington DC", "ash-09xgmr-cis-2"),
}  # fmt: skip
_CIRCUIT_COLUMNS = [
    "circuit", "system_id", "a_site", "z_site", "provider", "type", "gbps", "latency_ms", "spans", "loa_cfa_issued",
    "loa_cfa_expiry", "ordered", "firm_date", "tested", "in_service", "customer_state", "provider_state",
    "diversity_group", "provider_location", "provider_device", "quoted", "first_firm_date", "delivered", "light",
]  # fmt: skip


def _circuits(today: date) -> Table:
    rows: list[list[Any]] = []
    for *head, issued, ordered, firm, tested, in_service, group in CIRCUITS:
        live, tested_by_now = reached(in_service, today), reached(tested, today)
        active = "provisioned" if head[5] == "expressroute_direct" else "active"
        # The provider hands over a working wave, we test it, then it goes into service on our side.
        states = (active if live else "testing" if tested_by_now else "ordered", active if tested_by_now else "ordered")
        given = issued if reached(issued, today) else None
        expiry = date(issued.year, issued.month + 2, issued.day) if given else None
        rows.append([*head, given, expiry, ordered, firm, tested if reached(tested, today) else None,
                     in_service if live else None, *states, group,
                     *_AT_THE_CLOUD.get(head[0], (None, None)), *_told(head[0], ordered, tested, today)])  # fmt: skip
    return Table(_CIRCUIT_COLUMNS, rows)


_FIRST_PROMISE = {"BRL-W-20534": _d(10, 30)}


def _told(circuit: str, ordered: date, tested: date | None, today: date) -> list[date | None]:
    """Quote, first promise, hand-over and light: the provider hands over and measures light the day before our test."""
    handed = None if tested is None else tested - timedelta(days=1)
    done = handed if reached(handed, today) else None
    return [ordered - timedelta(days=14), _FIRST_PROMISE.get(circuit), done, done]


# device, peer, system, kind, week from which the session is up (None: not up within the story)
_PEERS: tuple[tuple[str, str, str, str, int | None], ...] = (
    ("iad-pr-001", "transit-a AS64496", "IAD-POP-1", "transit", 37),
    ("iad-pr-001", "ix-ashburn-rs1 AS64497", "IAD-POP-1", "peering", 37),
    ("iad-pr-002", "transit-b AS64498", "IAD-POP-1", "transit", 37),
    ("iad-pr-002", "ix-ashburn-rs2 AS64497", "IAD-POP-1", "peering", 37),
    ("iad-pr-001", "iad-pr-002", "IAD-POP-1", "core", 37),
    ("iad-pr-002", "iad-pr-001", "IAD-POP-1", "core", 37),
    ("iad-pr-001", "iad-oob-1", "IAD-POP-1", "out_of_band", 36),
    ("iad-pr-002", "iad-oob-1", "IAD-POP-1", "out_of_band", 36),
    ("hil-bb-001", "hil-oob-1", "HIL-BBN-1", "out_of_band", 42),
    ("hil-bb-002", "hil-oob-1", "HIL-BBN-1", "out_of_band", 42),
    ("hil-bb-001", "abl-bb-001", "HIL-BBN-1", "core", 42),
    ("hil-bb-001", "iad-pr-001", "HIL-BBN-1", "core", 42),
    ("hil-bb-002", "abl-bb-002", "HIL-BBN-1", "core", None),
    ("hil-bb-002", "iad-pr-002", "HIL-BBN-1", "core", 42),
)


def _sessions(week: int) -> Table:
    rows: list[list[Any]] = []
    for weekday, clock in ((WED, "08:00"), (FRI, "10:00")):
        moment = utc(at(week, weekday, clock))
        for device, peer, system, kind, since in _PEERS:
            if system == "HIL-BBN-1" and week < 42:
                continue
            rows.append([device, peer, moment, "up" if since is not None and week >= since else "idle", system, kind])
    return Table(["device", "peer", "observed_at", "state", "system_id", "kind"], rows)
