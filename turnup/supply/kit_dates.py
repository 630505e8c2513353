"""By when a block's kit is there with a given chance: the days as told, and how late each vendor's promises came.

Belongs here: the P80 of the last arrival. Does not: which arrivals a block waits for (the netting).

A vendor's promises slip together: in one case of its past, all that comes from it is late by the same days, so only its
last arrival counts. Vendors slip apart from each other. With F the share of past cases up to so many days, the kit is
there by day d with the chance F_1(d - t_1) x F_2(d - t_2) x ..., t being the last day told by each vendor, and P80 is
the first day on which that is at least 80 %. An arrival that is overdue counts from the data date.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    import duckdb
    from numpy.typing import NDArray

MINIMUM = 10
"""Cases that a vendor's own past needs; with fewer, those of all vendors speak."""
CHANCE = 0.8
_SOURCES = {"shipment": ("shipment", "order"), "schedule": ("order", "shipment")}
"""What is told of an arrival, and which promises of the past speak for it, best first."""
_LAST_ARRIVALS = """
SELECT d.system_key, d.block_key, CASE l.kind WHEN 'shipment' THEN 'shipment' ELSE 'schedule' END AS told_by,
       coalesce(lower(trim(l.vendor)), '') AS vendor_key, min(l.vendor) AS vendor,
       greatest(0, max(l.told) - any_value(p.as_of))::BIGINT AS days
FROM core.netted n
CROSS JOIN core.settings p
JOIN core.supply_lots l ON l.lot_no = n.lot_no AND l.inbound
JOIN core.supply_demand d ON d.demand_no = n.demand_no
JOIN core.block_supply b ON b.system_key = d.system_key AND b.block_key = d.block_key AND b.state = 'NO'
GROUP BY ALL ORDER BY ALL
"""
_TABLE = """
CREATE OR REPLACE TABLE core.kit_dates AS
SELECT system_key, block_key, p80::DATE AS kit_complete_p80, basis, cases FROM kit_dates_here
"""


class Past(NamedTuple):
    """Days after the promise of past cases, sorted, and whose they are."""

    whose: str
    days: NDArray[np.int64]


def past_of(cases: pl.DataFrame, sources: Sequence[str], vendor_key: str, vendor: str | None) -> Past | None:
    """The vendor's own past, else that of all vendors, else None; of the first kind of promise with enough cases.

    Args:
        cases: ``source``, ``vendor_key``, ``days``.
        sources: kinds of promise, best first.
        vendor_key: the vendor's name as it compares.
        vendor: its name as printed.
    """
    pooled = None
    for source in sources:
        of_source = cases.filter(pl.col("source") == source)
        own = of_source.filter(pl.col("vendor_key") == vendor_key)
        if own.height >= MINIMUM:
            return Past(f"{vendor}, {own.height} promises", np.sort(own["days"].to_numpy()).astype(np.int64))
        if pooled is None or pooled.days.size < MINIMUM <= of_source.height:
            days = np.sort(of_source["days"].to_numpy()).astype(np.int64)
            pooled = Past(f"all vendors, {days.size} promises", days) if days.size else pooled
    return pooled


def first_day(told: NDArray[np.int64], pasts: Sequence[Past], chance: float = CHANCE) -> int:
    """Days from the data date, at least 1, to the first on which everything is there with this chance.

    Args:
        told: days from the data date to the last arrival of each vendor.
        pasts: of each vendor, in the same order.
        chance: between 0 and 1.
    """
    low, high = 1, max(1, *(int(day + past.days[-1]) for day, past in zip(told, pasts, strict=True)))
    while low < high:
        middle = (low + high) // 2
        shares = (
            np.searchsorted(past.days, middle - day, side="right") / past.days.size
            for day, past in zip(told, pasts, strict=True)
        )
        low, high = (low, middle) if np.prod(list(shares)) >= chance - 1e-12 else (middle + 1, high)
    return low


def write_kit_dates(con: duckdb.DuckDBPyConnection, as_of: date) -> None:
    """Create ``core.kit_dates``: one row a block whose arrivals all have a day and a past to go by."""
    cases = con.sql("SELECT source, vendor_key, days FROM core.vendor_lateness ORDER BY ALL").pl()
    arrivals = con.sql(_LAST_ARRIVALS).pl()
    classes = arrivals.select("told_by", "vendor_key", "vendor").unique(["told_by", "vendor_key"], maintain_order=True)
    pasts = {
        (told_by, key): past_of(cases, _SOURCES[told_by], key, vendor) for told_by, key, vendor in classes.iter_rows()
    }
    rows = []
    for (system, block), lots in arrivals.group_by("system_key", "block_key", maintain_order=True):
        known = [pasts[key] for key in lots.select("told_by", "vendor_key").iter_rows()]
        found = [past for past in known if past is not None]
        if len(found) == len(known):
            left = first_day(lots["days"].to_numpy(), found)
            whose = "; ".join(dict.fromkeys(past.whose for past in found))
            rows.append((system, block, left, whose, min(past.days.size for past in found)))
    names = {"system_key": pl.String, "block_key": pl.String, "left": pl.Int64, "basis": pl.String, "cases": pl.Int64}
    frame = pl.DataFrame(rows, schema=names, orient="row")
    con.register("kit_dates_here", frame.with_columns(p80=pl.lit(as_of) + pl.duration(days="left")))
    con.execute(_TABLE)
    con.unregister("kit_dates_here")
