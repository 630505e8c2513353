"""Demand from a bill of material: many levels, one multiplication, nothing merged."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from expectations.contract import SQL_TYPES, load_contracts
from tests.readiness.cluster import cluster
from tests.readiness.tiny import built, rows
from turnup.warehouse.models import read_model

MODEL = read_model(Path(__file__).parents[2] / "turnup/warehouse/sql/core/bom_lines.sql")
BOM = load_contracts()["bom"]


def lines_of(given_lines: list[dict[str, object]]) -> dict[str, tuple[Decimal, bool]]:
    """Run the model alone over lines of one system; line to (needed, fitted)."""
    con = duckdb.connect(config={"threads": "1"})
    fields = ", ".join(f'"{column.name}" {SQL_TYPES[column.type]}' for column in BOM.columns)
    keys = ", ".join(f'"{name}_key" VARCHAR' for name in BOM.ids)
    con.execute(
        f"CREATE SCHEMA stg; CREATE TABLE stg.bom ({fields}, {keys}, _ingest VARCHAR, _row BIGINT, _sheet VARCHAR)"
    )
    for number, line in enumerate(given_lines):
        whole = {"_ingest": "i", "_row": number, "system_id_key": "s", "part_number_key": f"p{number}", **line}
        whole["line_key"] = str(whole["line"]).lower()
        names = ", ".join(f'"{name}"' for name in whole)
        con.execute(f"INSERT INTO stg.bom ({names}) VALUES ({', '.join('?' * len(whole))})", list(whole.values()))
    con.execute(
        """CREATE SCHEMA core; CREATE TABLE core.repeated_lines AS
        SELECT 'bom' AS dataset, system_id_key AS document_key, line_key
        FROM stg.bom GROUP BY ALL HAVING count(*) > 1"""
    )
    found = con.sql(f"SELECT line_key, needed, fitted FROM ({MODEL.sql})").fetchall()
    lines = {line: (needed, fitted) for line, needed, fitted in found}
    assert len(lines) == len(found) == len(given_lines)
    return lines


@given(st.data())
@hypothesis_settings(max_examples=25)
def test_m42_demand_of_random_trees(data):
    size = data.draw(st.integers(1, 20))
    needed: list[int] = []
    given_lines = []
    for at in range(size):
        parent = data.draw(st.one_of(st.none(), st.integers(0, at - 1))) if at else None
        quantity = data.draw(st.integers(0, 3))
        basis = data.draw(st.sampled_from(["per_parent", "extended", "per_system"])) if parent is not None else None
        needed.append(quantity * needed[parent] if basis == "per_parent" else quantity)
        given_lines.append({"line": f"L{at}", "quantity": quantity, "quantity_basis": basis,
                            "parent_line": None if parent is None else f"L{parent}"})  # fmt: skip
    found = lines_of(given_lines)
    assert [int(found[f"l{at}"][0]) for at in range(size)] == needed


def test_m42_forty_levels_are_not_cut():
    chain = [{"line": "0", "quantity": 2}]
    chain += [
        {"line": str(at), "parent_line": str(at - 1), "quantity": 1, "quantity_basis": "per_parent"}
        for at in range(1, 40)
    ]
    assert lines_of(chain)["39"] == (2, True)


def test_m42_a_line_that_contains_itself_is_told_and_counted_once():
    data = cluster(1)
    loop = {"system_id": "TRAIN-1", "quantity": 3, "quantity_basis": "per_parent"}
    data["bom"] += [
        loop | {"line": "a", "parent_line": "b", "part_number": "A"},
        loop | {"line": "b", "parent_line": "a", "part_number": "B"},
    ]
    con = built(data)
    assert [
        row["subject"] for row in rows(con, "SELECT subject FROM mart.findings WHERE code = 'bom_loop' ORDER BY 1")
    ] == [
        "A",
        "B",
    ]
    assert rows(con, "SELECT needed FROM mart.supply WHERE part_number = 'A'") == [{"needed": 3}]


def test_m41_nothing_asked_for_is_not_fitted():
    found = lines_of([{"line": "1", "quantity": 0}, {"line": "2", "quantity": 4, "parent_line": "1"}])
    assert found == {"1": (0, False), "2": (4, False)}


def test_b6_line_numbers_of_two_files_are_all_counted():
    found = lines_of(
        [
            {"line": "1", "quantity": 2, "_ingest": "one"},
            {"line": "1", "quantity": 5, "_ingest": "two"},
            {"line": "2", "quantity": 3, "parent_line": "1", "quantity_basis": "per_parent", "_ingest": "two"},
        ]
    )
    assert found == {"1": (2, True), "1 #2": (5, True), "2": (15, True)}


@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                ["x", "x #2", "x #3", "x ##2", "x #2 #2", "x #", "x #02", "x 2", "#2", " #2", "\u0663", "x #\u0663"]
            ),
            st.sampled_from(["one", "two", "three"]),
            st.integers(1, 9),
        ),
        max_size=12,
    )
)
@hypothesis_settings(max_examples=40, deadline=None)
def test_b6_any_line_numbers_any_number_of_times_are_all_counted(told):
    """A line called as another's second of a kind would be called takes its name from nobody."""
    found = lines_of([{"line": line, "_ingest": file, "quantity": quantity} for line, file, quantity in told])
    assert sum(needed for needed, _ in found.values()) == sum(quantity for *_, quantity in told)
    assert {line for line, *_ in told} <= found.keys()


def test_b6_a_line_that_is_called_as_a_second_one_keeps_its_name():
    found = lines_of(
        [
            {"line": "x", "quantity": 1, "_ingest": "one"},
            {"line": "x", "quantity": 2, "_ingest": "two"},
            {"line": "x #2", "quantity": 4, "_ingest": "one"},
            {"line": "c", "quantity": 3, "parent_line": "x", "quantity_basis": "per_parent", "_ingest": "two"},
        ]
    )
    assert found == {"x": (1, True), "x ##2": (2, True), "x #2": (4, True), "c": (6, True)}


@pytest.fixture(scope="module")
def checked():
    data = cluster(1)
    bill = {"system_id": "TRAIN-1"}
    data["bom"] += [
        bill | {"line": "r", "part_number": "RACK", "quantity": 2, "extended_quantity": 2},
        bill | {"line": "o", "part_number": "OPT", "quantity": 4, "parent_line": "r", "quantity_basis": "per_parent",
                "extended_quantity": 9, "category": "optic", "bill_section": "switch_transceiver"},
        bill | {"line": "e", "part_number": "END", "quantity": 1, "lifecycle": "Last Time Buy",
                "revision_status": "Out of date"},
        bill | {"line": "n", "part_number": "NIC", "quantity": 1},
    ]  # fmt: skip
    cable = {"view": "planned", "state": "planned", "system_id": "TRAIN-1", "b_role": "spine", "b_device": "spine-1"}
    data["links"] += [
        cable | {"a_device": f"leaf-{at}", "a_port": "E1/1/1", "a_role": "leaf", "b_port": f"E1/{at // 2}/{1 + at % 2}",
                 "a_cage": "E1/1", "b_cage": f"E1/{at // 2}"}
        for at in range(10)
    ]  # fmt: skip
    module = {
        "system_id": "TRAIN-1",
        "part_number": "NIC",
        "parent_serial": "SN",
        "status": "planned",
        "site_id": "DFW1",
    }
    data["installs"] += [module | {"asset_id": f"m{at}"} for at in range(3)]
    con = built(data)
    found = rows(con, "SELECT code, subject, message FROM mart.findings ORDER BY code, subject")
    return {(row["code"], row["subject"]): row["message"] for row in found}, con


def test_m42_a_stated_total_is_compared(checked):
    assert checked[0]["extended_mismatch", "OPT"].endswith("multiplied through its parent lines are 8")


def test_m46_revision_and_life_cycle_are_findings_and_a_metric(checked):
    assert ("revision_out_of_date", "END") in checked[0]
    assert checked[0]["part_at_end_of_life", "END"] == "line e: END is Last Time Buy"
    share = "SELECT avg(value) FROM evidence.bom_current_share"
    assert checked[1].sql(share).fetchall() == [(4 / 5,)]


def test_m57_optics_count_per_cage(checked):
    """Ten cables between ten leaves and one spine, whose ports are breakouts of two: 10 + 5 cages for 8 optics."""
    assert rows(checked[1], "SELECT item, in_bill, elsewhere FROM mart.bill_checks WHERE check_name = 'optics'") == [
        {"item": "switch", "in_bill": 8, "elsewhere": 15}
    ]


def test_modules_in_the_register_beyond_the_bill(checked):
    assert checked[0]["bill_mismatch", "NIC"] == "NIC: 1 in the bill of material, 3 modules of the register"
