"""What ``programme.yaml`` may say about the forecast. Does not belong here: the forecast itself."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, model_validator

from turnup.strict import Strict

_RETIRED = frozenset({"minimum_history_weeks"})


class ForecastSettings(Strict):
    """Settings of the Monte Carlo forecast.

    Attributes:
        history_weeks: how far back a site's own throughput is looked at.
        horizon_weeks: beyond it no date is given.
        minimum_samples: cases that a class of history needs before it speaks for itself.
        vendor_correlation: between the lateness of what one vendor sends.
        site_correlation: between the durations of work at one site.
    """

    iterations: Annotated[int, Field(ge=100, le=1_000_000)] = 5_000
    seed: int = 20_260_814
    confidence: tuple[int, ...] = (50, 80, 95)
    history_weeks: Annotated[int, Field(ge=2)] = 13
    horizon_weeks: Annotated[int, Field(ge=4, le=520)] = 104
    minimum_samples: Annotated[int, Field(ge=3)] = 10
    vendor_correlation: Annotated[float, Field(ge=0, le=1)] = 0.5
    site_correlation: Annotated[float, Field(ge=0, le=1)] = 0.2

    @model_validator(mode="before")
    @classmethod
    def _without_retired_keys(cls, data: Any) -> Any:
        """Configurations kept with earlier weeks have the weeks of history that the method of then needed."""
        return {key: value for key, value in data.items() if key not in _RETIRED} if isinstance(data, dict) else data
