"""Whatever lies in the inbox: taken as it is, or left alone with a reason; never lost, never a crash."""

import os
import shutil
from datetime import UTC, datetime, timedelta

import pytest

from turnup import landing as module
from turnup.durable import StoreDamaged
from turnup.ingest import claims
from turnup.landing import Landing
from turnup.programme import Home, Programme
from turnup.yaml_source import ConfigurationError

NOW = datetime(2026, 10, 1, 12, 0, tzinfo=UTC)
NAMES = [
    "new\nline.csv", "line\u2028separator.csv", "next\u0085line.csv", "form\x0cfeed.csv",
    "-rf.csv", "it's \"quoted\".csv",
    "Zu\u0308rich.csv", "x" * 251 + ".csv", "%41 ?#&.csv", " .csv", "{a,b}*[1]?.csv",
    "\\back.csv", "e\u0301" * 40 + ".csv",
]  # fmt: skip


@pytest.fixture
def home(tmp_path):
    home = Home(tmp_path)
    home.inbox.mkdir()
    return home


def drop(home, path, content=b"a\n1\n", modified=None):
    file = home.inbox / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    if modified is not None:
        os.utime(file, ns=(modified, modified))
    return file


def scan(home, now=NOW):
    return Landing(home, "America/Chicago").scan(now)


def newest(home, path):
    return [item for item in Landing(home, "America/Chicago").deliveries() if item.path == path][-1]


def content(home, path):
    return Landing(home, "America/Chicago").content(newest(home, path).sha256).read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_any_name_is_registered_as_it_is(home, name):
    drop(home, name)
    assert [item.path for item in scan(home).deliveries] == [name]
    assert [item.path for item in Landing(home, "UTC").deliveries()] == [name]
    assert scan(home).deliveries == ()


def test_a_name_that_is_not_utf8_is_left_alone_and_named(home):
    drop(home, os.fsdecode(b"b\xfcro.csv"))
    drop(home, "good.csv")
    found = scan(home)
    assert [item.path for item in found.deliveries] == ["good.csv"]
    assert [(item.path, item.reason) for item in found.skipped] == [
        ("b\ufffdro.csv", "its name is not UTF-8; rename it")
    ]


def test_pattern_and_name_meet_in_either_unicode_form(home):
    programme = Programme.model_validate(
        {"name": "p", "time_zone": "UTC", "sources": {"s": {"dataset": "sites", "files": "Z\u00fcrich*.csv"}}}
    )
    from expectations.contract import load_contracts
    from turnup.landing import Delivery

    delivery = Delivery("d", "Zu\u0308rich 1.csv", "0" * 64, 1, NOW, "1", 1)
    assert [claim.source_name for claim in claims(programme, [delivery], load_contracts(), Landing(home, "UTC"))] == [
        "s"
    ]


def test_folders_pipes_and_links_are_no_files(home, tmp_path_factory):
    (home.inbox / "x.csv").mkdir()
    os.mkfifo(home.inbox / "pipe.csv")
    (home.inbox / "folder").symlink_to(tmp_path_factory.mktemp("elsewhere"), target_is_directory=True)
    found = scan(home)
    assert found.deliveries == ()
    assert [(item.path, item.reason.split(";")[0]) for item in found.skipped] == [
        ("folder", "it is a link"), ("pipe.csv", "it is no plain file"),
    ]  # fmt: skip


def test_a_file_that_cannot_be_read_is_left_alone_and_the_others_are_taken(home, monkeypatch):
    drop(home, "locked.csv", b"x")
    drop(home, "open.csv", b"y")
    whole = module._sha256

    def read(source):
        if str(source.name).endswith("locked.csv"):
            raise PermissionError(13, "Permission denied", source.name)
        return whole(source)

    monkeypatch.setattr(module, "_sha256", read)
    found = scan(home)
    assert [item.path for item in found.deliveries] == ["open.csv"]
    assert [(item.path, item.reason) for item in found.skipped] == [
        ("locked.csv", "it cannot be read (Permission denied)")
    ]
    monkeypatch.undo()
    assert [item.path for item in scan(home).deliveries] == ["locked.csv"]


def test_a_file_that_goes_away_while_it_is_looked_at_is_left_alone(home, monkeypatch):
    file = drop(home, "a.csv")
    whole = module._sha256
    monkeypatch.setattr(module, "_sha256", lambda source: (whole(source), file.unlink())[0])
    found = scan(home)
    assert found.deliveries == ()
    assert "cannot be read" in found.skipped[0].reason


def test_a_file_that_changes_while_it_is_read_is_taken_the_next_time(home, monkeypatch):
    file = drop(home, "a.csv", b"before")
    whole = module._sha256

    def read(source):
        digest = whole(source)
        file.write_bytes(b"after, and longer")
        return digest

    monkeypatch.setattr(module, "_sha256", read)
    assert scan(home).deliveries == ()
    monkeypatch.undo()
    scan(home)
    assert content(home, "a.csv") == b"after, and longer"


def test_other_content_with_the_same_size_and_time_is_an_arrival(home):
    drop(home, "a.csv", b"AAAA", modified=10**9)
    scan(home)
    drop(home, "a.csv", b"BBBB", modified=10**9)
    assert len(scan(home, NOW + timedelta(hours=1)).deliveries) == 1
    assert content(home, "a.csv") == b"BBBB"


@pytest.mark.parametrize("path", ["a.csv", "2026-09-04/a.csv"])
def test_content_that_comes_back_just_as_it_was_is_in_force_again(home, path):
    for hour, text in enumerate([b"AAAA", b"BBBB", b"AAAA", b"BBBB"]):
        drop(home, path, text, modified=10**9)
        assert len(scan(home, NOW + timedelta(hours=hour)).deliveries) == 1
        assert content(home, path) == text
        assert scan(home, NOW + timedelta(hours=hour)).deliveries == ()
    assert len(Landing(home, "UTC").deliveries()) == 4


@pytest.mark.parametrize("number", range(8))
def test_a_correction_in_a_dated_folder_counts_whatever_its_hash(home, number):
    drop(home, "2026-09-04/a.csv", b"wrong %d" % number)
    scan(home)
    drop(home, "2026-09-04/a.csv", b"right %d" % number)
    scan(home)
    assert content(home, "2026-09-04/a.csv") == b"right %d" % number


def test_a_file_taken_away_stays_received(home):
    drop(home, "a.csv")
    scan(home)
    (home.inbox / "a.csv").unlink()
    assert scan(home).deliveries == ()
    assert content(home, "a.csv") == b"a\n1\n"


@pytest.mark.parametrize(
    ("folder", "words"),
    [("2026-09-31", "no such date"), ("2026-09-04T2560", "no such date"), ("2031-01-01", "dated later than now")],
)
def test_a_folder_dated_wrongly_or_ahead_is_left_alone_with_the_reason(home, folder, words):
    drop(home, f"{folder}/a.csv")
    found = scan(home)
    assert found.deliveries == ()
    assert words in found.skipped[0].reason
    assert Landing(home, "UTC").dated_arrivals() in ([], [datetime(2031, 1, 1, tzinfo=UTC)])


def test_without_the_cache_of_looks_nothing_is_received_again(home):
    drop(home, "a.csv", modified=10**9)
    scan(home)
    (home.store / "register" / "looks.json").write_text("{damaged")
    assert scan(home).deliveries == ()


def test_a_lost_stored_copy_is_made_again_from_the_inbox(home):
    drop(home, "a.csv")
    (taken,) = scan(home).deliveries
    Landing(home, "UTC").content(taken.sha256).unlink()
    assert scan(home).deliveries == ()
    assert content(home, "a.csv") == b"a\n1\n"


def test_a_clock_set_back_between_scans_never_dates_an_arrival_ahead(home):
    scan(home, NOW + timedelta(days=400))
    drop(home, "a.csv")
    (delivery,) = scan(home, NOW).deliveries
    assert delivery.received_at <= NOW


def test_a_missing_inbox_is_an_error_not_an_empty_week(home):
    shutil.rmtree(home.inbox)
    with pytest.raises(ConfigurationError, match="inbox"):
        scan(home)


@pytest.mark.parametrize("damage", [b"{", b"[]\n", b'{"delivery_id": "x"}\n', b"\xff\n"])
def test_a_damaged_register_is_named_with_its_line(home, damage):
    drop(home, "a.csv")
    scan(home)
    segment = home.store / "register" / "00000001.jsonl"
    segment.write_bytes(segment.read_bytes() + damage)
    with pytest.raises(StoreDamaged, match=r"00000001\.jsonl, line 2"):
        Landing(home, "UTC").deliveries()


def test_a_store_that_cannot_be_written_stops_the_scan_and_the_next_one_is_whole(home, monkeypatch):
    drop(home, "a.csv")

    def full(*_):
        raise OSError(28, "No space left on device", "store")

    monkeypatch.setattr("turnup.durable._flush", full)
    with pytest.raises(OSError, match="No space left"):
        scan(home)
    monkeypatch.undo()
    assert [file for file in home.store.rglob("*") if file.is_file()] == []
    assert [item.path for item in scan(home).deliveries] == ["a.csv"]
