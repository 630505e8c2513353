"""Large files of honest data: shipments of 20 columns, one row in 200 bad."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import xlsxwriter

COLUMNS = (
    "shipment", "line", "po", "po_line", "part_number", "description", "quantity", "ship_to_site", "destination",
    "vendor", "carrier", "mode", "tracking", "incoterm", "shipped", "scheduled", "eta", "delivered", "value",
    "currency",
)  # fmt: skip
_VENDORS = ("Northwind Switchgear", "Ridge Optics", "Hollis, Barr & Co", "Kestrel Cabinets", "Otto Kühn GmbH")
_WORDS = ("optical", "module", "400G", "DR4", "rack", "48U", "cable", "AOC", "30 m", "power", "shelf", "fan", "tray")
_INCOTERMS = ("EXW", "FCA", "CPT", "CIP", "DAP", "DDP")
_CARRIERS = ("Meridian Freight", "Polar Air", "Union Road")
_FIRST = date(2025, 1, 6)
BAD_EVERY = 200


def rows(count: int, seed: int = 7) -> Iterator[list[str | int | float | date | None]]:
    """Rows of one file; every two-hundredth breaks a rule in one of four ways."""
    draw = random.Random(seed)
    for number in range(1, count + 1):
        shipped = _FIRST + timedelta(days=draw.randrange(600))
        planned = shipped + timedelta(days=draw.randrange(5, 60))
        row: list[str | int | float | date | None] = [
            f"ASN-{number // 4:07d}", number % 4 + 1, f"PO-{draw.randrange(40_000):06d}", draw.randrange(1, 90),
            f"MPN-{draw.randrange(9_000):05d}-{'ABCD'[number % 4]}", " ".join(draw.choices(_WORDS, k=4)),
            draw.randrange(1, 500), f"S{draw.randrange(40):02d}", f"Hall {draw.randrange(9)}, row {draw.randrange(30)}",
            draw.choice(_VENDORS), draw.choice(_CARRIERS), draw.choice(("air", "ocean", "truck")),
            f"1Z{draw.randrange(10**12):012d}", draw.choice(_INCOTERMS), shipped, planned,
            planned + timedelta(days=draw.randrange(-3, 20)), planned if number % 3 else None,
            round(draw.lognormvariate(6, 1.5), 2), "USD",
        ]  # fmt: skip
        if number % BAD_EVERY == 0:
            _spoil(row, number // BAD_EVERY % 4)
        yield row


def _spoil(row: list[str | int | float | date | None], how: int) -> None:
    if how == 0:
        row[6] = "TBD"
    elif how == 1:
        row[14] = "2026-02-30"
    elif how == 2:
        row[0] = None
    else:
        row[18] = "12,5x"


def write_csv(path: Path, count: int) -> None:
    """A comma-separated file, quoted where it must be."""
    import csv

    with path.open("w", newline="", encoding="utf-8") as handle:
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows(count))


def write_xlsx(path: Path, count: int) -> None:
    """A workbook with one sheet, dates as dates and texts shared."""
    book = xlsxwriter.Workbook(path)
    sheet = book.add_worksheet("Shipments")
    day = book.add_format({"num_format": "yyyy-mm-dd"})
    sheet.write_row(0, 0, COLUMNS)
    for number, row in enumerate(rows(count), start=1):
        for column, value in enumerate(row):
            if isinstance(value, date):
                sheet.write_datetime(number, column, value, day)
            elif value is not None:
                sheet.write(number, column, value)
    book.close()
