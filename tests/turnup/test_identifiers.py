"""Identifiers from a file to the week: text end to end, compared without regard to case, never a placeholder."""

import pytest

from tests.turnup.staging import staged
from turnup.identity import is_placeholder_serial

ASSETS = '  assets: {dataset: installs, files: "assets*", owner: Ana}\n'
HEAD = "asset_id,serial,part_number,manufacturer,status\n"
FAULTS = "SELECT row, column_name, rule, value FROM meta.quarantine ORDER BY ALL"
FINDINGS = "SELECT code, column_name, value FROM meta.file_findings ORDER BY ALL"


def assets(folder, rows, *queries):
    text = HEAD + "".join(f"{row},Dell,active\n" for row in rows)
    return staged(folder, ASSETS, {"2026-09-28/assets.csv": text}, *queries)


def test_m20_parts_that_look_like_numbers_stay_text(tmp_path):
    parts = ["12E3", "1E05", "00123", "1.20", "8939010102358478435", "8939010102358478436"]
    (found,) = assets(tmp_path, [f"A{n},S{n},{part}" for n, part in enumerate(parts)],
                      "SELECT part_number FROM stg.installs ORDER BY asset_id")  # fmt: skip
    assert [row[0] for row in found] == parts


def test_b13_a_code_with_zeros_after_many_plain_numbers_keeps_them(tmp_path):
    rows = [f"A{n},,{1000 + n}" for n in range(20_480)] + ["A,,00123"]
    found, count = assets(tmp_path, rows, "SELECT part_number FROM stg.installs WHERE asset_id = 'A'",
                          "SELECT count(*) FROM stg.installs")  # fmt: skip
    assert (found, count) == ([("00123",)], [(20_481,)])


def test_m22_blanks_and_invisible_marks_do_not_make_another_key(tmp_path):
    rows = ["A1,AbC 1 ,P", "A2,\u00a0abc\u00a01,P", "A3,ab\u200bc 1,P"]
    found, remarks = assets(tmp_path, rows, "SELECT serial, serial_key FROM stg.installs ORDER BY asset_id", FINDINGS)
    assert [key for _, key in found] == ["abc 1"] * 3
    assert [text for text, _ in found] == ["AbC 1", "abc\u00a01", "ab\u200bc 1"]
    assert ("spelling_differs", "serial", "ab\u200bc 1") in remarks


def test_m23_names_that_differ_in_case_are_one_and_told(tmp_path):
    rows = ["SAT11,,P", "sat11,,P"]
    count, faults, remarks = assets(tmp_path, rows, "SELECT count(*) FROM stg.installs", FAULTS, FINDINGS)
    assert count == [(1,)]
    assert [(row, rule) for row, _, rule, _ in faults] == [(3, "duplicate_row")]
    assert ("spelling_differs", "asset_id", "sat11") in remarks


def test_m23_one_spelling_is_no_finding(tmp_path):
    (remarks,) = assets(tmp_path, ["SAT11,s,P", "SAT12,s,P"], FINDINGS)
    assert remarks == []


@pytest.mark.parametrize(
    "value",
    [
        "To be filled by O.E.M.", "Default string", "Not Specified", "N/A", "UNKNOWN", "NO DIMM", "OEM Define 3",
        "Chassis Serial Number", "0123456789", "123456789", "9876543210", "   ", "0000000000", "xxxxxxxx", "........",
        "System Serial Number", "Not Applicable", "None", "No Asset Tag", "Chassis Asset Tag", "SerNum0",
    ],
)  # fmt: skip
def test_m24_a_placeholder_is_never_a_serial(value):
    assert is_placeholder_serial(value) or not value.strip()


@pytest.mark.parametrize("value", ["QTFCQ57140285", "1", "12345678", "CN0123456789", "NA123", "X1", "0A00"])
def test_m24_a_serial_is_no_placeholder(value):
    assert not is_placeholder_serial(value)


def test_m24_placeholders_are_counted_as_not_captured(tmp_path):
    rows = ["A1,To be filled by O.E.M.,P", "A2,Default string,P", "A3,S3,P"]
    keys, remarks = assets(tmp_path, rows, "SELECT serial_key FROM stg.installs ORDER BY asset_id", FINDINGS)
    assert keys == [(None,), (None,), ("s3",)]
    assert remarks == [("placeholder_identifier", "serial", "Default string")]


def test_b9_blank_placeholder_and_repeated_keys_are_listed_with_their_rows(tmp_path):
    rows = ["A1,S1,P", ",,P", "A2,S2,P", ",To be filled by O.E.M.,P", "a1 ,S1,P", "A2,S9,P", "N/A,S4,P"]
    kept, ledger, faults = assets(
        tmp_path, rows, "SELECT asset_id FROM stg.installs ORDER BY ALL",
        "SELECT rows_read, accepted, quarantined, balanced FROM meta.ledger", FAULTS,
    )  # fmt: skip
    assert kept == [("A1",)]
    assert ledger == [(7, 1, 6, True)]
    assert [(row, column, rule) for row, column, rule, _ in faults] == [
        (3, "asset_id", "required"), (4, "asset_id", "key_conflict"), (5, "asset_id", "required"),
        (6, "asset_id", "duplicate_row"), (7, "asset_id", "key_conflict"), (8, "asset_id", "identifier"),
    ]  # fmt: skip
