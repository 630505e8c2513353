"""The tabs of a workbook that is inspected: which are read for the chosen dataset, and what the others hold.

Belongs here: telling tabs apart while looking at an unknown file. Does not: reading a workbook under a source that
exists (``turnup.formats.tabular.sheets``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

from turnup.formats.content import Content
from turnup.formats.model import FileRejected, Finding, Format, Ledger, RawTable
from turnup.formats.proposals import best_fit
from turnup.formats.samples import Samples
from turnup.formats.tabular.books import FORMS, sheets_of
from turnup.formats.tabular.sheets import Sheet, not_read

if TYPE_CHECKING:
    from expectations.contract import Contract


@dataclass(frozen=True)
class Tab:
    """One tab, and the dataset that it would feed by itself, None for none."""

    sheet: Sheet
    feeds: str | None

    @property
    def name(self) -> str:
        """As it stands in the workbook."""
        return self.sheet.name


def tabs_of(held: Content, form: Format, looked: Samples, contracts: Mapping[str, Contract]) -> tuple[Tab, ...]:
    """The tabs of a workbook that has several; empty for any other file."""
    if form.name not in FORMS or len(looked.tables) < 2:
        return ()
    fits = (
        best_fit(records, f"{name}.tab", contracts) for records, name in zip(looked.tables, looked.sheets, strict=True)
    )
    return tuple(
        Tab(sheet, fit.dataset if fit else None) for sheet, fit in zip(sheets_of(held, form.name), fits, strict=True)
    )


def read_tabs(
    read: Callable[[str | None], RawTable], tabs: Sequence[Tab], chosen: str | None, dataset: str
) -> tuple[RawTable, str | None]:
    """Read the whole workbook, or the chosen tab alone where it alone feeds the dataset and the others disturb.

    Args:
        read: reads the file, or one tab of it.
        tabs: of the workbook; empty where the file has none to choose from.
        chosen: the tab that fits the dataset best.
        dataset: what is read.

    Returns:
        What was read, with every tab in its ledger, and the tab that a source must name, None for no certain one.

    Raises:
        FileRejected: it cannot be read so.
    """
    others = [tab for tab in tabs if tab.name != chosen]
    alone = bool(others) and not any(tab.feeds == dataset for tab in others)
    try:
        whole = read(None)
    except FileRejected:
        if not alone:
            raise
    else:
        unread = _unread(whole)
        if not (alone and any(tab.feeds and tab.name not in unread for tab in others)):
            return _with_offers(whole, [tab for tab in others if tab.name in unread], dataset), None
    table = read(chosen)
    rows = reduce(Ledger.plus, (Ledger(lines=t.sheet.frame.height, other=t.sheet.frame.height) for t in others))
    findings = (*table.findings, *(not_read(tab.sheet) for tab in others))
    return _with_offers(replace(table, ledger=table.ledger.plus(rows), findings=findings), others, dataset), chosen


def unlike_any(tabs: Sequence[Tab]) -> list[Finding]:
    """Each tab of a workbook that feeds nothing."""
    return [not_read(tab.sheet, "any dataset") for tab in tabs]


def _unread(table: RawTable) -> set[str | None]:
    return {item.value for item in table.findings if item.code == "sheet_not_read"}


def _with_offers(table: RawTable, others: Sequence[Tab], dataset: str) -> RawTable:
    """Say which tabs that were not read would feed something else."""
    offers = tuple(
        Finding(
            "also_feeds", "info", None, None, tab.feeds,
            f"the sheet '{tab.name}' looks like {tab.feeds}; inspected with --dataset {tab.feeds} it gets a source of "
            "its own",
        )
        for tab in others
        if tab.feeds not in (None, dataset)
    )  # fmt: skip
    return replace(table, findings=(*table.findings, *offers))
