"""Every nasty value in every column of every dataset: no query breaks, no row is lost, nothing unread goes unsaid."""

import math

import pytest

from expectations.contract import Contract, load_contracts
from expectations.typing_rules import TypingRules

PLAIN, DECLARED = (
    TypingRules(),
    TypingRules("dmy", ",", "Asia/Kolkata", ("nan", "%s", "''"), date_epoch=1900, year=2026),
)
NASTY = [
    "", " ", "\u00a0", "\ufeff", "\u200b", "NaN", "nan", "inf", "-inf", "1e400", "-1e400", "1e-400", "1,200",
    "1.200", "12E3", "1E05", "0x1F", "1_000", "２", "٢", "①", "½", "−5", "+", "-", ".", ",", "/", "'", '"',
    "''", "\\", "%s", "{x}", "{{}}", "$1", ";", "--", "/* x */", "\n", "a\nb", "\x01",
    "\ufffd", "#REF!", "#N/A", "=1+1", "TRUE", "null", "None", "NULL", "31/02/2026", "2026-02-30",
    "0000-00-00", "10/9/2016", "2026-10-02T06:00:00Z", "2026-10-02T06:00:00+99:00", "24:00", "12:00 PM",
    "9999-12-31", "99999999999999999999999", "0" * 400, "é", "e\u0301", "ß", "İ", "\U0001f600", "a" * 5000,
    "1" * 500,
]  # fmt: skip


@pytest.mark.parametrize("contract", load_contracts().values(), ids=lambda contract: contract.name)
@pytest.mark.parametrize("rules", [PLAIN, DECLARED], ids=["plain", "declared"])
def test_nothing_breaks_and_nothing_is_lost(judge, contract: Contract, rules: TypingRules) -> None:
    rows = judge(contract.name, [dict.fromkeys((c.name for c in contract.columns), text) for text in NASTY], rules)
    assert len(rows) == len(NASTY)
    for text, row in zip(NASTY, rows, strict=True):
        told = {failure["column"] for failure in row["_failures"]} | {*(row["_absent"] or {})}
        for column in contract.columns:
            value = row[column.name]
            assert not (isinstance(value, float) and not math.isfinite(value))
            empty = not text.strip("\u200b\ufeff \u00a0\n") or text.casefold() in rules.null_tokens
            assert value is not None or column.name in told or empty, (text, column.name)
