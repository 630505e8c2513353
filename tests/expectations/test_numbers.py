"""Numbers as people type and export them: read right, or refused in words; never bent."""

from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from expectations.typing_rules import TypingRules

POINT, COMMA = TypingRules(), TypingRules(decimal=",")


def promise(quantity: str | None, number: int = 1) -> dict[str, str | None]:
    return {"po": "45", "line": "10", "schedule": str(number), "quantity": quantity, "promised": "2026-09-18"}


def rules_of(row) -> list[tuple[str, str]]:
    return [(failure["rule"], failure["column"]) for failure in row["_failures"]]


READ = [
    ("16", POINT, "16"),
    (" 16\u00a0", POINT, "16"),
    ("+5", POINT, "5"),
    ("007", POINT, "7"),
    ("12.0", POINT, "12"),
    ("12.5", POINT, "12.5"),
    (".5", POINT, "0.5"),
    ("5.", POINT, "5"),
    ("1,200", POINT, "1200"),
    ("1,234,567.25", POINT, "1234567.25"),
    ("1 200", POINT, "1200"),
    ("1\u202f200", POINT, "1200"),
    ("1'200", POINT, "1200"),
    ("1.200", POINT, "1.2"),
    ("1.200", COMMA, "1200"),
    ("1.200,5", COMMA, "1200.5"),
    ("1,5", COMMA, "1.5"),
    ("1,200", COMMA, "1.2"),
    ("２", POINT, "2"),
    ("１２．５", POINT, "12.5"),
    ("12.000000000000002", POINT, "12"),
    ("0.0005", POINT, "0.001"),
    ("0", POINT, "0"),
]
REFUSED = [
    (None, POINT, "required"),
    ("", POINT, "required"),
    (" \u3000\ufeff", POINT, "required"),
    ("NaN", POINT, "type"),
    ("nan", POINT, "type"),
    ("inf", POINT, "type"),
    ("-Infinity", POINT, "type"),
    ("1e400", POINT, "type"),
    ("1.8E+05", POINT, "type"),
    ("1_000", POINT, "type"),
    ("0x1F", POINT, "type"),
    ("0,125", POINT, "type"),
    ("1,20", POINT, "type"),
    ("12,34,567", POINT, "type"),
    ("1.2.3", POINT, "type"),
    ("1,200.5", COMMA, "type"),
    ("(5)", POINT, "type"),
    ("12 boxes", POINT, "unknown_unit"),
    ("12 + 1", POINT, "type"),
    ("TBD", POINT, "required"),
    ("1/2", POINT, "type"),
    ("=SUM(A1:A3)", POINT, "type"),
    ("\N{CIRCLED DIGIT TWO}", POINT, "type"),
    ("\u0662", POINT, "type"),
    ("#REF!", POINT, "spreadsheet_error"),
    ("-1", POINT, "range"),
    ("99999999999999999999", POINT, "range"),
    ("0.0001", POINT, "precision"),
]


@pytest.mark.parametrize("rules", [POINT, COMMA], ids=["point", "comma"])
def test_a_number_is_read_as_the_source_declares(judge, rules) -> None:
    cases = [(text, value) for text, declared, value in READ if declared is rules]
    rows = judge("po_schedule", [promise(text, number) for number, (text, _) in enumerate(cases)], rules)
    found = [(text, row["quantity"], rules_of(row)) for (text, _), row in zip(cases, rows, strict=True)]
    assert found == [(text, Decimal(value), []) for text, value in cases]


@pytest.mark.parametrize("rules", [POINT, COMMA], ids=["point", "comma"])
def test_what_is_no_number_is_refused(judge, rules) -> None:
    cases = [(text, rule) for text, declared, rule in REFUSED if declared is rules]
    rows = judge("po_schedule", [promise(text, number) for number, (text, _) in enumerate(cases)], rules)
    found = [(text, rules_of(row)) for (text, _), row in zip(cases, rows, strict=True)]
    assert found == [(text, [(rule, "quantity")]) for text, rule in cases]


def test_declared_words_for_no_value_are_no_value(judge) -> None:
    rules = TypingRules(null_tokens=("TBD", "n/a"))
    rows = judge("bom", [{"system_id": "s", "line": "1", "part_number": "P", "quantity": "2", "uom": "tbd"}], rules)
    assert rows[0]["uom"] == "ea"
    (row,) = judge("po_schedule", [promise("N/A")], rules)
    assert rules_of(row) == [("required", "quantity")]


@pytest.mark.parametrize(("text", "value"), [("16", 16), ("16.0", 16), ("16.", 16), ("1,024", 1024), ("16 racks", 16)])
def test_a_whole_number_may_look_like_a_decimal(judge, text, value) -> None:
    (row,) = judge("facility_capacity", [{"site_id": "ORD1", "hall": "B", "phase": "1", "racks": text}])
    assert (row["racks"], row["_failures"]) == (value, [])


@pytest.mark.parametrize("text", ["16.5", "1e3", "16 cabinets", ".0", "9223372036854775808"])
def test_a_broken_whole_number_is_refused(judge, text) -> None:
    (row,) = judge("facility_capacity", [{"site_id": "ORD1", "hall": "B", "phase": "1", "racks": text}])
    assert row["racks"] is None
    assert [failure["column"] for failure in row["_failures"]] == ["racks"]


def test_only_the_columns_own_unit_may_stand_in_the_cell(judge) -> None:
    base = {"site_id": "ORD1", "hall": "B"}
    rows = judge(
        "facility_capacity",
        [
            base | {"phase": str(i), "kw_contracted": text}
            for i, text in enumerate(("1200 kW", "1200kW", "1200 KW", "1.2 MW"))
        ],
    )
    assert [row["kw_contracted"] for row in rows] == [Decimal(1200), Decimal(1200), Decimal(1200), None]


def benchmark(value: str) -> dict[str, str]:
    named = {"run": "r", "node": "n", "test": "t", "metric": "m", "statistic": "mean", "complete": "true"}
    return named | {"value": value, "unit": "GB/s"}


@pytest.mark.parametrize(("text", "value"), [("387.4", 387.4), ("1.2e-9", 1.2e-9), ("1E3", 1000.0), ("-0.5", -0.5)])
def test_a_measurement_may_have_an_exponent(judge, text, value) -> None:
    (row,) = judge("benchmarks", [benchmark(text)])
    assert (row["value"], row["_failures"]) == (value, [])


@pytest.mark.parametrize(("text", "rule"), [("nan", "type"), ("inf", "type"), ("1e400", "range"), ("-1e400", "range")])
def test_a_measurement_is_finite(judge, text, rule) -> None:
    (row,) = judge("benchmarks", [benchmark(text)])
    assert (row["value"], rules_of(row)) == (None, [(rule, "value")])


@pytest.mark.parametrize(
    ("text", "bad"), [("100", False), ("100.001", True), ("-1", True), ("40 %", False), ("40%", False)]
)
def test_a_percentage_lies_between_0_and_100(judge, text, bad) -> None:
    (row,) = judge("activities", [{"task": "A1", "name": "x", "percent": text}])
    assert bool(row["_failures"]) is bad


def test_the_sentence_says_what_was_found_and_what_was_expected(judge) -> None:
    (row,) = judge("po_schedule", [promise("twelve")])
    (failure,) = row["_failures"]
    assert failure == {
        "rule": "type",
        "column": "quantity",
        "value": "twelve",
        "expected": "a number with decimal point of at least 0",
        "message": "Column quantity holds 'twelve', which is not a number; "
        "expected a number with decimal point of at least 0, for example 32.",
    }


def test_an_empty_required_cell_has_its_own_sentence(judge) -> None:
    (row,) = judge("po_schedule", [promise(None)])
    assert row["_failures"][0]["message"] == (
        "Column quantity is empty; expected a number with decimal point of at least 0, for example 32."
    )


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.decimals(min_value=0, max_value=10**14, places=3, allow_nan=False), st.sampled_from([POINT, COMMA]))
def test_any_written_quantity_comes_back(judge, value: Decimal, rules: TypingRules) -> None:
    plain, grouped = f"{value:f}", f"{value:,f}"
    swap = str.maketrans(",.", ".,") if rules.decimal == "," else {}
    rows = judge("po_schedule", [promise(text.translate(swap), i) for i, text in enumerate((plain, grouped))], rules)
    assert [row["quantity"] for row in rows] == [value, value]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(max_size=12), min_size=1, max_size=20), st.sampled_from([POINT, COMMA]))
def test_no_text_breaks_the_query_and_none_is_dropped(judge, texts: list[str], rules: TypingRules) -> None:
    texts = [text.replace("\0", "") for text in texts]
    rows = judge("po_schedule", [promise(text, i) | {"promised": text} for i, text in enumerate(texts)], rules)
    assert len(rows) == len(texts)
    assert all(row["quantity"] is not None or row["_failures"] for row in rows)
    assert all(row["promised"] is not None or row["_failures"] for row in rows)


def priced(judge, *texts, rules=None):
    line = {"po": "1", "part_number": "P", "quantity": "1", "vendor": "V", "status": "open"}
    return judge("purchase_orders", [line | {"line": str(n), "unit_cost": text} for n, text in enumerate(texts)], rules)


def test_m26_beside_a_decimal_comma_a_thousand_is_not_read_as_one(judge) -> None:
    rows = priced(judge, "1.234,56", "1.000", "2,000", "12.5", "7", "0.125")
    rules = [[failure["rule"] for failure in row["_failures"]] for row in rows]
    assert rules == [["type"], ["ambiguous_number"], ["ambiguous_number"], [], [], []]
    assert rows[1]["_failures"][0]["message"] == (
        "Column unit_cost holds '1.000', which may have thousands or decimals: this column has '1.234,56', with a"
        ' decimal comma; in the source of programme.yaml write `decimal: {unit_cost: ","}` or'
        ' `decimal: {unit_cost: "."}`;'
        " expected a number with decimal point of at least 0, for example 31250.00."
    )


def test_m26_a_declared_mark_is_taken_at_its_word(judge) -> None:
    for rules in (TypingRules(decimal_declared=True), TypingRules(decimals={"unit_cost": "."})):
        rows = priced(judge, "1.234,56", "1.000", rules=rules)
        assert [row["unit_cost"] for row in rows] == [None, Decimal(1)]
    assert [row["unit_cost"] for row in priced(judge, "1.000", "2.5", "1,000")] == [1, Decimal("2.5"), 1000]


def test_the_example_of_a_decimal_comma_has_one(judge):
    row = {"po": "1", "line": "1", "part_number": "p", "quantity": "1", "vendor": "v", "status": "open"}
    for rules, example in ((COMMA, "31250,00"), (POINT, "31250.00")):
        (found,) = judge("purchase_orders", [row | {"unit_cost": "abc"}], rules)
        (failure,) = found["_failures"]
        assert failure["message"].endswith(f"of at least 0, for example {example}.")


def test_numbers_with_more_decimals_than_are_kept_are_told(judge) -> None:
    rows = priced(judge, "1234.567", "0.0123", "12.50", "7", "1.1000", "12.345 EUR")
    assert [row["unit_cost"] for row in rows[:2]] == [Decimal("1234.57"), Decimal("0.01")]
    told = [(item.code, item.column, item.message) for item in judge.remarks if item.code == "rounded"]
    assert told == [
        ("rounded", "unit_cost", "2 numbers of unit_cost have more than 2 decimals, such as 0.0123; rounded")
    ]
