"""Section 7a on orders: how far each circuit and cross-connect has come, who keeps promises, and what a node lacks.

Belongs here: tables of orders, tests, providers and nodes. Does not: what the circuits carry (``wide_area``).
"""

from collections.abc import Iterable
from decimal import Decimal

from reports.build.caps import most
from reports.build.cells import figure, system, table, when, words
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell
from reports.wording import percent, plural

_NODES = 60
_NODE_KINDS = ("pop", "backbone_node")
_NEEDS = {
    "Power": "power_ready", "Space": "racks_ready", "Cross-connects": "cross_connects", "Optics": "optics",
    "Out of band": "out_of_band", "Routing": "routing", "Transit or peering": "transit_or_peering",
}  # fmt: skip
_NOT_ASKED = "Not asked: the playbook in use has no such criterion for the system."
_WORST = ("not met", "no data", "stale", "waived", "met")


def circuit_blocks(week: Week) -> list[Block]:
    """Return the tables of orders, cross-connects, tests, providers and nodes; none where nothing was delivered."""
    return [*_orders(week), *_cross_connects(week), *_tests(week), *_providers(week), *_nodes(week)]


def _orders(week: Week) -> list[Block]:
    rows = [row for row in week.rows("mart.circuit_orders") if row.has("next_step")]
    every = len(week.rows("mart.circuit_orders"))
    if not every:
        return []
    rows.sort(key=lambda r: (-r.count("days_overdue"), r.count("step_no"), r.text("circuit")))
    heads = ("Circuit", "System", "Provider", ">Gbit/s", "Step#circuit_step", "Waits for", "LOA-CFA", "Letter ends",
             ">Ends done", "First promise", "Promise", ">Overdue")  # fmt: skip
    done = every - len(rows)
    title = f"Orders of circuits: {done} of {every} in service, {len(rows)} under way"
    return [table("S7a-orders", title, heads, (_order(row) for row in rows), cap=40, of=len(rows))]


def _order(row: Record) -> tuple[Cell, ...]:
    ends = f"{row.count('cross_connects_installed')} of {row.count('cross_connects')}"
    return (
        words(row.text("circuit")),
        system(row.text("system_id")),
        words(row.text("provider")),
        figure(row.number("gbps")),
        words(row.text("step") or "none"),
        words(row.text("waits_for")),
        words(row.text("letter")),
        when(row.day("letter_expiry") if row.text("letter") != "not needed" else None),
        words(ends if row.count("cross_connects") else ""),
        when(row.day("first_firm_date")),
        when(row.day("firm_date")),
        figure(row.whole("days_overdue") or None, suffix=" d"),
    )


def _cross_connects(week: Week) -> list[Block]:
    every = week.rows("mart.cross_connects")
    rows = sorted((row for row in every if not row.has("light")), key=_by_letter)
    if not rows:
        return []
    heads = ("Cross-connect", "Circuit", "System", "Site", "Operator", "Panel", "LOA-CFA", "Letter ends", "Promise",
             "Installed", ">Overdue")  # fmt: skip
    cells = (
        (
            words(r.text("cross_connect")),
            words(" ".join(filter(None, (r.text("circuit"), r.text("end") and f"end {r.text('end').upper()}")))),
            system(r.text("system_id")),
            words(r.text("site_id")),
            words(r.text("provider")),
            words(r.text("panel")),
            words(r.text("letter")),
            when(r.day("loa_cfa_expiry") if r.text("letter") != "not needed" else None),
            when(r.day("firm_date")),
            when(r.day("installed")),
            figure(r.whole("days_overdue") or None, suffix=" d"),
        )
        for r in rows
    )
    title = f"{plural(len(rows), 'cross-connect')} of {len(every)} without light"
    return [table("S7a-cross-connects", title, heads, cells, cap=40, of=len(rows))]


def _by_letter(row: Record) -> tuple[int, str, str]:
    order = ("expired", "not issued", "expiring", "valid", "not needed")
    return order.index(row.text("letter")), str(row.day("firm_date") or "9999"), row.text("cross_connect")


def _tests(week: Week) -> list[Block]:
    rows = week.rows("mart.circuit_tests")
    if not rows:
        return []
    ordered = sorted(rows, key=lambda r: (r.text("verdict") == "pass", r.text("circuit"), r.text("test"),
                                          r.text("direction"), r.count("frame_bytes")))  # fmt: skip
    heads = ("Circuit", "System", "Test", "Direction", ">Frame", ">Measured", ">Ordered",
             ">Share#circuit_test_pass_share", ">Lost", "Verdict")  # fmt: skip
    cells = (
        (
            words(r.text("circuit")),
            system(r.text("system_id")),
            words(r.text("test")),
            words(r.text("direction").replace("_", " ")),
            figure(r.count("frame_bytes") or None, suffix=" B"),
            figure(r.number("measured_gbps")),
            figure(r.number("ordered_gbps")),
            _share(r),
            figure(r.number("loss_percent"), suffix=" %"),
            words(r.text("verdict"), note=r.text("said")),
        )
        for r in ordered
    )
    short = sum(r.text("verdict") == "fail" for r in rows)
    title = f"Turn-up tests against the rate ordered, Gbit/s: {short} of {len(rows)} newest results short"
    return [table("S7a-tests", title, heads, cells, cap=20, of=len(ordered))]


def _share(row: Record) -> Cell:
    share = row.number("share")
    return figure(None) if share is None else Cell(percent(share, Decimal(1)), share)


def _providers(week: Week) -> list[Block]:
    rows = sorted(week.rows("mart.circuit_providers"), key=lambda r: (-r.count("overdue"), r.text("provider"),
                                                                      r.text("delivers")))  # fmt: skip
    if not rows:
        return []
    heads = ("Provider", "Delivers", ">Known", ">Delivered", ">On time#circuit_on_time", ">Median lateness", ">Worst",
             ">Promises moved", ">Overdue", ">No promise", ">Order to delivery")  # fmt: skip
    return [
        table(
            "S7a-providers",
            "Providers: promise against delivery",
            heads,
            (_provider(r) for r in rows),
            cap=30,
            of=len(rows),
        )
    ]


def _provider(row: Record) -> tuple[Cell, ...]:
    n = row.count("delivered")
    said = f"{percent(Decimal(row.count('on_time')), Decimal(n))} (n = {n})" if n else ""
    lead = row.whole("median_lead_days")
    return (
        words(row.text("provider")),
        words(row.text("delivers")),
        figure(row.whole("known")),
        figure(n),
        Cell(said, row.number("on_time_share")) if said else words(""),
        figure(row.whole("median_days"), suffix=" d"),
        figure(row.whole("worst_days"), suffix=" d"),
        figure(row.whole("promises_moved")),
        figure(row.whole("overdue")),
        figure(row.whole("without_promise")),
        words(f"{lead} d (n = {row.count('lead_n')})" if lead is not None else ""),
    )


def _nodes(week: Week) -> list[Block]:
    kinds = {row.text("system_id"): row.text("kind") for row in week.rows("mart.systems")}
    every = sorted(name for name, kind in kinds.items() if kind in _NODE_KINDS)
    nodes = every[: most(_NODES)]
    if not nodes:
        return []
    criteria: dict[tuple[str, str], list[Record]] = {}
    for row in week.rows("mart.criteria", system_id=tuple(nodes), criterion=tuple(_NEEDS.values())):
        criteria.setdefault((row.text("system_id"), row.text("criterion")), []).append(row)
    cells = [
        (system(name), *(_need(kinds[name], need, criteria.get((name, need), ())) for need in _NEEDS.values()))
        for name in nodes
    ]
    title = "Points of presence and backbone nodes: what each needs"
    return [table("S7a-nodes", title, ("System", *_NEEDS), cells, cap=_NODES, of=len(every), note=_NOT_ASKED)]


def _need(kind: str, need: str, rows: Iterable[Record]) -> Cell:
    """The worst state over a node's blocks; a backbone node needs no transit."""
    states = sorted((row.text("state") for row in rows), key=lambda s: _WORST.index(s) if s in _WORST else 0)
    if states:
        return words(states[0])
    return words("" if kind == "backbone_node" and need == "transit_or_peering" else "not asked")
