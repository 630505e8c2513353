"""What the table of answers says about the real maps of networks and facilities."""

EXPECTED = {
    "topology/itz_Cogentco.gml": {
        "format": "gml",
        "dataset": None,
        "facts": {
            "nodes": 197,
            "edges": 245,
            "nodes_without_latitude": 11,
            "nodes_without_name": 11,
            "parallel_pairs": 2,
            "network_date": "2010-08",
        },
        "findings": {"parallel_edges": 2, "unknown_node": 0, "wrong_place": 0},
    },
    "topology/peeringdb_fac-0.json": {
        "format": "peeringdb",
        "dataset": None,
        "facts": {"facility_records": 4, "places": ("Chicago, Illinois, US",), "places_wrong": 4},
        "findings": {"wrong_place": 4},
    },
    "topology/peeringdb_net_nonunique.json": {
        "format": "peeringdb",
        "dataset": None,
        "facts": {
            "network_records": 4,
            "network_ids": ("1", "2", "3", "4"),
            "asns": ("63312", "63313", "63314", "63414"),
        },
    },
}
