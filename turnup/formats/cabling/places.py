"""One device in several places, and one place with several devices."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from turnup.formats.cabling.ends import ends_of
from turnup.formats.model import Finding


def places_of(frame: pl.DataFrame) -> pl.DataFrame:
    """Device, module, rack and position of every end that says where it is, once each with its first row.

    The modules of a chassis may stand at heights of their own, so a position counts with the module it was said for.
    """
    known = ends_of(frame).filter(pl.col("rack").is_not_null() | pl.col("position").is_not_null())
    place = pl.concat_str(pl.col("rack").fill_null(""), pl.col("position").fill_null(""), separator=" ")
    return (
        known.with_columns(place.str.strip_chars().alias("place"))
        .with_columns(pl.col("place").str.to_lowercase().alias("place_key"))
        .group_by("device_key", "module", "place_key")
        .agg(
            pl.col("device", "rack", "position", "place", "_row").sort_by("_row").first(),
            pl.len().alias("rows"),
        )
        .sort("device_key", "module", "_row")
    )


def scattered(places: pl.DataFrame) -> pl.DataFrame:
    """Devices (with their modules) that are said to be in several places: one row each, with the places."""
    held = places.group_by("device_key", "module", maintain_order=True).agg(
        pl.col("device", "_row").first(),
        pl.col("rack").first().alias("rack"),
        pl.col("place"),
    )
    several = held.filter(pl.col("place").list.len() > 1)
    return several.group_by("device_key", maintain_order=True).first().sort("rack", "device_key")


def shared(places: pl.DataFrame) -> pl.DataFrame:
    """Places with a position in a rack that several devices are said to be in."""
    exact = places.filter(pl.col("rack").is_not_null() & pl.col("position").is_not_null())
    held = exact.group_by("place_key", maintain_order=True).agg(
        pl.col("rack", "place", "_row").first(),
        pl.col("device").unique(maintain_order=True).sort(),
    )
    return held.filter(pl.col("device").list.len() > 1).sort("rack", "place_key")


def place_findings(frame: pl.DataFrame) -> Iterator[Finding]:
    """Conflicts by rack: devices in several places first, then places with several devices."""
    if not {"a_rack", "b_rack", "a_position", "b_position"} & set(frame.columns):
        return
    places = places_of(frame)
    for device, row, where in scattered(places).select("device", "_row", "place").rows():
        message = f"{device} is said to be in {len(where)} places: {', '.join(where)}"
        yield Finding("device_in_several_places", "info", row, "a_position", device, message)
    for place, row, devices in shared(places).select("place", "_row", "device").rows():
        message = f"{place} is said to hold {len(devices)} devices: {', '.join(devices)}"
        yield Finding("place_with_several_devices", "info", row, "a_position", place, message)
