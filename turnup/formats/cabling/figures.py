"""Figures of a list of cables that its owner can check at a glance."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal

import polars as pl

from turnup.formats.cabling.ends import ends_of, link_key
from turnup.formats.cabling.places import places_of, scattered, shared
from turnup.formats.exact import decimal_of, figure
from turnup.formats.model import Fact
from turnup.formats.tabular.names import name_key

OUTER_SPACES = r'[^\\]":"\s|\s"[,}]'
"""A cell of a row as delivered (JSON) that begins or ends with a blank."""
_LISTED_ROWS = 20_000
_SWITCHES = ("switch", "leaf", "spine", "tor", "core", "border", "aggregation")


def side(role: str | None) -> str:
    """Whether a role is a switch's, a server's or another's, by its own words."""
    words = name_key(role or "")
    if any(word in words for word in _SWITCHES):
        return "switch"
    return "server" if any(word in words for word in ("server", "compute", "host", "node")) else words


def figures(frame: pl.DataFrame, sign: str) -> Iterator[Fact]:
    """All figures."""
    links = frame.select(link_key(frame)).to_series().n_unique()
    ends = ends_of(frame)
    yield Fact("links", links)
    yield Fact("rows_written_again", frame.height - links, note="the same cable, also from its other end")
    for end, name in (("a", "start_devices"), ("b", "end_devices")):
        yield Fact(name, ends.filter(pl.col("end") == end).get_column("device_key").n_unique())
    yield Fact("devices", ends.get_column("device_key").n_unique())
    used = ends.group_by("device_key", "port_key").agg(pl.col("link").n_unique().alias("links"))
    yield Fact("ports", used.height)
    yield Fact("ports_used_twice", used.filter(pl.col("links") > 1).height)
    yield Fact("rows_with_outer_spaces", frame.filter(pl.col("_given").str.contains(OUTER_SPACES)).height)
    yield from _by_sheet(frame)
    yield from _empty_columns(frame)
    yield from _sides(ends)
    yield from _lengths(frame, sign)
    yield from _claims(frame)
    yield from _cases(ends)
    yield from _places(frame)


def _empty_columns(frame: pl.DataFrame) -> Iterator[Fact]:
    """Columns that no row fills, for lists of a size that people read."""
    if frame.height > _LISTED_ROWS:
        return
    empty: dict[str, None] | None = None
    for row in frame.get_column("_given").to_list():
        cells = json.loads(row)
        held = cells if empty is None else empty
        empty = {name: None for name in held if not str(cells.get(name) or "").strip()}
        if not empty:
            return
    yield Fact("columns_without_values", tuple(empty or ()))


def _by_sheet(frame: pl.DataFrame) -> Iterator[Fact]:
    counts = frame.get_column("_sheet").drop_nulls().value_counts().sort("_sheet").rows()
    for sheet, count in counts:
        yield Fact(f"rows_{name_key(sheet)}", count)


def _sides(ends: pl.DataFrame) -> Iterator[Fact]:
    """Ends and distinct cages at servers and at switches, where the list tells roles."""
    told = ends.filter(pl.col("role").is_not_null())
    if not told.height:
        return
    sides = told.with_columns(pl.col("role").map_elements(side, return_dtype=pl.String).alias("side"))
    for name in sorted(set(sides.get_column("side").to_list()) - {""}):
        held = sides.filter(pl.col("side") == name).unique(["device_key", "port_key", "link"])
        cages = held.select("device_key", pl.col("cage").str.to_lowercase()).n_unique()
        yield Fact(f"{name}_ends", held.height)
        yield Fact(f"{name}_cages", cages, note="ports of one breakout share a cage and its optic")


def _lengths(frame: pl.DataFrame, sign: str) -> Iterator[Fact]:
    if "length_m" not in frame.columns:
        return
    lengths = [length for cell in frame.get_column("length_m") if (length := decimal_of(cell, sign)) is not None]
    if not lengths:
        return
    counts = Counter(lengths)
    yield Fact("length_total", figure(sum(lengths, Decimal(0))), "m")
    each = tuple(f"{figure(length)} m x {count}" for length, count in sorted(counts.items()))
    yield Fact("lengths", each)


def _claims(frame: pl.DataFrame) -> Iterator[Fact]:
    if "status_claimed" not in frame.columns:
        return
    for status, count in frame.get_column("status_claimed").drop_nulls().value_counts().sort("status_claimed").rows():
        yield Fact(f"claimed_{name_key(status)}", count, "rows")


def _cases(ends: pl.DataFrame) -> Iterator[Fact]:
    spellings = ends.group_by("device_key").agg(pl.col("device").n_unique().alias("spellings"))
    yield Fact("devices_in_two_cases", spellings.filter(pl.col("spellings") > 1).height, note="compared without case")


def _places(frame: pl.DataFrame) -> Iterator[Fact]:
    if "a_rack" not in frame.columns and "b_rack" not in frame.columns:
        return
    places = places_of(frame)
    names = scattered(places).sort("device_key").get_column("device").to_list()
    yield Fact("devices_in_several_places", tuple(names))
    yield Fact("places_with_several_devices", tuple(shared(places).sort("place_key").get_column("place").to_list()))
