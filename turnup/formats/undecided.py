"""A file that no dataset's names explain: its rows counted all the same, and what it comes nearest to.

Belongs here: the stand-in sources and contracts that such a file is read under. Does not: choosing a dataset.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnup.formats.content import Content
from turnup.formats.inspected import ColumnProposal, Inspection
from turnup.formats.model import Fact, FileRejected, Finding, Format, Ledger, RawTable, Request
from turnup.formats.proposals import weak_fits
from turnup.formats.samples import Samples
from turnup.formats.tabular.books import sheets_of
from turnup.formats.tabular.header import SEARCHED_ROWS, Header, header_at
from turnup.formats.tabular.records import Record
from turnup.formats.tabular.stacked_header import merged_block

if TYPE_CHECKING:
    from expectations.contract import Column, Contract
    from turnup.programme import Source

_NEAREST = 3


def without_dataset(held: Content, form: Format, looked: Samples, contracts: Mapping[str, Contract]) -> Inspection:
    """No contract fits: the rows are still counted, under the most plausible header, when it is a table at all."""
    if not looked.proved:
        raise FileRejected("unknown_format", "this text is no table, and no format that is known")
    tables = []
    blank = Ledger()
    for records, sheet in zip(looked.tables, looked.sheets, strict=True):
        if any(record.filled for record in records):
            tables.append(_counted(held, form, records, sheet, contracts))
        else:
            rows = sheets_of(held, form.name, sheet)[0].frame.height if sheet is not None else len(records)
            blank = blank.plus(Ledger(lines=rows, blank=rows))
    if not tables:
        raise FileRejected("no_data_rows", f"nothing stands in the first {SEARCHED_ROWS} rows")
    ledger = reduce(Ledger.plus, (table.ledger for _, table in tables), blank)
    shapeless = sum(row.rule in ("width", "quote", "long") for _, table in tables for row in table.rejected)
    if shapeless > ledger.data:
        raise FileRejected("unknown_format", "most rows of this text have no common width: it is no table")
    message = (
        "no dataset's columns are named in this file; say which one it is with --dataset, or map it by hand in "
        f"programme.yaml{_nearest(looked, held.name, contracts)}"
    )
    found = Finding("unknown_dataset", "error", tables[0][0].row, None, None, message)
    names = dict.fromkeys(name for header, _ in tables for name in header.names)
    proposals = tuple(ColumnProposal(name, None, "none", message, 0.0) for name in names)
    findings = [found]
    for _, table in tables:
        findings += [*table.findings, *rejected_findings(table)]
    facts = _summed([table for _, table in tables])
    return Inspection(tables[0][1].format, None, proposals, ledger, tuple(findings), {}, facts)


def _nearest(looked: Samples, name: str, contracts: Mapping[str, Contract]) -> str:
    """The datasets that come nearest, with what the file lacks of them."""
    weak = [fit for records in looked.tables for fit in weak_fits(records, name, contracts)][:_NEAREST]
    told = [f"{fit.dataset} (columns named: {fit.named}; missing: {', '.join(fit.lacks) or 'none'})" for fit in weak]
    return f"; nearest: {', '.join(told)}" if told else ""


def _counted(
    held: Content, form: Format, records: Sequence[Record], sheet: str | None, contracts: Mapping[str, Contract]
) -> tuple[Header, RawTable]:
    """One table that feeds no dataset, under its most plausible header."""
    header = plausible_header(records)
    contract = _stand_in(header, contracts)
    columns = dict(zip(header.names, (column.name for column in contract.columns), strict=True))
    fixed = header.row if header.depth == 1 else "auto"
    source = source_for("unknown", held.name, header=fixed, columns=columns, sheet=sheet, ignore=("*",))
    return header, form.parse(Request(held, source, contract))


def _summed(tables: Sequence[RawTable]) -> tuple[Fact, ...]:
    """The figures of several tables as those of one; columns of one name count once."""
    if len(tables) == 1:
        return tables[0].facts
    columns = len({column.name for table in tables for column in table.columns})
    sums: dict[str, int] = {}
    for table in tables:
        for fact in table.facts:
            if isinstance(fact.value, int):
                sums[fact.name] = sums.get(fact.name, 0) + fact.value
    return tuple(
        replace(fact, value=columns if fact.name == "columns" else sums[fact.name])
        for fact in tables[0].facts
        if fact.name in sums
    )


def plausible_header(records: Sequence[Record]) -> Header:
    """The first row with as many filled cells as most rows have, and no number among them, or what is merged above."""
    counts = [len(record.filled) for record in records if record.filled]
    usual = max(sorted(set(counts), reverse=True), key=counts.count, default=0)
    for index, record in enumerate(records):
        if len(record.filled) >= usual and not any(text[:1].isdigit() for text in record.filled):
            return merged_block(records, index + 1) or header_at(records, index)
    return header_at(records, next((i for i, record in enumerate(records) if record.filled), 0))


def source_for(dataset: str, name: str, **settings: Any) -> Source:
    """A source that is not checked, for a file of this name; ``settings`` are its keys."""
    from turnup.programme import Source

    return Source.model_construct(
        **{**Source.model_construct(dataset=dataset, files=f"*{Path(name).suffix}").__dict__, **settings}
    )


def _stand_in(header: Header, contracts: Mapping[str, Contract]) -> Contract:
    """A contract with one text column for each column of a header."""
    text = text_column(contracts)
    columns = tuple(replace(text, name=f"column_{number}") for number in range(1, header.width + 1))
    return replace(next(iter(contracts.values())), name="unknown", key=(), columns=columns)


def text_column(contracts: Mapping[str, Contract]) -> Column:
    """A column of text that asks for nothing."""
    base = next(iter(contracts.values())).columns[0]
    return replace(
        base,
        type="text",
        required=False,
        values=(),
        minimum=None,
        maximum=None,
        default=None,
        fallback=None,
        synonyms=(),
    )


def rejected_findings(table: RawTable) -> list[Finding]:
    """Each refused row as a finding."""
    return [Finding(row.rule, "error", row.row, row.column, row.value, row.message) for row in table.rejected]
