"""The list that technicians take along: each cable job, in the order in which one walks, a sheet a site.

Belongs here: the workbook and its plain table. Does not: what a job is (``core.link_rework``).
"""

import csv
import io
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from datetime import datetime
from itertools import groupby

from xlsxwriter.format import Format
from xlsxwriter.workbook import Workbook
from xlsxwriter.worksheet import Worksheet

from reports.workbooks.book import LONGEST_CELL, made, sheet_name, width_for, write_texts

_HEADS = ("Step", "Site", "Hall", "Row", "Rack", "Height", "Device", "Port", "Fault", "What to do", "Other device",
          "Other port", "Other rack", "Other height", "System")  # fmt: skip
_FOR_THE_HAND = ("Done", "By", "Remark")


@dataclass(frozen=True)
class Job:
    """A job of ``mart.link_rework``, all as text; empty is not known."""

    step: str
    site_id: str
    hall: str
    row: str
    rack: str
    position: str
    device: str
    port: str
    fault: str
    task: str
    far_device: str
    far_port: str
    far_rack: str
    far_position: str
    system_id: str


COLUMNS = tuple(field.name for field in fields(Job))


def rework_workbook(jobs: Sequence[Job], title: str, created: datetime) -> bytes:
    """The workbook; equal jobs give equal bytes. A line parts the racks; the last columns are for the hand."""

    def fill(book: Workbook) -> None:
        head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        text = book.add_format({"text_wrap": True, "valign": "top", "num_format": "@"})
        first = book.add_format({"text_wrap": True, "valign": "top", "num_format": "@", "top": 1})
        names: list[str] = []
        for site, held in groupby(jobs, key=lambda job: job.site_id):
            names.append(sheet_name(site or "no site", names))
            _sheet(book.add_worksheet(names[-1]), list(held), head, text, first)
        if not jobs:
            book.add_worksheet("no jobs").write_string(0, 0, "No cable job is known.")

    return made(created, title, fill)


def _sheet(sheet: Worksheet, jobs: list[Job], head: Format, text: Format, first: Format) -> None:
    write_texts(sheet, 0, 0, (*_HEADS, *_FOR_THE_HAND), head)
    rack = None
    for number, job in enumerate(jobs, start=1):
        cells = [cell[:LONGEST_CELL] for cell in astuple(job)]
        write_texts(sheet, number, 0, (*cells, *[""] * len(_FOR_THE_HAND)), first if job.rack != rack else text)
        rack = job.rack
    for place, name in enumerate(_HEADS):
        sheet.set_column(place, place, width_for([name, *(astuple(job)[place] for job in jobs)], most=40))
    sheet.set_column(len(_HEADS), len(_HEADS) + 1, 8)
    sheet.set_column(len(_HEADS) + 2, len(_HEADS) + 2, 24)
    sheet.freeze_panes(1, 0)
    sheet.repeat_rows(0)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)


def rework_table(jobs: Sequence[Job]) -> bytes:
    """The same as CSV for machines (UTF-8, cells as they are), with the names of the columns in the warehouse."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(astuple(job) for job in jobs)
    return target.getvalue().encode()
