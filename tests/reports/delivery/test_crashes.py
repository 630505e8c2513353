"""A process may die at any step of a delivery: nobody gets a message twice, and nothing is missing in silence."""

import os
import signal
from multiprocessing import get_context

import pytest

from reports.delivery.journal import Journal

STEPS = 9  # of two messages: trying, handing over, sent, each; three more than there are


class Dying(Journal):
    """A journal whose process is killed before or after its nth record."""

    def __init__(self, store, number, when):
        super().__init__(store)
        self._left, self._when = number, when

    def put(self, entry, state, now, **changes):
        self._left -= 1
        if self._left < 0 and self._when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        done = super().put(entry, state, now, **changes)
        if self._left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return done


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("number", range(STEPS))
def test_killed_at_any_record(house, number, when):
    house.manifest()
    process = get_context("fork").Process(target=house.round, args=(Dying(house.root / "store", number, when),))
    process.start()
    process.join(30)
    assert process.exitcode == (0 if number >= 6 else -signal.SIGKILL)
    for _ in range(2):
        house.later(minutes=5)
        house.round()
    for address, report in (("ada@example.net", "executive"), ("bert@example.net", "governance")):
        state = house.states()[("2026-W44.1", report, address)]
        got = len(house.taken.of(address))
        assert got <= 1
        assert got == 1 or state == "uncertain"
        if state == "uncertain":
            assert address in house.taken.of("ops@example.net")[0].decode(), "and the operator knows of it"
        else:
            assert state == "sent"


@pytest.mark.parametrize("number", range(1, 6))
def test_what_was_begun_is_brought_to_its_end_after_the_next_week_has_closed(house, number):
    house.manifest()
    process = get_context("fork").Process(target=house.round, args=(Dying(house.root / "store", number, "before"),))
    process.start()
    process.join(30)
    begun = set(house.states())
    house.later(days=7)
    for _ in range(2):
        house.round()
    states = house.states()
    for key in begun:
        got = len(house.taken.of(key[2]))
        assert (states[key], got) == ("sent", 1) or (states[key] == "uncertain" and got <= 1)
        if states[key] == "uncertain":
            assert key[2] in house.taken.of("ops@example.net")[0].decode()


def test_two_processes_at_once_send_one_message_each(house):
    house.manifest()
    context = get_context("fork")
    processes = [context.Process(target=house.round) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(30)
    assert sorted(to for to, _ in house.taken.messages) == ["ada@example.net", "bert@example.net"]
