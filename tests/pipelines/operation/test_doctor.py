"""Each kind of fault is planted, found by its name, and mended where it can be; nothing is ever deleted."""

import hashlib
import json
import shutil

import pytest

from turnup.landing import Landing
from turnup.warehouse.manifest import ManifestStore
from turnup.warehouse.publish import published_file

NEVER = hashlib.sha256(b"never registered").hexdigest()
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


def content_of(home, name):
    landing = Landing(home, "UTC")
    return landing.content(next(item.sha256 for item in landing.deliveries() if item.name == name))


def leave_content(home):
    (home.store / "files" / NEVER[:2]).mkdir(exist_ok=True)
    (home.store / "files" / NEVER[:2] / NEVER).write_bytes(b"never registered")


def leave_a_part(home):
    (home.store / "parts" / "raid" / "0123456789abcdef.parquet").write_bytes(b"part")


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


def part_of(home, dataset):
    return only(home.store / "parts" / dataset, "*.parquet")


def batch_of(home, dataset):
    return only(home.store / "batches" / dataset, "*.json")


STRAY = {
    "store/build/2026-W41.abc.duckdb": ("leftover", leave_a_candidate),
    "store/parts/bom/.x.parquet.12.ab.tmp": ("leftover", leave_a_half_file),
    f"store/files/{NEVER[:2]}/{NEVER}": ("content_unnamed", leave_content),
    "store/parts/raid/0123456789abcdef.parquet": ("part_unnamed", leave_a_part),
    "published/2026-W41.7.0123456789abcdef.duckdb": ("publication_unknown", leave_a_publication),
    "warehouse.duckdb": ("warehouse_link", make_the_link_absolute),
    "out/2026-W50": ("report_unknown", leave_reports),
}


def files(home):
    """Every file with its size, wherever it lies, without where it was moved."""
    return {(path.name, path.stat().st_size) for path in home.root.rglob("*") if path.is_file()}


def kinds(found):
    return {item["kind"] for item in found}


def test_a_sound_programme_has_no_fault(mine, turnup):
    found = turnup(mine, "doctor", *LATER)
    assert (found.code, found.faults, found.mended) == (0, [], [])


def test_what_does_not_belong_is_found_and_moved_aside(mine, turnup):
    for _, plant in STRAY.values():
        plant(mine)
    there = files(mine)
    before = turnup(mine, "doctor", *LATER)
    assert before.code == 1
    assert {item["path"]: item["kind"] for item in before.faults} == {path: kind for path, (kind, _) in STRAY.items()}
    assert files(mine) == there
    after = turnup(mine, "doctor", "--mend", *LATER)
    assert (after.code, after.faults) == (0, [])
    assert len(after.mended) == len(STRAY)
    assert there <= files(mine)
    aside = mine.set_aside / "2199-12-24T000000"
    assert after.set_aside == str(aside)
    assert (aside / "out" / "2026-W50" / "executive.html").read_text() == "?"
    assert len(json.loads((aside / "faults.json").read_text())) == len(STRAY)


def test_lost_files_and_rows_are_taken_and_read_again(mine, turnup):
    lost = {
        "content_missing": content_of(mine, "orders.csv"),
        "content_wrong": content_of(mine, "raid.csv"),
        "part_missing": part_of(mine, "raid"),
        "part_torn": part_of(mine, "installs"),
        "batch_torn": batch_of(mine, "receipts"),
    }
    whole = {path: path.read_bytes() for path in lost.values()}
    batch_of(mine, "commitments").unlink()
    lost["content_missing"].unlink()
    lost["part_missing"].unlink()
    for kind in ("content_wrong", "part_torn", "batch_torn"):
        tear(lost[kind])
    found = turnup(mine, "doctor", "--mend", *LATER)
    assert (found.code, found.faults) == (0, [])
    planted = {(kind, path.relative_to(mine.root).as_posix()) for kind, path in lost.items()}
    planted.add(("rows_missing", "store/weeks/2026-W41.1.json"))
    assert planted <= {(item["kind"], item["path"]) for item in found.mended}
    assert {path: path.read_bytes() for path in lost.values()} == whole


def test_reports_come_back_as_they_were_issued(mine, turnup):
    folder = mine.out / "2026-W41"
    whole = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    lose_a_report(mine)
    change_a_report(mine)
    copy_over_the_link(mine)
    found = turnup(mine, "doctor", "--mend", *LATER)
    assert (found.code, found.faults) == (0, [])
    assert kinds(found.mended) == {"report_missing", "report_changed", "warehouse_link"}
    assert {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()} == whole


def test_a_report_that_would_get_other_bytes_stays_lost(mine, turnup):
    lose_a_report(mine)
    record = mine.store / "issued" / "2026-W41.1.json"
    text = record.read_text()
    record.unlink()
    record.write_text(text.replace(text.split('"executive.html": "')[1][:64], "0" * 64))
    found = turnup(mine, "doctor", "--mend", *LATER)
    assert kinds(found.faults) == {"report_missing"}
    assert not (mine.out / "2026-W41" / "executive.html").exists()


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


BEYOND = {
    "register_gap": lambda home: (home.store / "register" / "00000001.jsonl").unlink(),
    "register_torn": lambda home: tear(home.store / "register" / "00000001.jsonl"),
    "manifest_torn": lambda home: tear(home.store / "weeks" / "2026-W41.1.json"),
    "manifest_missing": lambda home: (home.store / "weeks" / "2026-W41.1.json").unlink(),
    "not_issued": lambda home: (home.store / "issued" / "2026-W41.1.json").unlink(),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", BEYOND)
def test_what_only_a_person_can_mend_is_said(kind, mine_longer, turnup):
    mine = mine_longer
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
