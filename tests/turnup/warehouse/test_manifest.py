"""A manifest is the commit of a week: exclusive, and equal inputs have equal fingerprints."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from turnup.warehouse.manifest import InForce, Manifest, ManifestStore, fingerprint

ITEM = InForce("d1", "boms", "bom", "i1", "b1")
MANIFEST = Manifest(
    "2026-W44", 1, "closed", "f", {"code": "1"}, (ITEM,), None, {"systems": "results/f/systems.parquet"}
)


def test_a_manifest_reads_back_equal(tmp_path):
    store = ManifestStore(tmp_path)
    assert store.create(MANIFEST)
    assert store.latest("2026-W44") == MANIFEST


def test_of_many_that_race_one_commits(tmp_path):
    store = ManifestStore(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        won = list(pool.map(lambda n: store.create(replace(MANIFEST, fingerprint=str(n))), range(8)))
    assert sum(won) == 1
    assert store.latest("2026-W44").fingerprint == str(won.index(True))
    assert [file.name for file in (tmp_path / "weeks").iterdir()] == ["2026-W44.1.json"]


def test_the_newest_of_each_earlier_week_is_history(tmp_path):
    store = ManifestStore(tmp_path)
    for week, ordinal in (("2026-W42", 1), ("2026-W42", 2), ("2026-W43", 1), ("2026-W44", 1), ("2025-W52", 10)):
        store.create(replace(MANIFEST, week=week, ordinal=ordinal))
    assert [item.name for item in store.latest_before("2026-W44")] == ["2025-W52.10", "2026-W42.2", "2026-W43.1"]


def test_the_fingerprint_knows_content_not_storage():
    same = replace(ITEM, batch="other")
    other = replace(ITEM, ingest="i2")
    assert fingerprint({"a": "1"}, (ITEM,)) == fingerprint({"a": "1"}, (same,))
    assert fingerprint({"a": "1"}, (ITEM,)) != fingerprint({"a": "1"}, (other,))
    assert fingerprint({"a": "1"}, (ITEM, other)) == fingerprint({"a": "1"}, (other, ITEM))
