"""Parts count only when their batch record is there, and an ingest in two batches counts once."""

from turnup.warehouse.connection import connect
from turnup.warehouse.parts import PartStore

QUERY = "SELECT 'i1' AS _ingest, unnest([1, 2]) AS n"


def test_a_part_without_its_record_does_not_exist(tmp_path):
    store = PartStore(tmp_path)
    with connect() as con:
        batch = store.write(con, "bom", ["i1"], {"bom": QUERY})
        (tmp_path / "batches" / "bom" / f"{batch.batch_id}.json").unlink()
        assert store.scan("bom", ["bom"]) is None
        assert store.known("bom") == {}
        again = store.write(con, "bom", ["i1"], {"bom": QUERY})
        assert again == batch
        assert con.sql(f"SELECT count(*) FROM {store.scan('bom', ['bom'])}").fetchall() == [(2,)]


def test_an_ingest_in_two_batches_belongs_to_one(tmp_path):
    store = PartStore(tmp_path)
    with connect() as con:
        alone = store.write(con, "bom", ["i1"], {"bom": QUERY})
        both = store.write(con, "bom", ["i1", "i2"], {"bom": QUERY})
    assert store.known("bom")["i1"] == min(alone.batch_id, both.batch_id)
    assert store.known("bom")["i2"] == both.batch_id
