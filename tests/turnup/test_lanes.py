"""Batches that are read at once leave, to the byte, what they leave one after another."""

import hashlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from expectations.contract import load_contracts
from tests.turnup.staging import NOW
from turnup import formats, ingest
from turnup.landing import Landing
from turnup.programme import Home
from turnup.warehouse.parts import PartStore

SOURCES = """name: Aurora
time_zone: UTC
first_week: 2026-W40
sources:
  asn: {dataset: shipments, files: "asn*", mode: events, owner: Dock}
  sites: {dataset: sites, files: "sites*", owner: Ana}
  grn: {dataset: receipts, files: "grn*", mode: events, owner: Dock}
"""
CELLS = st.sampled_from(
    ["1", "7", "TBD soon", "", "#N/A", "1,000", "A", "a", "first_party", "2026-09-18", "18/09/2026"]
)
HEADS = {
    "asn": "shipment,line,part_number,quantity,eta",
    "sites": "site_id,name,facility",
    "grn": "receipt,line,part_number,site_id,place,qty_good,received",
}
CONTRACTS = load_contracts()


def sites(count):
    """So many files of one site each."""
    head = "site_id,name,facility\n"
    return {f"2026-09-1{number}/sites-{number}.csv": f"{head}S{number},x,first_party\n" for number in range(count)}


class Here:
    """A reader without a process of its own."""

    def parse(self, content, name, source, contract):
        return formats.parse(content, name, source, contract, cells=True)

    def close(self):
        pass


@st.composite
def files(draw):
    """Files of three sources by name, some of them no table at all."""
    found = {}
    for number in range(draw(st.integers(2, 7))):
        kind = draw(st.sampled_from(sorted(HEADS)))
        width = HEADS[kind].count(",") + 1
        rows = draw(st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=5))
        text = "\n".join([HEADS[kind], *(",".join(f'"{cell}"' for cell in row) for row in rows)])
        found[f"2026-09-1{number}/{kind}-{number}.csv"] = draw(st.sampled_from([text + "\n"] * 9 + ["no table"]))
    return found


def landed(folder, contents):
    """A programme with these files in its landing, and what its sources take."""
    home = Home(folder)
    home.playbooks.mkdir(parents=True)
    home.configuration.write_text(SOURCES, encoding="utf-8")
    for name, content in contents.items():
        file = home.inbox / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    landing = Landing(home, "UTC")
    landing.scan(NOW)
    return home, landing, ingest.claims(home.load(), landing.deliveries(), CONTRACTS, landing)


def kept(home):
    """Every file of typed rows and its record."""
    found = [file for part in ("parts", "batches") for file in (home.store / part).rglob("*") if file.is_file()]
    return {file.relative_to(home.store): hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(found)}


@pytest.fixture
def in_lanes(monkeypatch):
    monkeypatch.setattr(ingest, "shared_reader", Here)
    monkeypatch.setattr(ingest, "Reader", Here)

    def run(folder, contents, lanes, store=PartStore):
        monkeypatch.setattr(ingest, "lanes_for", lambda *_: lanes)
        home, landing, claimed = landed(folder, contents)
        return home, ingest.ingest_datasets(store(home.store), landing, CONTRACTS, claimed)

    return run


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(contents=files(), size=st.sampled_from([1, 150, ingest.BATCH_BYTES]), data=st.data())
def test_no_result_shows_how_many_lanes_there_were(in_lanes, monkeypatch, tmp_path_factory, contents, size, data):
    monkeypatch.setattr(ingest, "BATCH_BYTES", size)
    one, told = in_lanes(tmp_path_factory.mktemp("one"), contents, 1)
    many, again = in_lanes(tmp_path_factory.mktemp("many"), contents, data.draw(st.integers(2, 4)))
    assert told == again
    assert [summary.dataset for summary in told] == sorted(CONTRACTS)
    assert sum(summary.files for summary in told) == len(contents)
    assert kept(one) == kept(many)


def test_a_fault_in_one_lane_is_told_and_the_next_run_completes_what_is_missing(in_lanes, monkeypatch, tmp_path):
    monkeypatch.setattr(ingest, "BATCH_BYTES", 1)
    contents = {
        f"2026-09-1{number}/sites-{number}.csv": f"site_id,name,facility\nS{number},x,first_party\n"
        for number in range(6)
    }
    whole, _ = in_lanes(tmp_path / "whole", contents, 1)

    class Full(PartStore):
        def write(self, con, dataset, ingests, tables):
            if con.sql("SELECT count(*) FROM accepted WHERE site_id = 'S3'").fetchall()[0][0]:
                raise OSError(28, "No space left on device")
            return super().write(con, dataset, ingests, tables)

    with pytest.raises(OSError, match="No space left"):
        in_lanes(tmp_path / "full", contents, 2, Full)
    home = Home(tmp_path / "full")
    landing = Landing(home, "UTC")
    claimed = ingest.claims(home.load(), landing.deliveries(), CONTRACTS, landing)
    ingest.ingest_datasets(PartStore(home.store), landing, CONTRACTS, claimed)
    assert kept(home) == kept(whole)


@pytest.mark.parametrize(
    ("sizes", "cores", "lanes"),
    [([], 8, 1), ([1 << 20] * 12, 8, 1), ([40 << 20] * 2, 8, 2), ([64 << 20] * 9, 2, 2), ([64 << 20] * 9, 64, 4)],
)
def test_lanes_are_as_many_as_pay(sizes, cores, lanes):
    contract = CONTRACTS["sites"]
    assert ingest.lanes_for([ingest._Batch(contract, (), size) for size in sizes], cores) == lanes


def test_processes_read_at_once(monkeypatch, tmp_path):
    """The real thing: two reading processes, ended when all is read but for the one that this process keeps."""
    monkeypatch.setattr(ingest, "BATCH_BYTES", 1)
    monkeypatch.setattr(ingest, "lanes_for", lambda *_: 2)
    contents = {
        f"2026-09-1{number}/sites-{number}.csv": f"site_id,name,facility\nS{number},x,first_party\n"
        for number in range(4)
    }
    home, landing, claimed = landed(tmp_path, contents)
    done = ingest.ingest_datasets(PartStore(home.store), landing, {"sites": CONTRACTS["sites"]}, claimed)
    assert [(each.files, each.accepted, each.rejected_files) for each in done] == [(4, 4, 0)]
