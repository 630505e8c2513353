"""Workbooks are zip archives: refused before parsing when they are bombs, encrypted, damaged or lie about themselves.

Limits: an honest sheet of 200,000 rows and 20 columns unpacks to some 130 MiB at a ratio of 7 to 17, so an entry may
have 256 MiB, all entries 512 MiB, and no entry of size a ratio above 100. What an archive says of itself is proved:
entries lie side by side, each begins with its own name, and unpacks to exactly the bytes that the directory states.
Readers written by others get an archive made anew of what was proved, so that there is nothing else for them to find.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

from turnup.formats.model import FileRejected

MAXIMUM_ENTRIES = 2_000
MAXIMUM_ENTRY = 256 << 20
MAXIMUM_TOTAL = 512 << 20
MAXIMUM_RATIO = 100
_SMALL = 1 << 20
_ENCRYPTED = 0x1
_LOCAL = struct.Struct("<4s5H3L2H")
_UPWARD = re.compile(r"(?:^|[/\\])\.\.(?:[/\\]|$)")
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def check_archive(path: Path) -> zipfile.ZipFile:
    """Open an archive whose directory keeps the limits.

    Raises:
        FileRejected: ``archive`` for a damaged, encrypted or contradictory one, ``zip_bomb`` for one over the limits.
    """
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, struct.error) as error:
        raise FileRejected("archive", f"the workbook cannot be opened ({error}): it is cut or damaged") from error
    try:
        _check_sizes(archive.infolist())
        _check_places(archive)
    except BaseException:
        archive.close()
        raise
    return archive


def _check_sizes(entries: list[zipfile.ZipInfo]) -> None:
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


def _steep(entry: zipfile.ZipInfo) -> bool:
    return entry.file_size > _SMALL and entry.file_size > MAXIMUM_RATIO * max(entry.compress_size, 1)


def _check_places(archive: zipfile.ZipFile) -> None:
    """Every entry has its own name and its own bytes."""
    names: set[str] = set()
    end = 0
    for entry in sorted(archive.infolist(), key=lambda item: item.header_offset):
        if entry.filename in names:
            raise _contradiction(f"'{entry.filename}' twice")
        if _UPWARD.search(entry.filename):
            raise _contradiction(f"'{entry.filename}', a place outside itself")
        names.add(entry.filename)
        start = _start(archive, entry)
        if entry.header_offset < end:
            raise _bomb(f"'{entry.filename}' in the same bytes as another entry")
        end = start + entry.compress_size


def _start(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> int:
    """Where the packed bytes of an entry begin."""
    file = _file(archive)
    try:
        file.seek(entry.header_offset)
        mark, *_, name_size, extra_size = _LOCAL.unpack(file.read(_LOCAL.size))
        name = file.read(name_size)
    except (struct.error, OSError, ValueError) as error:
        raise _damaged(entry.filename, str(error)) from error
    if mark != b"PK\x03\x04" or name not in _spellings(entry):
        raise _damaged(entry.filename, "it is not where the directory says")
    return int(entry.header_offset + _LOCAL.size + name_size + extra_size)


def _spellings(entry: zipfile.ZipInfo) -> set[bytes]:
    """The bytes that may spell the name of an entry."""
    name = getattr(entry, "orig_filename", entry.filename)
    return {name.encode(encoding, "replace") for encoding in ("utf-8", "cp437")}


def _file(archive: zipfile.ZipFile) -> IO[bytes]:
    if archive.fp is None:
        raise ValueError("the archive is closed")
    return archive.fp


def _bomb(what: str) -> FileRejected:
    limit = f"at most {MAXIMUM_ENTRY >> 20} MiB an entry, {MAXIMUM_TOTAL >> 20} MiB in all, ratio {MAXIMUM_RATIO}"
    return FileRejected("zip_bomb", f"the workbook holds {what}: refused before reading ({limit})", expected=limit)


def _contradiction(what: str) -> FileRejected:
    return FileRejected("archive", f"the workbook holds {what}: no spreadsheet program writes that")


def _damaged(name: str, why: str) -> FileRejected:
    return FileRejected("archive", f"'{name}' in the workbook is damaged ({why})")


def read_entry(archive: zipfile.ZipFile, name: str) -> bytes:
    """Bytes of one entry; empty when there is none.

    Raises:
        FileRejected: ``zip_bomb`` when it holds more than its directory says, ``archive`` when it is damaged.
    """
    try:
        entry = archive.getinfo(name)
    except KeyError:
        return b""
    if entry.compress_type not in _PACKED:
        raise _damaged(name, "it is packed in a way that spreadsheets do not use")
    file = _file(archive)
    file.seek(_start(archive, entry))
    data = _unpacked(entry, file.read(entry.compress_size))
    if len(data) != entry.file_size or zlib.crc32(data) != entry.CRC:
        raise _damaged(name, "its bytes are not those that were packed")
    return data


def _unpacked(entry: zipfile.ZipInfo, packed: bytes) -> bytes:
    if entry.compress_type == zipfile.ZIP_STORED:
        return packed
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        data = stream.decompress(packed, entry.file_size + 1)
    except zlib.error as error:
        raise _damaged(entry.filename, str(error)) from error
    if len(data) > entry.file_size:
        raise _bomb(f"'{entry.filename}' that holds more than its {entry.file_size} declared bytes")
    if not stream.eof:
        raise _damaged(entry.filename, "it is cut")
    return data


def repacked(archive: zipfile.ZipFile, wanted: Callable[[str], bool], held: Mapping[str, bytes]) -> bytes:
    """An archive of the wanted entries, proved and not compressed; ``held`` are entries that were read already.

    Raises:
        FileRejected: as ``read_entry``; ``archive`` for an XML part that declares a document type or is not UTF-8.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as clean:
        for name in filter(wanted, archive.namelist()):
            data = held[name] if name in held else read_entry(archive, name)
            check_xml(name, data)
            clean.writestr(zipfile.ZipInfo(name), data)
    return buffer.getvalue()


def check_xml(name: str, data: bytes) -> None:
    """Refuse a part with a document type: what it declares (entities, files elsewhere) has no place in a table.

    Raises:
        FileRejected: ``archive``.
    """
    if not name.endswith((".xml", ".rels")):
        return
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:64]:
        raise _damaged(name, "it is XML that is not UTF-8")
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise _damaged(name, "it declares a document type, which is never read")
