"""The two ends of each cable, and the one key that a cable has from either of them."""

from __future__ import annotations

import polars as pl

from turnup.formats.cabling import ports

ENDS = ("a", "b")


def ends_of(frame: pl.DataFrame) -> pl.DataFrame:
    """Both ends of every row: device, port and what is known of the place, keys without case."""
    optional = ("role", "rack", "position", "cage")
    halves = []
    for end in ENDS:
        held = [
            (pl.col(f"{end}_{name}") if f"{end}_{name}" in frame.columns else pl.lit(None, dtype=pl.String)).alias(name)
            for name in optional
        ]
        halves.append(
            frame.select(
                pl.col(f"{end}_device").alias("device"),
                pl.col(f"{end}_port").alias("port"),
                pl.lit(end).alias("end"),
                ports.module(f"{end}_port").alias("module"),
                *held,
                link_key(frame).alias("link"),
                "_row",
            )
        )
    both = pl.concat(halves).drop_nulls(["device", "port"])
    return both.with_columns(
        pl.col("device").str.to_lowercase().alias("device_key"), pl.col("port").str.to_lowercase().alias("port_key")
    )


def link_key(frame: pl.DataFrame) -> pl.Expr:
    """The cable a row is about, the same from both of its ends."""
    one, other = (
        pl.concat_str(pl.col(f"{end}_device"), pl.col(f"{end}_port"), separator="\x1f").str.to_lowercase()
        for end in ENDS
    )
    return pl.concat_str(pl.min_horizontal(one, other), pl.max_horizontal(one, other), separator="\x1e")
