"""Clear-to-build lines: YES, NO with a date, UNKNOWN, N/A (INPUTS section 5); vendors and late lines."""

from datetime import date

import pytest

from tests.readiness.cluster import cluster
from tests.readiness.tiny import built, rows


def part(number, quantity=4, **changes):
    """Return a fitted line of the bill of material."""
    return {"system_id": "TRAIN-1", "line": number, "part_number": f"PART-{number}", "quantity": quantity} | changes


def order(number, quantity, **changes):
    """Return an order line and its share for the cluster."""
    po = {
        "po": f"PO-{number}",
        "line": "1",
        "part_number": f"PART-{number}",
        "quantity": quantity,
        "vendor": "Ostler",
        "status": "open",
    }
    share = {"po": f"PO-{number}", "line": "1", "system_id": "TRAIN-1", "quantity": quantity}
    return po | changes, share


def receipt(number, quantity, name="R", **changes):
    """Return a receipt of an order line at the site."""
    return {
        "receipt": f"{name}-{number}",
        "line": "1",
        "po": f"PO-{number}",
        "po_line": "1",
        "part_number": f"PART-{number}",
        "site_id": "DFW1",
        "place": "site",
        "qty_good": quantity,
        "received": date(2026, 10, 1),
    } | changes


@pytest.fixture(scope="module")
def lines():
    data = cluster(1)
    data["bom"] += [
        part("short"),
        part("none"),
        part("undated"),
        part("off", fitted=False),
        part("full"),
        part("some", 10),
        part("rack", 2),
        part("psu", 3, parent_line="rack", quantity_basis="per_parent"),
        part("ext", 9, parent_line="rack", quantity_basis="extended"),
    ]
    orders = [order("short", 4), order("undated", 4), order("full", 5), order("some", 6)]
    data["purchase_orders"] += [po for po, _ in orders]
    data["po_allocations"] += [share for _, share in orders]
    data["po_schedule"] = [
        {"po": "PO-short", "line": "1", "schedule": "1", "quantity": 2, "promised": date(2026, 11, 9)},
        {"po": "PO-short", "line": "1", "schedule": "2", "quantity": 2, "promised": date(2026, 11, 23)},
        {"po": "PO-some", "line": "1", "schedule": "1", "quantity": 6, "promised": date(2026, 10, 20)},
    ]
    data["receipts"] += [
        receipt("short", 1),
        receipt("full", 2, "R1"),
        receipt("full", 3, "R2"),
        receipt("some", 4, qty_returned=1),
    ]
    found = rows(built(data), "SELECT * FROM mart.supply ORDER BY part_number")
    return {row["part_number"].removeprefix("PART-"): row for row in found}


@pytest.mark.parametrize(
    ("number", "state", "short"),
    [
        ("full", "YES", 0),  # two receipts of one line add up: 2 + 3 of 4
        ("short", "NO", 3),
        ("none", "UNKNOWN", 4),  # a part without a source
        ("undated", "UNKNOWN", 4),  # a source without a date
        ("some", "UNKNOWN", 7),  # 6 ordered of 10; 4 received, 1 returned
        ("off", "N/A", 0),
    ],
)
def test_state_of_a_line(lines, number, state, short):
    assert (lines[number]["state"], lines[number]["short"]) == (state, short)


def test_a_short_line_has_the_day_of_cover(lines):
    assert lines["short"]["cover_date"] == date(2026, 11, 23)
    assert lines["undated"]["cover_date"] is None


def test_quantities_multiply_down_the_parents(lines):
    assert lines["rack"]["needed"] == 2
    assert lines["psu"]["needed"] == 6  # 3 in each of 2 racks
    assert lines["ext"]["needed"] == 9  # already for the whole system


def test_a_promise_that_has_passed_is_late(lines):
    assert lines["some"]["late_days"] == 10


def test_vendors_are_judged_on_delivered_lines_with_a_date():
    data = cluster(1)
    first = dict(data["shipments"][0], vendor="Ostler")
    days = (date(2026, 7, 30), date(2026, 8, 1), date(2026, 8, 3), date(2026, 8, 6), None)
    data["shipments"] = [dict(first, line=str(number), delivered=day) for number, day in enumerate(days)]
    con = built(data)
    (found,) = rows(con, "SELECT * FROM mart.vendors")
    assert (found["lines"], found["late"], float(found["on_time_share"]), float(found["mean_days_late"])) == (
        4,
        2,
        0.5,
        3.5,
    )
    late = rows(con, "SELECT line, days_late, file, row FROM mart.shipments_late ORDER BY line")
    assert late == [
        {"line": "2", "days_late": 2, "file": "shipments.csv", "row": 4},
        {"line": "3", "days_late": 5, "file": "shipments.csv", "row": 5},
    ]
