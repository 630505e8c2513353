"""The settings that a week's forecast was made with, kept beside it, so that a question is answered on the same ground.

Belongs here: writing and reading them. Does not: what they mean (``turnup.programme``).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from turnup.readiness.forecasting.settings import ForecastSettings

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True)
class Kept:
    """Data date, settings of the simulation, and days on which nobody works."""

    as_of: date
    settings: ForecastSettings
    holidays: tuple[date, ...]


def keep_settings(con: duckdb.DuckDBPyConnection, kept: Kept) -> None:
    """Create ``core.forecast_settings``, one row."""
    con.execute(
        "CREATE OR REPLACE TABLE core.forecast_settings AS SELECT $1::DATE AS as_of, $2::VARCHAR AS settings,"
        " $3::DATE[] AS holidays",
        [kept.as_of, json.dumps(kept.settings.model_dump(mode="json"), sort_keys=True), list(kept.holidays)],
    )


def kept_settings(con: duckdb.DuckDBPyConnection) -> Kept:
    """Read ``core.forecast_settings``."""
    as_of, settings, holidays = con.sql("SELECT as_of, settings, holidays FROM core.forecast_settings").fetchall()[0]
    return Kept(as_of, ForecastSettings.model_validate(json.loads(settings)), tuple(holidays))
