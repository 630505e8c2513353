"""Section 0: issue gate, age of every source, row ledger per file, failed expectations."""

from dataclasses import replace

from reports.build.cells import figure, state, table, words
from reports.build.freshness import source_state
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Cell, Header, Paragraph, Section, SourceAge, Table
from reports.wording import day, plural, quantity


def issue_section(week: Week, header: Header) -> Section:
    """Build section 0."""
    blocks: list[Table | Paragraph] = [
        Paragraph(f"{header.issue_state}: {reason}", "warning") for reason in header.issue_reasons
    ]
    if not header.issue_reasons:
        blocks.append(
            Paragraph("FINAL: every required source is fresh, no error-level expectation failed, figures reconcile.")
        )
    blocks += [
        *_released(header),
        _checks(header),
        _sources(header.sources),
        _ledger_by_dataset(week),
        _ledger(week),
        _expectations(week),
    ]
    balanced = header.rows_read == header.accepted + header.quarantined
    message = (
        f"{header.issue_state}: {header.freshness}; {quantity(header.rows_read)} rows read = "
        f"{quantity(header.accepted)} accepted + {quantity(header.quarantined)} quarantined"
        f"{'' if balanced else ' (does not add up)'}"
    )
    return Section("0", "S0", "Header and issue gate", message, tuple(blocks))


def _released(header: Header) -> list[Paragraph]:
    made = header.released
    if made is None:
        return []
    return [
        Paragraph(
            f"Released to leadership as {header.issue_state} by {made.by} at {made.at}: {made.reason}. "
            f"Release {made.number}; it holds for inputs {made.fingerprint} only."
        )
    ]


def _checks(header: Header) -> Table:
    rows = (
        (words(check.name, link=check.link), state("pass" if check.passed else "fail"), words(check.text))
        for check in header.checks
    )
    met = sum(check.passed for check in header.checks)
    title = f"Issue gate: {met} of {plural(len(header.checks), 'test')} hold"
    return table("S0-gate", title, ("Test", "Result", "What was found"), rows)


def _sources(sources: tuple[SourceAge, ...]) -> Table:
    heads = ("Source", "Dataset", "Owner", "Newest file", "Exported", ">Age#source-age", ">Limit", ">Read", ">Accepted",
             ">Quarantined", "State")  # fmt: skip
    rows = [
        (
            words(s.source, note="required" if s.required else "optional"),
            words(s.dataset),
            words(s.owner),
            words(s.file),
            words(day(s.exported_at), note=s.exported_basis),
            figure(s.age_days, suffix=" d"),
            figure(s.max_age_days, suffix=" d"),
            figure(s.rows_read),
            figure(s.accepted),
            figure(s.quarantined, link="S11-quarantine" if s.quarantined else ""),
            state(source_state(s)),
        )
        for s in sorted(sources, key=lambda s: (s.state == "fresh", not s.required, s.source))
    ]
    return table("S0-sources", "Age of every source", heads, rows)


def _ledger_by_dataset(week: Week) -> Table:
    """Every file received up to the cut-off, summed per dataset; the files themselves follow, folded."""
    sums: dict[str, list[int]] = {}
    for row in week.rows("meta.ledger"):
        read, accepted, held = (row.count(name) for name in ("rows_read", "accepted", "quarantined"))
        line = sums.setdefault(row.text("dataset"), [0] * 6)
        parts = (1, int(row.flag("in_force")), read, accepted, held, int(read != accepted + held))
        sums[row.text("dataset")] = [a + b for a, b in zip(line, parts, strict=True)]
    heads = ("Dataset", ">Files received", ">In force", ">Rows read", ">Accepted", ">Quarantined", "Check")
    rows = (
        (words(name), *(figure(value) for value in line[:5]), state("unbalanced" if line[5] else "balanced"))
        for name, line in sorted(sums.items())
    )
    note = "Rows read = rows accepted + rows quarantined, for every file received up to the cut-off."
    return table("S0-rows", "Row ledger per dataset", heads, rows, note=note)


def _ledger(week: Week) -> Table:
    heads = ("File", "Dataset", "Received", ">Lines", ">Data", ">Other lines", ">Rejected", ">Read", ">Accepted",
             ">Quarantined", "Check", "In force")  # fmt: skip
    rows = sorted(week.rows("meta.ledger"), key=lambda r: (not r.flag("in_force"), r.text("dataset"), r.text("file")))
    every = table("S0-ledger", "Row ledger per file", heads, (_ledger_row(r) for r in rows))
    return replace(every, folded=True)


def _ledger_row(row: Record) -> tuple[Cell, ...]:
    other = sum(row.count(name) for name in ("header", "title", "footer", "comment", "blank", "total", "other"))
    balanced = row.count("rows_read") == row.count("accepted") + row.count("quarantined")
    return (
        words(row.text("file"), note=row.text("sha256")[:12]),
        words(row.text("dataset")),
        words(day(row.day("received_at"))),
        figure(row.whole("lines")),
        figure(row.whole("data")),
        figure(other),
        figure(row.whole("rejected")),
        figure(row.whole("rows_read")),
        figure(row.whole("accepted")),
        figure(row.whole("quarantined")),
        state("balanced" if balanced else "unbalanced"),
        words("yes" if row.flag("in_force") else "superseded"),
    )


def _expectations(week: Week) -> Table | Paragraph:
    rows = week.rows("meta.expectations")
    if not rows:
        return Paragraph("no data: no expectation has been evaluated for this week", "absent")
    bad = [r for r in rows if not (r.flag("computed") and r.flag("success"))]
    if not bad:
        return Paragraph(f"All {plural(len(rows), 'expectation')} hold.")
    heads = ("Dataset", "Expectation", "Column", "Severity", ">Rows", "Observed", "What it means")
    title = f"{plural(len(bad), 'expectation')} of {len(rows)} not met"
    return table("S0-expectations", title, heads, (_expectation_row(r) for r in bad), cap=40, of=len(bad))


def _expectation_row(row: Record) -> tuple[Cell, ...]:
    observed = row.text("observed") if row.flag("computed") else "could not be computed"
    return (
        words(row.text("dataset")),
        words(row.text("expectation").replace("_", " ")),
        words(row.text("column_name")),
        state(row.text("severity")),
        figure(row.whole("unexpected_count")),
        words(observed),
        words(row.text("message")),
    )
