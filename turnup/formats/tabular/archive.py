"""Workbooks are zip archives: refused before parsing when they are bombs, encrypted or damaged.

Limits: an honest sheet of 200,000 rows and 20 columns unpacks to some 130 MiB at a ratio of 10 to 17, so an entry may
have 256 MiB, all entries 512 MiB, and no entry of size a ratio above 100. Declared sizes may lie: real bytes are
counted again while reading.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

from turnup.formats.model import FileRejected

MAXIMUM_ENTRIES = 2_000
MAXIMUM_ENTRY = 256 << 20
MAXIMUM_TOTAL = 512 << 20
MAXIMUM_RATIO = 100
_SMALL = 1 << 20
_BLOCK = 1 << 20
_ENCRYPTED = 0x1


def check_archive(path: Path) -> zipfile.ZipFile:
    """Open an archive whose directory keeps the limits.

    Raises:
        FileRejected: ``archive`` for a damaged or encrypted one, ``zip_bomb`` for one over the limits.
    """
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise FileRejected("archive", f"the workbook cannot be opened ({error}): it is cut or damaged") from error
    entries = archive.infolist()
    total = sum(entry.file_size for entry in entries)
    if len(entries) > MAXIMUM_ENTRIES or total > MAXIMUM_TOTAL:
        raise _bomb(f"{len(entries)} entries that unpack to {total >> 20} MiB")
    for entry in entries:
        if entry.flag_bits & _ENCRYPTED:
            raise FileRejected("archive", "the workbook is encrypted; send it without a password")
        if entry.file_size > MAXIMUM_ENTRY or _steep(entry):
            raise _bomb(
                f"'{entry.filename}' of {entry.compress_size} bytes that unpacks to {entry.file_size >> 20} MiB"
            )
    return archive


def _steep(entry: zipfile.ZipInfo) -> bool:
    return entry.file_size > _SMALL and entry.file_size > MAXIMUM_RATIO * max(entry.compress_size, 1)


def _bomb(what: str) -> FileRejected:
    limit = f"at most {MAXIMUM_ENTRY >> 20} MiB an entry, {MAXIMUM_TOTAL >> 20} MiB in all, ratio {MAXIMUM_RATIO}"
    return FileRejected("zip_bomb", f"the workbook holds {what}: refused before reading ({limit})", expected=limit)


def read_entry(archive: zipfile.ZipFile, name: str) -> bytes:
    """Bytes of one entry; empty when there is none.

    Raises:
        FileRejected: ``zip_bomb`` when it holds more than its directory says, ``archive`` when it is damaged.
    """
    try:
        declared = archive.getinfo(name).file_size
    except KeyError:
        return b""
    blocks, held = [], 0
    try:
        with archive.open(name) as handle:
            while block := handle.read(_BLOCK):
                held += len(block)
                if held > min(declared, MAXIMUM_ENTRY):
                    raise _bomb(f"'{name}' that holds more than its {declared} declared bytes")
                blocks.append(block)
    except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError, ValueError) as error:
        raise FileRejected("archive", f"'{name}' in the workbook is damaged ({error})") from error
    except Exception as error:
        if type(error).__module__ == "zlib":
            raise FileRejected("archive", f"'{name}' in the workbook is damaged ({error})") from error
        raise
    return b"".join(blocks)
