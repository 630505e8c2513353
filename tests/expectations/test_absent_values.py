"""Why a cell has no value is kept beside its row; a word that is no reason is quarantined."""

import pytest

from expectations.typing_rules import TypingRules

SHIPPED = {"shipment": "A", "line": "1", "part_number": "P", "quantity": "1", "po": "1", "status": "shipped"}


def shipped(judge, rules=None, **cells):
    (row,) = judge("shipments", [SHIPPED | cells], rules)
    return row


def failed(row):
    return [(failure["rule"], failure["column"]) for failure in row["_failures"]]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("TBD", "unknown"), ("tbc", "unknown"), ("T.B.A.", "unknown"), ("to be confirmed", "unknown"),
        ("N/A", "not_applicable"), ("n.a.", "not_applicable"), ("NA", "not_applicable"),
        ("Not applicable", "not_applicable"), ("N/A - From RDC", "not_applicable"),
        ("Date Not Captured", "not_captured"), ("not captured", "not_captured"), ("Not Recorded", "not_captured"),
        ("Pre-PQ Process", "before_process"), ("Freight Included in Commodity Cost", "included"),
        ("included", "included"), ("Invoiced Separately", "separate"), ("Weight Captured Separately", "separate"),
    ],
)  # fmt: skip
def test_m29_each_reason_is_kept_apart(judge, text, code):
    row = shipped(judge, eta=text, value=text)
    assert (row["eta"], row["value"], row["_failures"]) == (None, None, [])
    assert row["_absent"] == {"eta": code, "value": code}


def test_m29_blank_is_no_reason(judge):
    row = shipped(judge, eta="  ")
    assert (row["eta"], row["_absent"], row["_failures"]) == (None, None, [])


def test_m29_reasons_are_counted_per_file(judge):
    rows = [SHIPPED | {"line": str(number), "eta": text} for number, text in enumerate(["TBD", "tbc", "N/A", None])]
    judge("shipments", rows)
    said = [(each.code, each.column, each.value, each.message.split()[0]) for each in judge.remarks]
    assert said == [
        ("absent_values", "eta", "not_applicable", "1"),
        ("absent_values", "eta", "unknown", "2"),
    ]


@pytest.mark.parametrize(
    "text", ["soon", "call vendor", "pending?", "nothing", "TBD maybe", "-", "None", "nan", "null"]
)
def test_m27_a_word_that_is_no_reason_is_quarantined(judge, text):
    assert failed(shipped(judge, eta=text)) == [("type", "eta")]
    assert failed(shipped(judge, value=text)) == [("type", "value")]


def test_m27_a_required_number_is_quarantined_with_the_reason_named(judge):
    row = shipped(judge, quantity="TBD")
    assert failed(row) == [("required", "quantity")]
    assert (
        "holds 'TBD', which says that the value is not known yet, and quantity is required"
        in (row["_failures"][0]["message"])
    )


def test_m27_a_source_declares_its_own_words(judge):
    rules = TypingRules(reasons={"value": {"see invoice": "invoiced"}, "status": {"tbd": "unknown"}})
    row = shipped(judge, rules, value="See  Invoice", status="TBD")
    assert (row["value"], row["status"], row["_failures"]) == (None, None, [])
    assert row["_absent"] == {"value": "invoiced", "status": "unknown"}
    assert failed(shipped(judge, value="See Invoice")) == [("type", "value")]


@pytest.mark.parametrize(("text", "row"), [("See ASN-93 (ID#:1281)", "1281"), ("See DN-304 (ID#:10589)", "10589")])
def test_m28_a_reference_names_the_other_row(judge, text, row):
    rules = TypingRules(references={"value": r"ID#:(\d+)"})
    found = shipped(judge, rules, value=text)
    assert (found["value"], found["_absent"], found["_failures"]) == (None, {"value": f"reference:{row}"}, [])
    assert failed(shipped(judge, value=text)) == [("type", "value")]


def test_an_absent_value_is_not_filled_with_the_default(judge):
    receipt = {"receipt": "R", "line": "1", "part_number": "P", "site_id": "S", "place": "site", "qty_good": "1"}
    blank, unknown = judge("receipts", [
        receipt | {"received": "2026-09-01"}, receipt | {"line": "2", "received": "2026-09-01", "qty_rejected": "TBD"},
    ])  # fmt: skip
    assert (blank["qty_rejected"], unknown["qty_rejected"], unknown["_absent"]) == (
        0,
        None,
        {"qty_rejected": "unknown"},
    )


@pytest.mark.parametrize("text", ["NA", "None", "nan", "null", "N/A"])
def test_m30_such_words_are_text_in_text_and_identifiers(judge, text):
    (row,) = judge("sites", [{"site_id": text, "name": text, "facility": "colo"}])
    assert (row["name"], row["_absent"]) == (text, None)
    assert row["site_id"] == text


def test_m37_a_truth_value_is_read_strictly(judge):
    rows = judge("bom", [
        {"system_id": "s", "line": str(number), "part_number": "P", "quantity": "1", "fitted": text}
        for number, text in enumerate(["false", "true", "False", "no", "truthy", "TBD"])
    ])  # fmt: skip
    assert [row["fitted"] for row in rows[:4]] == [False, True, False, False]
    assert [failed(row) for row in rows[4:]] == [[("type", "fitted")]] * 2
