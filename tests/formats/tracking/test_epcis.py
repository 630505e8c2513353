"""EPCIS: event time, record time, and error declarations that take an event back (M60)."""

DOCUMENT = {
    "@context": ["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld"],
    "type": "EPCISDocument",
    "epcisBody": {
        "eventList": [
            {
                "type": "ObjectEvent",
                "eventID": "urn:uuid:1",
                "eventTime": "2026-08-20T14:05:00.000+01:00",
                "recordTime": "2026-08-20T14:10:00Z",
                "epcList": ["urn:epc:id:sscc:0614141.1234567890"],
                "bizStep": "shipping",
                "readPoint": {"id": "urn:epc:id:sgln:0614141.00777.0"},
                "bizTransactionList": [{"type": "desadv", "bizTransaction": "ASN-1"}],
            },
            {
                "type": "ObjectEvent",
                "eventID": "urn:uuid:2",
                "eventTime": "2026-08-21T14:05:00Z",
                "epcList": ["urn:epc:id:sgtin:0614141.107346.2018"],
                "bizStep": "urn:epcglobal:cbv:bizstep:receiving",
                "errorDeclaration": {"declarationTime": "2026-08-22T00:00:00Z", "reason": "did_not_occur"},
            },
            {"type": "ObjectEvent", "eventTime": "2026-08-21", "bizStep": "receiving"},
        ]
    },
}


def test_m60_an_error_declaration_takes_its_event_back(take):
    table = take(DOCUMENT)
    assert table.format == "epcis"
    assert table.frame.select("event_id", "shipment", "type", "state", "created_at", "retracted").rows() == [
        ("urn:uuid:1", "ASN-1", "shipping", "shipped", "2026-08-20T14:10:00Z", None),
        ("urn:uuid:2", "urn:epc:id:sgtin:0614141.107346.2018", "receiving", "delivered", "2026-08-22T00:00:00Z",
         "true"),
    ]  # fmt: skip
    assert [(row.row, row.rule) for row in table.rejected] == [(3, "instant")]
    assert {fact.name: fact.value for fact in table.facts}["error_declarations"] == 1
