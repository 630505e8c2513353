"""The report that one vendor gets: its own orders, shipments and late lines, seen through its profile and nothing else.

Only tables that are listed here can reach it. Belongs here: those tables. Does not: what the profile hides
(``redaction``).
"""

from collections.abc import Iterator, Sequence

import duckdb

from reports.build.cells import change, figure, table, when, words
from reports.build.redaction import hidden
from reports.build.standing import ALONE, Standing
from reports.build.warehouse import Record, Warehouse
from reports.build.week import Week, week_of
from reports.models.common import Block, Cell, Paragraph
from reports.models.vendor import VendorReport
from reports.text import clean, file_stems
from reports.wording import instant, listed, plural, quantity, share
from turnup.yaml_source import ConfigurationError

_SHOWN = 200


def build_vendor_report(connection: duckdb.DuckDBPyConnection, vendor: str, standing: Standing = ALONE) -> VendorReport:
    """Build the report of one vendor.

    Raises:
        ConfigurationError: no delivered file names the vendor; the message lists those that some file names.
    """
    name = _known(Warehouse(connection), vendor)
    week = week_of(Warehouse(connection, hidden(connection, standing.audiences.vendor, name)))
    head = next(iter(week.rows("meta.week")), Record({}))
    (stem,) = file_stems([name])
    return VendorReport(
        vendor=name,
        file=stem,
        programme=head.text("programme"),
        week=week.name,
        cut_off_local=instant(head.instant("cut_off"), week.zone),
        fingerprint=head.text("fingerprint"),
        message=_message(week, name),
        blocks=(*_scorecard(week, name), *_late(week, name), *_under_way(week, name), *_announced(week, name)),
    )


def _known(warehouse: Warehouse, vendor: str) -> str:
    tables = ("mart.vendors", "mart.vendor_scorecards", "mart.shipments_late", "mart.shipment_etas", "mart.asn_flow")
    names = sorted({row.text("vendor") for name in tables for row in warehouse.rows(name)} - {""})
    found = [name for name in names if name.casefold() == clean(vendor).casefold()]
    if not found:
        raise ConfigurationError(
            f"no order or shipment is of a vendor '{vendor}'; vendors are: {listed(names) or 'none'}"
        )
    return found[0]


def _own(week: Week, name: str, vendor: str) -> list[Record]:
    return [row for row in week.rows(name) if row.text("vendor").casefold() == vendor.casefold()]


def _message(week: Week, vendor: str) -> str:
    late, under_way = _own(week, "mart.shipments_late", vendor), _own(week, "mart.shipment_etas", vendor)
    moving = sum(row.flag("is_under_way") for row in under_way)
    return f"{plural(len(late), 'late line')}; {plural(moving, 'shipment')} under way."


def _scorecard(week: Week, vendor: str) -> Iterator[Block]:
    for row in _own(week, "mart.vendor_scorecards", vendor)[:1]:
        facts = (
            ("Order lines", quantity(row.whole("lines"))),
            ("In full and on time", f"{quantity(row.whole('otif_lines'))} of {quantity(row.whole('due_lines'))} due"),
            ("Late", quantity(row.whole("late_lines"))),
            ("Short", quantity(row.whole("short_lines"))),
            ("Promises kept", f"{quantity(row.whole('promises_kept'))} of {quantity(row.whole('promises_due'))} due"),
            ("Promises pushed out", quantity(row.whole("pushed_lines"))),
        )
        yield table("V-score", "Your record with us", ("Measure", ">Figure"), ((words(k), words(v)) for k, v in facts))
    for row in _own(week, "mart.vendors", vendor)[:1]:
        on_time = share(row.number("on_time_share"))
        yield Paragraph(
            f"{plural(row.count('lines'), 'line')} delivered or due, {row.count('late')} late, {on_time} on time."
        )


def _late(week: Week, vendor: str) -> list[Block]:
    rows = sorted(_own(week, "mart.shipments_late", vendor), key=lambda r: (-r.count("days_late"), r.text("shipment")))
    if not rows:
        return [Paragraph("No line of yours is late.")]
    heads = ("Shipment", "Line", "Part", "Ship to", "Scheduled", "Delivered", ">Late", ">Quantity")
    cells: Iterator[Sequence[Cell]] = (
        (words(r.text("shipment")), words(r.text("line")), words(r.text("part_number")), words(r.text("ship_to_site")),
         when(r.day("scheduled")), when(r.day("delivered")), figure(r.whole("days_late"), suffix=" d"),
         figure(r.number("quantity")))
        for r in rows
    )  # fmt: skip
    return [table("V-late", plural(len(rows), "late line"), heads, map(tuple, cells), cap=_SHOWN, of=len(rows))]


def _under_way(week: Week, vendor: str) -> list[Block]:
    rows = [row for row in _own(week, "mart.shipment_etas", vendor) if row.flag("is_under_way")]
    if not rows:
        return []
    rows.sort(key=lambda r: (str(r.day("eta")), r.text("shipment")))
    heads = ("Shipment", "From", "To", "First told", "Told now", ">Moved", ">Changes", ">Quantity")
    cells = (
        (words(r.text("shipment")), words(r.text("origin")), words(r.text("destination")),
         when(r.day("first_eta")), when(r.day("eta")), change(r.whole("slip_days"), " d"),
         figure(r.whole("changes")), figure(r.number("quantity")))
        for r in rows
    )  # fmt: skip
    return [table("V-under-way", f"{plural(len(rows), 'shipment')} under way", heads, cells, cap=_SHOWN, of=len(rows))]


def _announced(week: Week, vendor: str) -> list[Block]:
    rows = _own(week, "mart.asn_flow", vendor)
    heads = (">Announced", ">As announced", ">Short", ">Over", ">Not there", ">Not announced", ">Damaged")
    names = ("announced", "as_announced", "short", "over", "not_there", "not_announced", "damaged")
    cells = (tuple(figure(row.whole(name)) for name in names) for row in rows)
    return [table("V-announced", "Announced against arrived, in lines", heads, cells)] if rows else []
