"""Rows move between a programme's store and a lake with their order and ids, and upkeep of a lake changes no row."""

from datetime import UTC, datetime, timedelta

import pytest

pytest.importorskip("duckdb_extension_ducklake", reason="the extra 'cluster' is not installed")

from turnup.warehouse.connection import connect
from turnup.warehouse.lake import LakeStore, create_lake
from turnup.warehouse.lake_settings import Lake
from turnup.warehouse.lake_upkeep import Tidied, tidy_lake
from turnup.warehouse.moving import lake_to_store, store_to_lake
from turnup.warehouse.parts import PartStore

DATASETS = ("bom", "racks")
LATER = datetime.now(UTC) + timedelta(days=2)


@pytest.fixture
def lake(tmp_path):
    settings = Lake(catalog=str(tmp_path / "catalog.ducklake"), data=str(tmp_path / "rows"))
    create_lake(settings)
    return settings


def write(store, *ingests):
    with connect() as con:
        for ingest in ingests:
            rows = f"SELECT '{ingest}' AS _ingest, unnest([3, 1, 2]) AS n, unnest([NULL, 'a', 'b']) AS word"
            ledger = f"SELECT '{ingest}' AS _ingest, 'accepted' AS status"
            store.write(con, "bom", [ingest, f"{ingest}-empty"], {"bom": rows, "_ledger": ledger})
        store.write(con, "racks", ["r"], {"racks": "SELECT 'r' AS _ingest, 7 AS n"})


def contents(store):
    with connect() as con:
        store.attach(con)
        return [con.sql(f"FROM {store.scan(con, table, [name])}").fetchall() for name, table in
                (("bom", "bom"), ("bom", "_ledger"), ("racks", "racks"))]  # fmt: skip


def files(lake_folder):
    return sorted(lake_folder.rglob("*.parquet"))


def test_a_store_moves_into_a_lake_and_back_with_ids_and_order(tmp_path, lake):
    parts, target = PartStore(tmp_path / "store"), LakeStore(lake)
    write(parts, "i1", "i2", "i3")
    assert store_to_lake(tmp_path / "store", lake, DATASETS) == 4
    assert target.known(DATASETS) == parts.known(DATASETS)
    assert contents(target) == contents(parts)
    assert store_to_lake(tmp_path / "store", lake, DATASETS) == 0
    assert lake_to_store(tmp_path / "back", lake, DATASETS) == 4
    back = PartStore(tmp_path / "back")
    assert back.known(DATASETS) == parts.known(DATASETS)
    assert contents(back) == contents(parts)
    assert lake_to_store(tmp_path / "back", lake, DATASETS) == 0


def test_a_move_that_was_ended_goes_on_where_it_stood(tmp_path, lake, monkeypatch):
    parts, target = PartStore(tmp_path / "store"), LakeStore(lake)
    write(parts, "i1", "i2", "i3")
    written, whole = [], LakeStore.write

    def ended(self, con, dataset, ingests, tables):
        if len(written) == 2:
            raise KeyboardInterrupt
        written.append(ingests)
        return whole(self, con, dataset, ingests, tables)

    with monkeypatch.context() as patched:
        patched.setattr(LakeStore, "write", ended)
        with pytest.raises(KeyboardInterrupt):
            store_to_lake(tmp_path / "store", lake, DATASETS)
    assert store_to_lake(tmp_path / "store", lake, DATASETS) == 2
    assert contents(target) == contents(parts)


def test_upkeep_merges_files_and_changes_no_row(tmp_path, lake):
    store = LakeStore(lake)
    write(store, "i1", "i2", "i3")
    before, known = contents(store), store.known(DATASETS)
    lost = tmp_path / "rows" / "parts" / "bom_of_a_killed_writer.parquet"
    lost.write_bytes(b"half a file")
    many = files(tmp_path / "rows")
    an_hour_ago = datetime.now(UTC) - timedelta(hours=1)
    done = tidy_lake(lake, an_hour_ago)
    # Three files each of the rows, the ledger and the batches (four, with that of the racks); one is made of each.
    assert (done.merged, done.made, done.removed) == (3 + 3 + 4, 3, 0)
    assert set(many) <= set(files(tmp_path / "rows")), "a reader of the last hour may have them open"
    assert contents(store) == before
    done = tidy_lake(lake, LATER)
    assert (done.merged, done.removed) == (0, 10 + 1)
    assert not lost.exists()
    assert len(files(tmp_path / "rows")) == 4
    assert contents(store) == before
    assert store.known(DATASETS) == known
    assert tidy_lake(lake, LATER) == Tidied(0, 0, 0, 0)
    write(store, "i1", "i4")
    assert store.known(DATASETS).keys() == known.keys() | {"i4", "i4-empty"}
