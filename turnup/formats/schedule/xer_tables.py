"""An XER file cut into its tables: lines of %T (table), %F (column names), %R (row) and %E (end), cells between tabs.

Belongs here: lines to columns of text. Does not: what any table or column means.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from turnup.formats.model import Finding
from turnup.formats.schedule.p6_tables import COLUMNS, ROW
from turnup.formats.schedule.xer_lines import END, FIELDS, RECORD, TABLE, Lines, read_lines


def read_tables(data: bytes, encoding: str | None) -> tuple[dict[str, pl.DataFrame], list[Finding]]:
    """The known tables of an XER file, all cells text and empty cells null, with their line in column ``ROW``.

    Raises:
        FileRejected: not an XER file, or not in the declared encoding.
    """
    lines, findings = read_lines(data, encoding)
    parts: dict[str, list[pl.DataFrame]] = {}
    marks = np.flatnonzero(lines.kinds != RECORD).tolist()
    name: str | None = None
    for mark, until in zip(marks, [*marks[1:], lines.kinds.size], strict=True):
        kind = lines.kinds[mark]
        if kind == END:
            findings += _after(lines, mark)
            break
        if kind == TABLE:
            name = next(iter(lines.cells(mark)), "").strip().upper()
        if kind != FIELDS and until > mark + 1:
            message = f"{until - mark - 1} rows stand under no column names (table {name}): not read"
            findings.append(Finding("rows_without_columns", "error", int(lines.numbers[mark + 1]), name, None, message))
        if kind == FIELDS and name in COLUMNS:
            parts.setdefault(name, []).append(_table(lines, mark, until, name))
            findings += _surplus(lines, mark, until, name)
    return {name: pl.concat(frames, how="diagonal") for name, frames in parts.items()}, findings


def _after(lines: Lines, mark: int) -> list[Finding]:
    if mark + 1 == lines.kinds.size:
        return []
    row, count = int(lines.numbers[mark + 1]), lines.kinds.size - mark - 1
    message = f"{count} lines stand after the end mark (first in line {row}): not read; send each export by itself"
    return [Finding("after_end", "error", row, None, str(count), message)]


def _table(lines: Lines, mark: int, until: int, name: str) -> pl.DataFrame:
    names = [cell.strip().lower() for cell in lines.cells(mark)]
    wanted = {column: str(names.index(column) + 1) for column in COLUMNS[name] if column in names}
    if until == mark + 1 or not wanted:
        return pl.DataFrame(schema=dict.fromkeys(wanted, pl.String()) | {ROW: pl.Int64()})
    header = "\t".join(map(str, range(len(names) + 1))).encode() + b"\n"
    frame = pl.read_csv(
        header + lines.slice(mark + 1, until), separator="\t", quote_char=None, infer_schema=False,
        truncate_ragged_lines=True, columns=sorted(set(wanted.values()), key=int),
    )  # fmt: skip
    numbers = pl.Series(ROW, lines.numbers[mark + 1 : until], pl.Int64)
    return frame.select(pl.col(place).alias(column) for column, place in wanted.items()).with_columns(numbers)


def _surplus(lines: Lines, mark: int, until: int, name: str) -> list[Finding]:
    """Rows with more filled cells than there are columns."""
    width = len(lines.cells(mark))
    if until == mark + 1:
        return []
    array = np.frombuffer(lines.slice(mark + 1, until), np.uint8)
    starts = lines.starts[mark + 1 : until] - lines.starts[mark + 1]
    tabs = np.add.reduceat(array == ord("\t"), starts, dtype=np.int32)
    longer = (np.flatnonzero(tabs > width) + mark + 1).tolist()
    filled = [line for line in longer if any(cell.strip("\x7f ") for cell in lines.cells(line)[width:])]
    if not filled:
        return []
    row = int(lines.numbers[filled[0]])
    message = f"{len(filled)} rows of table {name} have more cells than columns (first in line {row}): rest not read"
    return [Finding("surplus_cells", "warning", row, name, str(len(filled)), message)]
