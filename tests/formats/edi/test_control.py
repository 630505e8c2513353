"""M62: control numbers, counts and totals; a message that contradicts itself is set aside, the rest goes on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expectations.contract import load_contracts
from tests.formats.edi.written import ANSWER, DESPATCH, NOTICE, ORDER, STATUS, edifact, x12, x12_segments
from turnup.formats import FileRejected, parse
from turnup.programme import Source

WRONG = [
    ("ISA13", "000000007*0*P", "000000008*0*P", "control_number", "IEA02"),
    ("IEA01", "IEA*1*", "IEA*2*", "control_count", "IEA01"),
    ("GE01", "GE*1*", "GE*2*", "control_count", "GE01"),
    ("GE02", "GE*1*7", "GE*1*8", "control_number", "GE02"),
    ("SE01", "SE*14*", "SE*15*", "control_count", "SE01"),
    ("SE02", "SE*14*0001", "SE*14*0002", "control_number", "SE02"),
    ("CTT01", "CTT*2*68", "CTT*3*68", "control_total", "CTT01"),
    ("CTT02", "CTT*2*68", "CTT*2*69", "control_total", "CTT02"),
]


@pytest.mark.parametrize(("figure", "right", "wrong", "code", "where"), WRONG, ids=[each[0] for each in WRONG])
def test_m62_a_wrong_figure_sets_the_message_aside(take, figure, right, wrong, code, where):
    text = x12("850", ORDER)
    assert text.count(right) == 1
    table = take(text.replace(right, wrong), "purchase_orders")
    assert (table.ledger.data, table.ledger.rejected) == (0, 2)
    assert {(row.rule, row.column) for row in table.rejected} == {(code, where)}
    assert [(found.code, found.column) for found in table.findings if found.severity == "error"] == [(code, where)]
    assert {fact.name: fact.value for fact in table.facts}["set_aside"] == 1
    for row in table.rejected:
        assert "set aside" in row.message
        assert where in row.message
        assert row.given is not None
        assert '"po":"4500123456"' in row.given


def test_m62_both_values_and_both_segments_are_named(take):
    text = edifact("DESADV", DESPATCH).replace("UNT+21+M1", "UNT+17+M9")
    table = take(text, "shipments")
    (first, _) = table.rejected
    assert first.value == "17"
    assert "UNT01 (segment 22) says 17 segments, there are 21" in first.message
    assert "opens as M1 (UNH01, segment 2) and closes as M9 (UNT02, segment 22)" in first.message
    assert "by_message" not in first.message  # the message's own figures are wrong


def test_m62_the_other_messages_of_the_file_go_on(take):
    good, bad = x12_segments("850", ORDER)[2:-2], x12_segments("850", ORDER, reference="0002")[2:-2]
    bad[-1] = "SE*99*0002"
    whole = [*x12_segments("850", ORDER)[:2], *good, *bad, "GE*2*7", "IEA*1*000000007"]
    table = take("~".join(whole) + "~", "purchase_orders")
    assert (table.ledger.data, table.ledger.rejected) == (2, 2)
    assert {row.sheet for row in table.rejected} == {"850 0002"}
    assert set(table.frame["_sheet"]) == {"850 0001"}


def test_m62_a_partner_whose_envelopes_are_known_to_be_wrong(take):
    text = x12("850", ORDER).replace("000000007*0*P", "000000008*0*P")
    table = take(text, "purchase_orders", format="x12_by_message")
    assert (table.format, table.ledger.data, table.ledger.rejected) == ("x12_by_message", 2, 0)
    assert [found.code for found in table.findings] == ["control_number"]  # accepted, yet never in silence
    own = text.replace("SE*14*", "SE*15*")
    assert take(own, "purchase_orders", format="x12_by_message").ledger.rejected == 2


def test_m05_a_cut_file_is_set_aside(take):
    text = x12("850", ORDER)
    table = take(text[: text.index("CTT*2")], "purchase_orders")
    assert (table.ledger.data, table.ledger.rejected) == (0, 2)
    assert {row.rule for row in table.rejected} == {"cut_message"}
    codes = {found.code for found in table.findings}
    assert codes == {"cut_message"}


def test_m05_a_file_cut_inside_a_segment(take):
    text = edifact("DESADV", DESPATCH)
    table = take(text[: text.index("CNT+1") + 3], "shipments")
    assert table.ledger.data == 0
    assert {found.code for found in table.findings} == {"cut_message", "open_segment"}


def test_leading_zeros_of_numeric_references_mean_nothing(take):
    assert take(x12("850", ORDER).replace("IEA*1*000000007", "IEA*1*7"), "purchase_orders").ledger.data == 2


def test_a_hash_total_is_right_as_a_sum_and_as_the_standards_own(take):
    body = [line.replace("*64*EA", "*1.5*EA") for line in ORDER]
    for total in ("5.5", "19"):  # 1.5 + 4, or 15 + 4 without the decimal point
        text = x12("850", [line.replace("CTT*2*68", f"CTT*2*{total}") for line in body])
        assert take(text, "purchase_orders").ledger.data == 2


def test_a_message_outside_its_envelope_is_an_error(take):
    text = x12("850", ORDER).replace("GE*1*7~", "GE*1*7~PO1*30*1*EA~")
    table = take(text, "purchase_orders")
    assert table.ledger.data == 0
    assert {row.rule for row in table.rejected} == {"stray_segment"}


def test_shapes_of_a_file_that_was_edited_by_hand(take):
    text = "\ufeff" + x12("850", ORDER, end="~\n\t\t").replace("BUYER          ", "BUYER \u00a0 \u00a0")
    table = take(text, "purchase_orders")
    facts = {fact.name: fact.value for fact in table.facts}
    assert table.ledger.data == 2
    assert (facts["isa_length"], facts["no_break_spaces"]) == (99, 2)
    assert [found.code for found in table.findings] == ["isa_length"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "~", "~\r\n", "\x1c"])
def test_any_segment_terminator(take, end):
    table = take(x12("856", NOTICE, end=end), "shipments")
    assert table.ledger.data == 2
    assert table.frame["serials"].to_list() == ["S45X001;S45X002", "0099"]


def test_a_last_line_without_its_line_break(take):
    assert take(x12("856", NOTICE, end="\n").rstrip("\n"), "shipments").ledger.data == 2


def test_two_interchanges_in_one_file(take):
    text = x12("856", NOTICE) + x12("856", NOTICE, number=8).replace("ASN-10457", "ASN-2")
    assert take(text, "shipments").frame["shipment"].to_list() == ["ASN-10457"] * 2 + ["ASN-2"] * 2
    both = edifact("DESADV", DESPATCH) + "\n" + edifact("DESADV", DESPATCH, interchange="I2")
    assert take(both, "shipments").ledger.data == 4


def test_letters_of_the_declared_character_set(take):
    body = [line.replace("Vantor", "Vantör") for line in DESPATCH]
    table = take(edifact("DESADV", body).encode("latin-1"), "shipments")
    assert set(table.frame["vendor"]) == {"Vantör"}


def test_an_isa_that_is_cut(take):
    with pytest.raises(FileRejected, match="not its 16 elements"):
        take("ISA*00*   *00*~", "shipments")


NUMBERS = st.integers(0, 999_999).map(str) | st.decimals(0, 9999, places=2).map(str)
WORDS = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_. #/", min_size=1, max_size=20).map(str.strip).filter(bool)
LINES = st.lists(st.tuples(WORDS, NUMBERS, WORDS), min_size=1, max_size=6)


def written_order(lines):
    items = [f"PO1*{10 * n}*{quantity}*EA***BP*{part}*VP*{other}" for n, (part, quantity, other) in enumerate(lines, 1)]
    return ("BEG*00*SA*PO-1**20260504", *items, f"CTT*{len(lines)}")


@given(lines=LINES, end=st.sampled_from(["~", "\n", "~\r\n", "|"]))
def test_any_order_reads_back(tmp_path_factory, lines, end):
    table = read(tmp_path_factory, x12("850", written_order(lines), end=end), "purchase_orders")
    assert table.frame.select("line", "part_number", "quantity").rows() == [
        (str(10 * n), part, quantity) for n, (part, quantity, _) in enumerate(lines, 1)
    ]


@given(lines=LINES)
def test_any_notice_reads_back(tmp_path_factory, lines):
    items = [
        segment
        for n, (part, quantity, serial) in enumerate(lines, 3)
        for segment in (f"HL*{n}*2*I", f"LIN*{n}*BP*{part}", f"SN1**{quantity}*EA", f"REF*SE*{serial}")
    ]
    body = ("BSN*00*ASN-1*20260820*1015", "HL*1**S", "HL*2*1*O", "PRF*PO-1", *items, f"CTT*{len(lines) + 2}")
    table = read(tmp_path_factory, x12("856", body), "shipments")
    assert table.frame.select("part_number", "quantity", "serials").rows() == [tuple(line) for line in lines]


BODIES = {
    "850": (ORDER, "purchase_orders"),
    "855": (ANSWER, "purchase_orders"),
    "856": (NOTICE, "shipments"),
    "214": (STATUS, "logistics_events"),
}


@given(kind=st.sampled_from(sorted(BODIES)), place=st.integers(0, 60), twice=st.booleans())
def test_no_segment_is_lost_or_doubled_unseen(tmp_path_factory, kind, place, twice):
    body, dataset = BODIES[kind]
    segments = x12_segments(kind, body)
    place %= len(segments)
    changed = [*segments[:place], *([segments[place]] * 2 if twice else []), *segments[place + 1 :]]
    whole = read(tmp_path_factory, "~".join(segments) + "~", dataset)
    try:
        table = read(tmp_path_factory, "~".join(changed) + "~", dataset)
    except FileRejected:
        return
    assert table.ledger.data == 0 or table.frame.drop("_row").equals(whole.frame.drop("_row"))
    assert table.ledger.rejected or any(found.severity == "error" for found in table.findings)


@given(place=st.integers(0, 60), twice=st.booleans())
def test_no_segment_of_edifact_is_lost_or_doubled_unseen(tmp_path_factory, place, twice):
    whole = edifact("DESADV", DESPATCH)
    segments = whole[9:].split("'")[:-1]
    place %= len(segments)
    changed = [*segments[:place], *([segments[place]] * 2 if twice else []), *segments[place + 1 :]]
    try:
        table = read(tmp_path_factory, whole[:9] + "".join(f"{each}'" for each in changed), "shipments")
    except FileRejected:
        return
    right = read(tmp_path_factory, whole, "shipments").frame
    assert table.ledger.data == 0 or table.frame.drop("_row").equals(right.drop("_row"))
    assert table.ledger.rejected or any(found.severity == "error" for found in table.findings)


def read(factory, text, dataset):
    path = factory.getbasetemp() / "message.edi"
    path.write_text(text, encoding="utf-8", newline="")
    source = Source.model_construct(dataset=dataset, files="*")
    table = parse(path, path.name, source, load_contracts()[dataset])
    assert table.ledger.balanced
    return table
