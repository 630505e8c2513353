"""A file that hurts its reader is one refusal, and the next file is read."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from tests.formats.small import PARTS
from tests.isolation.troubled import troubled_reader
from turnup.formats import FileRejected, inspect, parse
from turnup.isolation import Reader, exchange
from turnup.isolation.limits import Limits, limits_for
from turnup.programme import Source

GOOD = "part,qty,site\nA-1,2,Ürümqi\nB-2,x\n# note\nTotal,2,\n"
SOURCE = Source.model_construct(dataset="parts", files="*")


@pytest.fixture(scope="module")
def troubled():
    with troubled_reader() as reader:
        yield reader


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "content"
    path.write_text(GOOD, encoding="utf-8")
    return path


def refused(reader, file, name):
    with pytest.raises(FileRejected) as caught:
        reader.parse(file, name, SOURCE, PARTS)
    assert reader.parse(file, "good.csv", SOURCE, PARTS).ledger.data == 1
    return caught.value


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("stumble.csv", "reader_failed"),
        ("panic.csv", "reader_failed"),
        ("die.csv", "reader_died"),
        ("eat.csv", "too_much_memory"),
        ("hoard.csv", "too_much_memory"),
        ("call.csv", "reader_failed"),
        ("run.csv", "reader_failed"),
    ],
)
def test_trouble_is_one_refusal_and_the_next_file_is_read(troubled, file, name, code):
    refusal = refused(troubled, file, name)
    assert refusal.code == code
    assert refusal.message


_GREEDY = """
import pathlib, resource, sys
from tests.isolation.test_isolation import SOURCE
from tests.formats.small import PARTS
from tests.isolation.troubled import troubled_reader
from turnup.formats import FileRejected
with troubled_reader() as reader:
    try:
        reader.parse(pathlib.Path(sys.argv[1]), "eat.csv", SOURCE, PARTS)
    except FileRejected as refusal:
        print(refusal.code)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def test_no_child_grew_over_a_gibibyte(file):
    # In a process of its own: whatever else this one has started would count as well.
    told = subprocess.run([sys.executable, "-c", _GREEDY, str(file)], capture_output=True, text=True, check=True)
    code, kilobytes = told.stdout.split()
    assert code == "too_much_memory"
    assert int(kilobytes) < 1 << 20


@pytest.mark.parametrize(("name", "told"), [("spin.csv", "1 seconds"), ("sleep.csv", "stood still")])
def test_a_reader_that_does_not_end_is_ended(troubled, file, name, told, monkeypatch):
    monkeypatch.setattr("turnup.isolation.reader.limits_for", lambda *_, **__: Limits(900 << 20, 1.0))
    monkeypatch.setattr("turnup.isolation.reader.STILL", 1.0)
    refusal = refused(troubled, file, name)
    assert refusal.code == "too_slow"
    assert told in refusal.message


def test_a_child_that_was_killed_from_outside_is_asked_again(troubled, file):
    assert troubled.parse(file, "once.csv", SOURCE, PARTS).ledger.data == 1


def test_trouble_of_the_machine_is_no_fault_of_the_file(troubled, file):
    with pytest.raises(OSError, match="Input/output error"):
        troubled.parse(file, "disk.csv", SOURCE, PARTS)
    with pytest.raises(FileNotFoundError):
        troubled.parse(file.with_name("absent"), "absent.csv", SOURCE, PARTS)


def test_what_comes_back_is_what_was_read(file):
    reader = Reader()
    try:
        for _ in range(2):
            there, here = (read(file, "parts.csv", SOURCE, PARTS) for read in (reader.parse, parse))
            assert there.frame.equals(here.frame)
            assert there.frame.schema == here.frame.schema
            names = ("format", "dataset", "ledger", "rejected", "findings", "columns", "facts")
            assert [getattr(there, name) for name in names] == [getattr(here, name) for name in names]
        from expectations.contract import load_contracts

        here = replace(inspect(file, "parts.csv", load_contracts()), table=None)
        assert reader.inspect(file, "parts.csv") == here
    finally:
        reader.close()


def test_a_file_of_rows_that_cannot_be_read_is_refused_as_a_whole(tmp_path, file):
    file.write_text("part,qty,site\n" + "B,2,C,D\n" * 50)
    table = parse(file, "rows.csv", SOURCE, PARTS)
    exchange.save(tmp_path, table, largest=1_000_000)
    assert exchange.load(tmp_path).rejected == table.rejected
    exchange.save(tmp_path, table, largest=5_000)
    with pytest.raises(FileRejected) as caught:
        exchange.load(tmp_path)
    assert (caught.value.code, caught.value.row) == ("too_many_refused", 2)
    assert "50 rows" in caught.value.message


def test_a_forked_process_gets_a_child_of_its_own(file):
    reader = Reader()
    reader.parse(file, "a.csv", SOURCE, PARTS)
    first = reader._running()
    child = os.fork()
    if child == 0:
        try:
            own = reader._running()
            own.end()
        finally:
            os._exit(0 if own is not first else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert reader.parse(file, "a.csv", SOURCE, PARTS).ledger.data == 1
    reader.close()


def test_nothing_is_started_before_there_is_a_file():
    code = "from turnup.isolation import shared_reader as s; s(); import sys; print('polars' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
    assert Reader()._child is None


def test_small_files_have_one_room_and_large_ones_earn_more():
    bomb, book = limits_for(310_000, packed=True), limits_for(20 << 20, packed=True)
    assert bomb.memory < 1 << 30
    assert bomb.seconds < 15
    assert book.memory > 1_800 << 20
    assert limits_for(12 << 20, packed=False).memory < 1 << 30
    assert limits_for(200 << 20, packed=False).memory > 3 << 30
