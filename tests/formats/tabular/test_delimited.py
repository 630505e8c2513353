"""Delimited text: encodings, delimiters, what stands around the table, and rows that are not rows."""

from __future__ import annotations

import pytest

from tests.formats.small import PARTS, contract_of
from turnup.formats import FileRejected

ROWS = [("00123", "4"), ("12E3", "5"), ("1E05", "6")]
PLAIN = "part,qty\n00123,4\n12E3,5\n1E05,6\n"


def rows(table, *columns):
    return table.frame.select(columns or ("part", "qty")).rows()


@pytest.mark.parametrize(
    ("content", "settings"),
    [
        (PLAIN.encode(), {}),
        (b"\xef\xbb\xbf" + PLAIN.encode(), {}),
        (b"\xef\xbb\xbf" + PLAIN.replace("part", '"part"', 1).encode(), {}),
        (b"\xff\xfe" + PLAIN.replace(",", "\t").encode("utf-16-le"), {}),
        (b"\xfe\xff" + PLAIN.encode("utf-16-be"), {}),
        (PLAIN.encode("utf-16-le"), {}),
        (PLAIN.encode("cp1252"), {"encoding": "cp1252"}),
        (PLAIN.replace(",", ";").encode(), {}),
        (PLAIN.replace(",", "|").encode(), {}),
        (PLAIN.replace("\n", "\r\n").encode(), {}),
        (PLAIN.replace("\n", "\r").encode(), {}),
        (PLAIN.rstrip("\n").encode(), {}),
        (PLAIN.replace("part,qty", " PART\u00a0, Qty ").encode(), {}),
    ],
)
def test_same_rows_however_written(read, content, settings):
    table = read(content, **settings)
    assert rows(table) == ROWS
    assert table.frame["_row"].to_list() == [2, 3, 4]
    assert (table.ledger.lines, table.ledger.header, table.ledger.data) == (4, 1, 3)


def test_the_row_as_delivered_is_kept(read):
    table = read("Part,Pieces,colour\n A1 ,4,\n", ignore=("colour",))
    assert table.frame["_given"].to_list() == ['{"Part":" A1 ","Pieces":"4","colour":""}']
    assert rows(table) == [("A1", "4")]
    assert [(c.name, c.maps_to, c.how) for c in table.columns] == [
        ("Part", "part", "name"),
        ("Pieces", "qty", "synonym"),
        ("colour", None, "ignored"),
    ]


def test_quoted_cells_with_delimiters_quotes_and_line_breaks(read):
    table = read('part,qty,note\nA,1,"says ""hi"", and\nmore"\nB,2,x\n')
    assert rows(table, "part", "note", "_row") == [("A", 'says "hi", and\nmore', 2), ("B", "x", 4)]
    assert (table.ledger.lines, table.ledger.other, table.ledger.balanced) == (4, 1, True)
    assert [finding.code for finding in table.findings] == ["multi_line_cell"]


def test_titles_comments_blanks_totals_and_notes_are_counted_and_named(read):
    text = (
        "Parts of site A,,\nexported today,,\n\npart,qty,site\n# first batch,,\nA,1,X\n\nB,2,Y\nTOTAL,3,\n"
        "\nNote: B arrives later,,\n"
    )
    table = read(text)
    assert rows(table, "part", "qty", "_row") == [("A", "1", 6), ("B", "2", 8)]
    ledger = table.ledger
    assert (ledger.title, ledger.header, ledger.comment, ledger.blank, ledger.total, ledger.footer) == (
        2,
        1,
        1,
        3,
        1,
        1,
    )
    assert ledger.balanced
    named = {(finding.code, finding.row) for finding in table.findings}
    assert named == {("title_row", 1), ("title_row", 2), ("comment_row", 5), ("total_row", 9), ("footer_row", 11)}


def test_a_total_that_does_not_add_up_is_named(read):
    table = read("part,qty\nA,1\nB,2\nTotal,4\n")
    found = next(finding for finding in table.findings if finding.code == "total_mismatch")
    assert (found.row, found.column, found.value) == (4, "qty", "4")
    assert "3" in found.message


def test_a_comment_row_of_the_full_width_is_data_when_it_reads_like_an_identifier(read):
    table = read("part,qty\n#7,1\n# gone,2\n")
    assert rows(table) == [("#7", "1")]
    assert table.ledger.comment == 1


@pytest.mark.parametrize("ragged", ["B", "B,2", "B,2,Y", "B,2,Y,n,surplus"])
def test_a_row_of_another_width_is_refused_naming_both_widths(read, ragged):
    table = read(f"part,qty,site,note\nA,1,X,n\n{ragged}\nC,3,Z,n\n")
    assert rows(table) == [("A", "1"), ("C", "3")]
    refused = table.rejected[0]
    assert (refused.row, refused.rule, refused.expected) == (3, "width", "4 fields")
    assert f"has {ragged.count(',') + 1} fields, the header (row 1) has 4" in refused.message
    assert table.ledger.rejected == 1
    assert table.ledger.balanced


def test_empty_fields_beyond_the_header_are_accepted_and_said(read):
    table = read("part,qty,site\nA,1,X,\nB,2,Y,\n")
    assert rows(table, "part", "site") == [("A", "X"), ("B", "Y")]
    assert [finding.code for finding in table.findings] == ["surplus_empty_fields"]


def test_a_file_cut_inside_its_last_row_names_it(read):
    table = read("part,qty,site,note\nA,1,X,n\nB,2")
    assert rows(table) == [("A", "1")]
    assert "cut" in table.rejected[0].message


def test_a_quote_that_never_closes_costs_one_row(read):
    table = read('part,qty,note\nA,1,"open\nB,2,x\nC,3,y\n')
    assert rows(table) == [("B", "2"), ("C", "3")]
    assert [(refused.row, refused.rule) for refused in table.rejected] == [(2, "quote")]


def test_a_quote_that_closes_far_below_does_not_swallow_rows(read):
    table = read('part,qty,note\nA,1,"open\nB,2,x\nC,3,"y"\nD,4,z\n')
    assert rows(table, "part") == [("B",), ("C",), ("D",)]
    assert [refused.row for refused in table.rejected] == [2]


def test_nul_bytes_refuse_their_row(read):
    table = read(b"part,qty\nA,1\nB\0,2\nC,3\n")
    assert rows(table, "part") == [("A",), ("C",)]
    assert [(refused.row, refused.rule) for refused in table.rejected] == [(3, "nul_byte")]


def test_a_repeated_header_is_no_data(read):
    table = read("part,qty\nA,1\npart,qty\nB,2\n")
    assert rows(table) == [("A", "1"), ("B", "2")]
    assert table.ledger.header == 2


def test_western_letters_are_read_only_when_all_encodings_agree(read):
    contract = contract_of(("part", "site"))
    agreed = read("part,site\nA,Côte d'Ivoire\n".encode("cp1252"), contract=contract)
    assert agreed.frame["site"].to_list() == ["Côte d'Ivoire"]
    assert [finding.code for finding in agreed.findings] == ["encoding_guessed"]
    with pytest.raises(FileRejected, match="encoding: cp1252") as refused:
        read("part,site\nA,España\n".encode("cp1252"), contract=contract)
    assert (refused.value.code, refused.value.row) == ("encoding", 2)
    declared = read("part,site\nA,España\n".encode("cp1252"), contract=contract, encoding="cp1252")
    assert declared.frame["site"].to_list() == ["España"]


def test_letters_lost_earlier_are_reported(read):
    table = read("part,qty,site\nA,1,C\ufffdte\n")
    assert [(finding.code, finding.row) for finding in table.findings] == [("lost_letters", 2)]


@pytest.mark.parametrize(("content", "code"), [(b"", "empty_file"), (b"alpha,beta\n1,2\n", "no_header")])
def test_files_without_a_table(read, content, code):
    with pytest.raises(FileRejected) as refused:
        read(content)
    assert refused.value.code == code


def test_a_header_without_rows_is_a_finding(read):
    table = read("part,qty\n")
    assert table.frame.height == 0
    assert [finding.code for finding in table.findings] == ["no_data_rows"]


def test_the_declared_header_row_wins(read):
    table = read("part,qty\nPart,Pieces\nA,1\n", header=2)
    assert rows(table) == [("A", "1")]
    assert table.ledger.title == 1


def test_labels_that_look_like_patterns_are_only_labels(read):
    table = read("part,qty,*,^.*$\nA,1,x,y\n", ignore=("*",))
    assert table.frame["_given"].to_list() == ['{"part":"A","qty":"1","*":"x","^.*$":"y"}']


def test_text_like_null_is_text(read):
    table = read("part,qty,note\nNA,1,None\nnan,2,null\n", contract=PARTS)
    assert rows(table, "part", "note") == [("NA", "None"), ("nan", "null")]


def test_a_cell_that_is_too_long_is_named_as_such_and_costs_one_row(read):
    table = read(f"part,qty\nP1,1\n{'L' * 200_000},2\nP3,3\n".encode())
    assert [row.row for row in table.rejected] == [3]
    assert "131,072 characters" in table.rejected[0].message
    assert table.ledger.data == 2
