"""Reads texts back out of slides, workbooks and PDFs."""

from typing import Any

import pypdf


def slide_texts(deck: Any) -> list[list[str]]:
    """All texts of each slide: titles, boxes, cells of tables, categories and series of charts."""
    return [[text for shape in slide.shapes for text in _shape_texts(shape)] for slide in deck.slides]


def _shape_texts(shape: Any) -> list[str]:
    if shape.has_text_frame:
        return [shape.text_frame.text]
    if getattr(shape, "has_table", False):
        return [cell.text_frame.text for row in shape.table.rows for cell in row.cells]
    if getattr(shape, "has_chart", False):
        plot = shape.chart.plots[0]
        return [*map(str, plot.categories), *(series.name for series in plot.series)]
    return []


def workbook_texts(book: Any) -> list[str]:
    """Every value of every cell as text."""
    return [
        str(cell) for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row if cell is not None
    ]


def pdf_text(reader: pypdf.PdfReader) -> str:
    """The text of all pages without spaces or places to break a word, since lines break where the paper ends."""
    return "".join("".join(page.extract_text().replace("\u200b", "").split()) for page in reader.pages)


def alternatives(reader: pypdf.PdfReader) -> list[str]:
    """Alternative texts of the figures in the structure tree."""
    found: list[str] = []
    waiting: list[Any] = [reader.trailer["/Root"]["/StructTreeRoot"]]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        node = node.get_object() if hasattr(node, "get_object") else node
        if isinstance(node, list):
            waiting += node
        elif isinstance(node, dict) and id(node) not in seen:
            seen.add(id(node))
            if node.get("/S") == "/Figure":
                found.append(str(node.get("/Alt", "")))
            waiting.append(node.get("/K", []))
    return found


def roles(reader: pypdf.PdfReader) -> set[str]:
    """Names of the structure elements that occur."""
    found: set[str] = set()
    waiting: list[Any] = [reader.trailer["/Root"]["/StructTreeRoot"]]
    while waiting:
        node = waiting.pop()
        node = node.get_object() if hasattr(node, "get_object") else node
        if isinstance(node, list):
            waiting += node
        elif isinstance(node, dict):
            found.add(str(node.get("/S", "")))
            waiting.append(node.get("/K", []))
    return found
