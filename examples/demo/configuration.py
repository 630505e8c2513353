"""``programme.yaml`` of the demo.

Belongs here: name, calendar, thresholds, people, and the sources that each team's module declares. Does not: rows.
"""

from __future__ import annotations

from typing import Any

import yaml

from examples.demo import (
    bringup_files,
    circuit_files,
    governance_files,
    install_files,
    network_files,
    register_files,
    schedule_files,
    sites,
    stock_files,
    storage_files,
    supply_sources,
)

_HEAD = "# The demo programme. Sources map each sender's files, as they come, to one dataset each.\n"
_BASELINES: tuple[dict[str, Any], ...] = (
    {"sku": "NVIDIA H200", "test": "all_reduce", "metric": "busbw", "unit": "GB/s", "value": 350.0,
     "source": "Acceptance plan rev 4, two nodes and more, 16 GiB, out of place"},
    {"sku": "AS-1125HS-TNR", "test": "stream_triad", "metric": "bandwidth", "statistic": "mean", "unit": "GB/s",
     "value": 660.0, "source": "Acceptance plan rev 4"},
    {"sku": "NVE-24-61T", "test": "fio_seq_read", "metric": "bandwidth", "statistic": "mean", "unit": "GB/s",
     "value": 42.0, "source": "Caldera data sheet, 95 %"},
    {"sku": "RSE-5124/EU", "test": "fio_seq_read", "metric": "bandwidth", "statistic": "mean", "unit": "GB/s",
     "value": 38.0, "source": "Rheinwerk data sheet, 95 %"},
    {"sku": "*", "system": "ABL-STO-1", "test": "io500", "metric": "score", "unit": "native", "value": 180.0,
     "verified": False, "source": "Storage contract, annex 2: the file system as a whole"},
    {"sku": "PTX10001-36MR", "test": "rfc2544_throughput", "metric": "line_rate", "statistic": "mean", "unit": "%",
     "value": 99.9, "source": "Network acceptance plan"},
    {"sku": "*", "test": "gemm-flops", "metric": "FP16", "unit": "GFLOPS", "value": 700_000.0, "required": False,
     "verified": False, "source": "Screening of single GPUs, 5 % under the median of the first cluster"},
    {"sku": "AS-1125HS-TNR", "test": "stream_triad", "metric": "bandwidth", "statistic": "mean", "unit": "GB/s",
     "value": 763.0, "required": False, "decides": False, "source": "Vendor data sheet, for information"},
)  # fmt: skip


def programme() -> dict[str, Any]:
    """Return the configuration as plain data."""
    modules = (sites, register_files, supply_sources, stock_files, install_files, network_files, circuit_files,
               bringup_files, storage_files, governance_files, schedule_files)  # fmt: skip
    return {
        "name": "Capacity programme 2026",
        "time_zone": "America/Chicago",
        "week": {"weekday": "friday", "time": "18:00"},
        "first_week": "2026-W33",
        "currency": "USD",
        "holidays": ["2026-09-07", "2026-11-26"],
        "thresholds": {
            "overdue_tolerance_days": 14,
            "waiver_warning_days": 30,
            "scheduler_snapshot_hours": 24,
            "first_schedulable_hours": 72,
            "raid_review_days": 14,
        },
        "escalations": {
            "blocker_days": 28,
            "addressees": {"programme": "Dana Whitfield", "sponsor": "Arun Mehta, VP Infrastructure"},
        },
        "acceptance": {
            "baselines": [dict(item) for item in _BASELINES],
            "golden": [
                {
                    "system": "ABL-GPU-1",
                    "component": "driver",
                    "versions": ["550.127.08", "570.124.06"],
                    "source": "Software bill 2026-09",
                },
                {"system": "ABL-GPU-1", "component": "nccl", "versions": ["2.28.7"], "source": "Software bill 2026-09"},
            ],
        },
        "forecast": {"iterations": 5000, "seed": 20260814, "confidence": [50, 80, 95]},
        "roles": {
            "programme director": ["Arun Mehta"],
            "service owner": ["Sofia Marquez", "Renata Silva"],
            "site manager": ["Luis Ortega", "Ingrid Solberg", "Sean Gallagher"],
        },
        "schedule_health": {"preset": "dcma"},
        "recipients": [
            {"name": "Arun Mehta, VP Infrastructure", "email": "arun.mehta@example.com", "report": "executive"},
            {"name": "Helen Castellanos, CPO", "email": "helen.castellanos@example.com", "report": "executive"},
            {"name": "Capacity forum", "email": "capacity-forum@example.com", "report": "governance"},
        ],
        "sources": {name: source for module in modules for name, source in module.SOURCES.items()},
    }


def text() -> str:
    """Return ``programme.yaml``."""
    return _HEAD + yaml.safe_dump(programme(), sort_keys=False, allow_unicode=True, width=110)
