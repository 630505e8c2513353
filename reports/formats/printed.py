"""The words that every format prints alike: cells, the header of each page, tables behind charts, what was left out.

Belongs here: text made from the model. Does not: markup of any format.
"""

from dataclasses import replace
from decimal import Decimal

from reports.charts.behind import behind
from reports.models.charts import Chart, HeatCell, HeatMap
from reports.models.common import Cell, Column, Header, Row, Table
from reports.palette import mark
from reports.text import shorten
from reports.wording import quantity

_SHORT_HASH = 12
_FEW = 3


def shown(cell: Cell) -> str:
    """Return a cell's text with its status's glyph in front; the status's word where the cell has no text."""
    if not cell.status:
        return cell.text
    state = mark(cell.status)
    return f"{state.glyph} {cell.text or state.word}"


def data_date(header: Header) -> str:
    """Return `data date Fri 2026-10-30 18:00 CDT`, or that the week is still open."""
    return f"{'open week, data to' if header.week_state == 'open' else 'data date'} {header.cut_off_local}"


def freshness(header: Header) -> str:
    """Return how many sources are fresh, which are not, and how many rows are quarantined."""
    stale = f" ({few(header.stale)})" if header.stale else ""
    rows = f"{quantity(Decimal(header.quarantined))} of {quantity(Decimal(header.rows_read))} rows quarantined"
    return f"{header.freshness}{stale} · {rows}"


def few(items: tuple[str, ...]) -> str:
    """Return the first items and how many more there are."""
    more = f"; {len(items) - _FEW} more" if len(items) > _FEW else ""
    return "; ".join(items[:_FEW]) + more


def fingerprints(header: Header) -> str:
    """Return code version and fingerprint of the inputs, shortened as everywhere."""
    return f"code {header.code_version[:_SHORT_HASH]} · inputs {header.fingerprint[:_SHORT_HASH]}"


def reasons(header: Header) -> str:
    """Return why a report is not final, empty when it is."""
    told = few(header.issue_reasons)
    made = header.released
    by = f"released by {shorten(made.by, 60)} on {made.at[:10]}: {shorten(made.reason, 120)}" if made else ""
    return "; ".join(part for part in (f"{header.issue_state}: {told}" if told else "", by) if part)


def issued(header: Header) -> str:
    """Return what stands under the title: data date, number of the issue, the issue before it, freshness."""
    last = header.last_issue or header.previous_week
    before = f" · previous issue {last}" if last else ""
    return f"{data_date(header)} · issue {header.restatement}{before} · {shorten(freshness(header), 220)}"


def imprint(header: Header) -> str:
    """Return the line that stands on every page, slide and sheet."""
    freshly = shorten(freshness(header), 220)
    stamp = f"{shorten(header.stamp, 80)} · " if header.released else ""
    return f"{header.week} · {stamp}{data_date(header)} · {freshly} · {fingerprints(header)}"


def as_table(chart: Chart) -> Table:
    """Return a chart's figures as a table; of a heat map, which is one, its cells with their statuses."""
    if isinstance(chart, HeatMap):
        return _heat_table(chart)
    heads, rows = behind(chart)
    numeric = [_all_numbers([row[place] for row in rows]) for place in range(len(heads))]
    made = tuple(Row(tuple(_figure(text) for text in row)) for row in rows)
    columns = tuple(Column(head, number) for head, number in zip(heads, numeric, strict=True))
    return Table(chart.id, chart.title, columns, made, len(made), chart.description)


def _all_numbers(texts: list[str]) -> bool:
    return bool(texts) and all(_number(text) is not None or text == "–" for text in texts)  # noqa: RUF001


def _number(text: str) -> Decimal | None:
    bare = text.replace("\u2212", "-").replace(",", "")
    digits = bare.lstrip("+-").replace(".", "", 1)
    return Decimal(bare) if digits.isascii() and digits.isdigit() else None


def _figure(text: str) -> Cell:
    return Cell(text, _number(text))


def _heat_table(chart: HeatMap) -> Table:
    heads = (Column("Site"), *(Column(gate) for gate in chart.gates))
    rows = tuple(
        Row((Cell(row.site_id, row.site_id, note=row.site_name), *(_heat_cell(cell) for cell in row.cells)))
        for row in chart.rows
    )
    return Table(chart.id, chart.title, heads, rows, len(rows), chart.description)


def _heat_cell(cell: HeatCell) -> Cell:
    text = f"{cell.passed}/{cell.total}" if cell.total else "–"  # noqa: RUF001
    if cell.total and cell.passed == cell.total:
        return Cell(text, text, "passed")
    return Cell(text, text, cell.worst if cell.total else "", note=mark(cell.worst).word if cell.worst else "")


def first_rows(table: Table, limit: int, rest: str) -> Table:
    """Return a table of at most `limit` rows whose note counts what is left out and says where the `rest` stands."""
    left = len(table.rows) - limit
    if left <= 0:
        return table
    said = f"{quantity(Decimal(left))} more rows: {rest}."
    return replace(table, rows=table.rows[:limit], note=f"{table.note} {said}".strip())
