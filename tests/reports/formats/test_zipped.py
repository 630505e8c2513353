"""Packages with equal content have equal bytes, whenever and in whatever order they were packed."""

import io
import zipfile
from datetime import datetime

from reports.formats.zipped import normalised

AT = datetime(2026, 10, 30, 23, 0)
CORE = '<dcterms:created xsi:type="dcterms:W3CDTF">{}</dcterms:created><dcterms:modified a="b">{}</dcterms:modified>'


def package(day: int, names: list[str], inner: bytes = b"") -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as packed:
        for name in names:
            content = inner if name.endswith(".xlsx") else CORE.format(f"2026-01-0{day}", "x").encode()
            packed.writestr(zipfile.ZipInfo(name, (2026, 1, day, 1, 2, 4)), content)
    return target.getvalue()


def test_times_and_order_leave_no_trace_also_in_a_workbook_inside() -> None:
    names = ["docProps/core.xml", "ppt/embeddings/a.xlsx", "[Content_Types].xml"]
    first = normalised(package(1, names, package(3, ["docProps/core.xml", "b"])), AT)
    second = normalised(package(2, names[::-1], package(4, ["b", "docProps/core.xml"])), AT)
    assert len(first) > 200
    with zipfile.ZipFile(io.BytesIO(first)) as packed:
        assert packed.namelist()[0] == "[Content_Types].xml"
        assert packed.read("docProps/core.xml").decode() == CORE.format("2026-10-30T23:00:00Z", "2026-10-30T23:00:00Z")
        assert {entry.date_time for entry in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    with zipfile.ZipFile(io.BytesIO(first)) as one, zipfile.ZipFile(io.BytesIO(second)) as other:
        assert one.read("docProps/core.xml") == other.read("docProps/core.xml")
        assert one.namelist() == other.namelist()
