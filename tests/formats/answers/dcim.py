"""What the table of answers says about the real exports of asset registers and dumps of machines."""

EXPECTED = {
    "dcim/ocp_opg128_clos_ro_netbox.json": {
        "format": "netbox",
        "dataset": "installs",
        "ledger": {"data": 22 + 632, "other": 716 + 288},
        "facts": {
            "devices": 22,
            "modules": 632,
            "interfaces": 716,
            "cables": 288,
            "devices_by_role": ("leaf: 4", "server: 16", "spine: 2"),
            "devices_by_status": ("planned: 22",),
            "cables_by_status": ("connected: 288",),
            # 144 network cards, 160 optics in servers, 328 in switches
            "modules_by_type": (
                "BlueField-3 2x200G in server: 16",
                "ConnectX-7 Single-Port 400G in server: 128",
                "QSFP112-200GBASE-SR2 in leaf: 200",
                "QSFP112-200GBASE-SR2 in server: 160",
                "QSFP112-200GBASE-SR2 in spine: 128",
            ),
            "module_serials": 632,
            "distinct_module_serials": 504,
            "reused_module_serials": 16,
            "most_uses_of_one_serial": 9,
            "serials_made_from_names": 632,
        },
        "findings": {"count_mismatch": 0, "planned_but_connected": 1, "serial_reused": 16, "serial_invented": 1},
    },
    "dcim/ralph_warehouses_semicolon.csv": {"format": "csv", "ledger": {"data": 3, "header": 1}},
    "dcim/dmidecode_QCT_X10E-9N.txt": {
        "format": "dmidecode",
        "dataset": "installs",
        "facts": {
            "system_serial": "QTFCQ57140285",
            "placeholders": ("9876543210: 2", "N/A: 2", "Not Specified: 4", "To Be Filled By O.E.M.: 2"),
            "identifiers_not_captured": 10,
        },
        "findings": {"serial_not_captured": 1},
    },
}
