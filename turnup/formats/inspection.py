"""What an unknown file is: its format, the dataset it feeds, a mapping to check, its ledger and a source for it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnup.formats.benchmarks.results import no_results, results_of
from turnup.formats.content import Content
from turnup.formats.file_names import file_pattern
from turnup.formats.inspected import ColumnProposal, Inspection
from turnup.formats.model import Fact, FileRejected, Finding, Format, Ledger, RawTable, Request
from turnup.formats.profiles import Profile, overlaid
from turnup.formats.proposals import Fit, best_fit, fit_of, propose
from turnup.formats.registry import detect, examined, profile_of
from turnup.formats.samples import samples
from turnup.formats.tabs import read_tabs, tabs_of, unlike_any
from turnup.formats.tabular.books import FORMS, sheets_of
from turnup.formats.tabular.header import Header
from turnup.formats.tabular.names import name_key, plain
from turnup.formats.tabular.records import Record
from turnup.formats.tabular.sheet_xml import column_index
from turnup.formats.undecided import plausible_header, rejected_findings, source_for, text_column, without_dataset

if TYPE_CHECKING:
    from expectations.contract import Contract


def inspect(content: Path, name: str, contracts: Mapping[str, Contract], dataset: str = "") -> Inspection:
    """Look at a file of any kind; never raises for what is in it, a refusal is a finding.

    Args:
        content: the file.
        name: its own name.
        contracts: of all datasets.
        dataset: what a table is to be read as; empty for what fits best.
    """
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
        return _profiled(held, form, profile, contracts) if profile else _tabular(held, form, contracts, dataset)
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


def _adapted(held: Content, form: Format, contracts: Mapping[str, Contract]) -> Inspection:
    """A format that knows its datasets: the first that the file feeds, the others named."""
    fed: list[RawTable] = []
    refusals: list[FileRejected] = []
    for dataset in form.feeds:
        try:
            source = source_for(dataset, held.name)
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
    source = overlaid(source_for(contract.name, held.name), profile)
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
    columns = tuple(replace(text_column(contracts), name=name) for name in dict.fromkeys(profile.columns.values()))
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


def _tabular(held: Content, form: Format, contracts: Mapping[str, Contract], dataset: str) -> Inspection:
    looked = samples(held, form.name, contracts)
    tabs = tabs_of(held, form, looked, contracts)
    found = [
        (fit, records, sheet)
        for records, sheet in zip(looked.tables, looked.sheets, strict=True)
        if (fit := _fit_of(records, held.name, contracts, dataset)) is not None
    ]
    if not found:
        counted = without_dataset(held, form, looked, contracts)
        return replace(counted, findings=(*counted.findings, *unlike_any(tabs)))
    fit, records, chosen = max(found, key=lambda item: item[0].rank)
    draft = _draft(contracts[fit.dataset], fit.header, records[fit.header.index + 1 :])
    table, sheet = read_tabs(lambda one: _read(held, form, draft, one), tabs, chosen, fit.dataset)
    stray = _stray_columns(table)
    findings = (*table.findings, *rejected_findings(table), *_column_findings(draft), *map(_stray_finding, stray))
    proposed = _proposed_source(held, form, draft)
    proposed["ignore"] += stray
    proposed |= {"sheet": sheet} if sheet else {}
    return Inspection(
        table.format, fit.dataset, draft.columns, table.ledger, findings, proposed, table.facts, table=table
    )


def _fit_of(records: Sequence[Record], name: str, contracts: Mapping[str, Contract], dataset: str) -> Fit | None:
    """The fit of the dataset that somebody named, however weak, else the best one that is likely."""
    if not dataset:
        return best_fit(records, name, contracts)
    if not any(record.filled for record in records):
        return None
    weak = Fit(dataset, plausible_header(records), 0, 0, 0.0, 0.0, hinted=False)
    return fit_of(records, name, contracts[dataset]) or weak


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


def _read(held: Content, form: Format, draft: _Draft, sheet: str | None) -> RawTable:
    """Read the whole file, or one tab, under the proposal, for its ledger; missing columns are stood in for."""
    source = source_for(
        draft.contract.name,
        held.name,
        sheet=sheet,
        columns=draft.mapping,
        ignore=(*draft.unmapped, "*"),
        defaults=dict.fromkeys(draft.missing, "?"),
    )
    return examined(form.parse(Request(held, source, draft.contract)), source)


def _proposed_source(held: Content, form: Format, draft: _Draft) -> dict[str, Any]:
    """A likeness is left open, so that reading stops there until someone decides; what means nothing is ignored."""
    named = {theirs: ours for theirs, ours in draft.mapping.items() if name_key(theirs) != ours}
    # While something is missing, any of the others may be it.
    ignored = [] if draft.missing else [
        item.name for item in draft.columns if item.how == "none" and plain(item.name) != "unnamed"
    ]  # fmt: skip
    return {
        "dataset": draft.contract.name,
        "files": file_pattern(held.name),
        "format": form.name,
        "columns": named,
        "ignore": ignored,
    }


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
