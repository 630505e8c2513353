"""Vendors: on time and in full, promises pushed out, promises made 28 days before, lead times; worked out by hand.

The data date is 30 October 2026. Three schedules were told, on 1 July, 20 August and 10 September.
"""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from tests.readiness.tiny import modelled, rows


def day(month, number):
    return date(2026, month, number)


def order(number, quantity, **changes):
    return {"po": f"PO-{number}", "line": "1", "part_number": f"P-{number}", "quantity": quantity, "vendor": "Ostler",
            "status": "open", "ordered": day(6, 1)} | changes  # fmt: skip


def promise(number, schedule, quantity, promised):
    return {"po": f"PO-{number}", "line": "1", "schedule": schedule, "quantity": quantity, "promised": promised}


def receipt(number, received, good, **changes):
    return {"receipt": f"R-{number}-{received}", "line": "1", "po": f"PO-{number}", "po_line": "1",
            "part_number": f"P-{number}", "site_id": "DFW1", "place": "site", "qty_good": good,
            "received": received} | changes  # fmt: skip


ONE = promise("kept", "1", 10, day(9, 1))
TWO = promise("late", "1", 10, day(9, 1))
TWO_LATER = promise("late", "1", 10, day(9, 15))
THREE = promise("parts", "1", 4, day(9, 1)), promise("parts", "2", 6, day(10, 1))
THREE_LATER = promise("parts", "1", 4, day(9, 1)), promise("parts", "2", 6, day(10, 8))
TOLD = [
    (day(7, 1), [ONE, TWO, *THREE]),
    (day(8, 20), [ONE, TWO_LATER, *THREE]),
    (day(9, 10), [ONE, TWO_LATER, *THREE_LATER]),
]
DATA = {
    "purchase_orders": [
        order("kept", 10),
        order("late", 10),
        order("parts", 10),
        order("short", 10, requested=day(10, 15)),
        order("coming", 5, requested=date(2026, 12, 1)),
        order("undated", 5),
        order("off", 5, status="cancelled", requested=day(9, 1)),
        order("minus", -2, requested=day(9, 1)),
        order("lone", 1, vendor="Loner", requested=day(9, 1)),
    ],
    "po_schedule": [ONE, TWO_LATER, *THREE_LATER],
    "receipts": [
        receipt("kept", day(8, 31), 10),
        receipt("late", day(9, 10), 10),
        receipt("parts", day(9, 3), 4),
        receipt("parts", day(10, 10), 6),
        receipt("short", day(10, 10), 7, qty_rejected=3),
        receipt("lone", day(8, 1), 1),
    ],
    "shipments": [
        {"shipment": f"S-{n}", "line": "1", "quantity": 1, "vendor": " OSTLER" if n % 2 else "Ostler", "status":
         "delivered", "ordered": day(8, 1), "delivered": day(8, 1) + timedelta(days=n)} for n in range(1, 11)
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def con():
    return modelled(DATA, "mart.vendor_scorecards", earlier={"po_schedule": TOLD}, thresholds={"judged_from": 4})


def card(con, vendor="ostler"):
    (found,) = rows(con, f"SELECT * FROM mart.vendor_scorecards WHERE vendor_key = '{vendor}'")
    return found


def test_each_line_is_judged_by_its_first_promise_else_by_the_day_asked_for(con):
    query = "SELECT po, due, due_by, full_on, verdict FROM core.line_punctuality WHERE vendor = 'Ostler'"
    held = {row["po"].removeprefix("PO-"): tuple(row.values())[1:] for row in rows(con, query)}
    assert held == {
        "kept": (day(9, 1), "first promise", day(8, 31), "on time in full"),
        "late": (day(9, 1), "first promise", day(9, 10), "late"),  # not by the later promise of 20 August
        "parts": (day(10, 1), "first promise", day(10, 10), "late"),  # its last lot decides
        "short": (day(10, 15), "requested", None, "not in full"),  # rejected pieces are not there
        "coming": (date(2026, 12, 1), "requested", None, "not due"),
        "undated": (None, None, None, "no date"),
        "off": (day(9, 1), "requested", None, "left out"),
        "minus": (day(9, 1), "requested", None, "left out"),
    }


def test_on_time_and_in_full_is_a_share_of_the_lines_due(con):
    held = card(con)
    names = ("lines", "due_lines", "otif_lines", "late_lines", "short_lines", "not_due_lines", "unknown_lines")
    assert [held[name] for name in names] == [6, 4, 1, 2, 1, 1, 1]
    assert held["otif_share"] == Decimal("0.25")
    assert held["due_lines"] == held["otif_lines"] + held["late_lines"] + held["short_lines"]


def test_a_promise_is_what_stood_28_days_before_its_day(con):
    query = "SELECT po, promised, outcome, days_after FROM core.promises_due ORDER BY po, promised"
    assert [tuple(row.values()) for row in rows(con, query)] == [
        ("PO-kept", day(9, 1), "kept", -1),
        ("PO-late", day(9, 1), "late", 9),  # 15 September was told 26 days before: no promise of 28 days
        ("PO-parts", day(9, 1), "kept", 2),  # three days are allowed
        ("PO-parts", day(10, 1), "late", 9),  # stood until 10 September
        ("PO-parts", day(10, 8), "kept", 2),  # told on 10 September, just 28 days before
    ]
    held = card(con)
    assert (held["promises_due"], held["promises_kept"], held["kept_share"]) == (5, 3, Decimal("0.6"))


def test_how_often_and_how_far_promises_moved(con):
    held = card(con)
    # Of three lines with a schedule two moved once: 10 pieces by 14 days, 6 pieces by 7.
    assert (held["promised_lines"], held["pushed_lines"], held["pushes"]) == (3, 2, 2)
    assert (held["mean_push_days"], held["most_moved_days"]) == (Decimal("10.5"), 14)
    query = "SELECT po_key, from_day, to_day, quantity, days, told_on FROM core.promise_moves ORDER BY 1"
    assert [tuple(row.values()) for row in rows(con, query)] == [
        ("po-late", day(9, 1), day(9, 15), 10, 14, day(8, 20)),
        ("po-parts", day(10, 1), day(10, 8), 6, 7, day(9, 10)),
    ]


def test_lead_times_are_cases_over_every_spelling_of_the_vendor(con):
    held = card(con)
    assert (held["lead_lines"], held["lead_p50"], held["lead_p90"]) == (10, 5, 9)  # 1 to 10 days


def test_too_few_cases_are_no_judgement(con):
    held = card(con, "loner")
    assert (held["due_lines"], held["otif_lines"], held["otif_share"]) == (1, 1, None)
    assert (held["promises_due"], held["kept_share"], held["lead_lines"], held["lead_p50"]) == (0, None, 0, None)


def test_without_any_receipt_or_delivery_nothing_is_late():
    data = {"purchase_orders": DATA["purchase_orders"], "po_schedule": DATA["po_schedule"]}
    con = modelled(data, "mart.vendor_scorecards", earlier={"po_schedule": TOLD})
    held = card(con)
    assert (held["due_lines"], held["otif_share"], held["promises_due"], held["kept_share"]) == (0, None, 0, None)
    assert held["unknown_lines"] == 5  # four due, and one without a day


def test_deliveries_stand_for_receipts_where_none_are_sent():
    data = {
        "purchase_orders": [order("kept", 10, requested=day(9, 1))],
        "shipments": [{"shipment": "S", "line": "1", "po": "PO-kept", "po_line": "1", "quantity": 10,
                       "status": "delivered", "delivered": day(9, 1)}],
    }  # fmt: skip
    con = modelled(data, "core.line_punctuality")
    assert rows(con, "SELECT verdict FROM core.line_punctuality") == [{"verdict": "on time in full"}]


def schedules(*told, ordered=100, **data):
    """Return the moves of one line whose schedules were told on 1 July, 1 August and so on, the last one in force."""
    lines = [
        [promise("x", str(place), quantity, promised) for place, (promised, quantity) in enumerate(schedule.items(), 1)]
        for schedule in told
    ]
    earlier = {"po_schedule": [(day(7 + place, 1), given) for place, given in enumerate(lines[:-1])]}
    whole = {"purchase_orders": [order("x", ordered)], "po_schedule": lines[-1], **data}
    return modelled(whole, "core.promise_moves", "core.promises_due", earlier=earlier)


def moves(con):
    query = "SELECT quantity, days FROM core.promise_moves ORDER BY version, from_day, to_day"
    return [(int(row["quantity"]), row["days"]) for row in rows(con, query)]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (({day(9, 1): 100}, {day(9, 1): 40, day(9, 29): 60}), [(60, 28)]),  # a lot is split, part of it later
        (({day(9, 1): 40, day(9, 29): 60}, {day(9, 29): 60, day(9, 1): 40}), []),  # only the numbers changed
        (({day(9, 1): 40, day(9, 29): 60}, {day(9, 29): 60}), []),  # received, and off the list
        (({day(9, 1): 60, day(9, 29): 60}, {day(9, 29): 60, day(10, 6): 60}), [(60, 35)]),  # the first went to the end
        (({day(9, 1): 60}, {day(9, 1): 60, day(10, 6): 40}), []),  # a lot was added
        (({day(9, 29): 100}, {day(9, 22): 30, day(9, 29): 70}), [(30, -7)]),  # some come earlier
        (({day(9, 1): 100}, {day(9, 8): 100}, {day(9, 22): 100}), [(100, 7), (100, 14)]),  # each telling by itself
        (({day(9, 1): 40, day(9, 29): 60}, {day(10, 6): 60}), [(60, 7)]),  # received, and the rest moved
    ],
)
def test_what_moved_between_two_schedules(told, expected):
    assert moves(schedules(*told)) == expected


def test_a_list_of_open_lots_promises_what_comes_on_top_of_what_came():
    """40 came and left the list; of the 60 promised for 29 September, told on 1 September, 30 came."""
    told = ({day(9, 1): 40, day(9, 29): 60}, {day(9, 1): 40, day(9, 29): 60}, {day(9, 29): 60}, {day(9, 29): 60})
    con = schedules(*told, receipts=[receipt("x", day(8, 31), 40), receipt("x", day(9, 28), 30)])
    query = "SELECT promised, cumulative, outcome FROM core.promises_due ORDER BY 1"
    assert [tuple(row.values()) for row in rows(con, query)] == [
        (day(9, 1), 40, "kept"),
        (day(9, 29), 60, "open"),
    ]


def test_a_promise_pushed_beyond_the_limit_is_a_finding_while_pieces_are_open():
    found = "SELECT subject, message FROM core.found_deliveries WHERE code = 'promise_pushed'"
    earlier = {"po_schedule": TOLD[:1]}
    data = DATA | {"receipts": []}
    con = modelled(data, "core.found_deliveries", earlier=earlier, thresholds={"promise_pushed_days": 13})
    assert [row["subject"] for row in rows(con, found)] == ["PO-late/1"]
    assert (
        "first promised for 2026-09-01, now 2026-09-15, pushed out 1 times; 10 pieces open"
        in rows(con, found)[0]["message"]
    )
    assert rows(modelled(data, "core.found_deliveries", earlier=earlier), found) == []  # 14 days are not more than 14
    arrived = modelled(DATA, "core.found_deliveries", earlier=earlier, thresholds={"promise_pushed_days": 13})
    assert rows(arrived, found) == []
