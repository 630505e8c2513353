"""One small honest file of every kind that is read, and the real files where they are at hand."""

from __future__ import annotations

import datetime as dt
import importlib.util
import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import xlsxwriter

from tests.formats.edi import written
from tests.formats.schedule.mspdi_texts import document, task
from tests.formats.tabular import writers

HERE = Path(__file__).resolve().parent.parent / "formats"
CASES = Path(__file__).resolve().parents[3] / "shared" / "cases"
LARGEST = 100_000
_DATASETS = {
    **{"bom": "bom", "cabling": "links", "lldp": "links", "dcim": "installs", "nvidia_smi": "installs"},
    **{"tracking": "logistics_events", "nccl": "benchmarks", "synthetic_from_writer_source": "benchmarks"},
    **{"edi": "purchase_orders", "csv": "activities", "xer": "activity_links", "mspdi": "activities"},
    **{"pmxml": "schedule_projects", "converted": "work_calendars"},
}

HEADER = ("shipment", "line", "po", "part_number", "description", "quantity", "ship_to_site", "shipped", "value")
ROWS = (
    ("ASN-1", 1, "PO-7", "MPN-1", "optical module", 5, "S01", dt.date(2026, 3, 4), 12.5),
    ("ASN-1", 2, "PO-7", "MPN-2", 'rack, 48"', 40, "S02", dt.date(2026, 3, 9), 0.1),
    ("ASN-2", 1, "PO-8", "00123", "Zürich\ncabinet", 7, None, None, 1234567.25),
)
PLAN = "ID,Name,Duration,Start,Predecessors\n1,Rack,5 days,Fri 9/18/26,\n2,Cable,3 ed,Mon 9/28/26,1FS+2d\n"


@dataclass(frozen=True)
class Seed:
    """A file to be damaged, and a dataset that it may feed."""

    name: str
    content: bytes
    dataset: str


def seeds() -> list[Seed]:
    """All seeds in a fixed order."""
    return [*_own(), *_cases()]


def _own() -> list[Seed]:
    texts = [[str("" if value is None else value) for value in row] for row in ROWS]
    lines = [HEADER, *texts]
    found = {
        "a.csv": _csv(lines, ","),
        "a.tsv": _csv(lines, "\t"),
        "semicolon.csv": ("\ufeff" + _csv(lines, ";") + "Total;;;;;52;;;\n\nprinted by nobody;;;;;;;;\n"),
        "wide.csv": _csv(lines, ",").encode("utf-16"),
        "a.json": json.dumps([dict(zip(HEADER, row, strict=True)) for row in texts]),
        "page.json": json.dumps({"count": 9, "results": [dict(zip(HEADER, row, strict=True)) for row in texts]}),
        "a.jsonl": "".join(json.dumps(dict(zip(HEADER, row, strict=True))) + "\n" for row in texts),
        "a.xlsx": _xlsx(),
        "a.xls": writers.xls({"S": [HEADER, *ROWS]}),
        "a.ods": writers.ods({"S": [HEADER, *ROWS]}),
        "a.parquet": _parquet(),
        "order.edi": written.x12("850", written.ORDER),
        "notice.edi": written.x12("856", written.NOTICE),
    }
    made = [Seed(name, _bytes(content), "shipments") for name, content in found.items()]
    nccl, smi = _module("benchmarks/test_nccl.py"), _module("dcim/test_nvidia_smi.py")
    return [
        *made,
        Seed("all_reduce.log", nccl.LOG.encode(), "benchmarks"),
        Seed("plan.xml", document(task(1, 16), task(2, preds=[(1, 1, 4800, 7)])), "activities"),
        Seed("plan.csv", PLAN.encode(), "activity_links"),
        Seed("gpu001.nvidia-smi.xml", smi.xml(smi.gpu(), smi.gpu(bus="02", minor="1")).encode(), "versions"),
    ]


def _cases() -> list[Seed]:
    if not CASES.is_dir():
        return []
    files = (file for file in CASES.rglob("*") if file.is_file() and file.name != "ANSWERS.tsv")
    return [
        Seed(file.name, file.read_bytes(), _DATASETS.get(file.parent.name, "shipments"))
        for file in sorted(files)
        if file.stat().st_size <= LARGEST and not {"psplib", "reports"} & set(file.parts)
    ]


def _module(place: str):
    """A test module whose small files are seeds here."""
    name = "seeds_of_" + Path(place).stem
    spec = importlib.util.spec_from_file_location(name, HERE / place)
    module = sys.modules.setdefault(name, importlib.util.module_from_spec(spec))
    spec.loader.exec_module(module)
    return module


def _bytes(content: bytes | str) -> bytes:
    return content.encode() if isinstance(content, str) else content


def _csv(lines, delimiter: str) -> str:
    import csv

    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(lines)
    return text.getvalue()


def _xlsx() -> bytes:
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True})
    sheet = book.add_worksheet("S")
    day = book.add_format({"num_format": "yyyy-mm-dd"})
    sheet.write_row(2, 1, HEADER)
    for number, row in enumerate(ROWS, start=3):
        for column, value in enumerate(row, start=1):
            sheet.write(number, column, value, *([day] if isinstance(value, dt.date) else []))
    sheet.write_formula(3, 12, "=1/0", None, "#DIV/0!")
    sheet.merge_range(0, 1, 0, 4, "Shipments of the week")
    book.add_worksheet("Notes").write_row(0, 0, ["see", "the", "other"])
    book.close()
    return buffer.getvalue()


def _parquet() -> bytes:
    buffer = io.BytesIO()
    pl.DataFrame(ROWS, schema=list(HEADER), orient="row").write_parquet(buffer)
    return buffer.getvalue()
