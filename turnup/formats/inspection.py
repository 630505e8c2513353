"""What an unknown file is: its format, the dataset it feeds, a mapping to check, its ledger and a source for it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnup.formats.benchmarks.results import no_results, results_of
from turnup.formats.content import Content
from turnup.formats.file_names import file_pattern
from turnup.formats.inspected import ColumnProposal, Inspection
from turnup.formats.model import Fact, FileRejected, Finding, Format, Ledger, RawTable, Request
from turnup.formats.profiles import Profile, overlaid
from turnup.formats.proposals import best_fit, propose
from turnup.formats.registry import detect, examined, profile_of
from turnup.formats.samples import Samples, samples
from turnup.formats.tabular.books import FORMS, sheets_of
from turnup.formats.tabular.header import SEARCHED_ROWS, Header, header_at
from turnup.formats.tabular.names import name_key, plain
from turnup.formats.tabular.records import Record
from turnup.formats.tabular.sheet_xml import column_index
from turnup.formats.tabular.stacked_header import merged_block

if TYPE_CHECKING:
    from expectations.contract import Column, Contract
    from turnup.programme import Source


def inspect(content: Path, name: str, contracts: Mapping[str, Contract]) -> Inspection:
    """Look at a file of any kind; never raises for what is in it, a refusal is a finding."""
    held = Content(content, name)
    try:
        if not held.head:
            raise FileRejected("empty_file", "the file is empty (0 bytes)")
        form = detect(held)
    except FileRejected as refusal:
        return _unknown("unknown", refusal)
    try:
        if (returned := _send_back(held, form)) is not None:
            return returned
        if form.feeds:
            return _adapted(held, form, contracts)
        if form.look is not None:
            looked = form.look(held)
            return Inspection(form.family or form.name, None, (), looked.ledger, looked.findings, {}, looked.facts)
        profile = profile_of(held, form, None)
        return _profiled(held, form, profile, contracts) if profile else _tabular(held, form, contracts)
    except FileRejected as refusal:
        unknown = _unknown("unknown" if refusal.code == "unknown_format" else form.name, refusal)
        return replace(unknown, results=no_results(refusal.message)) if "benchmarks" in form.feeds else unknown


def _send_back(held: Content, form: Format) -> Inspection | None:
    """A workbook of rows that turnup sent back, which needs no source of its own."""
    from turnup.returns.marker import SHEET, marker_in, may_be_marked

    if form.name not in FORMS or not may_be_marked(held.path):
        return None
    marker = marker_in(sheets_of(held, form.name, SHEET)[0].frame)
    if marker is None:
        return None
    files = sorted({original.path for original in marker.originals})
    message = (
        f"these are rows that turnup sent back to {marker.owner} for week {marker.week}; corrected, it goes into the "
        "inbox as it is and is read by the sources that it names"
    )
    lines = sum(sheet.frame.height for sheet in sheets_of(held, form.name))
    facts = (Fact("rows_sent_back", len(marker.rows)), Fact("of_files", tuple(files)))
    found = Finding("send_back", "info", None, None, None, message)
    return Inspection("send-back", None, (), Ledger(lines=lines, other=lines), (found,), {}, facts)


def _unknown(form: str, refusal: FileRejected) -> Inspection:
    found = Finding(refusal.code, "error", refusal.row, refusal.column, refusal.value, refusal.message)
    return Inspection(form, None, (), Ledger(), (found,), {})


def _source(dataset: str, name: str, **settings: Any) -> Source:
    from turnup.programme import Source

    return Source.model_construct(
        **{**Source.model_construct(dataset=dataset, files=f"*{Path(name).suffix}").__dict__, **settings}
    )


def _adapted(held: Content, form: Format, contracts: Mapping[str, Contract]) -> Inspection:
    """A format that knows its datasets: the first that the file feeds, the others named."""
    fed: list[RawTable] = []
    refusals: list[FileRejected] = []
    for dataset in form.feeds:
        try:
            source = _source(dataset, held.name)
            fed.append(examined(form.parse(Request(held, source, contracts[dataset])), source))
        except FileRejected as refusal:
            refusals.append(refusal)
    if not fed:
        raise refusals[0]
    table = fed[0]
    findings = [*table.findings, *rejected_findings(table)]
    for other in fed[1:]:
        message = f"the same file also feeds {other.dataset} ({other.ledger.data} rows)"
        findings.append(Finding("also_feeds", "info", None, None, other.dataset, message))
    columns = tuple(
        ColumnProposal(item.name, item.maps_to, "adapter", "fixed by the format", 1.0) for item in table.columns
    )
    proposed = {"dataset": table.dataset, "files": file_pattern(held.name), "format": table.format}
    if form.adds_up:
        proposed["mode"] = "events"
    results = results_of(table) if table.dataset == "benchmarks" else None
    return Inspection(
        table.format, table.dataset, columns, table.ledger, tuple(findings), proposed, table.facts, results, table
    )


def _profiled(held: Content, form: Format, profile: Profile, contracts: Mapping[str, Contract]) -> Inspection:
    """A known table: what its columns mean is settled, what it does not give is asked for."""
    contract = contracts[profile.dataset] if profile.dataset else _listed(profile, contracts)
    source = overlaid(_source(contract.name, held.name), profile)
    filled = {*source.columns.values(), *source.defaults}
    missing = [
        column.name
        for column in contract.columns
        if column.required and column.default is None and column.fallback is None and column.name not in filled
    ]
    standing_in = source.model_copy(update={"defaults": {**source.defaults, **dict.fromkeys(missing, "?")}})
    table = examined(profile.read(form, Request(held, standing_in, contract)), standing_in)
    findings = [*table.findings, *rejected_findings(table)]
    for name in missing:
        message = f"{profile.title} does not give {name}, which {contract.name} requires; set it under 'defaults:'"
        findings.append(Finding("missing_column", "error", None, name, None, message))
    columns = tuple(
        ColumnProposal(item.name, item.maps_to, "adapter", f"known from {profile.title}", 1.0) for item in table.columns
    )
    proposed: dict[str, Any] = (
        {"dataset": profile.dataset, "files": file_pattern(held.name), "format": profile.name}
        if profile.dataset
        else {}
    )
    return Inspection(
        profile.name, profile.dataset, columns, table.ledger, tuple(findings), proposed, table.facts, table=table
    )


def _listed(profile: Profile, contracts: Mapping[str, Contract]) -> Contract:
    """A contract of text columns for a table that feeds no dataset."""
    columns = tuple(replace(_text_column(contracts), name=name) for name in dict.fromkeys(profile.columns.values()))
    return replace(next(iter(contracts.values())), name=profile.name, key=(), columns=columns)


_UNNAMED = re.compile(r"unnamed \[column (\d+)\]")


@dataclass(frozen=True)
class _Draft:
    """A dataset chosen for a file, with what is proposed for its columns and what the file does not give."""

    contract: Contract
    header: Header
    columns: tuple[ColumnProposal, ...]
    mapping: dict[str, str]
    missing: tuple[str, ...]

    @property
    def unmapped(self) -> tuple[str, ...]:
        return tuple(item.name for item in self.columns if item.name not in self.mapping)


def _tabular(held: Content, form: Format, contracts: Mapping[str, Contract]) -> Inspection:
    looked = samples(held, form.name, contracts)
    fits = [(fit, records) for records in looked.tables if (fit := best_fit(records, held.name, contracts)) is not None]
    if not fits:
        return _without_dataset(held, form, looked, contracts)
    fit, records = max(fits, key=lambda item: item[0].rank)
    draft = _draft(contracts[fit.dataset], fit.header, records[fit.header.index + 1 :])
    table = _read(held, form, draft)
    stray = _stray_columns(table)
    findings = (*table.findings, *rejected_findings(table), *_column_findings(draft), *map(_stray_finding, stray))
    proposed = _proposed_source(held, form, draft)
    proposed["ignore"] += stray
    return Inspection(
        table.format, fit.dataset, draft.columns, table.ledger, findings, proposed, table.facts, table=table
    )


def _stray_columns(table: RawTable) -> list[str]:
    """Columns without a name that hold something and are no table of their own: reading stops at them."""
    sides = [str(item.column).split(" to ") for item in table.findings if item.code == "side_table"]
    spans = [(column_index(ends[0]) + 1, column_index(ends[-1]) + 1) for ends in sides]
    found = []
    for name in dict.fromkeys(item.name for item in table.columns if item.maps_to is None):
        place = _UNNAMED.fullmatch(name)
        if place and not any(first <= int(place[1]) <= last for first, last in spans):
            found.append(name)
    return found


def _stray_finding(name: str) -> Finding:
    message = f"'{name}' has no name and holds something; look at it, then map it or list it under 'ignore:'"
    return Finding("unknown_column", "warning", None, name, None, message)


def _draft(contract: Contract, header: Header, body: Sequence[Record]) -> _Draft:
    columns = tuple(propose(header, body, contract))
    mapping = {item.name: item.maps_to for item in columns if item.maps_to is not None}
    mapping |= {item.name: item.proposed for item in columns if item.how == "content" and item.proposed is not None}
    filled = set(mapping.values())
    missing = tuple(
        column.name
        for column in contract.columns
        if column.required and column.default is None and column.fallback is None and column.name not in filled
    )
    return _Draft(contract, header, columns, mapping, missing)


def _read(held: Content, form: Format, draft: _Draft) -> RawTable:
    """Read the whole file under the proposal, for its ledger; missing columns are stood in for."""
    source = _source(
        draft.contract.name,
        held.name,
        columns=draft.mapping,
        ignore=(*draft.unmapped, "*"),
        defaults=dict.fromkeys(draft.missing, "?"),
    )
    return examined(form.parse(Request(held, source, draft.contract)), source)


def _proposed_source(held: Content, form: Format, draft: _Draft) -> dict[str, Any]:
    """A likeness is left open, so that reading stops there until someone decides; what means nothing is ignored."""
    named = {theirs: ours for theirs, ours in draft.mapping.items() if name_key(theirs) != ours}
    ignored = [item.name for item in draft.columns if item.how == "none" and plain(item.name) != "unnamed"]
    return {
        "dataset": draft.contract.name,
        "files": file_pattern(held.name),
        "format": form.name,
        "columns": named,
        "ignore": ignored,
    }


def _without_dataset(held: Content, form: Format, looked: Samples, contracts: Mapping[str, Contract]) -> Inspection:
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
    message = "no dataset's columns are named in this file; map it by hand in programme.yaml"
    found = Finding("unknown_dataset", "error", tables[0][0].row, None, None, message)
    names = dict.fromkeys(name for header, _ in tables for name in header.names)
    proposals = tuple(ColumnProposal(name, None, "none", message, 0.0) for name in names)
    findings = [found]
    for _, table in tables:
        findings += [*table.findings, *rejected_findings(table)]
    facts = _summed([table for _, table in tables])
    return Inspection(tables[0][1].format, None, proposals, ledger, tuple(findings), {}, facts)


def _counted(
    held: Content, form: Format, records: Sequence[Record], sheet: str | None, contracts: Mapping[str, Contract]
) -> tuple[Header, RawTable]:
    """One table that feeds no dataset, under its most plausible header."""
    header = _plausible_header(records)
    contract = _stand_in(header, contracts)
    columns = dict(zip(header.names, (column.name for column in contract.columns), strict=True))
    fixed = header.row if header.depth == 1 else "auto"
    source = _source("unknown", held.name, header=fixed, columns=columns, sheet=sheet, ignore=("*",))
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


def _plausible_header(records: Sequence[Record]) -> Header:
    """The first row with as many filled cells as most rows have, and no number among them, or what is merged above."""
    counts = [len(record.filled) for record in records if record.filled]
    usual = max(sorted(set(counts), reverse=True), key=counts.count, default=0)
    for index, record in enumerate(records):
        if len(record.filled) >= usual and not any(text[:1].isdigit() for text in record.filled):
            return merged_block(records, index + 1) or header_at(records, index)
    return header_at(records, next((i for i, record in enumerate(records) if record.filled), 0))


def _stand_in(header: Header, contracts: Mapping[str, Contract]) -> Contract:
    """A contract with one text column for each column of a header."""
    text = _text_column(contracts)
    columns = tuple(replace(text, name=f"column_{number}") for number in range(1, header.width + 1))
    return replace(next(iter(contracts.values())), name="unknown", key=(), columns=columns)


def _text_column(contracts: Mapping[str, Contract]) -> Column:
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


def _column_findings(draft: _Draft) -> list[Finding]:
    findings = []
    dataset, row = draft.contract.name, draft.header.row
    for item in draft.columns:
        if item.how in ("content", "fuzzy"):
            message = f"'{item.name}' may be {item.proposed}: {item.reason}; check it and write it under 'columns:'"
            findings.append(Finding("column_proposal", "warning", row, item.name, item.proposed, message))
        elif item.how == "none" and plain(item.name) != "unnamed":
            message = f"'{item.name}' is not used for {dataset} ({item.reason}); map it or list it under 'ignore:'"
            findings.append(Finding("unknown_column", "warning", row, item.name, None, message))
    for name in draft.missing:
        message = f"no column gives {name}, which {dataset} requires; map one, or set it under 'defaults:'"
        findings.append(Finding("missing_column", "error", row, name, None, message))
    return findings
