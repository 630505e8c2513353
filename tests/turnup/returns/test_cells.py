"""What a send-back workbook says is what the file said, cell by cell, whatever stands in a cell."""

import io
import json
import zipfile
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from unittest import mock

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expectations.contract import load_contracts
from reports.workbooks.book import write_texts
from reports.workbooks.send_back import send_back_workbook, write_send_backs
from tests.turnup.returns.house import Vendor
from turnup.formats import inspect
from turnup.formats.tabular.tabulate import SPACE
from turnup.programme import Source
from turnup.returns.headings import AS_IT_STANDS
from turnup.returns.marker import Correction, Original, marker_of
from turnup.returns.open_rows import _cells
from turnup.returns.reading import read_returned
from turnup.returns.send_back import Fault, OpenRow, OpenTable, SendBack

LABELS = ("site_id", "name", "facility", "region")
FAULT = Fault(("facility",), "refused", "enum", "one of colo, cloud", "Column facility is wrong")
CONTRACT = load_contracts()["sites"]
SOURCE = Source(dataset="sites", files="sites*.csv")
HOSTILE = (
    "=1+1", "+1", "-2+3", "@SUM(1)", '=HYPERLINK("http://x","y")', "00123", "1E05", "8939010102358478435", "TRUE",
    "2026-01-01 00:00:00", "1899-12-31 10:00:00", "_x0041_", "_x000D_", "a\x01b", "\u202eabc", "'", "#REF!", "nan",
    "http://x.y", "x" * 32_767, "a\nb", "{=1}", "\ufeffx", "検収待ち",
)  # fmt: skip


def sent_back(original: Path, rows):
    table = OpenTable(
        Original("sites", "sites.csv", original.name, None, LABELS), "sites",
        tuple(OpenRow(n, dict(zip(LABELS, cells, strict=True)), (FAULT,)) for n, cells in enumerate(rows, start=2)),
    )  # fmt: skip
    return SendBack("Aurora", "2026-W40", datetime(2026, 10, 2, 18), "Ana Ruiz", (table,))


def returned(folder: Path, model: SendBack, content: bytes):
    file = folder / "returned"
    file.write_bytes(content)
    # Read anew each time: a stored file is remembered by its path, and here one path has many contents.
    marker = model.marker()
    original = folder / model.tables[0].original.sha256
    correction = Correction("back.xlsx", marker, "sites", original.name, original, "sites.csv")
    return read_returned(file, correction, SOURCE, CONTRACT)


def original_in(folder: Path) -> Path:
    file = folder / ("a" * 64)
    file.write_text(f"{','.join(LABELS)}\nX,x,colo,x\n", encoding="utf-8")
    return file


def answered(model: SendBack) -> bytes:
    vendor = Vendor(send_back_workbook(model))
    for row in model.tables[0].rows:
        vendor.answer(row.row, AS_IT_STANDS)
    return vendor.saved()


CELL = st.one_of(
    st.none(), st.sampled_from(HOSTILE), st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
)


@settings(deadline=None, max_examples=40)
@given(rows=st.lists(st.tuples(CELL, CELL, CELL, CELL), min_size=1, max_size=6))
def test_g_cells_come_back_as_they_were_delivered(rows, tmp_path_factory):
    folder = tmp_path_factory.mktemp("cells")
    kept = [row for row in rows if _cells(json.dumps(dict(zip(LABELS, row, strict=True)))) is not None]
    if not kept:
        return
    model = sent_back(original_in(folder), kept)
    # Answered as it is written: another program in between might refuse or respell control characters.
    table = returned(folder, model, _confirmed(model))
    assert table.ledger.balanced
    read = table.frame.filter(table.frame["_row"] > 0).sort("_row")
    assert read.select(LABELS).rows() == [tuple(_trimmed(cell) for cell in row) for row in kept]
    assert {item.answer for item in returned(folder, model, send_back_workbook(model)).returned} == {"unanswered"}


def _trimmed(cell):
    return (cell or "").strip(SPACE) or None


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text, tmp_path):
    model = sent_back(original_in(tmp_path), [("S", text, "barn", text)])
    table = returned(tmp_path, model, _confirmed(model) if "\x01" in text or "_x" in text else answered(model))
    rows = table.frame.filter(table.frame["_row"] > 0)
    expected = text.strip(SPACE)
    assert rows.select("name", "region").rows() == [(expected, expected)]


def _confirmed(model):
    """The workbook as if its rows were answered when it was written."""

    def with_answer(sheet, row, column, texts, form):
        texts = list(texts)
        if column == 0 and row > 0 and len(texts) == 6 and texts[5] is None:
            texts[5] = AS_IT_STANDS
        write_texts(sheet, row, column, texts, form)

    with mock.patch("reports.workbooks.send_back.write_texts", with_answer):
        return send_back_workbook(model)


def test_a_cell_that_no_sheet_can_hold_is_not_sent_as_a_row():
    assert _cells(json.dumps({"a": "x" * 32_768})) is None
    assert _cells(json.dumps({"a": "\ufffe"})) is None
    assert _cells('["no", "row"]') is None
    assert _cells("cut") is None


def test_inspect_knows_a_send_back(tmp_path):
    file = tmp_path / "what is this.xlsx"
    file.write_bytes(send_back_workbook(sent_back(original_in(tmp_path), [("S", "n", "barn", None)])))
    found = inspect(file, file.name, load_contracts())
    assert (found.format, found.dataset, found.ledger.balanced) == ("send-back", None, True)
    assert "for week 2026-W40" in found.findings[0].message
    assert marker_of(file, file.name).owner == "Ana Ruiz"


def test_workbooks_that_somebody_changed_are_put_beside(tmp_path):
    one = sent_back(original_in(tmp_path), [("S", "n", "barn", None)])
    two = replace(one, owner="Béa Ünal/2", week="2026-W41")
    out, record = tmp_path / "out", tmp_path / "record.json"
    files = write_send_backs([one, two], out, record)
    assert [file.name for file in files.values()] == ["ana-ruiz.xlsx", "béa-ünal-2.xlsx"]
    assert write_send_backs([one, two], out, record) == files
    edited = Vendor(files["Ana Ruiz"].read_bytes())
    edited.set(2, facility="colo")
    files["Ana Ruiz"].write_bytes(edited.saved())
    (out / "send-back" / "mine.xlsx").write_bytes(b"a file of somebody else")
    write_send_backs([replace(one, week="2026-W41")], out, record)
    names = sorted(file.name for file in (out / "send-back").iterdir())
    assert names == ["ana-ruiz changed.xlsx", "ana-ruiz.xlsx", "mine.xlsx"]
    assert Vendor((out / "send-back" / "ana-ruiz changed.xlsx").read_bytes()).rows()[0]["facility"] == "colo"


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "no zip", "bomb"])
def test_a_damaged_workbook_is_no_send_back_and_stops_nothing(damage, tmp_path):
    whole = send_back_workbook(sent_back(original_in(tmp_path), [("S", "n", "barn", None)]))
    file = tmp_path / damage
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("xl/workbook.xml", b"\0" * (200 << 20) + b'<sheet name="turnup"/>')
    contents = {
        "cut": whole[: len(whole) // 2], "flipped": whole[:400] + bytes(byte ^ 255 for byte in whole[400:]),
        "empty": b"", "no zip": b"PK\x03\x04turnup", "bomb": target.getvalue(),
    }  # fmt: skip
    file.write_bytes(contents[damage])
    assert marker_of(file, "back.xlsx") is None


def test_a_marker_that_was_tampered_with_is_none(tmp_path):
    model = sent_back(original_in(tmp_path), [("S", "n", "barn", None)])
    book = openpyxl.load_workbook(io.BytesIO(send_back_workbook(model)))
    hidden = book["turnup"]
    row = next(line for line in hidden.iter_rows() if line[0].value == "row")
    row[3].value = "7"  # the id is a hash of the row that it stands for
    book.save(tmp_path / "changed.xlsx")
    assert marker_of(tmp_path / "changed.xlsx", "changed.xlsx") is None
