"""Parts count only when their batch record is there, and an ingest in two batches counts once."""

from turnup.warehouse.connection import connect
from turnup.warehouse.parts import PartStore

QUERY = "SELECT 'i1' AS _ingest, unnest([1, 2]) AS n"


def test_a_part_without_its_record_does_not_exist(tmp_path):
    store = PartStore(tmp_path)
    with connect() as con:
        batch = store.write(con, "bom", ["i1"], {"bom": QUERY})
        (tmp_path / "batches" / "bom" / f"{batch.batch_id}.json").unlink()
        assert store.scan(con, "bom", ["bom"]) is None
        assert store.known(["bom"]) == {}
        again = store.write(con, "bom", ["i1"], {"bom": QUERY})
        assert again == batch
        assert con.sql(f"SELECT count(*) FROM {store.scan(con, 'bom', ['bom'])}").fetchall() == [(2,)]


def test_an_ingest_in_two_batches_belongs_to_one(tmp_path):
    store = PartStore(tmp_path)
    with connect() as con:
        alone = store.write(con, "bom", ["i1"], {"bom": QUERY})
        both = store.write(con, "bom", ["i1", "i2"], {"bom": QUERY})
    assert store.known(["bom"])["i1"] == min(alone.batch_id, both.batch_id)
    assert store.known(["bom"])["i2"] == both.batch_id


def test_a_large_part_has_the_same_bytes_each_time(tmp_path):
    rows = "SELECT 'i' AS _ingest, range AS n, 'x' || range AS word FROM range(400000)"
    written = set()
    for number in range(3):
        with connect() as con:
            con.execute(f"SET threads = 4; CREATE TABLE rows AS {rows}; CREATE TABLE refused AS SELECT 7 AS n")
            con.execute("INSERT INTO refused SELECT range * 200 FROM range(2000)")
            accepted = "SELECT * FROM rows WHERE n NOT IN (SELECT n FROM refused)"
            store = PartStore(tmp_path / str(number))
            batch = store.write(con, "shipments", ["i"], {"shipments": accepted})
            written.add((tmp_path / str(number) / batch.parts["shipments"]).read_bytes())
    assert len(written) == 1
