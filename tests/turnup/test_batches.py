"""Files that do not fit into memory together are read in batches, and what is staged does not show it."""

import pytest

from tests.turnup.staging import staged
from turnup import ingest
from turnup.warehouse.parts import PartStore

SOURCES = '  asn: {dataset: shipments, files: "asn*", mode: events, owner: Dock}\n'
HEAD = "shipment,line,part_number,quantity\n"
FILES = {
    f"2026-09-1{number}/asn-{number}.csv": f"{HEAD}A-{number},1,P-{number},{number + 1}\nA-{number},2,P-9,TBD soon\n"
    for number in range(7)
}
QUERIES = (
    "SELECT shipment, line, part_number, quantity FROM stg.shipments ORDER BY ALL",
    "SELECT file, rows_read, accepted, quarantined FROM meta.ledger ORDER BY ALL",
    'SELECT file, "row", column_name, value FROM meta.quarantine ORDER BY ALL',
)


def test_batches_of_any_size_stage_the_same_rows(tmp_path, monkeypatch):
    found = {}
    for size in (1, 2 * len(next(iter(FILES.values()))) + 1, ingest.BATCH_BYTES):
        monkeypatch.setattr(ingest, "BATCH_BYTES", size)
        home = tmp_path / str(size)
        rows = staged(home, SOURCES, FILES, *QUERIES)
        found[len(list(home.glob("store/batches/shipments/*.json")))] = rows
    assert sorted(found) == [1, 4, 7]
    assert found[1] == found[4] == found[7]
    accepted, ledger, refused = found[1]
    assert [(row[0], int(row[3])) for row in accepted] == [(f"A-{number}", number + 1) for number in range(7)]
    assert [row[1:] for row in ledger] == [(2, 1, 1)] * 7
    assert [row[1:] for row in refused] == [(3, "quantity", "TBD soon")] * 7


def test_a_killed_refresh_leaves_batches_that_the_next_one_completes_as_one_run_would(tmp_path, monkeypatch):
    monkeypatch.setattr(ingest, "BATCH_BYTES", 1)
    whole = tmp_path / "whole"
    staged(whole, SOURCES, FILES, QUERIES[0])
    written, write = [], PartStore.write

    def killed_at_the_third(self, *arguments):
        if len(written) == 2:
            raise KeyboardInterrupt
        written.append(arguments)
        return write(self, *arguments)

    monkeypatch.setattr(PartStore, "write", killed_at_the_third)
    home = tmp_path / "killed"
    with pytest.raises(KeyboardInterrupt):
        staged(home, SOURCES, FILES, QUERIES[0])
    monkeypatch.setattr(PartStore, "write", write)
    staged(home, SOURCES, FILES, QUERIES[0])
    names = [sorted(file.name for file in each.glob("store/batches/*/*")) for each in (whole, home)]
    assert names[0] == names[1]
