"""The programme's own Dagster instance on disk: its configuration, telemetry off."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turnup.programme import Home

_INSTANCE = """# The Dagster instance of this programme: runs, events and schedules, in SQLite files beside this one.
telemetry:
  enabled: false
nux:
  enabled: false
"""


def prepare_instance(home: Home) -> None:
    """Write the instance's configuration when there is none."""
    home.dagster.mkdir(parents=True, exist_ok=True)
    file = home.dagster / "dagster.yaml"
    if not file.exists():
        file.write_text(_INSTANCE, encoding="utf-8")
