"""The same demands on the demo programme's pages, which come from the whole pipeline."""

import pytest

from tests.reports import test_browser as demands
from tests.reports.test_browser import browser  # noqa: F401 - a fixture
from turnup.warehouse.connection import connect

pytestmark = [*demands.pytestmark, pytest.mark.slow]
SHEETS = ("2026-W44/systems/HIL-GPU-1.html", "2026-W44/sites/HIL.html")
PAGES = ("2026-W44/executive.html", "2026-W44/governance.html", "index.html", *SHEETS)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_quiet_offline_and_accessible(browser, demo_home, name, scheme):  # noqa: F811
    demands.test_quiet_offline_and_accessible(browser, demo_home.out, name, scheme)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [360, 768, 1280])
def test_no_page_overflow(browser, demo_home, name, width):  # noqa: F811
    demands.test_no_page_overflow(browser, demo_home.out, name, width)


def test_page_1_prints_on_one_a4_page(browser, demo_home):  # noqa: F811
    demands.test_page_1_prints_on_one_a4_page(browser, demo_home.out)


def test_page_1_answers_its_four_questions(browser, demo_home):  # noqa: F811
    page, _, _ = demands.opened(browser, demo_home.out / PAGES[0])
    first = page.locator("#P1")
    assert len(first.locator("h2").all()) == 4
    text = first.inner_text().replace("\u00a0", " ")
    page.context.close()
    with connect(demo_home.warehouse.resolve(), read_only=True) as con:
        kinds = con.sql("SELECT contracted, due, schedulable FROM mart.classes").fetchall()
        (decision,) = con.sql(
            "SELECT id FROM mart.decisions WHERE closed IS NULL ORDER BY needed_by LIMIT 1"
        ).fetchall()
    for quantity in {figure for row in kinds for figure in row}:
        assert f"{quantity.normalize():,f}" in text
    assert "P50" in text
    assert "since 2026-W43" in text
    assert decision[0] in text
