"""What site and vendor say themselves, for the sheets: kept apart from our finding."""

from collections.abc import Mapping

from reports.build.cells import state, system, table, words
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph
from reports.palette import mark
from reports.text import shorten
from reports.wording import day, plural

_STATEMENTS = 5
_CLAUSE = 90


def comment_blocks(week: Week, systems: list[Record], parts: Mapping[str, list[Record]]) -> list[Block]:
    """What site and vendor say themselves, word for word; none of it enters a figure or a status."""
    said = [*_claims(systems), *_contradicted(parts["watermelons"]), *_dates_told(parts["commitments"])]
    said += _dissent(week, {row.text("system_id") for row in systems})
    if not said:
        return [Paragraph("No comment received from site or vendor.")]
    heads = ("Who", "System", "What they say", "Our finding")
    note = "Their words, not ours: nothing here enters a figure or a status."
    return [table("said", f"{plural(len(said), 'statement')}", heads, said, cap=_STATEMENTS, note=note)]


def _claims(systems: list[Record]) -> list[tuple[Cell, ...]]:
    return [
        (
            words(row.text("owner") or "systems file"),
            system(row.text("system_id")),
            words(f"status {mark(row.text('claimed_status')).word}", note=row.text("claimed_stage")),
            state(row.text("status") or "grey"),
        )
        for row in systems
        if row.text("claimed_status")
    ]


def _contradicted(rows: list[Record]) -> list[tuple[Cell, ...]]:
    return [
        (
            words(r.text("source") or r.text("file")),
            system(r.text("system_id")),
            words(shorten(f"{r.text('subject')}: {r.text('claimed')}", _CLAUSE)),
            words(shorten(r.text("computed"), _CLAUSE), note=shorten(r.text("reason"), _CLAUSE)),
        )
        for r in sorted(rows, key=lambda r: (r.count("rank"), r.text("finding_id")))
        if r.text("kind") != "claimed_status"
    ]


def _dates_told(rows: list[Record]) -> list[tuple[Cell, ...]]:
    return [
        (
            words(f"contract register, {r.line()}"),
            system(r.text("system_id")),
            words(f"contract date {day(r.day('claimed_contract_date'))}"),
            words(f"held at {day(r.day('contract_date'))}: no decision moves it"),
        )
        for r in rows
        if r.flag("dates_held") and r.day("claimed_contract_date")
    ]


def _dissent(week: Week, systems: set[str]) -> list[tuple[Cell, ...]]:
    return [
        (
            words(row.text("approver") or row.text("document")),
            system(row.text("system_id")),
            words(shorten(row.text("dissent"), _CLAUSE), note=f"dissent at gate {row.text('gate')}"),
            words(row.text("outcome").replace("_", " ")),
        )
        for row in week.dissents
        if row.text("system_id") in systems
    ]
