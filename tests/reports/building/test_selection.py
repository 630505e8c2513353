"""Conditions that the database answers say the same as the rows themselves."""

from datetime import date, datetime

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.build.redaction import Hidden
from reports.build.selection import Naming, Within, literal
from reports.build.warehouse import Warehouse


@pytest.fixture(scope="module")
def warehouse() -> Warehouse:
    con = duckdb.connect()
    con.execute("CREATE SCHEMA mart")
    con.execute(
        "CREATE TABLE mart.gates (system_id VARCHAR, state VARCHAR, now BOOLEAN, seen TIMESTAMP, n DECIMAL(18, 3))"
    )
    con.executemany(
        "INSERT INTO mart.gates VALUES (?, ?, ?, ?, ?)",
        [
            ("A", "passed", True, datetime(2026, 10, 23), 1),
            ("A", "waived", False, datetime(2026, 10, 30, 23, 59), 2),
            ("B's", "passed", None, datetime(2026, 10, 24), 4),
            ("c", None, True, None, 8),
            (None, "passed", False, datetime(2026, 10, 31), 16),
        ],
    )
    return Warehouse(con)


def amounts(warehouse: Warehouse, **only: object) -> list[int]:
    return sorted(row.count("n") for row in warehouse.rows("mart.gates", **only))  # type: ignore[arg-type]


def test_one_value_any_of_several_a_truth_and_a_span(warehouse: Warehouse) -> None:
    assert amounts(warehouse) == [1, 2, 4, 8, 16]
    assert amounts(warehouse, state="passed") == [1, 4, 16]
    assert amounts(warehouse, state=("waived", "passed"), now=False) == [2, 16]
    assert amounts(warehouse, system_id=("B's",)) == [4]
    assert amounts(warehouse, system_id=()) == []
    assert amounts(warehouse, seen=Within(date(2026, 10, 23), date(2026, 10, 30))) == [2, 4]
    assert amounts(warehouse, seen=Within(None, date(2026, 10, 24))) == [1, 4]


def test_an_absent_column_reads_as_null_and_an_absent_table_has_no_rows(warehouse: Warehouse) -> None:
    assert amounts(warehouse, block="all") == []
    assert warehouse.rows("mart.criteria", state="met") == ()
    assert warehouse.groups("mart.criteria", ("state",)) == ()
    assert warehouse.first("mart.criteria", 3, ("state",)) == ()
    assert not warehouse.holds("mart.criteria")
    assert warehouse.holds("mart.gates")
    (row,) = warehouse.groups("mart.gates", ("block",), ("n",))
    assert (row.text("block"), row.count("n"), row.count("rows")) == ("", 31, 5)


def test_a_column_without_any_value_has_no_type_to_rely_on() -> None:
    con = duckdb.connect()
    con.execute("CREATE SCHEMA mart")
    con.execute("CREATE TABLE mart.gates AS SELECT 'A' AS system_id, NULL AS state, NULL AS seen")
    bare = Warehouse(con)
    assert amounts(bare, state="passed") == amounts(bare, state=("passed",)) == amounts(bare, state=True) == []
    assert amounts(bare, seen=Within(date(2026, 10, 23), date(2026, 10, 30))) == []
    assert amounts(bare, named=Naming(("state", "system_id"), ("a",))) == [0]


def test_words_of_a_name_are_looked_for_in_all_of_its_parts(warehouse: Warehouse) -> None:
    names = ("system_id", "state", "absent")
    assert amounts(warehouse, named=Naming(names, ("pass", "wai"))) == [1, 2, 4, 16]
    assert amounts(warehouse, named=Naming(names, ("b'",))) == [4]
    assert amounts(warehouse, named=Naming(names, ("pass",), ("b'",))) == [1, 16]
    assert amounts(warehouse, named=Naming(("absent",), ("pass",))) == []


def test_groups_count_and_sum_and_the_first_rows_come_in_order(warehouse: Warehouse) -> None:
    found = {
        r.text("state"): (r.count("rows"), r.count("n")) for r in warehouse.groups("mart.gates", ("state",), ("n",))
    }
    assert found == {"passed": (3, 21), "waived": (1, 2), "": (1, 8)}
    assert [r.count("n") for r in warehouse.first("mart.gates", 2, ("seen",), state="passed")] == [1, 4]


def test_rows_that_a_reader_may_not_see_are_never_counted() -> None:
    con = duckdb.connect()
    con.execute("CREATE SCHEMA mart")
    con.execute("CREATE TABLE mart.late AS SELECT 'Rival' AS vendor, 1 AS n")
    seen = Warehouse(con, Hidden(frozenset({"vendors"}), "Lumenar"))
    assert seen.rows("mart.late") == ()
    with pytest.raises(ValueError, match=r"mart\.late"):
        seen.groups("mart.late", ("n",))
    with pytest.raises(ValueError, match=r"mart\.late"):
        seen.first("mart.late", 1, ("n",))


@given(st.text())
def test_any_text_is_itself_in_sql(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    assert duckdb.execute(f"SELECT {literal(text)}").fetchone() == (text,)
