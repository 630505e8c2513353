"""The ground of a published week's forecast, so that a question is answered on the rows and settings of then.

Belongs here: opening it. Does not: making a week (``build``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnup.readiness.forecasting.build import Ground, ground_of
from turnup.readiness.forecasting.kept_settings import kept_settings
from turnup.readiness.history import write_history_views
from turnup.warehouse.connection import table_exists
from turnup.warehouse.macros import write_macros
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    import duckdb


def published_ground(con: duckdb.DuckDBPyConnection) -> Ground:
    """The ground of a published database, which may be open for reading only.

    Raises:
        ConfigurationError: the week was made by a turnup that forecast otherwise.
    """
    if not table_exists(con, "core", "forecast_settings"):
        raise ConfigurationError("this week was made by an earlier turnup, which kept no network; run turnup refresh")
    write_macros(con)
    write_history_views(con)
    return ground_of(con, kept_settings(con))
