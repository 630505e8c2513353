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
    "dcim/ralph_management_ip_existing.csv": {
        "format": "ralph_assets",
        "dataset": "installs",
        "ledger": {"data": 1, "header": 1},
        "facts": {
            "columns": 46,
            "racks": ("R31 in SZ_1OFFICE/SZ_1OFFICE_1FL",),
            "status_codes": ("2 (active): 1",),
            "orientation_codes": ("1 (front): 1",),
            "prices": ("0.00 PLN: 1",),
            "positions": ("32",),
        },
    },
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
    "nvidia_smi/telegraf_a100-sxm4_v12.xml": {
        "format": "nvidia_smi",
        "dataset": "installs",
        "ledger": {"data": 1},
        "facts": {
            "attached_gpus": 4,
            "gpus": 1,
            "driver": "535.54.03",
            "product": ("NVIDIA A100-SXM4-80GB",),
            "memory_total_mib": ("81920",),
            "mig": ("Enabled",),
            "power_w": ("67.03",),
            "gpu_utilization_percent": ("unknown",),
            "ecc_errors": 0,
        },
        "findings": {"count_mismatch": 1},
    },
    "nvidia_smi/aznhc_page_retirement_bad.txt": {
        "format": "nvidia_smi",
        "dataset": "failures",
        "ledger": {"data": 5},  # GPUs 0, 1, 3, 5 and 7: double bit errors, or pages pending
        "facts": {
            "gpus": 8,
            "attached_gpus": 8,
            "retired_single_bit": ("60", "2", "0", "6", "0", "20", "0", "8"),
            "retired_double_bit": ("5", "61", "0", "0", "0", "45", "0", "56"),
            "retired_pending": ("No", "Yes", "No", "Yes", "No", "Yes", "No", "Yes"),
        },
        "findings": {"count_mismatch": 0},
    },
    "lldp/netbox-agent_lldpctl_keyvalue_cumulus.txt": {
        "format": "lldp",
        "dataset": "links",
        "ledger": {"data": 2},
        "facts": {
            "interfaces_with_neighbours": 2,
            "neighbours_without_name": 1,
            "management_addresses": (
                "10.160.20.18", "fe80::e6f0:4ff:feb6:4732", "10.160.20.17", "fe80::e6f0:4ff:feb6:4e32",
            ),
        },
        "findings": {"repeated_key": 1, "neighbour_without_name": 1, "shared_segment": 0},
    },
    "lldp/netbox-agent_lldpctl_keyvalue_dedibox2.txt": {
        "format": "lldp",
        "dataset": "links",
        "ledger": {"data": 1},
        "facts": {"neighbours_by_interface": ("eno1: 1",)},
        "findings": {"repeated_key": 0, "shared_segment": 0},
    },
    "lldp/napalm_cumulus_net_show_interface_all.json": {
        "format": "lldp",
        "dataset": "links",
        "ledger": {"data": 14},
        "facts": {
            "neighbours_by_interface": ("eth0: 4", "swp1: 4", "swp2: 3", "swp3: 3"),
            "shared_segments": 4,
        },
        "findings": {"shared_segment": 4},
    },
    "lldp/napalm_cumulus_expected.json": {"format": "lldp", "dataset": "links", "ledger": {"data": 14}},
}  # fmt: skip
