"""Small XLS and ODS files for tests; a cell is text, a number, a boolean, a date, or None."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

import xlwt

Rows = Sequence[Sequence[object]]
_NAMESPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text", "style")
)
_CALC = 'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'
_STYLES = (
    '<office:automatic-styles><style:style style:name="off" style:family="table">'
    '<style:table-properties table:display="false"/></style:style></office:automatic-styles>'
)
MIME = "application/vnd.oasis.opendocument.spreadsheet"


def xls(sheets: Mapping[str, Rows]) -> bytes:
    """An XLS workbook."""
    book = xlwt.Workbook()
    day, time = xlwt.easyxf(num_format_str="d-mmm-yy"), xlwt.easyxf(num_format_str="hh:mm:ss")
    for name, rows in sheets.items():
        sheet = book.add_sheet(name)
        for row, cells in enumerate(rows):
            for column, value in enumerate(cells):
                if value is not None:
                    sheet.write(row, column, value, *_style(value, day, time))
    return saved(book)


def _style(value: object, day: xlwt.XFStyle, time: xlwt.XFStyle) -> list[xlwt.XFStyle]:
    return [day] if isinstance(value, dt.date) else [time] if isinstance(value, dt.time) else []


def saved(book: xlwt.Workbook) -> bytes:
    """An XLS workbook as bytes."""
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def ods(sheets: Mapping[str, Rows | str], hidden: Sequence[str] = ()) -> bytes:
    """An ODS spreadsheet; a sheet may be given as the XML of its rows."""
    tables = []
    for name, rows in sheets.items():
        body = (
            rows
            if isinstance(rows, str)
            else "".join(f"<table:table-row>{_row(row)}</table:table-row>" for row in rows)
        )
        style = ' table:style-name="off"' if name in hidden else ""
        tables.append(f'<table:table table:name="{escape(name)}"{style}>{body}</table:table>')
    return packed(
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {_NAMESPACES} {_CALC}>{_STYLES}<office:body>'
        f"<office:spreadsheet>{''.join(tables)}</office:spreadsheet></office:body></office:document-content>"
    )


def packed(xml: str, manifest: str = "<manifest/>") -> bytes:
    """The archive of an ODS document."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("mimetype"), MIME)
        archive.writestr("content.xml", xml)
        archive.writestr("META-INF/manifest.xml", manifest)
    return buffer.getvalue()


def _row(cells: Sequence[object]) -> str:
    return "".join(cell(value) for value in cells)


def cell(value: object) -> str:
    """One cell of an ODS sheet."""
    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, bool):
        return _typed("boolean", "boolean-value", str(value).lower(), str(value).upper())
    if isinstance(value, (int, float)):
        return _typed("float", "value", repr(value), str(value))
    if isinstance(value, dt.date):
        return _typed("date", "date-value", value.isoformat(), value.strftime("%d/%m/%y"))
    if isinstance(value, dt.time):
        return _typed("time", "time-value", value.strftime("PT%HH%MM%SS"), value.isoformat())
    lines = "".join(f"<text:p>{_spaced(line)}</text:p>" for line in str(value).split("\n"))
    return f'<table:table-cell office:value-type="string">{lines}</table:table-cell>'


def _typed(kind: str, name: str, value: str, shown: str) -> str:
    return (
        f'<table:table-cell office:value-type="{kind}" office:{name}="{value}">'
        f"<text:p>{shown}</text:p></table:table-cell>"
    )


def _spaced(text: str) -> str:
    return escape(text).replace("  ", ' <text:s text:c="1"/>')
