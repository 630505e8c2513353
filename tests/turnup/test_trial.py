"""What inspection says a refresh would do with the rows, and what to write about it."""

from __future__ import annotations

import pytest

from expectations.contract import load_contracts
from turnup.programme import Source
from turnup.trial import inspect_and_try

CONTRACTS = load_contracts()
HEAD = "PO Number,Line,Part Number,Qty,Vendor,Status,Ordered\n"


def tried(tmp_path, text, name="orders.csv"):
    path = tmp_path / "content"
    path.write_text(text, encoding="utf-8")
    return inspect_and_try(path, name, CONTRACTS)


def codes(found):
    return {finding.code: finding for finding in found.findings}


def test_clean_rows_would_be_accepted(tmp_path):
    found = tried(tmp_path, HEAD + "1,10,A,4,Acme,open,2026-12-15\n1,20,B,4,Acme,received,2026-12-16\n")
    assert (found.accepted, found.quarantined) == (2, 0)
    assert found.table is None


def test_a_bad_row_is_counted_and_named(tmp_path):
    found = tried(tmp_path, HEAD + "1,10,A,four,Acme,open,2026-12-15\n1,20,B,4,Acme,open,2026-12-16\n1,2\n")
    assert (found.accepted, found.quarantined) == (1, 2)
    bad = codes(found)["type"]
    assert (bad.row, bad.column, bad.value) == (2, "Qty", "four")


@pytest.mark.parametrize(("word", "ours"), [("Rcvd", "received"), ("Opn", "open"), ("Ackn.", "acknowledged")])
def test_an_unknown_word_comes_with_what_it_may_be(tmp_path, word, ours):
    found = tried(tmp_path, HEAD + f"1,10,A,4,Acme,{word},2026-12-15\n")
    proposal = codes(found)["value_proposal"]
    assert f"values: {{status: {{{word}: {ours}}}}}" in proposal.message
    assert "values" not in found.source


def test_a_word_like_none_is_left_open(tmp_path):
    proposal = codes(tried(tmp_path, HEAD + "1,10,A,4,Acme,blue,2026-12-15\n"))["value_proposal"]
    assert "<ours>" in proposal.message


def test_m31_b12_only_ambiguous_dates_are_refused_with_what_to_write(tmp_path):
    found = tried(tmp_path, HEAD + "1,10,A,4,Acme,open,10/9/2016\n1,20,A,4,Acme,open,11/9/2016\n")
    assert found.accepted == 0
    assert "dates:" in codes(found)["ambiguous_date"].message


def test_proved_dates_are_read_and_settled_in_the_source(tmp_path):
    found = tried(tmp_path, HEAD + "1,10,A,4,Acme,open,10/9/2016\n1,20,A,4,Acme,open,30/9/2016\n")
    assert found.accepted == 2
    assert found.source["dates"] == {"ordered": "dmy"}
    Source.model_validate(found.source)


def test_a_decimal_comma_is_proposed(tmp_path):
    text = HEAD.replace("Qty", "Qty;Unit Cost").replace(",", ";") + "1;10;A;4;1.200,50;Acme;open;2026-12-15\n"
    assert 'decimal: ","' in codes(tried(tmp_path, text))["decimal_proposal"].message


def test_what_a_file_lacks_is_not_told_twice(tmp_path):
    found = tried(tmp_path, "PO Number,Line,Part Number,Ordered\n1,10,A,2026-12-15\n")
    assert found.accepted is None
    missing = {finding.column for finding in found.findings if finding.code == "missing_column"}
    assert missing == {"quantity", "vendor", "status"} & missing
    assert not [item for item in found.findings if item.column in missing and item.code != "missing_column"]
