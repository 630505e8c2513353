"""A database on a disk that fills up: what was not written whole is an error, also when only the closing fails."""

import subprocess
import sys
from pathlib import Path

import pytest

# A process of its own mounts a disk that nobody else sees, before anything starts a thread.
WRITES = """
import errno, sys
from pathlib import Path
from perf.faults import disk
folder = Path(sys.argv[1])
try:
    disk.mount(folder, 8 << 20)
except disk.NoMount:
    sys.exit(print("no mount"))
from turnup.warehouse.connection import connect
file = folder / "a.duckdb"
for size in range(2_600_000, 4_400_000, 100_000):  # the database has 3.7 MB
    for left in folder.iterdir():
        left.unlink()
    disk.resize(folder, size)
    try:
        with connect(file) as con:
            con.execute("CREATE TABLE t AS SELECT hash(i) AS a, hash(i + 1) AS b FROM range(200000) r(i)")
    except OSError as error:
        print("full" if error.errno == errno.ENOSPC and str(file) in str(error) else repr(error))
    else:
        print("a log beside it" if file.with_name("a.duckdb.wal").exists() else "whole")
"""


@pytest.mark.slow
def test_a_database_is_whole_or_its_disk_is_said_to_be_full(tmp_path):
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", WRITES, tmp_path], cwd=root, capture_output=True, text=True, timeout=120
    )
    found = done.stdout.split("\n")[:-1]
    if found == ["no mount"]:
        pytest.skip("this machine lets a process mount nothing of its own")
    assert set(found) == {"full", "whole"}, done.stderr
    assert found == sorted(found), "and with more room it never fails again"
