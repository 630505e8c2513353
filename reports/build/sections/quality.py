"""Section 11: findings, quarantined rows with the sentence for the vendor, figures excluded because of them."""

from collections import Counter

from reports.build.caps import most
from reports.build.cells import figure, state, system, table, words
from reports.build.how_much import class_rows
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph, Row, Section
from reports.text import anchor
from reports.wording import kind_name, plural, quantity, unit_name

_SEVERITIES = ("error", "warning", "info")
_QUARANTINE_CAP = 60
_FINDINGS_CAP = 60
_PER_CODE = 12


def quality_section(week: Week) -> Section:
    """Build section 11."""
    findings = ordered_findings(week)
    held = [r for r in week.rows("meta.quarantine") if r.flag("in_force") or not r.has("in_force")]
    blocks = [*_by_code(findings), *_findings(findings), *_quarantine(held), *_file_findings(week), *_excluded(week)]
    entries = plural(len(held), "quarantined row entry", "quarantined row entries")
    message = f"{plural(len(findings), 'finding')}; {entries} in force"
    return Section("11", "S11", "Data quality", message, tuple(blocks))


def ordered_findings(week: Week) -> list[Record]:
    """Return findings, gravest first."""

    def rank(row: Record) -> tuple[int, str, str, str]:
        severity = row.text("severity")
        order = _SEVERITIES.index(severity) if severity in _SEVERITIES else 0
        return order, row.text("code"), row.text("system_id"), row.text("finding_id")

    return sorted(week.rows("mart.findings"), key=rank)


def _by_code(findings: list[Record]) -> list[Block]:
    if not findings:
        return [Paragraph("No contradiction, placeholder or unknown key was found.")]
    counts = Counter((r.text("severity"), r.text("code")) for r in findings)
    first: dict[str, Record] = {}
    for row in findings:
        first.setdefault(row.text("code"), row)
    rows = (
        (
            words(code.replace("_", " ")),
            state(severity),
            figure(count, link=anchor("EVF", code)),
            words(first[code].text("message")),
        )
        for (severity, code), count in sorted(
            counts.items(),
            key=lambda item: (_SEVERITIES.index(item[0][0]) if item[0][0] in _SEVERITIES else 0, -item[1], item[0][1]),
        )
    )
    return [table("S11-codes", "Findings by kind", ("Finding", "Severity", ">Count", "For example"), rows)]


def _findings(findings: list[Record]) -> list[Block]:
    """At most a dozen rows of one code, so that one noisy file does not push the others off the page."""
    if not findings:
        return []
    seen: Counter[str] = Counter()
    shown = []
    for row in findings:
        seen[row.text("code")] += 1
        if seen[row.text("code")] <= most(_PER_CODE):
            shown.append(row)
    heads = ("Finding", "Severity", "System", "Subject", "What was found", "File, sheet, row", "Since")
    left = len(findings) - len(shown)
    note = f"{plural(left, 'more finding')} of the same kinds: see the evidence pages." if left else ""
    return [
        table(
            "S11-findings",
            f"{plural(len(findings), 'finding')}",
            heads,
            map(finding_row, shown),
            cap=_FINDINGS_CAP,
            of=len(shown),
            note=note,
        )
    ]


def finding_row(row: Record) -> Row:
    """Return one finding with the place it was found."""
    cells = (
        words(row.text("code").replace("_", " "), link=anchor("EVF", row.text("code"))),
        state(row.text("severity")),
        system(row.text("system_id")),
        words(row.text("subject")),
        words(row.text("message")),
        words(place(row)),
        words(row.text("first_seen_week")),
    )
    return Row(cells, anchor("FND", row.text("finding_id")))


def place(row: Record) -> str:
    """Return `file, sheet, row n`, as far as known."""
    sheet, line = row.text("sheet") or row.text("_sheet"), row.text("row") or row.text("_row")
    parts = [row.text("file"), f"sheet {sheet}" if sheet else "", f"row {line}" if line else ""]
    return ", ".join(part for part in parts if part)


def _quarantine(rows: list[Record]) -> list[Block]:
    if not rows:
        return [Paragraph("No row is quarantined.")]
    counts = Counter((r.text("dataset"), r.text("rule"), r.text("column_name"), r.text("owner")) for r in rows)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    summary = (
        (words(dataset), words(rule), words(column), words(owner or "no owner"), figure(count))
        for (dataset, rule, column, owner), count in ranked
    )
    rows = sorted(
        rows, key=lambda r: (r.text("dataset"), r.text("file"), r.count("row"), r.text("column_name"), r.text("rule"))
    )
    heads = ("File", "Sheet", ">Row", "Column", "Value", "Rule", "Expected", "What it means", "Owner")
    return [
        table(
            "S11-rules",
            "Quarantined rows by rule",
            ("Dataset", "Rule", "Column", "Owner", ">Entries"),
            summary,
            cap=40,
            of=len(ranked),
        ),
        table(
            "S11-quarantine",
            "Quarantined rows",
            heads,
            (_quarantine_row(r) for r in rows),
            cap=_QUARANTINE_CAP,
            of=len(rows),
        ),
    ]


def _quarantine_row(row: Record) -> tuple[Cell, ...]:
    return (
        words(row.text("file"), note=row.text("dataset")),
        words(row.text("sheet")),
        figure(row.whole("row")),
        words(row.text("column_name")),
        words(row.text("value") or "(empty)"),
        words(row.text("rule")),
        words(row.text("expected")),
        words(row.text("message")),
        words(row.text("owner") or "no owner"),
    )


def _file_findings(week: Week) -> list[Block]:
    rows = [r for r in week.rows("meta.file_findings") if r.text("severity") in ("error", "warning")]
    if not rows:
        return []
    rows.sort(key=lambda r: (r.text("severity"), r.text("file"), r.text("code"), r.count("row")))
    heads = ("File", "Finding", "Severity", ">Row", "Column", "What was found")
    cells = (
        (words(r.text("file"), note=r.text("dataset")), words(r.text("code")), state(r.text("severity")),
         figure(r.whole("row")), words(r.text("column_name")), words(r.text("message")))
        for r in rows
    )  # fmt: skip
    return [
        table("S11-files", f"{plural(len(rows), 'finding')} while reading files", heads, cells, cap=40, of=len(rows))
    ]


def _excluded(week: Week) -> list[Block]:
    lines = [
        f"{kind_name(r.text('kind'))}: {quantity(r.amount('excluded_quantity'))} {unit_name(r.text('unit'))} excluded"
        f"{': ' + r.text('excluded_note') if r.text('excluded_note') else ''}"
        for r in class_rows(week.warehouse)
        if r.amount("excluded_quantity") > 0
    ]
    lines += uncounted(week)
    return [Paragraph(line, "warning") for line in lines] or [
        Paragraph("No figure is excluded because of data quality.")
    ]


def uncounted(week: Week) -> list[str]:
    """Say which contract lines count nowhere, since no register knows their system."""
    rows = week.rows("mart.findings", code="unknown_reference", dataset="commitments")
    return [f"Not counted: {row.text('message')}" for row in sorted(rows, key=lambda row: row.text("message"))]
