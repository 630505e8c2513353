"""Activities and links of a schedule as frames, from what a reader knows of each.

Belongs here: columns that a format does not have. Does not: values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from turnup.schedule.model import ACTIVITY, LINK

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def activity_frame(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Activities with the columns of ACTIVITY; what a row lacks is null."""
    return _frame(rows, ACTIVITY)


def link_frame(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Links with the columns of LINK; what a row lacks is null."""
    return _frame(rows, LINK)


def _frame(rows: Sequence[Mapping[str, Any]], schema: Mapping[str, pl.DataType]) -> pl.DataFrame:
    columns = {name: pl.Series(name, [row.get(name) for row in rows], dtype=kind) for name, kind in schema.items()}
    return pl.DataFrame(columns)
