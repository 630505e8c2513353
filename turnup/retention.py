"""How long a programme can make its weeks again, as ``programme.yaml`` says it (``turnup.upkeep.prune`` does it)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from turnup.strict import Strict


class Retention(Strict):
    """How many of the newest weeks can be made again to the row; without it every week can, and nothing is pruned."""

    weeks: Annotated[int, Field(ge=1)] | None = None
