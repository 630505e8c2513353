"""The peer finds the rows that break a check, keeps them by name, and nets supply as its SQL says."""

import re
from pathlib import Path

import duckdb
import pandas as pd
import pytest

from perf.peer.checked import Checker

MODELS = Path(__file__).parents[2] / "perf" / "peer" / "models"


def column(name, kind="text", **rules):
    none = {"required": False, "values": [], "minimum": None, "maximum": None, "longest": None}
    return {"name": name, "type": kind, **none, **rules}


WANTED = {
    "key": ["id"],
    "columns": [
        column("id", required=True, longest=4),
        column("quantity", "int", minimum=0),
        column("state", values=["open", "closed"]),
        column("at", "date"),
    ],
}


def rows(*cells):
    frame = pd.DataFrame(cells, columns=["id", "quantity", "state", "at"], dtype=str)
    return frame.assign(file="2026-10-07/lines.csv", row=range(2, len(frame) + 2))


@pytest.fixture(scope="module")
def checker():
    return Checker()


def test_every_broken_check_names_its_row_and_column(checker):
    delivered = rows(
        ("A", "1", "open", "2026-10-01"), (None, "1", "open", None), ("C", "soon", "open", None),
        ("D", "-1", "closed", None), ("E", "1", "lost", None), ("F", "1", "open", "1 Oct"), ("G-123", None, None, None),
    )  # fmt: skip
    found = checker.refused("lines", delivered, WANTED)
    assert sorted(zip(found["row"], found["columns"], strict=True)) == [
        (3, "id"), (4, "quantity"), (5, "quantity"), (6, "state"), (7, "at"), (8, "id"),
    ]  # fmt: skip


def test_a_key_may_come_again_in_another_file_and_not_in_the_same(checker):
    again = pd.concat([rows(("A", "1", "open", None), ("A", "2", "open", None)), rows(("B", "1", "open", None))])
    again.loc[again["id"] == "B", "file"] = "2026-10-14/lines.csv"
    later = again[again["id"] == "B"].assign(id="A")
    found = checker.refused("again", pd.concat([again, later], ignore_index=True), WANTED)
    assert sorted(found["index"]) == [0, 1]


def test_sound_rows_are_all_kept(checker):
    assert checker.refused("sound", rows(("A", "1", "open", "2026-10-01")), WANTED).empty


def test_netting_gives_parts_first_in_first_out_to_the_earliest_contract():
    con = duckdb.connect()
    con.execute("""
        CREATE TABLE needs AS FROM (VALUES ('LATE', 'P', 5), ('EARLY', 'P', 4)) t(system_id, part_number, needed);
        CREATE TABLE stg_commitments AS FROM (VALUES ('LATE', DATE '2026-12-01'), ('EARLY', DATE '2026-11-01'))
            t(system_id, contract_date);
        CREATE TABLE orders AS FROM (VALUES ('EARLY', 'P', 1)) t(system_id, part_number, received);
        CREATE TABLE supply AS FROM (VALUES ('order', 'PO-1 1', 'P', 4, DATE '2026-11-20'),
            ('stock', 'S 1', 'P', 2, DATE '2026-10-01')) t(kind, lot, part_number, quantity, comes);
    """)
    con.execute(f"CREATE TABLE netting AS {_plain('netting')}")
    assert con.sql("SELECT system_id, lot, given FROM netting ORDER BY ALL").fetchall() == [
        ("EARLY", "PO-1 1", 1), ("EARLY", "S 1", 2), ("LATE", "PO-1 1", 3), ("LATE", None, 2),
    ]  # fmt: skip
    assert con.sql(f"{_plain('netting_of_systems')} ORDER BY ALL").fetchall()[1] == ("LATE", 1, 2, None)


def _plain(model):
    return re.sub(r"\{\{ ref\('(\w+)'\) \}\}", r"main.\1", (MODELS / f"{model}.sql").read_text())
