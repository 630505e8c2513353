"""The base of every configuration model."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Strict(BaseModel):
    """Unknown keys are errors and values do not change after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True)
