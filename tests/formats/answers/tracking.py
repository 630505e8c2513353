"""Events of tracking: how many, of which kind, in which zones, and which cannot be right."""

EXPECTED = {
    "tracking/dcsa_tnt-220-response.json": {
        "format": "dcsa",
        "dataset": "logistics_events",
        "ledger": {"lines": 7, "data": 7, "rejected": 0},
        "facts": {
            "events": 7,
            "event_types": ("EQUIPMENT 2", "SHIPMENT 3", "TRANSPORT 2"),
            "classifiers": ("actual 5", "estimated 2"),
            "zones": ("+01:00", "+08:30"),
            "reported_later": 7,
        },
    },
    "tracking/dcsa_tnt-220-response-wrong-date-times.json": {
        "format": "dcsa",
        "dataset": "logistics_events",
        "ledger": {"lines": 7, "data": 1, "rejected": 6},
        "facts": {"events": 7, "good_events": 1},
        "findings": {"required": 2, "instant": 2, "reported_before": 1, "reported_too_late": 1},
    },
    "tracking/easypost_tracker_webhook.json": {
        "format": "easypost",
        "dataset": "logistics_events",
        # Six details and the estimated delivery.
        "ledger": {"lines": 7, "data": 7, "rejected": 0},
        "facts": {
            "details": 6,
            "claimed_status": ("delivered",),
            "order_by_time": (
                "DELIVERED",
                "BILLING INFORMATION RECEIVED",
                "ORIGIN SCAN",
                "DEPARTURE SCAN",
                "ARRIVAL SCAN",
                "OUT FOR DELIVERY",
            ),
        },
        "findings": {"event_after_report": 5, "events_out_of_order": 1, "status_contradiction": 1},
    },
}
