"""Lines that several sources tell of: the first row that counts stands, and only once."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from tests.readiness.tiny import AS_OF, programme, staged
from tests.supply.parts import OCT, receipt
from turnup.readiness.settings import write_settings
from turnup.warehouse.models import in_order, read_model

_CORE = Path(__file__).parents[2] / "turnup/warehouse/sql/core"


def test_the_first_row_that_counts_stands_once():
    order = {"po": "P1", "line": "1", "part_number": "X", "ordered": OCT[1], "quantity": 4}
    con = staged(
        {
            "purchase_orders": [
                order | {"status": "cancelled", "_ingest": "a"},
                order | {"status": "open", "quantity": 6, "_ingest": "b"},
                order | {"status": "open", "quantity": 9, "_ingest": "c"},
                order | {"po": "P2", "status": "open"},
            ],
            "receipts": [
                receipt("R1", "X", 5, _ingest="b"), receipt("R1", "X", 2, "P1", _ingest="c"),
                receipt("R1", "X", 1, "P1", _ingest="d"), receipt("R2", "X", 3, "P1"),
            ],
        }
    )  # fmt: skip
    con.execute("CREATE SCHEMA IF NOT EXISTS core")
    write_settings(con, programme(), AS_OF)
    names = ("repeated_lines", "receipt_lines", "line_receipts", "purchase_lines")
    for model in in_order([read_model(_CORE / f"{name}.sql") for name in names]):
        con.execute(f"CREATE TABLE {model.table} AS {model.sql}")
    lines = con.sql("SELECT po_key, quantity FROM core.purchase_lines ORDER BY ALL").fetchall()
    assert lines == [("p1", Decimal(6)), ("p2", Decimal(4))]
    assert con.sql("SELECT receipt_key, arrived FROM core.receipt_lines ORDER BY ALL").fetchall() == [
        ("r1", Decimal(5)), ("r2", Decimal(3)),
    ]  # fmt: skip
    assert con.sql("SELECT po_key, received FROM core.line_receipts").fetchall() == [("p1", Decimal(5))]
