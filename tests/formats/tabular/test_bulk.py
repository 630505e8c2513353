"""The bulk path and the careful path give the same rows, ledger and refusals, whatever stands in the file."""

from __future__ import annotations

import pytest

from turnup.formats.tabular import delimited

PLAIN = [f"P{index:05d},{index % 7},X,text {index}" for index in range(2_000)]
HEAD = "part,qty,site,note\n"


def both(read, monkeypatch, text, **settings):
    """The same file by either path."""
    monkeypatch.setattr(delimited, "BULK_FROM", 10)
    bulk = read(text, **settings)
    monkeypatch.setattr(delimited, "BULK_FROM", 10**9)
    return bulk, read(text, **settings)


def text_with(changes: dict[int, str]) -> str:
    lines = list(PLAIN)
    for index, line in changes.items():
        lines[index] = line
    return HEAD + "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {999: "P,1,X"},
        {999: "P,1,X,note,surplus"},
        {999: "P,1,X,note,"},
        {5: "", 6: ",,,", 7: " , ,,"},
        {5: "# a comment", 6: "# full,width,comment,x", 7: "#7,1,X,data"},
        {1999: "Total,5997,,"},
        {1998: "", 1999: "Note: all parts are new,,,"},
        {700: "part,qty,site,note"},
        {3: '"quoted, cell",1,"say ""hi""",x'},
        {3: '"two\nlines",1,X,x'},
        {3: '"two\nlines, and",1,X,x', 9: 'P9,1,"first,\nsecond,\nthird",x'},
        {3: 'P3,1,X,"never closed'},
        {3: 'P3,1,X,"open', 9: 'P9,1,X,"closed"'},
        {3: 'P3,1,X,"open', 9: 'P9,1,X,closed"'},
        {3: "P3,1,X,5\" drive", 4: 'P4,1,"X",6"'},
        {3: "P3\0,1,X,x"},
        {1999: "P,1"},
        {3: "P3,1,X,a\u2028b", 4: "P4,1,X,\u2028", 5: "# a\u2028b"},
        {0: ",1,X,first cell is empty", 1: "\u00a0,1,X,blank first cell"},
    ],
)  # fmt: skip
def test_both_paths_agree(read, monkeypatch, changes):
    bulk, careful = both(read, monkeypatch, text_with(changes))
    assert bulk.frame.equals(careful.frame)
    assert bulk.ledger == careful.ledger
    assert bulk.rejected == careful.rejected
    assert bulk.findings == careful.findings
    assert bulk.ledger.balanced


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_every_way_of_writing_a_large_file(read, monkeypatch, end, encoding, delimiter):
    text = text_with({}).replace(",", delimiter).replace("\n", end).replace("text", "größe")
    bulk, careful = both(read, monkeypatch, text.encode(encoding))
    assert bulk.frame.equals(careful.frame)
    assert bulk.frame.height == len(PLAIN)
    assert bulk.frame["_row"].to_list() == list(range(2, len(PLAIN) + 2))


@pytest.mark.parametrize("at", [1_000, 20_481])
def test_a_change_of_width_deep_in_a_file_names_the_row(read, at):
    lines = [f"P{index},{index}" for index in range(30_000)]
    lines[at - 2] += ",surplus"
    table = read("part,qty\n" + "\n".join(lines) + "\n")
    assert table.ledger.data == 29_999
    assert [refused.row for refused in table.rejected] == [at]


def test_identifiers_after_a_long_run_of_numbers_stay_text(read):
    lines = [f"{index},1" for index in range(25_000)] + ["00123,2", "12E3,3"]
    table = read("part,qty\n" + "\n".join(lines) + "\n")
    assert table.frame["part"].to_list()[-2:] == ["00123", "12E3"]


def test_a_file_that_changes_its_delimiter_loses_nothing_in_silence(read):
    lines = [f"P{index},{index}" for index in range(25_000)] + [f"Q{index};{index};x" for index in range(1_000)]
    table = read("part,qty\n" + "\n".join(lines) + "\n")
    assert (table.ledger.data, table.ledger.rejected) == (25_000, 1_000)
