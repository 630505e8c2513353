"""For any table we write in any supported way: what is read equals what was written, and the ledger adds up.

For any damage: the rows are read right, or named as refused, or the file is refused; never fewer rows in silence.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.formats.small import PARTS
from turnup.formats import FileRejected, parse
from turnup.formats.tabular.rows import TOTAL_PATTERN
from turnup.programme import Source

COLUMNS = ("part", "qty", "site", "note")
RELAXED = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
LETTERS = st.characters(codec="cp1252", categories=("L", "N", "P", "S", "Zs"), exclude_characters="\u00ad?\u00a0")
ODD = st.sampled_from(["a\u2028b", "a\x0bb", "a\x1cb", "a\x85b", 'say "x", y', "two\nlines", "*", "^a$", "=1+1", "'"])
CELL = st.text(LETTERS, max_size=12).map(str.strip) | ODD
PART = st.from_regex(r"[A-Z0-9]{1,4}-[0-9E]{1,4}", fullmatch=True)
ROW = st.tuples(PART, st.integers(0, 99).map(str), CELL, CELL)


@dataclass(frozen=True)
class Written:
    """A file, and how it has to be read."""

    content: bytes
    rows: list[tuple[str, ...]]
    titles: int
    blanks: int
    comments: int
    totals: int
    encoding: str | None


@st.composite
def files(draw):
    rows = draw(st.lists(ROW, min_size=1, max_size=12))
    delimiter = draw(st.sampled_from([",", ";", "\t", "|"]))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    titles = draw(st.integers(0, 2))
    blanks = draw(st.integers(0, 2))
    comment, total = draw(st.booleans()), draw(st.booleans())
    encoding = draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"]))
    quoting = draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    buffer = io.StringIO(newline="")
    if encoding == "cp1252":
        rows = [tuple(cell.replace("\u2028", "").replace("\x85", "") for cell in row) for row in rows]
    writer = csv.writer(buffer, delimiter=delimiter, lineterminator=end, quoting=quoting)
    buffer.write("".join(f"Weekly list {number}{end}" for number in range(titles)))
    buffer.write(end * blanks)
    names = [draw(st.sampled_from([name, name.upper(), f" {name} "])) for name in COLUMNS]
    writer.writerow(names)
    for row in rows:
        writer.writerow(row)
    if comment:
        buffer.write(f"# checked by Ann{end}")
    if total:
        writer.writerow(["TOTAL", sum(int(row[1]) for row in rows), "", ""])
    text = buffer.getvalue()
    if draw(st.booleans()):
        text = text.removesuffix(end)
    declared = "cp1252" if encoding == "cp1252" else "utf-16-le" if encoding == "utf-16-le" else None
    return Written(text.encode(encoding), rows, titles, blanks, int(comment), int(total), declared)


def read(folder, content, **how):
    path = folder / "content"
    path.write_bytes(content)
    source = Source.model_construct(dataset="parts", files="*", **how)
    return parse(path, "list.csv", source, PARTS)


@RELAXED
@given(written=files())
def test_what_is_read_is_what_was_written(tmp_path, written):
    table = read(tmp_path, written.content, encoding=written.encoding)
    expected = [tuple(cell or None for cell in row) for row in written.rows]
    assert table.frame.select(COLUMNS).rows() == expected
    assert table.rejected == ()
    ledger = table.ledger
    assert ledger.balanced
    counts = (ledger.title, ledger.blank, ledger.header, ledger.data, ledger.comment, ledger.total)
    expected_counts = (written.titles, written.blanks, 1, len(expected), written.comments, written.totals)
    assert counts == expected_counts


def plain(rows):
    return "part,qty,site,note\n" + "".join(",".join(row) + "\n" for row in rows)


SAFE_ROW = st.tuples(PART, st.integers(0, 99).map(str), st.sampled_from("XYZ"), st.sampled_from(["", "new", "spare"]))


@RELAXED
@given(rows=st.lists(SAFE_ROW, min_size=3, max_size=20, unique=True), data=st.data())
def test_a_cut_file_gives_its_whole_rows_and_names_the_broken_one(tmp_path, rows, data):
    text = plain(rows)
    cut = data.draw(st.integers(len("part,qty,site,note\n"), len(text)))
    table = read(tmp_path, text[:cut].encode())
    lines = text[:cut].split("\n")[1:]
    whole = [tuple(cell or None for cell in line.split(",")) for line in lines if line.count(",") == 3]
    assert table.frame.select(COLUMNS).rows() == whole
    broken = [line for line in lines if line and line.count(",") != 3]
    assert len(table.rejected) == len(broken)
    assert all(refused.row == len(lines) + 1 for refused in table.rejected)
    assert table.ledger.balanced


@RELAXED
@given(rows=st.lists(SAFE_ROW, min_size=3, max_size=20), data=st.data())
def test_damaged_rows_are_read_or_named_never_lost(tmp_path, rows, data):
    lines = plain(rows).splitlines()
    at = data.draw(st.integers(1, len(lines) - 1))
    damage = data.draw(st.sampled_from(["drop", "add", "quote", "nul", "duplicate", "delimiter"]))
    line = lines[at]
    lines[at] = {
        "drop": line.rpartition(",")[0],
        "add": line + ",surplus",
        "quote": line.replace(",", ',"', 1),
        "nul": "\0" + line,
        "duplicate": f"{line}\n{line}",
        "delimiter": line.replace(",", ";"),
    }[damage]
    text = "\n".join(lines) + "\n"
    try:
        table = read(tmp_path, text.encode())
    except FileRejected:
        return
    assert table.ledger.data + table.ledger.rejected == text.count("\n") - 1
    assert table.ledger.balanced
    named = {refused.row for refused in table.rejected}
    assert named | set(table.frame["_row"]) == set(range(2, text.count("\n") + 1))
    kept = {row[-1]: row[:-1] for row in table.frame.select(*COLUMNS, "_row").rows()}
    undamaged = set(kept) - {at + 1, at + 2} if damage == "duplicate" else set(kept) - {at + 1}
    shift = 1 if damage == "duplicate" else 0
    for number in undamaged:
        original = rows[number - 2 - (shift if number > at + 1 else 0)]
        assert kept[number] == tuple(cell or None for cell in original)


def test_the_total_pattern_is_not_a_part():
    import re

    assert not any(re.match(TOTAL_PATTERN, text) for text in ("TOTAL-1", "Totally", "SUM1", "Grand Prix"))
