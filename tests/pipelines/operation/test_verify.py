"""A week made again elsewhere is the week that was published; what was changed is named."""

import duckdb
import pytest

from turnup.warehouse.manifest import ManifestStore
from turnup.warehouse.publish import published_file


def replace(file, content):
    """Give a file other content; never in place, for its bytes are linked."""
    file.unlink()
    file.write_bytes(content)


def published(home, week="2026-W41"):
    return published_file(home, ManifestStore(home.store).latest(week))


@pytest.mark.slow
def test_a_week_is_made_again_from_the_received_files(mine, turnup):
    before = sorted(path for path in mine.root.rglob("*"))
    found = turnup(mine, "verify", "--week", "2026-W41")
    assert (found.code, found.equal, found.differences) == (0, True, [])
    assert (found.result, found.read_again, found.whole_database) == ("2026-W41.1", True, True)
    assert found.tables > 400
    assert found.reports >= 4
    assert sorted(path for path in mine.root.rglob("*")) == before


@pytest.mark.slow
def test_a_week_that_began_as_a_copy_of_the_week_before_is_the_one_made_from_nothing(mine_longer, turnup):
    database = published(mine_longer, "2026-W42")
    with duckdb.connect(str(database), read_only=True) as con:
        assert con.sql("SELECT count(*) FROM meta.made").fetchall()[0][0] > 300
    found = turnup(mine_longer, "verify", "--week", "2026-W42")
    assert (found.code, found.equal, found.differences) == (0, True, [])
    assert (found.whole_database, found.read_again) == (True, True)
    assert found.reports >= 4


@pytest.mark.slow
def test_a_changed_row_and_a_changed_report_record_are_named(mine, turnup):
    file = published(mine)
    content = file.read_bytes()
    file.unlink()
    file.write_bytes(content)
    with duckdb.connect(str(file)) as con:
        con.execute("UPDATE mart.raid SET title = 'Book two docks' WHERE id = 'A-1'")
    record = mine.store / "issued" / "2026-W41.1.json"
    text = record.read_text()
    digest = text.split('"executive.html": "')[1][:64]
    replace(record, text.replace(digest, "0" * 64).encode())
    found = turnup(mine, "verify")
    assert found.code == 1
    assert [item["what"] for item in found.differences] == ["mart.raid", "executive.html"]
    assert "1 rows only as published, 1 rows only as made again" in found.differences[0]["message"]
    assert "Book two docks" in found.differences[0]["message"]


@pytest.mark.slow
def test_where_the_published_file_was_cleared_away_its_results_are_compared(mine_longer, turnup):
    published(mine_longer, "2026-W41").unlink()
    found = turnup(mine_longer, "verify", "--week", "2026-W41")
    assert (found.code, found.whole_database, found.result) == (0, False, "2026-W41.1")
    assert found.tables > 80


@pytest.mark.slow
def test_other_code_is_named(mine, turnup):
    manifest = mine.store / "weeks" / "2026-W41.1.json"
    made_with = ManifestStore(mine.store).newest().inputs["code_version"]
    replace(manifest, manifest.read_text().replace(made_with, "0.0.9+00000000").encode())
    found = turnup(mine, "verify")
    assert (found.made_with, found.compared_with) == ("0.0.9+00000000", made_with)
    assert found.equal


def test_a_week_without_a_result_is_named(mine, turnup):
    with pytest.raises(Exception, match="week 2026-W44: no result to verify"):
        turnup(mine, "verify", "--week", "2026-W44")
