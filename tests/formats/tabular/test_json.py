"""JSON and JSON Lines: records are rows, numbers keep their spelling, pages and damage are said."""

from __future__ import annotations

import pytest

from tests.formats.small import PARTS
from turnup.formats import FileRejected


def test_numbers_keep_their_spelling_and_objects_become_dotted_names(read):
    text = '[{"part": 7777777770, "qty": 1.50, "where": {"site": "X"}}, {"part": "A", "qty": null, "note": ["a", "b"]}]'
    table = read(text, name="p.json", columns={"where.site": "site"})
    assert table.frame.select("part", "qty", "site", "note", "_row").rows() == [
        ("7777777770", "1.50", "X", None, 1),
        ("A", None, None, "a;b", 2),
    ]
    assert (table.ledger.lines, table.ledger.data) == (2, 2)


@pytest.mark.parametrize("text", ['{"rows": [{"part":"A","qty":1}], "at": "today"}', '[{"part":"A","qty":1}]'])
def test_the_one_list_of_records_is_found(read, text):
    assert read(text, name="p.json").frame["part"].to_list() == ["A"]


def test_several_lists_need_a_name(read):
    text = '{"old": [{"part":"A","qty":1}], "new": [{"part":"B","qty":2}]}'
    with pytest.raises(FileRejected, match="new, old"):
        read(text, name="p.json")
    assert read(text, name="p.json", sheet="new").frame["part"].to_list() == ["B"]


def test_a_page_of_an_export_is_said(read):
    table = read('{"count": 3, "next": "http://x/?page=2", "results": [{"part":"A","qty":1}]}', name="p.json")
    assert [(finding.code, finding.severity) for finding in table.findings] == [("incomplete_page", "error")]


def test_repeated_keys_are_said(read):
    table = read('[{"part":"A","part":"B","qty":1}]', name="p.json")
    assert table.frame["part"].to_list() == ["B"]
    assert [finding.code for finding in table.findings] == ["duplicate_key"]


def test_a_record_that_is_no_object_is_refused(read):
    table = read('[{"part":"A","qty":1}, 7]', name="p.json")
    assert [(refused.row, refused.rule) for refused in table.rejected] == [(2, "record")]
    assert table.ledger.balanced


def test_a_cut_document_is_refused_with_its_line(read):
    with pytest.raises(FileRejected) as refused:
        read('[{"part":"A","qty":1},\n{"part":"B","q', name="p.json")
    assert (refused.value.code, refused.value.row) == ("json", 2)


def test_lines_keep_their_numbers_and_a_broken_one_is_refused(read):
    table = read('{"part":"A","qty":1}\n\n{"part":"B","qty":2\n{"part":"C","qty":3}\n', name="p.jsonl")
    assert table.frame.select("part", "_row").rows() == [("A", 1), ("C", 4)]
    assert [(refused.row, refused.rule) for refused in table.rejected] == [(3, "json")]
    assert (table.ledger.lines, table.ledger.blank, table.ledger.balanced) == (4, 1, True)


def test_not_a_number_is_text(read):
    assert read('[{"part":"A","qty":NaN}]', name="p.json", contract=PARTS).frame["qty"].to_list() == ["NaN"]


def test_a_bottomless_document_is_refused(read):
    with pytest.raises(FileRejected):
        read("[" * 200_000, name="p.json")


@pytest.mark.parametrize(
    ("text", "sheet"),
    [
        ('{"response": {"page": 1, "data": {"items": [{"part":"A","qty":1}]}}}', "response.data.items"),
        ('{"meta": {"tags": ["x", "y"], "none": []}, "rows": [{"part":"A","qty":1}]}', "rows"),
    ],
)
def test_the_one_list_of_records_is_found_at_any_depth(read, text, sheet):
    table = read(text, name="p.json")
    assert table.frame.select("part", "qty", "_sheet").rows() == [("A", "1", sheet)]


@pytest.mark.parametrize("wanted", ["new", "all.new"])
def test_records_of_other_lists_are_counted(read, wanted):
    text = '{"all": {"old": [{"part":"A","qty":1}], "new": [{"part":"B","qty":2}, {"part":"C","qty":3}]}}'
    with pytest.raises(FileRejected, match=r"all\.new, all\.old"):
        read(text, name="p.json")
    table = read(text, name="p.json", sheet=wanted)
    assert table.frame["part"].to_list() == ["B", "C"]
    assert (table.ledger.lines, table.ledger.data, table.ledger.other) == (3, 2, 1)
    assert [(finding.code, finding.value) for finding in table.findings] == [("sheet_not_read", "all.old")]


def test_a_single_object_is_one_record(read):
    table = read('{"part": "A", "qty": 1, "where": {"site": "X"}, "note": ["a", "b"]}', name="p.json",
                 columns={"where.site": "site"})  # fmt: skip
    assert table.frame.select("part", "qty", "site", "note").rows() == [("A", "1", "X", "a;b")]


@pytest.mark.parametrize("text", ['{"a": {"part": "A", "qty": 1}, "b": {"part": "B", "qty": 2}}', "{}", '"x"'])
def test_an_object_that_is_no_record_is_refused(read, text):
    with pytest.raises(FileRejected) as refused:
        read(text, name="p.json", format="json")
    assert refused.value.code == "json_shape"


def test_an_empty_page_has_no_rows(read):
    table = read('{"count": 0, "results": []}', name="p.json", defaults={"part": "x", "qty": "0"})
    assert table.ledger.lines == 0
    assert [finding.code for finding in table.findings] == ["no_data_rows"]


def test_b15_two_json_names_that_become_one_stop_the_file(read):
    with pytest.raises(FileRejected, match=r"foo\.bar") as refused:
        read('[{"part":"A","qty":1,"foo.bar":"x","foo":{"bar":"y"}}]', name="p.json", ignore=("*",))
    assert refused.value.code == "column_collision"


def test_m36_m37_numbers_and_truth_values_of_json_stay_as_written(read):
    text = '[{"part": 7777777770, "qty": 1.10, "site": "false", "note": false}]'
    assert read(text, name="p.json").frame.select("part", "qty", "site", "note").rows() == [
        ("7777777770", "1.10", "false", "false")
    ]


@pytest.mark.parametrize("text", ["[{}]", '{{"range": "A1:C4", "values": [{}]}}'])
def test_rows_written_as_lists_are_a_sheet(read, text):
    rows = '["Weekly list"], ["part", "qty", "site"], ["A", 1.50, "X"], ["B", 2]'
    table = read(text.replace("[{}]", f"[{rows}]").replace("{{", "{").replace("}}", "}"), name="p.json")
    assert table.frame.select("part", "qty", "site", "_row").rows() == [("A", "1.50", "X", 3), ("B", "2", None, 4)]
    assert (table.ledger.lines, table.ledger.title, table.ledger.header, table.ledger.data) == (4, 1, 1, 2)


def test_half_a_character_stays_as_it_was_written(read):
    table = read('[{"part":"A\\ud800","qty":"\\ud83d\\ude00"}]', name="p.json")
    assert table.frame.select("part", "qty").rows() == [("A\\ud800", "\U0001f600")]
    assert "\\ud800" in table.frame["_given"][0]
