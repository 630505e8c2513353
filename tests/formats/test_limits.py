"""Files made to hurt: refused before they can, each by a code, and nothing that they name is ever opened."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import struct
import sys
import zipfile
import zlib
from pathlib import Path

import pytest
import xlsxwriter

from expectations.contract import load_contracts
from turnup.formats import FileRejected, inspect
from turnup.formats.tabular import archive as module
from turnup.formats.tabular.archive import check_archive, read_entry
from turnup.formats.xml_parts import parse_xml

SHEET = "xl/worksheets/sheet1.xml"


def book(rows=(("part", "qty"), ("A", 1))) -> bytes:
    buffer = io.BytesIO()
    workbook = xlsxwriter.Workbook(buffer, {"in_memory": True})
    sheet = workbook.add_worksheet("A")
    for number, cells in enumerate(rows):
        sheet.write_row(number, 0, cells)
    workbook.close()
    return buffer.getvalue()


def changed(content: bytes, change, **added: bytes) -> bytes:
    """The workbook with its sheet changed and entries added."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.namelist():
            data = old.read(entry)
            new.writestr(entry, change(data) if entry == SHEET else data)
        for name, data in added.items():
            new.writestr(name, data)
    return buffer.getvalue()


def refusal(read, content, name="b.xlsx", **options):
    with pytest.raises(FileRejected) as refused:
        read(content, name=name, **options)
    return refused.value


def directory(content: bytes, name: str) -> int:
    """Place of an entry's record in the central directory."""
    place = content.rindex(b"PK\x05\x06")
    start = struct.unpack_from("<L", content, place + 16)[0]
    return content.rindex(b"PK\x01\x02", start, content.index(name.encode(), start))


@pytest.fixture(scope="module")
def bomb() -> bytes:
    """A workbook of some 310 kB that unpacks to 300 MB."""
    content = changed(book(), lambda xml: xml + b" " * 300_000_000)
    assert len(content) < 350_000
    return content


def test_a_bomb_is_refused_by_its_directory_and_nothing_is_unpacked(read, monkeypatch, bomb):
    monkeypatch.setattr(module, "_unpacked", lambda *_: pytest.fail("it was unpacked"))
    assert refusal(read, bomb).code == "zip_bomb"


def test_a_bomb_that_lies_about_its_size_is_unpacked_no_further_than_it_says(read, monkeypatch, bomb):
    content = bytearray(bomb)
    struct.pack_into("<L", content, directory(content, SHEET) + 24, 5_000)
    seen = []
    whole = zlib.decompressobj

    class Counting:
        def __init__(self, bits):
            self._stream = whole(bits)

        def decompress(self, packed, most):
            data = self._stream.decompress(packed, most)
            seen.append(len(data))
            return data

        @property
        def eof(self):
            return self._stream.eof

    monkeypatch.setattr(module.zlib, "decompressobj", Counting)
    assert refusal(read, bytes(content)).code == "zip_bomb"
    assert max(seen) <= 5_001


def test_a_size_that_is_too_large_or_a_changed_byte_is_damage(read):
    content = bytearray(book())
    struct.pack_into("<L", content, directory(content, SHEET) + 24, 9_000_000 // 1000)
    assert refusal(read, bytes(content)).code == "archive"
    content = bytearray(book())
    struct.pack_into("<L", content, directory(content, SHEET) + 16, 1)
    assert "bytes" in refusal(read, bytes(content)).message


def test_a_bomb_of_one_kernel_under_many_names_is_refused(tmp_path):
    """Entries that share their packed bytes multiply what one of them holds."""
    content = bytearray(book())
    first, second = directory(content, "xl/styles.xml"), directory(content, "xl/theme/theme1.xml")
    content[second + 42 : second + 46] = content[first + 42 : first + 46]
    path = tmp_path / "b"
    path.write_bytes(content)
    with pytest.raises(FileRejected) as refused:
        check_archive(path)
    assert refused.value.code in ("zip_bomb", "archive")


def test_overlapping_entries_are_refused(tmp_path):
    """One entry stored whole inside the packed bytes of another."""
    inner = zipfile.ZipInfo("inner.xml")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        made.writestr(inner, b"x" * 100)
    local = buffer.getvalue()[: buffer.getvalue().index(b"PK\x01\x02")]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        made.writestr(zipfile.ZipInfo("outer.xml"), local)
        nested = zipfile.ZipInfo("inner.xml")
        nested.header_offset = 30 + len("outer.xml")
        nested.file_size = nested.compress_size = 100
        nested.CRC = zlib.crc32(b"x" * 100)
        made.filelist.append(nested)
        made.NameToInfo["inner.xml"] = nested
    path = tmp_path / "b"
    path.write_bytes(buffer.getvalue())
    with zipfile.ZipFile(path) as told:
        assert told.read("inner.xml") == b"x" * 100
    with pytest.raises(FileRejected, match="same bytes"):
        check_archive(path)


def test_a_nested_archive_is_never_opened(read):
    inner = changed(book(), lambda xml: xml + b" " * (90 << 20))
    content = changed(book(), lambda xml: xml, **{"xl/embeddings/b.xlsx": inner})
    assert read(content, name="b.xlsx").ledger.data == 1


def test_too_many_entries(read):
    content = changed(book(), lambda xml: xml, **{f"xl/media/{number}": b"" for number in range(2_001)})
    assert refusal(read, content).code == "zip_bomb"


@pytest.mark.parametrize("name", ["../../evil.xml", "xl/../../x", "..\\x"])
def test_an_entry_outside_the_archive_is_refused(read, name):
    assert "outside" in refusal(read, changed(book(), lambda xml: xml, **{name: b"<x/>"})).message


def test_an_entry_twice_is_refused(read):
    with pytest.warns(UserWarning, match="Duplicate"):
        content = changed(book(), lambda xml: xml, **{SHEET: b"<worksheet/>"})
    assert "twice" in refusal(read, content).message


@pytest.mark.parametrize("part", [SHEET, "xl/sharedStrings.xml", "xl/styles.xml"])
def test_a_document_type_in_any_part_is_refused(read, part):
    lol = b'<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book())) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.namelist():
            data = old.read(entry)
            new.writestr(entry, data.replace(b"?>", b"?>" + lol, 1) if entry == part else data)
    refused = refusal(read, buffer.getvalue())
    assert (refused.code, "document type" in refused.message) == ("archive", True)


def test_xml_of_endless_depth_is_refused():
    with pytest.raises(FileRejected, match="200 deep"):
        parse_xml(b"<a>" * 100_000, "the list")
    assert parse_xml(b"<a><b/></a>", "the list").tag == "a"
    for broken in (b"", b"<a>", b"<!DOCTYPE a><a/>", b'<?xml version="1.0" encoding="nope"?><a/>'):
        with pytest.raises(FileRejected):
            parse_xml(broken, "the list")


@contextlib.contextmanager
def opened():
    """Every file that Python opens and every connection and program that it starts meanwhile."""
    seen, on = [], [True]

    def hook(event, arguments):
        if on[0] and event in ("open", "socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.system"):
            seen.append((event, str(arguments[0])))

    sys.addaudithook(hook)
    try:
        yield seen
    finally:
        on[0] = False


def test_no_path_or_address_that_a_workbook_names_is_opened(read, tmp_path):
    secret = tmp_path / "secret.xlsx"
    secret.write_bytes(book((("part", "qty"), ("SECRET", 9))))
    link = f'<externalLink xmlns="x"><externalBook r:id="rId1"/></externalLink>{secret}'.encode()
    relation = (
        f'<Relationships><Relationship Id="rId1" Target="file://{secret}" TargetMode="External"/></Relationships>'
    )
    buffer = io.BytesIO()
    workbook = xlsxwriter.Workbook(buffer, {"in_memory": True})
    sheet = workbook.add_worksheet("A")
    sheet.write_row(0, 0, ["part", "qty"])
    sheet.write_formula(1, 0, f"='[{secret}]A'!A2", None, "A")
    sheet.write_formula(1, 1, '=WEBSERVICE("http://127.0.0.1:9/x")', None, 1)
    sheet.write_url(2, 0, "http://127.0.0.1:9/y", None, "B")
    sheet.write_url(2, 1, f"external:{secret}", None, "2")
    workbook.close()
    added = {"xl/externalLinks/externalLink1.xml": link, "xl/externalLinks/_rels/x.rels": relation.encode()}
    content = changed(buffer.getvalue(), lambda xml: xml, **added)
    with opened() as seen:
        table = read(content, name="b.xlsx")
    assert table.frame.select("part", "qty").rows() == [("A", "1"), ("B", "2")]
    assert [what for event, what in seen if event != "open" or "secret" in what] == []


@pytest.mark.parametrize("cell", ["=1+1", "=cmd|'/c calc'!A1", "@SUM(1,2)", "-2+3", '=HYPERLINK("http://x","y")'])
def test_a_formula_in_text_is_text(read, cell):
    quoted = cell.replace('"', '""')
    assert read(f'part,qty\n"{quoted}",1\n').frame["part"].to_list() == [cell]


@pytest.mark.parametrize("pack", [gzip.compress, lambda data: zipped(data)])
@pytest.mark.parametrize("declared", ["auto", "csv"])
def test_a_compressed_table_is_not_read_in_silence(read, pack, declared):
    refused = refusal(read, pack(b"part,qty\nA,1\n"), name="parts.csv", format=declared)
    assert refused.code in ("unknown_format", "archive", "encoding", "no_header")
    if declared == "auto":
        assert "unpack it" in refused.message


def zipped(data: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("parts.csv", data)
    return buffer.getvalue()


def looked(tmp_path: Path, content: bytes | str, name: str):
    path = tmp_path / "content"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return inspect(path, name, load_contracts())


def test_a_million_columns_are_refused(read, tmp_path):
    content = ",".join(f"c{number}" for number in range(1_000_000)) + "\n" + "1," * 999_999 + "1\n"
    assert refusal(read, content, name="wide.csv").code == "too_large"
    assert [found.code for found in looked(tmp_path, content, "wide.csv").findings] == ["too_large"]


def test_a_wide_table_is_read(read):
    header = ",".join(["part", "qty", *(f"week {number}" for number in range(2_000))])
    content = header + "\nA,1," + "," * 1_999 + "\n"
    assert read(content, ignore=("*",)).frame.select("part", "qty").rows() == [("A", "1")]


def test_records_of_ever_new_names_are_refused(read):
    content = json.dumps([{f"name {number}": 1} for number in range(5_000)])
    assert refusal(read, content, name="r.json").code == "too_large"


@pytest.mark.parametrize("depth", [150, 900, 100_000])
@pytest.mark.parametrize("shape", ["list", "object", "both"])
def test_deep_documents_have_a_verdict(read, depth, shape):
    opening, closing = {"list": ("[", "]"), "object": ('{"a":', "}"), "both": ('[{"a":', "}]")}[shape]
    content = f'[{{"part":"A","qty":1,"note":{opening * depth}1{closing * depth}}}]'
    try:
        table = read(content, name="deep.json")
    except (FileRejected, RecursionError):
        return
    assert table.ledger.balanced


def test_a_huge_line_and_a_huge_cell_refuse_their_row_only(read):
    content = "part,qty,site\nA,1,X\nB,2," + "x" * 5_000_000 + "\nC,3,Z\n"
    table = read(content)
    assert table.frame["part"].to_list() == ["A", "C"]
    assert [(row.row, row.rule) for row in table.rejected] == [(3, "long")]
    assert table.ledger.balanced


def test_a_huge_cell_in_a_large_file_refuses_its_row_only(read):
    rows = [f"P{number},{number},X" for number in range(25_000)]
    rows[12_000] = 'Q,1,"' + "x" * 200_000 + '"'
    rows[12_001] = "R,1," + "y" * 200_000
    table = read("part,qty,site\n" + "\n".join(rows) + "\n")
    assert [row.row for row in table.rejected] == [12_002, 12_003]
    assert (table.ledger.data, table.ledger.balanced) == (24_998, True)


def test_stored_entries_are_read_as_they_are(tmp_path):
    path = tmp_path / "b"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as made:
        made.writestr("xl/workbook.xml", b"<workbook/>")
    with check_archive(path) as archive:
        assert read_entry(archive, "xl/workbook.xml") == b"<workbook/>"
        assert read_entry(archive, "absent") == b""
