"""A programme goes into one file and comes out the same; a file that is not what was exported leaves nothing behind."""

import gzip
import hashlib
import json
import subprocess
import sys
import tarfile

import pytest

from turnup import refresh as module
from turnup.durable import StoreDamaged
from turnup.programme import Home
from turnup.upkeep.archive import export as exporting
from turnup.upkeep.archive import imported
from turnup.upkeep.archive.export import export
from turnup.upkeep.archive.imported import import_programme
from turnup.upkeep.archive.listing import LISTING, ArchiveRefused, contained, is_safe
from turnup.yaml_source import ConfigurationError


@pytest.fixture(scope="session")
def archive(working, tmp_path_factory):
    """An export of the programme."""
    file = tmp_path_factory.mktemp("export") / "aurora.tar.gz"
    export(working, file)
    return file


def contents(home):
    return {path.relative_to(home.root).as_posix(): path.read_bytes() for path in contained(home)}


@pytest.mark.slow
def test_the_same_programme_comes_out_and_its_weeks_hold(archive, working, tmp_path, turnup, monkeypatch):
    monkeypatch.setattr(module, "check_again", lambda *_: [])
    home = Home(tmp_path / "moved")
    before = contents(working)
    found = turnup(home, "import", str(archive))
    assert (found.code, found.published, found.files) == (0, "2026-W41.1", len(before))
    assert contents(home) == before
    assert home.warehouse.resolve().name == working.warehouse.resolve().name
    assert turnup(home, "doctor").faults == []
    assert turnup(home, "verify").equal


def test_equal_programmes_give_equal_bytes(archive, working, tmp_path):
    export(working, tmp_path / "again.tar.gz")
    assert (tmp_path / "again.tar.gz").read_bytes() == archive.read_bytes()


def test_what_is_hidden_or_can_be_made_again_stays_out(mine):
    (mine.root / ".env").write_text("SMTP_PASSWORD=secret")
    (mine.playbooks / ".secret.yaml").write_text("x")
    (mine.root / "notes.txt").write_text("x")
    (mine.store / "build").mkdir(exist_ok=True)
    (mine.store / "build" / "half.duckdb").write_text("x")
    (mine.playbooks / "link.yaml").symlink_to("/etc/hostname")
    assert mine.warehouse.exists()
    paths = {path.relative_to(mine.root).as_posix() for path in contained(mine)}
    assert {"programme.yaml", "playbooks/gpu_cluster.yaml", "store/weeks/2026-W41.1.json"} <= paths
    assert {path.split("/")[0] for path in paths} == {"programme.yaml", "playbooks", "store", "out"}
    assert not any(part in path for path in paths for part in (".env", "secret", "notes", "store/build", "books/link"))


def test_a_name_that_an_import_would_refuse_is_not_exported(mine, tmp_path):
    (mine.playbooks / "gpu\u202ecluster.yaml").write_text("x")
    with pytest.raises(ConfigurationError, match="rename the file"):
        export(mine, tmp_path / "a.tar.gz")
    assert not (tmp_path / "a.tar.gz").exists()


def test_a_file_that_changes_while_it_is_exported_gives_no_archive(mine, tmp_path, monkeypatch):
    def and_then_it_changes(home, file):
        found = plain(home, file)
        if file.name == "programme.yaml":
            file.unlink()
            file.write_text("name: other\n")
        return found

    plain = exporting._entry
    monkeypatch.setattr(exporting, "_entry", and_then_it_changes)
    with pytest.raises(StoreDamaged, match="changed while it was exported"):
        export(mine, tmp_path / "a.tar.gz")
    assert list(tmp_path.glob("*.gz*")) == []


# What follows is a small archive of our own making, with one thing wrong each.
CONTENT = {"programme.yaml": b"name: x\ntime_zone: UTC\n", "store/weeks/2026-W41.1.json": b"{}"}


def record(path, content, **more):
    return {"path": path, "size": len(content), "sha256": hashlib.sha256(content).hexdigest(), **more}


def member(name, content, kind=tarfile.REGTYPE, link=""):
    item = tarfile.TarInfo(name)
    item.size, item.type, item.linkname = len(content), kind, link
    return item.tobuf(tarfile.USTAR_FORMAT, "utf-8", "strict") + content + b"\0" * (-len(content) % 512)


def packed(*members, end=b"\0" * 1024):
    return gzip.compress(b"".join(members) + end, mtime=0)


def listed(files, form="turnup programme 1"):
    return member(LISTING, json.dumps({"format": form, "files": files}).encode())


def good():
    return packed(listed([record(*item) for item in CONTENT.items()]), *(member(*item) for item in CONTENT.items()))


def one(path, content=b"x"):
    return packed(listed([record(path, content)]), member(path, content))


def flipped(content, place):
    return content[:place] + bytes([content[place] ^ 0x55]) + content[place + 1 :]


BOMB = gzip.compress(b"\0" * 20_000_000)
HOSTILE = {
    "nothing": b"",
    "no archive": b"PK\x03\x04 something else",
    "cut off": good()[:-40],
    "cut off between members": packed(listed([record(*item) for item in CONTENT.items()]), end=b""),
    "damaged": flipped(good(), 200),
    "checksum": flipped(good(), len(good()) - 6),
    "no listing": packed(member("programme.yaml", b"x")),
    "other format": packed(listed([], "turnup programme 2")),
    "listing is no json": packed(member(LISTING, b"{")),
    "listing is a list": packed(member(LISTING, b"[]")),
    "deep listing": packed(member(LISTING, b"[" * 100_000)),
    "bomb": BOMB,
    "zeros after the end": packed(listed([]), end=b"\0" * 3_000_000),
    "something after the end": packed(listed([]), end=b"\0" * 1024 + b"more"),
    "an unlisted member": packed(listed([]), member("programme.yaml", b"x")),
    "a missing member": packed(listed([record("programme.yaml", b"x")])),
    "another size": packed(listed([record("programme.yaml", b"x")]), member("programme.yaml", b"xy")),
    "another content": packed(listed([record("programme.yaml", b"x")]), member("programme.yaml", b"y")),
    "more than the disk holds": packed(listed([record("programme.yaml", b"x", size=10**18)])),
    "negative size": packed(listed([record("programme.yaml", b"x", size=-1)])),
    "no hash": packed(listed([record("programme.yaml", b"x", sha256="..")])),
    "twice": packed(listed([record("store/a", b"x"), record("store/A", b"x")])),
    "file in a file": packed(listed([record("store/a", b"x"), record("store/a/b", b"x")])),
    "symbolic link": packed(
        listed([record("store/a", b"")]), member("store/a", b"", tarfile.SYMTYPE, "/etc/passwd")
    ),
    "hard link": packed(listed([record("store/a", b"")]), member("store/a", b"", tarfile.LNKTYPE, "programme.yaml")),
    "folder": packed(listed([record("store/a", b"")]), member("store/a", b"", tarfile.DIRTYPE)),
    "device": packed(listed([record("store/a", b"")]), member("store/a", b"", tarfile.CHRTYPE)),
    "long header": packed(listed([record("store/a", b"x")]), member("store/a", b"x" * 9000, tarfile.XHDTYPE)),
    **{
        f"path {path}": one(path)
        for path in ("../outside", "/etc/outside", "store/../../outside", "store//a", "store/./a", "store", "outside",
                     "store/.hidden", "store\\..\\outside", "store/a\nb", "programme.yaml/x", "published/a", "")
    },
}  # fmt: skip


def test_the_small_archive_is_good(tmp_path):
    (tmp_path / "a.gz").write_bytes(good())
    import_programme(tmp_path / "a.gz", tmp_path / "home")
    assert (tmp_path / "home" / "programme.yaml").read_bytes() == CONTENT["programme.yaml"]


@pytest.mark.parametrize("fault", HOSTILE)
def test_a_damaged_or_hostile_archive_leaves_nothing(fault, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.gz").write_bytes(HOSTILE[fault])
    with pytest.raises(ArchiveRefused):
        import_programme(tmp_path / "in" / "a.gz", tmp_path / "home")
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_any_flipped_byte_is_refused_or_changes_nothing(tmp_path):
    whole = good()
    for place in range(0, len(whole), 7):
        (tmp_path / "a.gz").write_bytes(flipped(whole, place))
        target = tmp_path / f"home{place}"
        try:
            import_programme(tmp_path / "a.gz", target)
        except ArchiveRefused:
            assert not target.exists()
        else:
            assert {name: (target / name).read_bytes() for name in CONTENT} == CONTENT


def test_only_an_empty_folder_is_filled(tmp_path):
    (tmp_path / "a.gz").write_bytes(good())
    (tmp_path / "home").mkdir()
    import_programme(tmp_path / "a.gz", tmp_path / "home")
    with pytest.raises(ArchiveRefused, match="is not empty"):
        import_programme(tmp_path / "a.gz", tmp_path / "home")
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ArchiveRefused, match="is not empty"):
        import_programme(tmp_path / "a.gz", tmp_path / "link")


def test_every_path_of_an_export_is_one_that_an_import_takes(working):
    assert all(is_safe(path.relative_to(working.root).as_posix()) for path in contained(working))


@pytest.mark.slow
def test_retention_keeps_what_the_kept_weeks_need(mine_longer, turnup):
    mine = mine_longer
    text = mine.configuration.read_text()
    mine.configuration.unlink()
    mine.configuration.write_text(text + "retention: {weeks: 1}\n")
    superseded = mine.store / "results" / "0123456789abcdef"
    superseded.mkdir()
    (superseded / "raid.parquet").write_bytes(b"the result of an open week")
    record = {"batch": "00", "dataset": "raid", "ingests": ["gone"], "parts": {"raid": "parts/raid/00.parquet"}}
    (mine.store / "batches" / "raid" / "00.json").write_text(json.dumps(record))
    (mine.store / "parts" / "raid" / "00.parquet").write_bytes(b"as an earlier version read it")
    soon, later = "2026-10-16T19:00:00+00:00", "2199-01-01T00:00:00+00:00"
    assert turnup(mine, "prune", "--dry-run", "--now", soon).files == []
    would = turnup(mine, "prune", "--dry-run", "--now", later)
    assert {item["path"].split("/")[1] for item in would.files} == {"results", "checks", "batches", "parts"}
    assert all((mine.root / item["path"]).exists() for item in would.files)
    gone = turnup(mine, "prune", "--now", later)
    assert gone.files == would.files
    assert not superseded.exists()
    assert json.loads((mine.root / gone.record).read_text()) == would.files
    assert turnup(mine, "verify", "--week", "2026-W42").equal
    assert turnup(mine, "doctor", "--now", later).faults == []
    assert turnup(mine, "prune", "--now", later).files == []


def test_without_a_policy_nothing_goes(mine, turnup):
    found = turnup(mine, "prune", "--now", "2199-01-01T00:00:00+00:00")
    assert (found.weeks_kept, found.files) == (None, [])


def test_an_export_makes_no_folder_of_a_mistyped_path(mine, tmp_path):
    with pytest.raises(ConfigurationError, match="no such folder to export to; make it first"):
        export(mine, tmp_path / "bakcups" / "a.tar.gz")
    assert not (tmp_path / "bakcups").exists()


_DYING = """
import os, sys
from pathlib import Path
from turnup.upkeep.archive import imported

def die(*_):
    os._exit(9)

setattr(imported, sys.argv[1], die)
imported.import_programme(Path(sys.argv[2]), Path(sys.argv[3]))
"""


@pytest.mark.parametrize("step", ["_next", "_write", "_end"])
def test_what_a_killed_import_left_goes_with_the_next_one(step, tmp_path):
    (tmp_path / "a.gz").write_bytes(good())
    (tmp_path / ".other.0badcafe.importing" / "programme").mkdir(parents=True)
    told = [sys.executable, "-c", _DYING, step, str(tmp_path / "a.gz"), str(tmp_path / "home")]
    assert subprocess.run(told, check=False).returncode == 9
    assert [path.name for path in tmp_path.glob(".home.*.importing")]
    import_programme(tmp_path / "a.gz", tmp_path / "home")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".other.0badcafe.importing", "a.gz", "home"]
    assert {name: (tmp_path / "home" / name).read_bytes() for name in CONTENT} == CONTENT


def test_an_import_that_runs_keeps_its_folder(tmp_path, monkeypatch):
    (tmp_path / "a.gz").write_bytes(good())
    write, seen = imported._write, []

    def while_another_begins(stream, file, item):
        if not seen:
            seen.append(True)
            imported._clear_abandoned(tmp_path / "home")
        write(stream, file, item)

    monkeypatch.setattr(imported, "_write", while_another_begins)
    import_programme(tmp_path / "a.gz", tmp_path / "home")
    assert {name: (tmp_path / "home" / name).read_bytes() for name in CONTENT} == CONTENT
