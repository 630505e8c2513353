"""EDI messages: what they state, what they hold, and where the two disagree.

Each refused row is a finding too: an envelope that disagrees gives one finding of its own and one per row.
"""

EXPECTED = {
    "edi/x12_850_purchase_order.edi": {
        "format": "x12",
        "dataset": "purchase_orders",
        # 54 segments: 3 open and 3 close an envelope; IEA02 is not ISA13, so the three lines are set aside.
        "ledger": {"lines": 54, "data": 0, "rejected": 3, "header": 3, "footer": 3, "other": 45},
        "facts": {
            "isa_length": 101,
            "no_break_spaces": 16,
            "tabs": 173,
            "lines": 3,
            "quantities": ("2500", "2000", "1000"),
            "quantity": "5500",
            "stated_totals": ("3",),
            "segments_stated": 50,
            "segments_actual": 50,
            "orders": ("4600000406",),
            "interchange_number": ("000000055", "000000001"),
        },
        "findings": {"isa_length": 1, "control_number": 4, "test_message": 1, "control_total": 0, "control_count": 0},
    },
    "edi/edifact_ordrsp.edi": {
        "format": "edifact",
        "dataset": "purchase_orders",
        "ledger": {"lines": 33, "data": 0, "rejected": 1, "header": 2, "footer": 2, "other": 28},
        "facts": {
            "messages": ("ORDRSP 9IMX20YSP0009",),
            "message_ends": ("9IM20YSP9",),
            "interchange_number": ("DAREFNR0000001", "DAREFNR00001"),
            "segments_stated": 17,
            "segments_actual": 31,
            "released_characters": 1,
            "lines": 1,
            "quantity": "1",
        },
        "findings": {"control_number": 2, "control_count": 2},
    },
    "edi/x12_856_asn_walmart.txt": {
        "format": "x12",
        "dataset": "shipments",
        "ledger": {"lines": 35, "data": 0, "rejected": 2, "header": 3, "footer": 3, "other": 27},
        "facts": {
            "hierarchy": ("S", "O", "I", "I"),
            "quantities": ("24", "6"),
            "quantity": "30",
            "stated_totals": ("4 30",),
            "segments_stated": 31,
            "segments_actual": 31,
            "interchange_number": ("000003438", "000000049"),
            "interchange_dates": ("101127", "20111206"),
            "orders": ("99999817",),
        },
        "findings": {"control_number": 3, "control_total": 0, "date_mismatch": 1},
    },
}
