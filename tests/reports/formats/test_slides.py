"""The presentation: a message on every slide, native charts with the model's figures, words for what is drawn."""

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pptx
import pytest
from pptx.enum.chart import XL_CHART_TYPE

from reports.build.cells import table, words
from reports.formats.slides.deck import executive_pptx
from reports.formats.slides.page import BOTTOM, HEIGHT, WIDTH, fitting
from reports.models.charts import SCurve, Waterfall
from reports.models.executive import ExecutiveReport, Page


@pytest.fixture(scope="module")
def deck(week: Path) -> Any:
    return pptx.Presentation(io.BytesIO((week / "executive.pptx").read_bytes()))


def test_every_slide_has_its_message_with_a_number_the_issue_state_and_the_imprint(
    deck: Any, executive: ExecutiveReport
) -> None:
    titles = [slide.shapes.title.text_frame.text for slide in deck.slides]
    assert len(titles) > 15
    assert [title for title in titles if not any(character.isdigit() for character in title)] == []
    assert titles[0] == executive.how_much.answer
    for slide in deck.slides:
        texts = {shape.name: shape.text_frame.text for shape in slide.shapes if shape.has_text_frame}
        assert texts["Issue"] == "▲ DRAFT"
        assert "data date Fri 2026-10-30 18:00 CDT" in texts["Imprint"]
        assert "inputs 7f3a1c9e52d0" in texts["Imprint"]


def test_tables_charts_and_pictures_are_described(deck: Any) -> None:
    shown = [shape for slide in deck.slides for shape in slide.shapes if not shape.has_text_frame]
    assert all(shape._element.xpath(".//p:cNvPr")[0].get("descr") for shape in shown)
    assert all(shape._element.xpath(".//p:cNvPr")[0].get("descr") != "picture" for shape in shown)


def test_nothing_stands_outside_a_slide(deck: Any) -> None:
    for slide in deck.slides:
        for shape in slide.shapes:
            assert shape.left >= 0
            assert shape.top >= 0
            assert (shape.left + shape.width) / 12700 <= WIDTH + 0.5, shape.name
            assert (shape.top + shape.height) / 12700 <= HEIGHT + 0.5, shape.name


def charts(deck: Any, kind: Any) -> list[Any]:
    frames = [shape for slide in deck.slides for shape in slide.shapes if getattr(shape, "has_chart", False)]
    return [frame.chart for frame in frames if frame.chart.chart_type == kind]


def test_the_s_curve_is_native_with_its_band_as_lines(deck: Any, executive: ExecutiveReport) -> None:
    curve = executive.when_sure.curve
    assert isinstance(curve, SCurve)
    chart = charts(deck, XL_CHART_TYPE.XY_SCATTER_LINES_NO_MARKERS)[0]
    series = {item.name.split(" ")[0]: list(item.values) for item in chart.plots[0].series}
    assert set(series) == {"Contract", "Plan", "P10", "P50", "P90", "Actual"}
    assert series["Actual"] == [float(point.value) for point in curve.actual]
    assert series["P90"] == [float(point.value) for point in curve.p90]
    assert max(series["Contract"]) == 5120


def test_the_waterfall_closes_in_its_stacks(deck: Any, executive: ExecutiveReport) -> None:
    model = next(b for page in executive.pages for b in page.blocks if isinstance(b, Waterfall))
    chart = charts(deck, XL_CHART_TYPE.COLUMN_STACKED)[0]
    series = {item.name: list(item.values) for item in chart.plots[0].series}
    assert series["Total"][0] == float(model.contracted) == 5120
    assert sum(series["Held back"]) == float(model.contracted - model.schedulable)
    assert series["Total"][-1] + series["Schedulable on waiver"][-1] == float(model.schedulable)
    tops = [left + held for left, held in zip(series["Left"], series["Held back"], strict=True)]
    assert tops[1:-1] == [5120.0, *series["Left"][1:-2]]


def test_bullets_are_native_and_say_the_quantities(deck: Any) -> None:
    chart = charts(deck, XL_CHART_TYPE.BAR_CLUSTERED)[0]
    assert "GPU: 2,752 of 3,072 due, 5,120 GPUs contracted" in list(chart.plots[0].categories)
    assert [item.values[0] for item in chart.plots[0].series] == [100.0, 60.0, 53.8]


def test_a_long_table_says_how_many_rows_there_are_and_where(executive: ExecutiveReport) -> None:
    rows = [(words(f"row {number}"), words("what it is " * 9)) for number in range(90)]
    page = Page("P9", "Many", "90 rows", (table("T", "Many rows", ("Id", "What"), rows),))
    slide = list(pptx.Presentation(io.BytesIO(executive_pptx(replace(executive, pages=(page,))))).slides)[-1]
    notes = next(shape.text_frame.text for shape in slide.shapes if shape.name == "Notes")
    kept = next(len(shape.table.rows) - 1 for shape in slide.shapes if shape.has_table)
    assert notes.startswith(f"{kept} of 90 rows; the others are in executive.html")
    assert 5 < kept < 90


@pytest.mark.parametrize("cells", [1, 7, 16, 40])
def test_tables_fit_the_slide(cells: int) -> None:
    heads = tuple(f"Column {number}" for number in range(cells))
    laid = fitting(table("T", "t", heads, [tuple(words("some words in a cell") for _ in range(cells))] * 30))
    assert sum(laid.widths) <= WIDTH - 71
    assert sum(laid.heights()) <= BOTTOM or len(laid.table.rows) == 1


def test_properties_tell_the_data_date(deck: Any) -> None:
    told = deck.core_properties
    assert (told.created, told.modified) == (told.created, told.created)
    assert told.created.isoformat() == "2026-10-30T23:00:00"
    assert told.title == "Executive readiness report · 2026-W44 · Northstar build-out"
