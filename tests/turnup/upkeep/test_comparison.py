"""Two makings of a week are compared row by row; what differs is named, and nothing else is."""

import hashlib

import pytest

from turnup.upkeep.comparison import compare_databases, compare_files
from turnup.warehouse.connection import connect

SAME = "SELECT * FROM (VALUES (1, 'a', NULL), (1, 'a', NULL), (2, NULL, MAP {'k': 1.5})) AS t(n, word, notes)"


def database(folder, name, **tables):
    file = folder / f"{name}.duckdb"
    with connect(file) as con:
        con.execute("CREATE SCHEMA stg")
        for table, query in tables.items():
            kind = "VIEW" if table.startswith("v_") else "TABLE"
            con.execute(f"CREATE {kind} stg.{table} AS {query}")
    return file


def differences(folder, kept, made):
    found = compare_databases(database(folder, "kept", **kept), database(folder, "made", **made))
    return {item.what: item.message for item in found.differences}, found.count


def test_equal_rows_in_another_order_are_equal(tmp_path):
    turned = f"SELECT * FROM ({SAME}) ORDER BY n DESC"
    assert differences(tmp_path, {"a": SAME, "v_a": "SELECT 1 AS n"}, {"a": turned, "v_a": "SELECT 1 AS n"}) == ({}, 2)


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (f"SELECT DISTINCT * FROM ({SAME})", "1 rows only as published; such as (1, 'a', None)"),
        (f"{SAME} UNION ALL SELECT 3, 'b', NULL", "1 rows only as made again; such as (3, 'b', None)"),
        (
            f"SELECT * REPLACE (coalesce(word, '') AS word) FROM ({SAME})",
            "1 rows only as published, 1 rows only as made",
        ),
        (f"SELECT *, 1 AS more FROM ({SAME})", "has other columns"),
        (f"SELECT * REPLACE (n::BIGINT AS n) FROM ({SAME})", "has other columns"),
    ],
)
def test_every_kind_of_difference_is_said(other, says, tmp_path):
    found, _ = differences(tmp_path, {"a": SAME, "b": SAME}, {"a": other, "b": SAME})
    assert set(found) == {"stg.a"}
    assert says in found["stg.a"]


def test_tables_of_one_side_and_other_views_are_said(tmp_path):
    found, _ = differences(
        tmp_path, {"a": SAME, "v_x": "SELECT 1 AS n"}, {"b": SAME, "v_x": "SELECT 2 AS n"}
    )  # fmt: skip
    assert found == {
        "stg.a": "is not there when the week is made again",
        "stg.b": "is not there in the week as published",
        "stg.v_x": "has another definition",
    }


def test_the_batch_that_holds_a_row_is_no_part_of_it(tmp_path):
    one, two = (f"SELECT n, word, '{batch}' AS _batch FROM ({SAME})" for batch in ("x", "y"))
    assert differences(tmp_path, {"a": one}, {"a": two}) == ({}, 1)


def test_files_are_compared_by_their_bytes():
    made = {"a.html": b"a", "b.html": b"b", "d.html": b"d"}
    issued = {name: hashlib.sha256(text).hexdigest() for name, text in (("a.html", b"a"), ("b.html", b"x"), ("c", b""))}
    found = compare_files(issued, made)
    assert [(item.what, item.message) for item in found.differences] == [
        ("b.html", "has other bytes than when it was issued"),
        ("c", "was issued and is not made any more"),
        ("d.html", "was not issued then"),
    ]


def test_a_report_that_only_names_another_version_is_equal():
    then, now = "0.1.0+aaaaaaaa", "0.1.0+bbbbbbbb"
    pages = {"full.json": f'"version": "{now}"', "short.html": f"code {now[:12]} here", "other.html": f"{now} more"}
    issued = {name: hashlib.sha256(text.replace("b", "a").encode()).hexdigest() for name, text in pages.items()}
    issued["other.html"] = hashlib.sha256(then.encode()).hexdigest()
    made = {name: text.encode() for name, text in pages.items()}
    assert [item.what for item in compare_files(issued, made, then, now).differences] == ["other.html"]
    assert len(compare_files(issued, made).differences) == 3
