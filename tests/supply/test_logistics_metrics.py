"""Figures of logistics and installation are exactly their evidence rows, which say where they stand."""

from datetime import date

import pytest

from tests.readiness.cluster import PART, cluster
from tests.readiness.tiny import built, rows
from turnup.readiness.explain import explain


def day(month, number):
    return date(2026, month, number)


def order(number, promised):
    line = {"po": f"PO-{number}", "line": "1", "part_number": "P", "quantity": 10, "vendor": "Ostler", "status": "open",
            "ordered": day(6, 1)}  # fmt: skip
    lot = {"po": f"PO-{number}", "line": "1", "schedule": "1", "quantity": 10, "promised": promised}
    return line, lot


@pytest.fixture(scope="module")
def con():
    data = cluster(2)
    orders = [order(1, day(9, 1)), order(2, day(9, 1))]
    data["purchase_orders"] = [line for line, _ in orders]
    data["po_schedule"] = [orders[0][1], orders[1][1] | {"promised": day(10, 1)}]
    data["po_allocations"] = []
    receipt = {"receipt": "R", "line": "1", "po": "PO-1", "po_line": "1", "part_number": "P", "site_id": "DFW1",
               "place": "site", "qty_good": 10, "received": day(9, 1)}  # fmt: skip
    data["receipts"] = [receipt, receipt | {"receipt": "R2", "po": "PO-2", "received": day(10, 20), "shipment": "T",
                                            "qty_good": 8, "qty_rejected": 1}]  # fmt: skip
    data["shipments"] = [
        {"shipment": "S", "line": str(days), "quantity": 1, "vendor": "Ostler", "status": "delivered",
         "ordered": day(6, 1), "delivered": day(6, days)} for days in (2, 4, 11)
    ] + [
        {"shipment": "T", "line": "1", "po": "PO-2", "po_line": "1", "part_number": "P", "quantity": 10,
         "status": "delivered", "delivered": day(10, 19)},
        {"shipment": "U", "line": "1", "quantity": 7, "vendor": "Ostler", "status": "in_transit", "eta": day(10, 20),
         "shipped": day(10, 1)},
        {"shipment": "V", "line": "1", "quantity": 5, "vendor": "Ostler", "status": "in_transit", "eta": day(11, 20),
         "shipped": day(10, 1)},
    ]  # fmt: skip
    data["installs"][0] |= {"planned_rack": "A", "rack": "B", "racked": day(10, 20), "cabled": day(10, 21),
                            "powered": day(10, 22), "provisioned": day(10, 23), "crew": "Day"}  # fmt: skip
    data["installs"][1] |= {"planned_rack": "A", "rack": "A", "racked": day(10, 20), "crew": "Day",
                            "cabled": None, "powered": None, "provisioned": None, "status": "staged"}  # fmt: skip
    data["installs"].append(
        {"asset_id": "L", "part_number": PART, "purpose": "loan", "system_id": "TRAIN-1", "status": "active",
         "return_due": day(12, 1)}
    )  # fmt: skip
    data["failures"] = [
        {"failure_id": "F", "serial": "SN-TRAIN-1-n0", "replaced_serial": "NEW", "kind": "ECC", "opened": day(10, 1)}
    ]
    earlier = {"po_schedule": [(day(7, 1), [lot for _, lot in orders])]}
    return built(data, earlier=earlier, thresholds={"judged_from": 1})


@pytest.mark.parametrize(
    ("metric", "system", "value", "evidence"),
    [
        ("vendor_otif_share", None, 1 / 2, 2),
        ("promise_kept_share", None, 1 / 2, 2),  # 1 September of both; 1 October was told at the data date only
        ("promise_pushes", None, 1, 2),
        ("promise_push_days", None, 30, 1),
        ("lead_time_p50", None, 3, 4),  # 1, 3 and 10 days, and 140 for T
        ("lead_time_p90", None, 140, 4),
        ("goods_under_way", None, 12, 2),
        ("transit_exceptions", None, 1, 1),
        ("asn_faults", None, 2, 2),  # short by one, one rejected
        ("position_as_planned_share", "TRAIN-1", 1 / 2, 2),
        ("install_backlog", "TRAIN-1", 1, 1),
        ("install_backlog_days", "TRAIN-1", 10, 1),
        ("racked_per_crew_day", "TRAIN-1", 2, 1),
        ("staged_per_crew_day", "TRAIN-1", None, 0),
        ("capacity_aside", "TRAIN-1", 8, 1),
        ("replacements", "TRAIN-1", 1, 1),
        ("moves_without_decision", "TRAIN-1", None, 0),
        ("capacity_moved_net", "TRAIN-1", None, 0),
        ("first_pass_bring_up_share", "TRAIN-1", 1, 1),
        ("first_pass_acceptance_share", "TRAIN-1", None, 0),
    ],
)
def test_a_figure_is_its_rows(con, metric, system, value, evidence):
    found = explain(con, metric, system)
    assert found.value == (pytest.approx(value) if value is not None else None)
    assert len(found.rows) == evidence
    assert all(row.file and row.row for row in found.rows)
    assert all(row.note for row in found.rows)


def test_a_late_line_says_what_was_due_and_what_came(con):
    late = next(row for row in explain(con, "vendor_otif_share", None).rows if row.value == 0)
    assert (late.unit_id, late.file, late.row) == ("PO-2/1", "purchase_orders.csv", 3)
    assert late.note == "Ostler: not in full, due 2026-09-01 (first promise), 8.000 of 10.000 so far"


def test_reports_and_metrics_say_the_same(con):
    (card,) = rows(con, "SELECT * FROM mart.vendor_scorecards WHERE vendor_key = 'ostler'")
    values = {row["metric"]: row["value"] for row in rows(con, "SELECT metric, value FROM mart.metrics")}
    assert values["vendor_otif_share"] == card["otif_lines"] / card["due_lines"]
    assert values["promise_kept_share"] == card["promises_kept"] / card["promises_due"]
    assert values["promise_pushes"] == card["pushes"]
    (lanes,) = rows(con, "SELECT sum(quantity) AS n, sum(with_exceptions) AS e FROM mart.lanes")
    assert (values["goods_under_way"], values["transit_exceptions"]) == (lanes["n"], lanes["e"])
    assert values["asn_faults"] == len(rows(con, "FROM mart.asn_faults"))
