"""Small lists as the clouds' tools print them, written from their public documentation; keys are invented."""

from __future__ import annotations

CIRCUIT = {
    "allowClassicOperations": False,
    "authorizations": [{"name": "hub", "authorizationKey": "SECRET-1", "authorizationUseStatus": "Available"}],
    "circuitProvisioningState": "Enabled",
    "etag": 'W/"0"',
    "id": "/subscriptions/s/resourceGroups/rg-net/providers/Microsoft.Network/expressRouteCircuits/er-iad-1",
    "location": "eastus2",
    "name": "er-iad-1",
    "peerings": [
        {
            "azureAsn": 12076,
            "name": "AzurePrivatePeering",
            "peerAsn": 64512,
            "peeringType": "AzurePrivatePeering",
            "primaryAzurePort": "EXA-ASH-06GMR-CIS-1-PRI-A",
            "primaryPeerAddressPrefix": "192.0.2.0/30",
            "provisioningState": "Succeeded",
            "secondaryAzurePort": "EXA-ASH-06GMR-CIS-2-SEC-A",
            "secondaryPeerAddressPrefix": "192.0.2.4/30",
            "sharedKey": "SECRET-2",
            "state": "Enabled",
            "vlanId": 300,
        }
    ],
    "provisioningState": "Succeeded",
    "resourceGroup": "rg-net",
    "serviceKey": "SECRET-3",
    "serviceProviderProperties": {
        "bandwidthInMbps": 500,
        "peeringLocation": "Washington DC",
        "serviceProviderName": "Exchange One",
    },
    "serviceProviderProvisioningState": "Provisioned",
    "sku": {"family": "MeteredData", "name": "Standard_MeteredData", "tier": "Standard"},
    "tags": {"turnup_system": "IAD-AZX-1"},
    "type": "Microsoft.Network/expressRouteCircuits",
}
DIRECT = CIRCUIT | {
    "name": "er-direct",
    "bandwidthInGbps": 100.0,
    "expressRoutePort": {
        "id": "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/expressRoutePorts/port-1"
    },
    "peerings": [],
    "serviceProviderProperties": None,
    "tags": None,
}
NEW = CIRCUIT | {
    "name": "er-new",
    "peerings": [],
    "serviceProviderProvisioningState": "NotProvisioned",
    "tags": None,
}

CONNECTION = {
    "ownerAccount": "123456789012",
    "connectionId": "dxcon-aaaa1111",
    "connectionName": "ashburn one",
    "connectionState": "available",
    "region": "us-east-1",
    "location": "EqDC2",
    "bandwidth": "100Gbps",
    "loaIssueTime": "2026-07-01T09:00:00-04:00",
    "awsDeviceV2": "EqDC2-1aaaaaaaaaaaa",
    "awsLogicalDeviceId": "EqDC2-1aaaaaaaaaaaa",
    "hasLogicalRedundancy": "no",
    "macSecKeys": [{"secretARN": "arn:SECRET-4", "ckn": "SECRET-5", "state": "associated"}],
    "tags": [{"key": "System", "value": "IAD-AWS-1"}],
}
CONNECTIONS = {
    "connections": [
        CONNECTION,
        CONNECTION
        | {"connectionId": "dxcon-bbbb2222", "location": "CSVA1", "awsDeviceV2": "CSVA1-2b", "connectionState": "down"},
        CONNECTION | {"connectionId": "dxcon-cccc3333", "bandwidth": "500Mbps", "partnerName": "Exchange One"},
        CONNECTION | {"connectionId": "dxcon-gone", "connectionState": "deleted"},
    ]
}
INTERFACE = {
    "ownerAccount": "123456789012",
    "virtualInterfaceId": "dxvif-1",
    "location": "EqDC2",
    "connectionId": "dxcon-aaaa1111",
    "virtualInterfaceType": "transit",
    "virtualInterfaceState": "available",
    "authKey": "SECRET-6",
    "customerRouterConfig": "<logical_connection><bgp_auth_key>SECRET-6</bgp_auth_key></logical_connection>",
    "bgpPeers": [
        {
            "bgpPeerId": "dxpeer-1", "asn": 64512, "authKey": "SECRET-6", "addressFamily": "ipv4",
            "amazonAddress": "192.0.2.1/30", "customerAddress": "192.0.2.2/30", "bgpPeerState": "available",
            "bgpStatus": "up", "awsDeviceV2": "EqDC2-1aaaaaaaaaaaa",
        },
        {
            "bgpPeerId": "dxpeer-2", "addressFamily": "ipv6", "amazonAddress": "2001:db8::1/125",
            "bgpPeerState": "available", "bgpStatus": "down",
        },
    ],
}  # fmt: skip
INTERFACES = {
    "virtualInterfaces": [
        INTERFACE,
        INTERFACE | {"virtualInterfaceId": "dxvif-2", "bgpPeers": [], "virtualInterfaceState": "down"},
        INTERFACE | {"virtualInterfaceId": "dxvif-3", "bgpPeers": [{"bgpPeerId": "dxpeer-3", "bgpStatus": "unknown"}]},
        INTERFACE | {"virtualInterfaceId": "dxvif-4", "virtualInterfaceState": "deleted"},
    ]
}

_HOME = "https://www.googleapis.com/compute/v1/projects/p"
INTERCONNECT = {
    "kind": "compute#interconnect",
    "id": "1",
    "name": "iad-one",
    "adminEnabled": True,
    "circuitInfos": [{"googleCircuitId": "C-1", "googleDemarcId": "D-1", "customerDemarcId": "X-1"}],
    "googleReferenceId": "ref",
    "interconnectAttachments": [f"{_HOME}/regions/us-east4/interconnectAttachments/att-1"],
    "interconnectType": "DEDICATED",
    "labels": {"turnup_system": "iad-gcx-1"},
    "linkType": "LINK_TYPE_ETHERNET_100G_LR",
    "location": f"{_HOME}/global/interconnectLocations/iad-zone1-1",
    "operationalStatus": "OS_ACTIVE",
    "provisionedLinkCount": 2,
    "requestedLinkCount": 2,
    "state": "ACTIVE",
}
ATTACHMENT = {
    "kind": "compute#interconnectAttachment",
    "name": "att-partner",
    "adminEnabled": True,
    "bandwidth": "BPS_500M",
    "edgeAvailabilityDomain": "AVAILABILITY_DOMAIN_1",
    "pairingKey": "SECRET-7/us-east4/1",
    "partnerMetadata": {
        "partnerName": "Exchange One",
        "interconnectName": "ash-zone1-xyz",
        "portalUrl": "https://e.example",
    },
    "region": f"{_HOME}/regions/us-east4",
    "router": f"{_HOME}/regions/us-east4/routers/r",
    "state": "ACTIVE",
    "type": "PARTNER",
    "vlanTag8021q": 1141,
}
GOOGLE = [
    INTERCONNECT,
    INTERCONNECT
    | {
        "name": "iad-two", "location": f"{_HOME}/global/interconnectLocations/iad-zone2-1", "provisionedLinkCount": 1,
        "operationalStatus": "OS_UNPROVISIONED", "adminEnabled": False,
    },
    ATTACHMENT,
    ATTACHMENT | {"name": "att-waits", "state": "PENDING_CUSTOMER", "bandwidth": "BPS_10G"},
    ATTACHMENT | {"name": "att-1", "type": "DEDICATED", "interconnect": f"{_HOME}/global/interconnects/iad-one"},
]  # fmt: skip
