"""What is settled by distinct values, and rows typed where they are used, change nothing in any result."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from expectations import settled
from expectations.typing_rules import TypingRules

TEXTS = {
    "id": ["A-1", "a-1", "SRV 2", "#N/A", "1.2E+05", "N/A", "x\x01y", "P" * 201, "tbc", None],
    "text": ["ea", "each", "m", "furlong", "#REF!", "TBD", "t" * 5_000, None],
    "number": ["5", "007", "1,200", "1.0005", "12E3", "3 m", "-1", "99999999999999999999", "TBD", "#N/A", "zwei", None],
    "time": [
        "2026-09-18", "2026-09-18T14:05:00Z", "18/09/2026", "09/18/2026", "4/5/2026", "18 Sep 2026", "W38 2026",
        "1899-12-31", "2026-02-30", "TBD", None,
    ],
    "enum": ["true", "NO", "in transit", "delivered", "valid", "Northern", "#N/A", "n/a", None],
}  # fmt: skip
KIND = {"id": "id", "text": "text", "date": "time", "ts": "time", "local": "time", "enum": "enum", "bool": "enum"}
RULES = (
    TypingRules(),
    TypingRules(null_tokens=("tbc", "tbd"), unit="m", units={"quantity": {"m": "0.5", "furlong": "201"}}),
    TypingRules(date_order="dmy", decimal=",", decimal_declared=True, time_zone="Europe/Berlin"),
)
DATASETS = ("benchmarks", "blocks", "bom", "po_schedule", "shipments", "utilization")


def result(judge, dataset, rows, rules):
    """Typed rows with failures by place, and remarks."""
    return judge(dataset, rows, rules), sorted(map(repr, judge.remarks))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_settled_columns_change_nothing(judge, contracts, monkeypatch, data):
    contract = contracts[data.draw(st.sampled_from(DATASETS))]
    texts = {
        column.name: [column.example, column.example, *TEXTS[KIND.get(column.type, "number")]]
        for column in contract.columns
    }
    # One value per column stands in most rows, so that some columns have nothing wrong with them.
    some = st.sets(st.sampled_from(sorted(texts)), max_size=4)
    odd = data.draw(some)
    drawn = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in texts.items() if name in odd})
    plain = {column.name: column.example for column in contract.columns}
    rows = [plain | row for row in data.draw(st.lists(drawn, min_size=1, max_size=8))]
    for number, row in enumerate(rows[:-2]):
        row[contract.key[0]] = (
            f"{row[contract.key[0]]}-{number}" if contract.key[0] not in odd else row[contract.key[0]]
        )
    rules = data.draw(st.sampled_from(RULES))
    found = []
    for large, few in ((settled.LARGE, settled._FEW), (1, 0)):
        with monkeypatch.context() as patch:
            patch.setattr(settled, "LARGE", large)
            patch.setattr(settled, "_FEW", few)
            found.append(result(judge, contract.name, rows, rules))
    assert found[0] == found[1]


def test_a_column_is_settled_only_where_each_of_its_values_is_sound(judge, monkeypatch):
    monkeypatch.setattr(settled, "LARGE", 1)
    monkeypatch.setattr(settled, "_FEW", 1)
    row = {"block": "b", "system_id": "s", "need_date": "2026-09-18"}
    rows = [row | {"block": f"b{number}"} for number in range(40)]
    rows[17] |= {"need_date": "2026-02-30", "system_id": "#N/A"}
    found = judge("blocks", rows)
    assert [number for number, each in enumerate(found) if each["_failures"]] == [17]
    assert [(each["rule"], each["column"]) for each in found[17]["_failures"]] == [
        ("spreadsheet_error", "system_id"), ("type", "need_date"),
    ]  # fmt: skip


@pytest.mark.parametrize("few", [0, 8])
def test_two_spellings_of_one_identifier_are_told_among_few_values_and_many(judge, monkeypatch, few):
    monkeypatch.setattr(settled, "LARGE", 1)
    monkeypatch.setattr(settled, "_FEW", few)
    judge(
        "blocks",
        [{"block": f"b{number}", "system_id": "Sys"[: 2 + number % 2] + "x" * (number % 2)} for number in range(20)],
    )
    assert [each.code for each in judge.remarks] == []
    judge("blocks", [{"block": f"b{number}", "system_id": ("SYS", "Sys")[number % 2]} for number in range(20)])
    assert [(each.code, each.column) for each in judge.remarks] == [("spelling_differs", "system_id")]
