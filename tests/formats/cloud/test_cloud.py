"""Lists of the three clouds become circuits and sessions, with both sides' states and without a secret."""

from __future__ import annotations

import json

import pytest

from expectations.contract import load_contracts
from tests.formats.cloud.samples import (
    ATTACHMENT,
    CIRCUIT,
    CONNECTION,
    CONNECTIONS,
    DIRECT,
    GOOGLE,
    INTERCONNECT,
    INTERFACE,
    INTERFACES,
    NEW,
)
from turnup.formats import FileRejected

CONTRACTS = load_contracts()
SHOWN = ("circuit", "provider", "type", "gbps", "customer_state", "provider_state", "provider_location",
         "provider_device", "system_id")  # fmt: skip


@pytest.fixture
def rows(read):
    """Read a document, check its ledger, and return the table."""

    def reader(document, dataset="circuits", name="list.json", **settings):
        table = read(json.dumps(document), contract=CONTRACTS[dataset], name=name, format="auto", **settings)
        assert table.ledger.balanced
        assert table.frame.height == table.ledger.data
        return table

    return reader


def shown(table):
    assert table.frame["view"].to_list() == ["observed"] * table.frame.height
    return [tuple(row.get(name) for name in SHOWN) for row in table.frame.rows(named=True)]


def codes(table):
    return [(finding.code, finding.row) for finding in table.findings]


AZURE = [
    ("er-iad-1", "Exchange One", "expressroute", "0.5", "Enabled", "Provisioned", "Washington DC",
     "EXA-ASH-06GMR-CIS-1-PRI-A; EXA-ASH-06GMR-CIS-2-SEC-A", "IAD-AZX-1"),
    ("er-direct", "Microsoft", "expressroute_direct", "100", "enabled without peering", "Provisioned", "port-1", None,
     None),
    ("er-new", "Exchange One", "expressroute", "0.5", "enabled without peering", "NotProvisioned", "Washington DC",
     None, None),
]  # fmt: skip


def test_expressroute_circuits(rows):
    table = rows([CIRCUIT, DIRECT, NEW])
    assert table.format == "azure_expressroute"
    assert shown(table) == AZURE
    assert codes(table) == [("no_peering", 2), ("no_peering", 3)]
    assert {fact.name: fact.value for fact in table.facts} == {
        "circuits": 3,
        "customer_states": ("Enabled: 1", "enabled without peering: 2"),
        "provider_states": ("NotProvisioned: 1", "Provisioned: 2"),
        "peerings": 1,
    }


def test_the_answer_of_rest_and_a_single_circuit_read_the_same(rows):
    outer = ("name", "id", "etag", "type", "location", "tags", "sku")

    def nested(record):
        inner = {name: value for name, value in record.items() if name not in outer}
        inner["peerings"] = [{"name": peering["name"], "properties": peering} for peering in record["peerings"]]
        return {name: record[name] for name in outer if name in record} | {"properties": inner}

    assert shown(rows({"value": [nested(CIRCUIT), nested(DIRECT), nested(NEW)]})) == AZURE
    assert shown(rows(CIRCUIT)) == AZURE[:1]


def test_a_disabled_circuit_keeps_its_word_and_a_disabled_peering_is_none(rows):
    off = CIRCUIT | {"circuitProvisioningState": "Disabled"}
    closed = CIRCUIT | {"name": "b", "peerings": [CIRCUIT["peerings"][0] | {"state": "Disabled"}]}
    assert rows([off, closed]).frame["customer_state"].to_list() == ["Disabled", "enabled without peering"]


def test_direct_connect_connections(rows):
    table = rows(CONNECTIONS)
    assert table.format == "aws_direct_connect"
    device = "EqDC2-1aaaaaaaaaaaa"
    assert shown(table) == [
        ("dxcon-aaaa1111", "AWS", "direct_connect", "100", None, "available", "EqDC2", device, "IAD-AWS-1"),
        ("dxcon-bbbb2222", "AWS", "direct_connect", "100", None, "down", "CSVA1", "CSVA1-2b", "IAD-AWS-1"),
        ("dxcon-cccc3333", "Exchange One", "direct_connect_hosted", "0.5", None, "available", "EqDC2", device,
         "IAD-AWS-1"),
    ]  # fmt: skip
    assert table.frame["loa_cfa_issued"].unique().to_list() == ["2026-07-01"]
    assert (table.ledger.lines, table.ledger.other) == (4, 1)


def test_sessions_of_virtual_interfaces(rows):
    table = rows(INTERFACES, "sessions", "virtual-interfaces_2026-10-29T0600Z.json")
    assert table.format == "aws_virtual_interfaces"
    found = [
        tuple(row[name] for name in ("device", "peer", "state", "observed_at")) for row in table.frame.rows(named=True)
    ]
    at = "2026-10-29T06:00:00Z"
    assert found == [
        ("dxcon-aaaa1111", "dxvif-1 192.0.2.1", "up", at),
        ("dxcon-aaaa1111", "dxvif-1 2001:db8::1", "down", at),
        ("dxcon-aaaa1111", "dxvif-2", "down", at),
    ]
    # The unknown session and the deleted interface are no rows, and the unknown one is said.
    assert (table.ledger.lines, table.ledger.other) == (5, 2)
    assert codes(table) == [("session_unknown", 3)]


def test_when_interfaces_were_listed_must_be_said(rows):
    table = rows(INTERFACES, "sessions", "interfaces.json")
    assert "time_unknown" in [code for code, _ in codes(table)]
    table = rows(INTERFACES, "sessions", "interfaces.json", defaults={"observed_at": "2026-10-29T06:00:00Z"})
    assert set(table.frame["observed_at"]) == {"2026-10-29T06:00:00Z"}


def test_google_interconnects_and_attachments(rows):
    table = rows(GOOGLE)
    assert table.format == "google_interconnect"
    partner = ("Exchange One", "partner_attachment")
    assert shown(table) == [
        ("iad-one", "Google", "interconnect_dedicated", "200", "enabled", "OS_ACTIVE", "iad-zone1-1", "iad-zone1",
         "iad-gcx-1"),
        ("iad-two", "Google", "interconnect_dedicated", "100", "disabled", "OS_UNPROVISIONED", "iad-zone2-1",
         "iad-zone2", "iad-gcx-1"),
        ("att-partner", *partner, "0.5", "active", "active", "ash-zone1-xyz", "us-east4/AVAILABILITY_DOMAIN_1", None),
        ("att-waits", *partner, "10", "PENDING_CUSTOMER", "active", "ash-zone1-xyz", "us-east4/AVAILABILITY_DOMAIN_1",
         None),
    ]  # fmt: skip
    assert codes(table) == [("links_missing", 2)]
    assert (table.ledger.lines, table.ledger.other) == (5, 1)


@pytest.mark.parametrize(
    ("changes", "customer", "provider"),
    [
        ({"state": "PENDING_PARTNER"}, "PENDING_PARTNER", "PENDING_PARTNER"),
        ({"adminEnabled": False}, "disabled", "active"),
        ({"state": "DEFUNCT"}, "DEFUNCT", "DEFUNCT"),
        ({"edgeAvailabilityDomain": "AVAILABILITY_DOMAIN_ANY"}, "active", "active"),
    ],
)
def test_states_of_a_partner_attachment(rows, changes, customer, provider):
    (row,) = rows([ATTACHMENT | changes]).frame.rows(named=True)
    assert (row["customer_state"], row["provider_state"]) == (customer, provider)
    assert (row["provider_device"] is None) == ("edgeAvailabilityDomain" in changes)


def test_an_interconnect_that_nothing_uses_is_not_ready(rows):
    idle = {name: value for name, value in INTERCONNECT.items() if name != "interconnectAttachments"}
    table = rows([idle])
    assert table.frame["customer_state"].to_list() == ["enabled without attachment"]
    assert codes(table) == [("no_attachment", 1)]


@pytest.mark.parametrize(
    ("document", "dataset", "name"),
    [
        ([CIRCUIT, DIRECT, 7, CIRCUIT | {"name": None}], "circuits", "a.json"),
        (CONNECTIONS, "circuits", "a.json"),
        (INTERFACES, "sessions", "a_2026-10-29.json"),
        (GOOGLE, "circuits", "a.json"),
    ],
)
def test_no_secret_leaves_the_file(rows, document, dataset, name):
    table = rows(document, dataset, name)
    assert "SECRET" in json.dumps(document)
    said = [*table.frame.rows(), *table.rejected, *table.findings, *table.facts]
    assert "SECRET" not in repr(said)


@pytest.mark.parametrize(
    ("document", "refused"),
    [
        ([CIRCUIT, 7, ["x"], None], [2, 3, 4]),
        ([CIRCUIT | {"name": ""}, CIRCUIT], [1]),
        ({"connections": [CONNECTION, {"connectionState": "available"}, "x"]}, [2, 3]),
        ([INTERCONNECT | {"name": None}, ATTACHMENT], [1]),
    ],
)
def test_a_record_without_a_name_is_refused_in_words(rows, document, refused):
    table = rows(document)
    assert [row.row for row in table.rejected] == refused
    assert all(
        "nothing says which circuit" in row.message or "is not an object" in row.message for row in table.rejected
    )
    assert table.ledger.rejected == len(refused)


@pytest.mark.parametrize(
    "document",
    [
        {"value": [CIRCUIT], "nextLink": "https://next"},
        CONNECTIONS | {"nextToken": "t"},
        {"items": GOOGLE, "nextPageToken": "t"},
    ],
)
def test_a_page_is_not_the_whole_list(rows, document):
    assert "incomplete_page" in [code for code, _ in codes(rows(document))]


@pytest.mark.parametrize(
    ("document", "dataset", "feeds"),
    [([CIRCUIT], "links", "circuits"), (CONNECTIONS, "sessions", "circuits"), (INTERFACES, "circuits", "sessions")],
)
def test_another_dataset_is_refused(rows, document, dataset, feeds):
    with pytest.raises(FileRejected, match=f"feeds {feeds}, not {dataset}"):
        rows(document, dataset)


def test_the_day_of_a_letter_is_read_in_both_forms(rows):
    seconds = rows({"connections": [CONNECTION | {"loaIssueTime": 1782910800.0}]})
    assert seconds.frame["loa_cfa_issued"].to_list() == ["2026-07-01"]


def test_an_empty_list_of_aws_is_an_empty_list(rows):
    assert rows({"connections": []}).frame.height == 0
    assert rows({"virtualInterfaces": []}, "sessions", "a_2026-10-29.json").frame.height == 0


def test_a_rate_that_cannot_be_read_is_kept_for_the_row_rules_to_refuse(rows):
    odd = rows([CIRCUIT | {"serviceProviderProperties": {"bandwidthInMbps": "fast"}}])
    assert odd.frame["gbps"].to_list() == ["fast"]
    assert rows({"connections": [CONNECTION | {"bandwidth": "10 Gb"}]}).frame["gbps"].to_list() == ["10 Gb"]


def test_a_source_may_name_the_system_and_translate_names(rows):
    table = rows([NEW], defaults={"system_id": "S-1"}, values={"circuit": {"ER-NEW": "CKT-7"}})
    assert table.frame.select("circuit", "system_id").rows() == [("CKT-7", "S-1")]


def test_a_declared_format_says_what_it_wants(read):
    for form, expected in (("azure_expressroute", "express-route"), ("aws_direct_connect", "no list 'connections'"),
                           ("google_interconnect", "interconnects")):  # fmt: skip
        with pytest.raises(FileRejected, match=expected):
            read("7", contract=CONTRACTS["circuits"], name="a.json", format=form)


def test_interfaces_without_peers_say_what_their_state_says(rows):
    states = ("available", "verifying", "down", "rejected", "odd")
    held = [INTERFACE | {"virtualInterfaceId": f"v-{s}", "virtualInterfaceState": s, "bgpPeers": None} for s in states]
    table = rows({"virtualInterfaces": held}, "sessions", "a_2026-10-29.json")
    assert table.frame["state"].to_list() == ["up", "idle", "down"]
    assert codes(table) == [("session_unknown", 5)]
