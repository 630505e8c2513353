"""Rows of one file with one key: repetitions keep the first, contradictions keep none."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


def line(number: str, quantity: str = "1", **cells: object) -> dict[str, object]:
    return {"system_id": "s", "line": number, "part_number": "P", "quantity": quantity} | cells


def rules_of(rows) -> list[list[str]]:
    return [[failure["rule"] for failure in row["_failures"]] for row in rows]


def test_the_same_part_on_two_lines_is_two_rows(judge) -> None:
    assert rules_of(judge("bom", [line("1"), line("2")])) == [[], []]


def test_later_repetitions_fail_and_name_the_first(judge) -> None:
    rows = judge("bom", [line("1"), line("2"), line("1"), line("1")])
    assert rules_of(rows) == [[], [], ["duplicate_row"], ["duplicate_row"]]
    failure = rows[3]["_failures"][0]
    assert failure["message"] == (
        "This row repeats row 2 of this file (system_id s, line 1); expected one row per system_id, line."
    )
    assert (failure["column"], failure["value"]) == ("system_id, line", "system_id s, line 1")


def test_contradicting_rows_all_fail(judge) -> None:
    rows = judge("bom", [line("1", "4"), line("2"), line("1", "5"), line("1", "4")])
    assert rules_of(rows) == [["key_conflict"], [], ["key_conflict"], ["key_conflict"]]
    assert rows[2]["_failures"][0]["message"] == (
        "3 rows of this file have the same key (system_id s, line 1) and differ in other columns, the first is row 2;"
        " expected one row per system_id, line: correct or remove the others."
    )


def test_keys_compare_in_the_normal_form(judge) -> None:
    rows = judge("bom", [line("a1"), line(" A1 ")])
    assert rules_of(rows) == [[], ["duplicate_row"]]


def test_another_spelling_of_the_same_value_is_no_contradiction(judge) -> None:
    assert rules_of(judge("bom", [line("1", "5"), line("1", "5.0")])) == [[], ["duplicate_row"]]


def test_a_value_given_once_and_left_out_once_is_a_contradiction(judge) -> None:
    rows = judge("bom", [line("1", description="server"), line("1")])
    assert rules_of(rows) == [["key_conflict"], ["key_conflict"]]


def test_an_unreadable_row_still_contradicts(judge) -> None:
    rows = judge("bom", [line("1", "5"), line("1", "five")])
    assert rules_of(rows) == [["key_conflict"], ["type", "key_conflict"]]


def test_two_unreadable_rows_that_say_the_same_are_repetitions(judge) -> None:
    rows = judge("bom", [line("1", "five"), line("1", "five")])
    assert rules_of(rows) == [["type"], ["type", "duplicate_row"]]


def test_rows_without_a_key_are_not_compared(judge) -> None:
    rows = judge("bom", [line("1") | {"system_id": None}, line("1", "9") | {"system_id": None}])
    assert rules_of(rows) == [["required"], ["required"]]


def test_a_bill_without_line_numbers_is_keyed_by_its_rows(judge) -> None:
    part = {"system_id": "s", "part_number": "P", "quantity": "2"}
    rows = judge("bom", [part, part, part | {"_sheet": "Options", "_row": "2"}])
    assert rules_of(rows) == [[], [], []]
    assert [row["line_key"] for row in rows] == ["row 2", "row 3", "options row 2"]


def test_files_are_compared_each_for_itself(judge) -> None:
    rows = judge("bom", [line("1", "4"), line("1", "5") | {"_ingest": "i2"}])
    assert rules_of(rows) == [[], []]


def test_sheets_of_one_file_are_compared_and_named(judge) -> None:
    rows = judge("bom", [line("1") | {"_sheet": "Rack A", "_row": "7"}, line("1") | {"_sheet": "Rack B", "_row": "3"}])
    assert rules_of(rows) == [[], ["duplicate_row"]]
    assert "repeats row 7 of sheet Rack A of this file" in rows[1]["_failures"][0]["message"]


def test_a_default_is_part_of_the_key(judge) -> None:
    promise = {"po": "1", "line": "1", "quantity": "4", "promised": "2026-09-18"}
    rows = judge("po_schedule", [promise, promise | {"schedule": "1", "quantity": "6"}])
    assert rules_of(rows) == [["key_conflict"], ["key_conflict"]]


def test_a_separator_inside_a_key_does_not_join_keys(judge) -> None:
    rows = judge("dependencies", [
        {"from_system": "a", "to_system": "b c", "type": "x"}, {"from_system": "a b", "to_system": "c", "type": "x"},
    ])  # fmt: skip
    assert rules_of(rows) == [[], []]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["1", "2", "x"])), max_size=12))
def test_the_rule_agrees_with_plain_counting(judge, pairs: list[tuple[str, str]]) -> None:
    rows = judge("bom", [line(key, quantity) for key, quantity in pairs])
    for place, (key, quantity) in enumerate(pairs):
        said = {other for same, other in pairs if same == key}
        first = pairs.index((key, quantity)) == place
        found = [rule for rule in rules_of(rows)[place] if rule in ("duplicate_row", "key_conflict")]
        assert found == (["key_conflict"] if len(said) > 1 else [] if first else ["duplicate_row"])
