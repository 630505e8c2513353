"""A programme larger than a page can hold: the report makes, shows and links what is asked, and counts all."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import openpyxl
import pytest

from reports.build.annex import FULL_SHEETS
from reports.build.caps import MOST_ROWS, most, whole_tables
from reports.build.cells import table, words
from reports.build.reports import Issue, build_issue, targets
from reports.formats.xlsx import governance_xlsx
from reports.models.common import Cell, Table
from reports.models.governance import GovernanceReport
from reports.render import governance_html
from tests.reports.sample_warehouse import Rows, build_sample

_COPIES = 4
_NAMES = ("system_id", "system_key", "blocker_id", "finding_id", "contract")


def grown(tables: dict[str, Rows]) -> None:
    for name, rows in tables.items():
        if rows and "system_id" in rows[0]:
            tables[name] = [_copy(row, number) for number in range(_COPIES) for row in rows]


def _copy(row: dict[str, Any], number: int) -> dict[str, Any]:
    return {k: f"{v}-{number}" if number and v and k in _NAMES else v for k, v in row.items()}


@pytest.fixture(scope="module")
def issue() -> Issue:
    return build_issue(build_sample(grown))


def test_a_table_makes_no_row_that_it_does_not_show() -> None:
    made = []

    def rows() -> Iterator[tuple[Cell, ...]]:
        for number in range(1000):
            made.append(number)
            yield (words(str(number)),)

    found = table("T", "rows", ("Row",), rows(), cap=3, of=1000)
    assert [row.cells[0].text for row in found.rows] == ["0", "1", "2"]
    assert made == [0, 1, 2]
    assert (found.of, found.note) == (1000, "997 more rows not shown here; all are in the warehouse.")


def test_the_worst_systems_stand_in_full_and_every_system_has_its_place(issue: Issue) -> None:
    sheets = issue.governance.sheets
    full = [sheet for sheet in sheets if sheet.blocks]
    assert (len(sheets), len(full)) == (12 * _COPIES, FULL_SHEETS)
    ranks = {"red": 0, "amber": 1, "grey": 2, "green": 3}
    assert max(ranks[s.status] for s in full) <= min(ranks[s.status] for s in sheets if not s.blocks)
    known = targets(issue.governance)
    assert {sheet.id for sheet in sheets} <= known
    html = governance_html(issue.governance, known, issue.sheets.heads)
    for sheet in sheets:
        assert html.count(f'id="{sheet.id}"') == 1
    short = next(sheet for sheet in sheets if not sheet.blocks)
    assert f'<li id="{short.id}"><a href="systems/{short.system_id}.html">' in html
    assert "24 more stand in the list above and have a page of their own" in html


def test_without_pages_beside_it_the_report_names_systems_without_a_dead_link(issue: Issue) -> None:
    html = governance_html(issue.governance, targets(issue.governance))
    short = next(sheet for sheet in issue.governance.sheets if not sheet.blocks)
    assert f'<li id="{short.id}">{short.system_id} ' in html
    assert "systems/" not in html


@pytest.fixture(scope="module")
def long_issue() -> Issue:
    """Forty copies: more of nearly everything than a page shows."""

    def many(tables: dict[str, Rows]) -> None:
        for name, rows in tables.items():
            if rows and "system_id" in rows[0]:
                tables[name] = [_copy(row, number) for number in range(40) for row in rows]

    return build_issue(build_sample(many))


def _cut(report: GovernanceReport) -> set[str]:
    """Tables of sections that do not show all their rows."""
    tables = [block for section in report.sections for block in section.blocks if isinstance(block, Table)]
    return {found.id for found in tables if len(found.rows) < found.of or "more" in found.note.split()}


def test_the_workbook_has_every_row_that_a_page_leaves_out(long_issue: Issue) -> None:
    assert len(_cut(long_issue.governance)) > 20
    assert _cut(long_issue.whole()) == set()
    assert len(_cut(long_issue.governance)) > 20


def test_the_workbook_has_the_tables_of_every_system(issue: Issue) -> None:
    book = openpyxl.load_workbook(BytesIO(governance_xlsx(issue.whole())))
    sheet = next(s for s in book if s.title.startswith("13 Systems  Contract line"))
    assert len({row[0] for row in sheet.iter_rows(min_row=5, values_only=True)}) == 12 * _COPIES


def test_what_leaves_the_whole_tables_is_as_before(issue: Issue) -> None:
    issue.whole()
    assert most(3) == 3
    with whole_tables(), whole_tables():
        assert most(3) == MOST_ROWS
    assert most(3) == 3
