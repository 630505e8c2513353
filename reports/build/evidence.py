"""Evidence pages: the rows behind blockers and findings, with the file, sheet and row of each."""

from collections import defaultdict
from collections.abc import Sequence

from reports.build.cells import figure, table, words
from reports.build.sections.gates import without_title
from reports.build.sections.quality import ordered_findings, place
from reports.build.selection import Wanted
from reports.build.warehouse import Record
from reports.build.week import NOT_MET, Week, criterion_key
from reports.models.common import Block, Cell, Paragraph
from reports.models.governance import Evidence
from reports.text import anchor
from reports.wording import plural

EVIDENCE_CAP = 12
_FINDING_CAP = 40
_BLOCKERS_WITH_EVIDENCE = 60
_TOLD_BY = ("system_id", "block", "gate", "criterion", "metric", "comparison")


def evidence_pages(week: Week) -> tuple[Evidence, ...]:
    """Return the rows behind each blocker (by rank, capped) and each kind of finding."""
    ranked = week.blockers[:_BLOCKERS_WITH_EVIDENCE]
    behind = Behind(week, EVIDENCE_CAP, ranked)
    return (*(_blocker_evidence(week, row, behind) for row in ranked), *_finding_evidence(week))


class Behind:
    """Rows behind some blockers, or behind any: one query a metric, for all of their systems."""

    def __init__(self, week: Week, limit: int, blockers: Sequence[Record] | None = None) -> None:
        self._warehouse, self._limit = week.warehouse, limit
        self._keys: tuple[str, ...] | None = None
        only: dict[str, Wanted] = {"state": NOT_MET}
        if blockers is not None:
            self._keys = tuple(sorted({row.text("system_key") for row in blockers}))
            only["system_id"] = tuple(sorted({row.text("system_id") for row in blockers}))
        rows = week.warehouse.narrow("mart.criteria", _TOLD_BY, **only)
        self._criteria = {criterion_key(row): row for row in rows}

    def rows(self, row: Record) -> tuple[str, int, tuple[Record, ...]]:
        """Return the metric of a blocker, how many rows are behind it, and the worst of them, the worst first."""
        criterion = self._criteria.get(criterion_key(row), row)
        metric = row.text("metric") or criterion.text("metric")
        largest_first = criterion.text("comparison").startswith("<")
        found = self._warehouse.evidence(metric, self._limit, largest_first=largest_first, of=self._keys)
        system, block = row.text("system_key"), row.text("block").casefold()
        total, rows = found.get((system, block)) or found.get((system, "")) or (0, ())
        return metric, total, rows


def _blocker_evidence(week: Week, row: Record, behind: Behind) -> Evidence:
    metric, total, rows = behind.rows(row)
    title = f"{row.text('system_id')}: {row.text('title') or row.text('criterion')}"
    identity = anchor("EV", row.text("blocker_id"))
    content = rows_table(f"{identity}-rows", metric, total, rows, week.file_names)
    return Evidence(identity, title, without_title(row), (content,))


def rows_table(identity: str, metric: str, total: int, rows: tuple[Record, ...], files: dict[str, str]) -> Block:
    """Return rows of evidence as a table, or the sentence that there are none."""
    if not rows:
        return Paragraph("no data: no row of any delivered file bears on this criterion", "absent")
    heads = ("Unit", ">Value", "Dataset", "File, sheet, row", "Note")
    shown = f"; first {len(rows)} of {plural(total, 'row')}, worst first" if total > len(rows) else ""
    return table(
        identity, plural(total, "row"), heads, (_evidence_row(r, files) for r in rows), note=f"Metric {metric}{shown}."
    )


def _evidence_row(row: Record, files: dict[str, str]) -> tuple[Cell, ...]:
    name = files.get(row.text("_ingest"), row.text("file"))
    sheet = f"sheet {row.text('_sheet')}" if row.text("_sheet") else ""
    line = f"row {row.text('_row')}" if row.text("_row") else ""
    where = ", ".join(part for part in (name, sheet, line) if part)
    value = row.number("value")
    return (
        words(row.text("unit_id")),
        figure(round(value, 3)) if value is not None else words(row.text("value")),
        words(row.text("dataset")),
        words(where),
        words(row.text("note")),
    )


def _finding_evidence(week: Week) -> list[Evidence]:
    by_code: dict[str, list[Record]] = defaultdict(list)
    for row in ordered_findings(week):
        by_code[row.text("code")].append(row)
    heads = ("System", "Subject", "What was found", "Dataset", "File, sheet, row")
    pages = []
    for code in sorted(by_code):
        rows = by_code[code]
        identity = anchor("EVF", code)
        block = table(
            f"{identity}-rows",
            plural(len(rows), "row"),
            heads,
            map(_finding_cells, rows),
            cap=_FINDING_CAP,
            of=len(rows),
        )
        pages.append(
            Evidence(identity, f"Finding: {code.replace('_', ' ')}", plural(len(rows), "occurrence"), (block,))
        )
    return pages


def _finding_cells(row: Record) -> tuple[Cell, ...]:
    return (
        words(row.text("system_id")),
        words(row.text("subject")),
        words(row.text("message")),
        words(row.text("dataset")),
        words(place(row)),
    )
