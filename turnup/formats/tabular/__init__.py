"""Tables of any dataset: delimited text, workbooks, JSON records. The last to be tried."""

from __future__ import annotations

from turnup.formats.content import Content
from turnup.formats.model import Format
from turnup.formats.tabular import ods, xls
from turnup.formats.tabular.books import parse_book
from turnup.formats.tabular.delimited import parse_delimited
from turnup.formats.tabular.json_records import parse_json, parse_jsonl
from turnup.formats.tabular.parquet import parse_parquet

_OTHER_KINDS = (
    *(b"PK\x03\x04", b"PAR1", b"%PDF", b"\x1f\x8b", b"\xd0\xcf\x11\xe0", b"\x89PNG", b"\xff\xd8\xff"),
    *(b"<?xml", b"ISA*", b"\xef\xbb\xbfISA*", b"UNB+", b"UNA"),
)
"""First bytes of files that are text or not, but never a table."""


def _is_lines(content: Content) -> bool:
    if content.suffix in (".jsonl", ".ndjson"):
        return True
    lines = content.head_text.strip().split("\n", 2)
    return len(lines) > 1 and all(line.strip().startswith("{") and line.strip().endswith("}") for line in lines[:2])


def _is_text(content: Content) -> bool:
    head = content.head
    if head.startswith(_OTHER_KINDS):
        return False
    wide = head[:2] in (b"\xff\xfe", b"\xfe\xff") or head[1:64:2].count(0) > 16 or head[0:64:2].count(0) > 16
    controls = sum(head.count(bytes([code])) for code in range(1, 32) if code not in (9, 10, 12, 13, 27))
    return wide or controls <= max(8, len(head) // 100)


FORMATS = (
    Format("ods", ods.is_document, lambda request: parse_book(request, "ods")),
    Format("xls", xls.is_document, lambda request: parse_book(request, "xls")),
    Format("parquet", lambda content: content.head.startswith(b"PAR1"), parse_parquet),
    Format("xlsx", lambda content: content.head.startswith(b"PK\x03\x04"), lambda request: parse_book(request, "xlsx")),
    Format("jsonl", _is_lines, parse_jsonl),
    Format("json", lambda content: content.looks_like_json, parse_json),
    Format("csv", _is_text, parse_delimited),
)
