"""How turnup opens DuckDB: the same settings everywhere, no reach outside the process but the files named."""

from __future__ import annotations

import contextlib
import errno
import os
from typing import TYPE_CHECKING

import duckdb

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_OF_THE_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


@contextlib.contextmanager
def connect(
    database: Path | None = None, *, read_only: bool = False, threads: int | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a database file, or one in memory, in UTC and with insertion order kept; it is closed on leaving.

    Args:
        database: the file.
        read_only: whether nothing will be written.
        threads: how many threads it may use; None for one per core.

    Raises:
        OSError: the disk is full or fails, on leaving too.
    """
    name = ":memory:" if database is None else str(database)
    # The format of DuckDB 1.3 packs texts in fewer steps than the oldest one, which is what DuckDB writes by default.
    con = duckdb.connect(
        name,
        read_only=read_only,
        config={
            "autoinstall_known_extensions": "false",
            "storage_compatibility_version": "v1.3.0",
            **({"threads": str(threads)} if threads else {}),
        },
    )
    try:
        con.execute("SET TimeZone = 'UTC'; SET preserve_insertion_order = true")
        # One checkpoint on closing: those in between took a fifth of the computing time of a large week.
        con.execute("SET checkpoint_threshold = '1TB'")
        yield con
        if database is not None and not read_only:
            # The checkpoint on closing keeps silent when it fails, and leaves the tables in a log beside the file.
            con.execute("CHECKPOINT")
    except duckdb.Error as error:
        for code in _OF_THE_DISK:
            if os.strerror(code) in str(error):
                raise OSError(code, os.strerror(code), name) from error
        raise
    finally:
        con.close()


def literal(value: str) -> str:
    """Quote a text for SQL."""
    return "'" + value.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """Quote a name for SQL."""
    return '"' + name.replace('"', '""') + '"'


def table_exists(con: duckdb.DuckDBPyConnection, schema: str, table: str) -> bool:
    """Say whether a table or view exists."""
    query = "SELECT 1 FROM information_schema.tables WHERE table_schema = $1 AND table_name = $2"
    return bool(con.sql(query, params=[schema, table]).fetchall())
