"""What any list of cables is checked for: ends used twice, devices in two places, names that mean several devices.

A cable written from both of its ends is one cable. Nothing is repaired; a device whose name is unique only within its
rack is named with its rack, because it could not be told from its namesakes otherwise. What the warehouse says again of
the plans in force is only information about the file.
"""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from turnup.formats.cabling import ports
from turnup.formats.cabling.ends import ENDS, ends_of
from turnup.formats.cabling.figures import OUTER_SPACES, figures
from turnup.formats.cabling.places import place_findings
from turnup.formats.model import Finding, RawTable

_SHORT_NAME = r"(?i)^(?:server|node|host|compute|gpu|storage|switch|leaf|spine|blade|chassis)[ #_-]*\d{1,3}$"
ADAPTER_MODEL = r"(?i)^mt\d{4,6}$"
"""A host whose name is its adapter's model has none yet: many hosts bear it."""

SHARED_SEGMENT = "shared segment"
"""Media of a port that hears several neighbours."""


def examined(table: RawTable, sign: str) -> RawTable:
    """The table with cages filled, names completed, and with figures and findings.

    ``sign`` is the decimal sign of the source.
    """
    needed = {"a_device", "a_port", "b_device", "b_port"}
    if not needed <= set(table.frame.columns) or not table.frame.height:
        return table
    frame, namesakes = _told_apart(table.frame)
    for end in ENDS:
        given = pl.col(f"{end}_cage") if f"{end}_cage" in frame.columns else pl.lit(None, dtype=pl.String)
        frame = frame.with_columns(pl.coalesce(given, ports.cage(f"{end}_port")).alias(f"{end}_cage"))
    findings = (
        *table.findings,
        *namesakes,
        *_outer_spaces(frame),
        *_names(frame),
        *_ends_twice(frame),
        *place_findings(frame),
    )
    return replace(table, frame=frame, findings=findings, facts=(*table.facts, *figures(frame, sign)))


def _told_apart(frame: pl.DataFrame) -> tuple[pl.DataFrame, list[Finding]]:
    """Devices with a short name such as ``Server 1`` whose ports stand in several racks are named with their rack."""
    if not {"a_rack", "b_rack"} & set(frame.columns):
        return frame, []
    ends = ends_of(frame).filter(pl.col("device").str.contains(_SHORT_NAME) & pl.col("rack").is_not_null())
    racks = ends.group_by("device_key", "port_key").agg(pl.col("rack").str.to_lowercase().n_unique().alias("racks"))
    several = racks.filter(pl.col("racks") > 1).get_column("device_key").unique().sort().to_list()
    if not several:
        return frame, []
    for end in ENDS:
        if f"{end}_rack" not in frame.columns:
            continue
        name, rack = pl.col(f"{end}_device"), pl.col(f"{end}_rack")
        shared = name.str.to_lowercase().is_in(several) & rack.is_not_null()
        frame = frame.with_columns(
            pl.when(shared).then(pl.concat_str(rack, pl.lit(" / "), name)).otherwise(name).alias(f"{end}_device")
        )
    message = (
        f"{len(several)} device names are unique only within their rack (such as '{several[0]}'); these devices are "
        "named with their rack"
    )
    return frame, [Finding("name_within_rack", "warning", None, "a_device", several[0], message)]


def _ends_twice(frame: pl.DataFrame) -> list[Finding]:
    """Ports that are an end of several cables, one finding a device; a segment that many share is no cable."""
    if "media" in frame.columns:
        frame = frame.filter(pl.col("media").is_null() | (pl.col("media") != SHARED_SEGMENT))
    ports_twice = (
        ends_of(frame)
        .group_by("device_key", "port_key")
        .agg(pl.col("link").n_unique().alias("links"), pl.col("device", "port", "_row").sort_by("_row").first())
        .filter((pl.col("links") > 1) & ~pl.col("device_key").str.contains(ADAPTER_MODEL))
        .sort("_row", "device_key", "port_key")
    )
    findings = []
    for _, held in sorted(ports_twice.group_by("device_key", maintain_order=True), key=lambda group: group[0]):
        device, port, row = held.select("device", "port", "_row").row(0)
        message = (
            f"{held.height} ports of {device} are an end of several cables (first {port}, {held['links'][0]} cables): "
            "a port takes one"
        )
        findings.append(Finding("port_used_twice", "info", row, "a_port", device, message))
    return findings


def _outer_spaces(frame: pl.DataFrame) -> list[Finding]:
    """Cells with blanks around them were compared without these; they are counted."""
    spaced = frame.filter(pl.col("_given").str.contains(OUTER_SPACES)).height
    if not spaced:
        return []
    message = f"{spaced} rows have cells with blanks at their ends, which were left out"
    return [Finding("outer_spaces", "info", None, None, str(spaced), message)]


def _names(frame: pl.DataFrame) -> list[Finding]:
    """Devices spelled in two cases are one device; devices without a name of their own cannot be told apart."""
    ends = ends_of(frame)
    spelled = (
        ends.group_by("device_key")
        .agg(pl.col("device").unique().sort(), pl.col("_row").min())
        .filter(pl.col("device").list.len() > 1)
        .sort("_row", "device_key")
    )
    findings = []
    if spelled.height:
        first = " / ".join(spelled.row(0, named=True)["device"])
        message = f"{spelled.height} devices are written in upper and in lower case ({first}); they are one each"
        findings.append(Finding("name_case", "info", spelled.row(0, named=True)["_row"], "a_device", first, message))
    nameless = ends.filter(pl.col("device_key").str.contains(ADAPTER_MODEL))
    if nameless.height:
        device, row = nameless.sort("_row").select("device", "_row").row(0)
        message = f"{nameless.height} cables end at {device}, the model of an adapter: these hosts have no name yet"
        findings.append(Finding("device_without_name", "warning", row, "a_device", device, message))
    return findings
