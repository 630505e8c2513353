"""Each kind of fault is planted, found by its name, and mended where it can be; nothing is ever deleted."""

import hashlib
import shutil

import pytest

from turnup.landing import Landing
from turnup.warehouse.manifest import ManifestStore
from turnup.warehouse.publish import published_file

LATER = ("--now", "2199-12-24T00:00:00+00:00")


def only(folder, pattern):
    return sorted(folder.glob(pattern))[0]


def newest(home):
    return ManifestStore(home.store).newest()


def tear(file):
    """Cut a file in two; never in place, for its bytes are linked."""
    content = file.read_bytes()
    file.unlink()
    file.write_bytes(content[: len(content) // 2])


def leave_a_candidate(home):
    (home.store / "build").mkdir(exist_ok=True)
    (home.store / "build" / "2026-W41.abc.duckdb").write_bytes(b"half")


def leave_a_half_file(home):
    (home.store / "parts" / "bom").mkdir(exist_ok=True)
    (home.store / "parts" / "bom" / ".x.parquet.12.ab.tmp").write_bytes(b"half")


def lose_content(home):
    content_of(home, "raid.csv").unlink()


def spoil_content(home):
    file = content_of(home, "raid.csv")
    file.unlink()
    file.write_bytes(b"other bytes")


def content_of(home, name):
    landing = Landing(home, "UTC")
    return landing.content(next(item.sha256 for item in landing.deliveries() if item.name == name))


def leave_content(home):
    name = hashlib.sha256(b"never registered").hexdigest()
    (home.store / "files" / name[:2]).mkdir(exist_ok=True)
    (home.store / "files" / name[:2] / name).write_bytes(b"never registered")


def lose_a_part(home):
    only(home.store / "parts" / "raid", "*.parquet").unlink()


def tear_a_part(home):
    tear(only(home.store / "parts" / "raid", "*.parquet"))


def tear_a_batch(home):
    tear(only(home.store / "batches" / "raid", "*.json"))


def leave_a_part(home):
    (home.store / "parts" / "raid" / "0123456789abcdef.parquet").write_bytes(b"part")


def lose_a_batch(home):
    only(home.store / "batches" / "raid", "*.json").unlink()


def lose_results(home):
    shutil.rmtree(home.store / "results" / newest(home).fingerprint)


def lose_the_publication(home):
    published_file(home, newest(home)).unlink()


def tear_the_publication(home):
    tear(published_file(home, newest(home)))


def leave_a_publication(home):
    (home.published / "2026-W41.7.0123456789abcdef.duckdb").write_bytes(b"never committed")


def make_the_link_absolute(home):
    target = home.warehouse.resolve()
    home.warehouse.unlink()
    home.warehouse.symlink_to(target)


def lose_the_link(home):
    home.warehouse.unlink()


def copy_over_the_link(home):
    home.warehouse.unlink()
    home.warehouse.write_bytes(b"a copy")


def lose_a_report(home):
    (home.out / "2026-W41" / "executive.html").unlink()


def change_a_report(home):
    file = home.out / "2026-W41" / "governance.html"
    text = file.read_text()
    file.unlink()
    file.write_text(text.replace("Aurora", "Borealis"))


def leave_reports(home):
    (home.out / "2026-W50").mkdir()
    (home.out / "2026-W50" / "executive.html").write_text("?")


CHEAP = {
    "leftover": (leave_a_candidate, leave_a_half_file),
    "content_missing": (lose_content,),
    "content_wrong": (spoil_content,),
    "content_unnamed": (leave_content,),
    "part_missing": (lose_a_part,),
    "part_torn": (tear_a_part,),
    "batch_torn": (tear_a_batch,),
    "part_unnamed": (leave_a_part,),
    "rows_missing": (lose_a_batch,),
    "publication_unknown": (leave_a_publication,),
    "warehouse_link": (make_the_link_absolute, lose_the_link, copy_over_the_link),
    "report_missing": (lose_a_report,),
    "report_changed": (change_a_report,),
    "report_unknown": (leave_reports,),
}
BEYOND = {
    "register_gap": lambda home: (home.store / "register" / "00000001.jsonl").unlink(),
    "register_torn": lambda home: tear(home.store / "register" / "00000002.jsonl"),
    "manifest_torn": lambda home: tear(home.store / "weeks" / "2026-W40.1.json"),
    "manifest_missing": lambda home: (home.store / "weeks" / "2026-W40.1.json").unlink(),
    "not_issued": lambda home: (home.store / "issued" / "2026-W41.1.json").unlink(),
}


def files(home):
    """Every file with its size, wherever it lies, without where it was moved."""
    return {(path.name, path.stat().st_size) for path in home.root.rglob("*") if path.is_file()}


def kinds(found):
    return {item["kind"] for item in found}


def test_a_sound_programme_has_no_fault(mine, turnup):
    found = turnup(mine, "doctor", *LATER)
    assert (found.code, found.faults, found.mended) == (0, [], [])


@pytest.mark.parametrize(("kind", "plant"), [(kind, plant) for kind, plants in CHEAP.items() for plant in plants])
def test_a_fault_is_found_and_mended_and_nothing_is_deleted(kind, plant, mine, turnup):
    plant(mine)
    before, there = turnup(mine, "doctor", *LATER), files(mine)
    assert before.code == 1
    assert kind in kinds(before.faults)
    assert files(mine) == there
    after = turnup(mine, "doctor", "--mend", *LATER)
    assert (after.code, after.faults) == (0, [])
    assert kind in kinds(after.mended)
    assert there <= files(mine)


@pytest.mark.slow
def test_lost_weeks_are_made_again(mine, turnup):
    lose_results(mine)
    tear_the_publication(mine)
    found = turnup(mine, "doctor", *LATER)
    assert {"results_missing", "publication_torn"} <= kinds(found.faults)
    after = turnup(mine, "doctor", "--mend", *LATER)
    assert (after.code, after.faults) == (0, [])
    lose_the_publication(mine)
    assert kinds(turnup(mine, "doctor", *LATER).faults) == {"not_published", "warehouse_link"}


@pytest.mark.parametrize("kind", BEYOND)
def test_what_only_a_person_can_mend_is_said(kind, mine, turnup):
    BEYOND[kind](mine)
    there = files(mine)
    found = turnup(mine, "doctor", "--mend", *LATER)
    assert found.code == 1
    assert kind in kinds(found.faults)
    assert there <= files(mine)


def test_what_a_running_refresh_may_be_writing_is_no_fault(mine, turnup):
    leave_a_candidate(mine)
    leave_a_part(mine)
    leave_content(mine)
    found = turnup(mine, "doctor")
    assert (found.code, found.faults) == (0, [])


def test_lost_content_that_the_inbox_has_no_more_is_said(mine, turnup):
    lose_content(mine)
    (mine.inbox / "2026-09-28" / "raid.csv").unlink()
    found = turnup(mine, "doctor", "--mend", *LATER)
    assert found.code == 1
    assert "restore this file from a backup" in found.faults[0]["message"]


def test_what_is_moved_aside_lies_under_its_own_path(mine, turnup):
    leave_reports(mine)
    found = turnup(mine, "doctor", "--mend", *LATER)
    aside = mine.set_aside / "2199-12-24T000000"
    assert found.set_aside == str(aside)
    assert (aside / "out" / "2026-W50" / "executive.html").read_text() == "?"
    assert (aside / "faults.json").exists()
