"""What runs between cut-offs: files that came, messages that did not go out, runs that failed."""

import json
import os
from datetime import UTC, datetime, timedelta

import dagster as dg
import pytest

from pipelines.definitions import build_definitions
from pipelines.instance import open_instance
from pipelines.sensors import failure_sensor, inbox_sensor, unsent_sensor
from reports.delivery.journal import Entry, Journal, Message
from turnup.landing import Landing
from turnup.programme import Home

CONFIGURATION = """\
name: P
time_zone: Europe/Dublin
first_week: 2026-W40
delivery:
  mail: {host: localhost, port: 9, sender: turnup@example.org, security: none}
  operator: [ops@example.net]
  attempts: 1
"""
MONDAY = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


class Clock:
    def __init__(self):
        self.now = MONDAY

    def __call__(self):
        return self.now

    def later(self, **passed):
        self.now += timedelta(**passed)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def home(tmp_path):
    (tmp_path / "inbox").mkdir()
    (tmp_path / "programme.yaml").write_text(CONFIGURATION)
    return Home(tmp_path)


class Watched:
    """A sensor, and the cursor that its last tick left."""

    def __init__(self, home, sensor):
        self._sensor, self._cursor = sensor, None
        self._repository = build_definitions(home).get_repository_def()

    def tick(self):
        context = dg.build_sensor_context(cursor=self._cursor, repository_def=self._repository)
        done = self._sensor.evaluate_tick(context)
        self._cursor = done.cursor if done.cursor is not None else self._cursor
        return done.run_requests


@pytest.fixture
def inbox(home, clock):
    return Watched(home, inbox_sensor(home, "refresh", clock))


def drop(home, name, text, at):
    file = home.inbox / name
    file.write_text(text)
    os.utime(file, (at.timestamp(), at.timestamp()))


def test_an_empty_inbox_starts_nothing(inbox):
    assert not inbox.tick()


def test_files_that_come_together_make_one_run_once_it_is_quiet(home, inbox, clock):
    drop(home, "a.csv", "x", clock.now)
    assert not inbox.tick()
    clock.later(seconds=90)
    drop(home, "b.csv", "y", clock.now)
    assert not inbox.tick()
    clock.later(seconds=119)
    assert not inbox.tick(), "not two minutes since the second one"
    clock.later(seconds=1)
    (request,) = inbox.tick()
    assert request.partition_key == "2026-10-30"  # Monday lies in the week that began at Friday's cut-off
    assert request.tags.items() >= {("turnup/week", "2026-W45"), ("turnup/reason", "2 new files")}
    clock.later(minutes=5)
    assert not inbox.tick(), "asked for once"


def test_a_file_that_is_still_being_copied_is_not_taken(home, inbox, clock):
    for length in range(1, 10):
        drop(home, "big.csv", "x" * length, clock.now)
        assert not inbox.tick()
        clock.later(seconds=60)
    clock.later(seconds=120)
    assert len(inbox.tick()) == 1


def test_names_of_unfinished_files_and_taken_files_are_left_alone(home, inbox, clock):
    drop(home, "half.csv.part", "x", clock.now)
    drop(home, "~$open.xlsx", "x", clock.now)
    drop(home, "whole.csv", "x", clock.now)
    Landing(home, "Europe/Dublin").scan(clock.now)
    for _ in range(3):
        assert not inbox.tick()
        clock.later(minutes=3)


def test_a_changed_file_starts_another_run(home, inbox, clock):
    drop(home, "a.csv", "x", clock.now)
    inbox.tick()
    clock.later(minutes=2)
    (first,) = inbox.tick()
    Landing(home, "Europe/Dublin").scan(clock.now)
    clock.later(minutes=2)
    drop(home, "a.csv", "longer", clock.now)
    inbox.tick()
    clock.later(minutes=2)
    (second,) = inbox.tick()
    assert first.run_key != second.run_key


def test_after_the_cut_off_files_belong_to_the_next_week(home, inbox, clock):
    clock.now = datetime(2026, 11, 6, 18, 0, tzinfo=UTC)  # Friday, 18:00 in Dublin
    drop(home, "a.csv", "x", clock.now)
    inbox.tick()
    clock.later(minutes=2)
    (request,) = inbox.tick()
    assert request.tags["turnup/week"] == "2026-W46"


@pytest.mark.parametrize(("attempts", "minutes"), [(1, 5), (2, 10), (3, 20), (7, 320), (8, 360), (40, 360)])
def test_unsent_messages_are_tried_again_ever_more_seldom(home, clock, attempts, minutes):
    watched = Watched(home, unsent_sensor(home, "deliver", clock))
    message = Message("2026-W44.1", "executive", "mail", "ada@example.net")
    Journal(home.store).put(Entry(message), "failed", clock.now, attempts=attempts)
    clock.later(minutes=minutes, seconds=-1)
    assert not watched.tick()
    clock.later(seconds=1)
    (request,) = watched.tick()
    assert request.partition_key == "2026-10-23"


@pytest.mark.parametrize("state", ["sent", "refused", "uncertain", "held"])
def test_what_no_further_try_can_help_is_left(home, clock, state):
    message = Message("2026-W44.1", "executive", "mail", "ada@example.net")
    Journal(home.store).put(Entry(message), state, clock.now)
    clock.later(days=30)
    assert not Watched(home, unsent_sensor(home, "deliver", clock)).tick()


def test_a_failed_run_is_told_to_the_operator_and_kept_while_the_mail_is_away(home, clock):
    @dg.op
    def breaks():
        raise ValueError("the disk is full")

    @dg.job
    def refresh():
        breaks()

    with open_instance(home) as instance:
        done = refresh.execute_in_process(instance=instance, raise_on_error=False, tags={"turnup/week": "2026-W45"})
        context = dg.build_run_status_sensor_context(
            sensor_name="failed_runs", dagster_run=done.dagster_run, dagster_instance=instance,
            dagster_event=done.get_run_failure_event(),
        )  # fmt: skip
        failure_sensor(home, clock)(context.for_run_failure())
    [entry] = Journal(home.store).entries()
    assert (entry.message.to, entry.state) == ("ops@example.net", "failed")
    assert "refresh of 2026-W45 failed (P)" in entry.words
    assert "the disk is full" in entry.words
    assert json.dumps(str(home.root)) not in entry.words
