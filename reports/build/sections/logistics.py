"""Section 6 on procurement and logistics: vendors, goods under way, days of arrival, receipts against shipments."""

from collections import defaultdict
from decimal import Decimal

from reports.build.cells import change, figure, table, when, words
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph
from reports.wording import plural, share

_RANKED = ("customs_hold", "not_received", "eta_passed", "silent")
_EXCEPTIONS = {
    "customs_hold": "held in customs", "not_received": "delivered, not received", "eta_passed": "expected day passed",
    "silent": "no event",
}  # fmt: skip
_SERIALS = {
    "received and recorded": "Received and recorded", "received, not recorded": "Not recorded",
    "announced, not received": "On the way", "at a warehouse or integrator": "Elsewhere",
    "recorded, announced, never received": "No receipt", "recorded only": "No papers", "planned only": "Planned",
}  # fmt: skip


def logistics_blocks(week: Week) -> list[Block]:
    """The blocks on vendors, transport and receipts; what was not delivered is said by the section itself."""
    return [*_scorecards(week), *_lanes(week), *_exceptions(week), *_etas(week), *_receipts(week), *_serials(week)]


def logistics_message(week: Week) -> str:
    """What is wrong under way and at the dock, as the end of a sentence; empty where nothing is."""
    moving = len({r.text("shipment_key") for r in week.rows("mart.transit_exceptions")})
    docked = len(week.rows("mart.asn_faults"))
    parts = [f"{plural(moving, 'shipment')} under way with an exception"] if moving else []
    parts += [f"{plural(docked, 'receipt')} not as announced"] if docked else []
    return "".join(f"; {part}" for part in parts)


def judged(value: Decimal | None, cases: int, least: int) -> Cell:
    """A share with its number of cases; too few cases are no judgement, and none is none."""
    if value is not None:
        return Cell(share(value), value, note=f"n {cases}")
    return Cell("not judged", None, note=f"n {cases} of {least}" if cases else "no case")


def _scorecards(week: Week) -> list[Block]:
    rows = list(week.rows("mart.vendor_scorecards"))
    if not rows:
        return []
    rows.sort(key=lambda r: (not r.has("otif_share"), r.amount("otif_share"), r.text("vendor")))
    heads = ("Vendor", ">OTIF#vendor_otif_share", ">Late", ">Not in full", ">Unknown",
             ">Kept, 28 days before#promise_kept_share", ">Pushed out#promise_pushes", ">Days a push#promise_push_days",
             ">Most moved", ">Lead P50#lead_time_p50", ">Lead P90#lead_time_p90")  # fmt: skip
    least = rows[0].count("judged_from")
    note = (
        "OTIF: by the first promise for the whole order (else the day asked for) as many good pieces as were ordered "
        f"had arrived. Fewer than {least} cases are not judged. Unknown: no date, or no receipt to go by."
    )
    cells = (_scorecard(r, least) for r in rows)
    return [table("S6-scorecards", "Vendor scorecards, worst first", heads, cells, cap=40, of=len(rows), note=note)]


def _scorecard(row: Record, least: int) -> tuple[Cell, ...]:
    lead = f"n {row.count('lead_lines')}" if row.has("lead_p50") else ""
    return (
        words(row.text("vendor"), note=plural(row.count("lines"), "order line")),
        judged(row.number("otif_share"), row.count("due_lines"), least),
        figure(row.whole("late_lines")),
        figure(row.whole("short_lines")),
        figure(row.whole("unknown_lines")),
        judged(row.number("kept_share"), row.count("promises_due"), least),
        Cell(f"{row.count('pushes')}", row.count("pushes"),
             note=f"{row.count('pushed_lines')} of {plural(row.count('promised_lines'), 'line')}"),
        figure(row.number("mean_push_days"), suffix=" d"),
        figure(row.whole("most_moved_days"), suffix=" d"),
        figure(row.whole("lead_p50"), suffix=" d") if lead else judged(None, row.count("lead_lines"), least),
        Cell(f"{row.count('lead_p90')} d", row.whole("lead_p90"), note=lead) if lead else words(""),
    )  # fmt: skip


def _lanes(week: Week) -> list[Block]:
    rows = list(week.rows("mart.lanes"))
    if not rows:
        return [Paragraph("No goods are under way.")] if week.warehouse.delivered("shipments") else []
    rows.sort(
        key=lambda r: (-r.count("with_exceptions"), -r.count("shipments"), r.text("origin"), r.text("destination"))
    )
    heads = ("From", "To", "Mode", ">Shipments", ">Pieces#goods_under_way", "Next expected", ">In customs",
             ">Not received", ">Overdue", ">Silent", ">Slipped")  # fmt: skip
    silent = not any(r.count("heard_of") for r in rows)
    note = (
        "no data on silence: no carrier sends events." if silent else "Silence is judged where a carrier sends events."
    )
    cells = (
        (
            *(words(r.text(name)) for name in ("origin", "destination", "mode")),
            figure(r.whole("shipments")),
            figure(r.number("quantity")),
            when(r.day("next_eta")),
            *(figure(r.whole(name)) for name in ("customs_hold", "not_received", "eta_passed")),
            figure(r.whole("silent") if r.count("heard_of") else None),
            figure(r.whole("slipped")),
        )
        for r in rows
    )
    title = f"Under way by lane: {plural(sum(r.count('shipments') for r in rows), 'shipment')}"
    return [table("S6-lanes", title, heads, cells, cap=20, of=len(rows), note=note)]


def _lane(row: Record) -> Cell:
    return words(f"{row.text('origin')} to {row.text('destination')}", note=row.text("mode"))


def _exceptions(week: Week) -> list[Block]:
    rows = list(week.rows("mart.transit_exceptions"))
    if not rows:
        return []
    rows.sort(key=lambda r: (_RANKED.index(r.text("exception")), -r.count("days"), r.text("shipment")))
    heads = ("Shipment", "Vendor", "Lane", "What", "Since", ">Days", ">Pieces", "Last event", "File and row")
    cells = (
        (
            words(r.text("shipment"), note=r.text("carrier")),
            words(r.text("vendor")),
            _lane(r),
            words(_EXCEPTIONS[r.text("exception")]),
            when(r.day("since"), status="amber"),
            figure(r.whole("days")),
            figure(r.number("quantity")),
            words(r.text("last_event"), note=r.text("last_place")),
            words(f"{r.text('file')} row {r.text('row')}"),
        )
        for r in rows
    )
    count = len({r.text("shipment_key") for r in rows})
    return [
        table("S6-exceptions", f"{plural(count, 'shipment')} with an exception", heads, cells, cap=20, of=len(rows))
    ]


def _etas(week: Week) -> list[Block]:
    told = week.rows("mart.shipment_etas")
    rows = [r for r in told if r.count("slip_days") > 0 or r.count("slip_week_days") > 0 or r.count("changes")]
    if not rows:
        return []
    rows.sort(key=lambda r: (not r.flag("is_under_way"), -r.count("slip_days"), r.text("shipment")))
    heads = ("Shipment", "Lane", "First told", "Expected now", "Delivered", ">Slip in the week", ">Slip", ">Changes",
             "History")  # fmt: skip
    cells = (
        (
            words(r.text("shipment"), note=r.text("vendor")),
            _lane(r) if r.flag("is_under_way") else words("arrived"),
            when(r.day("first_eta")),
            when(r.day("eta")),
            when(r.day("delivered")),
            change(r.whole("slip_week_days"), " d"),
            change(r.whole("slip_days"), " d"),
            figure(r.whole("changes")),
            words(r.text("history").replace(" -> ", " → ")),
        )
        for r in rows
    )
    title = f"{plural(len(rows), 'shipment')} of {len(told):,} later than told first, or told anew"
    return [table("S6-etas", title, heads, cells, cap=15, of=len(rows))]


def _receipts(week: Week) -> list[Block]:
    rows = list(week.rows("mart.asn_faults"))
    told = sum(r.count("announced") for r in week.rows("mart.asn_flow"))
    if not told:
        return []
    if not week.warehouse.delivered("receipts"):
        return [Paragraph("no data: receipts not delivered, so nothing is compared with shipments", "absent")]
    if not rows:
        return [Paragraph(f"No receipt differs from {plural(told, 'line')} announced, as far as received.")]
    rows.sort(key=lambda r: (r.text("fault"), -r.amount("quantity"), r.text("shipment")))
    heads = ("Shipment", "Part", "Vendor", "Fault#asn_faults", ">Announced", ">Arrived", ">Rejected", "Serials",
             "Last receipt", "File and row")  # fmt: skip
    cells = (
        (
            words(r.text("shipment"), note=f"PO {r.text('po')} line {r.text('line')}" if r.text("po") else ""),
            words(r.text("part_number")),
            words(r.text("vendor")),
            words(r.text("fault")),
            *(figure(r.number(name)) for name in ("shipped", "arrived", "rejected")),
            words(r.text("serials")),
            when(r.day("last_received")),
            words(f"{r.text('file')} row {r.text('row')}"),
        )
        for r in rows
    )
    title = f"{plural(len(rows), 'receipt')} of {plural(told, 'announced line')} not as announced"
    return [table("S6-asn", title, heads, cells, cap=20, of=len(rows))]


def _serials(week: Week) -> list[Block]:
    """Serial numbers by site and state, shown where any is not both received and recorded."""
    rows = list(week.rows("mart.serial_flow"))
    held: dict[str, dict[str, int]] = defaultdict(dict)
    for row in rows:
        held[row.text("site_id")][row.text("state")] = row.count("serials")
    states = {name: said for name, said in _SERIALS.items() if any(name in of_site for of_site in held.values())}
    if not states.keys() - {"received and recorded"}:
        return []
    heads = ("Site", ">Serial numbers", *(f">{said}" for said in states.values()))
    cells = (
        (words(site or "no site"), figure(sum(counts.values())), *(figure(counts.get(name, 0)) for name in states))
        for site, counts in sorted(held.items())
    )
    return [table("S6-serials", "Serial numbers between announcement and register", heads, cells, cap=20)]
