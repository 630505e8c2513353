"""Part of section 3: claims that the evidence contradicts, claimed and computed side by side."""

# ruff: noqa: RUF001 - typographic signs are what readers should see

from reports.build.cells import figure, system, table, words
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph
from reports.wording import plural, quantity, unit_name

_RANKED = "Ranked by kind, then by capacity × severity (critical 4, high 3, medium 2, low 1)."


def contradicted_claims(week: Week) -> list[Block]:
    """Return the table of watermelons, the worst first; nothing where the warehouse does not judge claims."""
    if not week.warehouse.has("mart.watermelons"):
        return []
    rows = sorted(week.rows("mart.watermelons"), key=lambda r: r.count("rank"))
    if not rows:
        return [Paragraph("No claim is contradicted by the evidence.")]
    heads = (">Rank", "Claim on", "Claimed", "Computed", "Because", "Severity", ">Capacity", ">Weeks", "Owner", "Row")
    title = f"{plural(len(rows), 'claim')} against the evidence"
    return [table("S3-claims", title, heads, (_claim(r) for r in rows), cap=40, of=len(rows), note=_RANKED)]


def _claim(row: Record) -> tuple[Cell, ...]:
    subject, place = row.text("subject"), row.text("file")
    if row.has("row"):
        place += f", row {row.count('row')}"
    return (
        figure(row.whole("rank")),
        system(row.text("system_id"), "" if subject == row.text("system_id") else subject),
        words(row.text("claimed")),
        words(row.text("computed")),
        words(row.text("reason")),
        words(row.text("severity")),
        Cell(f"{quantity(row.number('capacity'))} {unit_name(row.text('unit'))}", row.number("capacity")),
        figure(row.whole("weeks")),
        words(row.text("owner") or "no owner"),
        words(place),
    )
