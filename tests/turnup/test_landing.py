"""What arrives is kept unchanged, once per content, with every arrival on record."""

import os
import shutil
from datetime import UTC, datetime, timedelta

import pytest

from turnup.landing import Landing
from turnup.programme import Home

NOW = datetime(2026, 10, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def home(tmp_path):
    home = Home(tmp_path)
    home.inbox.mkdir()
    return home


def drop(home, path, text, modified=None):
    file = home.inbox / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    if modified is not None:
        os.utime(file, ns=(modified, modified))
    return file


def landing(home):
    return Landing(home, "America/Chicago")


def test_a_name_that_looks_like_a_pattern_is_kept_by_content(home):
    drop(home, "BOM[1].csv", "right")
    drop(home, "BOM1.csv", "wrong")
    taken = {item.name: item for item in landing(home).scan(NOW).deliveries}
    stored = landing(home).content(taken["BOM[1].csv"].sha256)
    assert stored.read_text() == "right"
    assert "[" not in stored.name
    assert stored.stat().st_mode & 0o222 == 0


def test_a_second_look_finds_nothing_new(home):
    drop(home, "a.csv", "x")
    assert len(landing(home).scan(NOW).deliveries) == 1
    assert landing(home).scan(NOW).deliveries == ()
    assert len(landing(home).deliveries()) == 1


def test_snapshots_a_b_a_are_three_deliveries_of_two_contents(home):
    for modified, text in enumerate(["A", "B", "A"], start=1):
        drop(home, "stock.csv", text, modified=modified * 10**9)
        landing(home).scan(NOW + timedelta(days=modified))
    found = landing(home).deliveries()
    assert len(found) == 3
    assert len({item.sha256 for item in found}) == 2
    assert found[0].sha256 == found[2].sha256


def test_an_unchanged_resend_is_a_delivery_of_its_own(home):
    drop(home, "stock.csv", "A", modified=10**9)
    landing(home).scan(NOW)
    drop(home, "stock.csv", "A", modified=2 * 10**9)
    assert len(landing(home).scan(NOW).deliveries) == 1


def test_a_dated_folder_gives_the_received_time_in_the_programmes_zone(home):
    drop(home, "2026-09-04/a.csv", "1")
    drop(home, "2026-09-04T1830/b.csv", "2")
    received = {item.name: item.received_at for item in landing(home).scan(NOW).deliveries}
    assert received["a.csv"] == datetime(2026, 9, 4, 5, 0, tzinfo=UTC)
    assert received["b.csv"] == datetime(2026, 9, 4, 23, 30, tzinfo=UTC)


def test_a_copied_home_receives_nothing_again(home, tmp_path_factory):
    drop(home, "2026-09-04/a.csv", "1")
    drop(home, "b.csv", "2")
    landing(home).scan(NOW)
    other = tmp_path_factory.mktemp("moved") / "home"
    shutil.copytree(home.root, other)  # keeps modification times, not change times
    assert Landing(Home(other), "America/Chicago").scan(NOW).deliveries == ()


def test_received_times_lie_between_the_previous_scan_and_this_one(home):
    landing(home).scan(NOW)
    drop(home, "a.csv", "1")  # its change time is the real present, after both
    (delivery,) = landing(home).scan(NOW + timedelta(hours=1)).deliveries
    assert NOW <= delivery.received_at <= NOW + timedelta(hours=1)


def test_links_unfinished_and_hidden_files_are_left_alone(home, tmp_path_factory):
    secret = tmp_path_factory.mktemp("elsewhere") / "secret.txt"
    secret.write_text("s")
    (home.inbox / "link.csv").symlink_to(secret)
    for name in ("~$open.xlsx", ".hidden", "half.csv.part", "x.tmp"):
        drop(home, name, "x")
    scan = landing(home).scan(NOW)
    assert scan.deliveries == ()
    assert [item.path for item in scan.skipped] == ["link.csv"]


def test_two_registers_that_race_lose_nothing(home):
    first, second = landing(home), landing(home)
    drop(home, "a.csv", "1")
    new, _ = first._new_arrivals({}, NOW)
    drop(home, "b.csv", "2")
    second.scan(NOW)
    assert not first._append(1, new)  # the number is taken, so a scan looks again
    first.scan(NOW)
    assert sorted(item.name for item in landing(home).deliveries()) == ["a.csv", "b.csv"]
