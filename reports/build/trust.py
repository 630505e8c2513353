"""Page 5 of the executive report: freshness and coverage, our record, restatements, definitions."""

from dataclasses import replace
from decimal import Decimal

from reports.build.calibration import calibration_chart
from reports.build.cells import change, figure, state, table, words
from reports.build.freshness import source_state
from reports.build.week import Week
from reports.models.common import Block, Header, Paragraph
from reports.models.executive import Page, WhenSure
from reports.text import anchor
from reports.wording import day, kind_name, kind_rank, percent, plural, quantity


def trust_page(week: Week, header: Header, answer: WhenSure, definitions: tuple[tuple[str, str], ...]) -> Page:
    """Page 5: freshness and coverage, our record, restatements, definitions."""
    heads = ("Source", "Exported", ">Age", ">Limit", ">Rows read", ">Quarantined", "State")
    rows = (
        (
            words(s.source, note=s.dataset if s.dataset != s.source else ""),
            words(day(s.exported_at), note=s.exported_basis),
            figure(s.age_days, suffix=" d"),
            figure(s.max_age_days, suffix=" d"),
            figure(s.rows_read),
            figure(s.quarantined),
            state(source_state(s)),
        )
        for s in sorted(header.sources, key=lambda s: (s.state == "fresh", not s.required, s.source))
    )
    blocks: list[Block] = [
        table("P5-sources", header.freshness, heads, rows, cap=24),
        _coverage(week),
        Paragraph(f"Our record: {answer.record}"),
        *_calibration(week),
        _restatements(week, header),
        table(
            "P5-definitions",
            "What the figures mean",
            ("Figure", "Definition"),
            ((words(n), words(m)) for n, m in definitions),
        ),
    ]
    held = f"{quantity(header.quarantined)} of {quantity(header.rows_read)} rows quarantined"
    message = f"{header.issue_state}: {header.freshness}, {held}"
    return Page("P5", "Trust", message, tuple(blocks))


def _calibration(week: Week) -> list[Block]:
    chart = calibration_chart(week.warehouse)
    if chart is None:
        return []
    return [replace(chart, id=anchor("P5", "calibration"))]


def _coverage(week: Week) -> Block:
    """Coverage by gate: a system counts when no criterion of its current gate lacks fresh evidence."""
    systems = week.rows("mart.systems")
    silent = {
        (r.text("system_id"), r.text("gate"))
        for r in week.warehouse.groups("mart.criteria", ("system_id", "gate"), state=("no data", "stale"))
    }
    doubted = tuple(sorted({identity for identity, _ in silent}))
    at = tuple(sorted({r.text("current_gate") for r in systems}))
    titles = week.warehouse.groups("mart.gates", ("system_id", "title", "gate"), system_id=doubted, title=at)
    gate_of = {(r.text("system_id"), r.text("title")): r.text("gate") for r in titles}
    covered = 0
    for row in systems:
        identity, gate = row.text("system_id"), row.text("current_gate")
        covered += bool(row.text("playbook") and gate) and (identity, gate_of.get((identity, gate), gate)) not in silent
    share = percent(Decimal(covered), Decimal(len(systems)))
    of_all = f"{covered} of {plural(len(systems), 'system')} have complete fresh evidence"
    return Paragraph(f"Coverage: {of_all} for their current gate ({share}).")


def _restatements(week: Week, header: Header) -> Block:
    """Each restated week with its number, its difference per kind and what it was made again from."""
    number = f"This is issue {header.restatement} of the week. " if header.restatement > 1 else ""
    rows = week.rows("mart.restatements")
    if not rows:
        return Paragraph(f"{number}Restated figures of earlier weeks: none.")
    heads = ("Restatement", "Kind (unit)", ">As issued", ">Now", ">Difference", "Made again from")
    cells = (
        (
            words(r.text("name"), note=f"first {r.text('first_name')}"),
            words(f"{kind_name(r.text('kind'))} ({r.text('unit')})"),
            figure(r.number("issued")),
            figure(r.number("now")),
            change(r.number("difference")),
            words(r.text("made_from"), note=r.text("reason")),
        )
        for r in sorted(rows, key=lambda r: (r.text("week"), kind_rank(r.text("kind"))))
    )
    return table("P5-restated", f"{number}{plural(len(rows), 'restated figure')}", heads, cells, cap=14)
