"""A lake holds a batch once, whole or not at all, however often and by however many writers it is written."""

import contextlib
import threading

import duckdb
import pytest

pytest.importorskip("duckdb_extension_ducklake", reason="the extra 'cluster' is not installed")

from turnup.programme import Home
from turnup.warehouse import lake as module
from turnup.warehouse.connection import connect
from turnup.warehouse.lake import LakeStore, create_lake
from turnup.warehouse.lake_settings import Lake
from turnup.yaml_source import ConfigurationError

ROWS = "SELECT 'i1' AS _ingest, unnest([3, 1, 2]) AS n"
LEDGER = "SELECT 'i1' AS _ingest, 'accepted' AS status"
BOTH = {"bom": ROWS, "_ledger": LEDGER}


@pytest.fixture
def lake(tmp_path):
    settings = Lake(catalog=str(tmp_path / "catalog.ducklake"), data=str(tmp_path / "rows"))
    create_lake(settings)
    return settings


def numbers(con, store, table="bom", datasets=("bom",)):
    return [row[0] for row in con.sql(f"SELECT n FROM {store.scan(con, table, datasets)}").fetchall()]


def test_rows_come_back_as_they_were_written(lake):
    store = LakeStore(lake)
    with connect() as con:
        store.attach(con)
        assert store.scan(con, "bom", ["bom"]) is None
        batch = store.write(con, "bom", ["i1", "i2"], BOTH)
        assert numbers(con, store) == [3, 1, 2]
        assert store.scan(con, "bom", ["racks"]) is None
        assert con.sql(f"SELECT * FROM {store.scan(con, '_ledger', ['bom'])}").columns == [
            "_ingest",
            "status",
            "_batch",
        ]
    assert store.known(["bom", "racks"]) == {"i1": batch.batch_id, "i2": batch.batch_id}
    assert store.known(["racks"]) == {}


def test_the_same_load_twice_changes_nothing(lake):
    store = LakeStore(lake)
    for _ in range(2):
        with connect() as con:
            store.write(con, "bom", ["i1"], BOTH)
    with connect() as con:
        store.attach(con)
        assert numbers(con, store) == [3, 1, 2]
        assert con.sql("SELECT count(*) FROM lake.parts.batches").fetchall() == [(1,)]


def test_a_writer_that_dies_before_the_commit_leaves_nothing_to_read(lake, monkeypatch):
    store = LakeStore(lake)

    class Killed(BaseException):
        pass

    class DiesAtCommit:
        def __init__(self, con):
            self.con = con

        def __getattr__(self, name):
            return getattr(self.con, name)

        def execute(self, query, *given):
            if query == "COMMIT":
                raise Killed
            return self.con.execute(query, *given)

    with connect() as con, pytest.raises(Killed):
        store.write(DiesAtCommit(con), "bom", ["i1"], BOTH)
    assert store.known(["bom"]) == {}
    with connect() as con:
        store.attach(con)
        assert store.scan(con, "bom", ["bom"]) is None
        store.write(con, "bom", ["i1"], BOTH)
        assert numbers(con, store) == [3, 1, 2]


def test_two_that_commit_the_same_batch_at_once_are_read_once(lake, monkeypatch):
    """The catalog takes both: neither sees the other's rows, and an append conflicts with no append."""
    store = LakeStore(lake)
    with connect() as con:
        store.write(con, "bom", ["i0"], {"bom": ROWS.replace("i1", "i0"), "_ledger": LEDGER})
        names = {table: module._place(con, table, query) for table, query in BOTH.items()}
        batch = module.Batch(module.batch_id("bom", ["i1"]), "bom", ("i1",), names)
        one, other = con.cursor(), con.cursor()
        for each in (one, other):
            each.execute("BEGIN")
            module._append(each, batch, BOTH)
        one.execute("COMMIT")
        other.execute("COMMIT")
        assert con.sql(f"SELECT count(*) FROM lake.parts.{names['bom']} WHERE _ingest = 'i1'").fetchall() == [(6,)]
        found = con.sql(f"SELECT _ingest, n FROM {store.scan(con, 'bom', ['bom'])} WHERE _ingest = 'i1'").fetchall()
        assert found == [("i1", 3), ("i1", 1), ("i1", 2)]
        assert len(con.sql(f"FROM {store.scan(con, '_ledger', ['bom'])}").fetchall()) == 2


def test_writers_at_once_try_again_until_all_is_in(lake, monkeypatch):
    """The table is new: the first attempts make it all at once, and the catalog refuses all of them but one.

    A catalog in a file is open in one process only, so the writers share a database here; they must not change its
    number of threads at one moment, which the engine does not end. Workers have a database each.
    """
    monkeypatch.setattr(module, "one_thread", contextlib.nullcontext)
    store = LakeStore(lake)
    with connect() as con:
        con.execute("SET threads = 1")
        store.attach(con)
        together, failed = threading.Barrier(4), []

        def write(number):
            mine = con.cursor()
            together.wait()
            try:
                for turn in range(3):
                    ingest = f"i{number}-{turn}"
                    store.write(mine, "bom", [ingest], {"bom": f"SELECT '{ingest}' AS _ingest, {number} AS n"})
            except duckdb.Error as error:
                failed.append(error)
            finally:
                mine.close()

        threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []
        assert sorted(numbers(con, store)) == sorted([0, 1, 2, 3] * 3)
        assert len(module.holders(module._batches(con, ["bom"]))) == 12


def test_other_columns_of_another_version_are_read_together(lake):
    store = LakeStore(lake)
    with connect() as con:
        store.write(con, "bom", ["i1"], {"bom": ROWS})
        store.write(con, "bom", ["i2"], {"bom": "SELECT 'i2' AS _ingest, 9 AS n, 'x' AS rev"})
        found = con.sql(f"SELECT n, rev FROM {store.scan(con, 'bom', ['bom'])} ORDER BY n").fetchall()
    assert found == [(1, None), (2, None), (3, None), (9, "x")]


def test_a_lake_that_nobody_made_is_an_error_that_says_what_helps(tmp_path):
    store = LakeStore(Lake(catalog=str(tmp_path / "none.ducklake"), data=str(tmp_path / "rows")))
    with pytest.raises(ConfigurationError, match="turnup lake makes it"):
        store.known(["bom"])


@pytest.mark.parametrize("catalog", ["postgres:host=db password=x", "postgres:postgresql://u:secret@db/turnup"])
def test_a_password_in_the_configuration_is_refused(tmp_path, catalog):
    text = f"name: A\ntime_zone: UTC\nlake: {{catalog: '{catalog}', data: /lake}}\n"
    (tmp_path / "programme.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match="PGPASSWORD"):
        Home(tmp_path).load()
