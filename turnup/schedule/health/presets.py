"""Settings of other tools and definitions, where their own documentation says how they judge.

Belongs here: what a tool does otherwise than the PAM, and where it says so. A preset is a starting point: each key
may be given beside it.
"""

from __future__ import annotations

from typing import Any

NAMES = {
    "dcma": "DCMA-EA PAM 200.1",
    "oracle": "Check Schedule of Oracle Primavera P6",
    "powerproject": "quality metrics of Powerproject",
}
"""Whose definitions a preset follows."""
PRESETS: dict[str, dict[str, Any]] = {
    # DCMA-EA PAM 200.1 (October 2012), section 4: the defaults.
    "dcma": {},
    # P6 help, "Check Schedule dialog box" and the sections of its report: docs.oracle.com/cd/F51303_01/client_help/
    # en_US/101248.htm, G48902_01/client_help/en_US/113175.htm, G18294_01/p6help/en/46277.htm (BEI), F74773_01/p6help/
    # en/46279.htm (resources), 46281.htm (progress dates), F51301_01/p6help/en/46286.htm (constraints).
    "oracle": {
        "day_hours": 8,
        "hard": "mandatory",
        "hard_starts_of_started": False,
        # Its targets for leads and hard constraints; those of the other checks are the PAM's.
        "limits": {"leads": "< 1%", "hard_constraints": "< 1%"},
        "logic": {
            "started_need_predecessors": False,
            "start_milestones_need_predecessors": False,
            "level_of_effort": True,
        },
        "links": {"count": "open"},
        "durations": {
            "measure": "remaining",
            "milestones": True,
            "exempt_rolling_wave": False,
            "resourced_from_days": 0,
            "resourced_completed": True,
        },
        "dates": {"compare_actuals": "instant", "compare_forecasts": "instant", "remaining_start": True},
        "baseline": {"missed": "late_forecast", "execution_milestones": False},
    },
    # Powerproject help, "Quality metrics": help.elecosoft.com/powerproject/english/help/Content/HTML_Topics/Conceptual/
    # Quality_check/Critical_path_test_metric.htm and Baseline_execution_index_metric.htm.
    "powerproject": {
        "hard": "on",
        "baseline": {"execution": "baselined_only"},
        "path": {"activities": "all", "tolerance_days": 1},
    },
}
