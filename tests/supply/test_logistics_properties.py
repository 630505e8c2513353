"""What holds for any documents: serial numbers are conserved, moves add up, receipts are never counted twice."""

from __future__ import annotations

import random
from collections import Counter
from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.readiness.cluster import PART, cluster
from tests.readiness.tiny import modelled, rows

FEW = settings(max_examples=8, deadline=None)
FIRST = date(2026, 7, 1)
SERIALS = st.lists(st.sampled_from([f"s{number}" for number in range(8)]), max_size=4, unique=True)


@st.composite
def documents(draw):
    """Shipments, receipts and assets over eight serial numbers, in any spelling, with repeats and placeholders."""

    def written(serials):
        upper = draw(st.booleans())
        return draw(st.sampled_from(["; ", " ", ","])).join([*(s.upper() if upper else s for s in serials), "N/A"])

    shipments, receipts, installs = [], [], []
    for number in range(draw(st.integers(0, 4))):
        status = draw(st.sampled_from(["delivered", "in_transit", "cancelled"]))
        shipments.append({"shipment": f"S{number}", "line": "1", "quantity": 4, "status": status,
                          "part_number": "P", "serials": written(draw(SERIALS)), "shipped": FIRST})  # fmt: skip
    for number in range(draw(st.integers(0, 4))):
        receipts.append({"receipt": f"R{number}", "line": "1", "part_number": "P", "site_id": "DFW1", "qty_good": 4,
                         "place": draw(st.sampled_from(["site", "warehouse"])), "received": FIRST,
                         "serials": written(draw(SERIALS))})  # fmt: skip
    for number, serial in enumerate(draw(SERIALS)):
        status = draw(st.sampled_from(["planned", "active", "inventory"]))
        installs.append({"asset_id": f"A{number}", "serial": serial, "part_number": "P", "status": status})
    return {"shipments": shipments, "receipts": receipts, "installs": installs}


def held(cell):
    return {serial.casefold() for serial in cell.replace(";", " ").replace(",", " ").split()} - {"n/a"}


def state_of(serial, data):
    """The state by the definition, worked out without the database."""
    recorded = {row["serial"] for row in data["installs"] if row["status"] != "planned"}
    received = {s for row in data["receipts"] if row["place"] == "site" for s in held(row["serials"])}
    kept = {s for row in data["receipts"] if row["place"] != "site" for s in held(row["serials"])}
    announced = {s for row in data["shipments"] if row["status"] != "cancelled" for s in held(row["serials"])}
    if serial in recorded:
        if serial in received:
            return "received and recorded"
        return "recorded, announced, never received" if serial in announced else "recorded only"
    if serial in received:
        return "received, not recorded"
    if serial in kept:
        return "at a warehouse or integrator"
    return "announced, not received" if serial in announced else "planned only"


@FEW
@given(documents())
def test_serial_numbers_are_conserved(data):
    con = modelled(data, "mart.serial_flow")
    named = {s for row in data["shipments"] if row["status"] != "cancelled" for s in held(row["serials"])}
    named |= {s for row in data["receipts"] for s in held(row["serials"])} | {row["serial"] for row in data["installs"]}
    flow = Counter()
    for row in rows(con, "SELECT state, serials FROM mart.serial_flow"):
        flow[row["state"]] += row["serials"]
    assert flow == Counter(state_of(serial, data) for serial in named)
    assert sum(flow.values()) == len(named)


SCHEDULE = st.dictionaries(st.integers(30, 60).map(lambda n: FIRST + timedelta(days=n)), st.integers(1, 9), min_size=1)


def lots(schedule):
    return [
        {"po": "P", "line": "1", "schedule": str(place), "quantity": quantity, "promised": promised}
        for place, (promised, quantity) in enumerate(schedule.items())
    ]


def moves_of(schedules):
    told = [(FIRST + timedelta(days=place), lots(schedule)) for place, schedule in enumerate(schedules[:-1])]
    order = {"po": "P", "line": "1", "part_number": "P", "quantity": 50, "vendor": "V", "status": "open"}
    data = {"purchase_orders": [order], "po_schedule": lots(schedules[-1])}
    query = "SELECT * EXCLUDE (_row) FROM core.promise_moves ORDER BY ALL"
    return rows(modelled(data, "core.promise_moves", earlier={"po_schedule": told}), query)


@FEW
@given(SCHEDULE, SCHEDULE)
def test_what_leaves_some_days_arrives_on_others(before, now):
    found = moves_of([before, now])
    leaving = {day: max(0, quantity - now.get(day, 0)) for day, quantity in before.items()}
    arriving = {day: max(0, quantity - before.get(day, 0)) for day, quantity in now.items()}
    assert sum(row["quantity"] for row in found) == min(sum(leaving.values()), sum(arriving.values()))
    for days, side in ((leaving, "from_day"), (arriving, "to_day")):
        moved = Counter()
        for row in found:
            moved[row[side]] += row["quantity"]
        assert all(moved[day] <= days[day] for day in moved)
    if sum(before.values()) == sum(now.values()):
        shift = sum(q * d.toordinal() for d, q in now.items()) - sum(q * d.toordinal() for d, q in before.items())
        assert sum(row["quantity"] * row["days"] for row in found) == shift


@FEW
@given(SCHEDULE, SCHEDULE, st.randoms())
def test_the_order_and_the_numbers_of_lots_never_matter(before, now, chance):
    mixed = [dict(chance.sample(list(schedule.items()), len(schedule))) for schedule in (before, now)]
    assert moves_of([before, now]) == moves_of(mixed)


@st.composite
def deliveries(draw):
    """An order, some shipments against it, and receipts that name one of them or none."""
    shipments = [
        {"shipment": f"S{number}", "line": "1", "po": "P", "po_line": "1", "part_number": "P", "status": "delivered",
         "quantity": draw(st.integers(1, 9)), "shipped": FIRST + timedelta(days=draw(st.integers(0, 5)))}
        for number in range(draw(st.integers(1, 4)))
    ]  # fmt: skip
    receipts = [
        {"receipt": f"R{number}", "line": "1", "po": "P", "po_line": "1", "part_number": "P", "site_id": "D",
         "place": "site", "qty_good": draw(st.integers(0, 9)), "qty_rejected": draw(st.integers(0, 2)),
         "shipment": draw(st.sampled_from([None, "S0", "S1"])), "received": FIRST + timedelta(days=9)}
        for number in range(draw(st.integers(0, 4)))
    ]  # fmt: skip
    order = {"po": "P", "line": "1", "part_number": "P", "quantity": 20, "vendor": "V", "status": "open"}
    return {"purchase_orders": [order], "shipments": shipments, "receipts": receipts}


@FEW
@given(deliveries(), st.integers(0, 2**32))
def test_no_received_piece_counts_twice(data, seed):
    con = modelled(data, "core.asn_lines")
    query = "SELECT shipment_key, shipped::INT AS shipped, arrived::INT AS arrived FROM core.asn_lines ORDER BY 1"
    found = rows(con, query)
    came = sum(row["qty_good"] + row["qty_rejected"] for row in data["receipts"])
    assert sum(row["arrived"] for row in found) <= came
    assert sum(row["shipped"] for row in found) == sum(row["quantity"] for row in data["shipments"])
    sent = {row["shipment"] for row in data["shipments"]}
    named = Counter()
    for row in data["receipts"]:
        if row["shipment"] in sent:
            named[row["shipment"].lower()] += row["qty_good"] + row["qty_rejected"]
    unnamed = came - sum(named.values())
    for row in found:  # what names a shipment stays with it, and the pool only fills gaps
        assert row["arrived"] >= named[row["shipment_key"]]
        assert row["arrived"] <= max(named[row["shipment_key"]], row["shipped"])
    gaps = sum(max(0, row["shipped"] - named[row["shipment_key"]]) for row in found)
    assert sum(row["arrived"] - named[row["shipment_key"]] for row in found) == min(unnamed, gaps)
    numbered = {name: [dict(row, _row=place) for place, row in enumerate(given, 2)] for name, given in data.items()}
    mixed = {name: random.Random(seed).sample(given, len(given)) for name, given in numbered.items()}
    assert rows(modelled(mixed, "core.asn_lines"), query) == found


HOMES = st.lists(st.sampled_from(["TRAIN-1", "TRAIN-2", "TRAIN-3", None]), min_size=1, max_size=5)


@FEW
@given(st.lists(HOMES, min_size=1, max_size=4))
def test_moves_of_pieces_net_to_zero(stories):
    """A piece is in a system, or in none, in each of some weekly deliveries; all stories end in the same week."""
    data = cluster(1)
    for other in ("TRAIN-2", "TRAIN-3"):
        data["systems"] += cluster(1, other)["systems"]
        data["bom"] += cluster(1, other)["bom"]
    weeks = max(map(len, stories))
    told = [
        [
            {
                "asset_id": f"A{number}",
                "serial": f"S{number}",
                "part_number": PART,
                "system_id": home,
                "status": "active",
            }
            for number, story in enumerate(stories)
            if (home := ([None] * (weeks - len(story)) + story)[week])
        ]
        for week in range(weeks)
    ]
    earlier = {"installs": [(FIRST + timedelta(weeks=week), given) for week, given in enumerate(told[:-1])]}
    data |= {"installs": told[-1], "po_allocations": [], "purchase_orders": [], "receipts": [], "shipments": []}
    con = modelled(data, "mart.capacity_transfers", earlier=earlier)
    assert sum(row["net"] for row in rows(con, "SELECT net FROM mart.capacity_transfers")) == 0
    present = [(next(home for home in story if home), story[-1]) for story in stories if story[-1]]
    expected = Counter((old.lower(), new.lower()) for old, new in present if old != new)
    found = Counter((row["from_key"], row["to_key"]) for row in rows(con, "FROM core.capacity_moves"))
    assert found == expected


DAYS = st.one_of(st.none(), st.integers(0, 150).map(lambda n: date(2026, 6, 20) + timedelta(days=n)))


@FEW
@given(st.lists(st.tuples(DAYS, DAYS, DAYS, DAYS, st.sampled_from(["Day", "Night", None])), max_size=6))
def test_rates_and_backlog_add_up_to_devices(given_devices):
    data = cluster(1)
    data["installs"] = [
        {"asset_id": f"A{number}", "name": f"n{number}", "part_number": PART, "system_id": "TRAIN-1", "site_id": "DFW1",
         "status": "staged", "racked": racked, "cabled": cabled, "powered": powered, "provisioned": provisioned,
         "crew": crew} for number, (racked, cabled, powered, provisioned, crew) in enumerate(given_devices)
    ]  # fmt: skip
    con = modelled(data, "mart.install_rates", "mart.install_days", "mart.install_backlog")
    as_of = date(2026, 10, 30)
    done = Counter()
    for row in data["installs"]:
        for step in ("racked", "cabled", "powered", "provisioned"):
            if row[step] and as_of - timedelta(days=28) < row[step] <= as_of:
                done[step] += 1
    counted = {row["step"]: int(row["n"]) for row in rows(con, "SELECT step, sum(devices) AS n FROM mart.install_rates"
                                                               " GROUP BY 1")}  # fmt: skip
    assert counted == dict(done)
    for step in done:
        (total,) = rows(con, f"SELECT sum({step})::INT AS n FROM mart.install_days")
        assert total["n"] == done[step]
    classes = "to_7_days + to_14_days + to_28_days + over_28_days + unknown_age"
    assert rows(con, f"SELECT * FROM mart.install_backlog WHERE waiting <> {classes}") == []
    (waits,) = rows(con, "SELECT coalesce(sum(waiting), 0)::INT AS n FROM mart.install_backlog")
    provisioned = sum(bool(row["provisioned"] and row["provisioned"] <= as_of) for row in data["installs"])
    assert waits["n"] <= len(data["installs"]) - provisioned
