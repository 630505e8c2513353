"""The small programme of the report tests, as plain rows: readable names, hand-checked sums."""

# ruff: noqa: E501 - rows of tables, one a line

from datetime import date, datetime

WEEKS = ("2026-W39", "2026-W40", "2026-W41", "2026-W42", "2026-W43", "2026-W44")
WEEK, PREVIOUS = "2026-W44", "2026-W43"
CUT_OFF, WINDOW_START, AS_OF = datetime(2026, 10, 30, 23, 0), datetime(2026, 10, 23, 23, 0), date(2026, 10, 30)
FINGERPRINT, CODE, CONFIG = "7f3a1c9e52d04b68a1f0c2", "4be2d10", "c0ffee12"

STAGES = (
    "contracted",
    "ordered",
    "shipped",
    "received",
    "installed",
    "powered",
    "l1_valid",
    "accepted",
    "handed_over",
    "schedulable",
)
UNITS = {"gpu_cluster": "accelerators", "cpu_cluster": "cores", "storage": "PB", "pop": "ports", "backbone_node": "ports",
         "wan_link": "Gbit/s", "cloud_interconnect": "Gbit/s"}  # fmt: skip
SITES = {"DFW-2": ("Dallas Fort Worth 2", "us-south", "first_party"), "IAD-3": ("Ashburn 3", "us-east", "colo"),
         "LHR-1": ("London Slough 1", "eu-west", "colo"), "NRT-1": ("Tokyo Inzai 1", "ap-northeast", "colo"),
         "AWS-USE2": ("AWS us-east-2", "us-east", "cloud")}  # fmt: skip

# system, name, kind, site, supply model, owner, status, claimed, contract date, reached per stage (None: does not apply)
SYSTEMS = (
    ("GPU-DFW2-A", "Falcon H200 pod A", "gpu_cluster", "DFW-2", "owned", "Maria Ortega", "red", "green", date(2026, 9, 30),
     (2048, 2048, 2048, 1984, 1920, 1920, 1856, 1792, 1792, 1728)),
    ("GPU-DFW2-B", "Falcon H200 pod B", "gpu_cluster", "DFW-2", "owned", "Maria Ortega", "amber", "amber", date(2026, 12, 15),
     (2048, 2048, 1536, 1024, 512, 512, 0, 0, 0, 0)),
    ("GPU-IAD3-A", "Kestrel B200 pod", "gpu_cluster", "IAD-3", "leased", "Tom Becker", "green", "green", date(2026, 10, 15),
     (1024, None, None, None, 1024, 1024, 1024, 1024, 1024, 1024)),
    ("CPU-IAD3-A", "Batch compute A", "cpu_cluster", "IAD-3", "owned", "Priya Nair", "green", "green", date(2026, 8, 31),
     (49152, 49152, 49152, 49152, 49152, 49152, 49152, 49152, 49152, 49152)),
    ("CPU-LHR1-A", "Batch compute London", "cpu_cluster", "LHR-1", "owned", "Priya Nair", "amber", "green", date(2026, 11, 30),
     (24576, 24576, 24576, 24576, 12288, 12288, 12288, 8192, 8192, 8192)),
    ("STO-DFW2-A", "Training file store", "storage", "DFW-2", "owned", "Hana Sato", "amber", "green", date(2026, 10, 1),
     (60, 60, 60, 60, 60, 60, 56, 52.5, 52.5, 52.5)),
    ("STO-NRT1-A", "Checkpoint store Tokyo", "storage", "NRT-1", "owned", "Hana Sato", "grey", "amber", date(2027, 1, 31),
     (24, 24, 0, 0, 0, 0, 0, 0, 0, 0)),
    ("POP-NRT1", "Tokyo point of presence", "pop", "NRT-1", "owned", "Kenji Mori", "green", "green", date(2026, 9, 15),
     (96, 96, 96, 96, 96, 96, 96, 96, 96, 96)),
    ("BB-LHR1", "Backbone node London", "backbone_node", "LHR-1", "owned", "Kenji Mori", "red", "amber", date(2026, 10, 10),
     (144, 144, 144, 144, 108, 108, 72, 72, 72, 72)),
    ("WAN-DFW-IAD", "Dallas to Ashburn 800G", "wan_link", "DFW-2", "leased", "Ines Duarte", "green", "green", date(2026, 9, 1),
     (1600, 1600, None, None, 1600, None, 1600, 1600, 1600, 1600)),
    ("WAN-LHR-NRT", "London to Tokyo 400G", "wan_link", "LHR-1", "leased", "Ines Duarte", "amber", "green", date(2026, 12, 31),
     (800, 800, None, None, 400, None, 400, 0, 0, 0)),
    ("CIX-AWS-E2", "AWS interconnect Ohio", "cloud_interconnect", "AWS-USE2", "cloud", "Ines Duarte", "green", "green", date(2026, 10, 20),
     (200, None, None, None, None, None, 200, 200, 200, 200)),
)  # fmt: skip
DELTAS = {"GPU-DFW2-A": 64, "GPU-IAD3-A": 256, "CPU-LHR1-A": 4096, "STO-DFW2-A": -1.5, "BB-LHR1": 36}
CHANGES = (
    ("gpu_cluster", "accelerators", "GPU-IAD3-A", "flow_in", 256, "G7 passed 28 Oct: 32 nodes admitted to slurm-iad3", "scheduler_nodes rows 1-32"),
    ("gpu_cluster", "accelerators", "GPU-DFW2-A", "flow_in", 128, "Rack R14 cleared acceptance after NIC firmware 28.43", "nccl_r14.log, 16 nodes"),
    ("gpu_cluster", "accelerators", "GPU-DFW2-A", "withdrawn", -64, "8 nodes drained: uncorrectable ECC", "failures F-208 to F-215"),
    ("cpu_cluster", "cores", "CPU-LHR1-A", "flow_in", 4096, "Racks L07 and L08 handed over", "gate_decisions row 19"),
    ("storage", "PB", "STO-DFW2-A", "restated", -1.5, "W43 counted 1.5 PB twice, shelf serial conflict", "inventory_dfw2.xlsx row 41"),
    ("backbone_node", "ports", "BB-LHR1", "flow_in", 36, "Line card 3 sessions up", "sessions_lhr1.json"),
)  # fmt: skip
CHANGE_EVIDENCE = (
    ("gpu_cluster", "accelerators", "GPU-DFW2-A", "withdrawn", 1, "gpu-r12-n3", -8, "held at schedulable", "fault", "not allocatable, drained, ECC", "scheduler_nodes", "slurm_2026w44.json", None, 412),
    ("gpu_cluster", "accelerators", "GPU-IAD3-A", "flow_in", 1, "gpu-r01-n1", 8, "became schedulable", None, "allocatable, idle", "scheduler_nodes", "slurm_2026w44.json", None, 7),
    ("storage", "PB", "STO-DFW2-A", "restated", 1, "S4X-77120", -1.5, "the week before was restated", None, "2026-W43.2: came inventory_dfw2.xlsx", "storage_state", "inventory_dfw2.xlsx", "Shelves", 41),
)  # fmt: skip
GATES = ("Site ready", "Delivered", "Installed", "Powered", "L1 valid", "Accepted", "Handed over", "Schedulable")
# contract, line, system, quantity, P50, P80, confidence, last week, slip week, slip baseline, driver, billing start, unit cost
COMMITMENTS = (
    ("MSA-2025-014", "10", "GPU-DFW2-A", 2048, date(2026, 11, 24), date(2026, 12, 9), 0.0, 0.0, 5, 41, "Optics lot 3, 96 OSFP short", date(2026, 9, 1), 1450, 320, 59),
    ("MSA-2025-014", "20", "GPU-DFW2-B", 2048, date(2026, 12, 11), date(2027, 1, 6), 0.58, 0.66, 4, 12, "Feed B energisation", None, 1450, None, None),
    ("MSA-2026-003", "10", "GPU-IAD3-A", 1024, None, None, 1.0, 0.9, 0, 0, "", date(2026, 9, 15), 1310, None, None),
    ("MSA-2025-014", "30", "CPU-IAD3-A", 49152, None, None, 1.0, 1.0, 0, 0, "", date(2026, 9, 1), 6, None, None),
    ("MSA-2025-014", "31", "CPU-LHR1-A", 24576, date(2026, 11, 22), date(2026, 12, 8), 0.71, 0.64, -3, 8, "PDU replacement hall 2", None, 6, None, None),
    ("MSA-2025-022", "10", "STO-DFW2-A", 60, date(2026, 11, 9), date(2026, 11, 16), 0.0, 0.0, 0, 39, "Shelf serial conflict", date(2026, 10, 1), 9800, 7.5, 29),
    ("MSA-2025-022", "20", "STO-NRT1-A", 24, None, None, None, None, None, None, "Shipment not booked", None, 9800, None, None),
    ("MSA-2026-008", "10", "POP-NRT1", 96, None, None, 1.0, 1.0, 0, 0, "", None, None, None, None),
    ("MSA-2026-008", "20", "BB-LHR1", 144, date(2026, 12, 2), date(2026, 12, 20), 0.0, 0.0, 6, 53, "Cross-connect order 4471", None, None, None, None),
    ("IRU-5512", "1", "WAN-DFW-IAD", 1600, None, None, 1.0, 1.0, 0, 0, "", date(2026, 8, 1), 22, None, None),
    ("IRU-5530", "1", "WAN-LHR-NRT", 800, date(2026, 12, 20), date(2027, 1, 18), 0.61, 0.61, 0, 0, "Wet segment test", None, 31, None, None),
    ("CLD-AWS-77", "1", "CIX-AWS-E2", 200, None, None, 1.0, 1.0, 0, 0, "", date(2026, 10, 1), 18, None, None),
)  # fmt: skip
RAID = (
    ("D-61", "decision", "Rent a 2 MW generator at DFW-2 for Feed B, or accept the slip", "GPU-DFW2-B", "Dana Whitfield (COO)", date(2026, 11, 3), 14, 1536,
     "A: rent, USD 410k; B: accept slip", "Pod B moves to January, crane slot lost"),
    ("D-58", "decision", "Extend waiver W-031 (CDU leak test) by 30 days, or drain 512 GPUs", "GPU-IAD3-A", "Luis Romero (VP Infrastructure)", date(2026, 11, 9), None, 512,
     "A: extend; B: drain and retest", "512 GPUs leave the count on 15 Nov"),
    ("D-63", "decision", "Second source for 800G OSFP optics", "GPU-DFW2-A", "Ruth Adeyemi (CPO)", date(2026, 10, 28), 12, 320,
     "A: qualify vendor 2; B: expedite lot 3", "P80 of pod A moves past 20 Dec"),
    ("D-57", "decision", "Take London hall 2 handover in two parts", "CPU-LHR1-A", "Luis Romero (VP Infrastructure)", date(2026, 10, 27), 7, 4096,
     "A: two parts; B: wait", "4,096 cores wait for the PDU"),
)  # fmt: skip
