"""A refresh that keeps what stands of a published week ends where one from nothing ends, table by table."""

import random
import shutil
from datetime import timedelta
from types import SimpleNamespace

import pytest

from expectations.contract import load_contracts
from tests.turnup.small_programme import CLOSED, CONFIGURATION, FILES, RECEIPTS, ask, drop, made, tables
from turnup import refresh as module
from turnup.programme import Home
from turnup.refresh import refresh
from turnup.version import code_version
from turnup.warehouse.base import MAKER, begin_as_published, hash_file, keep_hash, published_by_this_code
from turnup.warehouse.connection import connect
from turnup.warehouse.steps import Steps, begin

WEEK = "2026-W40"
BEGUN = CLOSED[WEEK] - timedelta(days=4)
MORE = """  installs: {dataset: installs, files: "installs*.csv", owner: Dock}
  shipments: {dataset: shipments, files: "asn*.csv", owner: Dock}
  purchase_orders: {dataset: purchase_orders, files: "orders*.csv", owner: Ana Ruiz}
  bom: {dataset: bom, files: "bom*.csv", owner: Ana Ruiz}
  raid: {dataset: raid, files: "raid*.csv", owner: Ana Ruiz}
forecast: {iterations: 100}
"""
HEADS = {
    "grn": RECEIPTS,
    "installs": "asset_id,serial,part_number,system_id,block,site_id,status,racked\n",
    "asn": "shipment,line,part_number,quantity,ship_to_site,vendor,status,shipped,eta\n",
    "orders": "po,line,part_number,quantity,vendor,status,ordered\n",
    "bom": "system_id,line,part_number,quantity,category,capacity_per_unit\n",
    "raid": "id,type,title,owner,opened,due,system_id\n",
}


def rows(draw, name):
    """A few rows of one file, some of them faulty."""
    part, day, number = draw.choice("PQ"), draw.randint(1, 29), draw.randint(1, 4)
    return {
        "grn": f"R{number},1,{part},ABQ,site,{draw.randint(1, 9)},2026-09-{day:02d}\n",
        "installs": f"A{number},SN{draw.randint(1, 3)},{part},GPU-1,SU1,ABQ,racked,2026-09-{day:02d}\n",
        "asn": f"S{number},1,{part},{draw.choice(['4', 'x'])},ABQ,V,in_transit,2026-09-{day:02d},2026-10-20\n",
        "orders": f"PO{number},1,{part},{draw.randint(1, 20)},V,open,2026-08-{day:02d}\n",
        "bom": f"GPU-1,{number},{part},{draw.randint(1, 20)},server,8\n",
        "raid": f"R-{number},risk,Late optics,Ana Ruiz,2026-09-01,2026-10-{day:02d},GPU-1\n",
    }[name]


def edit(home, draw, number):
    """Change a file, a setting or a playbook."""
    name = draw.choice([*HEADS, "settings", "playbook", "sites"])
    day = draw.randint(10, 20)
    if name == "settings":
        text = CONFIGURATION + MORE + f"thresholds: {{overdue_tolerance_days: {day}}}\n"
        home.configuration.write_text(text, encoding="utf-8")
    elif name == "playbook":
        book = sorted(home.playbooks.glob("*.yaml"))[0]
        book.write_text(book.read_text(encoding="utf-8") + f"# note {number}\n", encoding="utf-8")
    elif name == "sites":
        drop(home, "sites.csv", FILES["sites.csv"] + f"S{day},Other,first_party\n")
    else:
        lines = dict.fromkeys(rows(draw, name) for _ in range(draw.randint(1, 4)))
        drop(home, f"{name}.csv", HEADS[name] + "".join(lines))


@pytest.fixture
def home(tmp_path):
    home = made(tmp_path / "kept")
    home.configuration.write_text(CONFIGURATION + MORE, encoding="utf-8")
    return home


def held_to_one_from_nothing(home, result, folder):
    """Make the week's result again from nothing in a copy, and compare every table and every part."""
    shutil.copytree(home.store, folder / "store", ignore=shutil.ignore_patterns("checks"))
    shutil.copytree(home.playbooks, folder / "playbooks")
    shutil.copy(home.configuration, folder)
    anew = Home(folder)
    shutil.rmtree(folder / "store" / "results" / result.manifest.fingerprint)
    again = module.Refresh(anew, result.manifest.week, BEGUN).restore(result.manifest)
    one, other = tables(result.database), tables(again)
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []
    for part in result.manifest.results.values():
        assert (home.store / part).read_bytes() == (anew.store / part).read_bytes(), part


def counting(monkeypatch):
    """The names of the steps that are made from now on."""
    names, run = [], Steps.run
    monkeypatch.setattr(
        Steps, "run", lambda self, name, asked, make: run(self, name, asked, make) and (names.append(name) or True)
    )
    return names


def test_a_second_refresh_makes_what_changed_and_ends_where_one_from_nothing_ends(home, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "check_again", lambda *_: [])
    drop(home, "grn.csv", HEADS["grn"] + "R1,1,P,ABQ,site,5,2026-09-28\n")
    drop(home, "raid.csv", HEADS["raid"] + "R-1,risk,Late,Ana Ruiz,2026-09-01,2026-10-05,GPU-1\n")
    refresh(home, WEEK, BEGUN)
    drop(home, "raid.csv", HEADS["raid"] + "R-1,risk,Later,Ana Ruiz,2026-09-01,2026-10-06,GPU-1\n")
    names = counting(monkeypatch)
    result = refresh(home, WEEK, BEGUN + timedelta(hours=1))
    steps = set(names)
    held_to_one_from_nothing(home, result, tmp_path / "anew")
    assert ask(result.database, "SELECT title FROM core.raid_items") == [("Later",)]
    assert {"stg.raid", "core.raid_items"} <= steps
    assert not ({f"stg.{name}" for name in load_contracts()} - {"stg.raid"}) & steps
    assert not {"netting", "core.orders", "core.goods", "kinds", "network"} & steps


def published(home, monkeypatch, name="2026-W40.1.abc"):
    """A published file of this code, committed as the manifest that is asked says."""
    file = home.published / f"{name}.duckdb"
    file.parent.mkdir(parents=True, exist_ok=True)
    with connect(file) as con:
        begin(con, (code_version(), MAKER))
    keep_hash(file)
    standing = SimpleNamespace(fingerprint="abc")
    monkeypatch.setattr("turnup.warehouse.base.ManifestStore.read", lambda *_: standing)
    return file


def test_a_build_begins_as_the_published_week_of_the_same_code_and_no_other(home, tmp_path, monkeypatch):
    file, candidate = published(home, monkeypatch), tmp_path / "candidate.duckdb"
    assert begin_as_published(home, "2026-W41", candidate)
    assert candidate.read_bytes() == file.read_bytes()
    # A result that another refresh committed in its place is none.
    published(home, monkeypatch, "2026-W41.1.def")
    assert list(published_by_this_code(home, "2026-W41")) == [file]
    # Other code, or another engine, makes everything anew.
    for name, other in (("code_version", lambda: "0.0.9+other"), ("MAKER", "duckdb 0.1")):
        with monkeypatch.context() as patch:
            patch.setattr(f"turnup.warehouse.base.{name}", other)
            assert not begin_as_published(home, "2026-W41", candidate)
            assert not candidate.exists()


def test_a_published_file_whose_bytes_are_others_than_published_is_not_copied(home, tmp_path, monkeypatch):
    file, candidate = published(home, monkeypatch), tmp_path / "candidate.duckdb"
    whole = file.read_bytes()
    for place in (len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert not begin_as_published(home, WEEK, candidate)
        assert not candidate.exists()
    file.write_bytes(whole)
    hash_file(file).unlink()
    assert not begin_as_published(home, WEEK, candidate)


@pytest.mark.slow
def test_a_damaged_published_file_is_no_ground_to_build_on(home, monkeypatch):
    monkeypatch.setattr(module, "check_again", lambda *_: [])
    first = refresh(home, WEEK, BEGUN)
    first.database.chmod(0o644)
    whole = first.database.read_bytes()
    for damaged in (b"", whole[:5000], b"torn" * 2000):
        first.database.write_bytes(damaged)
        assert list(published_by_this_code(home, WEEK)) == []
    # The head is whole, and what lies behind it is not.
    first.database.write_bytes(whole[: len(whole) // 3] + bytes(len(whole) - len(whole) // 3))
    drop(home, "sites.csv", FILES["sites.csv"] + "DEN,Denver,first_party\n")
    result = refresh(home, WEEK, BEGUN + timedelta(hours=1))
    assert ask(result.database, "SELECT count(*) FROM stg.sites") == [(2,)]
    assert all(tables(result.database))


@pytest.mark.slow
def test_random_edits_over_several_refreshes_end_where_builds_from_nothing_end(home, tmp_path):
    draw = random.Random(20260814)
    refresh(home, WEEK, BEGUN)
    for number in range(4):
        for _ in range(draw.randint(1, 2)):
            edit(home, draw, number)
        result = refresh(home, WEEK, BEGUN + timedelta(hours=7 * (number + 1)))
        if number % 2:
            held_to_one_from_nothing(home, result, tmp_path / f"anew{number}")
    refresh(home, WEEK, CLOSED[WEEK])
    result = refresh(home, "2026-W41", CLOSED["2026-W41"])
    held_to_one_from_nothing(home, result, tmp_path / "next")
    drop(home, "2026-09-29/asn late.csv", HEADS["asn"] + rows(draw, "asn"))
    restated = refresh(home, WEEK, CLOSED["2026-W41"], restate=True, reason="late notice")
    held_to_one_from_nothing(home, restated, tmp_path / "restated")
    result = refresh(home, "2026-W42", CLOSED["2026-W42"])
    assert result.manifest.history == (restated.manifest.name, "2026-W41.1")
    held_to_one_from_nothing(home, result, tmp_path / "after the restated")
