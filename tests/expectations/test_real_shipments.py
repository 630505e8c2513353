"""Ten thousand real shipped lines through the row rules: all read, lateness as counted by hand."""

import duckdb
import pytest

from expectations.contract import load_contracts
from expectations.row_rules import typed_select
from expectations.typing_rules import TypingRules

MAPPED = {
    "shipment": "asn/dn #",
    "line": "id",
    "po": "po / so #",
    "description": "item description",
    "quantity": "line item quantity",
    "destination": "country",
    "vendor": "vendor",
    "mode": "shipment mode",
    "incoterm": "vendor inco term",
    "scheduled": "scheduled delivery date",
    "delivered": "delivered to client date",
    "recorded": "delivery recorded date",
    "value": "line item value",
}


@pytest.fixture(scope="module")
def typed(cases):
    contract = load_contracts()["shipments"]
    texts = [
        f'"{MAPPED[c.name]}" AS "{c.name}"' if c.name in MAPPED else f'NULL::VARCHAR AS "{c.name}"'
        for c in contract.columns
    ]
    keys = [f'lower(trim("{name}")) AS "{name}_key"' for name in contract.ids]
    con = duckdb.connect()
    file = cases / "supply" / "logistics" / "SCMS_Delivery_History_Dataset.csv"
    read = "CREATE TABLE file AS SELECT * FROM read_csv($file, all_varchar = true, header = true)"
    con.execute(read, {"file": str(file)})
    rows = f"(SELECT *, {', '.join(keys)} FROM (SELECT {', '.join(texts)}, 'scms' AS _ingest,"
    rows += (
        " row_number() OVER () + 1 AS _row, _row AS _n, NULL::VARCHAR AS _sheet, NULL::VARCHAR AS _given FROM file))"
    )
    con.execute(f"CREATE TABLE typed AS {typed_select(contract, rows, TypingRules(), MAPPED)}")
    yield con
    con.close()


def one(con, query: str) -> object:
    return con.sql(query).fetchall()[0][0]


def test_every_row_is_read(typed) -> None:
    assert one(typed, "SELECT count(*) FROM typed") == 10_324
    failures = "SELECT DISTINCT failure.message FROM (SELECT unnest(_failures) AS failure FROM typed)"
    assert typed.sql(failures).fetchall() == []


@pytest.mark.parametrize(("order", "rows"), [(">", 1186), ("=", 6324), ("<", 2814)])
def test_lateness(typed, order, rows) -> None:
    assert one(typed, f"SELECT count(*) FROM typed WHERE delivered {order} scheduled") == rows


def test_sums_and_countries(typed) -> None:
    assert one(typed, "SELECT sum(quantity)::BIGINT FROM typed") == 189_265_090
    assert str(one(typed, "SELECT sum(value) FROM typed")) == "1627584457.29"
    assert one(typed, "SELECT count(DISTINCT destination) FROM typed") == 43
    assert one(typed, "SELECT count(*) FROM typed WHERE destination = 'Côte d''Ivoire'") == 1083


def test_a_declaration_is_needed_where_the_file_writes_month_first(typed) -> None:
    """`po sent` holds 4,592 dates as M/D/YYYY; as declared they are all read, undeclared none is."""
    contract = load_contracts()["blocks"]
    given = {"system_id": "'s'", "block": "id", "need_date": '"po sent to vendor date"'}
    columns = ", ".join(f'{given.get(column.name, "NULL::VARCHAR")} AS "{column.name}"' for column in contract.columns)
    rows = (
        f"(SELECT {columns}, 's' AS system_id_key, id AS block_key, 'f' AS _ingest, 1 AS _row, 1 AS _n,"
        " NULL::VARCHAR AS _sheet, NULL::VARCHAR AS _given FROM file)"
    )
    words = ("N/A - From RDC", "Date Not Captured")
    for order, read in (("mdy", 4592), (None, 0)):
        query = typed_select(contract, rows, TypingRules(date_order=order, null_tokens=words))
        found = typed.sql(f"SELECT count(need_date), count(*) FILTER (_failures IS NOT NULL) FROM ({query})").fetchall()
        assert found == [(read, 4592 - read)]
